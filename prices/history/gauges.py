"""The store in figures, for whoever watches it: one read, a few milliseconds."""

import time

from msgspec import Struct, field

from prices.database.connection import Connection, Engine
from prices.history import health
from prices.history.health import SourceStatus


class Waiting(Struct, frozen=True):
    """What waits in the outbox."""

    messages: int = 0
    since: float | None = None
    """When the oldest became due; Unix seconds."""
    given_up: int = 0


class StoreFigures(Struct, frozen=True):
    """What is measured of a store."""

    schema_version: int
    size_bytes: int
    free_disk_bytes: int | None
    sources: tuple[SourceStatus, ...]
    quarantined: dict[str, int] = field(default_factory=dict)
    """Prices that are held back, by source."""
    outbox: Waiting = field(default_factory=Waiting)


def figures(engine: Engine) -> StoreFigures:
    """Read the figures; a store that cannot be read raises `DatabaseError`."""
    with engine.reading() as connection:
        tables = connection.tables()
        return StoreFigures(
            schema_version=connection.schema_version(),
            size_bytes=engine.size_bytes(),
            free_disk_bytes=engine.free_bytes(),
            sources=health.sources(connection),
            quarantined=_held(connection) if "quarantine" in tables else {},
            outbox=_waiting(connection) if "outbox" in tables else Waiting(),
        )


def _held(connection: Connection) -> dict[str, int]:
    rows = connection.execute(
        "SELECT source, count(*) FROM quarantine WHERE state = 'held' GROUP BY source"
    )
    return dict(rows.fetchall())


def _waiting(connection: Connection) -> Waiting:
    # What was tried waits since it was written, whenever it is tried again; what
    # may not be posted before tomorrow, as a day's summary, does not wait yet.
    messages, since = connection.execute(
        """
        SELECT count(*), min(
            CASE WHEN tries > 0 AND kind <> 'summary' THEN at ELSE not_before END)
        FROM outbox
        WHERE sent_at IS NULL AND fault = '' AND (tries > 0 OR not_before <= ?)
        """,
        (time.time(),),
    ).fetchone()
    (given_up,) = connection.execute(
        "SELECT count(*) FROM outbox WHERE fault <> ''"
    ).fetchone()
    return Waiting(messages, since, given_up)
