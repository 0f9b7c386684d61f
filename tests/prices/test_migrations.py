"""The file itself: schema, durability, who may write."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from core.offers import PricePoint
from core.reference.load import reference
from prices.database.connection import RuleError, StoreError
from prices.history.poll import Poll
from prices.history.schema import STEPS
from prices.history.store import SCHEMA_VERSION, Store
from prices.upkeep.migrating import upgrade
from tests.engines import engine_of

MakePoint = Callable[..., PricePoint]
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)

WRITE_POLLS = """
import sys
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from core.offers import PricePoint
from core.reference.load import reference
from prices.history.poll import Poll
from prices.history.store import Store
from tests.engines import engine_of

store = Store.open(engine_of(sys.argv[1]))
first = int(sys.argv[2])
for number in range(first, first + 10_000):
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number)
    points = [
        PricePoint(
            provider="p", gpu=f"g{n}", gpu_count=1, pricing="spot", observed_at=at,
            raw_total=Decimal(number), micro_usd_per_gpu_hour=number * 1_000_000,
            source="feed", source_url="https://example.com",
        )
        for n in range(60)
    ]
    store.record(Poll("feed", at, points))
    print("ready", flush=True)
"""


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    """Ask the database itself."""
    with engine_of(path).reading() as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.sqlite_alone
def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """Opening makes the folder, the file and the newest schema, in WAL."""
    path = tmp_path / "new" / "prices.db"

    store = Store.open(engine_of(path))

    assert store.schema_version == SCHEMA_VERSION
    assert store.health().journal_mode == "wal"
    assert store.health().damage == ()


def test_the_schema_version_counts_the_migrations() -> None:
    """The constant that spares readers the import names every step."""
    assert len(STEPS) == SCHEMA_VERSION


@pytest.mark.sqlite_alone
def test_every_table_is_strict(tmp_path: Path) -> None:
    """A REAL can never slip in for integer micro-dollars."""
    path = tmp_path / "prices.db"
    Store.open(engine_of(path))

    tables = query(
        path,
        "SELECT name, strict FROM pragma_table_list WHERE type = 'table'"
        " AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_sqlite%' ESCAPE '\\'",
    )

    assert len(tables) >= 6
    assert {strict for _, strict in tables} == {1}


def test_opening_an_old_store_again_keeps_its_prices(
    tmp_path: Path, point: MakePoint
) -> None:
    """Migrations run once; what was recorded stays."""
    path = tmp_path / "prices.db"
    Store.open(engine_of(path)).record(Poll("feed", NOON, [point()]))

    again = Store.open(engine_of(path))

    assert len(again.catalog(NOON).offers) == 1


@pytest.mark.sqlite_alone
def test_an_up_to_date_store_is_read_without_sqlite_utils(tmp_path: Path) -> None:
    """A cold answer does not pay for the migration library."""
    path = tmp_path / "prices.db"
    Store.open(engine_of(path))
    code = (
        "import sys; from datetime import *; from prices.history.store import Store;"
        "from pathlib import Path; from prices.database.sqlite import Sqlite;"
        f"Store.open(Sqlite(Path({str(path)!r}))).catalog(datetime.now(UTC));"
        "sys.exit('sqlite_utils' in sys.modules)"
    )

    finished = subprocess.run([sys.executable, "-c", code], check=False)

    assert finished.returncode == 0


@pytest.mark.parametrize(
    "sql", ["UPDATE history SET micro_usd = 1", "DELETE FROM history"]
)
def test_history_cannot_be_rewritten(
    tmp_path: Path, point: MakePoint, sql: str
) -> None:
    """The database itself refuses to change or drop a past price."""
    path = tmp_path / "prices.db"
    store = Store.open(engine_of(path))
    store.record(Poll("feed", NOON, [point("2")]))
    store.record(Poll("feed", NOON + timedelta(hours=1), [point("3")]))

    with (
        pytest.raises(RuleError, match="append-only"),
        engine_of(path).writing() as connection,
    ):
        connection.execute(sql)


def test_a_poll_that_sees_no_change_writes_no_row_per_offer(
    tmp_path: Path, point: MakePoint
) -> None:
    """A year of hourly polls costs what changed, not what was seen."""
    path = tmp_path / "prices.db"
    store = Store.open(engine_of(path))
    told = [point(gpu=f"g{n}") for n in range(50)]
    store.record(Poll("feed", NOON, told))
    before = query(path, "SELECT * FROM offers")

    for hours in range(1, 4):
        store.record(Poll("feed", NOON + timedelta(hours=hours), told))

    assert before == query(path, "SELECT * FROM offers")
    assert query(path, "SELECT count(*) FROM history") == [(0,)]
    assert query(path, "SELECT count(*) FROM coverage") == [(4,)]


def test_a_failed_poll_leaves_nothing(tmp_path: Path, point: MakePoint) -> None:
    """Either a poll is in, whole, or it is not."""
    store = Store.open(engine_of(tmp_path / "prices.db"))
    bad = point(gpu="x").model_copy(update={"micro_usd_per_gpu_hour": -1})

    with pytest.raises(RuleError):
        store.record(Poll("feed", NOON, [point(), bad]))

    assert store.catalog(NOON).offers == ()
    assert store.sources() == ()


def test_a_read_only_store_refuses_to_write(tmp_path: Path, point: MakePoint) -> None:
    """A reader can neither make a file nor change one."""
    path = tmp_path / "prices.db"
    with pytest.raises(StoreError, match="no price store"):
        Store.open(engine_of(path), readonly=True)
    Store.open(engine_of(path))
    reader = Store.open(engine_of(path), readonly=True)

    with pytest.raises(StoreError, match="reading only"):
        reader.record(Poll("feed", NOON, [point()]))

    assert reader.catalog(NOON).offers == ()


@pytest.mark.sqlite_alone
def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    """A damaged or foreign file is named, not overwritten."""
    path = tmp_path / "prices.db"
    path.write_text("once upon a time " * 100)

    with pytest.raises(StoreError, match=r"prices\.db is not a readable price store"):
        Store.open(engine_of(path))

    assert path.read_text().startswith("once")


@pytest.mark.sqlite_alone
def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    """After a downgrade the newer file is left alone."""
    path = tmp_path / "prices.db"
    Store.open(engine_of(path))
    with engine_of(path).writing() as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")

    with pytest.raises(StoreError, match="newer version"):
        Store.open(engine_of(path))


def test_two_first_starts_at_once_make_one_store(tmp_path: Path) -> None:
    """Whoever comes second waits and finds the schema made."""
    path = tmp_path / "prices.db"
    faults: list[BaseException] = []

    def start() -> None:
        try:
            Store.open(engine_of(path))
        except BaseException as fault:  # noqa: BLE001 - shown by the assertion below
            faults.append(fault)

    threads = [Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert faults == []
    assert Store.open(engine_of(path)).schema_version == SCHEMA_VERSION


def test_a_killed_writer_leaves_whole_polls(tmp_path: Path) -> None:
    """After kill -9 at any moment the file is sound and each poll is all or nothing."""
    path = tmp_path / "prices.db"
    Store.open(engine_of(path))
    for round_number, delay in enumerate([0.0, 0.03, 0.07, 0.13, 0.21]):
        command = [sys.executable, "-c", WRITE_POLLS, str(path)]
        first = 1 + round_number * 100_000
        with subprocess.Popen([*command, str(first)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(delay)
            os.kill(writer.pid, signal.SIGKILL)
        store = Store.open(engine_of(path))

        offers = store.catalog(NOON).offers
        assert store.health().damage == ()
        assert len(offers) == 60
        assert len({offer.usd_per_gpu_hour for offer in offers}) == 1
        polls = query(path, "SELECT count(*) FROM polls")[0][0]
        (past,) = query(path, "SELECT count(*) FROM history")[0]
        assert past == 60 * (int(str(polls)) - 1)


@pytest.mark.sqlite_alone
def test_an_offer_from_before_facts_keeps_its_sellers_kind(tmp_path: Path) -> None:
    """What was recorded earlier says nothing of stock: unknown, never in stock."""
    path = tmp_path / "prices.db"
    script = Path(__file__).with_name("released").joinpath("08.sql").read_text("utf-8")
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)

    upgrade(path)
    offers = (
        Store.open(engine_of(path)).catalog(datetime.now(UTC), superseded=True).offers
    )

    assert offers
    assert {(o.stock, o.evidence, o.min_gpus) for o in offers} == {
        ("unknown", "unknown", None)
    }
    known = reference().provider
    assert {o.seller_kind for o in offers} == {
        spec.kind_of(o.tier) if (spec := known(o.provider)) else "unknown"
        for o in offers
    }
