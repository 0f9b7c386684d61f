"""Everything that writes whole files, and how its losses would show."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

from prices.records.preferences import Preferences, Setting
from prices.upkeep import schema
from prices.upkeep.copying import back_up, damage_of
from prices.upkeep.migrating import upgrade
from prices.upkeep.restoring import restore
from tests.engines import engine_of
from tests.faults.files import made_at, released, rows
from tests.faults.write_paths import START, WritePath, at, file_of


def _begin_migrate(home: Path) -> None:
    (home / "fresh").mkdir()


def _migrate(home: Path, first: int) -> Iterator[int]:
    """Bring an early file forward again and again."""
    for n in count(first):
        for file in home.glob("*/gpucost.sqlite3*"):
            file.unlink(missing_ok=True)
        fresh = released("06.sql", home / "fresh")
        for file in home.glob("gpucost.sqlite3*"):
            file.unlink(missing_ok=True)
        (home / "number").write_text(str(n))
        fresh.rename(file_of(home))
        upgrade(file_of(home))
        yield n


def _migrate_lost(home: Path, numbers: list[int]) -> int:
    """A file is as it was or as it should be, and goes on from either."""
    file, begun = file_of(home), home / "number"
    if not file.exists() or not file.stat().st_size:
        return 0  # the kill met the making of the early file
    finished = int(begun.read_text()) in numbers
    with engine_of(file).reading() as connection:
        stays_old = bool(schema.pending(connection))
    upgrade(file)
    answers = rows(file, "SELECT count(*) FROM answers")
    return (finished and stays_old) + (answers != [(3,)])


def _backup(home: Path, first: int) -> Iterator[int]:
    """Write, and back up, in turn."""
    book = Preferences(engine_of(file_of(home)))
    for n in count(first):
        book.set("T", Setting("currency", str(n), "", "U", at(n)))
        back_up(file_of(home), home / "backup", replace=True, progress=None)
        yield n


def _backup_lost(home: Path, numbers: list[int]) -> int:
    """The backup under its name is whole, and has what was there when it was made."""
    backup = home / "backup"
    if not backup.exists():
        return len(numbers)
    held = {int(str(v)) for (v,) in rows(backup, "SELECT value FROM preferences")}
    return len(damage_of(backup)) + len(set(numbers) - held)


def _begin_restore(home: Path) -> None:
    """Make two backups that can be told apart."""
    file = made_at(file_of(home))
    for name in ("even", "odd"):
        Preferences(engine_of(file)).set("T", Setting("region", name, "", "U", START))
        back_up(file, home / name, progress=None)


def _restore(home: Path, first: int) -> Iterator[int]:
    for n in count(first):
        restore(file_of(home), home / ("odd" if n % 2 else "even"))
        for kept in home.glob("*.before-restore-*"):
            kept.unlink()
        yield n


def _restore_lost(home: Path, numbers: list[int]) -> int:
    """The content is that of one backup or of the other, with all its rows."""
    with closing(sqlite3.connect(file_of(home))) as connection:
        held = [v for (v,) in connection.execute("SELECT value FROM preferences")]
    return held not in (["even"], ["even", "odd"])


PATHS = (
    WritePath("migrate", _migrate, _migrate_lost, _begin_migrate),
    WritePath("backup", _backup, _backup_lost),
    WritePath("restore", _restore, _restore_lost, _begin_restore),
)
"""Every way in which a file is made or replaced."""
