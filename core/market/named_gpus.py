"""The GPUs that a question names, and the price that one of them stands at."""

from datetime import datetime

from core.hardware import GpuSpec
from core.market.board import Bill, bill_for
from core.market.current import rank
from core.market.market import Use, market_of
from core.offers import Catalog, Offer
from core.query import Query
from core.reference.catalogue import Reference
from core.units import Precision
from core.workload import Constraints


def named_gpus(query: Query, reference: Reference) -> tuple[GpuSpec, ...]:
    """One GPU a word: "h100" is the SXM part, "a100-40gb" the 40 GB SXM part."""
    found = (reference.gpus_named(slug) for slug in query.gpu or ())
    first = {variants[0].id: variants[0] for variants in found if variants}
    return tuple(first.values())


def cards(
    query: Query,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> tuple[GpuSpec, ...]:
    """The named GPUs; of a size alone, "a 24 GB card", the cheapest that is rented."""
    if named := named_gpus(query, reference):
        return named
    known = [reference.gpus[name] for name in constraints.gpus]
    least = min((gpu.memory_gb for gpu in known), default=0)
    sold = [
        (gpu.consumer, offer.usd_per_gpu_hour, gpu.id, gpu)
        for gpu in known
        if gpu.memory_gb == least
        and (offer := cheapest_offer(gpu, constraints, catalog, reference, now))
    ]
    return (min(sold)[-1],) if sold else ()


def own_formats(query: Query, reference: Reference) -> dict[str, Precision]:
    """By GPU id the weights that each named GPU is to have; empty: any of those named.

    "Int4 on an L40S or fp8 on an H100".
    """
    gpus, formats = named_gpus(query, reference), query.gpu_precisions or ()
    if len(gpus) != len(formats):
        return {}
    return {gpu.id: one for gpu, one in zip(gpus, formats, strict=True)}


def only(constraints: Constraints, gpu: GpuSpec) -> Constraints:
    """The same constraints for one GPU id."""
    return constraints.model_copy(update={"gpus": (gpu.id,)})


def offers_of(
    gpu: GpuSpec,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> list[Offer]:
    """The offers of a GPU that live traffic may use, cheapest per GPU-hour first."""
    use = Use(only(constraints, gpu), live=True, now=now)
    market = market_of(catalog, use, reference)
    return sorted(market.by_gpu.get(gpu.id, ()), key=_by_price)


def cheapest_offer(
    gpu: GpuSpec,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Offer | None:
    """The lowest price per GPU-hour that live traffic may use; None: none is known."""
    found = offers_of(gpu, constraints, catalog, reference, now)
    return found[0] if found else None


def cheapest_bill(
    gpu: GpuSpec,
    gpus: int,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    instances: tuple[str, ...] = (),
) -> Bill | None:
    """The lowest bill for so many GPUs, whole machines paid; None: no price is known.

    A lower price per GPU of machines that are larger than what is needed costs more.
    `instances`: the machine types that run, where they are named and have a price.
    """
    use = Use(only(constraints, gpu), live=True, now=now)
    market = market_of(catalog, use, reference)
    wanted = {name.lower() for name in instances}
    own = [o for o in market.by_gpu.get(gpu.id, ()) if o.instance.lower() in wanted]
    boxes = own or market.boxes(gpu.id)
    bills = [bill_for(offer, gpus, constraints) for offer in boxes]
    least = [
        (bool(bill.offer.doubt), bill.usd_per_month, _by_price(bill.offer), bill)
        for bill in bills
    ]
    return min(least, key=lambda one: one[:3])[-1] if least else None


def _by_price(offer: Offer) -> tuple[bool, int, float, str, str]:
    """As everywhere (`rank`); of equal prices the one that was seen last."""
    seen = -offer.observed_at.timestamp()
    return *rank(offer), seen, offer.provider, offer.region
