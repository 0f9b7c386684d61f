"""Ways to train or fine-tune: which GPUs hold the run, how many, for how long."""

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import Rejection
from core.estimate.finetune import frozen_copies
from core.estimate.jobs import MOST_GPUS, RunPlan, plan, request_for
from core.estimate.training_memory import MIXED, base_weight_bytes, usable_bytes
from core.estimate.training_request import TrainingRequest
from core.estimate.training_shape import shape_of
from core.hardware import GpuSpec
from core.jobs.options import RENTED_NODE, JobPlan
from core.sizing.fleet import AGED
from core.wording import say
from core.workload import FineTuneSpec, TrainingSpec

RunSpec = FineTuneSpec | TrainingSpec
COUNTS_BEYOND_FIT = 2
"""Counts tried above the smallest that holds a full run: with more room, fewer layers
are computed twice, and the run can cost less."""
CROWDED = 0.9
"""Share of the card above which more room may pay."""
CROWDED_BELOW = 64
"""GPUs of one run beyond which model state is a small part of what each holds."""
STEPS = 12
FAST_LINK_GB_S = 300
"""Below it a bridge joins two cards at most: no run leaves the machine over PCIe."""
BRIDGED = 2
"""Cards that share a model without a fast link, in practice: S1-080."""
BEST_SHARE = 0.8
"""Share of the matrix peak that no run exceeds: where counting may begin."""


class PlannedRun(Struct, frozen=True):
    """One GPU's ways to run, or the one reason why it has none."""

    plans: tuple[JobPlan, ...]
    rejection: Rejection | None = None


@lru_cache(maxsize=2048)
def plan_run(spec: RunSpec, gpu: GpuSpec) -> PlannedRun:
    """Size a run on one GPU: as many as asked for, or as few as hold it in time."""
    refused = _unsuitable(spec, gpu)
    if refused is not None:
        return PlannedRun((), refused)
    limits, request = spec.constraints, request_for(spec, gpu, 1)
    if limits.count is not None and not limits.count_is_most:
        return _counted(replace(request, gpus=limits.count))
    aim, most = spec.deadline_hours or spec.horizon_hours, largest_count(gpu)
    most = min(most, limits.count or most)
    named = gpu.id in limits.gpus
    if gpu.link_gb_s < FAST_LINK_GB_S and not named and not plan(request).fits:
        most = min(most, BRIDGED)
    least = _smallest(request, aim, most) or _smallest(request, None, most)
    if least is None:
        most_asked = limits.count is not None
        return (
            _counted(replace(request, gpus=limits.count or 1))
            if most_asked
            else PlannedRun((), _too_small(request))
        )
    plans = [least, *_roomier(least, most)]
    sure = spec.deadline_hours is not None
    if aim is not None and _ends(least, sure=sure) > aim:
        plans += _faster(least, aim, most, sure=sure)
    by_count = {found.request.gpus: as_plan(found) for found in plans if found.fits}
    if _shared_slowly(spec, gpu):
        by_count = {gpus: way for gpus, way in by_count.items() if gpus == 1}
    kept = in_time(by_count.values(), aim)
    return PlannedRun(kept, None if kept else _no_link(gpu))


def in_time(plans: Iterable[JobPlan], aim: float | None) -> tuple[JobPlan, ...]:
    """The plans that end when they should, or the quickest where none does."""
    every = tuple(plans)
    if aim is None or not every:
        return every
    kept = tuple(way for way in every if way.hours.likely <= aim)
    return kept or (min(every, key=lambda way: way.hours.likely),)


def as_plan(run: RunPlan) -> JobPlan:
    """The run as any job is seen."""
    return JobPlan(
        gpu=run.request.gpu,
        gpus=run.request.gpus,
        hours=run.hours,
        why=run.estimate.why,
        together=run.request.gpus,
        tokens_per_second=run.estimate.tokens_per_second,
        memory_gb=run.estimate.memory_gb_per_gpu,
        run=run,
    )


def least_bytes(request: TrainingRequest) -> float:
    """Bytes that the run holds over all its GPUs at the very least."""
    shape = shape_of(request.model)
    copies = base_weight_bytes(shape, "lora", request.precision)
    full = request.tuning == "full"
    held = frozen_copies(request.method, adapters=not full) * copies
    if full:
        return held + shape.params * (MIXED.total - 2)
    return held + base_weight_bytes(shape, request.tuning, request.precision)


def largest_count(gpu: GpuSpec) -> int:
    """GPUs of one run: cards without a link do not leave their machine."""
    return RENTED_NODE if gpu.link_gb_s < FAST_LINK_GB_S else MOST_GPUS


def counts(gpu: GpuSpec, most: int) -> Iterator[int]:
    """Counts as they are rented: halves of a node, then whole nodes."""
    node = min(gpu.gpus_per_node, RENTED_NODE)
    size = 1
    while size < node:
        yield size
        size *= 2
    size = node
    while size <= most:
        yield size
        if size * 3 // 2 % RENTED_NODE == 0 and size * 3 // 2 <= most:
            yield size * 3 // 2
        size *= 2


def _unsuitable(spec: RunSpec, gpu: GpuSpec) -> Rejection | None:
    """What nobody trains on unless it is asked for by name."""
    if gpu.id in spec.constraints.gpus:
        return None
    if gpu.architecture in AGED:
        return Rejection(gpu.name, "aged-architecture", say("rejections.no_bf16"))
    if "bf16" not in gpu.tflops:
        return Rejection(gpu.name, "bf16-training", say("rejections.no_bf"))
    if _shared_slowly(spec, gpu) and not _alone(spec, gpu):
        return _no_link(gpu)
    if gpu.link_gb_s < FAST_LINK_GB_S and _cut_up(spec, gpu):
        why = say("rejections.no_nvlink")
        return Rejection(gpu.name, "skip-l40s", why)
    return None


def _cut_up(spec: RunSpec, gpu: GpuSpec) -> bool:
    """Whether the frozen weights would lie on more cards than a bridge joins."""
    least = least_bytes(request_for(spec, gpu, 1))
    return least > BRIDGED * CROWDED * usable_bytes(gpu)


def _shared_slowly(spec: RunSpec, gpu: GpuSpec) -> bool:
    """Whether nobody asked to share a full run over PCIe."""
    slow = gpu.link_gb_s < FAST_LINK_GB_S
    return slow and is_full(spec) and gpu.id not in spec.constraints.gpus


def _no_link(gpu: GpuSpec) -> Rejection:
    return Rejection(gpu.name, "skip-l40s", say("rejections.no_nvlink_to_share"))


def is_full(spec: RunSpec) -> bool:
    """Whether every weight is trained, not adapters."""
    if isinstance(spec, TrainingSpec):
        return True
    return spec.adapters is None and spec.method not in ("lora", "qlora")


def _alone(spec: RunSpec, gpu: GpuSpec) -> bool:
    """Whether one card may hold the run by itself."""
    count = spec.constraints.count or 1
    return count == 1 and least_bytes(request_for(spec, gpu, 1)) <= usable_bytes(gpu)


def _counted(request: TrainingRequest) -> PlannedRun:
    """Honour a count: as is usual, else with the leanest optimiser that fits."""
    for lean in (False, True):
        found = plan(replace(request, lean=lean))
        if found.fits:
            return PlannedRun((as_plan(found),))
    return PlannedRun((), Rejection(_subject(request), "fits", found.estimate.why))


def _smallest(request: TrainingRequest, aim: float | None, most: int) -> RunPlan | None:
    """The fewest GPUs that hold the run, not counting those that must be late."""
    least = least_bytes(request) / usable_bytes(request.gpu)
    if aim is not None:
        least = max(least, min(_least_gpu_hours(request) / aim, most))
    for count in counts(request.gpu, most):
        if count < least:
            continue
        found = plan(replace(request, gpus=count))
        if found.fits:
            return found
    return None


def _least_gpu_hours(request: TrainingRequest) -> float:
    """GPU-hours that not even the best run undercuts: FLOPs over what multiplies."""
    per_token = 6.0 if request.tuning == "full" else 4.0
    flops = per_token * request.model.active_params_b * 1e9 * (request.tokens or 0)
    gpu = request.gpu
    peak = gpu.tflops.get(request.precision) or gpu.tflops.get("bf16") or 1e3
    return flops / (peak * 1e12 * BEST_SHARE) / 3600


def _roomier(least: RunPlan, most: int) -> Iterator[RunPlan]:
    """The next counts, where the smallest is crowded and trains every weight."""
    request, gpu = least.request, least.request.gpu
    used = least.estimate.memory_gb_per_gpu * 1e9 / usable_bytes(gpu)
    crowded = request.gpus <= CROWDED_BELOW and used > CROWDED
    if request.tuning != "full" or not crowded:
        return
    larger = (n for n in counts(gpu, most) if n > request.gpus)
    for _, count in zip(range(COUNTS_BEYOND_FIT), larger, strict=False):
        yield plan(replace(request, gpus=count))


def _ends(found: RunPlan, *, sure: bool) -> float:
    """The hours to plan with: a deadline must hold at the slow end too."""
    return found.hours.high if sure else found.hours.likely


def _faster(found: RunPlan, hours: float, most: int, *, sure: bool) -> list[RunPlan]:
    """The fewest GPUs that end in time, and some more for what spot takes.

    Where even the most do not, the most: how late they are is said.
    """
    request, tried = found.request, [found]
    for _ in range(STEPS):
        ends = _ends(found, sure=sure)
        if ends <= hours:
            more = _whole(found.request.gpus * 1.25, most)
            kept = tried if sure else [found]
            return [*kept, plan(replace(request, gpus=more))]
        wanted = _whole(found.request.gpus * ends / hours, most)
        if wanted <= found.request.gpus:
            break
        found = plan(replace(request, gpus=wanted))
        tried.append(found)
    return tried if sure else [found]


def _whole(gpus: float, most: int) -> int:
    """The next count that is rented: a power of two in a node, then whole nodes."""
    if gpus <= RENTED_NODE:
        return min(most, 1 << math.ceil(math.log2(gpus)))
    return min(most, math.ceil(gpus / RENTED_NODE) * RENTED_NODE)


def _too_small(request: TrainingRequest) -> Rejection:
    most = largest_count(request.gpu)
    need, have = least_bytes(request) / 1e9, most * usable_bytes(request.gpu) / 1e9
    rule = "fits" if most > RENTED_NODE else "no-link-one-machine"
    why = say("rejections.gb_of_model", need=need, most=most, have=have)
    if need < have:
        why = say("rejections.state_and_activations", most=most)
    return Rejection(request.gpu.name, rule, why)


def _subject(request: TrainingRequest) -> str:
    return f"{request.gpus} × {request.gpu.name}"
