"""Throughput and latency of a served model: one request in, one estimate out."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.estimate.anchors import (
    KINDS,
    Anchors,
    Filter,
    Target,
    anchors_of,
)
from core.estimate.formats import usual_kv
from core.estimate.memory import (
    activation_bytes,
    fits,
    max_batch,
    memory_of,
)
from core.estimate.parallel import Layout, stated_layout
from core.estimate.ranges import Use, basis_of, most_per_second, ranged
from core.estimate.replica import (
    Curve,
    LoadedReplica,
    State,
    Workload,
    corrected,
    in_turns,
)
from core.estimate.results import (
    NO_TRUST,
    PHYSICS_ONLY,
    Binding,
    MemoryEstimate,
    Range,
    ServingEstimate,
)
from core.estimate.shape import shape_of
from core.estimate.steps import Replica, replica_of, usual_replica
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.serving import (
    Engine,
    Regime,
    ServingConstants,
    serving_constants,
)
from core.units import GB, Precision
from core.wording import say

Scenario = Literal["offline", "server", "static", "capacity"]
_NAMES: dict[Regime, Literal["single_stream", "interactive", "saturated", "static"]] = {
    "saturated": "saturated",
    "closed_loop": "interactive",
    "open_loop": "interactive",
    "static": "static",
}
_KEEPS_UP = 0.8
"""Share of the requests' rate that a server answers at which it keeps up with them."""


class ServingRequest(Struct, frozen=True):
    """A served model on stated hardware at a stated load; lengths in tokens.

    Give one of `concurrency` (requests in flight over all GPUs) and `rps`, or the
    scenario "offline" (every request queued at once), or "capacity" with a limit on the
    mean TPOT: as many clients as keep within it. With none of them: offline.
    """

    model: ModelSpec
    gpu: GpuSpec
    gpus: int
    weights: Precision
    input_tokens: float
    output_tokens: float
    kv: Precision | None = None
    tp: int | None = None
    pp: int | None = None
    dp: int | None = None
    ep: int | None = None
    concurrency: float | None = None
    rps: float | None = None
    scenario: Scenario | None = None
    framework: str | None = None
    cache_hit_rate: float = 0.0
    """Share of prompt tokens found in the prefix cache."""
    ttft_limit_ms: float | None = None
    tpot_limit_ms: float | None = None
    """Limits on means, for the scenario "capacity"."""
    tail: tuple[float, float] | None = None
    """Requests of a finite test run, and in how many end-to-end times its last ones
    finish; None: sustained load."""

    @property
    def regime(self) -> Regime:
        """Which of the four ways to load a server this is."""
        if self.scenario == "static":
            return "static"
        if self.concurrency or self.scenario == "capacity":
            return "closed_loop"
        return "open_loop" if self.rps and self.rps < float("inf") else "saturated"


class Deployment(Struct, frozen=True):
    """A request's model placed on its hardware: memory, timings, room for a batch."""

    layout: Layout
    replicas: int
    engine_key: str
    engine: Engine
    kv: Precision
    memory: MemoryEstimate
    room: int
    """Requests that KV memory holds at once, per replica; 0: does not fit."""
    fits: bool
    timings: Replica


def deploy(request: ServingRequest, constants: ServingConstants) -> Deployment:
    """Place a request's model on its hardware."""
    model, gpu, shape = request.model, request.gpu, shape_of(request.model)
    layout, replicas = stated_layout(
        model, request.gpus, request.tp, request.pp, request.dp, request.ep
    )
    key = constants.engine_key(request.framework, request.regime, gpu)
    engine = constants.engine_on(key, gpu)
    kv = request.kv or engine_kv(engine, gpu, request.weights)
    admitted = request.input_tokens + request.output_tokens * engine.admitted_output
    memory = memory_of(shape, gpu, layout, request.weights, kv, admitted, engine)
    if constants is serving_constants():
        timings = usual_replica(model, gpu, layout, request.weights, kv, key)
    else:
        timings = replica_of(
            shape, gpu, layout, request.weights, kv, engine, constants
        )  # fmt: skip
    return Deployment(
        layout=layout,
        replicas=replicas,
        engine_key=key,
        engine=engine,
        kv=kv,
        memory=memory,
        room=max_batch(memory, layout),
        fits=fits(memory, layout),
        timings=timings,
    )


def engine_kv(engine: Engine, gpu: GpuSpec, weights: Precision) -> Precision:
    """Return the KV format that an engine's recipes use where none is stated."""
    if engine.quantises_kv:
        return usual_kv(gpu, weights)
    return "bf16" if "bf16" in gpu.tflops else "fp16"


def estimate(
    request: ServingRequest,
    constants: ServingConstants | None = None,
    allowed: Filter | None = None,
) -> ServingEstimate:
    """Estimate throughput, latency and memory of a served model.

    `allowed` leaves measurements out of the evidence; see `anchors_of`.
    """
    known = constants or serving_constants()
    placed = deploy(request, known)
    anchors = anchors_of(_target(request, placed), allowed)
    return _estimated(request, placed, known, anchors)


def unanchored(
    request: ServingRequest,
    constants: ServingConstants | None = None,
    placed: Deployment | None = None,
) -> ServingEstimate:
    """Estimate by the physics alone; `placed`: on hardware that it is placed on."""
    known = constants or serving_constants()
    return _estimated(request, placed or deploy(request, known), known, None)


def unanchored_state(
    request: ServingRequest, in_flight: float, constants: ServingConstants | None = None
) -> State:
    """Return one replica's state by the physics alone, so many requests in flight."""
    placed = deploy(request, constants or serving_constants())
    load = Workload(request.input_tokens, request.output_tokens, request.cache_hit_rate)
    room = min(max(placed.room, 1), placed.engine.max_batch)
    curve = Curve(LoadedReplica(placed.timings, placed.engine, load), room)
    return curve.at(in_flight / placed.replicas)


def _target(request: ServingRequest, placed: Deployment) -> Target:
    return Target(
        request.model, request.gpu, request.weights, request.kv, request.framework,
        placed.layout, placed.replicas, request.input_tokens, request.output_tokens,
        KINDS[request.regime], request.regime == "open_loop",
    )  # fmt: skip


def _estimated(
    request: ServingRequest,
    placed: Deployment,
    known: ServingConstants,
    anchors: Anchors | None,
) -> ServingEstimate:
    load = Workload(request.input_tokens, request.output_tokens, request.cache_hit_rate)
    running = _run(request, placed, load, anchors)
    evidence, trust = PHYSICS_ONLY, NO_TRUST
    if anchors is not None:
        evidence = anchors.evidence(running.in_flight)
        trust = anchors.trust(running.in_flight)
    spread = known.spread[request.regime]
    rate = running.requests_per_second * placed.replicas
    likely = rate * request.output_tokens
    ttft, tpot = running.ttft_s * 1e3, running.tpot_s * 1e3
    use = _use(request, rate)
    basis = basis_of(
        use, placed.engine_key, request.model, request.weights, request.gpu, known,
        # A server that keeps up answers what comes, whatever was measured nearby.
        NO_TRUST if use == "open_loop" else trust,
    )  # fmt: skip
    batch = (request.concurrency or math.inf) / placed.replicas
    most = placed.replicas * most_per_second(
        request.model, request.gpu, placed.layout, request.weights, placed.kv, load,
        min(batch, placed.engine.max_batch),
    )  # fmt: skip
    return ServingEstimate(
        tokens_per_second=ranged(likely, basis, most * request.output_tokens),
        ttft_ms=ttft,
        tpot_ms=tpot,
        ttft_p95_ms=ttft * spread.ttft_p95,
        tpot_p95_ms=tpot * spread.tpot_p95,
        e2e_ms=running.e2e_s * 1e3,
        batch=min(running.in_flight, max(placed.room, 1)),
        max_batch=min(placed.room, placed.engine.max_batch),
        memory=placed.memory,
        memory_gb_per_gpu=_peak_memory_gb(request, placed, running.in_flight),
        binding=_binding(placed, running),
        fits=placed.fits,
        regime=_regime_name(request),
        why=_why(request, placed, running),
        basis=basis,
        evidence=evidence,
    )


def _use(request: ServingRequest, rate: float) -> Use:
    """Return what ranges call this way to load a server: one that keeps up, or not."""
    if request.regime == "open_loop" and rate < _KEEPS_UP * (request.rps or 0.0):
        return "overloaded"
    return request.regime


@lru_cache(maxsize=256)
def by_regime(
    request: ServingRequest, interactive_users: float = 32
) -> Mapping[str, Range]:
    """Return tokens/s of the same hardware alone, interactive and saturated.

    One figure without its regime is worth little: they lie 20–60 × apart. Interactive:
    `interactive_users` requests in flight per replica.
    """
    known = serving_constants()
    replicas = deploy(request, known).replicas
    loads: dict[str, ServingRequest] = {
        "single_stream": replace(request, concurrency=1.0 * replicas),
        "interactive": replace(request, concurrency=interactive_users * replicas),
        "saturated": replace(request, concurrency=None, rps=None, scenario="offline"),
    }
    return {name: estimate(load).tokens_per_second for name, load in loads.items()}


def _run(
    request: ServingRequest, placed: Deployment, load: Workload, anchors: Anchors | None
) -> State:
    """Return one replica's state under its share of the load."""
    replica = LoadedReplica(placed.timings, placed.engine, load)
    correction = anchors.correction if anchors else None
    room = min(max(placed.room, 1), placed.engine.max_batch)
    if request.regime == "static":
        batch = (request.concurrency or 1) / placed.replicas
        running = corrected(replica.static(min(batch, room)), correction)
        return in_turns(running, batch)
    if request.regime == "saturated":
        return corrected(replica.saturated(room), correction)
    if request.regime == "closed_loop":
        curve = Curve(replica, room, correction, together=True)
        if request.scenario == "capacity":
            return _most(curve, request)
        return curve.at((request.concurrency or 1.0) / placed.replicas)
    curve = Curve(replica, room, correction)
    rate = (request.rps or 0.0) / placed.replicas
    return _run_out(curve.for_rate(rate), request.tail)


def _most(curve: Curve, request: ServingRequest) -> State:
    """Return the state at the most clients within the limits; none: no rate at all."""
    limits = (request.ttft_limit_ms, request.tpot_limit_ms)
    first, each = (math.inf if limit is None else limit / 1e3 for limit in limits)
    users = curve.within(first, each, math.inf)
    if users < 1.0:
        return replace(curve.at(1.0), in_flight=0.0, requests_per_second=0.0)
    return curve.at(users)


def _run_out(state: State, tail: tuple[float, float] | None) -> State:
    """Return the average that a finite run reports: its last answers run alone."""
    if tail is None:
        return state
    requests, times = tail
    served = state.requests_per_second
    served = requests / (requests / served + times * state.e2e_s)
    return replace(state, requests_per_second=served)


def _peak_memory_gb(request: ServingRequest, placed: Deployment, batch: float) -> float:
    """Return the peak of one GPU: in a static batch what it needs, else the pool."""
    memory = placed.memory
    if request.regime != "static":
        return max(memory.available_gb, memory.weights_gb)
    fixed = memory.weights_gb + memory.runtime_gb
    batch = min(batch, max(placed.room, 1))
    tokens = batch * request.input_tokens
    shape = shape_of(request.model)
    active = activation_bytes(shape, placed.layout, tokens, batch) / GB
    return fixed + active + memory.kv_per_sequence_gb * batch


def _regime_name(
    request: ServingRequest,
) -> Literal["single_stream", "interactive", "saturated", "static"]:
    single = request.concurrency is not None and request.concurrency <= 1
    if single and request.regime == "closed_loop":
        return "single_stream"
    return _NAMES[request.regime]


def _binding(placed: Deployment, running: State) -> Binding:
    """Return what keeps the throughput from rising."""
    if not placed.fits:
        return "weights" if placed.memory.free_for_kv_gb <= 0 else "kv_cache"
    if running.queued and placed.room < placed.engine.max_batch:
        return "kv_cache"
    return "throughput" if running.queued else "none"


def _why(request: ServingRequest, placed: Deployment, running: State) -> str:
    """Say in one line what the figure rests on, or what does not fit."""
    memory, gpu = placed.memory, request.gpu
    place = f"{placed.layout.gpus} × {gpu.name}"
    if not placed.fits:
        free = memory.free_for_kv_gb
        left = f"{free:.1f} GB" if free > 0 else "nothing"
        return say(
            "estimates.memory_per_gpu",
            model_name=request.model.name,
            weights=request.weights,
            weights_gb=memory.weights_gb,
            place=place,
            left=left,
            available_gb=memory.available_gb,
            kv_per_sequence_gb=memory.kv_per_sequence_gb,
        )
    limit = (
        "memory"
        if placed.room < placed.engine.max_batch
        else say("estimates.the_engine_limit")
    )
    if not running.in_flight:
        return say(
            "estimates.one_request_alone_breaks",
            place=place,
            engine_name=placed.engine.name,
        )
    most = min(placed.room, placed.engine.max_batch)
    state = say("estimates.batch_of", in_flight=min(running.in_flight, most), most=most)
    return say(
        "estimates.per_replica_of",
        state=state,
        limit=limit,
        place=place,
        engine_name=placed.engine.name,
    )
