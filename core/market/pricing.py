"""A fleet at an offer: whole instances, hours billed, dollars exact."""

from collections.abc import Iterable
from decimal import Decimal

from core.market.board import NODE_GPUS, billed_gpus
from core.market.eligibility import kind_of
from core.market.hours import paid_hours
from core.market.recommendation import FleetPlan, Option
from core.market.uptime import uptime
from core.money.costs import exact, idle_per_month, usd_per_million
from core.offers import Offer
from core.reference.catalogue import Reference
from core.workload import InferenceSpec


def cheapest_at(
    spec: InferenceSpec,
    plans: Iterable[FleetPlan],
    offer: Offer,
    reference: Reference,
    most: Decimal | None = None,
) -> Option | None:
    """The cheapest way to rent one of a GPU's fleets at one offer; None: none fits.

    `most`: what it may cost a month, where something else already costs that.
    """
    limits = spec.constraints
    asked = 0 if limits.count_is_most else limits.count or 0
    covered = uptime(offer, 2, reference)
    level, apart = covered.level, covered.spread
    machines = 1
    if spec.places > 1:
        shape = spec.places_shape
        level = next((one for one in apart if one.shape == shape), level)
        machines = spec.places
    elif limits.sla is not None and limits.sla is not True:
        level = covered.keeping(limits.sla, None) or level
        machines = 1 if level in (None, covered.level) else 2
    box = limits.machine_gpus
    if box is not None and not _is_sold_as(box, offer):
        return None
    fewest, found, plan = max(asked, machines * offer.gpu_count), (0, 0), None
    for one in plans:
        if rentable(one, offer) and _networked(one, offer, reference):
            needed = _with_spares(one, box or offer.gpu_count, spec)
            whole = -(-max(needed, fewest) // (box or 1)) * (box or 1)
            size = billed_gpus(offer, whole), needed
            if plan is None or size < found:
                found, plan = size, one
    gpus = found[0]
    if plan is None or (limits.count_is_most and gpus > (limits.count or 0)):
        return None  # none fits, or its machines are larger than that
    hourly, hours = offer.usd_per_gpu_hour * gpus, paid_hours(offer, limits)
    average, monthly = spec.load.average_share, hourly * hours
    if most is not None and monthly > most:
        return None
    paid = hours / limits.billed_hours_per_month
    return Option(
        plan=plan,
        offer=offer,
        gpus=gpus,
        usd_per_hour=hourly,
        usd_per_month=monthly,
        usd_per_million_output_tokens=usd_per_million(
            hourly * paid, spec.output_tokens_per_second, average
        ),
        idle_usd_per_month=idle_per_month(monthly, exact(average) / paid),
        sla=level,
        spread=tuple([one for one in apart if one is not level]),
        machine_gpus=box or _machine_gpus(plan, offer),
        seller_kind=kind_of(offer, reference),
    )


def _with_spares(plan: FleetPlan, box: int, spec: InferenceSpec) -> int:
    """GPUs where each spare that is asked for is a machine more, as they are sold."""
    spares = min(spec.spare_replicas, plan.replicas - 1)
    machine, at_work = max(box, plan.replica_gpus), plan.replicas - spares
    apart = -(-at_work * plan.replica_gpus // machine) + spares
    return max(plan.gpus, apart * machine) if spares else plan.gpus


def _is_sold_as(box: int, offer: Offer) -> bool:
    """Whether an offer rents machines of so many GPUs: as sold, or put together."""
    freely = offer.gpu_count < box <= NODE_GPUS and not offer.instance
    return offer.gpu_count == box or freely


def _networked(plan: FleetPlan, offer: Offer, reference: Reference) -> bool:
    """Whether a replica over several machines has a fast network between them.

    Boards that are sold as machines of one GPU are not joined for one replica.
    """
    if plan.replica_gpus <= plan.gpu.gpus_per_node:
        return True
    if plan.gpu.gpus_per_node == 1:
        return False
    seller = reference.provider(offer.provider)
    return seller is not None and bool(seller.infiniband or seller.interconnect)


def _machine_gpus(plan: FleetPlan, offer: Offer) -> int | None:
    """GPUs of one machine: as sold, or a replica's where smaller ones can be had."""
    together = min(plan.replica_gpus, plan.gpu.gpus_per_node)
    if offer.instance:
        return offer.gpu_count
    if offer.gpu_count > 1:
        return max(offer.gpu_count, together)
    return None if offer.min_gpus is None else together


def rentable(plan: FleetPlan, offer: Offer) -> bool:
    """Whether a replica fits in what the offer rents as one machine.

    An instance type is one box of a known size; a price per GPU without one is taken
    for boxes of up to a node. Machines of a rack that one link joins are one.
    """
    box = offer.gpu_count
    if plan.gpu.gpus_per_node > NODE_GPUS:
        box = plan.gpu.gpus_per_node
    if box < NODE_GPUS and not offer.instance:
        box = NODE_GPUS
    return plan.replica_gpus <= box or plan.gpu.gpus_per_node <= box
