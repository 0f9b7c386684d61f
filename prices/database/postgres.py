"""PostgreSQL as this program opens it: one transaction per unit of work, from a pool.

Loaded only where a database is named by an address: `gpucost[postgres]` brings psycopg.
"""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg
from msgspec import Struct
from psycopg.adapt import Buffer, Loader
from psycopg.types.numeric import IntDumper
from psycopg.types.string import StrDumper
from psycopg_pool import ConnectionPool, PoolTimeout

from core.reference.packaged import files
from core.wording import say
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
    counted_seconds,
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
LET_GO_S: Final = 1.0
"""How long the server's clock is not asked again."""
READS: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
READER_PATIENCE_S: Final = 15.0
"""A server that starts anew is waited for; whoever asks waits for an answer too."""
PLANNED_AFTER, MOST_PLANNED = 3, 100
"""A statement is planned for good where a connection ran it so often; so many are."""

_WHY = {
    "53100": say("database.disk_full"),
    "55P03": say("database.locked"),
    "57014": say("database.too_slow"),
    "25006": say("database.not_writable"),
    "08": say("database.server_unreachable"),
    "57P": say("database.server_restarting"),
    "XX001": say("database.damaged"),
}
_MEND = {
    "53100": FREE_SPACE,
    "08": say("database.check_server"),
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
_TYPES: Final[Mapping[type, str]] = {
    bool: "bigint",
    bytes: "bytea",
    float: "float8",
    int: "bigint",
    str: "unknown",
    type(None): "unknown",
}
"""What is bound, as a plan takes it; a text is what stands where it is used."""
_PLANNED = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE)\s")
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

    def lists(self, parameter: str, *names: str) -> str:
        columns = ", ".join(
            f"(each ->> {n})::bigint AS {name}" for n, name in enumerate(names)
        )
        rows = f"json_array_elements({parameter}::json) AS each"
        return f"(SELECT {columns} FROM {rows})"  # noqa: S608 - constants

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


class _Plan(Struct, frozen=True):
    """A statement as the server plans it, with the values in the order of their use."""

    sql: str
    places: tuple[int | str, ...]

    def values(self, parameters: Any) -> list[Any]:
        """Put what is bound in order."""
        return [parameters[place] for place in self.places]

    def named(self, name: str, kinds: tuple[type, ...]) -> str:
        """Have the server plan it under a name."""
        types = ", ".join(_TYPES[kind] for kind in kinds)
        return f"PREPARE {name}{types and f'({types})'} AS {self.sql}"

    def by_name(self, name: str) -> str:
        """Run what the server planned."""
        marks = ", ".join(["%s"] * len(self.places))
        return f"EXECUTE {name}{marks and f'({marks})'}"


@lru_cache(maxsize=1_000)
def _plan(sql: str) -> _Plan | None:
    """Write a statement to be planned once; None: what it returns may change its shape.

    A later version may add columns while this one runs.
    """
    if "*" in sql or not _PLANNED.match(sql):
        return None
    places: list[int | str] = []

    def part(found: re.Match[str]) -> str:
        number, name = found.groups()
        if not number and not name and found[0] != "?":
            return found[0]
        place = int(number) - 1 if number else name or len(places)
        if place not in places:
            places.append(place)
        return f"${places.index(place) + 1}"

    return _Plan(_PARTS.sub(part, sql), tuple(places))


class _Server(psycopg.Connection[Any]):
    """A connection, and the statements that the server has planned for it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._used: Counter[tuple[str, tuple[type, ...]]] = Counter()
        self._planned: dict[tuple[str, tuple[type, ...]], str] = {}

    def run(self, sql: str, parameters: Any, before: str = "") -> Any:
        """Run a statement, by its plan where there is one, after what goes before."""
        # What is bound is never a part of a statement: tests/test_sql.py follows each.
        said = translated(sql)
        values = _bound(sql, parameters)
        if plan := _plan(sql):
            in_order = plan.values(parameters)
            kind = (sql, tuple(map(type, in_order)))
            if self._planned.get(kind):
                said = plan.by_name(self._planned[kind])
                values = in_order
            elif kind not in self._planned:
                self._used[kind] += 1
        return _last(self.execute(f"{before}{said}".encode(), values))

    def plan(self) -> None:
        """Have planned, between two transactions, what is run again and again.

        What the server cannot plan without the values stays as it is.
        """
        often = [kind for kind, times in self._used.items() if times >= PLANNED_AFTER]
        for kind in often:
            del self._used[kind]
            name, plan = f"gpucost_{len(self._planned)}", _plan(kind[0])
            self._planned[kind] = ""
            if plan is None or len(self._planned) > MOST_PLANNED:
                continue
            if not set(kind[1]) <= _TYPES.keys():
                continue
            with suppress(psycopg.Error):
                self.execute(plan.named(name, kind[1]).encode())
                self._planned[kind] = name


def _last(cursor: Any) -> Any:
    """Pass over what the statements before the last one returned."""
    while cursor.nextset():
        pass
    return cursor


class PostgresConnection:
    """One transaction, with the statements that SQLite takes too."""

    dialect: Final = DIALECT

    def __init__(self, begun: "_Begun") -> None:
        self._begun = begun

    @property
    def raw(self) -> "psycopg.Connection[Any]":
        """The connection, in a transaction."""
        return self._begun.connection()

    def execute(self, sql: str, parameters: Any = ()) -> Any:
        """Run a statement."""
        return self._begun.execute(sql, parameters)

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
                        say("database.step_unknown", owner=owner, name=name)
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
        raise StoreError(say("database.for_files_only", place=self))

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
            raise StoreError(say("database.copy_unfinished", place=self))
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
            begun = self._begun(READS, READER_PATIENCE_S)
            with self._transaction(begun) as connection:
                yield connection
            return
        if self.url not in views:
            views[self.url] = _View(self._begun(READS, READER_PATIENCE_S))
        shared = views[self.url]
        shared.readers += 1
        try:
            with faults():
                yield PostgresConnection(shared.begun)
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
        begin = f"BEGIN; {_patient(patience_s)}"
        if alone:
            begin += f"; SELECT pg_advisory_xact_lock({WRITERS}, {_SCHEMA})"
        begun = self._after_view(begin, patience_s)
        with self._transaction(begun) as connection:
            if alone:
                begun.connection()
            yield connection

    def execute_at_once(
        self, sql: str, parameters: Any, patience_s: float = BUSY_TIMEOUT_S
    ) -> int:
        """Send a statement in one message, which is a transaction by itself."""
        begun = self._after_view(_patient(patience_s), patience_s)
        with self._transaction(begun):
            return int(begun.execute(sql, parameters).rowcount)

    def _after_view(self, begin: str, patience_s: float) -> "_Begun":
        """Write on the connection that was read from; who reads next looks anew."""
        begun = self._begun(begin, patience_s)
        shared = (_VIEWS.get() or {}).pop(self.url, None)
        if shared is not None and not shared.readers:
            begun.go_on_from(shared.begun)
        return begun

    def _begun(self, begin: str, patience_s: float) -> "_Begun":
        with faults():
            return _Begun(self._pool(), begin, patience_s)

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
                raise InUseError(say("database.copied_start_again", place=self))
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
                raise InUseError(say("database.bot_is_serving", place=self))
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
        counted = counted_seconds()
        if not self._clock or counted - self._clock[0][1] > CLOCK_S:
            try:
                with self.reading() as connection:
                    said = "SELECT extract(epoch FROM clock_timestamp())::float8"
                    (server,) = connection.execute(said).fetchone()
                self._clock[:] = [(server, counted_seconds())]
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
    def _transaction(self, begun: "_Begun") -> Iterator[PostgresConnection]:
        with faults():
            try:
                yield PostgresConnection(begun)
                begun.end("COMMIT")
            except BaseException:
                begun.end("ROLLBACK")
                raise
            finally:
                begun.give_back()

    def _pool(self) -> "ConnectionPool[_Server]":
        with self._lock:
            if not self._pools:
                self._pools.append(_opened(self.url))
            return self._pools[0]


class _Begun:
    """A transaction that begins with its first statement, in one message.

    A connection of the pool may be cut, by a restart say. That message finds it out,
    and is sent again on another one.
    """

    def __init__(
        self, pool: "ConnectionPool[_Server]", begin: str, patience_s: float
    ) -> None:
        self._pool, self._begin, self._patience_s = pool, begin, patience_s
        self._raw: _Server | None = None
        self._is_begun = False

    def go_on_from(self, other: "_Begun") -> None:
        """Use the connection of a transaction, which ends then."""
        if other._is_begun and other._pool is self._pool:
            self._raw, other._raw = other._raw, None
            self._begin = f"COMMIT; {self._begin}"
        other.give_back()

    def connection(self) -> "psycopg.Connection[Any]":
        """Begin without a statement, where nothing began yet."""
        if self._raw is not None and self._is_begun:
            return self._raw
        begun: psycopg.Connection[Any] = self._first("", ()).connection
        return begun

    def execute(self, sql: str, parameters: Any) -> Any:
        """Run a statement."""
        if self._raw is None or not self._is_begun:
            return self._first(sql, parameters)
        return self._raw.run(sql, parameters)

    def _first(self, sql: str, parameters: Any) -> Any:
        ends = time.monotonic() + self._patience_s
        while True:
            if self._raw is None:
                left = max(ends - time.monotonic(), 0.1)
                self._raw = self._pool.getconn(left)
            try:
                found = self._raw.run(sql, parameters, f"{self._begin}; ")
            except psycopg.Error:
                if not self._raw.closed or time.monotonic() > ends:
                    raise
                self.give_back()
            else:
                self._is_begun = True
                return found

    def end(self, how: str) -> None:
        """End it, if it began and was not cut."""
        raw = self._raw
        if raw is None or raw.closed:
            return
        if raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            raw.execute(how.encode())

    def give_back(self) -> None:
        """Give the connection back."""
        raw, self._raw = self._raw, None
        if raw is None:
            return
        if raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
            raw.plan()
        self._pool.putconn(raw)


class _View(Struct):
    """A transaction that several units of work read in, and how many do now."""

    begun: _Begun
    readers: int = 0

    def end_unread(self) -> None:
        """End it where nobody reads in it any more; what ends it cut costs nothing."""
        if not self.readers:
            with suppress(psycopg.Error):
                self.begun.end("COMMIT")
            self.begun.give_back()


_VIEWS: Final = ContextVar[dict[str, _View] | None]("server_views", default=None)


def _patient(seconds: float) -> str:
    return f"SET LOCAL lock_timeout = {int(seconds * 1000)}"


def _opened(url: str, *, served: bool = False) -> "ConnectionPool[_Server]":
    return ConnectionPool(
        url,
        min_size=1,
        max_size=MOST_CONNECTIONS,
        connection_class=_Server,
        kwargs={"autocommit": True, "cursor_factory": psycopg.ClientCursor},
        configure=_say_that_it_serves if served else _configure,
        name="gpucost",
        open=True,
    )


def _locked(connection: "psycopg.Connection[Any]", take: str) -> bool:
    """Say whether the lock is had, a second long.

    The server lets go of a closed connection's locks a moment after it was closed.
    """
    query = f"SELECT {take}({SERVED}, {_SCHEMA})".encode()
    until = time.monotonic() + LET_GO_S
    while connection.execute(query).fetchone() != (True,):
        if time.monotonic() > until:
            return False
        time.sleep(LET_GO_S / 50)
    return True


def _say_that_it_serves(connection: "psycopg.Connection[Any]") -> None:
    _configure(connection)
    if not _locked(connection, "pg_try_advisory_lock_shared"):
        raise InUseError(say("database.being_copied"))


def _configure(connection: "psycopg.Connection[Any]") -> None:
    if connection.info.server_version < OLDEST:
        said = connection.info.parameter_status("server_version")
        raise StoreError(say("database.server_too_old", version=said))
    connection.adapters.register_dumper(str, _Text)
    connection.adapters.register_dumper(bool, _Flag)
    connection.adapters.register_loader("numeric", _Sum)


@contextmanager
def faults() -> Iterator[None]:
    """Raise what PostgreSQL refuses as this program's own exceptions."""
    try:
        yield
    except PoolTimeout as fault:
        why = say("database.server_unreachable")
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
