"""Prices alone: who sells a GPU for how much, and what so many cost a month."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from core.money.costs import HourlyCost
from core.offers import Catalog, Offer
from core.recommend.market import Use, open_market
from core.recommend.recommendation import Rejection
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


def price_board(
    constraints: Constraints, catalog: Catalog, reference: Reference, now: datetime
) -> PriceBoard:
    """Compare what the constraints leave of the catalogue, per month."""
    use = Use(constraints=constraints, live=False, now=now)
    offers = asked_offers(constraints, catalog)
    if not constraints.pricing:
        use = Use(constraints=_any_pricing(constraints), live=False, now=now)
    market = open_market(offers, use, reference)
    wanted = constraints.count or 1
    bills = (
        bill_for(offer, wanted, constraints)
        for found in market.by_gpu.values()
        for offer in found
    )
    return PriceBoard(
        bills=tuple(cheapest_each(bills)),
        rejections=tuple(market.rejections()),
        constraints=constraints,
    )


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
    hours = constraints.billed_hours_per_month
    return Bill(offer, gpus, cost.per_hour, cost.per_month(hours))


def cheapest_each(bills: Iterable[Bill]) -> list[Bill]:
    """The cheapest bill per provider, GPU, pricing and term; cheapest first."""
    best: dict[tuple[str, str, str, int, str], Bill] = {}
    for bill in bills:
        offer = bill.offer
        key = (
            offer.provider, offer.gpu, offer.pricing, offer.term_months, offer.tier,
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
