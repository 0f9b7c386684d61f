"""Whole SQLite files: copied, overwritten and checked while others use them."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from core.wording import say
from prices.database.connection import Connection
from prices.database.sqlite import Sqlite, faults, told

PAGES = 2_000
"""How many pages are copied between two reports of progress: 8 MB."""
MOST_FAULTS = 20

Progress = Callable[[int, int], None]
"""Told how many bytes are copied, and of how many."""


def copy(source: Path, target: Path, progress: Progress | None = None) -> None:
    """Copy page by page what one instant sees, into one file without a log beside it.

    The open read transaction keeps that instant: writers neither wait for it nor make
    it begin again.
    """
    with (
        faults(),
        Sqlite(source).reading() as origin,
        closing(sqlite3.connect(target, isolation_level=None)) as made,
    ):
        assert isinstance(origin, sqlite3.Connection)  # noqa: S101 - for mypy # nosec
        (page,) = origin.execute("PRAGMA page_size").fetchone()
        origin.backup(made, pages=PAGES, progress=_told(progress, page))
        made.execute("PRAGMA journal_mode=DELETE")


def overwrite(path: Path, source: Path) -> None:
    """Put a copy's content into a database in one transaction.

    Whoever reads meanwhile sees the old content or the new; a crash leaves the old.
    """
    with (
        faults(),
        closing(sqlite3.connect(source, isolation_level=None)) as origin,
        closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as made,
    ):
        made.execute("PRAGMA journal_mode=WAL")
        origin.backup(made, pages=-1)


def settle(path: Path) -> None:
    """Leave no log beside a file that is about to move."""
    with suppress(sqlite3.Error):
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.close()


def damage(connection: Connection) -> list[str]:
    """Name what is wrong with the file, then which rows name others that are gone."""
    try:
        rows = connection.execute(f"PRAGMA integrity_check({MOST_FAULTS})").fetchall()
    except sqlite3.Error as fault:
        raise told(fault) from fault
    found = [line for (text,) in rows for line in str(text).splitlines()]
    if found != ["ok"]:
        return found[:MOST_FAULTS]
    orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    return [
        say("database.missing_parent", table=table, row=row, parent=parent)
        for table, row, parent, _ in orphans[:MOST_FAULTS]
    ]


def sizes(connection: Connection) -> dict[str, int] | None:
    """Return the bytes of each table and its indexes; None: SQLite cannot tell."""
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


def pragma(connection: Connection, name: str) -> str:
    """Read one of SQLite's own figures."""
    return str(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _told(progress: Progress | None, page: int) -> Callable[[int, int, int], None]:
    def tell(_status: int, remaining: int, total: int) -> None:
        if progress:
            progress((total - remaining) * page, total * page)

    return tell
