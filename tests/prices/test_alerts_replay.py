"""Real price histories replayed against alerts worked out by brute force."""

import csv
import gzip
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from core.alerts.conditions import Condition, Move, NewLow, Presence, Threshold
from core.alerts.selection import Selection
from core.alerts.subscription import PriceWatch, Wanted
from core.offers import PricePoint
from prices.alerts import outbox
from prices.alerts.alerting import evaluate, wake
from prices.alerts.subscriptions import SubscriptionBook
from prices.history.poll import Poll, micro_per_gpu
from prices.history.store import Store
from prices.naming.gpu_names import could_be, gpu_name, known_ids
from tests.engines import engine_of
from tests.prices.alert_oracle import Day, Followed, Key, Oracle, Told, chosen

HISTORY = Path(__file__).parents[3] / "shared" / "data" / "price-history"
FILES = sorted(path.name for path in HISTORY.glob("*.csv.gz"))
COLUMNS = {"observed_at", "provider", "gpu", "gpu_count", "kind", "usd_per_gpu_hour"}
KINDS = {"spot": "spot", "cud-1y": "reserved", "cud-3y": "reserved"}
MONTHS = {"cud-1y": 12, "cud-3y": 36}
TIERS = {"secure", "community", "serverless"}
POINTS = 14_000
"""As many of a history's last points as a test is to replay in a few seconds."""


@pytest.fixture(params=FILES or ["no history"], scope="module")
def days(request: pytest.FixtureRequest) -> list[Day]:
    """Give the polls of one history; skipped where the data is not at hand."""
    path = HISTORY / request.param
    if not path.exists():
        pytest.skip(f"no price history at {HISTORY}")
    found: dict[str, list[dict[str, str]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        reader = csv.DictReader(lines)
        if not set(reader.fieldnames or ()) >= COLUMNS:
            pytest.skip(f"{path.name} has other columns")
        for row in reader:
            if float(row["gpu_count"]).is_integer():
                found.setdefault(row["observed_at"], []).append(row)
    polls = sorted(found.items())[-replayed(found) :]
    return [poll(text, [point(row) for row in rows]) for text, rows in polls]


def replayed(found: dict[str, list[Any]]) -> int:
    """Return how many of the last polls to replay: all of them where asked."""
    if os.environ.get("GPUCOST_REPLAY") == "all":
        return len(found)
    return max(POINTS * len(found) // sum(map(len, found.values())), 25)


def point(row: dict[str, str]) -> PricePoint:
    """Make a point of a row, as a feed would."""
    count, kind = int(float(row["gpu_count"])), row["kind"]
    total = Decimal(row["usd_per_gpu_hour"]) * count
    return PricePoint(
        provider=row["provider"],
        gpu=gpu_name(row["gpu"], provider=row["provider"]),
        gpu_count=count,
        instance=row["instance"],
        region=row["region"],
        pricing=KINDS.get(kind, "on_demand"),
        term_months=MONTHS.get(kind, 0),
        tier=kind if kind in TIERS else "standard",
        raw_total=total,
        micro_usd_per_gpu_hour=micro_per_gpu(total, count),
        observed_at=instant(row["observed_at"]),
        source="history",
        source_url="https://example.com",
    )


def poll(text: str, points: list[PricePoint]) -> Day:
    """Gather a poll; of several points under one key the lowest counts."""
    prices: dict[str, dict[Key, int]] = {}
    for told in points:
        price, same = told.micro_usd_per_gpu_hour, prices.setdefault(told.gpu, {})
        same[told.key] = min(price, same.get(told.key, price))
    return Day(instant(text), points, prices)


def instant(text: str) -> datetime:
    """Read a poll's instant, UTC where it names no zone."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def conditions(levels: list[int]) -> Iterator[Condition]:
    """Give conditions that a history's own prices cross."""
    ranked = sorted(levels)
    for part in (0.25, 0.5, 0.75):
        amount = ranked[int(part * (len(ranked) - 1))]
        yield Threshold(op="below", amount=amount)
        yield Threshold(op="above", amount=amount)
    for percent in ("3", "8", "20"):
        yield Move(percent=Decimal(percent))
    yield Move(percent=Decimal(5), direction="down")
    yield Move(percent=Decimal(5), direction="up")
    yield Move(micro_usd=100_000)
    yield Move(percent=Decimal(6), window_hours=24 * 7)
    yield Move(percent=Decimal(4), window_hours=12, direction="down")
    yield NewLow(days=1)
    yield NewLow(days=20)
    yield Presence(event="listed")
    yield Presence(event="delisted")


def selections(days: list[Day]) -> Iterator[Selection]:
    """Give single GPUs, families, one provider's GPUs, by every way to pay."""
    found = {
        (could_be(gpu), key[1], key[6])
        for day in days
        for gpu, prices in day.prices.items()
        for key in prices
    }
    sold = sorted({(gpus, pricing) for gpus, _, pricing in found if gpus})
    for gpus, pricing in sold:
        yield Selection(label=gpus[0], gpus=gpus, pricing=pricing)
    for family in ("h100", "a100", "h200"):
        ids = sorted(gpu for gpu in known_ids() if gpu.startswith(family))
        yield Selection(label=family, gpus=tuple(ids))
    for gpus, provider, pricing in sorted(found)[::17]:
        if gpus:
            yield Selection(
                label=gpus[0], gpus=gpus, providers=(provider,), pricing=pricing
            )


def test_every_true_crossing_is_told_once_and_nothing_else(
    days: list[Day], tmp_path: Path
) -> None:
    """A replayed history queues exactly what brute force over its rows expects."""
    path = tmp_path / "prices.db"
    store = Store.open(engine_of(path), after_poll=evaluate)
    store.record(Poll("history", days[0].at, days[0].points))
    wanted = list(selections(days))
    prices = [Followed(each, days[0]) for each in wanted[:: len(wanted) // 40 + 1]]
    oracles = list(watched(SubscriptionBook(engine_of(path)), prices, days))
    for day in days[1:]:
        for oracle in oracles:
            oracle.wake(day.at)
        for price in prices:
            price.poll(day)
        for oracle in oracles:
            oracle.poll(day.at)
        for price in prices:
            price.past.append((day.at, price.level, price.index))
        with engine_of(path).writing() as connection:
            wake(connection, day.at)
        store.record(Poll("history", day.at, day.points))

    expected = sorted(told for oracle in oracles for told in oracle.told)

    assert expected == sorted(queued(path))
    assert expected


def watched(
    book: SubscriptionBook, prices: list[Followed], days: list[Day]
) -> Iterator[Oracle]:
    """Subscribe to every price under conditions that its own history meets."""
    numbers = count(1)
    for price in prices:
        seen = [chosen(price.selection, day).values() for day in days]
        levels = [min(found) for found in seen if found]
        for condition in conditions(levels or [1]):
            number = next(numbers)
            subscribe(book, number, price.selection, condition, days[0].at)
            yield Oracle(number, price, condition)


def subscribe(
    book: SubscriptionBook,
    number: int,
    selection: Selection,
    condition: Condition,
    at: datetime,
) -> None:
    """Let a channel of its own watch a selection."""
    watch = PriceWatch(selections=(selection,), condition=condition)
    wanted = Wanted(
        team_id="T1", channel_id=f"C{number}", user_id="U1", typed="", watch=watch
    )
    made = book.add(wanted, at)
    assert made.id == number


def queued(path: Path) -> Iterator[Told]:
    """Give every alert that waits to be posted."""
    with engine_of(path).reading() as connection:
        for message in outbox.waiting(connection):
            for alert in message.letter.alerts:
                price = alert.before if alert.what == "delisted" else alert.after
                if alert.what == "moved":
                    price = None
                yield alert.subscription, alert.what, alert.at, price
