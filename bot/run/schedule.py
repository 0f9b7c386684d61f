"""What runs by itself: refreshing prices, looking at alerts, posting, cleaning up.

APScheduler keeps the time. When each job is due next is kept in the database, so that
a restart neither starts a six-hour wait anew nor forgets what came due meanwhile; what
was missed runs once. Several processes may share a database: a job runs in one of them.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any, Final

from apscheduler.executors.base import (  # type: ignore[import-untyped]
    BaseExecutor,
    run_job,
)
from apscheduler.job import Job  # type: ignore[import-untyped]
from apscheduler.jobstores.memory import (  # type: ignore[import-untyped]
    MemoryJobStore,
)
from apscheduler.schedulers.background import (  # type: ignore[import-untyped]
    BackgroundScheduler,
)
from apscheduler.triggers.base import BaseTrigger  # type: ignore[import-untyped]
from apscheduler.triggers.cron import CronTrigger  # type: ignore[import-untyped]
from apscheduler.triggers.interval import (  # type: ignore[import-untyped]
    IntervalTrigger,
)

from prices.alerts.tables import prepare_alerts
from prices.database import leases
from prices.database.connection import dispensable, reading, writing

log = logging.getLogger("gpucost")

REFRESH_EVERY: Final = timedelta(minutes=5)
"""How often it is looked which feeds are due; each has an interval of its own."""
LOOK_EVERY: Final = timedelta(minutes=1)
CLEAN_AT: Final = (4, 17)
"""Hour and minute, UTC: off the round times at which others clean up."""
LEASE_S: Final = 120.0
"""Renewed while a chore goes on; that of a killed process ends by itself."""
TURNED_BACK: Final = timedelta(minutes=2)
"""More than clocks are corrected by while they run."""
STOP_S: Final = 5.0
"""How long a chore under way is waited for; each can be cut off anywhere."""

Work = Callable[[datetime], object]


@dataclass(frozen=True, slots=True)
class Pace:
    """How often it is looked what is due."""

    refresh: timedelta = REFRESH_EVERY
    look: timedelta = LOOK_EVERY


@dataclass(frozen=True, slots=True)
class Chore:
    """One thing that is done again and again."""

    name: str
    trigger: BaseTrigger
    work: Work
    at_once: bool = False
    """Whether a program that never did it begins with it."""


def chores(refresh: Work, look: Work, clean: Work, pace: Pace) -> list[Chore]:
    """Return everything that runs by itself, and when."""
    hour, minute = CLEAN_AT
    return [
        Chore("refresh", _every(pace.refresh), refresh, at_once=True),
        Chore("look", _every(pace.look), look, at_once=True),
        Chore("clean", CronTrigger(hour=hour, minute=minute, timezone=UTC), clean),
    ]


def scheduler(
    path: Path, wanted: list[Chore], clock: Callable[[], datetime], holder: str
) -> BackgroundScheduler:
    """Make a scheduler; it begins when it is started."""
    prepare_alerts(path)
    made = BackgroundScheduler(
        jobstores={"default": KeptTimes(path)},
        executors={"default": DaemonThreads()},
        job_defaults={
            "coalesce": True,
            "max_instances": 1,
            "misfire_grace_time": None,
        },
        timezone=UTC,
    )
    for chore in wanted:
        work = partial(alone, path, chore, clock, holder)
        begins = {"next_run_time": datetime.now(UTC)} if chore.at_once else {}
        made.add_job(work, chore.trigger, id=chore.name, name=chore.name, **begins)
    return made


def alone(path: Path, chore: Chore, clock: Callable[[], datetime], holder: str) -> bool:
    """Do a chore unless another process is at it; a fault is logged, never raised."""
    now = clock()
    if not _taken(path, chore.name, holder, now):
        return False
    with _renewed(path, chore.name, clock, holder):
        try:
            chore.work(now)
        except Exception:
            log.exception("%s failed", chore.name)
    with dispensable(f"the end of {chore.name}"), writing(path) as connection:
        leases.give_back(connection, chore.name, holder)
    return True


def _taken(path: Path, name: str, holder: str, now: datetime) -> bool:
    """Take a lease; where nothing can be written, no chore could either."""
    with dispensable(f"a lease of {name}"), writing(path) as connection:
        return leases.take(connection, name, holder, now.timestamp(), LEASE_S)
    return False


@contextmanager
def _renewed(
    path: Path, name: str, clock: Callable[[], datetime], holder: str
) -> Iterator[None]:
    """Keep a lease until the block ends."""
    over = Event()

    def renew() -> None:
        while not over.wait(LEASE_S / 4):
            with dispensable(f"the lease of {name}"), writing(path) as connection:
                leases.take(connection, name, holder, clock().timestamp(), LEASE_S)

    Thread(target=renew, name=f"lease {name}", daemon=True).start()
    try:
        yield
    finally:
        over.set()


class DaemonThreads(BaseExecutor):  # type: ignore[misc]
    """A thread for each run, left behind where the program ends before it does."""

    def __init__(self) -> None:
        super().__init__()
        self._threads: list[Thread] = []

    def shutdown(self, wait: bool = True) -> None:
        """Wait for what is under way, but not for long."""
        ends = monotonic() + STOP_S
        for thread in self._threads if wait else ():
            thread.join(max(ends - monotonic(), 0.0))

    def _do_submit_job(self, job: Job, run_times: list[datetime]) -> None:
        thread = Thread(target=self._run, args=(job, run_times), name=job.id)
        thread.daemon = True
        self._threads = [each for each in self._threads if each.is_alive()]
        self._threads.append(thread)
        thread.start()

    def _run(self, job: Job, run_times: list[datetime]) -> None:
        events = run_job(job, job._jobstore_alias, run_times, self._logger.name)
        self._run_job_success(job.id, events)


class KeptTimes(MemoryJobStore):  # type: ignore[misc]
    """Jobs in memory, their next times in the database."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._looked = datetime.min.replace(tzinfo=UTC) + TURNED_BACK

    def add_job(self, job: Job) -> None:
        """Take a job; one that was due before this process began is due still."""
        kept = self._kept(job.id)
        if kept is not None:
            anew = job.trigger.get_next_fire_time(None, datetime.now(UTC))
            job.next_run_time = min(kept, anew)
        super().add_job(job)
        self._keep(job)

    def update_job(self, job: Job) -> None:
        """Note when a job is due next."""
        super().update_job(job)
        self._keep(job)

    def get_next_run_time(self) -> datetime | None:
        """Return when to look again: each minute, for the clock may be set."""
        found: datetime | None = super().get_next_run_time()
        return found and min(found, datetime.now(UTC) + LOOK_EVERY)

    def get_due_jobs(self, now: datetime) -> list[Job]:
        """Return what is due; where the clock went back, nothing waits for it."""
        if now < self._looked - TURNED_BACK:
            log.warning("the clock went back from %s to %s", self._looked, now)
            for job in self.get_all_jobs():
                anew = job.trigger.get_next_fire_time(None, now)
                job.next_run_time = min(job.next_run_time, anew)
                self.update_job(job)
        self._looked = now
        found: list[Job] = super().get_due_jobs(now)
        return found

    def _kept(self, name: str) -> datetime | None:
        with reading(self._path) as connection:
            row = connection.execute(
                "SELECT next_run_at FROM schedule WHERE job = ?", (name,)
            ).fetchone()
        return None if row is None else datetime.fromtimestamp(row[0], UTC)

    def _keep(self, job: Job) -> None:
        """Note a time; what escaped from here would end the scheduler for good."""
        at: Any = job.next_run_time
        with dispensable(f"the time of {job.id}"), writing(self._path) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO schedule VALUES (?, ?)",
                (job.id, at.timestamp()),
            )


def _every(span: timedelta) -> BaseTrigger:
    seconds = span.total_seconds()
    jitter = min(int(seconds // 10), 30)
    return IntervalTrigger(seconds=seconds, timezone=UTC, jitter=jitter)
