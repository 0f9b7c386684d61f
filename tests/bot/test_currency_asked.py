"""Answers in the currency that the words ask for, and what a budget is called."""

import pytest

from bot.service.answering import Answering
from tests.conftest import TERMINAL


@pytest.mark.parametrize(
    ("words", "sign"), [("in euros", "€"), ("in pounds", "£"), ("in CAD", "CAD ")]
)
def test_an_answer_comes_in_the_currency_asked_for(
    answering: Answering, words: str, sign: str
) -> None:
    """Every amount, at a dated rate, and the reason page too."""
    view = answering.ask(f"70b 10rps {words}", context=TERMINAL)
    why = answering.why(view.id, context=TERMINAL)

    assert f"{sign}" in view.verdict
    assert "$" not in view.verdict
    assert any("1 USD = " in line for line in view.small_print)
    assert any(sign in step for step in why.notes)


def test_a_budget_is_called_as_it_was_stated(answering: Answering) -> None:
    """Ten euros an hour are said so, not as dollars a month."""
    view = answering.ask("budget 10 eur an hour, 70b, how many rps", context=TERMINAL)

    assert view.verdict.startswith("For 10 EUR an hour ($11.17): ")
