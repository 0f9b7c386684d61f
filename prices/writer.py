"""What one poll writes: new offers, moved prices, ended ones, coverage."""

import sqlite3
from datetime import UTC, datetime
from decimal import Decimal
from typing import NamedTuple, cast

from core.offers import Includes, PricePoint, Pricing, Tier
from prices.poll import ChangeSet, Poll, PriceChange
from prices.words import Words

Key = tuple[int, int, int, int, int, str, int, int, str, str]
"""An offer within its source: the columns of `offers` from provider to includes."""


class Known(NamedTuple):
    """An offer that the store knows; `first_seen` is None where none stands."""

    offer_id: int
    first_seen: int | None
    micro_usd: int
    raw_total: str
    currency: str
    url_id: int
    confirmed_until: int | None


class Arrival(NamedTuple):
    """A point of the poll, the exact text of its total and its link's number."""

    point: PricePoint
    raw_total: str
    url_id: int


class Writer:
    """Collect what a poll changes, then write it in a few statements."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        poll: Poll,
        source_id: int,
        at: int,
        words: Words,
        last_covered: dict[int, int],
    ) -> None:
        self._connection = connection
        self._poll = poll
        self._source_id = source_id
        self._at = at
        self._words = words
        self._last_covered = last_covered
        (last_id,) = connection.execute("SELECT max(id) FROM offers").fetchone()
        self._next_id: int = (last_id or 0) + 1
        self._offers: list[tuple[int | str, ...]] = []
        self._standing: list[tuple[int | str, ...]] = []
        self._ended: list[tuple[int | str, ...]] = []
        self._gone: list[tuple[int]] = []
        self._confirmed: list[tuple[int]] = []
        self._unconfirmed: list[tuple[int, int]] = []
        self._listed: list[PricePoint] = []
        self._changed: list[PriceChange] = []
        self._revalued: list[PriceChange] = []
        self._delisted: list[PricePoint] = []
        self._same = 0

    def arrive(self, key: Key, arrival: Arrival, row: Known | None) -> None:
        """Take one point of the poll: new, back again, moved or the same."""
        if row is None or row.first_seen is None:
            self._list(key, arrival, row)
        elif not _moved(arrival, row):
            self._same += 1
            if row.confirmed_until is not None:
                self._confirmed.append((row.offer_id,))
        else:
            self._move(key, arrival, row)

    def miss(self, key: Key, row: Known, *, held: bool) -> None:
        """Take one standing offer that the poll does not name."""
        if self._poll.complete and not held:
            self._end(key, row, delisted=True)
            self._gone.append((row.offer_id,))
            self._delisted.append(self._point(key, row))
            return
        if row.confirmed_until is None:
            self._unconfirmed.append((self._last_covered[key[0]], row.offer_id))
        else:
            self._unconfirmed.append((row.confirmed_until, row.offer_id))

    def write(self, observed: dict[int, int]) -> ChangeSet:
        """Write everything collected and return what changed."""
        self._words.keep()
        many = self._connection.executemany
        many("INSERT INTO offers VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", self._offers)
        many("INSERT INTO history VALUES (?,?,?,?,?,?,?,?,?)", self._ended)
        many("DELETE FROM standing WHERE offer_id = ?", self._gone)
        many(
            "INSERT OR REPLACE INTO standing VALUES (?,?,?,?,?,?, NULL)",
            self._standing,
        )
        many(
            "UPDATE standing SET confirmed_until = NULL WHERE offer_id = ?",
            self._confirmed,
        )
        many(
            "UPDATE standing SET confirmed_until = ? WHERE offer_id = ?",
            self._unconfirmed,
        )
        many(
            "INSERT INTO coverage VALUES (?, ?, ?, ?)",
            [
                (self._source_id, provider, self._at, when)
                for provider, when in observed.items()
            ],
        )
        return self._noted()

    def _noted(self) -> ChangeSet:
        named = self._same + len(self._standing)
        self._connection.execute(
            """
            INSERT INTO polls
                (source_id, at, version, points, listed, changed, delisted)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            (
                self._source_id,
                self._at,
                self._poll.version,
                named,
                len(self._listed),
                len(self._changed),
                len(self._delisted),
            ),
        )
        return ChangeSet(
            source=self._poll.source,
            observed_at=self._poll.observed_at,
            listed=tuple(self._listed),
            changed=tuple(self._changed),
            revalued=tuple(self._revalued),
            delisted=tuple(self._delisted),
            same=self._same,
            duplicates=len(self._poll.points) - named,
            unconfirmed=len(self._unconfirmed),
        )

    def _list(self, key: Key, arrival: Arrival, row: Known | None) -> None:
        if row is None:
            offer_id = self._next_id
            self._next_id += 1
            self._offers.append((offer_id, self._source_id, *key))
        else:
            offer_id = row.offer_id
        self._stand(offer_id, arrival)
        self._listed.append(arrival.point)

    def _move(self, key: Key, arrival: Arrival, row: Known) -> None:
        self._end(key, row, delisted=False)
        self._stand(row.offer_id, arrival)
        change = PriceChange(self._point(key, row), arrival.point)
        moved = self._revalued if _same_as_published(arrival, row) else self._changed
        moved.append(change)

    def _stand(self, offer_id: int, arrival: Arrival) -> None:
        point = arrival.point
        self._standing.append(
            (
                offer_id,
                self._at,
                point.micro_usd_per_gpu_hour,
                arrival.raw_total,
                point.currency,
                arrival.url_id,
            )
        )

    def _end(self, key: Key, row: Known, *, delisted: bool) -> None:
        first_seen = cast(int, row.first_seen)
        self._ended.append(
            (
                row.offer_id,
                first_seen,
                self._last_seen(key, row),
                self._at,
                delisted,
                row.micro_usd,
                row.raw_total,
                row.currency,
                row.url_id,
            )
        )

    def _last_seen(self, key: Key, row: Known) -> int:
        return row.confirmed_until or self._last_covered[key[0]]

    def _point(self, key: Key, row: Known) -> PricePoint:
        """Return the point that stood, as it was last confirmed."""
        provider, gpu, count, instance, region, pricing, term, upfront, *rest = key
        word = self._words.by_id()
        return PricePoint(
            provider=word[provider],
            gpu=word[gpu],
            gpu_count=count,
            instance=word[instance],
            region=word[region],
            pricing=cast(Pricing, pricing),
            term_months=term,
            upfront=bool(upfront),
            tier=cast(Tier, rest[0]),
            includes=cast(Includes, rest[1]),
            raw_total=Decimal(row.raw_total),
            currency=row.currency,
            micro_usd_per_gpu_hour=row.micro_usd,
            observed_at=datetime.fromtimestamp(self._last_seen(key, row), UTC),
            source=self._poll.source,
            source_url=word[row.url_id],
        )


def _moved(arrival: Arrival, row: Known) -> bool:
    same_usd = arrival.point.micro_usd_per_gpu_hour == row.micro_usd
    return not (same_usd and _same_as_published(arrival, row))


def _same_as_published(arrival: Arrival, row: Known) -> bool:
    """Tell whether the price in its own currency is what it was.

    A dollar price is compared in micro-dollars per GPU-hour, so that digits beyond
    them are no change; another currency by its total, whatever the exchange rate.
    """
    point = arrival.point
    if point.currency != row.currency:
        return False
    if row.currency == "USD":
        return point.micro_usd_per_gpu_hour == row.micro_usd
    return arrival.raw_total == row.raw_total or (
        point.raw_total == Decimal(row.raw_total)
    )
