"""What would change the bill: each lever as a difference in dollars a month."""

import math
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from core.answers.answer import Lever
from core.market.board import billed_gpus
from core.market.market import Shelf, Use, market_of
from core.market.pricing import rentable
from core.market.recommendation import Option
from core.money.costs import exact
from core.money.reserve import (
    ReservePlan,
    day_profile,
    fleet_by_hour,
    plan_reserve,
)
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.sizing.techniques import (
    Bench,
    asked_lever,
    disaggregation_lever,
    patience_lever,
    precision_levers,
    prefix_levers,
    spare_lever,
    speculative_lever,
    tuned_lever,
)
from core.sizing.use_levers import serverless_lever, spot_lever
from core.wording import say
from core.workload import InferenceSpec

SAVINGS_SHOWN = 4
WORTH_SAYING = Decimal(1)
"""Dollars a month below which a saving is none."""


def serving_levers(
    spec: InferenceSpec,
    best: Option,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    prompt: bool = False,
    assumed: tuple[str, ...] = (),
) -> tuple[Lever, ...]:
    """What was asked about, then up to four savings, the largest first; last, a spare.

    After the savings stands what takes engineering: another engine, two pools. Each is
    a new sizing on the winner's GPU at its seller: what saves nothing is no lever,
    unless somebody asks about it. `prompt`: a limit on the wait is stated; `assumed`:
    the latency limits that nobody stated.
    """
    shelf = tuple(_shelf(best.offer, catalog))
    bench = Bench(spec, best, shelf, reference, (catalog, now))
    told = tuple(asked_lever(bench, name) for name in spec.techniques)
    found = [
        *prefix_levers(bench),
        *precision_levers(bench),
        *speculative_lever(bench),
        *patience_lever(bench, assumed),
        *reserve_lever(spec, best, catalog, reference, now),
        *autoscale_lever(spec, best),
        *serverless_lever(spec, best, catalog, reference, now, prompt),
        *spot_lever(spec, best, catalog, reference, now),
    ]
    known = {lever.text for lever in told}
    wanted = [lever for lever in found if lever.rule not in spec.declined]
    fresh = _saving(wanted, known)[:SAVINGS_SHOWN]
    engineered = _saving((*tuned_lever(bench), *disaggregation_lever(bench)), known)
    spare = () if "n-plus-one" in spec.declined else spare_lever(bench)
    return (*told, *fresh, *engineered, *spare)


def _saving(levers: Iterable[Lever], known: set[str]) -> list[Lever]:
    """The levers that save and are not said yet, the largest saving first."""
    saving = [one for one in levers if (one.usd_difference or 0) <= -WORTH_SAYING]
    saving.sort(key=lambda lever: lever.usd_difference or Decimal(0))
    return [lever for lever in saving if lever.text not in known]


def _shelf(chosen: Offer, catalog: Catalog) -> Iterable[Offer]:
    """The machines of every size that the seller rents with this GPU, so paid."""
    yield chosen
    for offer in catalog.of_gpu(chosen.gpu):
        if _terms(offer) == _terms(chosen) and offer != chosen:
            yield offer


def _terms(offer: Offer) -> tuple[object, ...]:
    return (
        offer.provider, offer.source, offer.region, offer.pricing, offer.term_months,
        offer.tier, offer.negotiated,
    )  # fmt: skip


def reserve_lever(
    spec: InferenceSpec,
    best: Option,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Iterable[Lever]:
    """A reserved base with an on-demand peak, on the winner's GPU."""
    if best.offer.pricing != "on_demand":
        return
    offer = cheapest_reserved(spec, best, catalog, reference, now)
    if offer is None or offer.usd_per_gpu_hour >= best.offer.usd_per_gpu_hour:
        return
    promised = spec.constraints.sla is not None or spec.audience == "external"
    if promised and offer.provider != best.offer.provider:
        return  # half of the fleet elsewhere keeps no promise of this seller
    reserve = reserve_plan(spec, best, offer.usd_per_gpu_hour, offer.gpu_count)
    if reserve.reserved == 0:
        return
    provider = reference.provider(offer.provider)
    name = provider.name if provider else offer.provider
    terms = say(
        "levers.per_hour_for_months",
        term_months=offer.term_months,
        usd_per_gpu_hour=offer.usd_per_gpu_hour,
        name=name,
    )
    difference = reserve.usd_per_month - best.usd_per_month
    ratio = offer.usd_per_gpu_hour / best.offer.usd_per_gpu_hour
    pays = say("levers.cheaper_above_use", ratio=ratio)
    if reserve.reserved >= reserve.peak:
        every = (
            say("levers.the_gpu")
            if reserve.reserved == 1
            else say("levers.all_gpus", reserved=reserve.reserved)
        )
        text, note = (
            say("levers.reserve", every=every, terms=terms),
            say("levers.you_pay_used", pays=pays),
        )
    else:
        share = say("levers.of_gpus", reserved=reserve.reserved, peak=reserve.peak)
        text = say("levers.reserve_the_peak", share=share, terms=terms)
        note = say("levers.if_the_peak", pays=pays)
    yield Lever("reserved-base", text, difference, note)


def autoscale_lever(spec: InferenceSpec, best: Option) -> Iterable[Lever]:
    """Machines handed back while the load is low, over a day of this average."""
    if best.offer.pricing != "on_demand" or best.plan.replicas < 2:
        return
    plan, share = best.plan, exact(spec.load.average_share)
    day = day_profile(share * plan.replicas, plan.replicas)
    needs = [
        billed_gpus(best.offer, max(need, spec.least_replicas) * plan.replica_gpus)
        for need in fleet_by_hour(day, 1, 1)
    ]
    kept = sum(min(need, best.gpus) for need in needs) / Decimal(len(needs))
    difference = best.usd_per_month * (kept / best.gpus - 1)
    yield Lever(
        "autoscale",
        say("levers.autoscale", gpus=best.gpus),
        difference,
        say("levers.machines_needed_again"),
    )


def reserve_plan(
    spec: InferenceSpec, best: Option, reserved: Decimal, machine: int = 1
) -> ReservePlan:
    """The base worth reserving at a price, over a day with this average and peak.

    The day is counted in replicas, whole at its peak; requests ÷ replicas need not be.
    """
    plan, offer = best.plan, best.offer
    share = exact(spec.load.average_share)
    profile = day_profile(share * plan.replicas, plan.replicas)
    needs = fleet_by_hour(profile, 1, plan.replica_gpus)
    billed = [billed_gpus(offer, need) for need in needs]
    limits = spec.constraints
    return plan_reserve(
        billed,
        offer.usd_per_gpu_hour,
        reserved,
        limits.billed_hours_per_month,
        math.lcm(offer.gpu_count, machine),
        limits.hours_per_month,
    )


def cheapest_reserved(
    spec: InferenceSpec,
    best: Option,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Offer | None:
    """The lowest reserved price whose machine holds a replica; None: none is known."""
    limits = spec.constraints.model_copy(update={"pricing": ("reserved",)})
    use = Use(limits, live=True, now=now)
    gpu = best.plan.gpu.id
    market = market_of(catalog, use, reference, Shelf(gpu, catalog.of_gpu(gpu)))
    large = (one for one in market.by_gpu.get(gpu, []) if rentable(best.plan, one))
    return min(large, key=lambda offer: offer.usd_per_gpu_hour, default=None)
