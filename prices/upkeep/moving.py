"""Everything that one database holds, copied into another: from file to server or back.

Rows go in the order of their keys, some thousands in a transaction. What was copied
stays where a copy is cut off, and the next one goes on behind it. Until every row was
read on both sides and found to be the same, the target cannot be used.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from graphlib import TopologicalSorter
from pathlib import Path
from time import monotonic
from typing import Any

from msgspec import Struct

from core.wording import say
from prices.database import files
from prices.database.connection import (
    UNFINISHED,
    Connection,
    Engine,
    OutdatedError,
    StoreError,
)
from prices.database.sqlite import Sqlite
from prices.records import audit
from prices.upkeep import copying, locks, schema

TOGETHER = 5_000
"""Rows in one transaction."""
BOOKKEEPING = frozenset({"migrations", "_sqlite_migrations", UNFINISHED})
"""Tables that each database keeps of itself."""
COPIED = "database copied"

Progress = Callable[[str, int], None]
"""Told which table is copied, and how many rows of it there are by now."""


class Moved(Struct, frozen=True):
    """A copy of which every row was read back."""

    rows: dict[str, int]
    seconds: float
    replaced: int
    """Rows with a NUL in a text, which a server cannot keep."""


def move(
    source: Engine, target: Engine, *, by: str, progress: Progress | None = None
) -> Moved:
    """Copy a database that nobody serves from into one that nobody uses."""
    if not source.exists():
        raise StoreError(say("database.no_database", place=source))
    if source.address == target.address:
        raise StoreError(say("database.copy_into_itself", source=source))
    began = monotonic()
    with ExitStack() as held:
        held.enter_context(locks.alone_with(source))
        place = _place(target)
        held.enter_context(locks.alone_with(place))
        _begin(source, place)
        moved = _Copy(source, place, progress or _silent)
        moved.run()
        _finish(source, target, place, by)
    return Moved(moved.rows, monotonic() - began, moved.replaced)


def look_at(source: Engine, target: Engine) -> None:
    """Copy what a database holds at one instant into a new one, while bots go on."""
    if source.is_file and target.is_file:
        files.copy(source.file, target.file)
        return
    with source.one_view():
        _begin(source, target)
        _Copy(source, target, _silent).run()
        with target.writing() as connection:
            _end(source, connection)


def _place(target: Engine) -> Engine:
    """Where a copy is built: on a server itself, else in a file beside the target."""
    if not target.is_file:
        return target
    if target.file.exists():
        raise StoreError(say("database.name_a_new_file", target=target))
    if not target.file.absolute().parent.is_dir():
        raise StoreError(
            say("database.no_folder", folder=target.file.absolute().parent)
        )
    part = Path(f"{target.file}.unfinished")
    part.touch(mode=0o600)
    return Sqlite(part)


def _begin(source: Engine, place: Engine) -> None:
    """Make the tables, or go on with a copy of the same database."""
    with source.reading() as connection:
        states = schema.states(connection)
        if schema.pending(connection) or schema.unknown(connection):
            raise OutdatedError(source)
    with place.writing(create=True) as connection:
        tables = connection.tables()
        if UNFINISHED in tables:
            (said,) = connection.execute(
                "SELECT source FROM unfinished_copy"
            ).fetchone()
            if said != str(source):
                raise StoreError(say("database.part_of_copy", place=place, other=said))
            return
        if tables - {"sqlite_sequence"}:
            raise StoreError(say("database.target_in_use", place=place))
        for state in states:
            connection.migrate(state.owner, schema.SETS[state.owner])
        version = len(schema.SETS["prices"])
        connection.set_schema_version(version)
        connection.execute("CREATE TABLE unfinished_copy (source TEXT NOT NULL)")
        connection.execute("INSERT INTO unfinished_copy VALUES (?)", (str(source),))


def _finish(source: Engine, target: Engine, place: Engine, by: str) -> None:
    """Let the copy be used."""
    with place.writing() as connection:
        _end(source, connection)
        if any(owner == "audit" for owner, _ in connection.steps()):
            entry = audit.Entry(
                datetime.now(UTC), audit.OPERATOR, by, COPIED, str(source)
            )
            audit.note(connection, entry)
    if place is not target:
        files.settle(place.file)
        copying.publish(place.file, target.file, replace=False)
        place.file.unlink(missing_ok=True)
        Path(f"{place.file}{locks.USE}").unlink(missing_ok=True)


def _end(source: Engine, connection: Connection) -> None:
    """Let the numbers of a copy go on where they were."""
    with source.reading() as original:
        given = original.last_numbers()
    known = given.keys() | connection.last_numbers().keys()
    for table in known & connection.tables():
        last = max(given.get(table, 0), _highest(connection, table))
        connection.go_on_from(table, last)
    connection.execute("DROP TABLE unfinished_copy")


def _highest(connection: Connection, table: str) -> int:
    (found,) = connection.execute(f"SELECT max(id) FROM {_name(table)}").fetchone()  # noqa: S608 - quoted
    return int(found or 0)


class _Copy:
    """Copies table by table, those first whose rows others name; then compares."""

    def __init__(self, source: Engine, place: Engine, progress: Progress) -> None:
        self.source, self.place, self.progress = source, place, progress
        self.rows: dict[str, int] = {}
        self.replaced = 0

    def run(self) -> None:
        """Copy what is missing, and look whether both hold the same."""
        tables = self._tables()
        for table in tables:
            self._copy(table)
        for table in tables:
            self._compare(table)

    def _tables(self) -> list[str]:
        with self.place.reading() as connection:
            there = _own(connection)
        with self.source.reading() as connection:
            held = _own(connection)
            # A server has every table, also those that nobody ever wrote to.
            missing = {name for name in held - there if _count(connection, name)}
            held &= there
        with self.place.reading() as connection:
            order = TopologicalSorter({table: set() for table in sorted(held)})
            for table, other in sorted(connection.references()):
                if table in held and other != table:
                    order.add(table, other)
        if missing:
            raise StoreError(
                say(
                    "database.no_table",
                    place=self.place,
                    tables=", ".join(sorted(missing)),
                )
            )
        return [table for table in order.static_order() if table in held]

    def _copy(self, table: str) -> None:
        key, last = self._key(table), None
        with self.place.reading() as connection:
            last = _last(connection, table, key)
            self.rows[table] = _count(connection, table)
        for rows in self._read(self.source, table, key, last):
            kept = [self._kept(row) for row in rows]
            pairs = zip(rows, kept, strict=True)
            self.replaced += sum(tuple(row) != held for row, held in pairs)
            marks = ", ".join("?" * len(rows[0]))
            with self.place.writing() as connection:
                if not key:  # a few rows without a name of their own: all or none
                    connection.execute(f"DELETE FROM {_name(table)}")  # noqa: S608 - quoted
                    self.rows[table] = 0
                connection.executemany(
                    f"INSERT INTO {_name(table)} VALUES ({marks})",  # noqa: S608 - quoted
                    kept,
                )
            self.rows[table] += len(rows)
            self.progress(table, self.rows[table])

    def _compare(self, table: str) -> None:
        key, count = self._key(table), 0
        ours = self._read(self.source, table, key, None)
        theirs = self._read(self.place, table, key, None)
        for rows in ours:
            expected = [self._kept(row) for row in rows]
            found = [tuple(row) for row in next(theirs, [])]
            if not key:
                expected, found = sorted(expected), sorted(found)
            if expected != found:
                raise StoreError(
                    say(
                        "database.copies_differ",
                        table=table,
                        source=self.source,
                        place=self.place,
                        count=count,
                    )
                )
            count += len(rows)
        if next(theirs, None):
            raise StoreError(
                say(
                    "database.more_rows",
                    place=self.place,
                    table=table,
                    source=self.source,
                )
            )

    def _kept(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """Return a row as the target keeps it."""
        if self.place.is_file:
            return tuple(row)
        nul, mark = "\0", "\N{REPLACEMENT CHARACTER}"
        return tuple(v.replace(nul, mark) if isinstance(v, str) else v for v in row)

    def _key(self, table: str) -> list[str]:
        with self.place.reading() as connection:
            return connection.key_of(table)

    def _read(
        self, engine: Engine, table: str, key: Sequence[str], last: Any
    ) -> Iterator[list[Any]]:
        """Yield the rows behind a key, some thousands at a time; all where none is."""
        names = ", ".join(map(_name, key))
        while True:
            behind = f"WHERE ({names}) > ({', '.join('?' * len(key))})" if last else ""
            order = f"ORDER BY {names} LIMIT {TOGETHER}" if key else ""
            with engine.reading() as connection:
                rows = connection.execute(
                    f"SELECT * FROM {_name(table)} {behind} {order}",  # noqa: S608 - quoted
                    last or (),
                ).fetchall()
                columns = _columns(connection, table) if rows else []
            if not rows:
                return
            yield rows
            if not key or len(rows) < TOGETHER:
                return
            last = tuple(rows[-1][columns.index(name)] for name in key)


def _own(connection: Connection) -> set[str]:
    return {
        name
        for name in connection.tables() - BOOKKEEPING
        if not name.startswith("sqlite_")
    }


def _columns(connection: Connection, table: str) -> list[str]:
    found: Any = connection.execute(f"SELECT * FROM {_name(table)} LIMIT 0")  # noqa: S608 - quoted
    return [column[0] for column in found.description]


def _last(connection: Connection, table: str, key: Sequence[str]) -> Any:
    """Return the key of the last row that is there."""
    if not key:
        return None
    names = ", ".join(map(_name, key))
    down = ", ".join(f"{_name(name)} DESC" for name in key)
    return connection.execute(
        f"SELECT {names} FROM {_name(table)} ORDER BY {down} LIMIT 1"  # noqa: S608 - quoted
    ).fetchone()


def _count(connection: Connection, table: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {_name(table)}").fetchone()  # noqa: S608 - quoted
    return int(count)


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _silent(table: str, rows: int) -> None:
    """Tell nobody."""
