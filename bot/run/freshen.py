"""Prices renew themselves where somebody asks in a terminal, and never delay an answer.

Where they are older than a day a process of its own polls the feeds while the answer is
made and drawn; a line tells how far it is. `GPUCOST_FEEDS=off` polls nothing.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct, field

from core.wording import say
from prices.database.connection import Engine
from prices.history.health import last_polled
from prices.sources.chosen import VARIABLE, none_chosen

if TYPE_CHECKING:
    import subprocess

    from prices.sources.source import SourceSpec

OLD = timedelta(days=1)
PATIENCE_S = 10.0
"""How long a person at a terminal is shown how far a refresh is."""
PROBE_S = 1.5
HTTPS = 443
HOW = "gpucost prices refresh"


@contextmanager
def freshened(
    engine: Engine, environment: Mapping[str, str], now: datetime
) -> Iterator[None]:
    """Renew old prices beside what the block does; say afterwards what came of it."""
    off = none_chosen(environment)
    last = None if off else last_polled(engine)
    if off or (last is not None and now - last < OLD):
        yield
        return
    from prices.sources.feeds import all_sources  # with what polls them: rarely needed

    if not (specs := all_sources(environment)):
        yield
        return
    refresh = Background(engine.home, environment, specs)
    refresh.begin()
    yield
    refresh.tell(_age(last, now))


class Background(Struct):
    """A refresh under way, if there is a network at all."""

    home: Path
    environment: Mapping[str, str]
    specs: "Sequence[SourceSpec]"
    done: int = 0
    _process: "subprocess.Popen[str] | None" = None
    _lines: "SimpleQueue[str]" = field(default_factory=SimpleQueue)
    _looking: Thread | None = None

    def begin(self) -> None:
        """Look for a network, and poll where there is one; return at once."""
        self._looking = Thread(target=self._begin, name="freshen", daemon=True)
        self._looking.start()

    def _begin(self) -> None:
        if not any(map(_reachable, _places(self.environment, self.specs))):
            return
        from prices.refresh.worker import start

        self._process = process = start(self.home, self.environment)
        for line in process.stdout or ():
            self._lines.put(line)

    def tell(self, age: str) -> None:
        """Say what is going on; at a terminal, for as long as somebody may watch."""
        if self._looking is not None:
            self._looking.join(PROBE_S if self._process is None else 0.0)
        if self._process is None:
            _say(say("run.offline", age=age, how=HOW))
            return
        _say(say("run.refreshing", age=age, off=f"{VARIABLE}=off"))
        if sys.stderr.isatty():
            self._watch(self._process)

    def _watch(self, process: "subprocess.Popen[str]") -> None:
        ends = monotonic() + PATIENCE_S
        while monotonic() < ends:
            over = process.poll() is not None
            self._take()
            done = say("run.feeds_done", done=self.done, feeds=len(self.specs))
            sys.stderr.write(f"\r{done} ")
            sys.stderr.flush()
            if over:
                _say(say("run.done"))
                return
        _say(say("run.pause_over"))

    def _take(self) -> None:
        try:
            name, ok, *_ = json.loads(self._lines.get(timeout=0.2))
            self.done += bool(ok and name)
        except Empty:
            return


def _places(
    environment: Mapping[str, str], specs: "Sequence[SourceSpec]"
) -> list[tuple[str, int]]:
    """Return where to knock to learn whether there is a network: two feeds' hosts."""
    from prices.snapshot.published import wanted as catalogue_address

    if address := catalogue_address(environment):
        parts = urlsplit(address)
        return [(parts.hostname or "", parts.port or _port(parts.scheme))]
    hosts = sorted({host for spec in specs for host in spec.hosts})
    return [(host, HTTPS) for host in hosts[:2]]


def _port(scheme: str) -> int:
    return HTTPS if scheme == "https" else 80


def _reachable(place: tuple[str, int]) -> bool:
    from socket import create_connection  # where prices are old enough to be renewed

    try:
        create_connection(place, timeout=PROBE_S / 2).close()
    except OSError:
        return False
    return True


def _age(last: datetime | None, now: datetime) -> str:
    if last is None:
        return say("run.never_refreshed")
    return say("run.age", days=(now - last).days)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
