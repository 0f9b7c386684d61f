"""What runs by itself: at its times, once, in one process, through every restart."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.run import schedule
from bot.run.schedule import Chore, Pace, Timekeeper, alone, chores
from prices.alerts.tables import prepare_alerts
from prices.database import leases
from prices.records.schedule import Schedule
from tests.engines import engine_of

pytestmark = pytest.mark.both_engines

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
PATIENCE_S = 15.0


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with the tables of alerts."""
    file = tmp_path / "gpucost.sqlite3"
    prepare_alerts(engine_of(file))
    return file


class Done:
    """Counts how often each chore was done, and by how many at a time."""

    def __init__(self, lasts: float = 0.0) -> None:
        self.times: dict[str, list[datetime]] = {}
        self.most = self.busy = 0
        self._lasts, self._lock = lasts, threading.Lock()

    def work(self, name: str) -> Callable[[datetime], None]:
        """Make the work of a chore."""

        def do(now: datetime) -> None:
            with self._lock:
                self.times.setdefault(name, []).append(now)
                self.busy += 1
                self.most = max(self.most, self.busy)
            time.sleep(self._lasts)
            with self._lock:
                self.busy -= 1

        return do

    def count(self, name: str) -> int:
        """How often a chore was done."""
        return len(self.times.get(name, []))

    def until(self, name: str, count: int) -> None:
        """Wait until a chore was done so often."""
        ends = time.monotonic() + PATIENCE_S
        while self.count(name) < count:
            assert time.monotonic() < ends, self.times
            time.sleep(0.02)


@contextmanager
def running(
    path: Path, done: Done, pace: Pace | None = None, holder: str = "one"
) -> Iterator[dict[str, datetime]]:
    """Keep the time for a while; give when each chore is due next."""
    works = (done.work(name) for name in ("refresh", "look", "clean"))
    made = Timekeeper(
        engine_of(path), chores(*works, pace or Pace(HOUR, HOUR)), utc_now, holder
    )
    made.start()
    try:
        yield made.due
    finally:
        made.shutdown()


def kept(path: Path) -> dict[str, datetime]:
    """Return when each chore is due next, as it is kept."""
    with engine_of(path).reading() as connection:
        rows = connection.execute("SELECT job, next_run_at FROM schedule").fetchall()
    return {name: datetime.fromtimestamp(at, UTC) for name, at in rows}


def keep(path: Path, name: str, at: datetime) -> None:
    """Make a chore due at an instant, as an earlier process left it."""
    with engine_of(path).writing() as connection:
        row = (name, at.timestamp())
        connection.execute("DELETE FROM schedule WHERE job = ?", (name,))
        connection.execute("INSERT INTO schedule VALUES (?, ?)", row)


def test_a_new_house_begins_with_prices_and_news(path: Path) -> None:
    """Feeds are polled and news looked for at once; cleaning up waits for its hour."""
    done = Done()
    with running(path, done) as due:
        done.until("refresh", 1)
        done.until("look", 1)

    assert 0 == done.count("clean")
    assert schedule.CLEAN_AT == (due["clean"].hour, due["clean"].minute)


def test_a_restart_keeps_the_times(path: Path) -> None:
    """What was due in half an hour is due in half an hour for the next process."""
    soon = utc_now() + HOUR / 2
    for name in ("refresh", "look", "clean"):
        keep(path, name, soon)
    done = Done()
    with running(path, done) as due:
        time.sleep(0.3)

    assert {} == done.times
    assert all(abs(at - soon) < SECOND for name, at in due.items() if name != "clean")
    assert kept(path)["refresh"] == pytest.approx(soon, abs=SECOND)


def test_what_was_missed_is_done_once(path: Path) -> None:
    """Three days of missed runs are one run, and the next one is to come."""
    for name in ("refresh", "look"):
        keep(path, name, utc_now() - timedelta(days=3))
    done = Done()
    with running(path, done):
        done.until("refresh", 1)
        done.until("look", 1)
        time.sleep(0.5)

    assert (1, 1) == (done.count("refresh"), done.count("look"))
    assert utc_now() < kept(path)["look"] < utc_now() + HOUR + 30 * SECOND


def test_two_processes_share_a_chore(path: Path) -> None:
    """Over one database a chore is never done by two at a time."""
    done, pace = Done(lasts=0.1), Pace(SECOND / 5, timedelta(days=1))
    keep(path, "look", utc_now() + HOUR)
    with running(path, done, pace, "one"), running(path, done, pace, "two"):
        done.until("refresh", 4)

    assert 1 == done.most


def test_a_fault_ends_neither_the_chore_nor_its_lease(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged, and the next time it is tried again."""

    def fail(now: datetime) -> None:
        raise RuntimeError("no network")

    (chore, *_) = chores(fail, fail, fail, Pace())

    assert alone(Schedule(engine_of(path)), chore, utc_now, "one")
    assert alone(Schedule(engine_of(path)), chore, utc_now, "two")
    assert 2 == caplog.text.count("RuntimeError: no network")


def ends(path: Path, name: str) -> float:
    """When the lease of a chore ends."""
    with engine_of(path).reading() as connection:
        query = "SELECT until FROM leases WHERE name = ?"
        (until,) = connection.execute(query, (name,)).fetchone()
    return float(until)


def test_a_lease_is_renewed_while_its_chore_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A chore may outlast its lease; one whose process was killed does not keep it."""
    monkeypatch.setattr(schedule, "LEASE_S", 2.0)
    begun, over = threading.Event(), threading.Event()

    def last(now: datetime) -> None:
        begun.set()
        assert over.wait(PATIENCE_S)

    (chore, *_) = chores(last, last, last, Pace())
    thread = threading.Thread(
        target=alone, args=(Schedule(engine_of(path)), chore, utc_now, "one")
    )
    thread.start()
    assert begun.wait(PATIENCE_S)
    taken = ends(path, chore.name)
    patient = time.monotonic() + PATIENCE_S
    while ends(path, chore.name) == taken:
        assert time.monotonic() < patient, "the lease was not renewed"
        time.sleep(0.02)

    assert not alone(Schedule(engine_of(path)), chore, utc_now, "two")
    over.set()
    thread.join()
    now = utc_now()
    with engine_of(path).writing() as connection:
        assert leases.take(connection, chore.name, "killed", now.timestamp(), 0.4)
    assert not alone(Schedule(engine_of(path)), chore, lambda: now, "two")
    assert alone(Schedule(engine_of(path)), chore, lambda: now + SECOND, "two")


def test_a_chore_that_hangs_does_not_keep_the_program(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told to stop, what is under way gets some seconds; then it is left behind."""
    monkeypatch.setattr(schedule, "STOP_S", 0.3)
    over = threading.Event()

    def hang(now: datetime) -> None:
        over.wait(20)

    chore = Chore("hang", schedule.every(HOUR), hang, True)
    made = Timekeeper(engine_of(path), [chore], utc_now, "one")
    made.start()
    time.sleep(0.3)
    began = time.monotonic()
    made.shutdown()

    assert time.monotonic() - began < 5
    left = [one for one in threading.enumerate() if one.name == chore.name]
    over.set()
    assert left
    for one in left:  # it still writes to the database of this test
        one.join(10)
