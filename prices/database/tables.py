"""Tables that one part of the program looks after, and the steps that made them.

A set of steps belongs to one owner; each step runs once, in order. What a file has
been through stands in `_sqlite_migrations`, which sqlite-utils keeps.
"""

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from prices.database.connection import Connection, Engine, OutdatedError, StoreError

if TYPE_CHECKING:
    from sqlite_utils import Database as Database

Steps = Mapping[str, "str | Callable[[Database], None]"]
"""Each step by name: SQL, or a function where the SQL depends on what is there."""

RETIRED = frozenset({"m001_prices"})
"""Steps that no longer exist: what they made is brought forward by a later one."""

APPLIED = "SELECT name FROM _sqlite_migrations WHERE migration_set = ?"
OWNERS = "SELECT DISTINCT migration_set FROM _sqlite_migrations"


def prepare(engine: Engine, owner: str, steps: Steps) -> None:
    """Bring an owner's tables up to date.

    Tables that an older version made raise `OutdatedError`: the whole database is
    migrated at once, on a copy first (`prices.upkeep.migrating`). Steps that this
    program does not know raise `StoreError`: a newer one made it.
    """
    if engine.exists():
        with engine.reading() as connection:
            done = applied(connection, owner)
        refuse_newer(engine, done, steps)
        if steps.keys() <= done:
            return
        if done:
            raise OutdatedError(engine)
    with engine.writing(create=True) as connection:
        migrate(connection, owner, steps)


def applied(connection: Connection, owner: str) -> set[str]:
    """Return the steps that a database has been through, read without sqlite-utils."""
    try:
        return {name for (name,) in connection.execute(APPLIED, (owner,))}
    except sqlite3.OperationalError as fault:
        if "no such table" not in str(fault):
            raise
        return set()  # nobody has migrated anything yet


def owners(connection: Connection) -> set[str]:
    """Name every set of tables of which a database has any step."""
    try:
        rows = connection.execute(OWNERS)
    except sqlite3.OperationalError as fault:
        if "no such table" not in str(fault):
            raise
        return set()
    return {owner for (owner,) in rows}


def refuse_newer(engine: Engine, done: set[str], steps: Steps) -> None:
    """Refuse a file that has been through steps which nobody here knows."""
    if unknown := sorted(done - steps.keys() - RETIRED):
        raise StoreError(newer(engine, unknown))


def newer(place: Engine | Path, unknown: list[str]) -> str:
    """Say that a file is ahead of this program, and by what."""
    steps = f" ({', '.join(unknown)})" if unknown else ""
    return (
        f"{place} was written by a newer version of gpucost{steps}: "
        "install that version, or restore a backup that is older"
    )


def migrate(connection: Connection, owner: str, steps: Steps) -> None:
    """Apply what is missing, inside the caller's write transaction."""
    from sqlite_utils import Database, Migrations  # slow to load, needed once

    migrations = Migrations(owner)
    for name, step in steps.items():
        migrations(name=name)(_step(name, step))
    assert isinstance(connection, sqlite3.Connection)  # noqa: S101 - for mypy # nosec
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
