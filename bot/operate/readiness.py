"""Whether this process can do its work now, and why not."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from bot.operate.stored import Kept
from core.reference.freshness import longest
from prices.database.connection import reading, reason, writing
from prices.history import health
from prices.upkeep import schema

FRESH_S: Final = 2.0
"""A probe each second costs no more than one every other second."""
DISK_BYTES: Final = 32_000_000
"""Below this, the next poll of prices may fill the disk."""
LOCK_S: Final = 1.0


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
        self.stopping = False

    def need(self, name: str, holds: Callable[[], bool], wrong: str) -> None:
        """Make something else a condition too."""
        self._checks.append(lambda: Check(name, "" if holds() else wrong))

    def checks(self) -> tuple[Check, ...]:
        """Return every check; one with a reason fails."""
        running = Check("running", "the program is ending" if self.stopping else "")
        return (running, *self._kept())

    def _look(self) -> tuple[Check, ...]:
        return (*_store(self._path, self._clock()), *(each() for each in self._checks))


def _store(path: Path, now: datetime) -> Iterator[Check]:
    try:
        with reading(path) as connection:
            yield Check("database")
            yield _migrations(schema.pending(connection), schema.unknown(connection))
            yield _feeds(health.sources(connection), now)
    except sqlite3.Error as fault:
        yield Check("database", reason(fault))
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
        with writing(path, LOCK_S):
            return ""
    except sqlite3.Error as fault:
        busy = getattr(fault, "sqlite_errorname", "").startswith("SQLITE_BUSY")
        return "" if busy else reason(fault)
