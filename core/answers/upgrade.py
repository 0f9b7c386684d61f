"""A fleet in hand against newer GPUs: use it better first, then compare prices."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import Answer, Way
from core.answers.capacity import Carried, gpu_capacities
from core.answers.idle import WELL_USED, AtUse, Idle, answer_idle, whole
from core.hardware import GpuSpec
from core.market.board import Bill
from core.market.named_gpus import cheapest_bill
from core.money.ratio import Worth, worth
from core.offers import Catalog
from core.reference.catalogue import Reference
from core.workload import Assumption, Constraints, InferenceSpec, Resolved


class Replacement(Struct, frozen=True):
    """The same work on another GPU, at most 70 % busy."""

    gpu: GpuSpec
    speed: float
    """Work of one of these GPUs over one of the old ones."""
    gpus: int
    used: float
    bill: Bill | None
    worth: Worth | None
    """Against the old GPU's price, GPU for GPU at equal use."""


class Upgrade(Answer, frozen=True):
    """What the fleet does now, could do with fewer GPUs, and what newer ones would."""

    idle: Idle
    replacements: tuple[Replacement, ...]
    resolved: Resolved | None
    """None: no model was named, and speed is the ratio of memory bandwidths."""

    applies: ClassVar = Idle.applies

    @property
    def ways(self) -> tuple[Way, ...]:
        """The fleet as it is, fewer of its GPUs, then each newer one."""
        newer = (
            one.bill.way(one, f"{one.gpus} × {one.gpu.name}", min(one.used, 1.0))
            for one in self.replacements
            if one.bill is not None
        )
        return (*self.idle.ways, *newer)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What the use of the fleet rests on."""
        return self.idle.assumptions

    def details(self) -> Mapping[str, object]:
        """The fleet today, fewer of its GPUs, and what would replace them."""
        return {
            **self.idle.details(),
            "raise_utilisation_first": self.raise_first,
            "replacements": [
                {"*": one, "saves_usd_per_month": self.saves(one)}
                for one in self.replacements
            ],
        }

    @property
    def raise_first(self) -> bool:
        """Whether the fleet is idle enough that buying anything is premature."""
        return not self.idle.well_used

    @property
    def held_against(self) -> AtUse:
        """The fleet that a newer one has to beat: the same GPUs, well used."""
        return self.idle.others[0] if self.idle.others else self.idle.today

    def saves(self, other: Replacement) -> Decimal | None:
        """Dollars a month against the old GPUs well used; None: no price is known."""
        if other.bill is None:
            return None
        return self.held_against.bill.usd_per_month - other.bill.usd_per_month


def answer_upgrade(
    gpus: tuple[GpuSpec, ...],
    used: float,
    limits: Constraints,
    resolved: Resolved | None,
    assumptions: tuple[Assumption, ...],
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    able: bool = False,
) -> Upgrade | None:
    """Compare the first GPU's fleet, in hand, with the others that are named.

    `able`: with those alone that serve the model at all.
    """
    owned, *newer = gpus
    spec = resolved.spec if resolved else None
    serving = spec if isinstance(spec, InferenceSpec) else None
    together = _replica(serving, owned, limits.count or 1)
    market = (catalog, reference, now)
    idle = answer_idle(owned, used, limits, assumptions, *market, together)
    if idle is None:
        return None
    found = []
    for gpu in newer:
        if able and serving and not _per_gpu(serving, gpu, limits.count or 1):
            continue
        speed = relative_speed(gpu, owned, limits.count or 1, serving)
        work = used * (limits.count or 1) / speed
        size = _replica(serving, gpu, limits.count or 1)
        needed = whole(work / WELL_USED, size)
        bill = cheapest_bill(gpu, needed, limits, *market)
        old = idle.today.bill.offer.usd_per_gpu_hour
        price = bill.offer.usd_per_gpu_hour if bill else None
        ratio = worth(price, old, speed, 1) if price else None
        billed = bill.gpus if bill else needed
        found.append(Replacement(gpu, speed, billed, work / billed, bill, ratio))
    return Upgrade(idle, tuple(found), resolved)


def relative_speed(
    newer: GpuSpec, owned: GpuSpec, count: int, spec: InferenceSpec | None
) -> float:
    """Work per GPU of one over the other: under the load, else by memory bandwidth.

    Decode reads all weights for each step, so that bandwidth decides where nothing
    else is known (S0-021, S0-023).
    """
    if spec is not None:
        rates = [_per_gpu(spec, gpu, count) for gpu in (newer, owned)]
        if all(rates):
            return rates[0] / rates[1]
    return newer.bandwidth_gb_s / owned.bandwidth_gb_s


def _per_gpu(spec: InferenceSpec, gpu: GpuSpec, count: int) -> float:
    """Requests per second of one GPU, in replicas of the shape that carries most."""
    best = _shape(spec, gpu, count)
    if best is None:
        return 0.0
    return best.capacity.requests_per_second.likely / best.capacity.gpus


def _replica(spec: InferenceSpec | None, gpu: GpuSpec, count: int) -> int:
    """GPUs of the shape that carries most; 1: no model is named, or none fits."""
    best = _shape(spec, gpu, count) if spec else None
    return best.capacity.gpus if best else 1


def _shape(spec: InferenceSpec, gpu: GpuSpec, count: int) -> Carried | None:
    carried, _ = gpu_capacities(spec, gpu, count, None)
    return carried[0] if carried else None
