"""How a database file is: whole or damaged, how large, how far its schema has come."""

import shutil
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from core.wording import say
from prices.database import files
from prices.database.connection import Connection, DatabaseError, StoreError, reason
from prices.database.sqlite import Sqlite
from prices.records import audit
from prices.upkeep import locks, schema
from prices.upkeep.schema import SetState

BACKED_UP = "database backed up"


class TableSize(Struct, frozen=True):
    """What one table takes with its indexes."""

    name: str
    rows: int
    size_bytes: int | None
    """None where this SQLite was built without `dbstat`."""


class Check(Struct, frozen=True):
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
        raise StoreError(say("database.no_database", place=path))
    try:
        with Sqlite(path).reading() as connection:
            return _check(connection, path)
    except DatabaseError as fault:
        raise StoreError(
            say("database.unreadable", place=path, reason=reason(fault))
        ) from fault


def _check(connection: Connection, path: Path) -> Check:
    damage = tuple(files.damage(connection))
    wal = Path(f"{path}-wal")
    return Check(
        path=path,
        damage=damage,
        sets=tuple(schema.states(connection)),
        schema_version=int(files.pragma(connection, "user_version")),
        size_bytes=path.stat().st_size,
        wal_bytes=wal.stat().st_size if wal.exists() else 0,
        page_bytes=int(files.pragma(connection, "page_size")),
        pages=int(files.pragma(connection, "page_count")),
        free_pages=int(files.pragma(connection, "freelist_count")),
        journal_mode=files.pragma(connection, "journal_mode"),
        tables=() if damage else tuple(_tables(connection)),
        free_disk_bytes=shutil.disk_usage(path.absolute().parent).free,
        last_backup=None if damage else _last_backup(connection),
        served=locks.is_served(path),
    )


def _tables(connection: Connection) -> list[TableSize]:
    sizes = files.sizes(connection)
    return [
        TableSize(name, rows, None if sizes is None else sizes.get(name, 0))
        for name, rows in schema.counts(connection).items()
    ]


def _last_backup(connection: Connection) -> datetime | None:
    if "audit" not in connection.tables():  # from before there was a trail
        return None
    entry = audit.last_of(connection, BACKED_UP)
    return entry.at if entry else None
