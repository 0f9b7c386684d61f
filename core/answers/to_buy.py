"""A sum for hardware: what it buys, and the most that this serves."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import FORMATS, LATENCY, LENGTHS, Answer, Money, Way
from core.answers.budget import monthly_budget
from core.answers.capacity import Carried, gpu_capacities
from core.answers.tco import Ownings
from core.hardware import GpuSpec
from core.query import Beside
from core.reference.catalogue import Reference
from core.reference.ownership import ownership
from core.sizing.fleet import AGED, best_precision
from core.wording import say
from core.workload import Assumption, InferenceSpec, Resolved

MOST_CARDS = 8
"""Cards that one server takes."""


class Bought(Struct, frozen=True):
    """So many GPUs with their servers, and what they serve."""

    gpu: GpuSpec
    gpus: int
    usd: Decimal
    carried: Carried


class ToBuy(Answer, frozen=True):
    """What a sum buys, the most people first; GeForce cards behind all others."""

    resolved: Resolved
    usd: Decimal
    rate: str
    """The exchange rate, where the sum is in another currency."""
    found: tuple[Bought, ...]
    assumptions: tuple[Assumption, ...]

    applies: ClassVar = LENGTHS | LATENCY | FORMATS | {"users"}
    budget_rule: ClassVar = "kept"

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each machine, at its price."""
        span = say("to_buy.span")
        return tuple(
            Way(one, Money(total=one.usd, span=span), gpus=one.gpus)
            for one in self.found
        )

    @property
    def status(self) -> str:
        """Whether the sum buys anything that serves."""
        return "ok" if self.found else "nothing_fits"

    def details(self) -> Mapping[str, object]:
        """The sum."""
        return {"budget_usd": self.usd}


def to_buy(
    resolved: Resolved,
    spec: InferenceSpec,
    beside: Beside,
    reference: Reference,
    now: datetime,
) -> ToBuy | None:
    """Spend a one-off budget on each GPU with a known price; None: there is no budget.

    Boards that are sold whole are bought whole; what serves nothing is left out.
    """
    budget = spec.constraints.budget
    paid = monthly_budget(budget, spec, now) if budget else None
    if budget is None or budget.period != "total" or paid is None:
        return None
    usd, rate = paid
    notebook = Ownings(beside)
    around = 1 + notebook.take("host_share")
    found = []
    for name, price in ownership().purchase.items():
        gpu = reference.gpus[name]
        board = gpu.gpus_per_node if gpu.link_gb_s > 0 and not gpu.consumer else 1
        count = int(usd / (price.usd * around)) // board * board
        count = count if board > 1 else min(count, MOST_CARDS)
        weights = best_precision(spec, gpu)
        if gpu.architecture in AGED or not count or weights is None:
            continue
        one = spec.model_copy(update={"precisions": (weights,)})
        for carried in gpu_capacities(one, gpu, count, None)[0][:1]:
            used = carried.replicas * carried.capacity.gpus
            bought = price.usd * around * used
            found.append(Bought(gpu, used, bought, carried))
    found.sort(
        key=lambda each: (
            each.gpu.consumer,
            -each.carried.requests_per_second.likely,
            each.usd,
        )
    )
    told = (*resolved.assumptions, *notebook.assumptions)
    return ToBuy(resolved, usd, rate, tuple(found), told)
