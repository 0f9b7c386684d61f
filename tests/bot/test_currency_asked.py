"""Answers in the currency that the words ask for, and what a budget is called."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.service.answering import Answering

NOW = datetime(2026, 11, 21, tzinfo=UTC)
TERMINAL = AskContext(surface="terminal")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    """A desk with the shipped prices and rates."""
    home: Path = tmp_path_factory.mktemp("home")
    return compose(Settings(home=home), clock=lambda: NOW)


@pytest.mark.parametrize(
    ("words", "sign"), [("in euros", "€"), ("in pounds", "£"), ("in CAD", "CAD ")]
)
def test_an_answer_comes_in_the_currency_asked_for(
    desk: Answering, words: str, sign: str
) -> None:
    """Every amount, at a dated rate, and the reason page too."""
    view = desk.ask(f"70b 10rps {words}", context=TERMINAL)
    why = desk.why(view.id, context=TERMINAL)

    assert f"{sign}" in view.verdict
    assert "$" not in view.verdict
    assert any("1 USD = " in line for line in view.small_print)
    assert any(sign in step for step in why.notes)


def test_a_budget_is_called_as_it_was_stated(desk: Answering) -> None:
    """Ten euros an hour are said so, not as dollars a month."""
    view = desk.ask("budget 10 eur an hour, 70b, how many rps", context=TERMINAL)

    assert view.verdict.startswith("For 10 EUR an hour ($11.17): ")
