"""The store in figures, for whoever watches it: one read, a few milliseconds."""

import shutil
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path

from prices.database.connection import reading
from prices.history import health
from prices.history.health import SourceStatus


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in the outbox."""

    messages: int = 0
    since: float | None = None
    """When the oldest became due; Unix seconds."""
    given_up: int = 0


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """What is measured of a store."""

    schema_version: int
    size_bytes: int
    free_disk_bytes: int
    sources: tuple[SourceStatus, ...]
    quarantined: dict[str, int] = field(default_factory=dict)
    """Prices that are held back, by source."""
    outbox: Waiting = field(default_factory=Waiting)


def figures(path: Path) -> StoreFigures:
    """Read the figures; a store that cannot be read raises `sqlite3.Error`."""
    with reading(path) as connection:
        tables = {
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
        }
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        return StoreFigures(
            schema_version=version,
            size_bytes=_size(path),
            free_disk_bytes=shutil.disk_usage(path.absolute().parent).free,
            sources=health.sources(connection),
            quarantined=_held(connection) if "quarantine" in tables else {},
            outbox=_waiting(connection) if "outbox" in tables else Waiting(),
        )


def _held(connection: sqlite3.Connection) -> dict[str, int]:
    rows = connection.execute(
        "SELECT source, count(*) FROM quarantine WHERE state = 'held' GROUP BY source"
    )
    return dict(rows.fetchall())


def _waiting(connection: sqlite3.Connection) -> Waiting:
    # What was tried waits since it was written, whenever it is tried again; what
    # may not be posted before tomorrow, as a day's summary, does not wait yet.
    messages, since = connection.execute(
        """
        SELECT count(*), min(iif(tries > 0 AND kind <> 'summary', at, not_before))
        FROM outbox
        WHERE sent_at IS NULL AND fault = '' AND (tries > 0 OR not_before <= ?)
        """,
        (time.time(),),
    ).fetchone()
    (given_up,) = connection.execute(
        "SELECT count(*) FROM outbox WHERE fault <> ''"
    ).fetchone()
    return Waiting(messages, since, given_up)


def _size(path: Path) -> int:
    parts = (path, Path(f"{path}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())
