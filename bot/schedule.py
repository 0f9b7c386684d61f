"""What runs by itself: refreshing prices, looking at alerts, posting, cleaning up.

APScheduler keeps the time. When each job is due next is kept in the database, so that
a restart neither starts a six-hour wait anew nor forgets what came due meanwhile; what
was missed runs once. Several processes may share a database: a job runs in one of them.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from apscheduler.executors.pool import (  # type: ignore[import-untyped]
    ThreadPoolExecutor,
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

from prices import leases
from prices.alert_tables import prepare_alerts
from prices.connection import reading, writing

log = logging.getLogger("gpucost")

REFRESH_EVERY: Final = timedelta(minutes=5)
"""How often it is looked which feeds are due; each has an interval of its own."""
LOOK_EVERY: Final = timedelta(minutes=1)
CLEAN_AT: Final = (4, 17)
"""Hour and minute, UTC: off the round times at which others clean up."""
LEASE_S: Final = 900.0

Work = Callable[[datetime], object]


@dataclass(frozen=True, slots=True)
class Chore:
    """One thing that is done again and again."""

    name: str
    trigger: BaseTrigger
    work: Work


def chores(refresh: Work, look: Work, clean: Work) -> list[Chore]:
    """Return everything that runs by itself, and when."""
    hour, minute = CLEAN_AT
    return [
        Chore("refresh", _every(REFRESH_EVERY), refresh),
        Chore("look", _every(LOOK_EVERY), look),
        Chore("clean", CronTrigger(hour=hour, minute=minute, timezone=UTC), clean),
    ]


def scheduler(
    path: Path, wanted: list[Chore], clock: Callable[[], datetime], holder: str
) -> BackgroundScheduler:
    """Make a scheduler; it begins when it is started."""
    prepare_alerts(path)
    made = BackgroundScheduler(
        jobstores={"default": KeptTimes(path)},
        executors={"default": ThreadPoolExecutor(max(len(wanted), 1))},
        job_defaults={
            "coalesce": True,
            "max_instances": 1,
            "misfire_grace_time": None,
        },
        timezone=UTC,
    )
    for chore in wanted:
        work = partial(alone, path, chore, clock, holder)
        made.add_job(work, chore.trigger, id=chore.name, name=chore.name)
    return made


def alone(path: Path, chore: Chore, clock: Callable[[], datetime], holder: str) -> bool:
    """Do a chore unless another process is at it; a fault is logged, never raised."""
    now = clock()
    with writing(path) as connection:
        if not leases.take(connection, chore.name, holder, now.timestamp(), LEASE_S):
            return False
    try:
        chore.work(now)
    except Exception:
        log.exception("%s failed", chore.name)
    with writing(path) as connection:
        leases.give_back(connection, chore.name, holder)
    return True


class KeptTimes(MemoryJobStore):  # type: ignore[misc]
    """Jobs in memory, their next times in the database."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def add_job(self, job: Job) -> None:
        """Take a job; one that was due before this process began is due still."""
        kept = self._kept(job.id)
        if kept is not None and kept < job.next_run_time:
            job.next_run_time = kept
        super().add_job(job)
        self._keep(job)

    def update_job(self, job: Job) -> None:
        """Note when a job is due next."""
        super().update_job(job)
        self._keep(job)

    def _kept(self, name: str) -> datetime | None:
        with reading(self._path) as connection:
            row = connection.execute(
                "SELECT next_run_at FROM schedule WHERE job = ?", (name,)
            ).fetchone()
        return None if row is None else datetime.fromtimestamp(row[0], UTC)

    def _keep(self, job: Job) -> None:
        at: Any = job.next_run_time
        with writing(self._path) as connection:
            connection.execute(
                "INSERT OR REPLACE INTO schedule VALUES (?, ?)",
                (job.id, at.timestamp()),
            )


def _every(span: timedelta) -> BaseTrigger:
    seconds = int(span.total_seconds())
    return IntervalTrigger(seconds=seconds, timezone=UTC, jitter=min(seconds // 10, 30))
