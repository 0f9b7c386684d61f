"""What a question rules in or out."""

import operator
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Literal, get_args

from core.offers import Pricing
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.places import home, near
from core.units import HOURS_PER_MONTH, PRECISIONS, Precision
from core.wording import say
from core.workload import Assumption, Budget, Constraints

PER_HOUR_BELOW = 100
"""Nobody rents a GPU for a month for less: "h100 under $3" is of an hour."""
PRICINGS: tuple[Pricing, ...] = get_args(Pricing)


def resolve_constraints(query: Query, reference: Reference) -> Constraints:
    """Every stated restriction, GPU and provider words expanded to ids."""
    paid = (*(query.pricing or ()), *(("on_demand",) if query.part_reserved else ()))
    out = tuple(p for p in PRICINGS if p in (query.pricing_exclude or ()))
    if "on_demand" in out and not paid:
        paid = ("spot", "reserved")
    pricing = tuple(p for p in PRICINGS if p in paid and p not in out)
    borne = bool(query.interruptible)
    places = places_meant(query)
    return Constraints(
        providers=_providers(query.provider, reference),
        providers_excluded=_providers(query.provider_exclude, reference),
        region=places[0] if places else None,
        regions_also=places[1:],
        gpus=_gpus(query, reference),
        gpus_excluded=_gpus_excluded(query, reference),
        count=query.count,
        count_is_most=bool(query.count_is_most),
        machine_gpus=query.machine_gpus,
        pricing=() if borne else pricing,
        pricing_excluded=out,
        regions_excluded=query.region_exclude or (),
        tiers_excluded=_tiers_excluded(query),
        sellers=query.seller_kinds or (),
        sellers_excluded=query.seller_kinds_exclude or (),
        hosts_welcome=bool(query.hosts_welcome),
        consumer=_consumer(query, reference),
        owned=bool(query.owned),
        gpus_rented=_rented(query, reference),
        interruptible=borne,
        interrupted_hours=query.interrupted_hours,
        interrupted_machine=bool(query.interrupted_machine),
        checkpoint_hours=query.checkpoint_hours,
        serverless="serverless" in (query.pricing or ()),
        term_months=None if query.term_months is None else int(query.term_months),
        budget=_budget(query),
        per_million=_per_million(query),
        sla=query.uptime or query.sla or None,
        owners=query.owners or "",
        certifications=known_papers(query),
        fabric=query.fabric,
        hours_per_day=(not query.quiet_hours and query.hours_per_day) or 24,
        days_per_week=(not query.quiet_hours and days_of_use(query)) or 7,
        hours_per_month=query.hours_per_month or HOURS_PER_MONTH,
    )


def days_of_use(query: Query) -> float | None:
    """Days a week as stated, or those of an office; None: all."""
    return DAYS_OF_AN_OFFICE if office_week(query) else query.days_per_week


DAYS_OF_AN_OFFICE = 5.0


def office_week(query: Query) -> Assumption | None:
    """That an office is closed at the weekend, where only its hours are told."""
    told = query.days_per_week or query.quiet_hours or not query.working_days
    if told or (query.hours_per_day or 24) >= 24:
        return None
    days, why = say("assumptions.five_days"), say("assumptions.office_days")
    return Assumption(field="days_per_week", label="in use", value=days, why=why)


UNCHECKED = frozenset(("acn", "tisax", "irap", "hitrust", "ens"))
"""Certificates that were looked up at no seller: they rule nobody out."""


def known_papers(query: Query) -> tuple[str, ...]:
    """The certificates of which it is known who names them."""
    return tuple(one for one in query.compliance or () if one not in UNCHECKED)


def places_stated(query: Query) -> tuple[str, ...]:
    """The places that a question names, of which any will do."""
    return (query.region, *(query.region_also or ())) if query.region else ()


def homes(query: Query) -> tuple[str, ...]:
    """The places that a question names, as those of people."""
    return tuple(dict.fromkeys(map(home, places_stated(query))))


def places_meant(query: Query) -> tuple[str, ...]:
    """Where it may run: near its users, where the places named are theirs."""
    places = places_stated(query)
    return tuple(dict.fromkeys(map(near, places))) if query.users_there else places


def formats_excluded(query: Query) -> tuple[Precision, ...]:
    """The weight formats that are ruled out."""
    return tuple(p for p in PRECISIONS if p in (query.precision_exclude or ()))


def formats_asked(query: Query) -> tuple[Precision, ...]:
    """The weight formats to serve in; none: what each GPU runs best.

    Without FP8 it is 16 bits: everything shorter has to be asked for.
    """
    if query.precision or "fp8" not in formats_excluded(query):
        return query.precision or ()
    return ("bf16",)


def _providers(names: tuple[str, ...] | None, reference: Reference) -> tuple[str, ...]:
    found = (reference.provider(name) for name in names or ())
    return tuple(provider.id for provider in found if provider is not None)


def _gpus(query: Query, reference: Reference) -> tuple[str, ...]:
    if query.gpu_is_example:
        return ()
    found = [gpu.id for slug in query.gpu or () for gpu in reference.gpus_named(slug)]
    if not found and query.memory_gb is not None:
        found = _of_memory(query, query.memory_gb, reference)
    return tuple(dict.fromkeys(found))


def _rented(query: Query, reference: Reference) -> tuple[str, ...]:
    """The GPUs that would be rented beside those in hand."""
    if not query.owned:
        return ()
    return tuple(
        gpu.id for slug in query.rented_gpus or () for gpu in reference.gpus_named(slug)
    )


def _consumer(query: Query, reference: Reference) -> bool | None:
    """Whether consumer cards may be used: as said, or because one is named."""
    if query.consumer_gpus is not None:
        return query.consumer_gpus
    named = (reference.gpu(slug) for slug in query.gpu or ())
    return True if any(gpu is not None and gpu.consumer for gpu in named) else None


def _gpus_excluded(query: Query, reference: Reference) -> tuple[str, ...]:
    """Every form of the GPUs that are out, and all of a maker or a family that is."""
    out, only = query.gpu_exclude or (), query.datacenter_gpus
    named = {gpu.id for slug in out for gpu in reference.gpus_named(slug)}
    kinds = {
        gpu.id
        for gpu in reference.gpus.values()
        if {gpu.vendor, gpu.architecture}.intersection(out)
        or (only and (gpu.consumer or gpu.workstation))
    }
    return tuple(sorted(named | kinds))


_HOLDS: Mapping[str | None, Callable[[float, float], bool]] = {
    None: operator.ge,
    "exact": operator.eq,
    "over": operator.gt,
    "most": operator.le,
    "under": operator.lt,
}


def _of_memory(query: Query, gigabytes: float, reference: Reference) -> list[str]:
    """The GPUs of the memory that is asked for; of no known size, the larger ones."""
    gpus, bound = reference.gpus.values(), query.memory_bound
    if bound == "exact" and all(gpu.memory_gb != gigabytes for gpu in gpus):
        bound = None
    return [gpu.id for gpu in gpus if _HOLDS[bound](gpu.memory_gb, gigabytes)]


def beyond_every_gpu(query: Query, reference: Reference) -> str | None:
    """Say that no GPU has the memory that was asked for; None: some has."""
    if query.gpu or not query.memory_gb:
        return None
    if _of_memory(query, query.memory_gb, reference):
        return None
    if query.memory_bound in ("most", "under"):
        least = min(reference.gpus.values(), key=lambda gpu: gpu.memory_gb)
        return say(
            "assumptions.no_gpu_so_small",
            least_name=least.name,
            least_memory_gb=least.memory_gb,
        )
    largest = max(reference.gpus.values(), key=lambda gpu: gpu.memory_gb)
    return say(
        "assumptions.no_gpu_of_memory",
        memory_gb=query.memory_gb,
        largest_name=largest.name,
        largest_memory_gb=largest.memory_gb,
    )


def _budget(query: Query) -> Budget | None:
    if query.budget_amount is None or query.asked_unit == "lasts":
        return None  # a sum in hand bounds no month
    return Budget(
        amount=Decimal(str(query.budget_amount)),
        period=query.budget_period or _period(query),
        currency=query.budget_currency or "USD",
    )


def _tiers_excluded(query: Query) -> tuple[str, ...]:
    """Kinds of hosts ruled out; serverless is said like a way to pay."""
    paid = ("serverless",) if "serverless" in (query.pricing_exclude or ()) else ()
    return (*(query.tier_exclude or ()), *paid)


def _per_million(query: Query) -> Budget | None:
    if query.most_per_million is None:
        return None
    return Budget(
        amount=Decimal(str(query.most_per_million)),
        period="total",
        currency=query.most_per_million_currency or "USD",
    )


def _period(query: Query) -> Literal["hour", "month"]:
    """A month, unless the price of a GPU is asked for and so little is meant."""
    asked = query.intent == "price" and (query.budget_amount or 0) < PER_HOUR_BELOW
    return "hour" if asked else "month"
