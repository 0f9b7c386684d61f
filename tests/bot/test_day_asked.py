"""A question may name the day whose prices it is about."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.question.price_date import day_asked
from bot.run.composition import compose

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TERMINAL = AskContext(surface="terminal")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("price h100 as of april 2026", "2026-04-30"),
        ("70b 20rps as of 2026-04-30", "2026-04-30"),
        ("70b 20rps as of 2026-02", "2026-02-28"),
        ("h100 price as of 3rd of May, 2026", "2026-05-03"),
        ("h100 at the prices of Sep 4, 2026", "2026-09-04"),
        ("bill for 4x h100 with prices from 4 september 2026", "2026-09-04"),
        ("price h100 as of 2026-13-01", None),
        ("price h100 as of 31 feb 2026", None),
        ("price h100 as of today", None),
        ("70b until march 2026", None),
        ("reserved h100 may 2026", None),
    ],
)
def test_a_day_is_read_with_its_lead(text: str, day: str | None) -> None:
    """The end of the day, or of the month; other dates are no such day."""
    found = day_asked(text)

    assert day == (f"{found:%Y-%m-%d}" if found else None)


def test_the_prices_are_those_of_the_day(tmp_path: Path) -> None:
    """As with --at, and said; what is still to come is said too."""
    answering = compose(Settings(home=tmp_path), clock=lambda: NOW)
    question = "monthly bill for 4x h100 sxm lambda"
    asked = answering.ask(f"{question} as of april 2026", context=TERMINAL)
    flag = answering.answered(
        question, TERMINAL, datetime(2026, 4, 30, 23, 59, 59, tzinfo=UTC)
    )
    today = answering.ask(question, context=TERMINAL)
    future = answering.ask(f"{question} as of 2031-01-01", context=TERMINAL)

    assert flag.view.verdict == asked.verdict != today.verdict
    assert "Prices as they stood on 2026-04-30." == asked.notes[0]
    assert today.verdict == future.verdict
    assert "in the future" in future.notes[0]
