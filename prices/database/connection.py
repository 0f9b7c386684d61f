"""What books ask of a database, whichever engine keeps it, and what it may refuse."""

import errno
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.wording import say

if TYPE_CHECKING:
    from sqlite_utils import Database as Database

log = logging.getLogger("gpucost")

BUSY_TIMEOUT_S = 30.0
UNFINISHED = "unfinished_copy"
"""A table that is there until a copy into a database is whole."""
PATIENCE_S = 2.0
"""How long an answer waits for the write lock before it is given without being kept."""
FREE_SPACE = say("database.free_space")


Steps = Mapping[str, "str | Callable[[Database], None]"]
"""Each step of an owner's tables by name: SQL for SQLite, or a function where the SQL
depends on what is there."""


def counted_seconds() -> float:
    """Count seconds whoever sets the clock, those that the machine slept too."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class StoreError(Exception):
    """The price store cannot be used; the message says which database and why."""


class InUseError(StoreError):
    """Somebody else has the database."""


class DatabaseError(Exception):
    """The database could not do what was asked; `why` says it in words, if known."""

    def __init__(self, said: str, why: str = "", helps: str = "") -> None:
        super().__init__(said)
        self.why, self.helps = why, helps


class BusyError(DatabaseError):
    """Somebody else kept the database locked for longer than one may wait."""


class DamagedError(DatabaseError):
    """The database itself cannot be relied on: damaged, or not one at all."""


class LostError(DatabaseError):
    """The connection to a server was cut: what was only read may be read again."""


class RuleError(DatabaseError):
    """A constraint or a trigger of the tables forbids what was to be written."""


class Rows(Protocol):
    """What a statement returned."""

    @property
    def rowcount(self) -> int:
        """How many rows were written."""

    def fetchone(self) -> Any:
        """Return the next row, None after the last."""

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows that are left."""


class Dialect(Protocol):
    """How an engine writes what the two do not write alike."""

    @property
    def insert(self) -> str:
        """Begins an insertion of many rows within a transaction."""

    @property
    def number(self) -> str:
        """Name the type of whole numbers of any size."""

    @property
    def held(self) -> str:
        """End a SELECT whose rows nobody else may write until the transaction ends."""

    @property
    def free(self) -> str:
        """End one that does the same, and passes over rows that another holds."""

    @property
    def in_order(self) -> str:
        """Join two tables, where it helps in the order in which they are named."""

    def numbers(self, parameter: str) -> str:
        """Write the rows of a JSON list of whole numbers."""

    def words(self, parameter: str) -> str:
        """Write the rows of a JSON list of texts."""

    def pairs(self, parameter: str) -> str:
        """Write the rows, of two columns, of a JSON list of two texts each."""

    def lists(self, parameter: str, *names: str) -> str:
        """Write the rows, of columns so named, of a JSON list of lists of numbers."""

    def field(self, column: str, name: str) -> str:
        """Write a field, as text, of the JSON object in a column."""

    def numbers_in(self, column: str, field: str, name: str) -> str:
        """Write the rows of a number in each object of a list in a JSON object."""

    def larger(self, *values: str) -> str:
        """Write the largest of several values, none of them NULL."""


class Connection(Protocol):
    """One transaction: statements with `?`, `?1` or `:name` for what is bound."""

    @property
    def dialect(self) -> Dialect:
        """How this engine writes what the two do not write alike."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Rows:
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Rows:
        """Run a statement for each set of values."""

    def tables(self) -> set[str]:
        """Name every table."""

    def steps(self) -> set[tuple[str, str]]:
        """Return the steps that the tables have been through, by owner."""

    def migrate(self, owner: str, steps: Steps, /) -> None:
        """Do what is missing of an owner's steps."""

    def schema_version(self) -> int:
        """How many steps the tables of prices have been through."""

    def set_schema_version(self, version: int) -> None:
        """Note how many steps the tables of prices have been through."""

    def damage(self, most: int = ...) -> list[str]:
        """Name what a look at every page finds wrong; nothing where all is whole."""

    def log_kind(self) -> str:
        """Name how the engine makes a transaction outlive a crash."""

    def forget_for_good(self) -> None:
        """Overwrite what this transaction deletes, where the engine can."""

    def team_tables(self) -> list[str]:
        """Name every table whose rows are a team's, by their column `team_id`."""

    def key_of(self, table: str) -> list[str]:
        """Name the columns by which a table's rows are told apart, in their order."""

    def references(self) -> set[tuple[str, str]]:
        """Return each table whose rows name rows of another, and that one."""

    def unguarded(self, table: str, trigger: str, /) -> AbstractContextManager[None]:
        """Let a trigger of a table stand aside until the block ends."""

    def last_numbers(self) -> dict[str, int]:
        """Return the last number that was given to a row of each table."""

    def go_on_from(self, table: str, number: int) -> None:
        """Give the next row of a table a later number than this one."""


class Engine(ABC):
    """A database: each unit of work is one transaction on a connection of its own."""

    @property
    @abstractmethod
    def file(self) -> Path:
        """The file that it is; `StoreError` where a server keeps it."""

    @property
    @abstractmethod
    def is_file(self) -> bool:
        """Tell whether this machine keeps it as a file."""

    @property
    @abstractmethod
    def address(self) -> str:
        """Where it is, the same for whoever means the same database."""

    @property
    @abstractmethod
    def home(self) -> Path:
        """The folder of this process beside it."""

    @abstractmethod
    def exists(self) -> bool:
        """Tell whether there is anything yet."""

    @abstractmethod
    def is_forbidden(self) -> bool:
        """Tell whether this process may not write it at all."""

    def broken_log(self) -> str:
        """Say what of an open database only a restart mends; "": nothing."""
        return ""

    @abstractmethod
    def identity(self) -> object | None:
        """Tell this database from another that lies in its place; None: it is gone."""

    @abstractmethod
    def size_bytes(self) -> int:
        """Return what the database takes."""

    @abstractmethod
    def free_bytes(self) -> int | None:
        """Return what is free on its disk; None where this process cannot see it."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """Open a connection that cannot write, in one consistent view of the data."""

    def one_view(self) -> AbstractContextManager[None]:
        """Read in one view of the data for a block, where that saves opening it."""
        return nullcontext()

    @abstractmethod
    def writing(
        self,
        patience_s: float = BUSY_TIMEOUT_S,
        *,
        create: bool = False,
        alone: bool = True,
    ) -> AbstractContextManager[Connection]:
        """Open a connection whose changes all count, or none of them.

        Those that read what they write back are `alone`: they take turns. Where each
        statement is right whatever others write meanwhile, a server lets many write.
        """

    def execute_at_once(
        self, sql: str, parameters: Any, patience_s: float = BUSY_TIMEOUT_S
    ) -> int:
        """Run one statement that is right whatever others write; count what it wrote.

        It may run twice where a server's connection is cut before the server replies.
        """
        with self.writing(patience_s, alone=False) as connection:
            return connection.execute(sql, parameters).rowcount

    @abstractmethod
    def anchored(self) -> AbstractContextManager[None]:
        """Keep the database at hand for as long as a process serves from it."""

    def served(self) -> AbstractContextManager[None]:
        """Tell a server that a bot serves; a file's locks lie beside it."""
        return nullcontext()

    def alone(self) -> AbstractContextManager[None]:
        """Have what a server keeps while no bot serves from it."""
        return nullcontext()

    @contextmanager
    def turns(self, names: Iterable[str]) -> Iterator[frozenset[str]]:
        """Give the things among these that nobody else of a fleet does meanwhile."""
        yield frozenset(names)

    def now(self) -> datetime:
        """Return the time that everybody who shares the database goes by."""
        return datetime.now(UTC)


@contextmanager
def dispensable(what: str) -> Iterator[None]:
    """Let a write fail that no answer may be lost for; the log says which."""
    try:
        yield
    except DatabaseError as fault:
        log.warning("%s not kept: %s", what, reason(fault))


def reason(fault: BaseException) -> str:
    """Say in words what the database could not do."""
    return getattr(fault, "why", "") or str(fault)


def mend(fault: BaseException) -> str:
    """Say what helps against a fault of the file or the disk; empty: nobody knows."""
    cause = fault if isinstance(fault, DatabaseError) else fault.__cause__ or fault
    if isinstance(cause, OSError) and cause.errno == errno.ENOSPC:
        return FREE_SPACE
    return cause.helps if isinstance(cause, DatabaseError) else ""


class OutdatedError(Exception):
    """An older version wrote the database; whoever composes the program migrates it."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(say("database.older_version", place=engine))
        self.engine = engine
