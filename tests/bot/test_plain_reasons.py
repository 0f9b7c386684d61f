"""What is recommended, why, and what it costs, so that anybody can retell it."""

import pytest

from bot.answers.shared.workload import asks_openly, rate_asked
from bot.language.parse import parse
from bot.render.glance import at_a_glance
from bot.service.answering import Answering
from tests.conftest import TERMINAL


@pytest.mark.parametrize(
    ("text", "openly"),
    [
        ("embed 80M texts with bge-m3 over a weekend, what gpu and how much?", True),
        ("when do we outgrow two h100s on llama 8b at 20 rps", True),
        ("how many h100 for 70b at 20 rps", True),
        ("can 2 h100 serve 20 rps of llama 8b?", False),
        ("is one l40s enough for 8b, and what does it cost?", False),
        ("our budget is $15k. what gpu? will it do?", False),
        ("70b 20rps under $60k/mo", False),
    ],
)
def test_only_a_yes_or_no_question_gets_a_yes(text: str, openly: bool) -> None:
    assert openly == asks_openly(parse(text))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("how many requests per second of 32b can 8 h100 handle", "requests"),
        ("throughput of 70b on 4 h100 in req/s", "requests"),
        ("tokens per second of one b200 with llama 8b", "tokens"),
        ("how many tok/s does an l40s make with 8b", "tokens"),
        ("how many users can one l40s hold on llama 8b", ""),
        ("can 2 h100 serve 20 requests per second of llama 8b", ""),
    ],
)
def test_the_rate_that_is_asked_for_is_known(text: str, asked: str) -> None:
    assert asked == rate_asked(parse(text))


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("is an api cheaper than our own gpus for 60M tokens a day of gpt-oss-120b",
         "Yes. Use an API"),
        ("is an api or our own gpu cheaper for 60M tokens a day of gpt-oss-120b",
         "Use an API"),
        ("2M tokens a day of llama 70b, 200 runs: api or gpu", "Use an API"),
        ("8 h100 at lambda for 2 weeks", "8 × H100 SXM at Lambda: $10,725 for 14 days"),
        ("how many requests/s of qwen3 32b can 8 a100 handle",
         "8 × A100 80GB SXM handle about"),
    ],
)  # fmt: skip
def test_a_headline_answers_what_is_asked(
    answering: Answering, text: str, begins: str
) -> None:
    assert answering.answered(text, TERMINAL).view.verdict.startswith(begins)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("70b 50 rps", "6 GPUs are fast enough, 7 at worst"),
        ("70b 50 rps", "in FP8 (8 bits). "),
        ("70b 20rps sla 99.9%", "that promise 99.9 % uptime (SLA)"),
        (
            "pretrain a 3b on 300B tokens",
            "rentals that finish within about 30 days (assu",
        ),
        ("embed 50M documents of 300 tokens", "Only 1 machine to run instead of"),
        ("16 h200 for two months", "apart from spot, serverless and private hosts"),
        ("cost of 4x h100 at lambda", "The only regular rental of H100 SXM"),
        ("b200 vs h200 for llama 70b at 30 rps", " GPUs at $6.00 an hour against "),
        ("lambda vs coreweave for 70b 50rps", "6 GPUs at $6.89 an hour against 8 at"),
        ("l40s or rtx pro 6000 for an 8b at 30 rps", "the work of 2.2 L40S at full"),
        ("llama 70b vs qwen3 32b for 20 rps", "3 GPUs at $2.29 an hour against 3"),
        ("will llama 3.3 70b run on one h100", "In FP8 (8 bits) the model, its"),
        (
            "llama 70b on our gpus or an api at 2M tokens a day",
            "would work under 1% of",
        ),
        ("lowest latency for 8b", "Quickest of 31 kinds of GPU: "),
        (
            "what does 1M output tokens cost with llama 70b",
            "Cheapest tokens of 17 kinds of GPU",
        ),
        ("runpod vs lambda vs coreweave for 8 h100 on-demand", "decides nothing"),
        ("does llama 70b fp16 fit on one h100", "GB are missing"),
    ],
)
def test_a_reason_is_plain_and_stands_under_the_headline(
    answering: Answering, text: str, said: str
) -> None:
    assert said in at_a_glance(answering.answered(text, TERMINAL).view).why


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("8b 4 rps on l4 at google", "in machines of 2, $0.705 singly"),
        ("2 l40s on aws for a 24b at 1 rps", "in machines of 4, $1.86 singly"),
        ("price difference between on demand and 3 year reserved h100 on azure",
         "H100 SXM in machines of 8: the smallest commitment is $1,118,771"),
        ("4 h200 at coreweave for a month", "you asked for 4 and pay for 8"),
        ("l4 or a10g for an 8b at 4 rps on gcp or aws", "A10G: not sold there"),
        ("summarise 2M pdf pages with an 8b", "Reading scans (OCR) comes on top"),
        ("tokens/s of llama 8b on an l4", "Within them: 1 request at once"),
    ],
)  # fmt: skip
def test_what_a_price_or_a_length_is_of_is_said(
    answering: Answering, text: str, said: str
) -> None:
    """One seller has several prices of a GPU, by the machine that it stands in."""
    shown = answering.answered(text, TERMINAL).view
    assert said in " ".join((*shown.notes, shown.table.note if shown.table else ""))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("70b 50 rps", "Autoscale, $15,120/month (idle GPUs off, perhaps"),
        ("full ft llama3 70b 50k samples 1200 tokens",
         "Spot (may stop any time), $80.16, or LoRA, $115 (trains adapters only)"),
        ("16 h200 for two months", " (the seller may stop it at short notice)"),
        ("3M documents a night, 2k tokens each, summarise to 200, llama 8b", "Spot ("),
        ("4 a100 at 30% utilisation, what is idle costing us", "at the peak only, $"),
    ],
)  # fmt: skip
def test_what_costs_less_has_its_price_and_its_catch(
    answering: Answering, text: str, said: str
) -> None:
    assert said in at_a_glance(answering.answered(text, TERMINAL).view).save


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("70b 50 rps", "average load 50% of peak"),
        ("70b 50 rps, 30% average load", ""),
    ],
)
def test_an_average_is_one_of_the_peak(
    answering: Answering, text: str, said: str
) -> None:
    told = at_a_glance(answering.answered(text, TERMINAL).view).read_as
    assert ("average load" in told, True) == (bool(said), said in told)


def test_a_place_of_its_own_that_nobody_priced_is_no_fault(
    answering: Answering,
) -> None:
    """What a rule fills in beside the question has no words to be told by."""
    text = "what should i buy to run llama 70b in the office for 10 people"
    assert "answer" == answering.answered(text, TERMINAL).view.kind


def test_sellers_at_one_price_share_no_star(answering: Answering) -> None:
    text = "runpod vs lambda vs coreweave for 8 h100 on-demand"
    view = answering.answered(text, TERMINAL).view

    assert view.table is not None
    assert view.table.winner is None
    assert "the same price" in view.verdict


def test_one_offer_that_is_best_for_all_stands_beside_the_next(
    answering: Answering,
) -> None:
    """What comes next in price says more than one row with three names."""
    view = at_a_glance(answering.answered("70b 20rps sla 99.9%", TERMINAL).view)

    assert view.picks is not None
    first, second = view.picks.rows
    assert ["Best price", "Next cheapest"] == [first[0].text, second[0].text]
    assert (first[2].value or 0) <= (second[2].value or 0)


@pytest.mark.parametrize(
    ("text", "label"), [("70b 50 rps", "On demand"), ("70b 20 rps", "Best price")]
)
def test_the_best_price_names_its_rule_where_another_way_costs_less(
    answering: Answering, text: str, label: str
) -> None:
    view = answering.answered(text, TERMINAL).view

    assert view.picks is not None
    assert label == view.picks.rows[0][0].text


def test_answers_of_a_few_tokens_are_priced_by_the_request(
    answering: Answering,
) -> None:
    text = "7b classifier at 100 rps, 600 tokens in, 5 out"
    assert "per 1,000 requests)" in answering.answered(text, TERMINAL).view.verdict
