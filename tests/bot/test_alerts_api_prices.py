"""A watched break-even hears of API prices, though no GPU's price has moved."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from genai_prices.data import providers
from genai_prices.data_snapshot import set_custom_snapshot

from bot.question.asking import AskContext
from prices.sources import api_updates
from tests.bot.alerts import AlertHarness, checked, offers
from tests.prices.test_api_updates import published

DAY = timedelta(days=1)
LATER = (timedelta(minutes=minute) for minute in count(1))
ENOUGH = sum(len(provider.models) for provider in providers)
QUESTION = "self host 70b vs gpt-4o"
SELF = AskContext(surface="command", team_id="T1", channel_id="C1", user_id="UANN00001")


@pytest.fixture(autouse=True)
def packaged() -> Iterator[None]:
    """Leave every test with the package's own data."""
    set_custom_snapshot(None)
    yield
    set_custom_snapshot(None)


@pytest.fixture
def harness(tmp_path: Path) -> AlertHarness:
    """A harness that watches a break-even."""
    harness = AlertHarness(tmp_path / "home")
    harness.poll(*offers("2.50"))
    harness.now += next(LATER)  # what was fetched at one moment is one edition
    api_updates.keep(harness.settings.database, published(ENOUGH, 12.5), harness.now)
    harness.say(f"watch {QUESTION} 10%")
    harness.later(DAY)
    assert [] == harness.posts()
    return harness


def test_an_api_that_gets_dearer_moves_a_watched_break_even(
    harness: AlertHarness,
) -> None:
    """Told once, from which load to which; GPU prices stood where they were."""
    api_updates.keep(harness.settings.database, published(ENOUGH, 25), harness.now)
    harness.later(DAY)

    (post,) = harness.posts()
    assert "break-even" in checked(post).verdict.lower()
    assert "−" in post.verdict, "a dearer API is beaten at a lower load"

    harness.later(DAY)
    assert 1 == len(harness.posts())


def test_an_api_price_that_hardly_moves_is_no_news(harness: AlertHarness) -> None:
    """Two per cent are less than the ten that were asked for."""
    api_updates.keep(harness.settings.database, published(ENOUGH, 12.75), harness.now)
    harness.later(DAY)

    assert [] == harness.posts()


def test_an_answer_of_other_api_prices_has_another_id(harness: AlertHarness) -> None:
    """Its id freezes what it was computed from; the new one says what changed."""
    ask = harness.service.answering.ask
    before = ask(QUESTION, context=SELF)
    api_updates.keep(harness.settings.database, published(ENOUGH, 25), harness.now)
    after = ask(QUESTION, context=SELF)

    assert before.id != after.id
    assert before.verdict != after.verdict
