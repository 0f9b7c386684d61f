"""Whether this process can do its work now, and why not."""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from hashlib import blake2b
from threading import Lock, Thread
from typing import Final

from msgspec import Struct

from bot.operate.stored import Kept
from core.reference.freshness import longest
from core.wording import say
from prices.database import probe
from prices.database.connection import DatabaseError, Engine, reason
from prices.history import health
from prices.upkeep import schema

FRESH_S: Final = 2.0
"""A probe each second costs no more than one every other second."""
DISK_BYTES: Final = 32_000_000
"""Below this, the next poll of prices may fill the disk."""
LOCK_S: Final = 1.0
CHECKED_AGAIN_S: Final = 15.0


class Check(Struct, frozen=True):
    """One thing that has to be so, and what is wrong where it is not."""

    name: str
    wrong: str = ""


class Readiness:
    """Looks at everything that an answer needs."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        self._engine, self._clock = engine, clock
        self._checks: list[Callable[[], Check]] = []
        self._kept: Kept[tuple[Check, ...]] = Kept(self._look, FRESH_S)
        self._whole = Wholeness(engine)
        self.stopping = False

    def need(self, name: str, holds: Callable[[], bool], wrong: str) -> None:
        """Make something else a condition too."""
        self._checks.append(lambda: Check(name, "" if holds() else wrong))

    def checks(self) -> tuple[Check, ...]:
        """Return every check; one with a reason fails."""
        running = Check(
            "running", say("operate.program_ending") if self.stopping else ""
        )
        return (running, *self._kept())

    def _look(self) -> tuple[Check, ...]:
        return (
            *_store(self._engine, self._clock()),
            Check("pages", self._whole.wrong()),
            *(each() for each in self._checks),
        )


def _store(engine: Engine, now: datetime) -> Iterator[Check]:
    try:
        found = schema.condition(engine)
        yield Check("database")
        # On a server steps only add: whoever is not replaced yet goes on.
        yield _migrations(found.pending, found.unknown if engine.is_file else ())
        yield _feeds(found.sources, now)
    except DatabaseError as fault:
        yield Check("database", reason(fault))
        return
    except (OSError, ValueError) as fault:  # garbage where a date or a name stood
        yield Check(
            "database", say("operate.database_unreadable", fault=type(fault).__name__)
        )
        return
    yield _space(engine)


def _migrations(pending: Iterable[str], unknown: Iterable[str]) -> Check:
    if missing := ", ".join(pending):
        return Check("migrations", say("operate.migrations_due", missing=missing))
    if ahead := ", ".join(unknown):
        return Check("migrations", say("operate.migrations_of_newer", ahead=ahead))
    return Check("migrations")


def _feeds(sources: Iterable[health.SourceStatus], now: datetime) -> Check:
    """Fail where every price is too old to be used in an answer."""
    seen = [source.observed_at for source in sources if source.observed_at]
    if not seen:
        return Check("prices", say("operate.no_prices"))
    if now - max(seen) > longest():
        said = say("operate.prices_too_old", days=longest().days)
        return Check("prices", said)
    return Check("prices")


def _space(engine: Engine) -> Check:
    free = engine.free_bytes()
    if free is not None and free < DISK_BYTES:
        return Check("writing", say("operate.disk_nearly_full", free_mb=free / 1e6))
    return Check("writing", probe.unwritable(engine, LOCK_S))


class Vitals:
    """What only a restart mends: a database that was moved away, a dead thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._found = engine.identity()
        self._threads: list[Thread] = []
        self._log_was_whole = False

    @property
    def serves(self) -> str:
        """Tell databases apart without naming a folder."""
        return served_as(self._engine)

    def anchor(self) -> None:
        """Take the file that lies there now for the one that is served from."""
        self._found = self._engine.identity()
        self._log_was_whole = not self._engine.broken_log()

    def watch(self, *threads: Thread) -> None:
        """Expect threads to live for as long as the process serves."""
        self._threads.extend(threads)

    def wrong(self) -> str:
        """Say what is wrong; "" where nothing is."""
        if self._found is not None and self._engine.identity() != self._found:
            return say("operate.database_moved")
        if self._log_was_whole and (broken := self._engine.broken_log()):
            return broken
        dead = [each.name for each in self._threads if not each.is_alive()]
        return say("operate.thread_ended", threads=", ".join(dead)) if dead else ""


def served_as(engine: Engine) -> str:
    """Name a database by a digest of where it lies on this machine."""
    return blake2b(engine.address.encode(), digest_size=8).hexdigest()


class Wholeness:
    """Whether every page of the database can be read: looked at in the background.

    A check reads the whole file, so it rests twenty times as long as it took.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = Lock()
        self._next, self._wrong = 0.0, ""
        self._begun = False

    def wrong(self) -> str:
        """What the last check found; begins another once it is time."""
        with self._lock:
            if not self._begun and time.monotonic() >= self._next:
                self._begun = True
                Thread(target=self._check, name="wholeness", daemon=True).start()
        return self._wrong

    def _check(self) -> None:
        began = time.monotonic()
        found = probe.damaged(self._engine)
        took = time.monotonic() - began
        with self._lock:
            self._wrong, self._begun = found, False
            self._next = time.monotonic() + max(CHECKED_AGAIN_S, 20 * took)
