"""One load said in two ways costs the same; a larger one never costs less."""

from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.answers.shared.json import figures
from bot.service.answering import Answering
from core.sizing.picks import ABOUT_AS_CHEAP
from tests.conftest import TERMINAL

SAID_TWICE = (
    ("llama 3.3 70b, 20 requests per second", "20 rps of llama-3.3-70b"),
    ("8b chat for 5000 users", "an 8B chatbot used by 5,000 people"),
    ("qwen3 32b 1M requests per day", "one million requests a day on Qwen3-32B"),
    ("70b 10 rps 2k in 300 out",
     "70B, ten requests a second, 2,000 input tokens, 300 output tokens"),
    ("mixtral 8x7b 36,000 requests per hour", "mixtral 8x7b at 10 rps"),
    ("70b 20 rps in europe", "in the EU: 70B at 20 requests/s"),
    ("gpt-oss-120b 600 requests per minute", "10 requests a second with gpt-oss 120B"),
    ("llama 3.1 8b chatbot, 3M requests a month",
     "8b llama 3.1 serving 3,000,000 monthly requests"),
    ("deepseek v3 5 rps for our customers",
     "customer-facing deepseek-v3, 5 requests/s"),
    ("70b fp8 30 rps", "30 requests per second, 70B in fp8"),
    ("fine-tune llama 3.1 8b with qlora on 20k samples",
     "qlora, 20,000 samples, Llama-3.1-8B"),
    ("summarise 100k documents with 8b, 3k in 200 out",
     "8B batch: 100,000 documents of 3,000 tokens each, 200 tokens out"),
    ("70b 20rps under $30k a month",
     "20 rps 70B with a budget of 30,000 dollars per month"),
    ("32b 4 rps no spot not on aws", "32B, 4 requests/s, neither spot nor AWS"),
    # a stated default
    ("70b 20 rps", "70b 20 rps 1000 in 200 out"),
    ("70b 20 rps", "70b 20 rps ttft 500ms"),
    ("70b 20 rps", "70b 20 rps tpot 50ms"),
    ("70b 20 rps", "70b 20 rps at 50% average load"),
    ("70b 20 rps", "70b 20 rps p95 ttft 500 ms"),
    ("70b 20 rps", "70b 20 rps 24/7"),
    ("8b 1M requests a day", "8b 1M requests a day peak 2.5x the average"),
    ("8b 5000 users", "8b 5000 users 10 requests per day each"),
    ("rag 8b 10 rps", "rag 8b 10 rps 2944 in 283 out"),
    ("8b 20 rps", "8b 20 rps llama 3.1"),
)  # fmt: skip
LARGER = (
    ("70b 10 rps", "70b 20 rps"),
    ("8b 5 rps", "8b 6 rps"),
    ("qwen3 32b 1000 users", "qwen3 32b 2000 users"),
    ("70b 10 rps 1k in", "70b 10 rps 4k in"),
    ("70b 10 rps 100 out", "70b 10 rps 400 out"),
    ("70b 10 rps tpot 60ms", "70b 10 rps tpot 25ms"),
    ("70b 10 rps ttft 1s", "70b 10 rps ttft 300ms"),
    ("8b 100 concurrent", "8b 150 concurrent"),
    ("gpt-oss-120b 3 rps", "gpt-oss-120b 12 rps"),
    ("8b 2M requests a day", "8b 2.2M requests a day"),
    ("deepseek v3 4 rps", "deepseek v3 16 rps"),
    ("mixtral 8x7b 5 rps 500 in", "mixtral 8x7b 5 rps 1500 in"),
    ("70b 20 rps", "70b 20 rps n+1"),
    ("70b 20 rps", "70b 20 rps 30% headroom"),
    ("70b 20 rps", "70b 20 rps in 2 zones"),
    ("8b 300 users", "8b 900 users"),
)
KEYS = ("role", "count", "gpu", "provider", "usd_per_month", "usd_per_run")
PARTS = ("70b", "20 rps", "2k in", "300 out", "in the eu", "no spot")


@pytest.fixture(scope="module")
def picked(answering: Answering) -> Any:
    """The picks of a question, each asked once."""

    @cache
    def ask(question: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = figures(answering.answered(question, TERMINAL))[
            "picks"
        ]
        return [{key: one.get(key) for key in KEYS} for one in found]

    return ask


@pytest.mark.parametrize(("once", "again"), SAID_TWICE)
def test_the_same_load_costs_the_same(picked: Any, once: str, again: str) -> None:
    """Other words, or a default that is stated, change no pick and no dollar."""
    assert picked(once)
    assert picked(once) == picked(again)


@pytest.mark.parametrize(("less", "more"), LARGER)
def test_a_larger_load_never_costs_less(picked: Any, less: str, more: str) -> None:
    """More requests, longer prompts, tighter limits, more kept free: pick by pick."""
    for small, large in zip(picked(less), picked(more), strict=True):
        if small["usd_per_month"] and large["usd_per_month"]:
            assert small["usd_per_month"] <= large["usd_per_month"], small["role"]


@settings(max_examples=12, deadline=None)
@given(order=st.permutations(PARTS))
def test_the_order_of_words_changes_nothing(picked: Any, order: list[str]) -> None:
    """Six parts of one load in any order."""
    assert picked(", ".join(PARTS)) == picked(", ".join(order))


@settings(max_examples=12, deadline=None)
@given(
    rps=st.integers(1, 60),
    times=st.sampled_from((1.1, 1.5, 3.0)),
    model=st.sampled_from(("8b", "qwen3 32b", "70b", "gpt-oss-120b")),
)
def test_any_larger_rate_costs_more(
    picked: Any, rps: int, times: float, model: str
) -> None:
    """But for what fewer machines may cost more: a tenth."""
    small, large = (picked(f"{model} {rate:g} rps") for rate in (rps, rps * times))
    for one, other in zip(small, large, strict=True):
        allowed = Decimal(str(other["usd_per_month"])) * ABOUT_AS_CHEAP
        assert Decimal(str(one["usd_per_month"])) <= allowed


def test_no_assumed_limit_doubles_the_bill_of_a_large_fleet(
    answering: Answering,
) -> None:
    """405B in INT4 reads prompts slowly: half a second to wait was nobody's demand."""
    strict = answering.answered("llama 405b int4 10 rps on h100 ttft 500 ms", TERMINAL)
    open_to = answering.answered("llama 405b int4 10 rps on h100", TERMINAL)
    dear, fair = (f.figures.ways[0].money.month for f in (strict, open_to))

    assert fair < dear / 2
    assert "The usual limits are our assumption." in " ".join(open_to.view.notes)
