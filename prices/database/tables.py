"""Tables that one part of the program looks after, and the steps that made them.

A set of steps belongs to one owner; each step runs once, in order. What a file has
been through stands in `_sqlite_migrations`, which sqlite-utils keeps.
"""

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from prices.database.connection import OutdatedError, StoreError, reading, writing

if TYPE_CHECKING:
    from sqlite_utils import Database

Steps = Mapping[str, "str | Callable[[Database], None]"]
"""Each step by name: SQL, or a function where the SQL depends on what is there."""

RETIRED = frozenset({"m001_prices"})
"""Steps that no longer exist: what they made is brought forward by a later one."""

APPLIED = "SELECT name FROM _sqlite_migrations WHERE migration_set = ?"


def prepare(path: Path, owner: str, steps: Steps) -> None:
    """Bring an owner's tables up to date.

    Tables that an older version made raise `OutdatedError`: the whole file is migrated
    at once, on a copy first (`prices.upkeep.migrating`). Steps that this program does
    not know raise `StoreError`: a newer one made the file.
    """
    if path.exists():
        with reading(path) as connection:
            done = applied(connection, owner)
        refuse_newer(path, done, steps)
        if steps.keys() <= done:
            return
        if done:
            raise OutdatedError(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with writing(path, create=True) as connection:
        migrate(connection, owner, steps)


def applied(connection: sqlite3.Connection, owner: str) -> set[str]:
    """Return the steps that a file has been through, read without sqlite-utils."""
    try:
        return {name for (name,) in connection.execute(APPLIED, (owner,))}
    except sqlite3.OperationalError as fault:
        if "no such table" not in str(fault):
            raise
        return set()  # nobody has migrated anything yet


def refuse_newer(path: Path, done: set[str], steps: Steps) -> None:
    """Refuse a file that has been through steps which nobody here knows."""
    if unknown := sorted(done - steps.keys() - RETIRED):
        raise StoreError(newer(path, unknown))


def newer(path: Path, unknown: list[str]) -> str:
    """Say that a file is ahead of this program, and by what."""
    steps = f" ({', '.join(unknown)})" if unknown else ""
    return (
        f"{path} was written by a newer version of gpucost{steps}: "
        "install that version, or restore a backup that is older"
    )


def migrate(connection: sqlite3.Connection, owner: str, steps: Steps) -> None:
    """Apply what is missing, inside the caller's write transaction."""
    from sqlite_utils import Database, Migrations  # slow to load, needed once

    migrations = Migrations(owner)
    for name, step in steps.items():
        migrations(name=name)(_step(name, step))
    migrations.apply(Database(connection, execute_plugins=False))


class _step:  # noqa: N801 - stands where sqlite-utils expects a function
    def __init__(self, name: str, step: "str | Callable[[Database], None]") -> None:
        self.__name__ = name
        self._step = step

    def __call__(self, db: "Database", /) -> None:
        if isinstance(self._step, str):
            db.executescript(self._step)
        else:
            self._step(db)
