"""Kill a writer in every write path, and look for what it had acknowledged.

`python -m tests.faults.kills --kills 500` prints the figures as JSON. Each worker
writes in a loop and notes each write once it came back; SIGKILL meets it anywhere.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prices.upkeep.copying import damage_of
from tests.engines import begun_anew, engine_of
from tests.faults import alert_paths, file_paths, letter_paths, write_paths
from tests.faults.write_paths import WritePath

fork = multiprocessing.get_context("fork")
LONGEST_S = 0.12
AT_WORK = 0.7
"""The share of writers that are killed after they have promised something."""
PATIENCE_S = 10.0
NUMBERS = 10_000
"""For each life of a writer: more than it ever gets to write."""
TABLES = write_paths.PATHS + alert_paths.PATHS + letter_paths.PATHS
PATHS = TABLES + file_paths.PATHS


@dataclass
class Tally:
    """What came of the kills in one write path."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    damaged: int = 0


def run(
    kills: int, folder: Path, seed: int = 1, paths: tuple[WritePath, ...] = PATHS
) -> dict[str, Tally]:
    """Kill each path's writer in turn until there were enough kills."""
    chance = random.Random(seed)  # noqa: S311 - when to kill
    tallies = {path.name: Tally() for path in paths}
    homes = {path.name: _home(folder, path) for path in paths}
    for number in range(kills):
        path = paths[number % len(paths)]
        _kill_once(path, homes[path.name], tallies[path.name], chance)
    return tallies


def _home(folder: Path, path: WritePath) -> Path:
    home = folder / path.name.replace(" ", "-")
    home.mkdir()
    path.begin(home)
    return home


def _kill_once(
    path: WritePath, home: Path, tally: Tally, chance: random.Random
) -> None:
    log = home / "acknowledged"
    first = tally.kills * NUMBERS + 1
    worker = fork.Process(target=_work, args=(path.work, home, log, first), daemon=True)
    worker.start()
    if chance.random() < AT_WORK:
        _await_news(log)
    time.sleep(chance.uniform(0.0, LONGEST_S))
    worker.kill()
    worker.join()
    if worker.exitcode != -signal.SIGKILL:
        raise RuntimeError(f"the writer of {path.name} ended by itself")
    acknowledged = [int(line) for line in _lines(log)]
    tally.kills += 1
    tally.acknowledged = len(acknowledged)
    tally.damaged += _is_damaged(home / "gpucost.sqlite3")
    # A server may still commit what a killed writer sent last: one look at all of it.
    with engine_of(home / "gpucost.sqlite3").one_view():
        tally.lost += path.lost(home, acknowledged)


def _await_news(log: Path) -> None:
    """Let a write come back first: a busy machine is slow to begin."""
    before, ends = _size(log), time.monotonic() + PATIENCE_S
    while _size(log) == before and time.monotonic() < ends:
        time.sleep(0.002)


def _size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _work(
    work: Callable[[Path, int], Iterator[int]], home: Path, log: Path, first: int
) -> None:
    """Write until killed; a number is acknowledged once its write came back."""
    begun_anew()
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for number in work(home, first):
        os.write(descriptor, f"{number}\n".encode())


def _lines(log: Path) -> list[str]:
    """Return the whole lines: a kill may leave half of one."""
    text = log.read_text() if log.exists() else ""
    return text[: text.rfind("\n") + 1].splitlines()


def _is_damaged(path: Path) -> bool:
    # Whose writer makes the file anew may be killed before: what is lost then says so.
    at_home = engine_of(path).is_file and path.exists()
    return at_home and bool(damage_of(path))


def report(tallies: dict[str, Tally]) -> dict[str, Any]:
    """Sum up."""
    total = Tally()
    for tally in tallies.values():
        for field, value in vars(tally).items():
            setattr(total, field, getattr(total, field) + value)
    return {name: vars(t) for name, t in (*tallies.items(), ("all", total))}


def main() -> int:
    """Print what came of it; 0 where nothing was lost and every file is whole."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = report(run(options.kills, Path(folder), options.seed))
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    return 1 if found["all"]["lost"] or found["all"]["damaged"] else 0


if __name__ == "__main__":
    sys.exit(main())
