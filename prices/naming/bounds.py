"""What an hour of one GPU can cost, and how far a price may go at once."""

from functools import cache
from typing import Annotated

from msgspec import Meta

from core.frozen import Frozen
from core.offers import MICRO
from core.reference.tables import read_table
from core.wording import say


class Bound(Frozen, frozen=True):
    """The range of one family's prices, in dollars per GPU-hour."""

    prefix: str
    low: Annotated[float, Meta(gt=0)]
    high: float
    seen: str

    def breach(self, micro_usd: int) -> str:
        """Say how a price lies outside, nothing where it does not."""
        usd = micro_usd / MICRO
        if usd < self.low:
            return say("guard.below_bounds", usd=usd, low=self.low, seen=self.seen)
        if usd > self.high:
            return say("guard.above_bounds", usd=usd, high=self.high, seen=self.seen)
        return ""


class Sentinel(Frozen, frozen=True):
    """A share of the on-demand price that stands for "no spot price"."""

    fraction: float
    why: str


class Limits(Frozen, frozen=True):
    """How far a price, a provider or a second opinion may go; see `bounds.toml`."""

    step: float
    list_day: float
    market_day: float
    halves: float
    fewest: int
    vouch: float
    vouch_days: int
    differ: float
    wrong: float


class Bounds(Frozen, frozen=True):
    """The table."""

    limits: Limits
    sentinel: tuple[Sentinel, ...]
    bound: tuple[Bound, ...]


@cache
def bounds() -> Bounds:
    """Return the table, read once."""
    return Bounds.model_validate(read_table("prices.naming", "bounds.toml"))


@cache
def bound_of(gpu: str) -> Bound:
    """Return the bound of the longest prefix of a GPU's name."""
    name = gpu.lower()
    matching = (each for each in bounds().bound if name.startswith(each.prefix))
    return max(matching, key=lambda each: len(each.prefix))
