"""Real price histories replayed poll by poll, against a count made by hand."""

import csv
import gzip
import os
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.offers import PricePoint
from prices.history.poll import Poll, micro_per_gpu
from prices.history.store import Store
from tests.engines import engine_of

HISTORY = Path(__file__).parents[3] / "shared" / "data" / "price-history"
KINDS = {
    "spot": ("spot", 0),
    "cud-1y": ("reserved", 12),
    "cud-3y": ("reserved", 36),
}
TIERS = {"secure", "community", "serverless"}

ALL = os.environ.get("GPUCOST_REPLAY") == "all"
"""`make replay`: every poll and a thousand instants; else a sample of both."""
POLLS = None if ALL else -40
INSTANTS = 1000 if ALL else 60

Key = tuple[Any, ...]
State = dict[Key, int]
FILES = sorted(HISTORY.glob("*.csv.gz"))


@pytest.fixture(
    params=FILES or [None], ids=lambda file: file and file.name[:-7], scope="module"
)
def rows(request: pytest.FixtureRequest) -> dict[str, list[dict[str, str]]]:
    """Give one history's rows by poll; skipped where the data is not at hand."""
    if request.param is None:
        pytest.skip(f"no price history in {HISTORY}")
    polls: dict[str, list[dict[str, str]]] = {}
    with gzip.open(request.param, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            # Half a TPU board is no count of GPUs.
            if float(row["gpu_count"]).is_integer():
                polls.setdefault(row["observed_at"], []).append(row)
    return dict(sorted(polls.items())[POLLS:])


def points(rows: list[dict[str, str]], at: datetime) -> Iterator[PricePoint]:
    """Make one poll's points, unchecked, as a feed would."""
    for row in rows:
        count = int(float(row["gpu_count"]))
        pricing, months = KINDS.get(row["kind"], ("on_demand", 0))
        total = Decimal(row["usd_per_gpu_hour"]) * count
        yield PricePoint(
            provider=row["provider"],
            gpu=row["gpu"],
            gpu_count=count,
            instance=row["instance"],
            region=row["region"],
            pricing=pricing,
            term_months=months,
            tier=row["kind"] if row["kind"] in TIERS else "standard",
            raw_total=total,
            micro_usd_per_gpu_hour=micro_per_gpu(total, count),
            observed_at=at,
            source="history",
            source_url="https://example.com",
        )


def lowest(rows: list[dict[str, str]]) -> State:
    """Return what one poll says, the lowest price under each key."""
    found: State = {}
    for row in rows:
        key = (
            row["provider"],
            row["gpu"],
            int(float(row["gpu_count"])),
            row["instance"],
            row["region"],
            *KINDS.get(row["kind"], ("on_demand", 0)),
            row["kind"] if row["kind"] in TIERS else "standard",
        )
        micro = round(Decimal(row["usd_per_gpu_hour"]) * 1_000_000)
        found[key] = min(micro, found.get(key, micro))
    return found


def stood(store: Store, at: datetime) -> State:
    """Return what the store says stood at an instant, by the same keys."""
    return {
        (
            offer.provider,
            offer.gpu,
            offer.gpu_count,
            offer.instance,
            offer.region,
            offer.pricing,
            offer.term_months,
            offer.tier,
        ): offer.micro_usd_per_gpu_hour
        for offer in store.as_of(at, superseded=True).offers
    }


def instant(text: str) -> datetime:
    """Read a poll's instant, UTC where it names no zone."""
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


@pytest.fixture(scope="module")
def store(
    rows: dict[str, list[dict[str, str]]], tmp_path_factory: pytest.TempPathFactory
) -> Store:
    """Record every poll, and hold what it changed against the rows."""
    store = Store.open(engine_of(tmp_path_factory.mktemp("replay") / "prices.db"))
    before: State = {}
    for text, found in rows.items():
        at, now = instant(text), lowest(found)

        changes = store.record(Poll("history", at, list(points(found, at))))

        moved = [key for key in now if before.get(key, now[key]) != now[key]]
        assert len(changes.changed) == len(moved)
        assert len(changes.listed) == len(now.keys() - before.keys())
        assert len(changes.delisted) == len(before.keys() - now.keys())
        assert changes.duplicates == len(found) - len(now)
        before = now
    return store


def test_a_replay_counts_what_the_rows_say(
    rows: dict[str, list[dict[str, str]]], store: Store
) -> None:
    """Changes, listings, delistings, duplicates and past instants equal the rows."""
    starts = {instant(text): text for text in rows}
    polls = sorted(starts)
    span = (polls[-1] - polls[0]).total_seconds()
    chance = random.Random(11)  # noqa: S311 - which instants are asked
    expected: dict[str, State] = {}
    for _ in range(INSTANTS):
        at = polls[0] + timedelta(seconds=chance.uniform(0, span))
        text = starts[polls[bisect_right(polls, at) - 1]]
        if text not in expected:
            expected[text] = lowest(rows[text])
        assert expected[text] == stood(store, at)


def test_what_happened_adds_up(
    rows: dict[str, list[dict[str, str]]], store: Store
) -> None:
    """The events of the whole time are those that the rows show, one by one."""
    counted: Counter[tuple[str, datetime]] = Counter()
    before: State = {}
    for text, found in rows.items():
        at, now = instant(text), lowest(found)
        counted["listed", at] += len(now.keys() - before.keys())
        counted["delisted", at] += len(before.keys() - now.keys())
        counted["changed", at] += sum(
            before.get(key, now[key]) != now[key] for key in now
        )
        before = now

    last = instant(max(rows))
    events = store.events(datetime(2000, 1, 1, tzinfo=UTC), last)
    assert +counted == Counter((event.kind, event.at) for event in events)
