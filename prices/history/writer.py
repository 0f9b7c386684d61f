"""What one poll writes: new offers, moved prices, ended ones, coverage."""

import json
from collections.abc import Collection, Mapping

from core.offers import Offer, PricePoint
from prices.database.connection import Connection
from prices.history import bulk
from prices.history.catalogue import offers_by_id
from prices.history.poll import ChangeSet, Poll, PriceChange
from prices.history.string_table import PLACE, Place, Places

Placed = tuple[int, PricePoint]
"""A point and the number of the offer that it prices."""


class Writer:
    """Hold what a poll changes until all of it is known, then write it at once."""

    def __init__(
        self,
        connection: Connection,
        poll: Poll,
        source_id: int,
        at: int,
        places: Places,
    ) -> None:
        self.new: list[tuple[Place, PricePoint]] = []
        self.back: list[Placed] = []
        self.moved: list[Placed] = []
        self.revalued: list[Placed] = []
        self.rebased: list[Placed] = []
        """Offers of which the source says more than before: another offer, no move."""
        self.restated: list[tuple[int, int]] = []
        """New facts, by number, of offers whose price stands."""
        self.confirmed: list[tuple[int]] = []
        self.same = 0
        self._gone: list[int] = []
        self._unconfirmed: list[tuple[int, int]] = []
        self._connection = connection
        self._poll = poll
        self._source_id = source_id
        self._at = at
        self._places = places
        self._last_covered: dict[int, int] = {}

    def miss(self, offer_id: int, provider: int, *, delist: bool) -> None:
        """Take a standing offer that the poll does not name."""
        if delist and self._poll.complete:
            self._gone.append(offer_id)
        else:
            self._unconfirmed.append((self._covered_before(provider), offer_id))

    def write(self, observed: dict[int, int]) -> ChangeSet:
        """Write what was collected and say what changed."""
        moved = self.moved + self.revalued
        ended = [offer_id for offer_id, _ in moved]
        gone = self._gone + [offer_id for offer_id, _ in self.rebased]
        before = offers_by_id(self._connection, gone + ended)
        self._close(ended, delisted=0)
        self._close(gone, delisted=1)
        self._open(moved + self.back + self.rebased)
        self._restate()
        self._insert_new()
        self._note_confirmations()
        self._note_coverage(observed)
        self._places.keep(self._connection)
        changes = self._changes(before)
        self._note_poll(changes)
        return changes

    def _changes(self, before: Mapping[int, Offer]) -> ChangeSet:
        placed = [*self.back, *self.moved, *self.revalued, *self.rebased]
        return ChangeSet(
            source=self._poll.source,
            observed_at=self._poll.observed_at,
            listed=tuple(point for _, point in (*self.new, *self.back, *self.rebased)),
            changed=tuple(PriceChange(before[i], point) for i, point in self.moved),
            revalued=tuple(PriceChange(before[i], point) for i, point in self.revalued),
            delisted=tuple(
                before[i] for i in (*self._gone, *(i for i, _ in self.rebased))
            ),
            same=self.same,
            duplicates=len(self._poll.points) - len(self.new) - len(placed) - self.same,
            unconfirmed=len(self._unconfirmed),
        )

    def _close(self, ended: Collection[int], *, delisted: int) -> None:
        """Move standing prices into history; each was last seen as its provider was."""
        numbers = {
            "ids": json.dumps(list(ended)),
            "source": self._source_id,
            "at": self._at,
            "delisted": delisted,
        }
        if not ended:
            return
        dialect = self._connection.dialect
        ids = dialect.numbers(":ids")
        self._connection.execute(
            f"""
            {dialect.insert} history
            SELECT id, first_seen, coalesce(confirmed_until, (
                       SELECT max(at) FROM coverage AS c
                       WHERE source_id = :source AND c.provider_id = offers.provider_id
                   )), :at, :delisted, micro_usd, raw_total, currency, url_id,
                   facts_id
            FROM offers WHERE id IN {ids}
            """,  # noqa: S608 - made of constants
            numbers,
        )
        if delisted:
            self._connection.execute(
                f"""
                UPDATE offers SET first_seen = NULL, micro_usd = NULL, raw_total = NULL,
                       currency = NULL, url_id = NULL, facts_id = NULL,
                       confirmed_until = NULL
                WHERE id IN {ids}
                """,  # noqa: S608 - made of constants
                numbers,
            )

    def _open(self, placed: list[Placed]) -> None:
        """Let new prices stand on known offers."""
        url, facts = self._places.words, self._places.facts_of
        self._connection.executemany(
            """
            UPDATE offers SET first_seen = ?, micro_usd = ?, raw_total = ?,
                   currency = ?, url_id = ?, facts_id = ?, confirmed_until = NULL
            WHERE id = ?
            """,
            [
                (
                    self._at,
                    point.micro_usd_per_gpu_hour,
                    str(point.raw_total),
                    point.currency,
                    url[point.source_url],
                    facts(point),
                    offer_id,
                )
                for offer_id, point in placed
            ],
        )

    def _insert_new(self) -> None:
        """Write offers that no poll of this source named before."""
        url, facts = self._places.words, self._places.facts_of
        rows = [
            (
                *place,
                point.micro_usd_per_gpu_hour,
                str(point.raw_total),
                point.currency,
                url[point.source_url],
                facts(point),
            )
            for place, point in self.new
        ]
        bulk.insert(
            self._connection,
            "offers",
            (*PLACE, "micro_usd", "raw_total", "currency", "url_id", "facts_id"),
            rows,
            source_id=self._source_id,
            first_seen=self._at,
        )

    def _restate(self) -> None:
        self._connection.executemany(
            "UPDATE offers SET facts_id = ? WHERE id = ?", self.restated
        )

    def _note_confirmations(self) -> None:
        self._connection.executemany(
            "UPDATE offers SET confirmed_until = NULL WHERE id = ?", self.confirmed
        )
        self._connection.executemany(
            """
            UPDATE offers SET confirmed_until = coalesce(confirmed_until, ?)
            WHERE id = ?
            """,
            self._unconfirmed,
        )

    def _note_coverage(self, observed: dict[int, int]) -> None:
        self._connection.executemany(
            "INSERT INTO coverage VALUES (?, ?, ?, ?)",
            [
                (self._source_id, provider, self._at, when)
                for provider, when in observed.items()
            ],
        )

    def _note_poll(self, changes: ChangeSet) -> None:
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
                len(self._poll.points) - changes.duplicates,
                len(changes.listed),
                len(changes.changed),
                len(changes.delisted),
            ),
        )

    def _covered_before(self, provider: int) -> int:
        """Return when a provider was last covered by a poll before this one."""
        if provider not in self._last_covered:
            (self._last_covered[provider],) = self._connection.execute(
                "SELECT max(at) FROM coverage WHERE source_id = ? AND provider_id = ?",
                (self._source_id, provider),
            ).fetchone()
        return self._last_covered[provider]
