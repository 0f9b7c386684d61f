"""What the recommendation returns: options in order, and why the rest is not there."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from typing import ClassVar, Literal

from msgspec import Struct

from core.answers.answer import SERVING, Answer, Lever, Pick, Rejection, Role, Way
from core.estimate.capacity import ReplicaCapacity
from core.estimate.evidence import Measurement
from core.hardware import GpuSpec
from core.market.board import billed_gpus
from core.money.served import Served, served
from core.offers import Offer, SellerKind
from core.reference.service_levels import ServiceLevel
from core.units import Precision
from core.workload import Resolved, WorkloadSpec

Status = Literal["ok", "nothing_fits", "over_budget", "unpriced"]


class FleetPlan(Struct, frozen=True):
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

    @property
    def gpus_range(self) -> tuple[int, int]:
        """GPUs if the estimate is at its high or its low end."""
        low, high = self.replicas_range
        return low * self.replica_gpus, high * self.replica_gpus


class Option(Struct, frozen=True):
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
    sla: ServiceLevel | None = None
    """What the seller commits to for this fleet as it is asked for."""
    spread: tuple[ServiceLevel, ...] = ()
    """Higher levels, if its machines are placed apart."""
    machine_gpus: int | None = None
    """GPUs of one machine; None: its price names none."""
    seller_kind: SellerKind = "unknown"

    @property
    def sla_percent(self) -> float | None:
        """Monthly uptime of this very shape; None: none published, or not known."""
        return self.sla.percent if self.sla else None

    @property
    def machines(self) -> int:
        """Machines to operate: as they are sold, or as large as a replica."""
        whole = min(self.plan.replica_gpus, self.plan.gpu.gpus_per_node)
        return -(-self.gpus // max(self.machine_gpus or 1, whole))

    @property
    def gpus_range(self) -> tuple[int, int]:
        """GPUs that are rented in the optimistic and in the pessimistic case."""
        low, high = (billed_gpus(self.offer, gpus) for gpus in self.plan.gpus_range)
        return min(low, self.gpus), max(high, self.gpus)

    @property
    def usd_per_month_range(self) -> tuple[Decimal, Decimal]:
        """Dollars a month of these."""
        low, high = (self.usd_per_month / self.gpus * n for n in self.gpus_range)
        return low, high

    @property
    def memory_gb(self) -> float:
        """Memory of one of its cards."""
        return self.plan.gpu.memory_gb

    @property
    def compared_usd(self) -> Decimal:
        """What fleets for the same load are compared by: a month."""
        return self.usd_per_month

    @property
    def doubt(self) -> str:
        """Why the offer cannot be ordered as listed; empty: it can."""
        return self.offer.doubt

    def way(
        self,
        load: Served,
        name: str = "",
        evidence: Measurement | None = None,
    ) -> Way:
        """The fleet as a way to serve its load; what a request and a token cost."""
        million = self.usd_per_million_output_tokens
        money = load.money(self.usd_per_month, self.usd_per_hour, million)
        return Way(
            self,
            money,
            self.offer,
            self.gpus,
            name=name,
            used=load.used,
            evidence=evidence,
        )


FlipField = Literal["input_tokens", "rps", "tpot_ms", "usd_per_gpu_hour"]


class Flip(Struct, frozen=True):
    """From this value on, in one direction, the rival costs less than the winner."""

    field: FlipField
    value: float
    above: bool
    rival: Option

    @property
    def direction(self) -> str:
        """On which side of the value the rival costs less."""
        return "above" if self.above else "below"


class Nearest(Struct, frozen=True):
    """What would do if one restriction gave way."""

    words: str
    """What has to give: "with more of them", "on another GPU" …"""
    option: Option


class KeptBy(Struct, frozen=True):
    """A change of serving with which a budget is kept that the fleet misses."""

    lever: Lever
    usd_per_month: Decimal


class FleetPick(Struct, frozen=True):
    """A fleet that is named for a reason of its own, or why there is none."""

    role: Role
    why: str
    option: Option | None = None
    cheapest: bool = True
    """Whether no fleet of its role costs less."""


def picks_as_ways(picks: tuple[FleetPick, ...], spec: WorkloadSpec) -> tuple[Pick, ...]:
    """The picks as every kind of answer shows them."""
    load = served(spec)
    return tuple(
        Pick(
            one.role,
            one.why,
            one.option.way(load) if one.option else None,
            one.cheapest,
        )
        for one in picks
    )


class Recommendation(Answer, frozen=True, dict=True):
    """The answer to a sizing question, before anybody draws it."""

    resolved: Resolved
    options: tuple[Option, ...]
    """The starred one, then the others by price; empty: nothing can be offered, and
    the rejections say why."""
    fleet_picks: tuple[FleetPick, ...] = ()
    """Best price, with an SLA, hyperscaler: each a fleet, or the reason for none."""
    starred: Role = "best_price"
    """The pick that the audience calls for: the first option."""
    worth_checking: tuple[Option, ...] = ()
    """Cheaper than the star, but not to be ordered as listed: `doubt` says why."""
    rejections: tuple[Rejection, ...] = ()
    levers: tuple[Lever, ...] = ()
    evidence: Measurement | None = None
    nearest: Nearest | None = None
    """The nearest yes, where there is no option."""
    unpriced: tuple[FleetPlan, ...] = ()
    """Fleets that would do but that nobody in the catalogue sells."""
    kept_by: KeptBy | None = None
    instead: Option | None = None
    """What other GPUs do for half of it, where those named are a crowd: the advice."""
    patient: Option | None = None
    """What does for half of it, if a limit that nobody stated were longer."""
    late: bool = False
    """It is slower than usual, as that takes far fewer GPUs and no limit was stated."""
    term_loses: Option | None = None
    """What costs less by the hour than the commitment that was asked for."""
    at_home: Decimal | None = None
    """A month of a term's GPUs on demand at its own seller; None: none is known."""
    by_api: tuple[str, Decimal] | None = None
    """An API that is far cheaper, and its month, where no way to serve is named."""
    notes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    """What else there is to say, for whoever asks why."""
    rules_fired: tuple[str, ...] = ()
    status: Status = "ok"
    flips: tuple[Flip, ...] = ()
    """The inputs that would change the winner, and where."""

    applies: ClassVar = SERVING | {
        "count_is_most", "machine_gpus", "most_per_million", "part_reserved",
    }  # fmt: skip
    watched: ClassVar = "money"
    budget_rule: ClassVar = "kept"

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """Every fleet, the recommended one first."""
        load, best = served(self.resolved.spec), self.options[:1]
        return (
            *(option.way(load, evidence=self.evidence) for option in best),
            *(option.way(load) for option in self.options[1:]),
        )

    @property
    def advises(self) -> bool:
        """Whether the first fleet can be ordered, and no other GPUs are the advice."""
        sound = bool(self.options) and not self.options[0].doubt
        return sound and self.instead is None

    @property
    def picks(self) -> tuple[Pick, ...]:
        """The three fleets that are named, each with its reason."""
        return picks_as_ways(self.fleet_picks, self.resolved.spec)

    def details(self) -> Mapping[str, object]:
        """The nearest yes, fleets that nobody sells, and what would flip the winner."""
        nearest = self.nearest
        return {
            "nearest": nearest and {"change": nearest.words, "option": nearest.option},
            "unpriced": self.unpriced,
            "flips": self.flips,
            "kept_by": self.kept_by,
            "on_demand_instead": self.term_loses,
            "on_demand_at_the_same_seller": self.at_home,
            "starred": self.starred if self.advises else None,
            "instead": self.instead,
            "usd_per_month_by_api": self.by_api[1] if self.by_api else None,
            "patient": self.patient,
            "worth_checking": [
                {"*": option, "doubt": option.doubt} for option in self.worth_checking
            ],
        }
