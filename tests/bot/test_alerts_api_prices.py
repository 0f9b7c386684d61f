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
from tests.bot.alerts import AlertHouse, checked, offers
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
def house(tmp_path: Path) -> AlertHouse:
    """A house that watches a break-even."""
    house = AlertHouse(tmp_path / "home")
    house.poll(*offers("2.50"))
    house.now += next(LATER)  # what was fetched at one moment is one edition
    api_updates.keep(house.settings.database, published(ENOUGH, 12.5), house.now)
    house.say(f"watch {QUESTION} 10%")
    house.later(DAY)
    assert [] == house.posts()
    return house


def test_an_api_that_gets_dearer_moves_a_watched_break_even(house: AlertHouse) -> None:
    """Told once, from which load to which; GPU prices stood where they were."""
    api_updates.keep(house.settings.database, published(ENOUGH, 25), house.now)
    house.later(DAY)

    (post,) = house.posts()
    assert "break-even" in checked(post).verdict.lower()
    assert "−" in post.verdict, "a dearer API is beaten at a lower load"

    house.later(DAY)
    assert 1 == len(house.posts())


def test_an_api_price_that_hardly_moves_is_no_news(house: AlertHouse) -> None:
    """Two per cent are less than the ten that were asked for."""
    api_updates.keep(house.settings.database, published(ENOUGH, 12.75), house.now)
    house.later(DAY)

    assert [] == house.posts()


def test_an_answer_of_other_api_prices_has_another_id(house: AlertHouse) -> None:
    """Its id freezes what it was computed from; the new one says what changed."""
    ask = house.service.answering.ask
    before = ask(QUESTION, context=SELF)
    api_updates.keep(house.settings.database, published(ENOUGH, 25), house.now)
    after = ask(QUESTION, context=SELF)

    assert before.id != after.id
    assert before.verdict != after.verdict
