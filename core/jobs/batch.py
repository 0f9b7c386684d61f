"""Ways to work through a pile of requests: saturated replicas, as many as time asks."""

import math
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import Rejection
from core.estimate.jobs import at_pace
from core.estimate.media import MediaUnknown, media_capacity
from core.estimate.parallel import Layout, served_layouts
from core.estimate.results import Range, ServingEstimate
from core.estimate.serving import ServingRequest, estimate
from core.hardware import GpuSpec
from core.jobs.options import JobPlan
from core.reference.load import reference
from core.sizing.fleet import AGED, PCIE_TENSOR_PARALLEL, best_precision
from core.units import Precision
from core.wording import say
from core.workload import BatchSpec, InferenceSpec, ServingLoad

SHAPES_BEYOND_FIT = 1
"""Replica shapes tried above the smallest: more room for KV cache, bigger batches."""
SECONDS_PER_HOUR = 3600


class PlannedBatch(Struct, frozen=True):
    """One GPU's ways through the pile, or the one reason why it has none."""

    plans: tuple[JobPlan, ...]
    rejection: Rejection | None = None


@lru_cache(maxsize=2048)
def plan_batch(
    spec: BatchSpec, gpu: GpuSpec, weights: Precision | None = None
) -> PlannedBatch:
    """Size an offline job on one GPU in the given weight format, or its best one."""
    if gpu.architecture in AGED and gpu.id not in spec.constraints.gpus:
        return _refused(gpu, "aged-architecture", say("rejections.no_bf16"))
    format_ = weights or best_precision(_as_served(spec), gpu)
    if format_ is None:
        asked = ", ".join(p.upper() for p in spec.precisions)
        return _refused(gpu, "fits", say("rejections.no_format_here", asked=asked))
    plans: list[JobPlan] = []
    tried: ServingEstimate | None = None
    for layout in _layouts(spec, gpu):
        tried = _saturated(spec, gpu, layout, format_)
        if tried.fits:
            plans.append(_plan(spec, gpu, layout, format_, tried))
        if len({plan.together for plan in plans}) > SHAPES_BEYOND_FIT:
            break
    if plans:
        return PlannedBatch(tuple(plans))
    why = tried.why if tried else say("rejections.too_few_gpus")
    return _refused(gpu, "fits", why)


def _as_served(spec: BatchSpec) -> InferenceSpec:
    """The same model as a served one, for the choice of a weight format."""
    return InferenceSpec(
        model=spec.model,
        precisions=spec.precisions,
        input_tokens=spec.input_tokens,
        output_tokens=spec.output_tokens,
        load=ServingLoad(rps=1, average_share=1),
    )


def _layouts(spec: BatchSpec, gpu: GpuSpec) -> Iterator[Layout]:
    count = spec.constraints.count
    for layout in served_layouts(spec.model, gpu):
        if gpu.link_gb_s == 0 and layout.group > PCIE_TENSOR_PARALLEL:
            continue
        if count is None or layout.gpus <= count:
            yield layout


def _saturated(
    spec: BatchSpec, gpu: GpuSpec, layout: Layout, weights: Precision
) -> ServingEstimate:
    """Every request queued at once: nobody waits, the engine fills its batch."""
    found = estimate(
        ServingRequest(
            model=spec.model,
            gpu=gpu,
            gpus=layout.gpus,
            weights=weights,
            kv=spec.kv_precision,
            input_tokens=spec.input_tokens,
            output_tokens=max(spec.output_tokens, 1),
            tp=layout.tp,
            pp=layout.pp,
            dp=layout.stated_dp,
            ep=layout.stated_ep,
            scenario="offline",
        )
    )
    return _with_the_pages(spec, found, gpu) if spec.pages else found


READERS_B = (5.0, 10.0)
"""Billions of parameters of models that read pages about as fast as one of 7B."""


def _with_the_pages(
    spec: BatchSpec, found: ServingEstimate, gpu: GpuSpec
) -> ServingEstimate:
    """The pace of a whole pipeline, where it is below the engine's: pages are drawn
    first, and some read twice."""
    least, most = READERS_B
    if not least <= spec.model.params_b <= most:
        return found
    pages = media_capacity("image", gpu, reference(), PAGE_READER)
    if isinstance(pages, MediaUnknown):
        return found
    pace = pages.per_hour.scaled(PAGE_TOKENS / SECONDS_PER_HOUR)
    if pace.likely >= found.tokens_per_second.likely:
        return found
    return replace(found, tokens_per_second=pace, why=pages.why, basis="estimated")


PAGE_READER = "olmocr"
PAGE_TOKENS = 991
"""Of a page's text, as the figures in pages of media.toml are counted."""


def _plan(
    spec: BatchSpec,
    gpu: GpuSpec,
    layout: Layout,
    weights: Precision,
    each: ServingEstimate,
) -> JobPlan:
    replicas = _replicas(spec, gpu, layout, each)
    pace = spec.measured.pace if spec.measured else 1
    rate = each.tokens_per_second.scaled(replicas / pace)
    return JobPlan(
        gpu=gpu,
        gpus=_exactly(spec) or replicas * layout.gpus,
        hours=_hours(spec, gpu, each).scaled(1 / replicas),
        why=each.why,
        together=layout.gpus,
        tokens_per_second=rate,
        weights=weights,
        memory_gb=each.memory.weights_gb,
    )


def _hours(spec: BatchSpec, gpu: GpuSpec, each: ServingEstimate) -> Range:
    """How long one replica takes for all of it."""
    work = spec.requests * max(spec.output_tokens, 1) / SECONDS_PER_HOUR
    rate = each.tokens_per_second
    hours = Range(work / rate.high, work / rate.likely, work / rate.low)
    return at_pace(hours, spec.measured, gpu.id)


def _replicas(
    spec: BatchSpec, gpu: GpuSpec, layout: Layout, each: ServingEstimate
) -> int:
    """As many as were asked for, or as end in time; never more than were allowed."""
    if (count := _exactly(spec)) is not None:
        return max(1, count // layout.gpus)
    wanted = _in_time(spec, _hours(spec, gpu, each))
    most = spec.constraints.count
    return wanted if most is None else max(1, min(wanted, most // layout.gpus))


def _exactly(spec: BatchSpec) -> int | None:
    """The count that was asked for, where fewer will not do."""
    limits = spec.constraints
    return None if limits.count_is_most else limits.count


def _in_time(spec: BatchSpec, alone: Range) -> int:
    """Replicas that end when they should, by the hours of one."""
    aim = spec.deadline_hours or spec.horizon_hours
    if aim is None:
        return 1
    hours = alone.likely if spec.deadline_hours is None else alone.high
    return max(1, math.ceil(hours / aim))


def _refused(gpu: GpuSpec, rule: str, why: str) -> PlannedBatch:
    return PlannedBatch((), Rejection(gpu.name, rule, why))
