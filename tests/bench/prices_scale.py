"""`make bench-prices`: what the price store costs at scale, as JSON.

Each figure stands beside a baseline of the same run: a poll beside a bare
`executemany` of the same rows, everything else beside one query that returns nothing.
The past is filled in by SQL, as polls would have left it, since millions of polls would
take hours.
"""

import argparse
import gc
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import product
from pathlib import Path

from msgspec.structs import replace

from core.offers import PricePoint
from core.reference.load import reference
from prices.history.poll import Poll
from prices.history.series import Wanted
from prices.history.store import Store
from tests.engines import engine_of

START = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
OFFERS = 30_000
MILLIONS = (5, 10)
CHANGE_RATES = {
    # share of its offers that change in an hour
    "spot": 0.075,  # AWS: 335,825 moves in 517 days of about 360 offers
    "on_demand": 0.0016,  # gpu-rental-prices: 479 of 12,472 daily rows
}
COLUMNS = (
    "source provider gpu gpu_count instance region pricing term_months upfront tier "
    "includes raw_total currency micro_usd_per_gpu_hour observed_at source_url"
)


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", type=int, nargs="*", default=MILLIONS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        report: dict[str, object] = {"load": [round(x, 2) for x in os.getloadavg()]}
        report["ingest"] = ingest(home)
        report["catalogue"] = catalogue(home)
        report["refresh"] = refresh(home)
        for millions in options.millions:
            report[f"{millions}M points"] = scale(home, millions * 1_000_000)
        report["a year of hourly polls"] = year(home)
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


def points(at: datetime, moved: frozenset[int] = frozenset()) -> list[PricePoint]:
    """Make a poll of offers of many GPUs, sizes, regions and providers."""
    gpus = sorted(gpu.id for gpu in reference().gpus.values())
    places = product(range(50), range(10), range(40), ("on_demand", "spot"), gpus)
    found = []
    for number, (instance, provider, region, pricing, gpu) in enumerate(places):
        if number == OFFERS:
            return found
        count = 1 << number % 4
        micro = 2_000_000 + 37 * number + (1_000 if number in moved else 0)
        found.append(
            PricePoint(
                provider=f"provider-{provider}",
                gpu=gpu,
                gpu_count=count,
                instance=f"machine-{gpu}-{instance}",
                region=f"region-{region}",
                pricing=pricing,
                raw_total=Decimal(micro * count) / 1_000_000,
                micro_usd_per_gpu_hour=micro,
                observed_at=at,
                source="feed",
                source_url="https://example.com/prices",
            )
        )
    raise AssertionError("too few combinations")


# ---- a poll ----


def ingest(home: Path, rounds: int = 5) -> dict[str, object]:
    """Time a first poll, one that confirms and one that moves every 20th price."""
    few = frozenset(range(0, OFFERS, 20))
    polls = {
        "first_poll": Poll("feed", START, points(START)),
        "unchanged": Poll("feed", START + HOUR, points(START + HOUR)),
        "one_in_20_moved": Poll("feed", START + 2 * HOUR, points(START, few)),
    }
    spent: dict[str, list[float]] = {name: [] for name in ("bare", *polls)}
    for number in range(rounds):
        spent["bare"].append(bare(home / f"bare-{number}.db"))
        store = Store.open(engine_of(home / f"ingest-{number}.db"))
        for name, poll in polls.items():
            spent[name].append(timed(partial(store.record, poll)))
    best = {name: min(times) for name, times in spent.items()}
    return {
        "rows": OFFERS,
        "bare_executemany_ms": round(best["bare"], 1),
        **{f"{name}_ms": round(best[name], 1) for name in polls},
        **{f"{name}_of_bare": round(best["bare"] / best[name], 2) for name in polls},
    }


def bare(path: Path) -> float:
    """Time the same rows into a table without an index, in WAL, to the last close."""
    names = COLUMNS.split()
    rows = [[_plain(getattr(point, name)) for name in names] for point in points(START)]
    into = f"INSERT INTO prices VALUES ({','.join('?' * len(names))})"  # noqa: S608
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(f"CREATE TABLE prices ({','.join(names)})")

    def insert() -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(into, rows)
        connection.execute("COMMIT")
        connection.close()

    return timed(insert)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return int(value.timestamp())
    return str(value) if isinstance(value, Decimal) else value


# ---- the catalogue, and a refresh ----

COLD = """
import sys, time
from datetime import datetime, UTC
from pathlib import Path
from prices.database.sqlite import Sqlite
from prices.history.store import Store
store = Store.open(Sqlite(Path(sys.argv[1])))
now = datetime(2026, 1, 2, tzinfo=UTC)
spent = []
for _ in range(20):
    started = time.perf_counter()
    assert len(store.catalog(now).offers) == 30_000
    spent.append((time.perf_counter() - started) * 1e3)
print(spent[0], min(spent[1:]))
"""


def catalogue(home: Path, rounds: int = 7) -> dict[str, float]:
    """Time the offers of a store in a process that has read nothing yet, and again."""
    path = home / "catalogue.db"
    Store.open(engine_of(path)).record(Poll("feed", START, points(START)))
    runs = [_program(COLD, path) for _ in range(rounds)]
    return {
        "offers": OFFERS,
        "cold_ms_median": round(statistics.median(cold for cold, _ in runs), 1),
        "cold_ms_least": round(min(cold for cold, _ in runs), 1),
        "cached_ms": round(min(cached for _, cached in runs), 2),
        "nothing_ms": middle(partial(nothing, path)),
    }


def refresh(home: Path) -> dict[str, float]:
    """Time a refresh of every recorded feed, and what memory it takes at its peak."""
    from tests.prices.test_refresh import MEASURED

    seconds, megabytes, feeds = _program(
        MEASURED, home / "refresh.db", "2026-11-21T12:00:00+00:00"
    )
    return {"feeds": feeds, "cpu_s": round(seconds, 2), "peak_mb": round(megabytes)}


def _program(text: str, *words: object) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", text, *map(str, words)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
        text=True,
    )
    return [float(word) for word in done.stdout.split()]


# ---- millions of points ----

SWEEP = 25
"""Prices of one offer written next to each other; polls write one at a time."""
WINDOW = timedelta(days=90)


def scale(home: Path, wanted: int) -> dict[str, object]:
    """Time what is asked of a store that holds so many prices."""
    path = home / f"{wanted}.db"
    rounds = wanted // OFFERS + 1
    last = START + rounds * HOUR
    store = Store.open(engine_of(path))
    store.record(Poll("feed", last, points(last)))
    before = size(path)
    fill(path, {"spot": rounds, "on_demand": rounds}, rounds)
    found = store.health()
    report = {
        "points": found.past_prices + found.offers,
        "megabytes": round(size(path) / 1e6),
        "bytes_per_point": round((size(path) - before) / found.past_prices, 1),
        **queries(store, last, rounds),
        **polls_on_top(store, last),
    }
    path.unlink()
    return report


def queries(store: Store, last: datetime, rounds: int) -> dict[str, object]:
    """Time questions about the present and the past."""
    gpus = sorted(gpu.id for gpu in reference().gpus.values())
    some = points(last)[777]
    one = Wanted(some.gpu, some.provider, some.pricing, some.region, source="feed")
    window = replace(one, since=last - WINDOW)
    chance = random.Random(5)  # noqa: S311 - which GPU is asked, and when
    asked: dict[str, Callable[[], object]] = {
        "nothing": partial(nothing, store.engine),
        "latest": lambda: Store(store.engine).latest(chance.choice(gpus)),
        "latest_again": partial(store.latest, gpus[0]),
        "series": lambda: store.series(one),
        "series_of_90_days": lambda: store.series(window),
        "as_of": lambda: store.as_of(START + chance.random() * rounds * HOUR),
    }
    return {
        "offers_of_a_gpu": len(store.latest(gpus[0])),
        "prices_in_the_series": len(store.series(one)),
        **{f"{name}_ms": middle(work) for name, work in asked.items()},
    }


def polls_on_top(store: Store, last: datetime) -> dict[str, float]:
    """Time polls that come on top of all that, one price in 20 moving."""
    spent = []
    for number in range(1, 6):
        at = last + number * HOUR
        moved = frozenset(range(number, OFFERS, 20))
        poll = Poll("feed", at, points(at, moved))
        spent.append(timed(partial(store.record, poll)))
    return {"poll_ms": round(statistics.median(spent), 1)}


def fill(path: Path, prices: dict[str, int], hours: int) -> None:
    """Write hours of polls, and the past of every offer: so many prices of an hour."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA journal_mode=OFF")
        connection.execute("PRAGMA cache_size=-200000")
        connection.execute("BEGIN IMMEDIATE")
        for pricing, count in prices.items():
            for first in range(0, count, SWEEP):
                last = min(first + SWEEP, count)
                connection.execute(FILL, (first, last, pricing, count))
        for polled in (POLLS, COVERAGE):
            connection.execute(polled, (int(START.timestamp()), hours))
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode=WAL")


FILL = """
    WITH RECURSIVE steps(n) AS (
        SELECT ?1 UNION ALL SELECT n + 1 FROM steps WHERE n + 1 < ?2
    )
    INSERT INTO history
    SELECT offers.id, first_seen - 3600 * (?4 - n), first_seen - 3600 * (?4 - n) + 1800,
           first_seen - 3600 * (?4 - n - 1), 0, micro_usd + n * 137 % 90001,
           printf('%.6f', (micro_usd + n * 137 % 90001) * gpu_count / 1e6),
           currency, url_id, NULL
    FROM offers JOIN terms ON terms.id = terms_id CROSS JOIN steps WHERE pricing = ?3
"""


def year(home: Path) -> dict[str, object]:
    """Fill in a year at the rates at which real prices moved, and weigh the file."""
    hours = 365 * 24
    path = home / "year.db"
    store = Store.open(engine_of(path))
    last = START + hours * HOUR
    store.record(Poll("feed", last, points(last)))
    moves = {name: round(rate * hours) for name, rate in CHANGE_RATES.items()}
    fill(path, moves, hours)
    return {
        "offers": OFFERS,
        "polls": hours,
        "moves_of_an_offer": moves,
        "points": store.health().past_prices + OFFERS,
        "megabytes": round(size(path) / 1e6),
    }


POLLS = """
    WITH RECURSIVE hours(n) AS (
        SELECT 0 UNION ALL SELECT n + 1 FROM hours WHERE n + 1 < ?2
    )
    INSERT INTO polls (source_id, at, points)
    SELECT (SELECT min(id) FROM sources), ?1 + 3600 * n, 30000 FROM hours
"""
COVERAGE = """
    WITH RECURSIVE hours(n) AS (
        SELECT 0 UNION ALL SELECT n + 1 FROM hours WHERE n + 1 < ?2
    )
    INSERT INTO coverage
    SELECT source_id, provider_id, ?1 + 3600 * n, ?1 + 3600 * n
    FROM hours CROSS JOIN (SELECT DISTINCT source_id, provider_id FROM offers)
"""


# ---- the clock ----


def timed(work: Callable[[], object]) -> float:
    """Return what a call takes, in milliseconds."""
    gc.collect()
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def middle(work: Callable[[], object], rounds: int = 25) -> float:
    """Return the median of several calls, in milliseconds."""
    return round(statistics.median(timed(work) for _ in range(rounds)), 2)


def nothing(path: Path) -> None:
    """Connect and ask for nothing: what any question costs at least."""
    with engine_of(path).reading() as connection:
        connection.execute("SELECT 1").fetchone()


def size(path: Path) -> int:
    """Return the bytes of the file and its write-ahead log."""
    parts = (path, Path(f"{path}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


if __name__ == "__main__":
    main()
