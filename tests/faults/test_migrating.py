"""Files of every earlier version come forward, whatever happens on the way."""

import os
import re
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.commands.cli import main
from prices.alerts.tables import prepare_alerts
from prices.database.connection import StoreError
from prices.guard.quarantine import Quarantine
from prices.history import schema as migrations
from prices.history.schema import STEPS
from prices.history.series import Wanted
from prices.history.store import SCHEMA_VERSION, Store
from prices.records.answers import AnswerBook
from prices.records.audit import AuditTrail
from prices.records.feedback import Feedback
from prices.records.preferences import Preferences
from prices.records.pricebook import PriceBook
from prices.upkeep import locks, schema
from prices.upkeep.checking import check
from prices.upkeep.migrating import plan, rehearse, upgrade
from tests.engines import engine_of
from tests.faults.files import beside, current, digest, dump, released, rows, versions

pytestmark = pytest.mark.sqlite_alone

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=3)


def shapes(path: Path) -> dict[object, str]:
    """Return the SQL of every table, index, view and trigger."""
    found = rows(path, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: re.sub(r'[\s"]+', " ", str(sql)) for name, sql in found}


def brought_forward(version: str, folder: Path) -> Path:
    """Return the file of an earlier version as this one has it."""
    path = released(version, folder)
    upgrade(path)
    return path


def counts(path: Path) -> dict[str, int]:
    """Count the rows of every table."""
    with engine_of(path).reading() as connection:
        return schema.counts(connection)


@pytest.mark.parametrize("version", versions())
def test_every_earlier_file_comes_forward(version: str, tmp_path: Path) -> None:
    """Nothing is lost, all is as in a new file, and the old one is kept aside."""
    path = released(version, tmp_path)
    before, held = counts(path), dump(path)

    done = upgrade(path)

    found = check(path)
    assert ((), (), ()) == (found.damage, found.pending, found.unknown)
    fresh = shapes(current(tmp_path))
    assert {name: fresh.get(name) for name in shapes(path)} == shapes(path)
    after = counts(path)
    kept = before.keys() & after.keys() - {"_sqlite_migrations", "audit"}
    assert {name: before[name] for name in kept} == {name: after[name] for name in kept}
    if done is not None:
        assert held == dump(done.kept)
    assert upgrade(path) is None


@pytest.mark.parametrize("version", versions())
def test_its_prices_say_the_same(version: str, tmp_path: Path) -> None:
    """Prices that stand and prices of the past are there."""
    store = Store.open(engine_of(brought_forward(version, tmp_path)))

    standing = {o.gpu: o.micro_usd_per_gpu_hour for o in store.catalog(NOON).offers}
    past = store.series(Wanted("h100-80gb-sxm", provider="lambda"))
    ended = store.series(Wanted("a100-80gb", pricing="spot"))
    assert {"h100-80gb-sxm": 2_600_000, "b200": 3_100_000} == {
        gpu: min(o.micro_usd_per_gpu_hour for o in store.latest(gpu))
        for gpu in standing
    }
    prices = [interval.offer.micro_usd_per_gpu_hour for interval in past]
    assert [2_500_000, 2_750_000, 2_600_000] == prices
    assert [1_200_000] == [i.offer.micro_usd_per_gpu_hour for i in ended]
    assert SCHEMA_VERSION == store.schema_version


@pytest.mark.parametrize("version", [v for v in versions() if v >= "05"])
def test_what_people_left_is_found_again(version: str, tmp_path: Path) -> None:
    """Answers, settings, prices, alerts and opinions read as they were written."""
    path = brought_forward(version, tmp_path)

    answer = AnswerBook(engine_of(path)).find("abcde1", "T1")

    assert answer is not None
    assert "70b 1rps" == answer.question
    assert {"region"} == Preferences(engine_of(path)).of("T1", "C1").keys()
    (price,) = PriceBook(engine_of(path)).valid_on("T1", LATER).values()
    assert "1.89" == str(price.usd_per_gpu_hour)
    assert 1 == len(Feedback(engine_of(path)).on("T1", "abcde0"))
    assert 1 == len(Quarantine(engine_of(path)).entries())
    assert [(1,)] == rows(path, "SELECT id FROM subscriptions")


@pytest.mark.parametrize("version", ["04.sql", "05.sql"])
def test_letters_of_early_files_can_wait_a_fraction(
    version: str, tmp_path: Path
) -> None:
    """They kept whole seconds; what waits stays, and no number is given out twice."""
    path = brought_forward(version, tmp_path)

    prepare_alerts(engine_of(path))

    with engine_of(path).writing() as connection:
        connection.execute("UPDATE outbox SET not_before = 1.5")
        made = connection.execute(
            "INSERT INTO outbox"
            " (mark, team_id, channel_id, kind, letter, at, not_before)"
            " VALUES ('m', 'T', 'C', 'trouble', '{}', 1, 1) RETURNING id"
        ).fetchone()
    assert (4,) == made
    assert [(1,), (2,), (4,)] == rows(path, "SELECT id FROM outbox ORDER BY id")


def test_the_trail_begins_with_what_was_known(tmp_path: Path) -> None:
    """Settings, prices and alerts of the time before it are its first entries."""
    path = brought_forward("06.sql", tmp_path)

    found = list(AuditTrail(engine_of(path)).entries("T1"))

    told = [(e.user_id, e.action, e.subject, e.before, e.after) for e in found]
    assert told == [
        ("U1", "setting set", "currency", None, "EUR"),
        ("U2", "setting set", "currency", "EUR", "GBP"),
        ("U1", "setting removed", "currency", "GBP", None),
        ("U1", "setting set", "region in C1", None, "eu"),
        ("U1", "price set", "lambda h100-80gb-sxm on_demand", None, "1.89"),
        ("U2", "price removed", "lambda h100-80gb-sxm on_demand", "1.89", None),
        ("U1", "price set", "lambda h100-80gb-sxm on_demand", None, "1.89"),
        ("U1", "alert made", "alert 1 in C1", None, "alert stale"),
    ]


def broken(connection: object) -> None:
    """Fail half-way."""
    raise sqlite3.IntegrityError("a step that fails")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (broken, "a step that fails"),
        ("DELETE FROM answers;", "answers would lose rows"),
        ("ALTER TABLE answers ADD COLUMN view TEXT;", "duplicate column"),
    ],
)
def test_a_migration_that_fails_has_touched_nothing(
    step: object, said: str, tmp_path: Path
) -> None:
    """It failed on the copy: the file is the same, byte for byte, and alone."""
    path = released("06.sql", tmp_path)
    before = digest(path)
    steps = {**schema.SETS["answers"], "m999_bad": step}

    with pytest.raises(StoreError, match=said):
        upgrade(path, also={"answers": steps})  # type: ignore[dict-item]

    assert before == digest(path)
    assert [] == beside(path)


def test_one_that_fails_on_the_file_alone_is_rolled_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy passed and the disk filled up since: all steps go back together."""
    path = released("06.sql", tmp_path)
    before, tried = digest(path), []

    def second_time(connection: object) -> None:
        tried.append(1)
        if len(tried) > 1:
            raise sqlite3.OperationalError("database or disk is full")

    steps = {**schema.SETS["feedback"], "m999_late": second_time}

    with pytest.raises(StoreError, match="nothing was changed"):
        upgrade(path, also={"feedback": steps})

    assert 2 == len(tried)
    assert before == digest(path)
    assert [] == beside(path)


UPGRADE = """
import sys, time
from pathlib import Path
from prices.upkeep import schema
from prices.upkeep.migrating import upgrade
seen = []
def slow(db):
    db.execute("UPDATE feedback SET verdict = 'bad'")
    seen.append(1)
    print("step", len(seen), flush=True)
    time.sleep(30 if len(seen) == int(sys.argv[2]) else 0)
upgrade(Path(sys.argv[1]), also={"feedback": {**schema.SETS["feedback"], "m9": slow}})
"""


@pytest.mark.parametrize("where", [1, 2])
def test_a_migration_killed_half_way_has_changed_nothing(
    where: int, tmp_path: Path
) -> None:
    """On the copy or in the file's own transaction: the old content is there."""
    path = released("06.sql", tmp_path)
    held = dump(path)
    worker = subprocess.Popen(
        [sys.executable, "-c", UPGRADE, str(path), str(where)], stdout=subprocess.PIPE
    )
    assert worker.stdout is not None
    for _ in range(where):
        assert worker.stdout.readline().startswith(b"step")
    worker.kill()
    worker.communicate()

    assert held == dump(path)
    assert [] == list(check(path).damage)
    assert upgrade(path) is not None
    assert not [name for name in beside(path) if "part" in name]


def test_two_that_start_at_once_migrate_once(tmp_path: Path) -> None:
    """The second waits for the first, and finds nothing left to do."""
    path = released("06.sql", tmp_path)
    command = [sys.executable, "-m", "bot.commands.cli", "prices", "sources"]
    home = os.environ | {"GPUCOST_HOME": str(path.parent)}
    both = [
        subprocess.Popen(command, env=home, stdout=subprocess.DEVNULL) for _ in range(2)
    ]

    assert [0, 0] == [process.wait() for process in both]

    assert 1 == len([name for name in beside(path) if "before-migration" in name])
    assert () == check(path).pending


def test_too_little_space_is_said_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names what is needed and what is free."""
    path = released("06.sql", tmp_path)
    before = digest(path)
    free = type("Usage", (), {"free": 1_000_000})
    monkeypatch.setattr("shutil.disk_usage", lambda _: free)

    with pytest.raises(StoreError, match=r"takes \d+ MB beside it, and 1 MB are free"):
        upgrade(path)

    assert before == digest(path)
    assert [] == beside(path)


def test_a_rehearsal_changes_nothing(tmp_path: Path) -> None:
    """It migrates a copy, says how long that took, and leaves nothing behind."""
    path = released("01.sql", tmp_path)
    before = digest(path)

    planned = plan(path)
    seconds = rehearse(planned)

    assert tuple(f"prices: {name}" for name in STEPS) == planned.steps
    assert 0 < seconds < 5
    assert before == digest(path)
    assert [] == beside(path)


def test_every_set_of_tables_is_known(tmp_path: Path) -> None:
    """Whatever makes tables, `db check` and `migrate` know its steps."""
    used = set()
    for file in (Path(migrations.__file__).parent).rglob("*.py"):
        used |= set(re.findall(r'prepare\(path, "(\w+)"', file.read_text("utf-8")))

    assert used <= schema.SETS.keys()
    assert {state.owner for state in check(current(tmp_path)).sets} >= used - {
        "installations",
        "api_prices",
    }


def test_migrate_says_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """First on a copy, then the file; a second time there is nothing to do."""
    path = released("06.sql", tmp_path)
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))

    assert 3 == main(["db", "check"])
    assert 0 == main(["migrate", "--dry-run"])
    assert 3 == main(["db", "check"])
    assert 0 == main(["migrate"])
    assert 0 == main(["db", "check"])
    assert 0 == main(["migrate"])

    said = capsys.readouterr().out
    assert "answers: m002_by_age" in said
    assert "nothing was changed" in said
    assert "up to date" in said
    (kept,) = [name for name in beside(path) if "before-migration" in name]
    assert kept in said


def test_a_served_file_is_not_migrated_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bot that serves from it would meet tables that it does not know."""
    path = released("06.sql", tmp_path)
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))

    with locks.serving(path):
        assert 1 == main(["migrate"])

    assert "stop it first" in capsys.readouterr().err
    assert () != check(path).pending


def test_a_large_file_says_how_long(tmp_path: Path) -> None:
    """A rehearsal of twenty thousand answers is timed, not guessed."""
    path = released("06.sql", tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            "INSERT INTO answers VALUES ('T2', ?, ?, 'q', 'q', 'v', 'f', ?, 'e')",
            ((f"id{n}", n, "x" * 500) for n in range(20_000)),
        )

    began = time.monotonic()
    seconds = rehearse(plan(path))

    assert 0 < seconds < time.monotonic() - began
