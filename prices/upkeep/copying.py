"""Whole copies of a database that others go on writing to."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

from msgspec import Struct

from core.wording import say
from prices.database import files
from prices.database.connection import DatabaseError, StoreError, reason
from prices.database.files import Progress
from prices.database.sqlite import Sqlite
from prices.upkeep import locks


class Copied(Struct, frozen=True):
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
        raise StoreError(say("database.no_database", place=source))
    if target.is_dir():
        raise StoreError(say("database.target_is_folder", target=target))
    if not target.absolute().parent.is_dir():
        raise StoreError(say("database.no_folder", folder=target.absolute().parent))
    if not replace and os.path.lexists(target):
        raise FileExistsError(say("database.target_exists", target=target))
    began = monotonic()
    with staged(target) as part:
        copy(source, part, progress)
        if faults := damage_of(part):
            raise StoreError(
                say("database.source_damaged", source=source, faults=faults[0])
            )
        size = part.stat().st_size
        publish(part, target, replace)
    return Copied(target, size, monotonic() - began)


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """Have a file beside another to build it in; what is left of it goes in the end.

    What a killed process left behind under that name is built anew.
    """
    part = Path(f"{target}.part")
    with locks.writing_file(part) as free:
        if not free:
            raise StoreError(say("database.being_written", part=part))
        try:
            yield part
        finally:
            for leftover in (part, Path(f"{part}-journal"), Path(f"{part}-wal")):
                leftover.unlink(missing_ok=True)
            Path(f"{part}-shm").unlink(missing_ok=True)


def copy(source: Path, target: Path, progress: Progress | None = None) -> None:
    """Copy what one instant sees, into one file without a log beside it."""
    try:
        files.copy(source, target, progress)
    except DatabaseError as fault:
        raise StoreError(
            say("database.copy_failed", source=source, reason=reason(fault))
        ) from fault


def damage_of(path: Path) -> list[str]:
    """Name what SQLite's own checks find wrong; nothing where a file is whole."""
    try:
        with Sqlite(path).reading() as connection:
            return files.damage(connection)
    except DatabaseError as fault:
        return [reason(fault)]


def publish(part: Path, target: Path, replace: bool) -> None:
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
            raise FileExistsError(
                say("database.target_exists", target=target)
            ) from None
        part.rename(target)
