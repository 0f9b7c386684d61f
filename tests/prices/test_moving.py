"""From a file to a server and back: everything arrives, or the target is not used."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from prices.alerts.outbox import Outbox
from prices.alerts.tables import prepare_alerts
from prices.database.connection import Engine, StoreError
from prices.database.sqlite import Sqlite
from prices.history.store import Store
from prices.records.preferences import Preferences, Setting
from prices.records.threads import Threads
from prices.snapshot import ensure_snapshot
from prices.upkeep import locks, moving, schema
from prices.upkeep.moving import look_at, move
from tests.engines import dumped, engine_of, kept_by, restored

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Engine]:
    """An empty database on the server."""
    with kept_by("postgresql"):
        yield engine_of(tmp_path / "server")


@pytest.fixture
def file(tmp_path: Path) -> Sqlite:
    """A file with prices, settings, a conversation and an empty outbox."""
    made = Sqlite(tmp_path / "gpucost.sqlite3")
    ensure_snapshot(Store.open(made))
    prepare_alerts(made)
    Preferences(made).set("T1", Setting("currency", "EUR", "", "U1", NOW))
    Threads(made).remember("T1", "C1", "70b 5rps\0 \N{SNOWMAN}", NOW)
    return made


def rows(engine: Engine) -> dict[str, list[Any]]:
    """Everything that a database holds of the teams and of prices."""
    names = ["history", "offers", "polls", "preferences", "words"]
    with engine.reading() as connection:
        return {
            name: sorted(map(tuple, connection.execute(f"SELECT * FROM {name}")))  # noqa: S608 - names above
            for name in names
        }


def test_there_and_back_again(server: Engine, file: Sqlite, tmp_path: Path) -> None:
    """The same rows, numbers that go on, and a NUL that is told of."""
    there = move(file, server, by="me")
    assert there.replaced == 1
    assert rows(file) == rows(server)

    Preferences(server).set("T1", Setting("region", "eu", "", "U1", NOW))
    back = Sqlite(tmp_path / "back.sqlite3")
    assert move(server, back, by="me").replaced == 0
    assert rows(back) == rows(server)
    Preferences(back).set("T1", Setting("region", "us", "", "U1", NOW))
    assert {"currency", "region"} == Preferences(back).of("T1").keys()
    with back.reading() as connection:
        assert () == schema.pending(connection)
    assert [] == list(tmp_path.glob("*.unfinished*"))


def test_a_look_is_of_one_instant_while_others_write(
    server: Engine, file: Sqlite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot serves on and people change settings: the copy has none of it."""
    move(file, server, by="me")
    before, look = rows(server), Sqlite(tmp_path / "look.sqlite3")

    def write(_table: str, count: int) -> None:
        setting = Setting("hours", str(count), "", "U1", NOW)
        other = Thread(target=Preferences(server).set, args=("T2", setting))
        other.start()
        other.join()

    monkeypatch.setattr(moving, "_silent", write)
    with server.served():
        look_at(server, look)

    assert before == rows(look)
    assert before["preferences"] != rows(server)["preferences"]


def test_prices_go_on_where_they_were(server: Engine, file: Sqlite) -> None:
    """The next poll writes what a poll of the file would have written."""
    move(file, server, by="me")
    stores = Store.open(file), Store.open(server)
    for store in stores:
        store.record_failure("gpuhunt", NOW + timedelta(days=1), "no answer")

    assert stores[0].sources() == stores[1].sources()
    assert rows(file)["polls"] == rows(server)["polls"]


def test_a_copy_that_was_cut_off_goes_on(
    server: Engine, file: Sqlite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What had arrived is not copied again; until the end the target is no database."""
    monkeypatch.setattr(moving, "TOGETHER", 50)
    seen: list[str] = []

    def cut(table: str, count: int) -> None:
        seen.append(table)
        if len(seen) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move(file, server, by="me", progress=cut)
    with pytest.raises(StoreError, match="not finished"):
        Store.open(server)

    copied: list[str] = []
    move(file, server, by="me", progress=lambda table, count: copied.append(table))
    assert rows(file) == rows(server)
    assert not set(seen[:-1]) - {seen[-1]} & set(copied)


def test_a_target_in_use_is_refused(server: Engine, file: Sqlite) -> None:
    """Nothing is mixed, and nobody's bot is copied while it writes."""
    Outbox(server)
    Preferences(server)
    with pytest.raises(StoreError, match="in use"):
        move(file, server, by="me")
    with pytest.raises(StoreError, match="exists already"):
        move(server, file, by="me")
    with locks.serving(file.path), pytest.raises(StoreError, match="stop it first"):
        move(file, server, by="me")
    with server.served(), pytest.raises(StoreError, match="stop it first"):
        move(server, Sqlite(file.path.with_name("other")), by="me")
    with server.alone(), pytest.raises(StoreError, match="start again"):
        server.served().__enter__()


def test_a_database_is_free_as_soon_as_its_bot_ended(server: Engine) -> None:
    """Also while the server still takes leave of the connections that were closed."""
    for _ in range(30):
        with server.served():
            pass
        with server.alone():
            pass


def test_what_changes_meanwhile_is_found(server: Engine, file: Sqlite) -> None:
    """A row that was written behind the copy's back is a difference, not silence."""

    def meddle(table: str, count: int) -> None:
        if table == "threads":
            with closing(sqlite3.connect(file.path)) as other, other:
                other.execute("UPDATE threads SET query = 'other'")

    with pytest.raises(StoreError, match="threads is not the same"):
        move(file, server, by="me", progress=meddle)
    with pytest.raises(StoreError, match="not finished"):
        Store.open(server)


def test_a_dump_is_a_backup(server: Engine, file: Sqlite, tmp_path: Path) -> None:
    """What pg_dump wrote while others write is all there in another database."""
    move(file, server, by="me")
    dump = tmp_path / "gpucost.dump"
    with server.writing() as other:
        other.execute("DELETE FROM threads")
        dumped(server, dump)
    again = restored(server, dump, tmp_path)

    assert rows(server) == rows(again)
    with again.reading() as connection:
        (kept,) = connection.execute("SELECT count(*) FROM threads").fetchone()
    assert kept == 1
    Preferences(again).set("T1", Setting("region", "eu", "", "U1", NOW))
