"""The price store: the few methods that the rest of the program sees of storage."""

import copy
from collections.abc import Callable
from datetime import UTC, datetime
from operator import attrgetter
from threading import Lock

from core.offers import Catalog, Offer
from core.wording import say
from prices.database.connection import (
    Connection,
    DatabaseError,
    Engine,
    OutdatedError,
    StoreError,
    reason,
)
from prices.database.tables import newer
from prices.history import catalogue, health
from prices.history import series as history
from prices.history.bulk import collector_paused
from prices.history.health import Polls, SourceStatus, StoreHealth, UnknownGpu
from prices.history.poll import ChangeSet, Poll
from prices.history.series import Event, PriceInterval, Wanted

SCHEMA_VERSION = 4
"""How many migrations there are; the schema version of an up-to-date database."""


AfterPoll = Callable[[Connection, ChangeSet], None]
"""What else happens in the transaction that writes a poll, such as queueing alerts."""


class Store:
    """Prices in one database; safe to share between threads.

    A connection lives for one unit of work, so nothing is tied to a thread.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        readonly: bool = False,
        after_poll: AfterPoll | None = None,
    ) -> None:
        self.engine = engine
        self.readonly = readonly
        self._after_poll = after_poll
        self._cached: dict[bool, Catalog] = {}
        self._latest: dict[str, tuple[Offer, ...]] = {}
        self._latest_version = ""
        self._cache_lock = Lock()

    @classmethod
    def open(
        cls,
        engine: Engine,
        *,
        readonly: bool = False,
        after_poll: AfterPoll | None = None,
    ) -> "Store":
        """Open a store, made first unless it is read-only.

        A file of an older version raises `OutdatedError`. One that is no store, that a
        newer version made, or that should be read and does not exist, raises
        `StoreError`.
        """
        store = cls(engine, readonly=readonly, after_poll=after_poll)
        version = store._checked_version()
        if version > SCHEMA_VERSION:
            raise StoreError(newer(store.engine, []))
        if readonly and version == 0:
            raise StoreError(say("database.no_store", place=engine))
        if readonly and version < SCHEMA_VERSION:
            raise StoreError(say("database.older_version", place=engine))
        if version < SCHEMA_VERSION:
            store._migrate(version)
        return store

    @property
    def schema_version(self) -> int:
        """How many migrations the file has been through; 0 where there is none."""
        if not self.engine.exists():
            return 0
        with self.engine.reading() as connection:
            return connection.schema_version()

    def record(self, poll: Poll) -> ChangeSet:
        """Write one poll, all or nothing, and say what it changed.

        A poll no newer than the last one of its source raises `OlderPollError`.
        """
        from prices.history import ingest  # whoever only reads writes nothing

        self._refuse_readonly()
        with self.engine.writing() as connection, collector_paused():
            changes = ingest.record(connection, poll)
            if self._after_poll is not None:
                self._after_poll(connection, changes)
            return changes

    def record_failure(self, source: str, at: datetime, error: str) -> None:
        """Note that a source could not be read; its prices stay and grow older."""
        from prices.history import ingest

        self._refuse_readonly()
        with self.engine.writing() as connection:
            ingest.record_failure(connection, source, at, error)

    def catalog(
        self, now: datetime, at: datetime | None = None, *, superseded: bool = False
    ) -> Catalog:
        """Return the offers that stand now, or stood at an instant.

        Offers of which another source knows a fresher price are left out unless
        `superseded` is asked for: see `catalogue.freshest`. What stands now is kept
        in memory until the next poll.
        """
        if at is not None and at < now:
            return self.as_of(at, superseded=superseded)
        with self._cache_lock, self.engine.reading() as connection, collector_paused():
            version = _data_version(connection)
            cached = self._cached.get(superseded)
            if cached is None or cached.version != version:
                found = catalogue.standing_offers(connection)
                kept = found if superseded else catalogue.freshest(found)
                cached = catalogue.catalog_of(kept, now, version)
                self._cached[superseded] = cached
        dated = copy.copy(cached)
        dated.as_of = now
        return dated

    def as_of(self, instant: datetime, *, superseded: bool = False) -> Catalog:
        """Return the offers that stood at a past instant."""
        with self.engine.reading() as connection, collector_paused():
            version = f"{_data_version(connection)}@{instant.isoformat()}"
            found = catalogue.offers_at(connection, instant)
        kept = found if superseded else catalogue.freshest(found)
        return catalogue.catalog_of(kept, instant, version)

    def latest(self, gpu: str) -> tuple[Offer, ...]:
        """Return the standing offers of one GPU from every source, cheapest first.

        They are kept in memory until the next poll.
        """
        with self._cache_lock, self.engine.reading() as connection:
            version = _data_version(connection)
            if version != self._latest_version:
                self._latest, self._latest_version = {}, version
            if gpu not in self._latest:
                found = catalogue.standing_of_gpu(connection, gpu)
                found.sort(key=attrgetter("micro_usd_per_gpu_hour"))
                self._latest[gpu] = tuple(found)
            return self._latest[gpu]

    def series(self, wanted: Wanted) -> list[PriceInterval]:
        """Return every price that the wanted offers had, by offer and by time."""
        with self.engine.reading() as connection, collector_paused():
            return history.series(connection, wanted)

    def events(self, since: datetime, until: datetime) -> list[Event]:
        """Return listings, changes and delistings after `since`, up to `until`."""
        with self.engine.reading() as connection, collector_paused():
            return history.events(connection, since, until)

    def sources(self) -> tuple[SourceStatus, ...]:
        """Return how fresh each source is."""
        with self.engine.reading() as connection:
            return health.sources(connection)

    def polls_since(self, since: datetime) -> dict[str, Polls]:
        """Return how many polls of each source succeeded, of how many."""
        with self.engine.reading() as connection:
            return health.polls_since(connection, since)

    def regularly_read(self) -> dict[str, datetime]:
        """Return when each source was last read that used to be read regularly."""
        with self.engine.reading() as connection:
            return health.regularly_read(connection)

    def last_successes(self) -> dict[str, datetime]:
        """Return when each source was last polled successfully."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                """
                SELECT name, max(at) FROM polls JOIN sources ON sources.id = source_id
                WHERE error IS NULL GROUP BY name
                """
            ).fetchall()
        return {name: datetime.fromtimestamp(last, UTC) for name, last in rows}

    def unknown_gpus(self) -> tuple[UnknownGpu, ...]:
        """Return the GPU names on offer that no table knows."""
        with self.engine.reading() as connection:
            return health.unknown_gpus(connection)

    def health(self) -> StoreHealth:
        """Return the state of the file and of what is in it."""
        with self.engine.reading() as connection:
            return health.health(connection, self.engine)

    def _checked_version(self) -> int:
        try:
            return self.schema_version
        except DatabaseError as fault:
            said = say(
                "database.unreadable_store", place=self.engine, reason=reason(fault)
            )
            raise StoreError(said) from fault

    def _refuse_readonly(self) -> None:
        if self.readonly:
            raise StoreError(say("database.read_only", place=self.engine))

    def _migrate(self, version: int) -> None:
        if version:
            raise OutdatedError(self.engine)
        # sqlite-utils takes longer to import than an answer; a file that is up to
        # date never needs it
        from prices.history.schema import migrate

        with self.engine.writing(create=True) as connection:
            migrate(connection)


def _data_version(connection: Connection) -> str:
    (last,) = connection.execute("SELECT max(id) FROM polls").fetchone()
    return f"poll-{last or 0}"
