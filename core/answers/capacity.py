"""How much given GPUs serve: requests, people and tokens within the latency limits."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import (
    FORMATS,
    HOURS,
    LATENCY,
    LENGTHS,
    LOADS,
    OFFERS,
    PEAKS,
    Answer,
    Money,
    Rejection,
    Way,
)
from core.estimate.capacity import ReplicaCapacity, replicas_for, tpot_with
from core.estimate.formats import precisions_for
from core.estimate.replica import Workload
from core.estimate.results import Range
from core.hardware import GpuSpec
from core.market.board import Bill
from core.market.named_gpus import cheapest_bill, named_gpus, own_formats
from core.market.recommendation import FleetPlan
from core.money.costs import usd_per_million
from core.offers import Catalog
from core.query import FEW_PEOPLE, RATES, Query
from core.reference.catalogue import Reference
from core.sizing.fleet import (
    best_precision,
    plan_gpu,
    replica_capacity,
    usable_layouts,
)
from core.sizing.patience import looser, missed
from core.units import BITS, Precision
from core.wording import say
from core.workload import InferenceSpec, LatencyTargets, Resolved

_STEPS = 14
IDLE = 0.5
"""Of what is carried: a load below it, at worst, needs fewer of the GPUs named."""
CLIFF = 3
"""Waiting longer is worth it where it carries three times as much."""
LITTLE = 2
"""The steps of patience that nothing but a gain asks for: up to twice the usual."""
WORTH_WAITING = 1.1
"""What more patience must bring where the load is not carried."""
PATIENT = (LatencyTargets(ttft_ms=2000, tpot_ms=100), LatencyTargets())
"""What a patient reader still takes, where the usual limits cannot be met: answers
begin within two seconds (S1-109) and come at ten tokens a second; then any wait."""


class Carried(Struct, frozen=True):
    """What so many GPUs carry in one weight format, with room for queueing."""

    gpu: GpuSpec
    gpus: int
    replicas: int
    capacity: ReplicaCapacity
    requests_per_second: Range
    bill: Bill | None
    """At the cheapest offer; None: no price is known."""
    output_tokens: float = 1
    """Of an answer."""
    models: int = 1
    """Models of one kind that share the GPUs; the rates are for each."""

    def way(self) -> Way:
        """The GPUs as a way to serve; an unpriced one has no money."""
        bill = self.bill
        if bill is None:
            return Way(self, Money(), gpus=self.gpus)
        full = self.usd_per_million(self.output_tokens, 1)
        money = Money(bill.usd_per_hour, bill.usd_per_month, million_output=full)
        return Way(self, money, bill.offer, bill.gpus)

    @property
    def output_tokens_per_second(self) -> Range:
        """What all of them write."""
        return self.requests_per_second.scaled(self.output_tokens)

    @property
    def usd_per_million_full(self) -> Decimal | None:
        """Dollars per 1M output tokens of full GPUs; None: no price is known."""
        return self.usd_per_million(self.output_tokens, 1)

    @property
    def weights(self) -> Precision:
        """The weight format."""
        return self.capacity.weights

    @property
    def in_flight(self) -> Range:
        """Requests being answered at once, by Little's law: rate × time per answer.

        Where memory alone limits, as many as it holds: nobody is slowed by the others.
        """
        found = self.requests_per_second.scaled(self.capacity.e2e_ms / 1000)
        low, likely, high = (
            min(each, self.room) for each in (found.low, found.likely, found.high)
        )
        if likely and self.capacity.binding == "kv_cache":
            return Range(likely, self.room, self.room)
        return Range(low, likely, high)

    @property
    def each(self) -> float:
        """Output tokens per second of each request while so many are answered."""
        if self.capacity.measured:
            return self.output_tokens_per_second.likely / max(self.in_flight.likely, 1)
        return 1000 / self.capacity.tpot_ms

    @property
    def room(self) -> int:
        """Requests that memory holds at once."""
        return self.capacity.room * self.replicas

    def written(self, spec: InferenceSpec) -> float:
        """Output tokens per second, at least those of one request at a time."""
        every = self.output_tokens_per_second.likely
        return every if self.in_flight.likely >= 1 else max(every, self.speed(spec))

    def speed(self, spec: InferenceSpec, at_once: int = 1) -> float:
        """Output tokens per second of each of so many requests; 0: no room for them."""
        one, each = self.capacity, math.ceil(at_once / self.replicas)
        if one.measured:
            return one.measured * one.gpus / each
        load = Workload(spec.input_tokens, spec.output_tokens, spec.cache_hit_rate)
        ms = tpot_with(
            each, spec.model, self.gpu, one.layout, one.weights, one.kv, load
        )
        return 1000 / ms if ms else 0.0

    def usd_per_million(self, output_tokens: float, used: float) -> Decimal | None:
        """Dollars per 1M output tokens at a share of what is carried."""
        if self.bill is None:
            return None
        rate = self.requests_per_second.likely * output_tokens * self.models
        return usd_per_million(self.bill.usd_per_hour, rate, used)


class CapacityAnswer(Answer, frozen=True):
    """What the named GPUs carry, the format that is answered with first."""

    resolved: Resolved
    spec: InferenceSpec
    carried: tuple[Carried, ...]
    rejections: tuple[Rejection, ...]
    load_stated: bool
    patient: LatencyTargets | None = None
    """The looser limits under which alone anything is carried; None: as asked."""
    owned: bool = False
    """The GPUs are in hand: they cost no rent."""
    needed: FleetPlan | None = None
    """The smallest fleet of the first GPU for a load not carried, or far below it."""
    needed_bill: Bill | None = None
    """What it costs, of GPUs in hand only the further ones; None: no price is known."""
    usual_fails: bool = False
    """Within the usual limits, which nobody stated, they serve nobody."""
    needed_elsewhere: bool = False
    """The price is of another region than the one that was asked for."""
    people: float | None = None
    """Who make the load, each waiting for an answer; None: a rate is stated."""

    applies: ClassVar = (
        LOADS
        | PEAKS
        | LENGTHS
        | LATENCY
        | FORMATS
        | OFFERS
        | HOURS
        | {"model_count", "owned", "count_before", "batch_size"}
        | {"count_is_most"}
    )
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each weight format and GPU, what is answered with first."""
        return tuple(one.way() for one in self.carried)

    @property
    def status(self) -> str:
        """Whether the limits are kept."""
        return "ok" if self.carried and not self.patient else "not_within_limits"

    def details(self) -> Mapping[str, object]:
        """The load over what is carried, and the smallest fleet that carries it."""
        stated = self.carried and self.load_stated
        return {
            "load_over_capacity": self.share if stated else None,
            "needed": self.needed,
            "needed_bill": self.needed_bill,
        }

    @property
    def best(self) -> Carried | None:
        """What the verdict names; None: nothing named serves within the limits."""
        return self.carried[0] if self.carried else None

    @property
    def share(self) -> float:
        """The load over what the best carries."""
        return (
            float("inf")
            if self.best is None
            else _share(self.spec, self.best, self.people)
        )

    @property
    def share_at_worst(self) -> float:
        """The same at the pessimistic end of what is carried."""
        if self.best is None:
            return float("inf")
        one, rates = self.best, self.best.requests_per_second
        worse, full = rates.likely / rates.low, one.capacity.batch * one.replicas
        worst = self.share * worse
        if self.people and full:  # with all of them waiting no queue grows further
            worst = min(worst, max(self.share, self.people / full * worse))
        return worst


def _share(spec: InferenceSpec, one: Carried, people: float | None) -> float:
    """The load over what so many GPUs carry: people have one request each at most."""
    if spec.load.concurrency is not None:
        return spec.load.concurrency / one.in_flight.likely
    share = spec.load.rps / one.requests_per_second.likely
    return min(share, people / one.in_flight.likely) if people else share


def _people(query: Query) -> float | None:
    """The people who make the load, or a few requests at once; None: a rate does."""
    rates = {*RATES, "requests_per_user_per_day"} - {"users", "concurrency"}
    told = any(getattr(query, field) is not None for field in rates)
    if told or (query.concurrency or 0) > FEW_PEOPLE:
        return None
    return query.concurrency or query.users


def _load_stated(query: Query) -> bool:
    return any(getattr(query, field) is not None for field in RATES)


def _gain(found: Sequence[Carried], before: Sequence[Carried]) -> float:
    """How many times as much is carried by what is answered with first."""
    if not found:
        return 0.0
    if not before:
        return math.inf
    first, last = (each[0].requests_per_second.likely for each in (found, before))
    return first / last


def answer_capacity(
    query: Query,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> CapacityAnswer:
    """Capacity of the named GPUs in each weight format that may be used.

    Limits that nobody stated give way where they alone stand in the way of the load,
    or near the cliff where a little patience carries many times as much.
    """
    market = (catalog, reference, now)
    told = resolved.notes
    usual, load_stated, fails = spec.targets, _load_stated(query), False
    people = _people(query)
    carried, rejections = _each_gpu(query, spec, *market)
    within = carried[0] if carried else None
    # who plans for a peak of days does not want it slow
    waits = () if query.peak_hours else looser(resolved, spec)
    for step, patient_ in enumerate(waits):
        if not isinstance(patient_.spec, InferenceSpec):
            continue
        short = not carried or (load_stated and _share(spec, carried[0], people) > 1)
        if step >= LITTLE and not short:
            break
        found, refused = _each_gpu(query, patient_.spec, *market)
        gain = _gain(found, carried)
        if gain >= (WORTH_WAITING if short else CLIFF):
            carried, rejections, spec = found, refused, patient_.spec
            slow_words = missed(usual, found[0].capacity)
            fails = bool(slow_words) and within is None
            slow_words += _within_usual(within, spec) if slow_words else ""
            notes = (*told, *((slow_words,) if slow_words else ()))
            resolved = patient_.model_copy(update={"notes": notes})
    slow = not carried and any(r.rule == "latency" for r in rejections)
    patient: LatencyTargets | None = None
    for limits in PATIENT if slow else ():
        if not carried:
            patient = limits
            patiently = spec.model_copy(update={"targets": limits})
            carried, _ = _each_gpu(query, patiently, *market)
    answer = CapacityAnswer(
        resolved=resolved,
        spec=spec,
        carried=tuple(carried),
        rejections=tuple(rejections),
        load_stated=load_stated,
        owned=bool(query.owned),
        patient=patient,
        usual_fails=fails,
        people=people,
    )
    gpus = named_gpus(query, reference)
    count = spec.constraints.count or 1
    idle = carried and answer.share_at_worst <= IDLE and count > 1
    judged = answer.load_stated and (answer.share > 1 or (idle and not answer.owned))
    if gpus and (slow or not carried or judged):
        plan = _needed(resolved, spec, gpus[0], fits=bool(carried) or slow)
        if idle and plan and plan.gpus >= count:
            return answer
        return _with_price(replace(answer, needed=plan), gpus[0], market)
    return answer


def _within_usual(within: Carried | None, spec: InferenceSpec) -> str:
    """What is carried within the usual limits, where longer waits carry far more."""
    if within is None:
        return say("advice.nothing_within_usual")
    rate = within.written(spec)
    people = max(round(within.in_flight.likely), 1)
    return say("advice.within_usual", people=people, rate=rate)


def _with_price(
    answer: CapacityAnswer,
    gpu: GpuSpec,
    market: tuple[Catalog, Reference, datetime],
) -> CapacityAnswer:
    """What the needed GPUs cost; where the region has no price, at another one."""
    limits, plan = answer.spec.constraints, answer.needed
    held = (limits.count or 0) if answer.owned else 0
    if plan is None or plan.gpus <= held:
        return answer
    anywhere = limits.model_copy(update={"region": None, "regions_also": ()})
    for where in (limits, anywhere):
        bill = cheapest_bill(gpu, plan.gpus - held, where, *market)
        if bill is not None:
            elsewhere = where is anywhere
            return replace(answer, needed_bill=bill, needed_elsewhere=elsewhere)
    return answer


def _each_gpu(
    query: Query,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> tuple[list[Carried], list[Rejection]]:
    carried: list[Carried] = []
    rejections: list[Rejection] = []
    limits = spec.constraints
    own = own_formats(query, reference)
    for gpu in named_gpus(query, reference):
        if gpu.id in own:
            spec = spec.model_copy(update={"precisions": (own[gpu.id],)})
        count, bill = limits.count or 1, None
        if not query.owned:
            market = catalog, reference, now
            bill = cheapest_bill(gpu, count, limits, *market, query.instance or ())
        each, sharing = _per_model(gpu, count, spec.model_count)
        found, refused = gpu_capacities(spec, sharing, each, bill)
        carried += [replace(c, gpus=count, models=spec.model_count) for c in found]
        rejections += refused
    if _load_stated(query) and not spec.precisions:
        # a format that carries the load goes before one that does not
        carried.sort(key=lambda one: _share(spec, one, _people(query)) > 1)
    return carried, rejections


def _per_model(gpu: GpuSpec, count: int, models: int) -> tuple[int, GpuSpec]:
    """GPUs for each of several models, or the share of one where they must share.

    Models side by side on a GPU share its memory, bandwidth and cores evenly.
    """
    if models <= count:
        return count // models, gpu
    sharing = math.ceil(models / count)
    usable = gpu.usable_memory_gib
    share: dict[str, object] = {
        "memory_gb": gpu.memory_gb / sharing,
        "usable_memory_gib": None if usable is None else usable / sharing,
        "bandwidth_gb_s": gpu.bandwidth_gb_s / sharing,
        "tflops": {name: rate / sharing for name, rate in gpu.tflops.items()},
    }
    return 1, gpu.model_copy(update=share)


def _needed(
    resolved: Resolved, spec: InferenceSpec, gpu: GpuSpec, fits: bool = True
) -> FleetPlan | None:
    """The smallest fleet of a GPU that carries the load, however many it takes.

    Within the limits of what is carried, so that the two agree; limits that nobody
    stated give way where no fleet keeps them, and where the model does not even fit.
    """
    free = spec.constraints.model_copy(update={"count": None})
    steps = (one.spec for one in looser(resolved, spec))
    targets = [one.targets for one in steps if isinstance(one, InferenceSpec)]
    waits = (spec.targets, *(targets or PATIENT))
    for limits in waits if fits else reversed(waits):
        tried = spec.model_copy(update={"constraints": free, "targets": limits})
        plans = plan_gpu(tried, gpu).plans
        if plans:
            return min(plans, key=lambda plan: plan.gpus)
    return None


def gpu_capacities(
    spec: InferenceSpec, gpu: GpuSpec, gpus: int, bill: Bill | None
) -> tuple[list[Carried], list[Rejection]]:
    """What so many GPUs carry in each weight format, the safe default first."""
    carried: list[Carried] = []
    rejections: list[Rejection] = []
    formats = _formats(spec, gpu)
    if spec.precisions and best_precision(spec, gpu) is None:
        asked = ", ".join(p.upper() for p in spec.precisions)
        rejections.append(
            Rejection(
                gpu.name, "fits", say("rejections.no", gpu_name=gpu.name, asked=asked)
            )
        )
    for weights in formats:
        best, why = _best_layout(spec, gpu, gpus, weights, bill)
        if best is not None:
            carried.append(best)
        elif why is not None:
            rejections.append(_refusal(why))
    return carried, rejections


def _refusal(tried: ReplicaCapacity) -> Rejection:
    """Why a configuration serves nothing: too large, or too slow for one request."""
    rule = "latency" if tried.fits else "fits"
    return Rejection(tried.subject, rule, tried.why)


def _formats(spec: InferenceSpec, gpu: GpuSpec) -> list[Precision]:
    """The formats to answer for: as stated, else all, the safe default first.

    Where the stated one does not run here, those of no more bits stand in.
    """
    first = best_precision(spec, gpu)
    if spec.precisions:
        bits = max(BITS[asked] for asked in spec.precisions)
        instead = [p for p in precisions_for(gpu) if BITS[p] <= bits]
        others = [p for p in spec.precisions if p in precisions_for(gpu) and p != first]
        return [first, *others] if first else instead
    served = [first] if first else []
    return [*served, *(p for p in precisions_for(gpu) if p != first)]


def _best_layout(
    spec: InferenceSpec,
    gpu: GpuSpec,
    gpus: int,
    weights: Precision,
    bill: Bill | None,
) -> tuple[Carried | None, ReplicaCapacity | None]:
    """The replica shape that carries most with the GPUs, or the widest that cannot."""
    limited = spec.constraints.model_copy(update={"count": gpus})
    counted = spec.model_copy(update={"constraints": limited})
    best: Carried | None = None
    tried: ReplicaCapacity | None = None
    for layout in usable_layouts(counted, gpu):
        tried = replica_capacity(spec, gpu, layout, weights)
        if not tried.met:
            continue
        replicas = gpus // tried.gpus
        rates = carried_rates(tried, replicas, spec.targets.ttft_ms)
        if best is None or rates.likely > best.requests_per_second.likely:
            best = Carried(gpu, gpus, replicas, tried, rates, bill, spec.output_tokens)
    return best, tried


def carried_rates(
    carried: ReplicaCapacity, replicas: int, ttft_limit_ms: float | None
) -> Range:
    """The rates for which sizing would ask for just so many replicas."""
    rates = carried.requests_per_second
    low, likely, high = (
        carried_rate(carried, replicas, ttft_limit_ms, each)
        for each in (rates.low, rates.likely, rates.high)
    )
    return Range(low, likely, high)


def carried_rate(
    carried: ReplicaCapacity, replicas: int, ttft_limit_ms: float | None, each: float
) -> float:
    """The largest rate for which sizing asks for no more than these replicas."""
    low, high = 0.0, each * replicas
    for _ in range(_STEPS):
        middle = (low + high) / 2
        size = replicas_for(middle, carried, ttft_limit_ms=ttft_limit_ms, rate=each)
        if size <= replicas:
            low = middle
        else:
            high = middle
    return low
