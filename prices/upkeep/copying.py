"""Whole copies of a database that others go on writing to."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from prices.database.connection import StoreError, reading, reason
from prices.upkeep import locks

PAGES = 2_000
"""How many pages are copied between two reports of progress: 8 MB."""
MOST_FAULTS = 20

Progress = Callable[[int, int], None]
"""Told how many bytes are copied, and of how many."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was read back and found whole."""

    path: Path
    size_bytes: int
    seconds: float


def back_up(
    source: Path, target: Path, *, replace: bool = False, progress: Progress | None
) -> Copied:
    """Copy a database to a file that appears only once it is whole and checked.

    A file that is there already raises `FileExistsError` unless it may be replaced.
    """
    if not source.is_file():
        raise StoreError(f"there is no database at {source}")
    if target.is_dir():
        raise StoreError(f"{target} is a folder: name a file in it")
    if not target.absolute().parent.is_dir():
        raise StoreError(f"there is no folder {target.absolute().parent}")
    if not replace and os.path.lexists(target):
        raise FileExistsError(f"{target} is there already")
    began = monotonic()
    with staged(target) as part:
        copy(source, part, progress)
        if faults := damage_of(part):
            raise StoreError(f"{source} is damaged: {faults[0]}")
        size = part.stat().st_size
        _publish(part, target, replace)
    return Copied(target, size, monotonic() - began)


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """Have a file beside another to build it in; what is left of it goes in the end.

    What a killed process left behind under that name is built anew.
    """
    part = Path(f"{target}.part")
    with locks.writing_file(part) as free:
        if not free:
            raise StoreError(f"another process is writing {part}")
        try:
            yield part
        finally:
            for leftover in (part, Path(f"{part}-journal"), Path(f"{part}-wal")):
                leftover.unlink(missing_ok=True)
            Path(f"{part}-shm").unlink(missing_ok=True)


def copy(source: Path, target: Path, progress: Progress | None = None) -> None:
    """Copy page by page what one instant sees, into one file without a log beside it.

    The open read transaction keeps that instant: writers neither wait for it nor make
    it begin again.
    """
    try:
        with (
            reading(source) as origin,
            closing(sqlite3.connect(target, isolation_level=None)) as made,
        ):
            (page,) = origin.execute("PRAGMA page_size").fetchone()
            origin.backup(made, pages=PAGES, progress=_told(progress, page))
            made.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as fault:
        raise StoreError(f"{source} could not be copied: {reason(fault)}") from fault


def overwrite(path: Path, source: Path) -> None:
    """Put a copy's content into a database in one transaction.

    Whoever reads meanwhile sees the old content or the new; a crash leaves the old.
    """
    with (
        closing(sqlite3.connect(source, isolation_level=None)) as origin,
        closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as made,
    ):
        made.execute("PRAGMA journal_mode=WAL")
        origin.backup(made, pages=-1)


def damage_of(path: Path) -> list[str]:
    """Name what SQLite's own checks find wrong; nothing where a file is whole."""
    try:
        with reading(path) as connection:
            return damage(connection)
    except sqlite3.Error as fault:
        return [reason(fault)]


def damage(connection: sqlite3.Connection) -> list[str]:
    """Name what is wrong with the file, then which rows name others that are gone."""
    rows = connection.execute(f"PRAGMA integrity_check({MOST_FAULTS})").fetchall()
    found = [line for (text,) in rows for line in str(text).splitlines()]
    if found != ["ok"]:
        return found[:MOST_FAULTS]
    orphans = connection.execute("PRAGMA foreign_key_check").fetchall()
    return [
        f"{table} row {row} names a {parent} row that is not there"
        for table, row, parent, _ in orphans[:MOST_FAULTS]
    ]


def _told(progress: Progress | None, page: int) -> Callable[[int, int, int], None]:
    def tell(_status: int, remaining: int, total: int) -> None:
        if progress:
            progress((total - remaining) * page, total * page)

    return tell


def _publish(part: Path, target: Path, replace: bool) -> None:
    """Give a finished file its name, at once and for good."""
    if replace:
        part.replace(target)
    else:
        _name_new(part, target)
    with suppress(OSError):  # not every system lets a folder be synced
        folder = os.open(target.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _name_new(part: Path, target: Path) -> None:
    try:
        os.link(part, target)  # unlike a rename, it never takes another's place
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(target):
            raise FileExistsError(f"{target} is there already") from None
        part.rename(target)
