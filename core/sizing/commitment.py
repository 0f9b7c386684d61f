"""Commitments that were asked for: what none costs, what a base would save."""

from decimal import Decimal

from core.market.hours import paid_hours
from core.market.recommendation import Option
from core.offers import Offer
from core.reference.catalogue import Reference
from core.sizing.levers import reserve_plan
from core.wording import dollars
from core.workload import InferenceSpec

USUAL_DISCOUNT = Decimal("0.3")
"""The low end of what terms save where they are sold (S1-090: 30–50 %)."""


def commitment_note(
    committed: Option | None, plain: Option | None, reference: Reference
) -> tuple[str, ...]:
    """What the same load costs on demand, where that is the cheaper; else nothing."""
    if committed is None or plain is None:
        return ()
    if plain.usd_per_month >= committed.usd_per_month:
        return ()
    seller = reference.provider(plain.offer.provider)
    gpu = plain.plan.gpu.name.removeprefix("NVIDIA ").removeprefix("AMD Instinct ")
    name = seller.name if seller else plain.offer.provider
    return (
        f"On-demand is cheaper than any known term: "
        f"{dollars(plain.usd_per_month)}/month ({plain.gpus} × {gpu} at {name}).",
    )


def whole_term(offer: Offer, usd_per_month: Decimal) -> tuple[str, ...]:
    """What a term comes to until it ends; nothing where none is taken."""
    if offer.pricing != "reserved" or not offer.term_months:
        return ()
    whole = dollars(usd_per_month * offer.term_months)
    months = f"{offer.term_months} month{'' if offer.term_months == 1 else 's'}"
    return (f"You commit to {whole} for {months}.",)


def base_note(
    spec: InferenceSpec, best: Option | None, term: Offer | None
) -> tuple[str, ...]:
    """How much of the fleet a base is, where a base and a peak were asked for.

    Where a known term saves money the lever says so; else the price to ask for.
    """
    if best is not None and best.offer.pricing == "reserved":
        return _around_the_clock(spec, best)
    asked = {"reserved", "on_demand"} <= set(spec.constraints.pricing)
    if best is None or not asked or best.offer.pricing != "on_demand":
        return ()
    hourly = best.offer.usd_per_gpu_hour
    if term is not None and term.usd_per_gpu_hour < hourly:
        return ()
    price = hourly * (1 - USUAL_DISCOUNT)
    plan = reserve_plan(spec, best, price)
    known = (
        f"the lowest known term is {dollars(term.usd_per_gpu_hour)}, above "
        f"{dollars(hourly)} by the hour"
        if term
        else "we know no reserved price"
    )
    if plan.reserved == 0:
        return (
            f"Reserve nothing: {known}. Even at 30 % off ({dollars(price)}) no GPU is "
            "busy enough.",
        )
    return (
        f"Reserve nothing at list price: {known}. Ask for 30 % off ({dollars(price)}): "
        f"then reserve {plan.reserved} of the {plan.peak} GPUs. That costs "
        f"{dollars(plan.usd_per_month)}/month with the peak by the hour, instead of "
        f"{dollars(plan.usd_on_demand_scaled)} all by the hour.",
    )


def _around_the_clock(spec: InferenceSpec, best: Option) -> tuple[str, ...]:
    """That a term is paid for hours in which nothing is asked of it."""
    limits = spec.constraints
    used, paid = limits.billed_hours_per_month, paid_hours(best.offer, limits)
    if used == paid:
        return ()
    return (
        f"You pay a term day and night: {paid:,.0f} h a month for {used:,.0f} h of "
        "use.",
    )
