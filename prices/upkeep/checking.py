"""How a database file is: whole or damaged, how large, how far its schema has come."""

import shutil
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from prices.database.connection import StoreError, reading, reason
from prices.records import audit
from prices.upkeep import copying, locks, schema
from prices.upkeep.schema import SetState

BACKED_UP = "database backed up"


@dataclass(frozen=True, slots=True)
class TableSize:
    """What one table takes with its indexes."""

    name: str
    rows: int
    size_bytes: int | None
    """None where this SQLite was built without `dbstat`."""


@dataclass(frozen=True, slots=True)
class Check:
    """Everything that `gpucost db check` says."""

    path: Path
    damage: tuple[str, ...]
    """What SQLite finds wrong; empty where the file is whole."""
    sets: tuple[SetState, ...]
    schema_version: int
    size_bytes: int
    wal_bytes: int
    page_bytes: int
    pages: int
    free_pages: int
    """Pages that were emptied and will be used again; VACUUM would return them."""
    journal_mode: str
    tables: tuple[TableSize, ...]
    free_disk_bytes: int
    last_backup: datetime | None
    served: bool

    @property
    def pending(self) -> tuple[str, ...]:
        """The steps that `gpucost migrate` would go."""
        return tuple(f"{s.owner}: {name}" for s in self.sets for name in s.pending)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The steps that only a newer version knows."""
        return tuple(f"{s.owner}: {name}" for s in self.sets for name in s.unknown)


def check(path: Path) -> Check:
    """Read every page of a file; one that is no database raises `StoreError`."""
    if not path.is_file():
        raise StoreError(f"there is no database at {path}")
    try:
        with reading(path) as connection:
            return _check(connection, path)
    except sqlite3.Error as fault:
        raise StoreError(f"{path} cannot be read: {reason(fault)}") from fault


def _check(connection: sqlite3.Connection, path: Path) -> Check:
    damage = tuple(copying.damage(connection))
    wal = Path(f"{path}-wal")
    return Check(
        path=path,
        damage=damage,
        sets=tuple(schema.states(connection)),
        schema_version=int(_pragma(connection, "user_version")),
        size_bytes=path.stat().st_size,
        wal_bytes=wal.stat().st_size if wal.exists() else 0,
        page_bytes=int(_pragma(connection, "page_size")),
        pages=int(_pragma(connection, "page_count")),
        free_pages=int(_pragma(connection, "freelist_count")),
        journal_mode=_pragma(connection, "journal_mode"),
        tables=() if damage else tuple(_tables(connection)),
        free_disk_bytes=shutil.disk_usage(path.absolute().parent).free,
        last_backup=None if damage else _last_backup(connection),
        served=locks.is_served(path),
    )


def _tables(connection: sqlite3.Connection) -> list[TableSize]:
    sizes = _sizes(connection)
    return [
        TableSize(name, rows, None if sizes is None else sizes.get(name, 0))
        for name, rows in schema.counts(connection).items()
    ]


def _sizes(connection: sqlite3.Connection) -> dict[str, int] | None:
    """Return the bytes of each table and its indexes."""
    try:
        rows = connection.execute(
            """
            SELECT tbl_name, sum(pgsize) FROM dbstat('main', 1)
            JOIN sqlite_master USING (name) GROUP BY tbl_name
            """
        )
        return {name: int(size) for name, size in rows}
    except sqlite3.OperationalError:
        return None


def _last_backup(connection: sqlite3.Connection) -> datetime | None:
    try:
        entry = audit.last_of(connection, BACKED_UP)
    except sqlite3.OperationalError:  # from before there was a trail
        return None
    return entry.at if entry else None


def _pragma(connection: sqlite3.Connection, name: str) -> str:
    return str(connection.execute(f"PRAGMA {name}").fetchone()[0])
