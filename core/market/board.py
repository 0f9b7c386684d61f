"""Prices alone: who sells a GPU for how much, and what so many cost a month."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from core.market.hours import paid_hours, paid_per_used, rental_hours
from core.market.market import Use, contract_note, open_market, place_note
from core.market.recommendation import Rejection
from core.market.spending import Ceiling, ceiling, converted
from core.money.costs import HourlyCost
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.workload import Constraints

NODE_GPUS = 8
"""The largest box that providers rent at a per-GPU price without naming a size."""


@dataclass(frozen=True, slots=True)
class Bill:
    """So many GPUs of one offer for the billed hours of a month; dollars."""

    offer: Offer
    gpus: int
    usd_per_hour: Decimal
    usd_per_month: Decimal


@dataclass(frozen=True, slots=True)
class PriceBoard:
    """The best offer of each provider, GPU and pricing; cheapest first."""

    bills: tuple[Bill, ...]
    rejections: tuple[Rejection, ...]
    constraints: Constraints
    unsaid: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each name that leaves the form factor open, the GPU ids that it may be."""
    budget: Ceiling | None = None
    over_budget: bool = False
    """Whether everything costs more than the budget, and is shown all the same."""
    notes: tuple[str, ...] = ()
    """The rate of exchange of a budget in another currency, or that there is none."""

    @property
    def of_unsaid_form(self) -> tuple[Bill, ...]:
        """The bills of offers that do not say which form of the GPU they rent."""
        return tuple(bill for bill in self.bills if bill.offer.gpu in self.unsaid)


def price_board(
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    rented_hours: Decimal | None = None,
) -> PriceBoard:
    """Compare what the constraints leave of the catalogue, per month.

    An offer that may be of a GPU asked for stands beside those that are, by its own
    name. `rented_hours`: how long, where the question says so, for a total budget.
    """
    perhaps = perhaps_asked(constraints, catalog)
    unsaid = {offer.gpu: catalog.could_be(offer.gpu) for offer in perhaps}
    limits = constraints if constraints.pricing else _any_pricing(constraints)
    use = Use(limits, live=False, now=now, unsaid=frozenset(unsaid))
    offers = (*asked_offers(constraints, catalog), *perhaps)
    market = open_market(offers, use, reference)
    wanted = constraints.count or 1
    bills = cheapest_each(
        bill_for(offer, wanted, constraints)
        for found in market.by_gpu.values()
        for offer in found
    )
    most = ceiling(constraints.budget, now)
    kept = [
        bill for bill in bills if _affordable(bill, most, constraints, rented_hours)
    ]
    over = _over(most, len(bills) - len(kept))
    shown = tuple(kept or bills)
    return PriceBoard(
        bills=shown,
        rejections=(*over, *market.rejections()),
        constraints=constraints,
        unsaid=unsaid,
        budget=most,
        over_budget=bool(bills) and not kept,
        notes=_notes(constraints, shown, now),
    )


def _notes(
    limits: Constraints, bills: Sequence[Bill], now: datetime
) -> tuple[str, ...]:
    """What no price says of many GPUs, of where they stand, and of other money."""
    return (
        *contract_note(limits.count or 1),
        *place_note(limits, (bill.offer for bill in bills)),
        *converted(limits.budget, now),
    )


def _affordable(
    bill: Bill,
    most: Ceiling | None,
    limits: Constraints,
    rented_hours: Decimal | None,
) -> bool:
    """Whether a bill keeps within the budget; an hourly one alone is per GPU."""
    if most is None:
        return True
    if most.budget.period == "hour" and limits.count is None:
        return bill.offer.usd_per_gpu_hour <= most.usd
    paid = paid_per_used(bill.offer, limits)
    total = rented_hours and rental_hours(bill.offer, limits, rented_hours)
    return most.allows(bill.usd_per_hour, limits, total, paid)


def _over(most: Ceiling | None, dearer: int) -> list[Rejection]:
    if most is None or not dearer:
        return []
    why = f"over the budget of {most.words}"
    subject = f"{dearer} offer{'s' if dearer > 1 else ''}"
    return [Rejection(subject, "budget", why, dearer)]


def perhaps_asked(constraints: Constraints, catalog: Catalog) -> tuple[Offer, ...]:
    """The offers that may be of a GPU asked for: their source leaves the form open."""
    out = set(constraints.gpus_excluded)
    found = {
        offer.key: offer
        for gpu in constraints.gpus
        for offer in catalog.perhaps_of_gpu(gpu)
        if out.isdisjoint(catalog.could_be(offer.gpu))
    }
    return tuple(found.values())


def asked_offers(constraints: Constraints, catalog: Catalog) -> Iterable[Offer]:
    """The offers of the GPUs that were asked for, or of all."""
    if not constraints.gpus:
        return catalog.offers
    return (offer for gpu in constraints.gpus for offer in catalog.of_gpu(gpu))


def _any_pricing(constraints: Constraints) -> Constraints:
    every = ("on_demand", "spot", "reserved")
    return constraints.model_copy(update={"pricing": every})


def billed_gpus(offer: Offer, needed: int) -> int:
    """GPUs that are paid for: whole instances of what the offer sells."""
    return math.ceil(needed / offer.gpu_count) * offer.gpu_count


def bill_for(offer: Offer, needed: int, constraints: Constraints) -> Bill:
    """What the needed GPUs cost at an offer, in whole instances."""
    gpus = billed_gpus(offer, needed)
    cost = HourlyCost(offer.usd_per_gpu_hour, gpus)
    hours = paid_hours(offer, constraints)
    return Bill(offer, gpus, cost.per_hour, cost.per_month(hours))


def cheapest_each(bills: Iterable[Bill]) -> list[Bill]:
    """The cheapest bill per provider, GPU, pricing and term; cheapest first.

    A team's own price stands beside the list price that it was negotiated from.
    """
    best: dict[tuple[str, str, str, int, str, bool], Bill] = {}
    for bill in bills:
        offer = bill.offer
        key = (
            offer.provider, offer.gpu, offer.pricing, offer.term_months, offer.tier,
            offer.negotiated,
        )  # fmt: skip
        kept = best.get(key)
        if kept is None or bill_order(bill) < bill_order(kept):
            best[key] = bill
    return sorted(best.values(), key=bill_order)


def bill_order(bill: Bill) -> tuple[Decimal, Decimal, float, str, str]:
    """Cheapest first; then the lower rate, the fresher price, then by name."""
    offer = bill.offer
    return (
        bill.usd_per_month,
        offer.usd_per_gpu_hour,
        -offer.observed_at.timestamp(),
        offer.provider,
        offer.region,
    )
