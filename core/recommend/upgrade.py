"""A fleet in hand against newer GPUs: use it better first, then compare prices."""

import math
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from core.hardware import GpuSpec
from core.money.ratio import Worth, worth
from core.offers import Catalog
from core.recommend.board import Bill, bill_for
from core.recommend.capacity import Carried, gpu_capacities
from core.recommend.idle import WELL_USED, AtUse, Idle, answer_idle
from core.recommend.offered import cheapest_offer
from core.reference.catalogue import Reference
from core.workload import Assumption, Constraints, InferenceSpec, Resolved


@dataclass(frozen=True, slots=True)
class Replacement:
    """The same work on another GPU, at most 70 % busy."""

    gpu: GpuSpec
    speed: float
    """Work of one of these GPUs over one of the old ones."""
    gpus: int
    used: float
    bill: Bill | None
    worth: Worth | None
    """Against the old GPU's price, GPU for GPU at equal use."""


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What the fleet does now, could do with fewer GPUs, and what newer ones would."""

    idle: Idle
    replacements: tuple[Replacement, ...]
    resolved: Resolved | None
    """None: no model was named, and speed is the ratio of memory bandwidths."""

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
) -> Upgrade | None:
    """Compare the first GPU's fleet, in hand, with the others that are named."""
    owned, *newer = gpus
    idle = answer_idle(owned, used, limits, assumptions, catalog, reference, now)
    if idle is None:
        return None
    spec = resolved.spec if resolved else None
    serving = spec if isinstance(spec, InferenceSpec) else None
    found = []
    for gpu in newer:
        offer = cheapest_offer(gpu, limits, catalog, reference, now)
        speed = relative_speed(gpu, owned, limits.count or 1, serving)
        work = used * (limits.count or 1) / speed
        needed = max(1, math.ceil(round(work / WELL_USED, 9)))
        bill = bill_for(offer, needed, limits) if offer else None
        old = idle.today.bill.offer.usd_per_gpu_hour
        ratio = worth(offer.usd_per_gpu_hour, old, speed, 1) if offer else None
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
    carried, _ = gpu_capacities(spec, gpu, count, None)
    best: Carried | None = carried[0] if carried else None
    if best is None:
        return 0.0
    return best.capacity.requests_per_second.likely / best.capacity.gpus
