"""SQLite as this house opens it: one connection per unit of work, in WAL."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

BUSY_TIMEOUT_S = 30.0


class StoreError(Exception):
    """The price store cannot be used; the message says which file and why."""


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a connection that cannot write, in one consistent view of the data."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(_connect(uri)) as connection:
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a connection that holds the only write lock until the block ends.

    `BEGIN IMMEDIATE` takes the lock before the first read, so that nothing read here
    can be out of date by the time it is written back.
    """
    uri = f"{path.absolute().as_uri()}?mode=rwc"
    with closing(_connect(uri)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
