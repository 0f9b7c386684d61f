"""Several loads of one message: each answered alone, and what they cost together."""

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import ClassVar, Literal

from msgspec import Struct

from core.answers.answer import MODIFIERS, Answer, Money, Way, way_figures
from core.answers.media import MediaAnswer, amount
from core.market.board import billed_gpus
from core.market.recommendation import Option, Recommendation
from core.money.costs import exact
from core.offers import Offer
from core.workload import Assumption

USABLE = 0.92
"""Of a GPU's memory what engines side by side may fill."""


class LoadAnswer(Struct, frozen=True):
    """One of the loads: what it is called, and its own answer."""

    name: str
    found: Answer | None
    """None: nothing could be computed for it."""

    @property
    def way(self) -> Way | None:
        """What its answer recommends, where it has a price."""
        ways = self.found.ways if self.found else ()
        priced = bool(ways) and ways[0].money.headline[0] is not None
        return ways[0] if priced else None


def summed(ways: Iterable[Way]) -> Money:
    """What ways cost together: by the month, and beside that what is paid once."""
    sums = [way.money for way in ways]
    months = [money.month for money in sums if money.month is not None]
    once = [money.headline[0] or Decimal(0) for money in sums if money.month is None]
    return Money(
        month=sum(months, Decimal(0)) if months else None,
        run=sum(once, Decimal(0)) if once else None,
    )


class Part(Struct, frozen=True):
    """What one load takes of the GPUs that it shares."""

    gpus: float
    """GPUs kept busy at the peak."""
    gb: float
    """Memory that it fills on each GPU where it runs."""
    together: int
    """GPUs that work on one request at once."""
    card_gb: float
    """Memory of one of them."""


class OneFleet(Struct, frozen=True):
    """All loads on the same GPUs."""

    offer: Offer
    gpus: int
    """GPUs that are billed."""
    busy: float
    """Share of them in use when all loads peak at once."""
    gb: float
    """Memory filled on each GPU."""
    card_gb: float
    usd_per_month: Decimal
    enough: int | None
    """How many would do, where a number is stated; None: none is."""

    @property
    def fits(self) -> bool:
        """Whether all loads fit into a GPU's memory side by side."""
        return self.gb <= USABLE * self.card_gb


def part_of(found: Answer | None) -> Part | None:
    """What a load takes of its GPUs; None: it is no service on GPUs."""
    if isinstance(found, Recommendation) and found.options:
        return _served(found.options[0])
    best = found.best if isinstance(found, MediaAnswer) else None
    if not isinstance(found, MediaAnswer) or best is None:
        return None
    spec, capacity = found.spec, best.plan.capacity
    if spec.units_per_minute is None or not best.plan.share or best.chancy:
        return None
    rate = amount(spec.units_per_minute * 60, capacity, spec)
    busy = rate / (capacity.per_hour.likely * best.plan.share)
    return Part(busy, capacity.memory_gb, 1, capacity.gpu.memory_gb)


def _served(option: Option) -> Part:
    plan = option.plan
    memory, carried = plan.capacity.memory, plan.capacity
    cache = memory.kv_per_sequence_gb * carried.batch * plan.busy
    held = min(cache, max(memory.free_for_kv_gb, 0))
    gb = memory.weights_gb + memory.activations_gb + memory.runtime_gb + held
    work = plan.gpus * plan.busy
    return Part(work, gb, plan.replica_gpus, plan.gpu.memory_gb)


def on_one_fleet(
    answers: Iterable[Answer | None], count: int | None
) -> OneFleet | None:
    """All loads on the GPUs of the one that takes most; None: one of them cannot.

    Every GPU holds each of the loads, and their work adds up.
    """
    found = [(part_of(one), one.ways[0]) for one in answers if one and one.ways]
    parts = [part for part, _ in found if part is not None]
    if not parts or len(parts) < len(found):
        return None
    _, largest = max(found, key=lambda each: each[0].gpus if each[0] else 0)
    offer = largest.offer
    if offer is None or not largest.money.month:
        return None
    unit = max(part.together for part in parts)
    work, gb = sum(part.gpus for part in parts), sum(part.gb for part in parts)
    needed = billed_gpus(offer, math.ceil(work / unit) * unit)
    gpus = billed_gpus(offer, count) if count else needed
    usd = largest.money.month / largest.gpus * exact(gpus)
    return OneFleet(
        offer, gpus, work / gpus, gb, parts[0].card_gb, usd, needed if count else None
    )


class SeveralLoads(Answer, frozen=True):
    """The loads in the order of the message, each with machines of its own."""

    parts: tuple[LoadAnswer, ...]
    one_fleet: OneFleet | None = None
    """The loads on the same GPUs, where that is asked."""

    applies: ClassVar = MODIFIERS
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """All of them together; nothing where one of them has no price."""
        chosen = [part.way for part in self.parts]
        if not all(chosen):
            return ()
        ways = [way for way in chosen if way is not None]
        gpus = sum(way.gpus for way in ways if way.money.month is not None)
        return (Way({"count": gpus}, summed(ways), gpus=gpus),)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What was assumed for any of them, once."""
        found: dict[tuple[str, str], Assumption] = {}
        for part in self.parts:
            for one in part.found.assumed if part.found else ():
                found.setdefault((one.field, one.value), one)
        return tuple(found.values())

    @property
    def status(self) -> str:
        """Whether every load has a price."""
        return "ok" if self.ways else "no_offer"

    def details(self) -> Mapping[str, object]:
        """Each load with what is recommended for it."""
        offers = [part.way.offer for part in self.parts if part.way]
        return {
            "parts": [
                {
                    "load": part.name,
                    "recommendation": part.way and way_figures(part.way),
                }
                for part in self.parts
            ],
            "one_fleet": self.one_fleet,
            "prices": offers,
        }

    def picked(
        self, role: Literal["with_sla", "hyperscaler"]
    ) -> tuple[Way | None, ...]:
        """The way of every load that fills a role; None where a load has none."""
        return tuple(
            next(
                (
                    pick.way
                    for pick in (part.found.picks if part.found else ())
                    if pick.role == role
                ),
                None,
            )
            for part in self.parts
        )
