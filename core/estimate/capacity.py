"""The request rate that one replica sustains within latency limits, and fleet size."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from core.estimate.memory import fits, max_batch, memory_estimate
from core.estimate.parallel import Layout
from core.estimate.queueing import queue_wait_s
from core.estimate.results import Binding, MemoryEstimate, Range
from core.estimate.serving import engine_kv
from core.estimate.speculation import Speculation
from core.estimate.state import BusyState, Workload, state_at
from core.estimate.steps import replica_of
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.serving import Engine, Spread, serving_constants
from core.units import Precision
from core.workload import LatencyTargets, Percentile

_NORMAL_QUANTILE: dict[Percentile, float] = {
    "p50": 0.0,
    "p90": 1.2816,
    "p95": 1.6449,
    "p99": 2.3263,
}
_MARGINAL = 1.1
"""A doubled batch that yields less than a tenth more is bound by compute or reads."""
_HIGHEST_UTILISATION = 0.9
_TOLERATED_WAIT = 0.1
"""Mean wait for a free slot that sizing tolerates, as a share of the TTFT limit."""


@dataclass(frozen=True, slots=True)
class ReplicaCapacity:
    """What one replica carries at utilisation 1, and the latency it then gives."""

    layout: Layout
    weights: Precision
    kv: Precision
    engine: str
    memory: MemoryEstimate
    fits: bool
    met: bool
    """Whether the latency targets can be met at all; if not, the latencies below are
    the best there is: one request alone."""
    requests_per_second: Range
    tokens_per_second: Range
    """Output tokens."""
    batch: int
    room: int
    """Requests that memory holds at once."""
    ttft_ms: float
    tpot_ms: float
    ttft_p95_ms: float
    tpot_p95_ms: float
    e2e_ms: float
    binding: Binding
    why: str

    @property
    def gpus(self) -> int:
        """GPUs of the replica."""
        return self.layout.gpus


@dataclass(frozen=True, slots=True)
class FleetSize:
    """How many replicas carry a rate, and how busy they are then."""

    replicas: int
    utilisation: float
    wait_ms: float
    """Mean wait for a free slot at that size."""


def capacity(
    model: ModelSpec,
    gpu: GpuSpec,
    layout: Layout | int,
    weights: Precision,
    kv: Precision | None,
    input_tokens: float,
    output_tokens: float,
    targets: LatencyTargets | None = None,
    framework: str | None = None,
    cache_hit_rate: float = 0.0,
    speculation: Speculation | None = None,
) -> ReplicaCapacity:
    """Return the largest rate one replica sustains under memory and latency limits.

    `layout`: a shape, or a number of GPUs for plain tensor parallelism.
    """
    shape = Layout(tp=layout) if isinstance(layout, int) else layout
    known = serving_constants()
    engine = known.engine[known.engine_key(framework, "open_loop", gpu)]
    cache = kv or engine_kv(engine, gpu, weights)
    load = Workload(input_tokens, output_tokens, cache_hit_rate, speculation)
    admitted = input_tokens + output_tokens * engine.admitted_output
    memory = memory_estimate(model, gpu, shape, weights, cache, admitted, engine)
    timings = replica_of(model, gpu, shape, weights, cache, engine, known)
    room = min(max_batch(memory, shape), engine.max_batch)
    limits = _Limits.of(targets or LatencyTargets(), known.spread["open_loop"])

    def at(batch: int) -> BusyState:
        return state_at(timings, engine, load, batch)

    batch = _largest(at, room, limits) if room else 0
    state = at(max(batch, 1))
    spread = known.spread["saturated"]
    widen = 1.0 if known.family_of(gpu).measured else known.unmeasured_widening
    rate = state.requests_per_second if batch else 0.0
    per_second = Range(rate * spread.low / widen, rate, rate * spread.high * widen)
    fitting = fits(memory, shape)
    return ReplicaCapacity(
        layout=shape,
        weights=weights,
        kv=cache,
        engine=engine.name,
        memory=memory,
        fits=fitting,
        met=batch > 0,
        requests_per_second=per_second,
        tokens_per_second=per_second.scaled(output_tokens),
        batch=batch,
        room=room,
        ttft_ms=state.ttft_s * 1e3,
        tpot_ms=state.tpot_s * 1e3,
        ttft_p95_ms=state.ttft_s * 1e3 * limits.spread.ttft_p95,
        tpot_p95_ms=state.tpot_s * 1e3 * limits.spread.tpot_p95,
        e2e_ms=state.e2e_s * 1e3,
        binding=_binding(at, batch, room, engine, memory, limits),
        why=_why(model, gpu, shape, memory, batch, state, limits),
    )


@dataclass(frozen=True, slots=True)
class _Limits:
    """Targets turned into limits on means, in seconds; infinite where not limited."""

    ttft_s: float
    tpot_s: float
    e2e_s: float
    spread: Spread

    @classmethod
    def of(cls, targets: LatencyTargets, spread: Spread) -> "_Limits":
        first = _factor(spread.ttft_p95, targets.percentile)
        each = _factor(spread.tpot_p95, targets.percentile)
        return cls(
            _seconds(targets.ttft_ms) / first,
            _seconds(targets.tpot_ms) / each,
            _seconds(targets.e2e_ms) / each,
            spread,
        )

    def met_by(self, state: BusyState) -> bool:
        """Whether every limit holds."""
        return (
            state.ttft_s <= self.ttft_s
            and state.tpot_s <= self.tpot_s
            and state.e2e_s <= self.e2e_s
        )

    def broken_by(self, state: BusyState) -> Binding:
        """Name the limit that a state breaks most."""
        first = state.ttft_s / self.ttft_s
        each = max(state.tpot_s / self.tpot_s, state.e2e_s / self.e2e_s)
        return "ttft" if first > each else "tpot"


def _seconds(limit_ms: float | None) -> float:
    return math.inf if limit_ms is None else limit_ms / 1e3


def _factor(p95: float, percentile: Percentile) -> float:
    """Return a percentile over the median, of a lognormal with the known p95."""
    return float(p95 ** (_NORMAL_QUANTILE[percentile] / _NORMAL_QUANTILE["p95"]))


def _largest(at: Callable[[int], BusyState], room: int, limits: _Limits) -> int:
    """Return the largest batch that meets the limits, 0 where one request does not.

    Latency only grows with the batch, so halving finds it.
    """
    if limits.met_by(at(room)):
        return room
    low, high = 0, room
    while high - low > 1:
        middle = (low + high) // 2
        if limits.met_by(at(middle)):
            low = middle
        else:
            high = middle
    return low


def _binding(
    at: Callable[[int], BusyState],
    batch: int,
    room: int,
    engine: Engine,
    memory: MemoryEstimate,
    limits: _Limits,
) -> Binding:
    """Return what keeps this replica from carrying more."""
    if room == 0:
        return "weights" if memory.free_for_kv_gb <= 0 else "kv_cache"
    if batch < room:
        return limits.broken_by(at(batch + 1))
    doubled = at(2 * batch).requests_per_second
    gains = doubled > _MARGINAL * at(batch).requests_per_second
    return "kv_cache" if gains and room < engine.max_batch else "throughput"


def _why(
    model: ModelSpec,
    gpu: GpuSpec,
    shape: Layout,
    memory: MemoryEstimate,
    batch: int,
    state: BusyState,
    limits: _Limits,
) -> str:
    """Say in one line what fits, or by how much it does not."""
    place = f"{shape.gpus} × {gpu.name}"
    if max_batch(memory, shape) == 0:
        return (
            f"{model.name} on {place}: weights {memory.weights_gb:.1f} GB per GPU "
            f"leave {memory.free_for_kv_gb:.1f} GB for KV cache"
        )
    if batch == 0:
        return (
            f"the best {place} gives one request alone is TTFT "
            f"{state.ttft_s * 1e3:.0f} ms and TPOT {state.tpot_s * 1e3:.1f} ms"
        )
    return f"{batch} requests at once on {place}"


def replicas_for(
    rps: float,
    carried: ReplicaCapacity,
    peak_factor: float = 1.0,
    ttft_limit_ms: float | None = None,
    rate: float | None = None,
) -> FleetSize:
    """Return the replicas for an average rate in requests per second.

    Little's law turns rate and service time into slots in use; replicas are added until
    no more than 90 % of the slots are in use and the mean wait for one (Sakasegawa)
    stays below a tenth of the TTFT limit, or of the unloaded TTFT where none is set.
    `rate`: one replica's rate where it is not the likely one of `carried`.
    """
    each = carried.requests_per_second.likely if rate is None else rate
    wanted = rps * peak_factor
    if each <= 0:
        raise ValueError("a replica that meets no target cannot be counted")
    tolerated = _TOLERATED_WAIT * (ttft_limit_ms or carried.ttft_ms)
    service_s = carried.batch / each
    replicas = max(1, math.ceil(wanted / (each * _HIGHEST_UTILISATION)))
    while True:
        load = wanted / (each * replicas)
        wait_ms = queue_wait_s(load, replicas * carried.batch, service_s) * 1e3
        if wait_ms <= tolerated:
            return FleetSize(replicas, load, wait_ms)
        replicas += 1
