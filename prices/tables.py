"""Tables that one part of the program looks after, apart from the price store."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from prices.connection import reading, writing

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLIED = "SELECT name FROM _sqlite_migrations WHERE migration_set = ?"


def prepare(path: Path, owner: str, scripts: Mapping[str, str]) -> None:
    """Bring an owner's tables up to date: each named script runs once, in order."""
    if path.exists():
        with reading(path) as connection:
            if scripts.keys() <= _applied(connection, owner):
                return
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing(path) as connection:
        _migrate(connection, owner, scripts)


def _applied(connection: sqlite3.Connection, owner: str) -> set[str]:
    """The scripts that this file has been through, read without sqlite-utils."""
    try:
        return {name for (name,) in connection.execute(APPLIED, (owner,))}
    except sqlite3.OperationalError:  # nobody has migrated anything yet
        return set()


def _migrate(
    connection: sqlite3.Connection, owner: str, scripts: Mapping[str, str]
) -> None:
    from sqlite_utils import Database, Migrations  # slow to load, needed once

    migrations = Migrations(owner)
    for name, script in scripts.items():
        migrations(name=name)(_step(name, script))
    migrations.apply(Database(connection, execute_plugins=False))


class _step:  # noqa: N801 - stands where sqlite-utils expects a function
    def __init__(self, name: str, script: str) -> None:
        self.__name__ = name
        self._script = script

    def __call__(self, db: "Database", /) -> None:
        db.executescript(self._script)
