"""SQLite as this program opens it: one connection per unit of work, in WAL."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct

from core.wording import say
from prices.database.connection import (
    BUSY_TIMEOUT_S,
    FREE_SPACE,
    BusyError,
    Connection,
    DamagedError,
    DatabaseError,
    Engine,
    RuleError,
    Steps,
)
from prices.database.log_index import log_index, open_log

if TYPE_CHECKING:
    from sqlite_utils import Database

SETTLED_S = 1.0
"""How often the log of a database that is served from is copied into the file."""
READER_PATIENCE_S = 5.0
"""Writers never keep a reader out of a log: whoever does has locked the whole file."""

_WHY = {
    "SQLITE_FULL": say("database.disk_full"),
    "SQLITE_IOERR_SHMSIZE": say("database.disk_full"),
    "SQLITE_BUSY": say("database.locked"),
    "SQLITE_READONLY": say("database.not_writable"),
    "SQLITE_CANTOPEN": say("database.not_openable"),
    "SQLITE_PERM": say("database.no_permission"),
    "SQLITE_CORRUPT": say("database.damaged"),
    "SQLITE_NOTADB": say("database.not_a_database"),
    "SQLITE_IOERR": say("database.disk_failed"),
}
_MEND = {
    "SQLITE_FULL": FREE_SPACE,
    "SQLITE_IOERR_SHMSIZE": FREE_SPACE,
    "SQLITE_BUSY": say("database.wait_or_end"),
    "SQLITE_READONLY": say("database.make_writable"),
    "SQLITE_CANTOPEN": say("database.make_writable"),
    "SQLITE_CORRUPT": say("database.check_and_restore"),
    "SQLITE_NOTADB": say("database.restore_backup"),
}
_KINDS = {
    "SQLITE_BUSY": BusyError,
    "SQLITE_CORRUPT": DamagedError,
    "SQLITE_NOTADB": DamagedError,
    "SQLITE_CONSTRAINT": RuleError,
}
T = TypeVar("T")
STEPS = "SELECT migration_set, name FROM _sqlite_migrations"


class _Dialect:
    """How SQLite writes what PostgreSQL writes in another way."""

    # `OR FAIL` spares SQLite a journal of its own for each statement; a conflict is
    # raised all the same, and the transaction around it undoes what went in before.
    insert = "INSERT OR FAIL INTO"
    number = "INTEGER"
    # Nobody else writes while a transaction does.
    held = ""
    free = ""
    # SQLite begins with the table named first.
    in_order = "CROSS JOIN"

    def numbers(self, parameter: str) -> str:
        return f"(SELECT value FROM json_each({parameter}))"  # noqa: S608 - constants

    words = numbers

    def pairs(self, parameter: str) -> str:
        return f"(SELECT value ->> 0, value ->> 1 FROM json_each({parameter}))"  # noqa: S608 - constants

    def lists(self, parameter: str, *names: str) -> str:
        columns = ", ".join(f"value ->> {n} AS {name}" for n, name in enumerate(names))
        return f"(SELECT {columns} FROM json_each({parameter}))"  # noqa: S608 - constants

    def field(self, column: str, name: str) -> str:
        return f"({column} ->> '{name}')"

    def numbers_in(self, column: str, field: str, name: str) -> str:
        return f"(SELECT value ->> '{name}' FROM json_each({column}, '$.{field}'))"  # noqa: S608

    def larger(self, *values: str) -> str:
        return f"max({', '.join(values)})"


DIALECT: Final = _Dialect()


class SqliteConnection(sqlite3.Connection):
    """A connection that says what else books ask of one."""

    dialect: Final = DIALECT

    def tables(self) -> set[str]:
        """Name every table."""
        rows = self.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in rows}

    def steps(self) -> set[tuple[str, str]]:
        """Return the steps that the tables have been through, by owner."""
        try:
            return set(self.execute(STEPS))
        except sqlite3.OperationalError as fault:
            if "no such table" not in str(fault):
                raise
            return set()  # nobody has migrated anything yet

    def migrate(self, owner: str, steps: Steps, /) -> None:
        """Do what is missing of an owner's steps; sqlite-utils keeps which were."""
        from sqlite_utils import Database, Migrations  # slow to load, needed once

        migrations = Migrations(owner)
        for name, step in steps.items():
            migrations(name=name)(_step(name, step))
        migrations.apply(Database(self, execute_plugins=False))

    def schema_version(self) -> int:
        """How many steps the tables of prices have been through."""
        (version,) = self.execute("PRAGMA user_version").fetchone()
        return int(version)

    def set_schema_version(self, version: int) -> None:
        """Note how many steps the tables of prices have been through."""
        self.execute(f"PRAGMA user_version = {int(version)}")

    def damage(self, most: int = 100) -> list[str]:
        """Name what a look at every page finds wrong; nothing where all is whole."""
        lines = self.execute(f"PRAGMA quick_check({int(most)})").fetchall()
        return [line for (line,) in lines if line != "ok"]

    def log_kind(self) -> str:
        """Name how SQLite makes a transaction outlive a crash."""
        return str(self.execute("PRAGMA journal_mode").fetchone()[0])

    def forget_for_good(self) -> None:
        """Overwrite what this transaction deletes."""
        self.execute("PRAGMA secure_delete = ON")

    def team_tables(self) -> list[str]:
        """Name every table whose rows are a team's, by their column `team_id`."""
        rows = self.execute(
            """
            SELECT t.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c
            WHERE t.type = 'table' AND c.name = 'team_id' ORDER BY t.name
            """
        )
        return [name for (name,) in rows]

    def key_of(self, table: str) -> list[str]:
        """Name the columns by which a table's rows are told apart, in their order."""
        rows = self.execute(
            "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (table,)
        )
        return [name for (name,) in rows]

    def references(self) -> set[tuple[str, str]]:
        """Return each table whose rows name rows of another, and that one."""
        rows = self.execute(
            """
            SELECT t.name, k."table" FROM sqlite_master AS t,
                pragma_foreign_key_list(t.name) AS k WHERE t.type = 'table'
            """
        )
        return set(rows)

    @contextmanager
    def unguarded(self, table: str, trigger: str) -> Iterator[None]:
        """Let a trigger of a table stand aside until the block ends."""
        asked = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?"
        (made,) = self.execute(asked, (trigger,)).fetchone()
        self.execute(f"DROP TRIGGER {trigger}")
        yield
        self.execute(made)

    def last_numbers(self) -> dict[str, int]:
        """Return the last number that was given to a row of each table."""
        if "sqlite_sequence" not in self.tables():
            return {}
        return dict(self.execute("SELECT name, seq FROM sqlite_sequence"))

    def go_on_from(self, table: str, number: int) -> None:
        """Give the next row of a table a later number than this one."""
        if "sqlite_sequence" not in self.tables():
            return
        known = self.execute(
            "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?",
            (number, table),
        )
        if not known.rowcount:
            self.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, number))


@dataclass(frozen=True, slots=True)
class Sqlite(Engine):
    """One file, and the log beside it."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    @property
    def is_file(self) -> bool:
        """Tell whether this machine keeps it as a file."""
        return True

    @property
    def address(self) -> str:
        """Where it lies on this machine."""
        return str(self.path.resolve())

    @property
    def file(self) -> Path:
        """The file that it is."""
        return self.path

    @property
    def home(self) -> Path:
        """The folder that it lies in."""
        return self.path.parent

    def exists(self) -> bool:
        """Tell whether there is a file."""
        return self.path.exists()

    def is_forbidden(self) -> bool:
        """Tell whether the system lets this process not write the file."""
        return self.path.exists() and not os.access(self.path, os.W_OK)

    def identity(self) -> tuple[int, int] | None:
        """Tell this file from another under its name; None: there is none."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def size_bytes(self) -> int:
        """Return what the file takes with its write-ahead log."""
        parts = (self.path, Path(f"{self.path}-wal"), Path(f"{self.path}-shm"))
        return sum(part.stat().st_size for part in parts if part.exists())

    def free_bytes(self) -> int | None:
        """Return what is free on its disk."""
        from shutil import disk_usage  # loads what packs archives

        return disk_usage(self.path.absolute().parent).free

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection that cannot write, in one consistent view of the data."""
        views = _VIEWS.get()
        if views is None:
            with faults(), closing(_view(self.path)) as connection:
                yield connection
                connection.execute("COMMIT")
            return
        with faults():
            shared = views.get(self.path)
            if shared is None:
                shared = views[self.path] = _Shared(_view(self.path))
            shared.readers += 1
            try:
                yield shared.connection
            finally:
                shared.readers -= 1
                if views.get(self.path) is not shared:
                    shared.close_unread()

    @contextmanager
    def one_view(self) -> Iterator[None]:
        """Open the file once for all that the block reads, until it writes."""
        if _VIEWS.get() is not None:
            yield
            return
        views: dict[Path, _Shared] = {}
        before = _VIEWS.set(views)
        try:
            yield
        finally:
            _VIEWS.reset(before)
            for shared in views.values():
                shared.connection.close()

    @contextmanager
    def writing(
        self,
        patience_s: float = BUSY_TIMEOUT_S,
        *,
        create: bool = False,
        alone: bool = True,
    ) -> Iterator[Connection]:
        """Open a connection that holds the only write lock until the block ends.

        `BEGIN IMMEDIATE` takes the lock before the first read, so that nothing read
        here can be out of date by the time it is written back. A file that is gone is a
        fault: an empty one in its place would hide it. One that was emptied is a fault
        at once: SQLite would wait for everybody to leave, to make a log of its own.
        """
        del alone  # a file has one writer at a time
        if not create and self.path.exists() and self.path.stat().st_size == 0:
            code = "SQLITE_NOTADB"
            raise DamagedError("an empty file", _WHY[code], _MEND[code])
        if shared := (_VIEWS.get() or {}).pop(self.path, None):
            # Who reads after this looks anew; the log is copied by a writer alone,
            # who has to be the last that closes.
            shared.close_unread()
        if create:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        uri = f"{self.path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
        with faults(), closing(_connect(uri, patience_s)) as connection:
            _into_wal(connection, patience_s)
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                # A full disk ends the transaction by itself: nothing is left then.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def anchored(self) -> Iterator[None]:
        """Keep the file open for as long as a process serves from it.

        SQLite copies the log back into the file when its last connection closes: with
        one per unit of work, every answer would pay for that. It is copied every second
        here, so that a log that is lost takes no more than that with it. The connection
        that closes last cannot write: it copies nothing unseen.
        """
        uri = f"{self.path.absolute().as_uri()}?mode=ro"
        with faults(), closing(_connect(uri, BUSY_TIMEOUT_S)) as connection:
            # Only a connection that has read holds the log open.
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            over = Event()
            settling = Thread(
                target=self._settle, args=(over,), name="log", daemon=True
            )
            settling.start()
            try:
                yield
            finally:
                over.set()
                settling.join()

    def _settle(self, over: Event) -> None:
        """Copy the log that lies here now, even once it is gone, while it is whole."""
        try:
            log = open_log(self.path)
        except OSError:  # a disk that is read only: nothing is written either
            return
        uri = f"{self.path.absolute().as_uri()}?mode=rw"
        try:
            with closing(_connect(uri, 0.0)) as connection:
                connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                while not over.wait(SETTLED_S):
                    # a disk that fails is told to whoever writes
                    with suppress(sqlite3.Error, OSError):
                        if log_index(self.path).holds(log):
                            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        finally:
            os.close(log)

    def broken_log(self) -> str:
        """Say what is wrong with the log beside an open file, "" where nothing is.

        Only a restart, which reads the log anew, helps.
        """
        try:
            index, log = log_index(self.path), open_log(self.path)
        except FileNotFoundError as gone:
            return f"{Path(gone.filename).name} is gone"
        try:
            sound = index.holds(log)
        finally:
            os.close(log)
        return "" if sound else say("database.log_overwritten")


class _Shared(Struct):
    """A connection that several units of work read through, and how many do now."""

    connection: SqliteConnection
    readers: int = 0

    def close_unread(self) -> None:
        """Close it where nobody reads from it any more."""
        if not self.readers:
            self.connection.close()


_VIEWS: Final = ContextVar[dict[Path, _Shared] | None]("views", default=None)


@contextmanager
def faults() -> Iterator[None]:
    """Raise what SQLite refuses as this program's own exceptions."""
    try:
        yield
    except sqlite3.Error as fault:
        raise told(fault) from fault


def told(fault: sqlite3.Error) -> DatabaseError:
    """Say what SQLite refused."""
    name = getattr(fault, "sqlite_errorname", "") or ""
    kind = _first(_KINDS, name) or DatabaseError
    if type(fault) is sqlite3.DatabaseError and not name:
        kind = DamagedError
    return kind(str(fault), _first(_WHY, name) or "", _first(_MEND, name) or "")


def _first(known: dict[str, T], name: str) -> T | None:
    """Find what is known of an error; a longer name is a kind of the shorter one."""
    return next((said for code, said in known.items() if name.startswith(code)), None)


def _view(path: Path) -> SqliteConnection:
    """Open a file for reading; one that nobody can write to now is read as it lies.

    A reader of a WAL file makes a file beside it, which a full or a read-only disk
    refuses. Where no log waits to be read, the file alone is the whole database.
    """
    uri = _read_only(path.absolute())
    try:
        return _begun(uri)
    except sqlite3.OperationalError as fault:
        waiting = Path(f"{path}-wal")
        if not _is_refusal(fault) or (waiting.exists() and waiting.stat().st_size):
            raise
    return _begun(f"{uri}&immutable=1")


@lru_cache(maxsize=64)
def _read_only(path: Path) -> str:
    return f"{path.as_uri()}?mode=ro"


def _begun(uri: str) -> SqliteConnection:
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


def _connect(uri: str, patience_s: float) -> SqliteConnection:
    made: Any = sqlite3.connect(
        uri,
        uri=True,
        timeout=patience_s,
        isolation_level=None,
        factory=SqliteConnection,
    )
    return made  # type: ignore[no-any-return]


def _into_wal(connection: SqliteConnection, patience_s: float) -> None:
    """Give a file its log; SQLite waits for nobody who does the same to a new one."""
    ends = monotonic() + patience_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as fault:
            busy = (fault.sqlite_errorname or "").startswith("SQLITE_BUSY")
            if not busy or monotonic() > ends:
                raise
            sleep(0.01)
        else:
            return


class _step:  # noqa: N801 - stands where sqlite-utils expects a function
    def __init__(self, name: str, step: "str | Callable[[Database], None]") -> None:
        self.__name__ = name
        self._step = step

    def __call__(self, db: "Database", /) -> None:
        if isinstance(self._step, str):
            db.executescript(self._step)
        else:
            self._step(db)
