"""SQLite as this house opens it: one connection per unit of work, in WAL."""

import errno
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

log = logging.getLogger("gpucost")

BUSY_TIMEOUT_S = 30.0
PATIENCE_S = 2.0
"""How long an answer waits for the write lock before it is given without being kept."""

_WHY = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_BUSY": "another process has locked the database",
    "SQLITE_READONLY": "the database cannot be written",
    "SQLITE_CANTOPEN": "the database cannot be opened",
    "SQLITE_PERM": "the database may not be opened",
    "SQLITE_CORRUPT": "the database is damaged",
    "SQLITE_NOTADB": "the file is no database",
    "SQLITE_IOERR": "the disk failed",
}
_MEND = {
    "SQLITE_FULL": "Free some space on its disk.",
    "SQLITE_BUSY": "Wait for the other process, or end it.",
    "SQLITE_READONLY": "Make its folder writable, or set GPUCOST_HOME to one that is.",
    "SQLITE_CANTOPEN": "Make its folder writable, or set GPUCOST_HOME to one that is.",
    "SQLITE_CORRUPT": "`gpucost db check` says what; `gpucost restore FILE` mends it.",
    "SQLITE_NOTADB": "`gpucost restore FILE` puts a backup in its place.",
}
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


class StoreError(Exception):
    """The price store cannot be used; the message says which file and why."""


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a connection that cannot write, in one consistent view of the data."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    if _is_still(path):
        uri += "&immutable=1"
    with closing(_connect(uri, BUSY_TIMEOUT_S)) as connection:
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")


@contextmanager
def writing(
    path: Path, patience_s: float = BUSY_TIMEOUT_S
) -> Iterator[sqlite3.Connection]:
    """Open a connection that holds the only write lock until the block ends.

    `BEGIN IMMEDIATE` takes the lock before the first read, so that nothing read here
    can be out of date by the time it is written back.
    """
    uri = f"{path.absolute().as_uri()}?mode=rwc"
    with closing(_connect(uri, patience_s)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            # A full disk ends the transaction by itself: nothing is left to roll back.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


@contextmanager
def dispensable(what: str) -> Iterator[None]:
    """Let a write fail that no answer may be lost for; the log says which."""
    try:
        yield
    except sqlite3.Error as fault:
        log.warning("%s not kept: %s", what, reason(fault))


def reason(fault: sqlite3.Error) -> str:
    """Say in words what SQLite could not do."""
    name = getattr(fault, "sqlite_errorname", "") or ""
    known = (words for code, words in _WHY.items() if name.startswith(code))
    return next(known, str(fault))


def mend(fault: BaseException) -> str:
    """Say what helps against a fault of the file or the disk; empty: nobody knows."""
    cause = fault.__cause__ or fault
    name = getattr(cause, "sqlite_errorname", "") or ""
    if isinstance(cause, OSError) and cause.errno == errno.ENOSPC:
        name = "SQLITE_FULL"
    known = (words for code, words in _MEND.items() if name.startswith(code))
    return next(known, "")


def is_damage(fault: BaseException) -> bool:
    """Tell whether a fault means that the file itself is broken."""
    name = getattr(fault, "sqlite_errorname", "") or ""
    return name.startswith(_DAMAGE)


def _is_still(path: Path) -> bool:
    """Tell whether a file lies where nobody can write, so that it cannot change.

    A reader of a WAL file has to make a file beside it, unless it is told this.
    """
    folder = path.absolute().parent
    return not os.access(folder, os.W_OK) and not Path(f"{path}-wal").exists()


def _connect(uri: str, patience_s: float) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, timeout=patience_s, isolation_level=None)
