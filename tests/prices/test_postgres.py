"""PostgreSQL as an engine: what its tables, its refusals and its locks have to do."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.config.settings import load_settings
from prices.database.connection import (
    BusyError,
    Connection,
    DatabaseError,
    Engine,
    LostError,
    RuleError,
    StoreError,
)
from prices.database.opening import engine_at
from prices.database.sqlite import Sqlite
from prices.database.tables import prepare
from prices.history.store import Store
from prices.records.preferences import Preferences, Setting
from prices.records.threads import Threads
from prices.upkeep.schema import SETS
from tests.engines import engine_of, kept_by

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Engine]:
    """An empty database on the server."""
    with kept_by("postgresql"):
        yield engine_of(tmp_path / "shared")


def test_it_has_the_tables_and_columns_of_sqlite(
    shared: Engine, tmp_path: Path
) -> None:
    """In the same order: an insertion may name none of them."""
    from prices.database.postgres import BASELINE, LATER

    for owner, steps in SETS.items():
        prepare(shared, owner, steps)
    file = Sqlite(tmp_path / "a.sqlite3")
    for owner, steps in SETS.items():
        with file.writing(create=True) as connection:
            connection.migrate(owner, steps)
    with file.reading() as connection:
        names = {n for n in connection.tables() if "sqlite" not in n}
        columns = {
            name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            for name in names
        }

    with shared.reading() as connection:
        assert names | {"migrations"} == connection.tables()
        for name, expected in columns.items():
            found = connection.execute(
                "SELECT column_name::text FROM information_schema.columns WHERE"
                " table_schema = current_schema() AND table_name = ?"
                " ORDER BY ordinal_position",
                (name,),
            )
            assert expected == [column for (column,) in found]
    done = [(owner, step) for owner, steps in BASELINE.items() for step in steps]
    known = [(owner, step) for owner, steps in SETS.items() for step in steps]
    assert sorted(known) == sorted([*done, *LATER])


def test_a_step_that_nobody_wrote_for_it_is_refused(shared: Engine) -> None:
    """Nothing is half migrated."""
    with (
        pytest.raises(StoreError, match="cannot be done on PostgreSQL"),
        shared.writing() as connection,
    ):
        connection.migrate("threads", {"m900_later": "SELECT 1"})

    assert not shared.exists()


def test_what_it_cannot_hold_in_a_text_is_replaced(shared: Engine) -> None:
    """A NUL comes back as the mark of what cannot be shown, and is found by it."""
    book = Threads(shared)
    book.remember("T1", "C\0", "a\0b %s ? :x", NOW)

    assert "a\N{REPLACEMENT CHARACTER}b %s ? :x" == book.recall("T1", "C\0", NOW)


def test_a_reader_writes_nothing(shared: Engine) -> None:
    """The server itself refuses."""
    Threads(shared)
    with (
        pytest.raises(DatabaseError, match="read-only"),
        shared.reading() as connection,
    ):
        connection.execute("DELETE FROM threads")


def test_a_fault_in_a_transaction_leaves_nothing(shared: Engine) -> None:
    """Not even what was written before it; the server's details are not repeated."""
    Threads(shared)
    row = ("T1", "secret place", "q", 1)
    with pytest.raises(RuleError) as fault, shared.writing() as connection:
        connection.executemany("INSERT INTO threads VALUES (?, ?, ?, ?)", [row] * 2)

    assert "secret place" not in str(fault.value)
    with shared.reading() as connection:
        assert [] == connection.execute("SELECT * FROM threads").fetchall()


def test_who_waits_too_long_for_another_writer_is_told(shared: Engine) -> None:
    """Writers take turns, across every process; readers wait for nobody."""
    Threads(shared)
    with shared.writing():
        with shared.reading() as reader:
            assert reader.tables()
        with pytest.raises(BusyError), shared.writing(0.1):
            pass


def test_no_change_of_several_writers_is_lost(shared: Engine) -> None:
    """What was read in a transaction is still true when it is written back."""
    Threads(shared)
    count = "SELECT count(*) FROM threads"

    def write() -> None:
        for _ in range(10):
            with shared.writing() as connection:
                (n,) = connection.execute(count).fetchone()
                row = ("T1", str(n), "q", 1)
                connection.execute("INSERT INTO threads VALUES (?, ?, ?, ?)", row)

    writers = [threading.Thread(target=write) for _ in range(4)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()

    with shared.reading() as connection:
        assert (40,) == connection.execute(count).fetchone()


def test_a_cut_connection_costs_one_transaction(shared: Engine) -> None:
    """As after a restart of the server: the next one works."""
    book = Preferences(shared)
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid = pg_backend_pid()"
    )
    with pytest.raises(DatabaseError), shared.writing() as connection:
        connection.execute(cut)

    book.set("T1", Setting("region", "eu", "", "U1", NOW))
    assert {"region"} == book.of("T1").keys()


INTO_THREADS = "INSERT INTO threads VALUES (?, ?, ?, ?)"
CUT_ALL = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE pid <> pg_backend_pid() AND datname IS NOT NULL"
)


def _cut(engine: Engine) -> None:
    """End every connection but the one that asks for it."""
    with engine_of(engine.home / "other").reading() as connection:
        connection.execute(CUT_ALL)


def test_what_was_cut_between_reading_and_writing_is_written(shared: Engine) -> None:
    """The connection that was read from is gone: another one writes, once."""
    book = Preferences(shared)
    with shared.one_view():
        assert not book.of("T1")
        _cut(shared)
        written = shared.execute_at_once(INTO_THREADS, ("T1", "C1", "70b", 1))

    assert written == 1
    with shared.reading() as connection:
        count = "SELECT count(*) FROM threads"
        assert (1,) == connection.execute(count).fetchone()


@contextmanager
def _cut_within(engine: Engine) -> Iterator[Connection]:
    """Give a transaction whose connection is cut after its first statement."""
    with engine.writing(alone=False) as connection:
        connection.execute(INTO_THREADS, ("T1", "C1", "70b", 1))
        _cut(engine)
        yield connection


def test_what_is_cut_after_its_first_statement_is_given_up(shared: Engine) -> None:
    """It is never run again in part: what came before the cut is lost with it."""
    Threads(shared)
    with pytest.raises(LostError), _cut_within(shared) as connection:
        connection.execute(INTO_THREADS, ("T1", "C2", "70b", 1))

    with shared.reading() as connection:
        count = "SELECT count(*) FROM threads"
        assert (0,) == connection.execute(count).fetchone()


def _said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note every message to the server."""
    psycopg = pytest.importorskip("psycopg")
    execute, said = psycopg.Connection.execute, []

    def noted(self: Any, query: Any, *words: Any) -> Any:
        said.append(query.decode())
        return execute(self, query, *words)

    monkeypatch.setattr(psycopg.Connection, "execute", noted)
    return said


def test_a_transaction_costs_no_message_of_its_own(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins with its first statement; a statement alone commits itself too."""
    threads, preferences = Threads(shared), Preferences(shared)
    said = _said(monkeypatch)
    with shared.one_view():
        assert not preferences.of("T1")
        assert threads.recall("T1", "C1", NOW) is None
        shared.execute_at_once(INTO_THREADS, ("T1", "C1", "70b", 1))

    assert 3 == len(said)


def test_what_is_run_often_is_planned_once(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it takes no value, one by name, or one whose type changes."""
    Threads(shared)
    row = ("T1", "it's 100 %\0", "q", 1)
    with shared.writing() as connection:
        connection.execute(INTO_THREADS, row)
    said = _said(monkeypatch)
    found = []
    for _ in range(8):
        with shared.reading() as connection:
            for sql, values in (
                ("SELECT max(asked_at) FROM threads", ()),
                (
                    "SELECT query FROM threads WHERE asked_at < ?2 AND asked_at > ?1",
                    (0, 1.5),
                ),
                (
                    "SELECT query FROM threads WHERE asked_at < ?2 AND asked_at > ?1",
                    (0, 2),
                ),
                (
                    "SELECT '50 %', ' ?' FROM threads"
                    " WHERE asked_at >= :at AND place = :at2",
                    {"at2": row[1], "at": True},
                ),
                ("SELECT ?::text", ("as it stands",)),
                ("SELECT substr(query, ?) FROM threads", (1,)),
            ):
                found.append(connection.execute(sql, values).fetchall())

    assert found[:6] == [
        [(1,)], [("q",)], [("q",)], [("50 %", " ?")], [("as it stands",)], [("q",)]
    ]  # fmt: skip
    assert found == found[:6] * 8
    planned = [each for each in said if each.startswith("PREPARE")]
    assert len(set(planned)) == 6  # on each connection of the pool
    assert 5 == sum("EXECUTE" in each for each in said[-7:])


def test_what_may_return_another_shape_is_never_planned(
    shared: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version adds a column while this one goes on."""
    Threads(shared)
    with shared.writing() as connection:
        connection.execute(INTO_THREADS, ("T1", "C1", "q", 1))
    for _ in range(6):
        with shared.reading() as connection:
            (row,) = connection.execute("SELECT * FROM threads").fetchall()
    with shared.writing() as connection:
        connection.execute("ALTER TABLE threads ADD COLUMN later BIGINT")
    with shared.reading() as connection:
        assert [(*row, None)] == connection.execute("SELECT * FROM threads").fetchall()


def test_two_that_begin_at_once_make_the_tables_once(shared: Engine) -> None:
    """Processes of a fleet start together."""
    faults: list[BaseException] = []

    def begin() -> None:
        try:
            Store.open(shared)
        except BaseException as fault:  # noqa: BLE001 - asserted below
            faults.append(fault)

    starting = [threading.Thread(target=begin) for _ in range(4)]
    for each in starting:
        each.start()
    for each in starting:
        each.join()

    assert [] == faults


def test_what_needs_a_file_says_so(shared: Engine) -> None:
    """One clear sentence; nothing is half done."""
    with pytest.raises(StoreError, match="pg_dump"):
        _ = shared.file


def test_a_password_is_never_shown(tmp_path: Path) -> None:
    """Neither by the settings nor by the engine."""
    pytest.importorskip("psycopg_pool")
    address = "postgresql://bot:hunter22@db.example:5432/gpucost"
    settings = load_settings(
        {"GPUCOST_HOME": str(tmp_path), "GPUCOST_DATABASE": address}
    )

    assert "postgresql://db.example/gpucost" == str(settings.database)
    shown = f"{settings!r} {settings.database!r} {settings.database.address}"
    assert "hunter22" not in shown


def test_another_address_is_refused(tmp_path: Path) -> None:
    """There are two engines; the sentence names both."""
    with pytest.raises(StoreError, match=r"postgresql://.*SQLite"):
        engine_at("mysql://db/gpucost", tmp_path)
