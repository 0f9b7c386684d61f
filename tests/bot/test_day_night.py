"""Live by day and a pile at night: one fleet for both, or each apart."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.service.answering import Answering
from core.answers.day_night import DayNight, recommend_day_night
from core.jobs.recommend import Shop
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved

CONTEXT = AskContext(surface="command", team_id="T1")
ASKED_ON = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    """A desk with the shipped prices."""
    home: Path = tmp_path_factory.mktemp("home")
    return compose(Settings(home=home), clock=lambda: ASKED_ON)


def weighed(desk: Answering, text: str) -> DayNight:
    """What is found for a question, before it is drawn."""
    query: Query = parse(text)
    shop = Shop(desk.catalog(CONTEXT), reference(), ASKED_ON)
    found = recommend_day_night(query, defaults(), shop)
    assert not isinstance(found, Unresolved), found
    return found


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("70b chat by day and batch at night", True),
        ("8b chat 10 rps by day and 1M documents at night", True),
        ("interactive by day, offline scoring by night, llama 70b", True),
        ("70b serve 20 rps by day, fine-tune at night", None),
        ("8b 1M documents overnight", None),
        ("8b chat 10 rps, 12 hours a day", None),
    ],
)
def test_day_and_night_are_two_kinds_of_work(text: str, both: bool | None) -> None:
    """Training at night is a run; a pile alone is a batch."""
    query = parse(text)

    assert both == query.day_and_night
    assert query.clarify is None
    assert not both or "mixed" == query.kind


def test_a_pile_that_fits_the_night_costs_nothing_more(desk: Answering) -> None:
    """A thousand documents are done on the day's fleet."""
    found = weighed(desk, "8b chat 10 rps by day and 1000 documents at night")

    assert found.fleet is not None
    assert found.carries
    assert found.fleet.usd_per_month == found.together_per_month


def test_a_pile_beyond_the_night_is_done_apart(desk: Answering) -> None:
    """A hundred million are not, and how many are is said."""
    asked = "8b chat 10 rps by day and 100M documents at night"
    found = weighed(desk, asked)
    view = desk.ask(asked, context=CONTEXT)

    assert found.together_per_month is None
    assert found.split_per_month is not None
    assert view.verdict.startswith("Use separate GPUs: ")
    assert "of 100M by morning" in view.verdict


def test_by_day_alone_is_its_share_of_the_clock(desk: Answering) -> None:
    """Eight office hours are a third of the fleet's month."""
    asked = "8b chat 10 rps during office hours, 1M documents at night"
    found = weighed(desk, asked)

    assert 8 == found.day_hours
    assert found.fleet is not None
    assert found.day_per_month is not None
    assert found.fleet.usd_per_month == 3 * found.day_per_month


def test_without_a_pile_it_is_said_how_much_a_night_does(desk: Answering) -> None:
    """Nobody makes an amount up."""
    view = desk.ask("70b chat by day and batch at night", context=CONTEXT)

    assert "At night they do up to" in view.verdict
    assert "requests_total" not in {chip.field for chip in view.chips}


def test_twice_the_fleet_does_about_twice_the_night(desk: Answering) -> None:
    """A night's work grows with what serves by day."""
    one, two = (
        weighed(desk, f"70b chat {rps} rps by day and batch at night")
        for rps in (20, 40)
    )

    assert one.requests_a_night is not None
    assert two.requests_a_night is not None
    assert one.requests_a_night < two.requests_a_night
