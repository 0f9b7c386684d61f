"""What alerts must tell, worked out from raw prices by brute force, without storage."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from core.alerts.conditions import Condition, Move, NewLow, Presence, Threshold
from core.alerts.selection import Selection
from core.offers import PricePoint
from prices.naming.gpu_names import could_be, known_ids

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
        and _hosted_so(selection, provider, tier)
    )


def _hosted_so(selection: Selection, provider: str, tier: str) -> bool:
    if selection.tier:
        return bool(tier == selection.tier)
    named = provider in selection.providers and tier != "serverless"
    return named or tier in ("standard", "secure")


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
        first = max(0, bisect_right(self.past, since, key=_at) - 1)
        last = max(first + 1, bisect_left(self.past, until, key=_at))
        found = [entry[field] for entry in self.past[first:last]]
        return [value for value in found if value is not None]


def _at(entry: tuple[datetime, int | None, Fraction | None]) -> datetime:
    return entry[0]


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
        rose = bool(indices) and now >= min(indices) * (1 + part)
        fell = bool(indices) and now <= max(indices) * (1 - part)
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
