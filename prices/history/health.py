"""How the store is: how fresh each source, how large the file, what has no name."""

from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct, field

from prices.database.connection import Connection, Engine
from prices.naming.gpu_names import could_be, known_ids

REGULAR = timedelta(days=30)
REGULAR_POLLS = 3


class SourceStatus(Struct, frozen=True):
    """How fresh one source is."""

    name: str
    last_success: datetime | None
    observed_at: datetime | None
    """The oldest of what its providers last said; ages count from here."""
    version: str
    last_failure: datetime | None
    error: str
    """Why the last poll failed; empty once a poll succeeded again."""
    offers: int
    attribution: str
    providers: dict[str, datetime] = field(default_factory=dict)
    """When each provider's prices were last observed."""


class Polls(Struct, frozen=True):
    """How the polls of one source went since some day."""

    good: int
    all: int


class UnknownGpu(Struct, frozen=True):
    """A GPU that no table knows, as one source names it."""

    name: str
    source: str
    offers: int
    could_be: tuple[str, ...]
    """The GPUs that the name leaves open where only the form factor is unsaid."""


class StoreHealth(Struct, frozen=True):
    """What `gpucost doctor` says of the price store."""

    place: str
    size_bytes: int
    schema_version: int
    journal_mode: str
    damage: tuple[str, ...]
    """What the engine's own check finds wrong; empty where the file is whole."""
    offers: int
    past_prices: int
    sources: tuple[SourceStatus, ...]
    unknown_gpus: tuple[UnknownGpu, ...]


def sources(connection: Connection) -> tuple[SourceStatus, ...]:
    """Return every source by name."""
    rows = connection.execute("SELECT id, name, attribution FROM sources ORDER BY name")
    return tuple(_source(connection, *row) for row in rows.fetchall())


def last_polled(engine: Engine) -> datetime | None:
    """Return when a feed was last read, None where nothing ever was."""
    if not engine.exists():
        return None
    with engine.reading() as connection:
        row = connection.execute(
            """
            SELECT max(at) FROM polls WHERE error IS NULL AND source_id IN
                (SELECT source_id FROM coverage)
            """
        ).fetchone()
    return datetime.fromtimestamp(row[0]).astimezone() if row and row[0] else None


def polls_since(connection: Connection, since: datetime) -> dict[str, Polls]:
    """Return how many polls of each source succeeded, of how many."""
    rows = connection.execute(
        """
        SELECT name, count(*) FILTER (WHERE error IS NULL), count(*) FROM polls
        JOIN sources ON sources.id = source_id WHERE at > ? GROUP BY name
        """,
        (int(since.timestamp()),),
    )
    return {name: Polls(good, all_) for name, good, all_ in rows}


def regularly_read(connection: Connection) -> dict[str, datetime]:
    """Return when each source was last read that used to be read regularly.

    What was read a few times, such as a file that somebody loaded, cannot stop.
    """
    rows = connection.execute(
        """
        SELECT name, last FROM (
            SELECT id, name, (
                SELECT max(at) FROM polls WHERE source_id = sources.id AND error IS NULL
            ) AS last FROM sources
        ) AS read WHERE (
            SELECT count(*) FROM polls WHERE source_id = read.id AND error IS NULL
            AND at BETWEEN last - ? AND last
        ) >= ?
        """,
        (int(REGULAR.total_seconds()), REGULAR_POLLS),
    )
    return {name: datetime.fromtimestamp(last, UTC) for name, last in rows}


def unknown_gpus(connection: Connection) -> tuple[UnknownGpu, ...]:
    """Return the standing offers' GPU names that are no `GpuSpec.id`."""
    rows = connection.execute(
        """
        SELECT word, name, count(*) FROM standing
        JOIN words ON words.id = gpu_id JOIN sources ON sources.id = source_id
        GROUP BY word, name ORDER BY word, name
        """
    )
    return tuple(
        UnknownGpu(name, source, offers, could_be(name))
        for name, source, offers in rows
        if name not in known_ids()
    )


def health(connection: Connection, engine: Engine) -> StoreHealth:
    """Return the state of the store that a connection reads."""
    return StoreHealth(
        place=str(engine),
        size_bytes=engine.size_bytes(),
        schema_version=connection.schema_version(),
        journal_mode=connection.log_kind(),
        damage=tuple(connection.damage()),
        offers=_one(connection, "SELECT count(*) FROM standing"),
        past_prices=_one(connection, "SELECT count(*) FROM history"),
        sources=sources(connection),
        unknown_gpus=unknown_gpus(connection),
    )


def _source(
    connection: Connection, source_id: int, name: str, attribution: str
) -> SourceStatus:
    good_at, version, _ = _last_poll(connection, source_id, failed=False)
    bad_at, _, error = _last_poll(connection, source_id, failed=True)
    providers = _providers(connection, source_id)
    recovered = good_at is not None and bad_at is not None and good_at >= bad_at
    return SourceStatus(
        name=name,
        last_success=good_at,
        observed_at=min(providers.values(), default=None),
        version=version,
        last_failure=bad_at,
        error="" if recovered else error,
        offers=_one(
            connection, "SELECT count(*) FROM standing WHERE source_id = ?", source_id
        ),
        attribution=attribution,
        providers=providers,
    )


def _last_poll(
    connection: Connection, source_id: int, *, failed: bool
) -> tuple[datetime | None, str, str]:
    found = connection.execute(
        """
        SELECT at, version, coalesce(error, '') FROM polls
        WHERE source_id = ? AND CASE WHEN error IS NULL THEN 0 ELSE 1 END = ?
        ORDER BY at DESC LIMIT 1
        """,
        (source_id, failed),
    ).fetchone()
    if found is None:
        return None, "", ""
    at, version, error = found
    return datetime.fromtimestamp(at, UTC), version, error


def _providers(connection: Connection, source_id: int) -> dict[str, datetime]:
    """Return when each provider that a source still sells was last observed."""
    rows = connection.execute(
        """
        SELECT word, (
            SELECT observed_at FROM coverage
            WHERE coverage.source_id = ?1 AND coverage.provider_id = sold.provider_id
            ORDER BY at DESC LIMIT 1
        )
        FROM (SELECT DISTINCT provider_id FROM standing WHERE source_id = ?1) AS sold
        JOIN words ON words.id = sold.provider_id ORDER BY word
        """,
        (source_id,),
    )
    return {name: datetime.fromtimestamp(at, UTC) for name, at in rows}


def _one(connection: Connection, sql: str, *values: int) -> Any:
    return connection.execute(sql, values).fetchone()[0]
