"""What runs by itself: refreshing prices, looking at alerts, posting, cleaning up.

Each chore has a thread that sleeps until it is due. When that is stands in the
database, so that a restart neither starts a six-hour wait anew nor forgets what came
due meanwhile; what was missed runs once. Several processes may share a database: a
chore runs in one of them.
"""

import logging
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import Final

from msgspec import Struct

from prices.alerts.tables import prepare_alerts
from prices.database.connection import Engine
from prices.records.schedule import Schedule

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
Next = Callable[[datetime], datetime]
"""When something is due next, seen from an instant."""


class Pace(Struct, frozen=True):
    """How often it is looked what is due."""

    refresh: timedelta = REFRESH_EVERY
    look: timedelta = LOOK_EVERY


class Chore(Struct, frozen=True):
    """One thing that is done again and again."""

    name: str
    next: Next
    work: Work
    at_once: bool = False
    """Whether a program that never did it begins with it."""


def chores(refresh: Work, look: Work, clean: Work, pace: Pace) -> list[Chore]:
    """Return everything that runs by itself, and when."""
    return [
        Chore("refresh", every(pace.refresh), refresh, at_once=True),
        Chore("look", every(pace.look), look, at_once=True),
        Chore("clean", daily(*CLEAN_AT), clean),
    ]


class Timekeeper:
    """Does chores when they are due, from `start` until `shutdown`."""

    def __init__(
        self,
        engine: Engine,
        wanted: list[Chore],
        clock: Callable[[], datetime],
        holder: str,
    ) -> None:
        """Take the chores; their work is told the time of `clock`."""
        prepare_alerts(engine)
        self._schedule = Schedule(engine)
        self._clock, self._holder = clock, holder
        self._stop = Event()
        self.due = {chore.name: self._first(chore) for chore in wanted}
        """When each is due next."""
        self._looked: dict[str, datetime] = {}
        self.threads = tuple(
            Thread(target=self._keep, args=(chore,), name=chore.name, daemon=True)
            for chore in wanted
        )

    def start(self) -> None:
        """Begin."""
        for thread in self.threads:
            thread.start()

    def shutdown(self) -> None:
        """Wait for what is under way, but not for long: it can be cut off anywhere."""
        self._stop.set()
        ends = monotonic() + STOP_S
        for thread in self.threads:
            thread.join(max(ends - monotonic(), 0.0))

    def _first(self, chore: Chore) -> datetime:
        """What was due before this process began is due still."""
        now = self._schedule.engine.now()
        kept = self._schedule.due(chore.name)
        anew = now if chore.at_once else chore.next(now)
        first = anew if kept is None else min(kept, chore.next(now))
        self._schedule.note(chore.name, first)
        return first

    def _keep(self, chore: Chore) -> None:
        while not self._stop.is_set():
            now = self._schedule.engine.now()
            if (wait := self.wait(chore, now)) > 0:
                # Looked at each minute all the same, for the clock may be set.
                self._stop.wait(min(wait, LOOK_EVERY.total_seconds()))
            else:
                due, after = self.due[chore.name], chore.next(now)
                self.due[chore.name] = after  # whoever does it
                alone(
                    self._schedule,
                    chore,
                    self._clock,
                    self._holder,
                    partial(self._begins, chore, due, after),
                )

    def _begins(self, chore: Chore, due: datetime, after: datetime) -> bool:
        """Put a chore off before it is done; False: another process just did it."""
        kept = self._schedule.due(chore.name)
        if kept is not None and due < kept <= after:
            self.due[chore.name] = kept
            return False
        self._put_off(chore, after)
        return True

    def wait(self, chore: Chore, now: datetime) -> float:
        """Return the seconds until a chore is due.

        Where the clock went back, nothing waits until it has caught up.
        """
        looked = self._looked.get(chore.name, now)
        if now < looked - TURNED_BACK:
            log.warning("the clock went back from %s to %s", looked, now)
            self._put_off(chore, min(self.due[chore.name], chore.next(now)))
        self._looked[chore.name] = now
        return (self.due[chore.name] - now).total_seconds()

    def _put_off(self, chore: Chore, until: datetime) -> None:
        self.due[chore.name] = until
        self._schedule.note(chore.name, until)


def alone(
    schedule: Schedule,
    chore: Chore,
    clock: Callable[[], datetime],
    holder: str,
    begins: Callable[[], bool] = lambda: True,
) -> bool:
    """Do a chore unless another process is at it; a fault is logged, never raised."""
    now = clock()
    if not schedule.take(chore.name, holder, now, LEASE_S):
        return False
    with _renewed(schedule, chore.name, clock, holder):
        try:
            if begins():
                chore.work(now)
        except Exception:
            log.exception("%s failed", chore.name)
    schedule.give_back(chore.name, holder)
    return True


@contextmanager
def _renewed(
    schedule: Schedule, name: str, clock: Callable[[], datetime], holder: str
) -> Iterator[None]:
    """Keep a lease until the block ends."""
    over = Event()

    def renew() -> None:
        while not over.wait(LEASE_S / 4):
            schedule.take(name, holder, clock(), LEASE_S)

    Thread(target=renew, name=f"lease {name}", daemon=True).start()
    try:
        yield
    finally:
        over.set()


def every(span: timedelta) -> Next:
    """Again after a span, and a little later each time: not all come at once."""
    jitter = min(span.total_seconds() / 10, 30.0)

    def following(now: datetime) -> datetime:
        late = random.uniform(0, jitter)  # noqa: S311 - jitter # nosec B311
        return now + span + timedelta(seconds=late)

    return following


def daily(hour: int, minute: int) -> Next:
    """Once a day at a time of UTC."""

    def following(now: datetime) -> datetime:
        today = now.astimezone(UTC).replace(
            hour=hour, minute=minute, second=0, microsecond=0
        )
        return today if today > now else today + timedelta(days=1)

    return following
