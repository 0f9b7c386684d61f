"""Questions that ask for one figure get it in the first line; constraints hold."""

import pytest

from bot.answers.shared.json import figures
from bot.service.answering import Answering
from tests.conftest import TERMINAL


def said(answering: Answering, text: str) -> str:
    """The first line of an answer."""
    return answering.answered(text, TERMINAL).view.verdict


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        # 80 layers × 8 KV heads × 128 × 2 (K, V) × 2 bytes × 131,072 tokens
        ("kv cache for 128k context llama 70b", "42.9 GB in BF16, 21.5 GB in FP8"),
        # 32 × 8 × 128 × 2 × 2 × 8,192 × 16
        ("kv cache size of llama 3.1 8b at 8k with batch 16", "17.2 GB in BF16"),
        ("how big are the weights of llama 70b in fp16", "141 GB in FP16"),
        ("how much did it cost to train gpt-4", "about $78M"),
        ("what did deepseek-v3 cost to train", "about $5.58M"),
        # 100M × 5 × 500 = 250B tokens a day × $2.50 = $625,000; × 30
        ("100M users 5 queries a day 500 input tokens on gpt-4o: what does it cost",
         "$18,750,000/month for input alone ($625,000 a day)"),
        ("what do -4 h100 cost", "GPU count must be at least 1"),
        ("what do 0 h100 cost", "GPU count must be at least 1"),
        ("smallest gpu for llama 3.1 8b", "the smallest GPU for Llama 3.1 8B"),
        ("lowest latency for 70b at 5 rps", "Lowest latency at this load: "),
        ("what can I do with $5k a month", "$5,000 a month serves about"),
        ("platform with 50 small 8b models isolated", "slice"),
        ("would speculative decoding help for 70b at 20 rps", "Speculative decoding"),
        ("70b 5000 rps", "Do you mean 5,000 requests a day"),
    ],
)  # fmt: skip
def test_the_figure_comes_first(answering: Answering, text: str, figure: str) -> None:
    """Whatever the question would be sized to otherwise."""
    assert figure in said(answering, text)


@pytest.mark.parametrize(
    ("text", "hours", "count"),
    [
        ("what do 16 h200 cost for a weekend", 48, 16),
        ("cost of 8 h100 for 3 weeks", 504, 8),
        ("4 lambda h100 for 10 days", 240, 4),
        ("24 h100 for a week", 168, 24),
    ],
)
def test_a_bill_has_the_count_and_the_span_that_were_said(
    answering: Answering, text: str, hours: int, count: int
) -> None:
    """GPUs × price × hours, in the first line."""
    found = figures(answering.answered(text, TERMINAL))["recommendation"]

    assert count == found["count"]
    rental = found["usd_per_hour"] * hours
    assert f"${rental:,.0f} for" in said(answering, text)


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("8b 40 rps on consumer cards, no marketplaces", {"marketplace", "community"}),
        ("70b 5 rps only on hyperscalers", {"direct", "reseller", "marketplace"}),
        ("70b 5 rps no resellers no hyperscalers", {"reseller", "hyperscaler"}),
    ],
)
def test_kinds_of_sellers_are_held(
    answering: Answering, text: str, forbidden: set[str]
) -> None:
    """What is ruled out is nowhere among the fleets."""
    shown = figures(answering.answered(text, TERMINAL))
    rows = [shown["recommendation"], *shown["alternatives"]]

    assert rows[0]
    assert not forbidden & {row["seller_kind"] for row in rows}


def test_picks_carry_what_a_buyer_asks(answering: Answering) -> None:
    """Role, reason, seller, evidence, stock, machine, uptime, replicas and link."""
    shown = figures(answering.answered("70b chat 20 rps in production", TERMINAL))

    keys = {
        "role", "why", "seller_kind", "evidence", "stock", "machine_gpus",
        "sla_percent", "replicas", "url", "usd_per_month",
    }  # fmt: skip
    assert ["best_price", "with_sla", "hyperscaler"] == [
        one["role"] for one in shown["picks"]
    ]
    assert all(keys <= one.keys() for one in shown["picks"])
    assert "with_sla" == shown["starred"]
    assert shown["recommendation"]["sla_percent"] is not None
    assert keys - {"role", "why"} <= shown["recommendation"].keys()
