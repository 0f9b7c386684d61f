"""Commitments that were asked for: what none costs, what a base would save."""

from decimal import Decimal

from core.market.hours import paid_hours
from core.market.recommendation import Option
from core.offers import Offer
from core.sizing.levers import reserve_plan
from core.wording import dollars, say
from core.workload import InferenceSpec

USUAL_DISCOUNT = Decimal("0.3")
"""The low end of what terms save where they are sold (S1-090: 30–50 %)."""


def whole_term(offer: Offer, usd_per_month: Decimal) -> tuple[str, ...]:
    """What a term comes to until it ends; nothing where none is taken."""
    if offer.pricing != "reserved" or not offer.term_months:
        return ()
    whole = dollars(usd_per_month * offer.term_months)
    months = say("advice.commitment_months", term_months=offer.term_months)
    return (say("advice.commitment", whole=whole, months=months),)


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
        say(
            "advice.the_lowest_known",
            usd_per_gpu_hour=term.usd_per_gpu_hour,
            hourly=hourly,
        )
        if term
        else say("advice.no_reserved_price_known")
    )
    if plan.reserved == 0:
        return (say("advice.reserve_nothing_at_a_discount", known=known, price=price),)
    return (
        say(
            "advice.reserve_nothing_at_list_price",
            known=known,
            price=price,
            reserved=plan.reserved,
            peak=plan.peak,
            usd_per_month=plan.usd_per_month,
            usd_on_demand_scaled=plan.usd_on_demand_scaled,
        ),
    )


def _around_the_clock(spec: InferenceSpec, best: Option) -> tuple[str, ...]:
    """That a term is paid for hours in which nothing is asked of it."""
    limits = spec.constraints
    used, paid = limits.billed_hours_per_month, paid_hours(best.offer, limits)
    if used == paid:
        return ()
    return (say("advice.you_pay_term", paid=paid, used=used),)
