"""How prices moved: intervals, lows and highs, and what happened to offers."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from heapq import heappop, heappush
from math import inf
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict

from core.offers import Offer, Pricing, Tier
from prices.database.connection import Connection
from prices.history.catalogue import Row, offers_of

EventKind = Literal["listed", "changed", "delisted"]


class Wanted(Struct, frozen=True):
    """Which offers to look at; None leaves a field open."""

    gpu: str
    provider: str | None = None
    pricing: Pricing | None = None
    region: str | None = None
    term_months: int | None = None
    tier: Tier | None = None
    source: str | None = None
    since: datetime | None = None
    until: datetime | None = None


class PriceInterval(Struct, frozen=True):
    """One price of one offer and the time for which it stood.

    `offer.observed_at` is when the price was last confirmed.
    """

    offer: Offer
    first_seen: datetime
    ended_at: datetime | None
    """The first poll that no longer did; None where it still stands."""
    delisted: bool
    """Whether it ended because the offer vanished."""


class Step(Struct, frozen=True):
    """From this instant on, the cheapest matching offer costs this; None: none."""

    at: datetime
    cheapest: Offer | None


class Event(Struct, frozen=True):
    """What happened to one offer; a listing or delisting is no price change."""

    kind: EventKind
    at: datetime
    offer: Offer
    """The offer from then on; for a delisting, as it last stood."""
    before: Offer | None = None


def series(connection: Connection, wanted: Wanted) -> list[PriceInterval]:
    """Return every interval of the wanted offers, by offer and by time."""
    ids = connection.dialect.numbers(":ids")
    rows = connection.execute(
        f"""
        SELECT * FROM past WHERE id IN {ids}
           AND ended_at > :since AND first_seen <= :until
        UNION ALL
        SELECT * FROM standing WHERE id IN {ids}
           AND first_seen <= :until
        ORDER BY id, first_seen
        """,  # noqa: S608 - made of constants
        _range(connection, wanted),
    )
    return _intervals(connection, rows.fetchall())


def events(connection: Connection, since: datetime, until: datetime) -> list[Event]:
    """Return what happened to offers after `since`, up to and including `until`."""
    rows = connection.execute(
        """
        SELECT * FROM past WHERE ended_at > :since
            AND id IN (SELECT offer_id FROM history WHERE ended_at > :since)
        UNION ALL SELECT * FROM standing WHERE first_seen > :since
        """,
        {"since": int(since.timestamp())},
    ).fetchall()
    found = list(zip(rows, _intervals(connection, rows), strict=True))
    ended = {(row[0], row[_ENDED_AT]): interval for row, interval in found}
    happened = [
        _started(interval, ended.get((row[0], row[_FIRST_SEEN])))
        for row, interval in found
    ]
    happened += [_delisted(interval) for _, interval in found if interval.delisted]
    within = [event for event in happened if since < event.at <= until]
    return sorted(within, key=lambda event: event.at)


def cheapest_over_time(intervals: Iterable[PriceInterval]) -> list[Step]:
    """Return the cheapest of several offers as a step line, for a chart."""
    waiting = sorted(intervals, key=lambda interval: interval.first_seen, reverse=True)
    edges = {interval.first_seen for interval in waiting}
    edges |= {interval.ended_at for interval in waiting if interval.ended_at}
    standing: list[tuple[int, int, PriceInterval]] = []
    steps: list[Step] = []
    for at in sorted(edges):
        while waiting and waiting[-1].first_seen <= at:
            found = waiting.pop()
            price = found.offer.micro_usd_per_gpu_hour
            heappush(standing, (price, len(waiting), found))
        while standing and _is_over(standing[0][2], at):
            heappop(standing)
        best = standing[0][2].offer if standing else None
        if not steps or _price(best) != _price(steps[-1].cheapest):
            steps.append(Step(at, best))
    return steps


_FIRST_SEEN, _ENDED_AT, _DELISTED = 14, 15, 16
"""Where the views `standing` and `past` hold an interval's bounds."""


def _intervals(connection: Connection, rows: list[Row]) -> list[PriceInterval]:
    return [
        PriceInterval(
            offer=offer,
            first_seen=datetime.fromtimestamp(row[_FIRST_SEEN], UTC),
            ended_at=row[_ENDED_AT] and datetime.fromtimestamp(row[_ENDED_AT], UTC),
            delisted=bool(row[_DELISTED]),
        )
        for row, offer in zip(rows, offers_of(connection, rows), strict=True)
    ]


def _started(interval: PriceInterval, before: PriceInterval | None) -> Event:
    if before is None or before.delisted:
        return Event("listed", interval.first_seen, interval.offer)
    return Event("changed", interval.first_seen, interval.offer, before.offer)


def _delisted(interval: PriceInterval) -> Event:
    at = interval.ended_at or interval.first_seen
    return Event("delisted", at, interval.offer, interval.offer)


def _is_over(interval: PriceInterval, at: datetime) -> bool:
    return interval.ended_at is not None and interval.ended_at <= at


def _range(connection: Connection, wanted: Wanted) -> dict[str, str | float]:
    """Return the wanted offers' numbers and the time as SQL parameters."""
    since, until = wanted.since, wanted.until
    return {
        "ids": json.dumps(_matching(connection, wanted)),
        "since": int(since.timestamp()) if since else -inf,
        "until": int(until.timestamp()) if until else inf,
    }


def _matching(connection: Connection, wanted: Wanted) -> list[int]:
    rows = connection.execute(
        """
        SELECT offers.id FROM offers
        JOIN words AS p ON p.id = provider_id JOIN words AS r ON r.id = region_id
        JOIN sources ON sources.id = source_id JOIN terms ON terms.id = terms_id
        WHERE gpu_id = (SELECT id FROM words WHERE word = :gpu)
          AND p.word = coalesce(:provider, p.word)
          AND r.word = coalesce(:region, r.word)
          AND sources.name = coalesce(:source, sources.name)
          AND pricing = coalesce(:pricing, pricing)
          AND term_months = coalesce(:term_months, term_months)
          AND tier = coalesce(:tier, tier)
        """,
        asdict(wanted),
    )
    return [offer_id for (offer_id,) in rows]


def _price(offer: Offer | None) -> int | None:
    return None if offer is None else offer.micro_usd_per_gpu_hour
