"""The request rate that one replica sustains within latency limits, and fleet size."""

import math
from dataclasses import dataclass, field
from functools import lru_cache

from msgspec import Struct

from core.estimate.anchors import Anchors, Target, anchors_of
from core.estimate.limits import Limits, at_percentile
from core.estimate.memory import max_batch, memory_of
from core.estimate.parallel import Layout
from core.estimate.queueing import queue_wait_s
from core.estimate.ranges import basis_of, most_per_second, ranged
from core.estimate.replica import Curve, LoadedReplica, State, Workload
from core.estimate.results import (
    PHYSICS_ONLY,
    Binding,
    Evidence,
    MemoryEstimate,
    Range,
)
from core.estimate.serving import engine_kv
from core.estimate.shape import shape_of
from core.estimate.speculation import Speculation
from core.estimate.steps import usual_replica
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.serving import (
    Engine,
    ServingConstants,
    Spread,
    serving_constants,
)
from core.units import Precision
from core.wording import milliseconds, say
from core.workload import LatencyTargets

_MARGINAL = 1.1
"""A doubled batch that yields less than a tenth more is bound by compute or reads."""
HIGHEST_UTILISATION = 0.9
"""A fleet sized to the last slot has no room for a burst or a lost replica."""
TOLERATED_WAIT = 0.1
"""Mean wait for a free slot that sizing tolerates, as a share of the TTFT limit."""
_NOTHING = State(0.0, 0.0, math.inf, math.inf, math.inf)
_NO_RATE = Range(0.0, 0.0, 0.0)
_UNLIMITED = LatencyTargets()


@dataclass(frozen=True, slots=True)
class ReplicaCapacity:
    """What one replica carries at utilisation 1, and the latency it then gives."""

    model_name: str
    gpu_name: str
    layout: Layout
    weights: Precision
    kv: Precision
    engine: str
    memory: MemoryEstimate
    output_tokens: float
    requests_per_second: Range
    batch: int
    """Requests in flight: rate × end-to-end time; 0: none within the targets."""
    room: int
    """Requests that memory holds at once; 0: the model does not fit."""
    state: State
    """Rate and latencies at that batch, in seconds."""
    binding: Binding
    spread: Spread
    targets: LatencyTargets = _UNLIMITED
    """The limits that the batch keeps within."""
    target: Target | None = field(default=None, compare=False, repr=False)
    """What measurements are sought near; None: it does not fit."""
    measured: float | None = None
    """Output tokens per second of one GPU, where the rates are the asker's own."""

    @property
    def evidence(self) -> Evidence:
        """Which measurements the figures rest on."""
        if self.measured:
            return Evidence(own=self.measured)
        if self.target is None:
            return PHYSICS_ONLY
        return anchors_of(self.target).evidence(max(self.batch, 1))

    @property
    def ttft_ms(self) -> float:
        """Mean time to the first token."""
        return self.state.ttft_s * 1e3

    @property
    def tpot_ms(self) -> float:
        """Mean time per output token after the first."""
        return self.state.tpot_s * 1e3

    @property
    def e2e_ms(self) -> float:
        """Mean time of a whole answer."""
        return self.state.e2e_s * 1e3

    @property
    def fits(self) -> bool:
        """Whether weights fit and leave room for a request."""
        return self.room > 0

    @property
    def met(self) -> bool:
        """Whether the latency targets can be met at all.

        If not, the latencies are the best there is: one request alone.
        """
        return self.batch > 0

    @property
    def tokens_per_second(self) -> Range:
        """Output tokens per second."""
        return self.requests_per_second.scaled(self.output_tokens)

    @property
    def ttft_p95_ms(self) -> float:
        """TTFT that one request in twenty exceeds."""
        return self.ttft_ms * self.spread.ttft_p95

    @property
    def tpot_p95_ms(self) -> float:
        """TPOT that one request in twenty exceeds."""
        return self.tpot_ms * self.spread.tpot_p95

    @property
    def ttft_limited_ms(self) -> float:
        """TTFT at the percentile that the limits are for."""
        percentile = self.targets.percentile
        return self.ttft_ms * at_percentile(self.spread.ttft_p95, percentile)

    @property
    def tpot_limited_ms(self) -> float:
        """TPOT at the percentile that the limits are for."""
        percentile = self.targets.percentile
        return self.tpot_ms * at_percentile(self.spread.tpot_p95, percentile)

    @property
    def latency(self) -> str:
        """TTFT and TPOT at the percentile of the limits, in words.

        Where the whole answer is limited, what that takes comes first.
        """
        percentile = self.targets.percentile
        each = (
            f"{percentile} TTFT {milliseconds(self.ttft_limited_ms)}, "
            f"TPOT {milliseconds(self.tpot_limited_ms)}"
        )
        if self.targets.e2e_ms is None:
            return each
        whole = self.e2e_ms * at_percentile(self.spread.tpot_p95, percentile)
        return say(
            "estimates.whole_answer", percentile=percentile, whole=whole, each=each
        )

    @property
    def subject(self) -> str:
        """The configuration, in words."""
        place = f"{self.layout.gpus} × {self.gpu_name}"
        return say(
            "estimates.format_on_place",
            model_name=self.model_name,
            weights=self.weights.upper(),
            place=place,
        )

    @property
    def gpus(self) -> int:
        """GPUs of the replica."""
        return self.layout.gpus

    @property
    def why(self) -> str:
        """What fits, or by how much it does not, in one line."""
        if not self.fits:
            return f"{self.subject}: {self.memory.shortage}"
        if not self.met:
            return say(
                "estimates.one_request_alone",
                subject=self.subject,
                latency=self.latency,
            )
        return say("estimates.requests_at_once", subject=self.subject, batch=self.batch)


@lru_cache(maxsize=2048)
def capacity(
    model: ModelSpec, gpu: GpuSpec, layout: Layout | int,
    weights: Precision, kv: Precision | None,
    input_tokens: float, output_tokens: float,
    targets: LatencyTargets | None = None, framework: str | None = None,
    cache_hit_rate: float = 0.0, speculation: Speculation | None = None,
    disaggregated: bool = False,
) -> ReplicaCapacity:  # fmt: skip
    """Return the largest rate one replica sustains under memory and latency limits.

    `layout`: a shape, or a number of GPUs for plain tensor parallelism. Disaggregated,
    the rate is that of decode and prefill GPUs together, in their best proportion.
    Levers, flips and the next question ask the same again: what is found is kept.
    """
    where = Layout(tp=layout) if isinstance(layout, int) else layout
    load = Workload(
        input_tokens, output_tokens, cache_hit_rate, speculation, disaggregated
    )
    known = serving_constants()
    on = _placed(model, gpu, where, weights, kv, load, framework)
    spread = known.spread["open_loop"]
    short: Binding = "weights" if on.memory.free_for_kv_gb <= 0 else "kv_cache"
    found = _Found(0, _NOTHING, short)
    if on.loaded:
        limits = Limits.of(targets or _UNLIMITED, spread)
        found = _most(*on.loaded, on.room, limits, on.engine)
    return ReplicaCapacity(
        model_name=model.name, gpu_name=gpu.name, layout=where, weights=weights,
        kv=on.kv, engine=on.engine.name, memory=on.memory, output_tokens=output_tokens,
        requests_per_second=_rates(found, on, known), batch=found.batch,
        room=on.room, state=found.state, binding=found.binding, spread=spread,
        targets=targets or _UNLIMITED, target=on.target,
    )  # fmt: skip


class _Placed(Struct, frozen=True):
    """A model on its GPUs under a workload, whatever the latency limits are."""

    engine_key: str
    engine: Engine
    kv: Precision
    memory: MemoryEstimate
    room: int
    loaded: tuple[Curve, LoadedReplica] | None
    """None: the model does not fit."""
    anchors: Anchors | None
    target: Target | None


@lru_cache(maxsize=128)
def _placed(
    model: ModelSpec, gpu: GpuSpec, where: Layout, weights: Precision,
    kv: Precision | None, load: Workload, framework: str | None,
) -> _Placed:  # fmt: skip
    known, shape = serving_constants(), shape_of(model)
    key = known.engine_key(framework, "open_loop", gpu)
    engine = known.engine_on(key, gpu)
    cache = kv or engine_kv(engine, gpu, weights)
    held = load.input_tokens + load.output_tokens * engine.admitted_output
    memory = memory_of(shape, gpu, where, weights, cache, held, engine)
    room = min(max_batch(memory, where), engine.max_batch)
    if not room:
        return _Placed(key, engine, cache, memory, room, None, None, None)
    timings = usual_replica(model, gpu, where, weights, cache, key)
    replica = LoadedReplica(timings, engine, load)
    target = Target(
        model, gpu, weights, kv, framework, where, 1,
        load.input_tokens, load.output_tokens, "flow", arrivals=True,
    )  # fmt: skip
    anchors = anchors_of(target)
    loaded = Curve(replica, room, anchors.correction), replica
    return _Placed(key, engine, cache, memory, room, loaded, anchors, target)


def tpot_at(
    rate: float,
    model: ModelSpec, gpu: GpuSpec, layout: Layout, weights: Precision,
    kv: Precision | None, input_tokens: float, output_tokens: float,
    cache_hit_rate: float = 0.0, speculation: Speculation | None = None,
) -> float | None:  # fmt: skip
    """Mean milliseconds per token of a replica at a rate; None: it carries less."""
    load = Workload(input_tokens, output_tokens, cache_hit_rate, speculation)
    on = _placed(model, gpu, layout, weights, kv, load, None)
    if on.loaded is None:
        return None
    curve, low, high = on.loaded[0], 1, on.room
    if curve.at(high).requests_per_second < rate:
        return None
    while low < high:
        middle = (low + high) // 2
        enough = curve.at(middle).requests_per_second >= rate
        low, high = (low, middle) if enough else (middle + 1, high)
    return curve.at(low).tpot_s * 1e3


def tpot_with(
    in_flight: float,
    model: ModelSpec, gpu: GpuSpec, layout: Layout, weights: Precision,
    kv: Precision | None, load: Workload,
) -> float | None:  # fmt: skip
    """Mean milliseconds per token with so many requests at once; None: no room."""
    on = _placed(model, gpu, layout, weights, kv, load, None)
    if on.loaded is None or in_flight > on.room:
        return None
    return on.loaded[0].at(in_flight).tpot_s * 1e3


class _Found(Struct):
    """The most requests in flight within the limits, 0: none, and what binds there."""

    batch: int
    state: State
    binding: Binding


def _most(
    curve: Curve, replica: LoadedReplica, room: int, limits: Limits, engine: Engine
) -> _Found:
    """Return the highest load that meets the limits with nobody waiting for a slot."""
    batch = int(curve.within(limits.ttft_s, limits.tpot_s, limits.e2e_s))
    if batch < 1:
        alone = curve.at(1.0)
        return _Found(0, alone, limits.broken_by(alone))
    state = curve.at(batch)
    if curve.holds(batch):
        return _Found(batch, state, limits.broken_by(curve.at(batch + 1.0)))
    doubled = replica.at(2.0 * room).requests_per_second
    gains = doubled > _MARGINAL * replica.at(room).requests_per_second
    memory_binds = gains and room < engine.max_batch
    return _Found(batch, state, "kv_cache" if memory_binds else "throughput")


def _rates(found: _Found, on: _Placed, known: ServingConstants) -> Range:
    """Return requests per second with their range; zero where no batch was found."""
    here, anchors = on.target, on.anchors
    if not found.batch or anchors is None or here is None or on.loaded is None:
        return _NO_RATE
    basis = basis_of(
        "closed_loop", on.engine_key, here.model, here.weights, here.gpu, known,
        anchors.trust(found.batch),
    )  # fmt: skip
    most = most_per_second(
        here.model, here.gpu, here.layout, here.weights, on.kv, on.loaded[1].load,
        on.engine.max_batch,
    )  # fmt: skip
    return ranged(found.state.requests_per_second, basis, most)


def replicas_for(
    rps: float,
    carried: ReplicaCapacity,
    ttft_limit_ms: float | None = None,
    rate: float | None = None,
) -> int:
    """Return the replicas for a rate in requests per second.

    Little's law turns rate and service time into slots in use; replicas are added until
    no more than 90 % of the slots are in use and the mean wait for one (Sakasegawa)
    stays below a tenth of the TTFT limit; where none is set, of the limit on the whole
    answer, or below the time of an answer.
    `rate`: one replica's rate where it is not the likely one of `carried`.
    """
    each = carried.requests_per_second.likely if rate is None else rate
    if each <= 0:
        raise ValueError("a replica that meets no target cannot be counted")
    limit = ttft_limit_ms or carried.targets.e2e_ms
    tolerated = TOLERATED_WAIT * limit if limit else carried.e2e_ms
    service_s = carried.batch / each
    replicas = max(1, math.ceil(rps / (each * HIGHEST_UTILISATION)))
    while True:
        load = rps / (each * replicas)
        wait_ms = queue_wait_s(load, replicas * carried.batch, service_s) * 1e3
        if wait_ms <= tolerated:
            return replicas
        replicas += 1
