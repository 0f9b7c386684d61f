"""What a bounded job is answered with: ways to run it, at offers, in dollars a run."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import ClassVar, Literal

from msgspec import Struct

from core.answers.answer import (
    LOADS,
    OFFERS,
    RUN,
    Answer,
    Lever,
    Money,
    Pick,
    Rejection,
    Role,
    Way,
)
from core.estimate.evidence import Measurement
from core.estimate.jobs import RunPlan
from core.estimate.results import Range
from core.hardware import GpuSpec
from core.money.costs import MILLION, exact
from core.money.lifecycle import SPANS, cadence_months
from core.money.spot import Interruptions
from core.offers import Offer
from core.reference.runs import PublishedRun
from core.units import Precision
from core.wording import dollars, say
from core.workload import (
    BatchSpec,
    Constraints,
    FineTuneSpec,
    JobSpec,
    Resolved,
    TrainingSpec,
    WorkloadSpec,
    is_job,
)

Status = Literal["ok", "over_budget", "too_late", "nothing_fits", "unpriced"]
DAYS_PER_MONTH = 30
SPOT_MACHINES = 4
"""Nobody publishes how many spot machines are free; more at once are luck."""
SPOT_DAYS = 21
"""After so long a spot price says little of today's: two of three of AWS's were over
5 % away after a month (github.com/skypilot-org/skypilot-catalog)."""
SHORT_HOURS = 4
"""Work shorter than this is not worth a second machine: each must be set up."""
RENTED_NODE = 8
"""GPUs that providers rent as one machine where an offer does not say."""


class JobPlan(Struct, frozen=True):
    """One job on so many GPUs of one kind, whoever rents them out."""

    gpu: GpuSpec
    gpus: int
    hours: Range
    """Wall-clock without interruptions."""
    why: str
    """What the estimate rests on, in a line."""
    together: int
    """GPUs that must sit in one machine, or in several with a fast network."""
    tokens_per_second: Range | None = None
    weights: Precision | None = None
    memory_gb: float | None = None
    """Per GPU."""
    run: RunPlan | None = None
    """Where the job is a training run."""

    @property
    def lean(self) -> bool:
        """Whether it fits only with a leaner optimiser than is usual."""
        return self.run is not None and self.run.request.lean

    @property
    def gpu_hours(self) -> float:
        """What is paid for without interruptions."""
        return self.hours.likely * self.gpus

    @property
    def machines(self) -> int:
        """Rented nodes: one that is lost stops a run."""
        return -(-self.gpus // min(self.gpu.gpus_per_node, RENTED_NODE))


class SpotTerms(Struct, frozen=True):
    """What interruptions add to one plan."""

    stops: Interruptions
    time_factor: Decimal
    """Expected wall hours per hour of work."""
    expected_stops: float


def hours_range(plan: JobPlan, spot: SpotTerms | None) -> tuple[float, float]:
    """Wall hours at the ends of the estimate, interruptions included."""
    factor = float(spot.time_factor) if spot else 1.0
    return plan.hours.low * factor, plan.hours.high * factor


class JobOption(Struct, frozen=True):
    """A plan at one provider's price; dollars for the whole job."""

    plan: JobPlan
    offer: Offer
    gpus: int
    """GPUs that are billed: whole instances."""
    hours: Decimal
    """Expected wall hours, interruptions included."""
    usd: Decimal
    usd_low: Decimal
    usd_high: Decimal
    """At the ends of the estimate."""
    spot: SpotTerms | None = None
    sla_percent: float | None = None
    stale: bool = False
    """A spot price too old to count on: it moves by the hour."""

    @property
    def hours_range(self) -> tuple[float, float]:
        """Wall hours at the ends of the estimate, interruptions included."""
        return hours_range(self.plan, self.spot)

    @property
    def dependable(self) -> bool:
        """Whether a company can rent it as listed: no doubt, no stranger's host."""
        host = self.offer.seller_kind in ("marketplace", "community")
        return not (self.offer.doubt or host or self.offer.tier == "community")

    @property
    def crowded(self) -> bool:
        """Whether it needs more spot machines at once than anybody can count on."""
        return self.offer.pricing == "spot" and self.plan.machines > SPOT_MACHINES

    def chancy(self, limits: Constraints) -> bool:
        """Whether nobody can count on it, or use it in a data centre, unasked.

        Who asks for spot gets it; who says that spot will do bears a price that moved.
        The licence of GeForce drivers excludes data centres.
        """
        if self.plan.gpu.consumer and not limits.consumer:
            return True
        if "spot" in limits.pricing:
            return False
        return self.crowded or (self.stale and not limits.interruptible)

    @property
    def hasty(self) -> bool:
        """Whether several machines or GPUs are set up for a short stretch of work."""
        many = self.plan.run is not None and self.gpus > 1 and self.hours < 1
        return many or (self.plan.machines > 1 and self.hours < SHORT_HOURS)

    @property
    def usd_per_hour(self) -> Decimal:
        """Dollars an hour for all billed GPUs."""
        return self.offer.usd_per_gpu_hour * self.gpus

    @property
    def usd_range(self) -> tuple[Decimal, Decimal]:
        """Dollars for the whole job at the ends of the estimate."""
        return self.usd_low, self.usd_high

    def way(self, spec: WorkloadSpec, name: str = "") -> Way:
        """The run as a way to do its job, with a month of it where it comes back."""
        often, usd = runs_per_month(spec), self.usd
        month = usd * often if often else None
        if isinstance(spec, BatchSpec):
            requests = exact(spec.requests)
            written = exact(max(spec.output_tokens, 1))
            both = written + exact(spec.input_tokens)
            money = Money(
                hour=self.usd_per_hour,
                run=usd,
                month=month,
                million_output=usd * MILLION / (requests * written),
                million=usd * MILLION / (requests * both),
                request=usd / requests,
            )
        else:
            money = Money(hour=self.usd_per_hour, run=usd, month=month)
        return Way(self, money, self.offer, self.gpus, name=name)


def old_spot(offer: Offer, now: datetime) -> bool:
    """Whether it is a spot price that is too old to count on."""
    if offer.pricing != "spot":
        return False
    return now - offer.observed_at > timedelta(days=SPOT_DAYS)


def run_count(spec: WorkloadSpec) -> float:
    """How many runs are paid once, those that fail included; what comes back is one."""
    if isinstance(spec, TrainingSpec):
        return spec.runs
    once = isinstance(spec, FineTuneSpec) and not (spec.cadence or spec.more_runs)
    return spec.runs if isinstance(spec, FineTuneSpec) and once else 1


TRIALS = 3
"""Runs beside the one that is kept, where nobody says how many: hardly one is the
first."""


def with_trials(best: JobOption, spec: WorkloadSpec) -> Decimal | None:
    """What to ask for of a fine-tune that is done once; None: its runs are counted."""
    if not isinstance(spec, FineTuneSpec) or spec.cadence or spec.more_runs:
        return None
    return best.usd * (1 + TRIALS) if spec.runs == 1 else None


def runs_per_month(spec: WorkloadSpec) -> Decimal | int | None:
    """How often what comes back runs in a month; None: once, or less than monthly."""
    if isinstance(spec, FineTuneSpec) and spec.cadence:
        months = cadence_months(spec.cadence)
        often = exact(spec.runs) / months if months else Decimal(0)
        often += exact(spec.more_runs) / SPANS["year"]
        return often if often >= 1 else None
    if not isinstance(spec, BatchSpec) or spec.recurring is None:
        return None
    return DAYS_PER_MONTH if spec.recurring == "day" else 1


class NearestYes(Struct, frozen=True):
    """What would do instead of what was asked, and its cheapest way."""

    change: str
    plan: JobPlan
    option: JobOption | None


PICKED: dict[Role, str] = {
    "best_price": say("picks.the_cheapest_way"),
    "with_sla": say("picks.cheapest_way_with_sla"),
    "hyperscaler": say("picks.cheapest_hyperscaler_way"),
}


NOT_PICKED: dict[Role, str] = {
    "best_price": say("picks.nothing_can_be_ordered"),
    "with_sla": say("picks.no_seller_with_published_sla"),
    "hyperscaler": say("picks.no_hyperscaler"),
}


class JobAnswer(Answer, frozen=True, dict=True):
    """The answer about a batch or a run, before anybody draws it."""

    resolved: Resolved
    options: tuple[JobOption, ...]
    """Cheapest job first; empty: the rejections say why."""
    rejections: tuple[Rejection, ...] = ()
    levers: tuple[Lever, ...] = ()
    evidence: PublishedRun | Measurement | None = None
    unpriced: tuple[JobPlan, ...] = ()
    """Plans that would do but that nobody in the catalogue sells."""
    nearest: tuple[NearestYes, ...] = ()
    budget_usd: Decimal | None = None
    affordable: float | None = None
    """Share of the work that the budget pays for at the best option."""
    unpriced_providers: tuple[str, ...] = ()
    """Known for such work, without a price in the catalogue."""
    notes: tuple[str, ...] = ()
    status: Status = "ok"

    applies: ClassVar = RUN | LOADS | OFFERS | {"count_is_most", "owned", "adapters"}
    watched: ClassVar = "money"
    budget_rule: ClassVar = "kept"

    @property
    def advises(self) -> bool:
        """Whether the first is no stranger's host, unless hosts or it are asked for."""
        limits, best = self.spec.constraints, self.options[:1]
        asked = limits.hosts_welcome or bool(limits.providers)
        return asked or all(option.dependable for option in best)

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        """Every way to do the job, the cheapest first."""
        return tuple(option.way(self.resolved.spec) for option in self.options)

    @cached_property
    def picks(self) -> tuple[Pick, ...]:
        """The job at its best price, with an SLA, at a hyperscaler."""
        limits = self.spec.constraints
        if limits.owned:
            return ()
        sound = [
            option
            for option in self.options
            if option.dependable
            and option.offer.tier != "serverless"
            and not option.chancy(limits)
        ]
        covered = [option for option in sound if option.sla_percent is not None]
        clouds = [o for o in sound if o.offer.seller_kind == "hyperscaler"]
        return (
            self._pick("best_price", sound),
            self._pick("with_sla", covered),
            self._pick("hyperscaler", clouds),
        )

    def _pick(self, role: Role, options: Sequence[JobOption]) -> Pick:
        if not options:
            return Pick(role, NOT_PICKED[role])
        first = options[0]
        least = all(one.usd >= first.usd for one in options)
        why = PICKED[role] if least else self._costlier(first, options)
        return Pick(role, why, first.way(self.resolved.spec), least)

    def _costlier(self, first: JobOption, options: Sequence[JobOption]) -> str:
        """Why a way leads that is not the cheapest: its time, or its few machines."""
        spec = self.resolved.spec
        deadline = spec.deadline_hours if is_job(spec) else None
        cheaper = (one for one in options if one.usd < first.usd)
        if deadline is not None and first.hours_range[1] <= deadline:
            late = all(one.hours_range[1] > deadline for one in cheaper)
        else:
            late = False
        if late:
            return say("picks.safely_in_time")
        least = min(options, key=lambda one: one.usd)
        often = runs_per_month(spec)
        more = dollars((first.usd - least.usd) * (often or 1))
        more += "/month" if often else ""
        few, many = first.plan.machines, least.plan.machines
        if few < many:
            return say("picks.few_machines_for_work", more=more, many=many, few=few)
        return say("picks.about_the_lowest_price", more=more)

    def details(self) -> Mapping[str, object]:
        """Bills by the month, ways that nobody sells, the nearest yes, the budget."""
        rows = [
            {
                "*": way.of,
                "usd_per_month": way.money.month,
                "usd_per_million_output_tokens": way.money.million_output,
                "usd_per_thousand_requests": way.money.thousand_requests,
            }
            for way in self.ways
        ]
        return {
            "recommendation": rows[0] if rows else None,
            "alternatives": rows[1:],
            "unpriced": self.unpriced,
            "nearest": self.nearest,
            "levers": [
                {
                    "rule": lever.rule,
                    "text": lever.text,
                    "usd_per_run_difference": lever.usd_difference,
                    "note": lever.note,
                }
                for lever in self.levers
            ],
            "usd_with_trial_runs": self.best and with_trials(self.best, self.spec),
            "budget_usd": self.budget_usd,
            "share_of_job_within_budget": self.affordable,
        }

    @property
    def spec(self) -> JobSpec:
        """The job."""
        spec = self.resolved.spec
        if not is_job(spec):
            raise TypeError(f"a job is a batch or a run, not {spec.kind}")
        return spec

    @property
    def best(self) -> JobOption | None:
        """What the verdict names."""
        return self.options[0] if self.options else None

    @property
    def on_demand(self) -> JobOption | None:
        """The cheapest way without interruptions."""
        return next((o for o in self.options if o.offer.pricing != "spot"), None)
