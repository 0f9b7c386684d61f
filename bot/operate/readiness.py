"""Whether this process can do its work now, and why not."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from threading import Lock, Thread
from typing import Final

from bot.operate.stored import Kept
from core.reference.freshness import longest
from prices.database import probe
from prices.database.connection import reading, reason
from prices.history import health
from prices.upkeep import schema

FRESH_S: Final = 2.0
"""A probe each second costs no more than one every other second."""
DISK_BYTES: Final = 32_000_000
"""Below this, the next poll of prices may fill the disk."""
LOCK_S: Final = 1.0
CHECKED_AGAIN_S: Final = 15.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that has to be so, and what is wrong where it is not."""

    name: str
    wrong: str = ""


class Readiness:
    """Looks at everything that an answer needs."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._path, self._clock = path, clock
        self._checks: list[Callable[[], Check]] = []
        self._kept: Kept[tuple[Check, ...]] = Kept(self._look, FRESH_S)
        self._whole = Wholeness(path)
        self.stopping = False

    def need(self, name: str, holds: Callable[[], bool], wrong: str) -> None:
        """Make something else a condition too."""
        self._checks.append(lambda: Check(name, "" if holds() else wrong))

    def checks(self) -> tuple[Check, ...]:
        """Return every check; one with a reason fails."""
        running = Check("running", "the program is ending" if self.stopping else "")
        return (running, *self._kept())

    def _look(self) -> tuple[Check, ...]:
        return (
            *_store(self._path, self._clock()),
            Check("pages", self._whole.wrong()),
            *(each() for each in self._checks),
        )


def _store(path: Path, now: datetime) -> Iterator[Check]:
    try:
        with reading(path) as connection:
            yield Check("database")
            yield _migrations(schema.pending(connection), schema.unknown(connection))
            yield _feeds(health.sources(connection), now)
    except sqlite3.Error as fault:
        yield Check("database", reason(fault))
        return
    except (OSError, ValueError) as fault:  # garbage where a date or a name stood
        yield Check("database", f"cannot be read: {type(fault).__name__}")
        return
    yield _space(path)


def _migrations(pending: Iterable[str], unknown: Iterable[str]) -> Check:
    if missing := ", ".join(pending):
        return Check("migrations", f"to do: {missing} (gpucost migrate)")
    if ahead := ", ".join(unknown):
        return Check("migrations", f"of a newer version of gpucost: {ahead}")
    return Check("migrations")


def _feeds(sources: Iterable[health.SourceStatus], now: datetime) -> Check:
    """Fail where every price is too old to be used in an answer."""
    seen = [source.observed_at for source in sources if source.observed_at]
    if not seen:
        return Check("prices", "there are none")
    if now - max(seen) > longest():
        said = f"all are older than {longest().days} days: prices refresh"
        return Check("prices", said)
    return Check("prices")


def _space(path: Path) -> Check:
    free = shutil.disk_usage(path.absolute().parent).free
    if free < DISK_BYTES:
        return Check("writing", f"{free / 1e6:.0f} MB are free on the disk")
    return Check("writing", _unwritable(path))


def _unwritable(path: Path) -> str:
    """Say why nothing can be written; somebody else who writes is no reason."""
    if not os.access(path, os.W_OK):
        return "the database cannot be written"
    try:
        return probe.unwritable(path, LOCK_S)
    except sqlite3.Error as fault:
        busy = getattr(fault, "sqlite_errorname", "").startswith("SQLITE_BUSY")
        return "" if busy else reason(fault)


class Vitals:
    """What only a restart mends: a database that was moved away, a dead thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = _identity(path)
        self._threads: list[Thread] = []
        self._anchored = False

    @property
    def serves(self) -> str:
        """Tell databases apart without naming a folder."""
        return served_as(self._path)

    def anchor(self) -> None:
        """Take the file that lies there now for the one that is served from."""
        self._file = _identity(self._path)
        self._anchored = Path(f"{self._path}-shm").exists()

    def watch(self, *threads: Thread) -> None:
        """Expect threads to live for as long as the process serves."""
        self._threads.extend(threads)

    def wrong(self) -> str:
        """Say what is wrong; "" where nothing is."""
        if self._file is not None and _identity(self._path) != self._file:
            return "another file, or none, lies where the database was"
        if self._anchored and (broken := probe.broken_log(self._path)):
            return broken
        dead = [each.name for each in self._threads if not each.is_alive()]
        return f"a thread ended: {', '.join(dead)}" if dead else ""


def served_as(path: Path) -> str:
    """Name a database by a digest of where it lies on this machine."""
    return blake2b(str(path.resolve()).encode(), digest_size=8).hexdigest()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Wholeness:
    """Whether every page of the database can be read: looked at in the background.

    A check reads the whole file, so it rests twenty times as long as it took.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
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
        try:
            found = probe.damaged(self._path)
        except (sqlite3.Error, OSError) as fault:
            found = reason(fault) if isinstance(fault, sqlite3.Error) else str(fault)
        took = time.monotonic() - began
        with self._lock:
            self._wrong, self._begun = found, False
            self._next = time.monotonic() + max(CHECKED_AGAIN_S, 20 * took)
