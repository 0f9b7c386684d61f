"""How a followed price goes through a poll: its level, its chains, its sellers."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alerts.price_series import (
    INDEX_SCALE,
    Cause,
    Quote,
    Seller,
    Track,
    advance,
    advance_discount,
    start,
    turnout,
)
from core.offers import PricePoint

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = 86_400


def point(price: int, provider: str = "lambda") -> PricePoint:
    """Make an offer of one provider at micro-dollars."""
    return PricePoint(
        provider=provider,
        gpu="h100-80gb-sxm",
        gpu_count=1,
        pricing="on_demand",
        raw_total=price,
        micro_usd_per_gpu_hour=price,
        observed_at=NOON,
        source="feed",
        source_url="https://example.com",
    )


def quote(before: int | None, after: int | None, provider: str = "lambda") -> Quote:
    """Make what a poll did to one provider's offer."""
    cause: Cause = "changed"
    if before is None or after is None:
        cause = "listed" if before is None else "delisted"
    price = after if after is not None else before
    return Quote(point(price or 0, provider), cause, before, after)


def test_a_changed_price_moves_level_and_chains_alike() -> None:
    """One offer that got cheaper takes the level, the index and the drift along."""
    step = advance(start(point(200)), None, [quote(200, 180)])

    assert (180, 180 * INDEX_SCALE, -20) == (
        step.after.level,
        step.after.index,
        step.after.drift,
    )
    assert "changed" == step.cause


@pytest.mark.parametrize(
    ("unchanged", "quotes", "level", "cause"),
    [
        (point(200), [quote(None, 150, "vast")], 150, "listed"),
        (point(250, "aws"), [quote(200, None)], 250, "delisted"),
        (None, [quote(200, None)], None, "delisted"),
    ],
)
def test_comings_and_goings_move_the_level_alone(
    unchanged: PricePoint | None, quotes: list[Quote], level: int | None, cause: Cause
) -> None:
    """A newcomer or a sold-out offer is no price move: the chains stay."""
    step = advance(start(point(200)), unchanged, quotes)

    assert level == step.after.level
    assert cause == step.cause
    assert (200 * INDEX_SCALE, 0) == (step.after.index, step.after.drift)


def test_an_exchange_rate_moves_the_level_alone() -> None:
    """A price that is the same in its own currency did not move."""
    revalued = Quote(point(210), "revalued", 200, 210)

    step = advance(start(point(200)), None, [revalued])

    assert 210 == step.after.level
    assert 200 * INDEX_SCALE == step.after.index
    assert "revalued" == step.cause


def test_the_chain_compares_like_with_like() -> None:
    """With a newcomer in the same poll, only what stood before counts as a move."""
    step = advance(start(point(200)), None, [quote(200, 220), quote(None, 100, "vast")])

    assert 100 == step.after.level
    assert 220 * INDEX_SCALE == step.after.index
    assert step.moved is not None
    assert "lambda" == step.moved.provider


def test_nothing_of_a_poll_explains_a_displaced_source() -> None:
    """Where the cheapest offer was not touched, the new level has no cause."""
    step = advance(start(point(100)), point(200, "aws"), [quote(400, 300, "gcp")])

    assert 200 == step.after.level
    assert step.cause is None


def test_a_track_begins_when_something_is_on_offer() -> None:
    """The first offer of an empty market sets the chain; it is not a move."""
    step = advance(Track(), None, [quote(None, 300)])

    assert 300 * INDEX_SCALE == step.after.index
    assert "listed" == step.cause


@given(st.lists(st.integers(1, 10**8), min_size=2, max_size=20))
def test_the_chain_of_one_offer_is_its_price(prices: list[int]) -> None:
    """While one offer stands, index and drift are exactly its price, without drift."""
    track = start(point(prices[0]))
    for before, after in pairwise(prices):
        track = advance(track, None, [quote(before, after)]).after

    assert prices[-1] * INDEX_SCALE == track.index
    assert prices[-1] - prices[0] == track.drift


def test_a_discount_is_told_in_millionths() -> None:
    """Spot at 40 % of the on-demand price is 60 % off; without either it is unknown."""
    step = advance_discount(Track(), point(400), point(1000), touched=True)

    assert 600_000 == step.after.level
    assert (
        advance_discount(Track(), None, point(1000), touched=True).after.level is None
    )


@pytest.mark.parametrize(
    ("sellers", "selling", "listed", "delisted"),
    [
        ({}, {"vast"}, ("vast",), ()),
        ({"vast": Seller(0)}, {"vast"}, (), ()),
        ({"vast": Seller(0)}, set(), (), ("vast",)),
        ({"vast": Seller(9 * DAY, gone=True)}, {"vast"}, ("vast",), ()),
        ({"vast": Seller(9 * DAY + 1, gone=True)}, {"vast"}, (), ()),
        ({"vast": Seller(10 * DAY - 60)}, set(), (), ()),
    ],
)
def test_coming_and_going_within_a_day_is_no_news(
    sellers: dict[str, Seller],
    selling: set[str],
    listed: tuple[str, ...],
    delisted: tuple[str, ...],
) -> None:
    """An arrival counts after a day away, a departure after a day there."""
    found = turnout(sellers, frozenset(selling), 10 * DAY, quiet=False)

    assert (listed, delisted) == (found.listed, found.delisted)


def test_a_source_that_speaks_first_tells_of_no_arrival() -> None:
    """A feed that is switched on does not announce what was on sale for years."""
    found = turnout({}, frozenset({"vast"}), DAY, quiet=True)

    assert () == found.listed
    assert Seller(DAY) == found.sellers["vast"]
