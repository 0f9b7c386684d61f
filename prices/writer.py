"""What one poll writes: new offers, moved prices, ended ones, coverage."""

import sqlite3
from collections.abc import Iterable, Mapping
from itertools import count

from core.offers import Offer, PricePoint
from prices.catalogue import offers_by_id
from prices.poll import ChangeSet, Poll, PriceChange
from prices.words import TermsBook, Words, terms_of

Placed = tuple[int, PricePoint]
"""A point and the number of the offer that it prices."""


class Writer:
    """Hold what a poll changes until all of it is known, then write it at once."""

    def __init__(
        self, connection: sqlite3.Connection, poll: Poll, source_id: int, at: int
    ) -> None:
        self.new: list[PricePoint] = []
        self.back: list[Placed] = []
        self.moved: list[Placed] = []
        self.revalued: list[Placed] = []
        self.confirmed: list[tuple[int]] = []
        self.same = 0
        self._gone: list[int] = []
        self._unconfirmed: list[tuple[int, int]] = []
        self._connection = connection
        self._poll = poll
        self._source_id = source_id
        self._at = at
        self._words = Words(connection)
        self._last_covered: dict[str, int] = {}

    def miss(self, offer_id: int, provider: str, *, delist: bool) -> None:
        """Take a standing offer that the poll does not name."""
        if delist and self._poll.complete:
            self._gone.append(offer_id)
        else:
            self._unconfirmed.append((self._covered_before(provider), offer_id))

    def write(self, observed: dict[str, int]) -> ChangeSet:
        """Write what was collected and say what changed."""
        moved = self.moved + self.revalued
        before = offers_by_id(self._connection, [*self._gone, *(i for i, _ in moved)])
        self._close(((i, before[i].provider) for i, _ in moved), delisted=0)
        self._close(((i, before[i].provider) for i in self._gone), delisted=1)
        self._open(moved + self.back)
        self._insert_new()
        self._note_confirmations()
        self._note_coverage(observed)
        self._words.keep(self._connection)
        changes = self._changes(before)
        self._note_poll(changes)
        return changes

    def _changes(self, before: Mapping[int, Offer]) -> ChangeSet:
        placed = [*self.back, *self.moved, *self.revalued]
        return ChangeSet(
            source=self._poll.source,
            observed_at=self._poll.observed_at,
            listed=(*self.new, *(point for _, point in self.back)),
            changed=tuple(PriceChange(before[i], point) for i, point in self.moved),
            revalued=tuple(PriceChange(before[i], point) for i, point in self.revalued),
            delisted=tuple(before[i] for i in self._gone),
            same=self.same,
            duplicates=len(self._poll.points) - len(self.new) - len(placed) - self.same,
            unconfirmed=len(self._unconfirmed),
        )

    def _close(self, ended: Iterable[tuple[int, str]], *, delisted: int) -> None:
        """Move standing prices into history."""
        rows = [
            (self._covered_before(provider), self._at, delisted, offer_id)
            for offer_id, provider in ended
        ]
        self._connection.executemany(
            """
            INSERT INTO history
            SELECT id, first_seen, coalesce(confirmed_until, ?), ?, ?,
                   micro_usd, raw_total, currency, url_id
            FROM offers WHERE id = ?
            """,
            rows,
        )
        if delisted:
            self._connection.executemany(
                """
                UPDATE offers SET first_seen = NULL, micro_usd = NULL, raw_total = NULL,
                       currency = NULL, url_id = NULL, confirmed_until = NULL
                WHERE id = ?
                """,
                [(row[-1],) for row in rows],
            )

    def _open(self, placed: list[Placed]) -> None:
        """Let new prices stand on known offers."""
        self._connection.executemany(
            """
            UPDATE offers SET first_seen = ?, micro_usd = ?, raw_total = ?,
                   currency = ?, url_id = ?, confirmed_until = NULL
            WHERE id = ?
            """,
            [
                (
                    self._at,
                    point.micro_usd_per_gpu_hour,
                    str(point.raw_total),
                    point.currency,
                    self._words[point.source_url],
                    offer_id,
                )
                for offer_id, point in placed
            ],
        )

    def _insert_new(self) -> None:
        """Write offers that no poll of this source named before."""
        (last,) = self._connection.execute("SELECT max(id) FROM offers").fetchone()
        word, terms = self._words, TermsBook(self._connection)
        rows = [
            (
                offer_id,
                self._source_id,
                word[point.provider],
                word[point.gpu],
                point.gpu_count,
                word[point.instance],
                word[point.region],
                terms[terms_of(point)],
                self._at,
                point.micro_usd_per_gpu_hour,
                str(point.raw_total),
                point.currency,
                word[point.source_url],
            )
            for offer_id, point in zip(count((last or 0) + 1), self.new, strict=False)
        ]
        terms.keep(self._connection)
        self._connection.executemany(
            "INSERT INTO offers VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,NULL)", rows
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

    def _note_coverage(self, observed: dict[str, int]) -> None:
        self._connection.executemany(
            "INSERT INTO coverage VALUES (?, ?, ?, ?)",
            [
                (self._source_id, self._words[provider], self._at, when)
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

    def _covered_before(self, provider: str) -> int:
        """Return when a provider was last covered by a poll before this one."""
        if provider not in self._last_covered:
            (self._last_covered[provider],) = self._connection.execute(
                "SELECT max(at) FROM coverage WHERE source_id = ? AND provider_id = ?",
                (self._source_id, self._words[provider]),
            ).fetchone()
        return self._last_covered[provider]
