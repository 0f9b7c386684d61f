"""A price of a GPU-hour that a question states stands in for those on offer."""

import pytest

from bot.answers.shared.json import figures
from bot.language.conversation import apply
from bot.language.parse import parse
from bot.service.answering import Answering
from tests.conftest import COMMAND


@pytest.mark.parametrize(
    ("text", "prices"),
    [
        ("h100 at $2.20/h: 70b 20 rps", (("h100", 2.2),)),
        ("h100 at 2.20 an hour, 70% utilised: $ per 1M tokens for 70b",
         (("h100", 2.2),)),
        ("8 h100s @ $2.49/hr, monthly bill", (("h100", 2.49),)),
        ("h100 at $2.2/h vs h200 at $3.1/h, 70b 20 rps",
         (("h100", 2.2), ("h200", 3.1))),
        ("buying 16 h100 at $27k vs renting at $2.20", (("h100", 2.2),)),
    ],
)  # fmt: skip
def test_a_price_of_theirs_is_no_budget(
    text: str, prices: tuple[tuple[str, float], ...]
) -> None:
    """What stands behind "at", per hour, is what one GPU costs."""
    query = parse(text)

    assert prices == query.gpu_prices
    assert query.budget_amount is None


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("70b on h100 under $20/h", 20),
        ("8x h100 for $20/h", 20),
        ("70b 20 rps on h100, budget $15/h", 15),
    ],
)
def test_a_limit_stays_a_budget(text: str, budget: float) -> None:
    """Under, for, and the word itself."""
    query = parse(text)

    assert (budget, None) == (query.budget_amount, query.gpu_prices)


def test_a_watched_price_is_no_price_of_theirs() -> None:
    """An alert names the price to come."""
    assert parse("alert me when h100 at $2/h").gpu_prices is None


def test_the_answer_is_computed_with_it(answering: Answering) -> None:
    """So many GPUs at $2.20 for 720 hours."""
    found = figures(answering.answered("h100 at $2.20/h: 70b 20 rps", COMMAND))
    best = found["recommendation"]

    assert best["count"] * 2.2 * 720 == pytest.approx(best["usd_per_month"])


def test_each_gpu_has_its_own(answering: Answering) -> None:
    """Two prices, one comparison."""
    asked = "h100 at $2.2/h vs h200 at $3.1/h, 70b 20 rps"
    table = answering.ask(asked, context=COMMAND).table

    assert table is not None
    assert {2.2, 3.1} == {row[2].value for row in table.rows}


def test_a_thread_keeps_it() -> None:
    """ "and at 40 rps?" is still paid at that price."""
    second = apply(parse("h100 at $2.20/h: 70b 20 rps"), "and at 40 rps?")

    assert second is not None
    assert (("h100", 2.2),) == second.gpu_prices
