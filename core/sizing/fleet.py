"""The fleets that would carry a served load: GPU by GPU, replica shape by shape."""

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from msgspec import Struct

from core.answers.answer import Rejection
from core.estimate.capacity import ReplicaCapacity, capacity, replicas_for
from core.estimate.formats import precisions_for
from core.estimate.parallel import Layout, served_layouts
from core.estimate.results import Range
from core.estimate.speculation import Speculation
from core.hardware import GpuSpec
from core.market.recommendation import FleetPlan
from core.units import Precision
from core.wording import say
from core.workload import InferenceSpec

ROUNDING = 1e-9
SHAPES_BEYOND_FIT = 2
"""Replica shapes tried above the smallest that meets the targets: more GPUs per
replica rarely cost less per token, but leave more room for KV cache."""
PCIE_TENSOR_PARALLEL = 2
"""The widest tensor parallelism taken for live traffic without a GPU-to-GPU link."""
AGED = ("pascal", "volta")
"""Architectures that serving engines have dropped; used where they are asked for."""


class Tried(Struct, frozen=True):
    """Serving techniques that a sizing tries; none: plain continuous batching."""

    speculation: Speculation | None = None
    disaggregated: bool = False
    framework: str | None = None
    """An engine by name; None: today's usual one."""
    most: float = math.inf
    """How many times the usual rate of a replica is believed."""


PLAIN = Tried()


class Planned(Struct, frozen=True):
    """One GPU's fleets, or the one reason why it has none."""

    plans: tuple[FleetPlan, ...]
    rejection: Rejection | None


@lru_cache(maxsize=2048)
def plan_gpu(
    spec: InferenceSpec,
    gpu: GpuSpec,
    weights: Precision | None = None,
    tried: Tried = PLAIN,
) -> Planned:
    """Size fleets of one GPU in the given weight format, or in its best one.

    No price decides here: what is found is kept for the next poll and question.
    """
    if gpu.architecture in AGED and gpu.id not in spec.constraints.gpus:
        return _refused(gpu, "aged-architecture", say("rejections.no_bf16_dropped"))
    format_ = weights or best_precision(spec, gpu)
    if format_ is None:
        asked = ", ".join(p.upper() for p in spec.precisions)
        return _refused(gpu, "fits", say("rejections.no_format_here", asked=asked))
    plans: dict[int, FleetPlan] = {}
    best: ReplicaCapacity | None = None
    for layout in usable_layouts(spec, gpu):
        if len(plans) > SHAPES_BEYOND_FIT and layout.gpus not in plans:
            break
        carried = replica_capacity(spec, gpu, layout, format_, tried)
        best = carried if best is None else min(best, carried, key=_shortfall)
        if carried.met:
            plan, rival = _fleet(spec, gpu, carried), plans.get(layout.gpus)
            # Of two layouts of as many GPUs, the one that carries more.
            if rival is None or _rate(plan) > _rate(rival):
                plans[layout.gpus] = plan
    if plans:
        return _within_count(spec, gpu, list(plans.values()))
    return _unfit(spec, gpu, best)


def replica_capacity(
    spec: InferenceSpec,
    gpu: GpuSpec,
    layout: Layout,
    weights: Precision,
    tried: Tried = PLAIN,
) -> ReplicaCapacity:
    """What one replica carries of a load; as measured, where the asker did measure."""
    found = capacity(
        spec.model, gpu, layout, weights, spec.kv_precision,
        spec.input_tokens, spec.output_tokens, spec.targets, tried.framework,
        cache_hit_rate=spec.cache_hit_rate, speculation=tried.speculation,
        disaggregated=tried.disaggregated,
    )  # fmt: skip
    if tried.most < math.inf and found.fits:
        usual = replica_capacity(spec, gpu, layout, weights)
        found = _no_better(found, usual.requests_per_second.likely * tried.most)
    if not spec.measured or not found.fits or gpu.id not in spec.constraints.gpus:
        return found
    rate = spec.measured * layout.gpus / spec.output_tokens
    return replace(
        found,
        requests_per_second=Range(rate, rate, rate),
        batch=found.batch or 1,
        measured=spec.measured,
    )


def _no_better(found: ReplicaCapacity, most: float) -> ReplicaCapacity:
    """The same at no more than a rate; where the usual way serves nothing, as it is."""
    rate = found.requests_per_second
    if not 0 < most < rate.likely:
        return found
    return replace(found, requests_per_second=rate.scaled(most / rate.likely))


def _rate(plan: FleetPlan) -> float:
    return plan.capacity.requests_per_second.likely


def _shortfall(carried: ReplicaCapacity) -> tuple[bool, float]:
    """How far a replica that does not do is from doing: memory first, then pace.

    A wider replica stops being quicker where its GPUs wait for each other.
    """
    if not carried.fits or carried.room == 0:
        return True, -carried.memory.free_for_kv_gb
    return False, carried.tpot_limited_ms


def _within_count(spec: InferenceSpec, gpu: GpuSpec, plans: list[FleetPlan]) -> Planned:
    """Keep the fleets of at most as many GPUs as there are to be."""
    count = spec.constraints.count
    kept = tuple(plan for plan in plans if count is None or plan.gpus <= count)
    if kept:
        return Planned(kept, None)
    least = min(plans, key=lambda plan: plan.gpus)
    share = (count or 0) / least.gpus * least.replicas
    carried = least.capacity.requests_per_second.likely * share
    load, name = spec.load.rps, f"{count} × {gpu.name}"
    if carried >= load:
        why = say(
            "rejections.would_be_busy",
            name=name,
            load=load / carried,
            load_2=load,
            gpus=least.gpus,
        )
    else:
        why = say(
            "rejections.can_handle_about",
            name=name,
            carried=carried,
            load=load,
            gpus=least.gpus,
        )
    return _refused(gpu, "count", why)


def best_precision(spec: InferenceSpec, gpu: GpuSpec) -> Precision | None:
    """The asked format where the GPU can serve it; else the safe default.

    FP8 costs under 1–2 % quality where hardware multiplies it (S1-055); a model that
    is published in FP8, FP4 or INT4 is served so, 16 bit where nothing else is stated.
    """
    served = precisions_for(gpu)
    for asked in spec.precisions:
        if _serves(asked, served):
            return asked
    if spec.precisions:
        return None
    native = spec.model.native_precision
    if native in ("fp4", "int4", "fp8"):
        return native
    return "fp8" if "fp8" in served else served[0]


def _serves(asked: Precision, served: tuple[Precision, ...]) -> bool:
    """Whether a format runs: FP16 and BF16 are one, INT8 and INT4 run anywhere."""
    same = {"fp16", "bf16"}
    if asked in same:
        return bool(same & set(served))
    return asked in served or asked in ("int8", "int4", "fp32")


def usable_layouts(spec: InferenceSpec, gpu: GpuSpec) -> Iterable[Layout]:
    """Replica shapes within the rules: no wide tensor parallelism over PCIe.

    A bridge joins a pair: what lies beyond it goes over PCIe as well, and is taken
    where the GPU is asked for by name.
    """
    count = spec.constraints.count
    widest = max(_joined(spec, gpu), PCIE_TENSOR_PARALLEL)
    for layout in served_layouts(spec.model, gpu):
        if layout.group > widest:
            continue
        if count is None or layout.gpus <= count:
            yield layout


def _joined(spec: InferenceSpec, gpu: GpuSpec) -> int:
    """Cards that may work on one layer for live traffic; of those asked for, all."""
    return gpu.gpus_per_node if gpu.id in spec.constraints.gpus else gpu.linked


def _fleet(spec: InferenceSpec, gpu: GpuSpec, carried: ReplicaCapacity) -> FleetPlan:
    """Add replicas until the peak is carried with headroom."""
    rates, rps = carried.requests_per_second, spec.load.rps
    few, likely, many = (
        kept_free(
            spec,
            rps / rate,
            replicas_of(spec, carried, rate),
        )
        for rate in (rates.high, rates.likely, rates.low)
    )
    return FleetPlan(
        gpu=gpu,
        weights=carried.weights,
        kv=carried.kv,
        replica_gpus=carried.gpus,
        replicas=likely * spec.model_count,
        replicas_range=(few * spec.model_count, many * spec.model_count),
        busy=rps / (rates.likely * likely),
        capacity=carried,
    )


def replicas_of(
    spec: InferenceSpec, carried: ReplicaCapacity, rate: float | None = None
) -> int:
    """Replicas for a load: for its rate, and to hold what is in flight as stated."""
    limit = spec.targets.ttft_ms
    paced = replicas_for(spec.load.rps, carried, ttft_limit_ms=limit, rate=rate)
    return max(paced, _holding(spec, carried))


def _holding(spec: InferenceSpec, carried: ReplicaCapacity) -> int:
    """Replicas whose memory holds the requests that are stated to be in flight."""
    return math.ceil((spec.load.concurrency or 0) / max(carried.room, 1))


def wants_fp8_cache(spec: InferenceSpec, plan: FleetPlan) -> bool:
    """Whether a fleet holds the stated requests in an FP8 cache, and not in 16 bits."""
    in_16_bit = plan.capacity.room // 2 * plan.replicas
    return plan.kv == "fp8" and in_16_bit < (spec.load.concurrency or 0)


def kept_free(spec: InferenceSpec, full: float, needed: int) -> int:
    """Replicas with the headroom and the spares that were asked for.

    `full`: replicas that the peak would fill wholly; `needed`: those that carry it.
    """
    roomy = math.ceil(full / (1 - spec.headroom) - ROUNDING)
    kept = max(max(needed, roomy) + spec.spare_replicas, spec.least_replicas)
    if spec.places == 1:
        return kept
    # The others carry the peak where one place fails.
    return math.ceil(kept / (spec.places - 1)) * spec.places


def _unfit(spec: InferenceSpec, gpu: GpuSpec, best: ReplicaCapacity | None) -> Planned:
    if best is None:
        return _refused(gpu, "fits", say("rejections.too_few_gpus"))
    if not best.fits or best.room == 0:
        rule = "fits"
        if _joined(spec, gpu) < gpu.gpus_per_node:
            rule = "pcie-tensor-parallel"
        return _refused(gpu, rule, best.why)
    return _refused(gpu, "latency", best.why)


def _refused(gpu: GpuSpec, rule: str, why: str) -> Planned:
    return Planned((), Rejection(gpu.name, rule, why))
