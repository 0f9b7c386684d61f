"""What would change the bill: each lever as a difference in dollars a month."""

import math
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from core.answers.answer import Lever
from core.estimate.formats import precisions_for
from core.market.board import billed_gpus
from core.market.market import Use, open_market
from core.market.pricing import cheapest_at, rentable
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
from core.sizing.fleet import plan_gpu
from core.sizing.use_levers import serverless_lever, spot_lever
from core.units import BITS, Precision
from core.workload import InferenceSpec

QUALITY = {
    "fp8": "under 1–2 % quality loss; the safe default",
    "int8": "about as good as 16-bit for RAG, summaries, classification",
    "fp4": "validate on your task: chat is fine, maths and reasoning need scrutiny",
    "int4": "about 1–3 % quality loss with AWQ; measure it on your task",
    "bf16": "full quality",
    "fp16": "full quality",
    "fp32": "full quality",
}
"""What the sources say each format costs in quality (S0-050, S1-055 … S1-058)."""


def serving_levers(
    spec: InferenceSpec,
    best: Option,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> tuple[Lever, ...]:
    """At most three levers, the largest saving first."""
    found = [
        *precision_levers(spec, best, catalog, reference),
        *reserve_lever(spec, best, catalog, reference, now),
        *serverless_lever(spec, best, catalog, reference, now),
        *spot_lever(spec, best, catalog, reference, now),
    ]
    found.sort(key=lambda lever: lever.usd_difference or Decimal(0))
    return tuple(found[:3])


def precision_levers(
    spec: InferenceSpec, best: Option, catalog: Catalog, reference: Reference
) -> Iterable[Lever]:
    """Other weight formats on the winner's GPU, where the winner is rented."""
    shelf = list(_shelf(best.offer, catalog))
    now_bits = BITS[best.plan.weights]
    offered = set(precisions_for(best.plan.gpu)) - set(spec.precisions_excluded)
    others = [
        p for p in precisions_for(best.plan.gpu) if p in offered and BITS[p] != now_bits
    ]
    fewer = [p for p in others if BITS[p] < now_bits]
    # More bits than a model is published in hold nothing more.
    published = best.plan.weights == spec.model.native_precision
    more = [p for p in others if BITS[p] > now_bits and not published]
    tried = (_precision_lever(spec, best, p, shelf, reference) for p in fewer)
    levers = [lever for lever in tried if lever is not None]
    if levers:
        cheapest = min(levers, key=lambda lever: lever.usd_difference or Decimal(0))
        yield cheapest
        # `fewer` begins with the most bits: the least that is given up for a saving.
        saving = (lever for lever in levers if (lever.usd_difference or 0) < 0)
        mildest = next(saving, cheapest)
        if mildest is not cheapest:
            yield mildest
    if more and (dearer := _precision_lever(spec, best, more[-1], shelf, reference)):
        yield dearer


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


def _precision_lever(
    spec: InferenceSpec,
    best: Option,
    weights: Precision,
    shelf: Iterable[Offer],
    reference: Reference,
) -> Lever | None:
    planned = plan_gpu(spec, best.plan.gpu, weights)
    options = (cheapest_at(spec, planned.plans, one, reference) for one in shelf)
    found = [option for option in options if option is not None]
    name = weights.upper()
    if not found:
        return None
    other = min(found, key=lambda option: (option.usd_per_month, option.gpus))
    difference = other.usd_per_month - best.usd_per_month
    if BITS[weights] < BITS[best.plan.weights] and difference >= 0:
        text = f"{name} weights save nothing: {_why_nothing(best, other)}"
        return Lever("quantise-first", text, Decimal(0))
    gpus = f"{other.gpus} GPU{'s' if other.gpus > 1 else ''}"
    text = f"{name} instead of {best.plan.weights.upper()}: {gpus}"
    return Lever("quantise-first", text, difference, QUALITY[weights])


def _why_nothing(best: Option, other: Option) -> str:
    """Why fewer bits cost as much: the machines that are sold, or the latency."""
    sold = best.offer.gpu_count
    if best.gpus == sold:
        return "one GPU is the least" if sold == 1 else f"sold in machines of {sold}"
    if other.plan.gpus < best.plan.gpus:
        return f"sold in machines of {sold}"
    binding = best.plan.capacity.binding
    bound = binding.upper() if binding in ("ttft", "tpot") else "throughput"
    return f"{bound} binds, not memory"


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
    reserve = reserve_plan(spec, best, offer.usd_per_gpu_hour, offer.gpu_count)
    if reserve.reserved == 0:
        return
    provider = reference.provider(offer.provider)
    name = provider.name if provider else offer.provider
    terms = f"for {offer.term_months} months at ${offer.usd_per_gpu_hour:.2f} ({name})"
    difference = reserve.usd_per_month - best.usd_per_month
    ratio = offer.usd_per_gpu_hour / best.offer.usd_per_gpu_hour
    pays = f"pays above {ratio:.0%} use"
    if reserve.reserved >= reserve.peak:
        every = "the GPU" if reserve.reserved == 1 else f"all {reserve.reserved} GPUs"
        text, note = f"Reserve {every} {terms}", f"paid, used or not: {pays}"
    else:
        share = f"{reserve.reserved} of {reserve.peak} GPUs"
        text = f"Reserve {share} {terms}, the peak on demand"
        note = f"if the peak scales down at night; a reserved GPU {pays}"
    yield Lever("reserved-base", text, difference, note)


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
    use = Use(limits, live=True, audience=spec.audience, now=now)
    offers = catalog.of_gpu(best.plan.gpu.id)
    market = open_market(offers, use, reference).by_gpu.get(best.plan.gpu.id, [])
    large = (offer for offer in market if rentable(best.plan, offer))
    return min(large, key=lambda offer: offer.usd_per_gpu_hour, default=None)
