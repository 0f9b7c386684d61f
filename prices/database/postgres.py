"""PostgreSQL as this program opens it: one transaction per unit of work, from a pool.

Loaded only where a database is named by an address: `gpucost[postgres]` brings psycopg.
"""

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg
from psycopg.adapt import Buffer, Loader
from psycopg.types.numeric import IntDumper
from psycopg.types.string import StrDumper
from psycopg_pool import ConnectionPool, PoolTimeout

from prices.database.connection import (
    BUSY_TIMEOUT_S,
    FREE_SPACE,
    UNFINISHED,
    BusyError,
    DatabaseError,
    Engine,
    InUseError,
    LostError,
    RuleError,
    Steps,
    StoreError,
)

MOST_CONNECTIONS: Final = 12
OLDEST: Final = 150_000
"""The first version that is supported, as the server numbers it."""
WRITERS, SERVED, DONE = 7_120_531, 7_120_532, 7_120_533
"""Advisory locks: of those who write in turn, of the bots that serve, of what one
process does at a time. The other number is the schema's."""
_SCHEMA_NAME: Final = "coalesce(current_schema(), '')"
_SCHEMA: Final = f"hashtext({_SCHEMA_NAME})"
CLOCK_S: Final = 10.0
"""How long the server's clock is not asked again."""
READS: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
READER_PATIENCE_S: Final = 15.0
"""A server that starts anew is waited for; whoever asks waits for an answer too."""

_WHY = {
    "53100": "the disk is full",
    "55P03": "another process has locked the database",
    "57014": "the database took too long",
    "25006": "the database cannot be written",
    "08": "the database server cannot be reached",
    "57P": "the database server is restarting",
    "XX001": "the database is damaged",
}
_MEND = {
    "53100": FREE_SPACE,
    "08": "Is the server up, and GPUCOST_DATABASE its address?",
}
BASELINE: Final[Mapping[str, tuple[str, ...]]] = {
    "prices": (
        "m001_offers_and_history",
        "m002_past_by_offer",
        "m003_facts_of_an_offer",
        "m004_datacrunch_is_verda",
    ),
    "answers": (
        "m001_answers",
        "m002_by_age",
        "m003_asked_again",
        "m004_asked_by",
    ),
    "alerts": (
        "m001_alerts",
        "m002_fractions_of_seconds",
    ),
    "preferences": ("m001_preferences",),
    "price_book": (
        "m001_price_book",
        "m002_far",
    ),
    "quarantine": ("m001_quarantine",),
    "rates": ("m001_rates",),
    "feeds": ("m001_feed_state",),
    "api_prices": ("m001_api_data",),
    "deliveries": (
        "m001_deliveries",
        "m002_durable",
    ),
    "threads": ("m001_threads",),
    "recent": ("m001_recent",),
    "feedback": ("m001_feedback",),
    "installations": ("m001_installations",),
    "audit": (
        "m001_audit",
        "m002_never_replaced",
        "m003_place",
    ),
}
"""The steps of each owner that `postgres.sql` comes to."""
LATER: Final[Mapping[tuple[str, str], str]] = {
    ("question_rates", "m001_question_rates"): """
        CREATE TABLE question_rates (
            team_id TEXT COLLATE "C" NOT NULL,
            user_id TEXT COLLATE "C" NOT NULL,
            level DOUBLE PRECISION NOT NULL,
            at DOUBLE PRECISION NOT NULL,
            told BIGINT NOT NULL,
            PRIMARY KEY (team_id, user_id)
        );
    """,
}
"""Every step after those, by its owner and name, in PostgreSQL's words."""
_PARTS = re.compile(r"'(?:[^']|'')*'|::\w+|\?(\d+)|\?|:([a-z_]\w*)|%")


class _Text(StrDumper):
    """PostgreSQL holds no NUL in a text: the mark of what cannot be shown stands in."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))


class _Flag(IntDumper):
    """Yes and no are kept as 1 and 0, as SQLite does."""

    def dump(self, obj: Any) -> Buffer | None:
        return super().dump(int(obj))

    def quote(self, obj: Any) -> Buffer:
        return super().quote(int(obj))


class _Sum(Loader):
    """A sum of whole numbers is whole."""

    def load(self, data: Buffer) -> int | float:
        said = bytes(data).decode()
        return float(said) if "." in said else int(said)


class _Dialect:
    """How PostgreSQL writes what SQLite writes in another way."""

    insert = "INSERT INTO"
    number = "BIGINT"
    held = "FOR UPDATE"
    free = "FOR UPDATE SKIP LOCKED"
    in_order = "JOIN"

    def numbers(self, parameter: str) -> str:
        return f"(SELECT said::bigint FROM {_list(parameter)})"  # noqa: S608 - constants

    def words(self, parameter: str) -> str:
        return f"(SELECT said FROM {_list(parameter)})"  # noqa: S608 - constants

    def pairs(self, parameter: str) -> str:
        rows = f"json_array_elements({parameter}::json) AS pair"
        return f"(SELECT pair ->> 0, pair ->> 1 FROM {rows})"  # noqa: S608 - constants

    def field(self, column: str, name: str) -> str:
        return f"({column}::json ->> '{name}')"

    def numbers_in(self, column: str, field: str, name: str) -> str:
        rows = f"json_array_elements({column}::json -> '{field}') AS each"
        return f"(SELECT (each ->> '{name}')::bigint FROM {rows})"  # noqa: S608

    def larger(self, *values: str) -> str:
        return f"greatest({', '.join(values)})"


def _list(parameter: str) -> str:
    return f"json_array_elements_text({parameter}::json) AS said"


DIALECT: Final = _Dialect()


@lru_cache(maxsize=1_000)
def translated(sql: str) -> str:
    """Write what is bound as psycopg does."""

    def part(found: re.Match[str]) -> str:
        number, name = found.groups()
        if number or name:
            return f"%({f'n{number}' if number else name})s"
        return "%s" if found[0] == "?" else found[0].replace("%", "%%")

    return _PARTS.sub(part, sql)


class PostgresConnection:
    """One transaction, with the statements that SQLite takes too."""

    dialect: Final = DIALECT

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self.raw = connection

    def execute(self, sql: str, parameters: Any = ()) -> Any:
        """Run a statement."""
        # What is bound is never a part of a statement: tests/test_sql.py follows each.
        said: Any = translated(sql)
        return self.raw.execute(said, _bound(sql, parameters))

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Any:
        """Run a statement for each set of values."""
        said: Any = translated(sql)
        cursor = self.raw.cursor()
        cursor.executemany(said, [_bound(sql, values) for values in parameters])
        return cursor

    def tables(self) -> set[str]:
        """Name every table."""
        rows = self.raw.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        )
        return {name for (name,) in rows}

    def steps(self) -> set[tuple[str, str]]:
        """Return the steps that the tables have been through, by owner."""
        if "migrations" not in self.tables():
            return set()
        rows = self.raw.execute("SELECT migration_set, name FROM migrations")
        return {(owner, name) for owner, name in rows}

    def migrate(self, owner: str, steps: Steps) -> None:
        """Make every table, once; a later step has to say how it is done here."""
        if "migrations" not in self.tables():
            self.raw.execute(_baseline())
        done = {name for held, name in self.steps() if held == owner}
        for name in steps:
            if name in done:
                continue
            if name not in BASELINE.get(owner, ()):
                if (later := LATER.get((owner, name))) is None:
                    raise StoreError(
                        f"{owner}: {name} cannot be done on PostgreSQL by this version"
                    )
                self.raw.execute(later.encode())
            self.raw.execute("INSERT INTO migrations VALUES (%s, %s)", (owner, name))

    def schema_version(self) -> int:
        """How many steps the tables of prices have been through."""
        return sum(owner == "prices" for owner, _ in self.steps())

    def set_schema_version(self, version: int) -> None:
        """Nothing to do: it is counted. Takes the place of a write for a probe."""
        self.raw.execute("UPDATE migrations SET applied_at = applied_at")

    def damage(self, most: int = 100) -> list[str]:
        """Nothing: the server looks after its pages (`pg_amcheck`)."""
        return []

    def log_kind(self) -> str:
        """Name the server."""
        (version,) = self.raw.execute("SHOW server_version").fetchone() or ("",)
        return f"PostgreSQL {version}"

    def forget_for_good(self) -> None:
        """Nothing: the server's VACUUM gives the space of deleted rows to others."""

    def team_tables(self) -> list[str]:
        """Name every table whose rows are a team's, by their column `team_id`."""
        rows = self.raw.execute(
            """
            SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND column_name = 'team_id'
            ORDER BY 1
            """
        )
        return [name for (name,) in rows]

    def key_of(self, table: str) -> list[str]:
        """Name the columns by which a table's rows are told apart, in their order."""
        rows = self.raw.execute(
            """
            SELECT a.attname::text FROM pg_index AS i
            CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (number, place)
            JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
            WHERE i.indisprimary AND i.indrelid = to_regclass(%s) ORDER BY k.place
            """,
            (table,),
        )
        return [name for (name,) in rows]

    def references(self) -> set[tuple[str, str]]:
        """Return each table whose rows name rows of another, and that one."""
        rows = self.raw.execute(
            """
            SELECT c.relname::text, p.relname::text FROM pg_constraint AS f
            JOIN pg_class AS c ON c.oid = f.conrelid
            JOIN pg_class AS p ON p.oid = f.confrelid
            WHERE f.contype = 'f'
                AND f.connamespace = (current_schema()::text)::regnamespace
            """
        )
        return set(rows.fetchall())

    @contextmanager
    def unguarded(self, table: str, trigger: str) -> Iterator[None]:
        """Let a trigger of a table stand aside until the block ends."""
        change = f"ALTER TABLE {table} %s TRIGGER {trigger}"
        self.raw.execute((change % "DISABLE").encode())
        yield
        self.raw.execute((change % "ENABLE").encode())

    def last_numbers(self) -> dict[str, int]:
        """Return the last number that was given to a row of each table."""
        rows = self.raw.execute(
            """
            SELECT t.relname::text,
                pg_sequence_last_value(pg_get_serial_sequence(
                    format('%%I.%%I', current_schema(), t.relname), 'id')::regclass)
            FROM pg_class AS t JOIN pg_attribute AS a ON a.attrelid = t.oid
            WHERE t.relnamespace = (current_schema()::text)::regnamespace
                AND t.relkind = 'r' AND a.attname = 'id' AND a.attidentity <> ''
            """,
            (),
        )
        return {name: int(last or 0) for name, last in rows}

    def go_on_from(self, table: str, number: int) -> None:
        """Give the next row of a table a later number than this one."""
        if number > self.last_numbers().get(table, number):
            place = "pg_get_serial_sequence(%s, 'id')"
            self.raw.execute(f"SELECT setval({place}, %s)".encode(), (table, number))


@dataclass(frozen=True)
class Postgres(Engine):
    """A database on a server, shared by any number of processes."""

    url: str = field(repr=False)
    folder: Path
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)
    _pools: "list[ConnectionPool[Any]]" = field(
        default_factory=list, repr=False, compare=False
    )
    _clock: "list[tuple[float, float]]" = field(
        default_factory=list, repr=False, compare=False
    )
    """The server's time, and this machine's seconds since it began, at one instant."""

    def __str__(self) -> str:
        """Name the database without what opens it."""
        parts = urlsplit(self.url)
        return f"postgresql://{parts.hostname or 'localhost'}{parts.path}"

    @property
    def file(self) -> Path:
        """There is none."""
        raise StoreError(
            f"{self} is kept by a server, and this is done to a file: there "
            "pg_dump and pg_restore do it (deploy/postgresql.md)"
        )

    @property
    def home(self) -> Path:
        """The folder of this process."""
        return self.folder

    @property
    def is_file(self) -> bool:
        """Tell whether this machine keeps it as a file."""
        return False

    @property
    def address(self) -> str:
        """Where it is."""
        return str(self)

    def exists(self) -> bool:
        """Tell whether anybody made tables yet."""
        with self.reading() as connection:
            held = connection.tables()
        if UNFINISHED in held:
            raise StoreError(
                f"a copy into {self} is not finished: run the same `gpucost db copy` "
                "again"
            )
        return "migrations" in held

    def is_forbidden(self) -> bool:
        """Tell nothing: the server says so when it is written."""
        return False

    def identity(self) -> None:
        """Tell nothing: the server keeps its files."""

    def size_bytes(self) -> int:
        """Return what the database takes."""
        with self.reading() as connection:
            size = "SELECT pg_database_size(current_database())"
            return int(connection.execute(size).fetchone()[0])

    def free_bytes(self) -> None:
        """Tell nothing: the server's disk is out of sight."""

    @contextmanager
    def reading(self) -> Iterator[PostgresConnection]:
        """Open a transaction that cannot write, in one consistent view of the data."""
        views = _VIEWS.get()
        if views is None:
            with self._transaction(READS, READER_PATIENCE_S) as connection:
                yield connection
            return
        if self.url not in views:
            with faults():
                view = ExitStack()
                begun = view.enter_context(self._transaction(READS, READER_PATIENCE_S))
                views[self.url] = _View(begun, view)
        shared = views[self.url]
        shared.readers += 1
        try:
            with faults():
                yield shared.connection
        except BaseException:
            # A transaction in which a statement failed answers no other.
            views.pop(self.url, None)
            raise
        finally:
            shared.readers -= 1
            if views.get(self.url) is not shared:
                shared.end_unread()

    @contextmanager
    def one_view(self) -> Iterator[None]:
        """Begin one transaction for all that the block reads, until it writes."""
        if _VIEWS.get() is not None:
            yield
            return
        views: dict[str, _View] = {}
        before = _VIEWS.set(views)
        try:
            yield
        finally:
            _VIEWS.reset(before)
            for shared in views.values():
                shared.end_unread()

    @contextmanager
    def writing(
        self,
        patience_s: float = BUSY_TIMEOUT_S,
        *,
        create: bool = False,
        alone: bool = True,
    ) -> Iterator[PostgresConnection]:
        """Open a transaction; `alone`: one that no other such is written beside.

        The advisory lock is taken before the first look, which then sees all that its
        last holder wrote.
        """
        del create  # the server makes databases, and whoever runs it
        if shared := (_VIEWS.get() or {}).pop(self.url, None):
            shared.end_unread()  # who reads after this looks anew
        begin = f"BEGIN; SET LOCAL lock_timeout = {int(patience_s * 1000)}"
        if alone:
            begin += f"; SELECT pg_advisory_xact_lock({WRITERS}, {_SCHEMA})"
        with self._transaction(begin, patience_s) as connection:
            yield connection

    @contextmanager
    def anchored(self) -> Iterator[None]:
        """Open the pool for as long as a process serves, and close it then."""
        self._pool()
        try:
            yield
        finally:
            self.close()

    @contextmanager
    def served(self) -> Iterator[None]:
        """Let every connection say that a bot serves, also one that is made anew."""
        self.close()
        with faults(), psycopg.connect(self.url, autocommit=True) as probe:
            if not _locked(probe, "pg_try_advisory_lock_shared"):
                raise InUseError(f"{self} is being copied: start again soon")
            with self._lock:
                self._pools.append(_opened(self.url, served=True))
        try:
            yield
        finally:
            self.close()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Have the database while no bot serves from it."""
        with faults(), psycopg.connect(self.url, autocommit=True) as holder:
            if not _locked(holder, "pg_try_advisory_lock"):
                raise InUseError(f"a bot serves from {self}: stop it first")
            yield

    @contextmanager
    def turns(self, names: Iterable[str]) -> Iterator[frozenset[str]]:
        """Give what nobody else does; a lock that is left behind ends with its process.

        The connection is one of its own: the locks are a session's.
        """
        with faults(), psycopg.connect(self.url, autocommit=True) as holder:
            take = (
                f"SELECT pg_try_advisory_lock({DONE}, hashtext({_SCHEMA_NAME} || %s))"
            )
            yield frozenset(
                name
                for name in names
                if holder.execute(take.encode(), (name,)).fetchone() == (True,)
            )

    def now(self) -> datetime:
        """Return the server's time, by which everybody's leases end.

        Between two looks at it this machine counts seconds, whatever its clock says.
        """
        counted = _seconds()
        if not self._clock or counted - self._clock[0][1] > CLOCK_S:
            try:
                with self.reading() as connection:
                    said = "SELECT extract(epoch FROM clock_timestamp())::float8"
                    (server,) = connection.execute(said).fetchone()
                self._clock[:] = [(server, _seconds())]
            except DatabaseError:
                if not self._clock:
                    return datetime.now(UTC)
        server, then = self._clock[0]
        return datetime.fromtimestamp(server, UTC) + timedelta(seconds=counted - then)

    def close(self) -> None:
        """Give every connection back to the server."""
        with self._lock:
            while self._pools:
                self._pools.pop().close()

    @contextmanager
    def _transaction(
        self, begin: str, patience_s: float
    ) -> Iterator[PostgresConnection]:
        with faults():
            pool = self._pool()
            raw = _begun(pool, begin, patience_s)
            try:
                yield PostgresConnection(raw)
                raw.execute("COMMIT")
            except BaseException:
                if not raw.closed:
                    raw.execute("ROLLBACK")
                raise
            finally:
                pool.putconn(raw)

    def _pool(self) -> "ConnectionPool[Any]":
        with self._lock:
            if not self._pools:
                self._pools.append(_opened(self.url))
            return self._pools[0]


@dataclass(slots=True)
class _View:
    """A transaction that several units of work read in, and how many do now."""

    connection: PostgresConnection
    open: ExitStack
    readers: int = 0

    def end_unread(self) -> None:
        """End it where nobody reads in it any more; what ends it cut costs nothing."""
        if not self.readers:
            with suppress(DatabaseError):
                self.open.close()


_VIEWS: Final = ContextVar[dict[str, _View] | None]("server_views", default=None)


def _begun(
    pool: "ConnectionPool[Any]", begin: str, patience_s: float
) -> "psycopg.Connection[Any]":
    """Take a connection that is alive: one that a restart cut is found out here."""
    ends = time.monotonic() + patience_s
    while True:
        raw: psycopg.Connection[Any] = pool.getconn(max(ends - time.monotonic(), 0.1))
        try:
            raw.execute(begin.encode())  # numbers of ours alone
        except BaseException:
            cut = bool(raw.closed)
            if not cut:
                raw.execute("ROLLBACK")
            pool.putconn(raw)
            if not cut or time.monotonic() > ends:
                raise
        else:
            return raw


def _opened(url: str, *, served: bool = False) -> "ConnectionPool[Any]":
    return ConnectionPool(
        url,
        min_size=1,
        max_size=MOST_CONNECTIONS,
        kwargs={"autocommit": True, "cursor_factory": psycopg.ClientCursor},
        configure=_say_that_it_serves if served else _configure,
        name="gpucost",
        open=True,
    )


def _locked(connection: "psycopg.Connection[Any]", take: str) -> bool:
    row = connection.execute(f"SELECT {take}({SERVED}, {_SCHEMA})".encode()).fetchone()
    return bool(row and row[0])


def _seconds() -> float:
    """Count seconds, those through which the machine slept too."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


def _say_that_it_serves(connection: "psycopg.Connection[Any]") -> None:
    _configure(connection)
    if not _locked(connection, "pg_try_advisory_lock_shared"):
        raise InUseError("the database is being copied")


def _configure(connection: "psycopg.Connection[Any]") -> None:
    if connection.info.server_version < OLDEST:
        said = connection.info.parameter_status("server_version")
        raise StoreError(f"PostgreSQL {said} is too old: 15 or newer is needed")
    connection.adapters.register_dumper(str, _Text)
    connection.adapters.register_dumper(bool, _Flag)
    connection.adapters.register_loader("numeric", _Sum)


@contextmanager
def faults() -> Iterator[None]:
    """Raise what PostgreSQL refuses as this program's own exceptions."""
    try:
        yield
    except PoolTimeout as fault:
        why = "the database server cannot be reached"
        raise DatabaseError(why, why, _MEND["08"]) from fault
    except psycopg.Error as fault:
        raise told(fault) from fault


def told(fault: psycopg.Error) -> DatabaseError:
    """Say what the server refused; its details may quote what somebody wrote."""
    code = fault.sqlstate or (
        "08" if isinstance(fault, psycopg.OperationalError) else ""
    )
    said = fault.diag.message_primary or type(fault).__name__
    why, helps = (
        next((words for start, words in known.items() if code.startswith(start)), "")
        for known in (_WHY, _MEND)
    )
    kinds: Mapping[str, type[DatabaseError]] = {
        "23": RuleError,
        "55P03": BusyError,
        "08": LostError,
        "57P": LostError,
    }
    kind = next((k for start, k in kinds.items() if code.startswith(start)), None)
    return (kind or DatabaseError)(said, why, helps)


def _bound(sql: str, parameters: Any) -> Any:
    """Name numbered values, which psycopg knows by name alone."""
    if "?1" in sql and not isinstance(parameters, Mapping):
        return {f"n{place}": value for place, value in enumerate(parameters, 1)}
    return parameters


def _baseline() -> Any:
    return files("prices.database").joinpath("postgres.sql").read_text("utf-8")
