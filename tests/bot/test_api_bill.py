"""A bill by the token, where nobody asked for GPUs."""

from decimal import Decimal

import pytest

from bot.answers.shared.json import figures
from bot.service.answering import Answering
from core.answers.api_bill import ApiBill
from core.wording import dollars
from tests.conftest import TERMINAL


def test_a_month_by_the_token_is_tokens_times_rates(answering: Answering) -> None:
    """30M requests of 500 in and 200 out, recomputed from the rates shown."""
    text = "gpt-4o cost for 1M requests a day 500 in 200 out"
    answered = answering.answered(text, TERMINAL)
    found = answered.figures
    assert isinstance(found, ApiBill)
    rates = found.options[0].api.live
    each = (
        500 * rates.input_usd_per_million + 200 * rates.output_usd_per_million
    ) / 1_000_000
    month = each * 30_000_000

    assert month == round(found.options[0].usd_per_month, 6)
    assert "answer" == answered.view.kind
    assert f"{dollars(month)}/month" in answered.view.verdict
    assert f"{dollars(each)} per request" in answered.view.verdict
    assert answered.explanation is not None
    assert any(dollars(month) in step for step in answered.explanation.notes)
    assert "cannot host this model" in answered.view.notes[0]


def test_json_has_the_ways_to_pay_less(answering: Answering) -> None:
    """Cached prompts and batches, each a month's dollars."""
    given = figures(answering.answered("claude sonnet cost at 20 rps", TERMINAL))
    best = given["recommendation"]
    assert best["usd_per_month_half_cached"] < best["usd_per_month"]
    assert best["usd_per_month_batched"] == best["usd_per_month"] / 2
    assert Decimal(str(best["usd_per_request"])) > 0


def test_the_cheaper_of_two_comes_first(answering: Answering) -> None:
    """Named APIs are ranked by the month."""
    text = "gpt-4o and claude sonnet cost for 100k requests a day"
    found = answering.answered(text, TERMINAL).figures
    assert isinstance(found, ApiBill)
    bills = [one.usd_per_month for one in found.options]
    assert 2 == len(bills)
    assert sorted(bills) == bills


@pytest.mark.parametrize(
    "text",
    [
        "can we run gpt-4o on 8 h100",
        "gpt-4o",
        "self-host gpt-4o on our own gpus",
        "gpt-4o cost for 1M requests a day vs llama 70b",
    ],
)
def test_gpus_and_open_models_are_another_question(
    answering: Answering, text: str
) -> None:
    """Without a load there is no bill, and with an open model it is weighed."""
    assert not isinstance(answering.answered(text, TERMINAL).figures, ApiBill)
