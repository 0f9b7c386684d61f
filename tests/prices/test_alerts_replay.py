"""Real price histories replayed against alerts worked out by brute force."""

import csv
import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from core.alerts.conditions import Condition, Move, NewLow, Presence, Threshold
from core.alerts.selection import Selection
from core.alerts.subscription import PriceWatch, Wanted
from core.offers import PricePoint
from prices import outbox
from prices.alerting import evaluate, wake
from prices.connection import reading, writing
from prices.gpu_names import could_be, gpu_name, known_ids
from prices.poll import Poll, micro_per_gpu
from prices.store import Store
from prices.subscriptions import SubscriptionBook

HISTORY = Path(__file__).parents[3] / "shared" / "data" / "price-history"
FILES = sorted(path.name for path in HISTORY.glob("*.csv.gz"))
COLUMNS = {"observed_at", "provider", "gpu", "gpu_count", "kind", "usd_per_gpu_hour"}
KINDS = {"spot": "spot", "cud-1y": "reserved", "cud-3y": "reserved"}
MONTHS = {"cud-1y": 12, "cud-3y": 36}
TIERS = {"secure", "community", "serverless"}
POINTS = 14_000
"""As many of a history's last points as a test is to replay in a few seconds."""
COOL = timedelta(hours=6)
DAY = timedelta(days=1)

Key = tuple[Any, ...]
Told = tuple[int, str, datetime, int | None]
"""Subscription, what happened, when, and the price that was told."""


@dataclass
class Day:
    """One poll of a history: its points, and the lowest price under each key."""

    at: datetime
    points: list[PricePoint]
    prices: dict[str, dict[Key, int]]
    """By GPU."""


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
    if "GPUCOST_TEST_WHOLE_HISTORY" in os.environ:
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


def chosen(selection: Selection, day: Day) -> dict[Key, int]:
    """Pick what a selection looks at, by the columns of the key alone."""
    return {
        key: price
        for gpu, prices in day.prices.items()
        if selected(selection, gpu)
        for key, price in prices.items()
        if picked(selection, key)
    }


def selected(selection: Selection, gpu: str) -> bool:
    """Tell whether a name can only be a GPU that is selected."""
    names = {gpu} if gpu in known_ids() else set(could_be(gpu)) or {"?"}
    return names <= set(selection.gpus)


def picked(selection: Selection, key: Key) -> bool:
    """Tell whether a key of a selected GPU is looked at."""
    _, provider, _, _, _, _, pricing, months, _, tier, _ = key
    return (
        selection.pricing in (None, pricing)
        and selection.term_months in (None, months)
        and (not selection.providers or provider in selection.providers)
        and (tier == selection.tier if selection.tier else tier != "serverless")
    )


class Followed:
    """The cheapest price of a selection, poll by poll, as the raw rows have it."""

    def __init__(self, selection: Selection, day: Day) -> None:
        self.selection, self.drift = selection, Fraction(0)
        self.prices = chosen(selection, day)
        self.before: dict[Key, int] = {}
        self.level = min(self.prices.values(), default=None)
        self.was_level = self.level
        self.index = None if self.level is None else Fraction(self.level)
        self.past = [(day.at, self.level, self.index)]

    def poll(self, day: Day) -> None:
        """Take one more poll: its cheapest, and like for like since the last one."""
        self.before, self.prices = self.prices, chosen(self.selection, day)
        self.was_level, self.level = self.level, min(self.prices.values(), default=None)
        both = self.before.keys() & self.prices.keys()
        if both and self.index is not None:
            was = min(self.before[key] for key in both)
            now = min(self.prices[key] for key in both)
            self.index *= Fraction(now, was)
            self.drift += now - was
        elif self.index is None and self.level is not None:
            self.index = Fraction(self.level)

    def window(self, since: datetime, until: datetime, field: int) -> list[Any]:
        """Return what a series was at any time from `since` on, before `until`."""
        start = [entry for entry in self.past if entry[0] <= since][-1:]
        later = [entry for entry in self.past if since < entry[0] < until]
        found = [entry[field] for entry in start + later]
        return [value for value in found if value is not None]


class Oracle:
    """What one subscription must tell, worked out poll by poll without storage."""

    def __init__(self, number: int, price: Followed, condition: Condition) -> None:
        self.number, self.price, self.condition = number, price, condition
        self.told: list[Told] = []
        self.waits: tuple[datetime, datetime] | None = None
        self.told_at: datetime | None = None
        self.told_level = 0
        self.base, self.base_drift, self.began = price.index, 0, price.past[0][0]
        crosses = isinstance(condition, Threshold) and price.level is not None
        self.armed = not (crosses and self.beyond())
        long_ago = datetime(1970, 1, 1, tzinfo=UTC)
        self.seen = {key[1]: (long_ago, True) for key in price.prices}

    def beyond(self) -> bool:
        """Tell whether the level is on the far side of the line."""
        below = self.condition.op == "below"
        line, level = self.condition.amount, self.price.level
        return level < line if below else level > line

    def poll(self, at: datetime) -> None:
        """Judge one more poll."""
        if self.base is None:
            self.base = self.price.index
        if self.price.before != self.price.prices:
            self.judge(at)
            self.attend(at)

    def wake(self, at: datetime) -> None:
        """Look again once a cooldown has ended."""
        if self.waits is not None and self.waits[1] <= at:
            self.judge(at)

    def judge(self, at: datetime) -> None:
        """Tell what is news, unless something was told a short while ago."""
        what = self.news(at)
        if what is None:
            self.waits = None
        elif self.told_at is not None and at < self.told_at + COOL:
            since = self.waits[0] if self.waits else at
            self.waits = (since, self.told_at + COOL)
        else:
            price = None if what == "moved" else self.price.level
            self.told.append((self.number, what, at, price))
            self.told_at, self.told_level, self.waits = at, self.price.level, None
            self.armed = False
            self.base, self.base_drift = self.price.index, self.price.drift
            self.began = at

    def news(self, at: datetime) -> str | None:
        """Say what a condition finds, None where nothing is."""
        condition = self.condition
        if self.price.level is None or isinstance(condition, Presence):
            return None
        if isinstance(condition, Threshold):
            return "crossed" if self.crossing(condition) else None
        if isinstance(condition, NewLow):
            return "new_low" if self.low(condition, at) else None
        within = condition.window_hours is not None
        moved = self.within(condition, at) if within else self.move(condition)
        return "moved" if moved else None

    def crossing(self, condition: Threshold) -> bool:
        """A line is crossed once, until the price came back by 2 %."""
        if self.armed:
            return self.beyond()
        below = condition.op == "below"
        line = condition.amount * Fraction(102 if below else 98, 100)
        level = self.price.level
        self.armed = level >= line if below else level <= line
        return False

    def move(self, condition: Move) -> bool:
        """A price moved as far as wanted since it was told, or turned the other way."""
        step = self.price.index - self.base
        enough = abs(step) * 100 >= Fraction(condition.percent or 0) * self.base
        if condition.micro_usd is not None:
            step = self.price.drift - self.base_drift
            enough = abs(step) >= condition.micro_usd
        unwanted = {"down": step > 0, "up": step < 0}.get(condition.direction, False)
        if enough and unwanted:
            self.base, self.base_drift = self.price.index, self.price.drift
        return enough and not unwanted

    def within(self, condition: Move, at: datetime) -> bool:
        """A price moved as far as wanted from any price of the window."""
        since = max(at - timedelta(hours=condition.window_hours), self.began)
        indices, now = self.price.window(since, at, 2), self.price.index
        part = Fraction(condition.percent) / 100
        rose = any(now >= value * (1 + part) for value in indices)
        fell = any(now <= value * (1 - part) for value in indices)
        return {"any": rose or fell, "up": rose, "down": fell}[condition.direction]

    def low(self, condition: NewLow, at: datetime) -> bool:
        """A price is lower than ever in the days, all of which are known."""
        until = self.waits[0] if self.waits else at
        since = until - condition.days * DAY
        levels, level = self.price.window(since, until, 1), self.price.level
        if self.price.past[0][0] > since or not levels or level >= min(levels):
            return False
        recent = self.told_at is not None and at - self.told_at < condition.days * DAY
        return not recent or level <= Fraction(98, 100) * self.told_level

    def attend(self, at: datetime) -> None:
        """A provider came, or went, and had been away, or there, for a day."""
        if not isinstance(self.condition, Presence):
            return
        before, now = self.price.before, self.price.prices
        selling = {key[1] for key in now}
        for name in sorted(selling | self.seen.keys()):
            since, there = self.seen.get(name, (None, False))
            if there == (name in selling):
                continue
            what = "delisted" if there else "listed"
            prices = before if there else now
            if (since is None or at - since >= DAY) and what == self.condition.event:
                price = min(value for key, value in prices.items() if key[1] == name)
                self.told.append((self.number, what, at, price))
            self.seen[name] = (at, not there)


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
    store = Store.open(path, after_poll=evaluate)
    store.record(Poll("history", days[0].at, days[0].points))
    wanted = list(selections(days))
    prices = [Followed(each, days[0]) for each in wanted[:: len(wanted) // 40 + 1]]
    oracles = list(watched(SubscriptionBook(path), prices, days))
    for day in days[1:]:
        for oracle in oracles:
            oracle.wake(day.at)
        for price in prices:
            price.poll(day)
        for oracle in oracles:
            oracle.poll(day.at)
        for price in prices:
            price.past.append((day.at, price.level, price.index))
        with writing(path) as connection:
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
    with reading(path) as connection:
        for message in outbox.waiting(connection):
            for alert in message.letter.alerts:
                price = alert.before if alert.what == "delisted" else alert.after
                if alert.what == "moved":
                    price = None
                yield alert.subscription, alert.what, alert.at, price
