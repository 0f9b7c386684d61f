"""A fleet at an offer: whole instances, hours billed, dollars exact."""

from collections.abc import Iterable

from core.market.board import NODE_GPUS, billed_gpus
from core.market.hours import paid_hours, paid_per_used
from core.market.recommendation import FleetPlan, Option
from core.money.costs import HourlyCost, exact, idle_per_month, usd_per_million
from core.offers import Offer
from core.reference.catalogue import Reference
from core.workload import InferenceSpec


def cheapest_at(
    spec: InferenceSpec,
    plans: Iterable[FleetPlan],
    offer: Offer,
    reference: Reference,
) -> Option | None:
    """The cheapest way to rent one of a GPU's fleets at one offer; None: none fits."""
    limits = spec.constraints
    asked = 0 if limits.count_is_most else limits.count or 0
    choices = [
        (billed_gpus(offer, max(plan.gpus, asked)), plan.gpus, plan)
        for plan in plans
        if rentable(plan, offer)
    ]
    if not choices:
        return None
    gpus, _, plan = min(choices, key=lambda choice: choice[:2])
    if limits.count_is_most and gpus > (limits.count or 0):
        return None  # its machines are larger than that
    cost = HourlyCost(offer.usd_per_gpu_hour, gpus)
    monthly = cost.per_month(paid_hours(offer, limits))
    average, paid = spec.load.average_share, paid_per_used(offer, limits)
    provider = reference.provider(offer.provider)
    return Option(
        plan=plan,
        offer=offer,
        gpus=gpus,
        usd_per_hour=cost.per_hour,
        usd_per_month=monthly,
        usd_per_million_output_tokens=usd_per_million(
            cost.per_hour * paid, spec.output_tokens_per_second, average
        ),
        idle_usd_per_month=idle_per_month(monthly, exact(average) / paid),
        sla_percent=provider.uptime_of(offer.pricing) if provider else None,
    )


def rentable(plan: FleetPlan, offer: Offer) -> bool:
    """Whether a replica fits in what the offer rents as one machine.

    An instance type is one box of a known size; a price per GPU without one is taken
    for boxes of up to a node.
    """
    box = offer.gpu_count if offer.instance else NODE_GPUS
    per_node = min(plan.replica_gpus, plan.gpu.gpus_per_node)
    return per_node <= max(box, offer.gpu_count)
