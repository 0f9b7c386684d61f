"""The one price that watches of the same offers follow, through every poll.

A track has a level and two chains. The level is the cheapest price: it answers "is it
below $2?". The chains follow only offers that stood before and after a poll, so that a
cheaper offer that appears, a cheap one that sells out or a moving exchange rate is no
price move: `index` multiplies like-for-like ratios, `drift` adds like-for-like dollars.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.alerts.conditions import SETTLED
from core.offers import PricePoint

Cause = Literal["changed", "revalued", "listed", "delisted"]
INDEX_SCALE = 1_000_000
"""An index starts at the level times this; an integer keeps 8 % exactly 8 %."""


class Quote(Struct, frozen=True):
    """One offer that a poll touched; None: it was not, or is no longer, sold."""

    point: PricePoint
    """As it stands now, or as it last stood."""
    cause: Cause
    before: int | None
    after: int | None


class Track(Struct, frozen=True):
    """Where a followed price stands; None: nothing of it is on offer."""

    level: int | None = None
    index: int | None = None
    drift: int = 0
    cheapest: PricePoint | None = None


class Step(Struct, frozen=True):
    """A track across one poll."""

    before: Track
    after: Track
    cause: Cause | None
    """What of this poll explains the new level; None: nothing, as where a fresher
    source displaced another one, which is never told."""
    moved: PricePoint | None = None
    """The offer behind a like-for-like move, at its new price."""


def advance(
    track: Track, unchanged: PricePoint | None, quotes: Sequence[Quote]
) -> Step:
    """Follow the cheapest price from the offers that a poll touched.

    `unchanged` is the cheapest offer that it did not touch.
    """
    cheapest = _cheapest(unchanged, quotes)
    level = None if cheapest is None else cheapest.micro_usd_per_gpu_hour
    was, now, moved = _like_for_like(unchanged, quotes)
    index = track.index if was is None or now is None else _chained(track, was, now)
    if index is None and level is not None:
        index = level * INDEX_SCALE
    drift = track.drift + ((now or 0) - (was or 0) if was and now else 0)
    after = Track(level, index, drift, cheapest)
    return Step(track, after, _cause(track, after, quotes), moved)


def advance_discount(
    track: Track, spot: PricePoint | None, listed: PricePoint | None, touched: bool
) -> Step:
    """Follow how far spot lies below the on-demand price."""
    level = None
    if spot is not None and listed is not None:
        full = listed.micro_usd_per_gpu_hour
        level = round((full - spot.micro_usd_per_gpu_hour) * 1_000_000 / full)
    return Step(
        track, Track(level, None, 0, spot), "changed" if touched else None, spot
    )


def start(cheapest: PricePoint | None) -> Track:
    """Begin to follow a price where it stands."""
    return advance(Track(), cheapest, ()).after


def _cheapest(
    unchanged: PricePoint | None, quotes: Iterable[Quote]
) -> PricePoint | None:
    still_listed = [quote.point for quote in quotes if quote.after is not None]
    if unchanged is not None:
        still_listed.append(unchanged)
    return min(still_listed, key=_price, default=None)


def _price(point: PricePoint) -> int:
    return point.micro_usd_per_gpu_hour


def _like_for_like(
    unchanged: PricePoint | None, quotes: Iterable[Quote]
) -> tuple[int | None, int | None, PricePoint | None]:
    """Return the lowest price, before and after, of offers that stood throughout."""
    moved = [quote for quote in quotes if quote.cause == "changed"]
    was = [quote.before for quote in moved if quote.before is not None]
    now = [quote.point for quote in moved]
    if unchanged is not None:
        was.append(_price(unchanged))
        now.append(unchanged)
    if not was:
        return None, None, None
    lowest = min(now, key=_price)
    return min(was), _price(lowest), lowest


def _chained(track: Track, was: int, now: int) -> int | None:
    if track.index is None:
        return None
    return (track.index * now + was // 2) // was


def _cause(before: Track, after: Track, quotes: Iterable[Quote]) -> Cause | None:
    """Return what this poll did to the offer that made, or lost, the level."""
    if after.level == before.level:
        return None
    fell = before.level is None or (
        after.level is not None and after.level < before.level
    )
    key = _key(after.cheapest if fell else before.cheapest)
    return next((quote.cause for quote in quotes if quote.point.key == key), None)


def _key(point: PricePoint | None) -> object:
    return None if point is None else point.key


class Seller(Struct, frozen=True):
    """Since when a provider sells, or since when it no longer does; Unix seconds."""

    since: int
    gone: bool = False


class Turnout(Struct, frozen=True):
    """Who sells after a poll, and whose coming or going is news."""

    sellers: dict[str, Seller]
    listed: tuple[str, ...] = ()
    delisted: tuple[str, ...] = ()


def turnout(
    sellers: dict[str, Seller], selling: frozenset[str], at: int, *, quiet: bool
) -> Turnout:
    """Compare who sells with who sold; coming and going within a day is no news.

    `quiet`: a source that speaks for the first time tells of no arrival.
    """
    after = dict(sellers)
    came = [name for name in sorted(selling) if _came(sellers.get(name))]
    went = [
        name
        for name, seller in sorted(sellers.items())
        if not seller.gone and name not in selling
    ]
    after |= {name: Seller(at) for name in came}
    after |= {name: replace(sellers[name], since=at, gone=True) for name in went}
    return Turnout(
        after,
        tuple(n for n in came if not quiet and _long_ago(sellers.get(n), at)),
        tuple(n for n in went if _long_ago(sellers[n], at)),
    )


def _came(seller: Seller | None) -> bool:
    return seller is None or seller.gone


def _long_ago(seller: Seller | None, at: int) -> bool:
    return seller is None or at - seller.since >= SETTLED.total_seconds()
