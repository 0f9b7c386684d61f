"""What the recommendation returns: options in order, and why the rest is not there."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from core.estimate.capacity import ReplicaCapacity
from core.estimate.evidence import Measurement
from core.hardware import GpuSpec
from core.offers import Offer
from core.units import Precision
from core.workload import Resolved

Status = Literal["ok", "nothing_fits", "over_budget", "unpriced"]


@dataclass(frozen=True, slots=True)
class FleetPlan:
    """How many GPUs of one kind, in replicas of which shape, carry the load."""

    gpu: GpuSpec
    weights: Precision
    kv: Precision
    replica_gpus: int
    replicas: int
    replicas_range: tuple[int, int]
    """Replicas if the estimate is at its high or its low end."""
    busy: float
    """Share of the fleet's capacity in use at the peak."""
    capacity: ReplicaCapacity

    @property
    def gpus(self) -> int:
        """GPUs of the whole fleet."""
        return self.replica_gpus * self.replicas


@dataclass(frozen=True, slots=True)
class Option:
    """A fleet at one provider's price; money in dollars."""

    plan: FleetPlan
    offer: Offer
    gpus: int
    """GPUs that are billed: whole instances."""
    usd_per_hour: Decimal
    usd_per_month: Decimal
    usd_per_million_output_tokens: Decimal
    """At the average load, not at full use."""
    idle_usd_per_month: Decimal
    sla_percent: float | None


@dataclass(frozen=True, slots=True)
class Rejection:
    """Something that was considered and left out, by which rule, and why."""

    subject: str
    rule: str
    why: str
    count: int = 1
    """How many offers or fleets the line stands for."""


@dataclass(frozen=True, slots=True)
class Lever:
    """One change, and what it does to the monthly bill or the run."""

    rule: str
    text: str
    usd_difference: Decimal | None
    """Negative saves; None: no money figure can be given."""
    note: str = ""


FlipField = Literal["input_tokens", "rps", "tpot_ms", "usd_per_gpu_hour"]


@dataclass(frozen=True, slots=True)
class Flip:
    """From this value on, in one direction, the rival costs less than the winner."""

    field: FlipField
    value: float
    above: bool
    rival: Option


@dataclass(frozen=True, slots=True)
class Nearest:
    """What would do if one restriction gave way."""

    words: str
    """What has to give: "with more of them", "on another GPU" …"""
    option: Option


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The answer to a sizing question, before anybody draws it."""

    resolved: Resolved
    options: tuple[Option, ...]
    """Best first; empty: nothing can be offered, and the rejections say why."""
    rejections: tuple[Rejection, ...] = ()
    levers: tuple[Lever, ...] = ()
    evidence: Measurement | None = None
    nearest: Nearest | None = None
    """The nearest yes, where there is no option."""
    unpriced: tuple[FleetPlan, ...] = ()
    """Fleets that would do but that nobody in the catalogue sells."""
    notes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    """What else there is to say, for whoever asks why."""
    rules_fired: tuple[str, ...] = field(default=())
    status: Status = "ok"
    flips: tuple[Flip, ...] = ()
    """The inputs that would change the winner, and where."""
