"""A budget without a load: the most that it can serve, GPU by GPU."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec.structs import replace

from core.answers.answer import (
    FORMATS,
    HOURS,
    LATENCY,
    LENGTHS,
    OFFERS,
    Answer,
    Rejection,
    Way,
)
from core.answers.capacity import Carried, gpu_capacities
from core.market.board import bill_for
from core.market.hours import paid_hours
from core.market.market import Use, market_of
from core.money.currency import NoRate, rate_for
from core.money.exchange import exchange_rates
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.sizing.fleet import AGED, best_precision
from core.workload import Budget, InferenceSpec, Resolved

MOST_GPUS = 64


class BudgetAnswer(Answer, frozen=True):
    """What each GPU serves for the budget, the most first."""

    resolved: Resolved
    spec: InferenceSpec
    usd_per_month: Decimal
    rate: str
    """The exchange rate, where the budget is in another currency."""
    carried: tuple[Carried, ...]
    rejections: tuple[Rejection, ...]

    applies: ClassVar = LENGTHS | LATENCY | FORMATS | OFFERS | HOURS | {"model_count"}
    budget_rule: ClassVar = "kept"

    @property
    def ways(self) -> tuple[Way, ...]:
        """The budget spent on each GPU, the most requests first."""
        return tuple(one.way() for one in self.carried)

    @property
    def status(self) -> str:
        """Whether anything is to be had for the budget."""
        return "ok" if self.carried else "nothing_fits"

    def details(self) -> Mapping[str, object]:
        """The budget."""
        return {"budget_usd_per_month": self.usd_per_month}


def monthly_budget(
    budget: Budget, spec: InferenceSpec, now: datetime
) -> tuple[Decimal, str] | None:
    """A budget as dollars a month, and the rate it was turned into them at.

    None: no dated rate of its currency is known.
    """
    found = in_dollars(budget, now)
    if found is None:
        return None
    usd, note = found
    match budget.period:
        case "hour":
            return usd * spec.constraints.billed_hours_per_month, note
        case "day":
            return usd * 30, note
        case "year":
            return usd / 12, note
        case _:
            return usd, note


def in_dollars(budget: Budget, now: datetime) -> tuple[Decimal, str] | None:
    """A sum in dollars, and its rate; None: no dated rate of its currency is known."""
    rate = rate_for(budget.currency, exchange_rates(), now.date())
    if isinstance(rate, NoRate):
        return None
    return rate.to_usd(budget.amount), "" if budget.currency == "USD" else rate.shown


def answer_budget(
    resolved: Resolved,
    spec: InferenceSpec,
    usd_per_month: Decimal,
    rate: str,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> BudgetAnswer:
    """Fill the budget with each GPU at its cheapest offer; count what that serves."""
    use = Use(spec.constraints, live=True, now=now)
    market = market_of(catalog, use, reference)
    found = []
    for offers in market.by_gpu.values():
        offer = min(offers, key=lambda one: one.micro_usd_per_gpu_hour)
        found += list(_filled(spec, offer, usd_per_month, reference))
    found.sort(key=lambda one: -one.requests_per_second.likely)
    return BudgetAnswer(
        resolved, spec, usd_per_month, rate, tuple(found), tuple(market.rejections())
    )


def _filled(
    spec: InferenceSpec, offer: Offer, usd_per_month: Decimal, reference: Reference
) -> Iterator[Carried]:
    """As many whole machines as the budget rents, serving in the safe format."""
    gpu, limits = reference.gpus[offer.gpu], spec.constraints
    if gpu.architecture in AGED and gpu.id not in limits.gpus:
        return
    each = offer.usd_per_gpu_hour * offer.gpu_count * paid_hours(offer, limits)
    count = min(int(usd_per_month / each) * offer.gpu_count, MOST_GPUS)
    weights = best_precision(spec, gpu)
    if count and weights is not None:
        one = spec.model_copy(update={"precisions": (weights,)})
        for carried in gpu_capacities(one, gpu, count, None)[0]:
            used = carried.replicas * carried.capacity.gpus
            bill = bill_for(offer, used, limits)
            yield replace(carried, gpus=used, bill=bill)
