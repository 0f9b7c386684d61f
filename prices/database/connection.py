"""SQLite as this program opens it: one connection per unit of work, in WAL."""

import errno
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from prices.database.log_index import log_index, open_log

log = logging.getLogger("gpucost")

BUSY_TIMEOUT_S = 30.0
PATIENCE_S = 2.0
"""How long an answer waits for the write lock before it is given without being kept."""
SETTLED_S = 1.0
READER_PATIENCE_S = 5.0
"""Writers never keep a reader out of a log: whoever does has locked the whole file."""

_WHY = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_IOERR_SHMSIZE": "the disk is full",
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
    "SQLITE_IOERR_SHMSIZE": "Free some space on its disk.",
    "SQLITE_BUSY": "Wait for the other process, or end it.",
    "SQLITE_READONLY": "Make its folder writable, or set GPUCOST_HOME to one that is.",
    "SQLITE_CANTOPEN": "Make its folder writable, or set GPUCOST_HOME to one that is.",
    "SQLITE_CORRUPT": "`gpucost db check` says what; `gpucost restore FILE` mends it.",
    "SQLITE_NOTADB": "`gpucost restore FILE` puts a backup in its place.",
}
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


class EmptiedError(sqlite3.DatabaseError):
    """A file in which nothing is left."""

    def __init__(self) -> None:
        super().__init__("the file is no database")
        self.sqlite_errorname = "SQLITE_NOTADB"


class StoreError(Exception):
    """The price store cannot be used; the message says which file and why."""


class OutdatedError(Exception):
    """An older version wrote the file; whoever composes the program migrates it."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is of an older version: run gpucost migrate")
        self.path = path


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a connection that cannot write, in one consistent view of the data."""
    with closing(_view(path)) as connection:
        yield connection
        connection.execute("COMMIT")


@contextmanager
def writing(
    path: Path, patience_s: float = BUSY_TIMEOUT_S, *, create: bool = False
) -> Iterator[sqlite3.Connection]:
    """Open a connection that holds the only write lock until the block ends.

    `BEGIN IMMEDIATE` takes the lock before the first read, so that nothing read here
    can be out of date by the time it is written back. A file that is gone is a fault:
    an empty one in its place would hide it. One that was emptied is a fault at once:
    SQLite would wait for everybody to leave, to make a log of its own.
    """
    if not create and path.exists() and path.stat().st_size == 0:
        raise EmptiedError
    uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
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
def anchored(path: Path) -> Iterator[None]:
    """Keep a file open for as long as a process serves from it.

    SQLite copies the log back into the file when its last connection closes: with one
    per unit of work, every answer would pay for that. It is copied every second here,
    so that a log that is lost takes no more than that with it. The connection that
    closes last cannot write: it copies nothing unseen.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    over = Event()
    with closing(_connect(uri, BUSY_TIMEOUT_S)) as connection:
        # Only a connection that has read holds the log open.
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        settling = Thread(target=_settle, args=(path, over), name="log", daemon=True)
        settling.start()
        try:
            yield
        finally:
            over.set()
            settling.join()


def _settle(path: Path, over: Event) -> None:
    """Copy the log that lies here now, even once it is gone, while it is whole."""
    try:
        log = open_log(path)
    except OSError:  # a disk that is read only: nothing is written either
        return
    uri = f"{path.absolute().as_uri()}?mode=rw"
    try:
        with closing(_connect(uri, 0.0)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            while not over.wait(SETTLED_S):
                # a disk that fails is told to whoever writes
                with suppress(sqlite3.Error, OSError):
                    if log_index(path).holds(log):
                        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    finally:
        os.close(log)


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


def _view(path: Path) -> sqlite3.Connection:
    """Open a file for reading; one that nobody can write to now is read as it lies.

    A reader of a WAL file makes a file beside it, which a full or a read-only disk
    refuses. Where no log waits to be read, the file alone is the whole database.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    try:
        return _begun(uri)
    except sqlite3.OperationalError as fault:
        waiting = Path(f"{path}-wal")
        if not _is_refusal(fault) or (waiting.exists() and waiting.stat().st_size):
            raise
    return _begun(f"{uri}&immutable=1")


def _begun(uri: str) -> sqlite3.Connection:
    connection = _connect(uri, READER_PATIENCE_S)
    try:
        connection.execute("BEGIN")
        # The view begins with the first look.
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _is_refusal(fault: sqlite3.Error) -> bool:
    """Tell whether the disk refused a file beside the database."""
    name = getattr(fault, "sqlite_errorname", "") or ""
    return name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY"))


def _connect(uri: str, patience_s: float) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, timeout=patience_s, isolation_level=None)
