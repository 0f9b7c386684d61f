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
        ("70b 50 rps", "It takes 6 GPUs to answer fast enough"),
        ("b200 vs h200 for llama 70b at 30 rps", "do what 8 × H200 SXM FP8 do"),
        ("runpod vs lambda vs coreweave for 8 h100 on-demand", "decides nothing"),
        ("does llama 70b fp16 fit on one h100", "GB are missing"),
    ],
)
def test_a_reason_is_plain_and_stands_under_the_headline(
    answering: Answering, text: str, said: str
) -> None:
    assert said in at_a_glance(answering.answered(text, TERMINAL).view).why


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
