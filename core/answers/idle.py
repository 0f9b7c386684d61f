"""What idle GPUs cost, and what using fewer of them better would save."""

import math
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import (
    FORMATS,
    HOURS,
    LATENCY,
    LENGTHS,
    LOADS,
    OFFERS,
    PEAKS,
    Answer,
    Way,
)
from core.hardware import GpuSpec
from core.market.board import Bill, bill_for
from core.market.named_gpus import offers_of
from core.money.costs import exact, idle_per_month
from core.money.reserve import ReservePlan, day_profile, gpus_for, plan_reserve
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.wording import say
from core.workload import Assumption, Constraints

WELL_USED = 0.7
"""Below this a fleet is asked to be used better before anything is bought (S2-025)."""
HIGHEST = 0.9
"""As full as sizing fills GPUs: a burst or a lost replica needs the rest."""
OTHER_TARGETS = (WELL_USED, HIGHEST)


class AtUse(Struct, frozen=True):
    """The same work on as many GPUs as keep each this busy."""

    used: float
    bill: Bill
    idle_usd_per_month: Decimal

    @property
    def gpus(self) -> int:
        """GPUs that are billed."""
        return self.bill.gpus


class Idle(Answer, frozen=True):
    """A fleet in hand, its idle part, and what to do about it."""

    gpu: GpuSpec
    today: AtUse
    others: tuple[AtUse, ...]
    """Fewer GPUs for the same work, the least busy first."""
    scaled: ReservePlan | None
    """GPUs that follow the day instead of standing by; its base on a term, if any."""
    reserved: Offer | None
    assumptions: tuple[Assumption, ...]
    constraints: Constraints
    bills: tuple[Bill, ...]
    """The same GPUs at each provider, cheapest first."""
    hours_a_week: float | None = None
    """Hours in which GPUs that stay on are in use, where that is what was said."""
    grows: bool = False
    """Whether the load needs all of them within a year: none is given up before."""
    by_second: tuple[Offer, Decimal] | None = None
    """The same hours of work where only these are billed, and what a month costs."""
    elsewhere: bool = False
    """Whether no price is known as asked, and the cheapest anywhere stands in."""

    applies: ClassVar = LOADS | PEAKS | OFFERS | HOURS | FORMATS | LENGTHS | LATENCY

    @property
    def ways(self) -> tuple[Way, ...]:
        """The fleet as it is, then on fewer GPUs."""
        ways = [
            self.today.bill.way(
                self.today, say("assumptions.fleet_as_it_is"), self.today.used
            )
        ]
        ways += [
            one.bill.way(
                one, say("assumptions.gpus_better_used", gpus=one.gpus), one.used
            )
            for one in self.others
        ]
        return tuple(ways)

    def details(self) -> Mapping[str, object]:
        """The fleet today, and fewer GPUs that do the same."""
        bills = (self.today.bill, *(one.bill for one in self.others))
        return {
            "today": self.today,
            "recommendation": self.others[0] if self.others else None,
            "alternatives": self.others[1:],
            "scaled_with_the_day_usd_per_month": self.scaled
            and self.scaled.usd_per_month,
            "prices": [bill.offer for bill in bills],
        }

    @property
    def saves(self) -> Decimal:
        """Dollars a month that the first smaller fleet saves; 0: there is none."""
        if not self.others:
            return Decimal(0)
        return self.today.bill.usd_per_month - self.others[0].bill.usd_per_month

    @property
    def well_used(self) -> bool:
        """Whether the fleet is as busy as one should be before buying more."""
        return self.today.used >= WELL_USED


def answer_idle(
    gpu: GpuSpec,
    used: float,
    constraints: Constraints,
    assumptions: tuple[Assumption, ...],
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    replica: int = 1,
    hours_a_week: float | None = None,
) -> Idle | None:
    """The idle part of so many GPUs; None: no price is known for them.

    `replica`: the GPUs that hold the model together, of which there are whole ones.
    `hours_a_week`: they stay on, and all of them are in use for so long; `used` is
    that share of a week, and fewer GPUs would not do the work of those hours.
    """
    count = constraints.count or 1
    offers = offers_of(gpu, constraints, catalog, reference, now)
    bills = _each_provider(offers, count, constraints)
    if not bills:
        return None
    offer = bills[0].offer
    reserved = _reserved(gpu, constraints, catalog, reference, now)
    bill = bill_for(offer, count, constraints)
    spread = hours_a_week is None
    return Idle(
        gpu=gpu,
        # Whole machines are billed: the GPUs beyond those in use idle as well.
        today=_at(used * count / bill.gpus, bill),
        others=tuple(fewer_gpus(offer, count, used, constraints, replica))
        if spread
        else (),
        scaled=_scaled(offer, reserved, count, used, constraints, replica)
        if spread
        else None,
        reserved=reserved,
        by_second=_by_second(gpu, used * count, constraints, catalog, reference, now),
        hours_a_week=hours_a_week,
        assumptions=assumptions,
        constraints=constraints,
        bills=tuple(bills),
    )


def fewer_gpus(
    offer: Offer, count: int, used: float, constraints: Constraints, replica: int = 1
) -> list[AtUse]:
    """The smaller fleets that do the same work at most 70 or 90 % busy."""
    found: dict[int, AtUse] = {}
    for target in OTHER_TARGETS:
        needed = whole(count * used / target, replica)
        bill = bill_for(offer, needed, constraints)
        if bill.gpus < count:
            found.setdefault(bill.gpus, _at(count * used / bill.gpus, bill))
    return list(found.values())


def whole(gpus: float, replica: int) -> int:
    """So many GPUs' work on whole replicas, one at the least."""
    return max(1, math.ceil(round(gpus / replica, 9))) * replica


def _at(used: float, bill: Bill) -> AtUse:
    return AtUse(used, bill, idle_per_month(bill.usd_per_month, min(used, 1.0)))


def _each_provider(
    offers: list[Offer], count: int, constraints: Constraints
) -> list[Bill]:
    best: dict[str, Bill] = {}
    for offer in offers:
        bill = bill_for(offer, count, constraints)
        kept = best.get(offer.provider)
        if kept is None or bill.usd_per_month < kept.usd_per_month:
            best[offer.provider] = bill
    return sorted(best.values(), key=lambda bill: bill.usd_per_month)


def _reserved(
    gpu: GpuSpec,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Offer | None:
    limits = constraints.model_copy(update={"pricing": ("reserved",)})
    found = offers_of(gpu, limits, catalog, reference, now)
    return found[0] if found else None


def _by_second(
    gpu: GpuSpec,
    work: float,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> tuple[Offer, Decimal] | None:
    """So many GPUs' work on serverless ones; None: nobody rents this GPU so."""
    changed: dict[str, object] = {"serverless": True, "pricing": (), "providers": ()}
    limits = constraints.model_copy(update=changed)
    offers = offers_of(gpu, limits, catalog, reference, now)
    offer = next((one for one in offers if one.tier == "serverless"), None)
    if offer is None:
        return None
    hours = exact(work) * constraints.billed_hours_per_month
    return offer, offer.usd_per_gpu_hour * hours


def _scaled(
    offer: Offer,
    reserved: Offer | None,
    count: int,
    used: float,
    constraints: Constraints,
    replica: int,
) -> ReservePlan | None:
    """The fleet that each hour of a day needs, whose peak fills all the GPUs.

    Whole machines come and go; None where there is one: it can only be turned off.
    """
    box = math.lcm(offer.gpu_count, replica)
    if count <= box or used >= HIGHEST:
        return None
    profile = day_profile(count * used, count)
    needs = [max(box, gpus_for(load, box, box)) for load in profile]
    price = offer.usd_per_gpu_hour
    term = reserved.usd_per_gpu_hour if reserved else price
    hours = constraints.billed_hours_per_month
    committed = constraints.hours_per_month
    return plan_reserve(needs, price, min(term, price), hours, box, committed)
