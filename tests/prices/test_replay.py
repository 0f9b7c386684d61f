"""Real price histories replayed poll by poll, against a count made by hand."""

import csv
import gzip
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.offers import PricePoint
from prices.poll import Poll, micro_per_gpu
from prices.store import Store

HISTORY = Path(__file__).parents[3] / "shared" / "data" / "price-history"
KINDS = {
    "spot": ("spot", 0),
    "cud-1y": ("reserved", 12),
    "cud-3y": ("reserved", 36),
}
TIERS = {"secure", "community", "serverless"}

Key = tuple[Any, ...]
State = dict[Key, int]


@pytest.fixture(
    params=["gpurentalprices", "primeintellect-market", "gcp-monthly"], scope="module"
)
def rows(request: pytest.FixtureRequest) -> dict[str, list[dict[str, str]]]:
    """Give one history's rows by poll; skipped where the data is not at hand."""
    path = HISTORY / f"{request.param}.csv.gz"
    if not path.exists():
        pytest.skip(f"no price history at {path}")
    polls: dict[str, list[dict[str, str]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if float(row["gpu_count"]).is_integer():
                polls.setdefault(row["observed_at"], []).append(row)
    return dict(sorted(polls.items())[-40:])


def points(rows: list[dict[str, str]], at: datetime) -> Iterator[PricePoint]:
    """Make one poll's points, unchecked, as a feed would."""
    for row in rows:
        count = int(float(row["gpu_count"]))
        pricing, months = KINDS.get(row["kind"], ("on_demand", 0))
        total = Decimal(row["usd_per_gpu_hour"]) * count
        yield PricePoint.model_construct(
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
        key = tuple(
            row[column]
            for column in ("provider", "gpu", "gpu_count", "instance", "region", "kind")
        )
        micro = round(Decimal(row["usd_per_gpu_hour"]) * 1_000_000)
        found[key] = min(micro, found.get(key, micro))
    return found


def instant(text: str) -> datetime:
    """Read a poll's instant, UTC where it names no zone."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_a_replay_counts_what_the_rows_say(
    rows: dict[str, list[dict[str, str]]], tmp_path: Path
) -> None:
    """Changes, listings, delistings, duplicates and past instants equal the rows."""
    store = Store.open(tmp_path / "prices.db")
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

    chance = random.Random(11)  # noqa: S311 - which instants are asked
    starts = [instant(text) for text in rows]
    span = (starts[-1] - starts[0]).total_seconds()
    for _ in range(40):
        at = starts[0] + timedelta(seconds=chance.uniform(0, span))
        text = max(text for text in rows if instant(text) <= at)
        expected = sorted(lowest(rows[text]).values())
        stood = store.as_of(at, superseded=True).offers
        assert expected == sorted(offer.micro_usd_per_gpu_hour for offer in stood)
