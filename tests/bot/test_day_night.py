"""Live by day and a pile at night: one fleet for both, or each apart."""

import pytest

from bot.language.parse import parse
from bot.service.answering import Answering
from core.answers.day_night import DayNight, recommend_day_night
from core.jobs.recommend import Shop
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved
from tests.conftest import ASKED_ON, COMMAND


def weighed(answering: Answering, text: str) -> DayNight:
    """What is found for a question, before it is drawn."""
    query: Query = parse(text)
    shop = Shop(answering.catalog(COMMAND), reference(), ASKED_ON)
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


def test_a_pile_that_fits_the_night_costs_nothing_more(answering: Answering) -> None:
    """A thousand documents are done on the day's fleet."""
    found = weighed(answering, "8b chat 10 rps by day and 1000 documents at night")

    assert found.fleet is not None
    assert found.carries
    assert found.fleet.usd_per_month == found.together_per_month


def test_a_pile_beyond_the_night_is_done_apart(answering: Answering) -> None:
    """A hundred million are not, and how many are is said."""
    asked = "8b chat 10 rps by day and 100M documents at night"
    found = weighed(answering, asked)
    view = answering.ask(asked, context=COMMAND)

    assert found.together_per_month is None
    assert found.split_per_month is not None
    assert view.verdict.startswith("Use separate GPUs: ")
    assert "of 100M by morning" in view.verdict


def test_by_day_alone_is_its_share_of_the_clock(answering: Answering) -> None:
    """Eight office hours are a third of the fleet's month."""
    asked = "8b chat 10 rps during office hours, 1M documents at night"
    found = weighed(answering, asked)

    assert 8 == found.day_hours
    assert found.fleet is not None
    assert found.day_per_month is not None
    assert found.fleet.usd_per_month == 3 * found.day_per_month


def test_without_a_pile_it_is_said_how_much_a_night_does(answering: Answering) -> None:
    """Nobody makes an amount up."""
    view = answering.ask("70b chat by day and batch at night", context=COMMAND)

    assert "At night they do up to" in view.verdict
    assert "requests_total" not in {chip.field for chip in view.chips}


def test_twice_the_fleet_does_about_twice_the_night(answering: Answering) -> None:
    """A night's work grows with what serves by day."""
    one, two = (
        weighed(answering, f"70b chat {rps} rps by day and batch at night")
        for rps in (20, 40)
    )

    assert one.requests_a_night is not None
    assert two.requests_a_night is not None
    assert one.requests_a_night < two.requests_a_night
