"""Tables that one part of the program looks after, and the steps that made them.

A set of steps belongs to one owner; each step runs once, in order. What a
database has been through stands in it, where its engine keeps that.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from core.wording import say
from prices.database.connection import (
    Connection,
    Engine,
    OutdatedError,
    StoreError,
)
from prices.database.connection import Steps as Steps

if TYPE_CHECKING:
    from prices.database.connection import Database as Database

RETIRED = frozenset({"m001_prices"})
"""Steps that no longer exist: what they made is brought forward by a later one."""


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
        connection.migrate(owner, steps)


def applied(connection: Connection, owner: str) -> set[str]:
    """Return the steps that an owner's tables have been through."""
    return {name for held, name in connection.steps() if held == owner}


def owners(connection: Connection) -> set[str]:
    """Name every set of tables of which a database has any step."""
    return {owner for owner, _ in connection.steps()}


def refuse_newer(engine: Engine, done: set[str], steps: Steps) -> None:
    """Refuse a file that has been through steps which nobody here knows."""
    if unknown := sorted(done - steps.keys() - RETIRED):
        raise StoreError(newer(engine, unknown))


def newer(place: Engine | Path, unknown: list[str]) -> str:
    """Say that a file is ahead of this program, and by what."""
    steps = f" ({', '.join(unknown)})" if unknown else ""
    return say("database.newer_version", place=place, steps=steps)
