"""Training and fine-tuning: how fast a run goes, and what it needs in memory."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.estimate.finetune import frozen_copies, time_factor
from core.estimate.results import Range, TrainingEstimate
from core.estimate.training_layout import Stack, Steps, arrange, layouts, read_layout
from core.estimate.training_memory import Demand, Fit, settle
from core.estimate.training_request import TrainingRequest, read_request
from core.estimate.training_shape import TrainingShape, shape_of
from core.estimate.training_step import (
    Step,
    model_flops_per_token,
    peak,
    seconds_per_token,
)
from core.estimate.training_words import why_it_fits, why_not
from core.reference.catalogue import Reference
from core.reference.training import TrainingConstants, training_constants
from core.units import GB
from core.workload import TuningMethod

__all__ = ["TrainingRequest", "estimate", "estimate_request", "smallest_fit"]

RECIPE_TOKENS = 1024
"""Sequences longer than this are where trainers' recipes switch checkpointing on."""
ONE_NODE = 8
MOST_GPUS = 16_384


def estimate(
    request: TrainingRequest, constants: TrainingConstants | None = None
) -> TrainingEstimate:
    """Return speed over all GPUs, memory per GPU in GB, and whether it fits."""
    constants = constants or training_constants()
    shape = shape_of(request.model)
    step, per_token = _fastest(request, shape, constants)
    likely = request.gpus / (per_token * time_factor(request.method, constants))
    if request.tokens is not None:
        likely *= constants.values["run_efficiency"]
    flops = model_flops_per_token(step, request.sequence)
    mfu_pct = 100 * flops * likely / (peak(request.gpu, "bf16") * request.gpus)
    fits = step.fit.fits
    return TrainingEstimate(
        tokens_per_second=_range(likely, step, request.method),
        mfu_pct=mfu_pct,
        gpu_hours=_gpu_hours(request, likely),
        memory_gb_per_gpu=step.fit.total / GB,
        fits=fits,
        why=why_it_fits(request, step, mfu_pct) if fits else why_not(request, step.fit),
        memory_parts_gb=step.fit.parts_gb,
    )


def estimate_request(line: Mapping[str, Any], reference: Reference) -> dict[str, Any]:
    """Answer one request line; a run that does not fit has no speed."""
    found = estimate(read_request(line, reference))
    rate = found.tokens_per_second
    speed = {"low": rate.low, "likely": rate.likely, "high": rate.high}
    rounded = {name: _significant(value) for name, value in speed.items()}
    hours = found.gpu_hours
    return {
        "id": line.get("id"),
        "tokens_per_second": rounded if found.fits else None,
        "mfu_pct": _significant(found.mfu_pct) if found.fits else None,
        "gpu_hours": _significant(hours) if hours and found.fits else None,
        "memory_gb_per_gpu": _significant(found.memory_gb_per_gpu),
        "fits": found.fits,
        "why": found.why,
    }


def smallest_fit(
    request: TrainingRequest, most: int = MOST_GPUS
) -> tuple[int, TrainingEstimate] | None:
    """Return the least count on which the run fits as it is usually done; None: none.

    Counts are halves of a node, then whole nodes doubled and half as many again, as
    they are rented. `request.gpus` and `request.lean` are ignored.
    """
    for count in _counts(request.gpu.gpus_per_node, most):
        found = estimate(replace(request, gpus=count, lean=False))
        if found.fits:
            return count, found
    return None


def _counts(node: int, most: int) -> Iterator[int]:
    size = 1
    while size < min(node, 8):
        yield size
        size *= 2
    size = min(node, 8)
    while size <= most:
        yield size
        if size * 3 // 2 % 8 == 0 and size * 3 // 2 <= most:
            yield size * 3 // 2
        size *= 2


def _significant(value: float) -> float:
    return float(f"{value:.4g}")


def _range(likely: float, step: Step, method: TuningMethod) -> Range:
    spread, values = step.stack.spread, step.constants.values
    if step.shape.moe_layers:
        spread *= values["moe_spread"]
    if method == "grpo":
        spread *= values["grpo_spread"]
    return Range(likely / spread, likely, likely * spread)


def _gpu_hours(request: TrainingRequest, tokens_per_second: float) -> float | None:
    if request.tokens is None:
        return None
    return request.tokens / tokens_per_second * request.gpus / 3600


def _fastest(
    request: TrainingRequest, shape: TrainingShape, constants: TrainingConstants
) -> tuple[Step, float]:
    """The fastest layout that fits, or the fastest there is; GPU-seconds per token."""
    tried = [
        _timed(request, shape, steps, constants)
        for steps in _arrangements(request, constants)
    ]
    return min(tried, key=lambda found: (not found[0].fit.fits, found[1]))


def _timed(
    request: TrainingRequest,
    shape: TrainingShape,
    steps: Steps,
    constants: TrainingConstants,
) -> tuple[Step, float]:
    fit = settle(_demand(request, shape, steps))
    step = _step(request, shape, steps, fit, constants)
    return step, seconds_per_token(step, request.sequence)


def _arrangements(
    request: TrainingRequest, constants: TrainingConstants
) -> Iterator[Steps]:
    stated = read_layout(request.parallelism, request.framework, usual_stack(request))
    domain = request.gpu.gpus_per_node if request.gpu.link_gb_s else 1
    for layout in layouts(
        stated, request.gpus, request.global_batch, domain, request.model.experts
    ):
        yield arrange(
            layout,
            gpus=request.gpus,
            sequence=request.sequence,
            micro_batch=request.micro_batch,
            global_batch=request.global_batch,
            usual_tokens=constants.values[f"usual_tokens_{request.task}"],
        )


def usual_stack(request: TrainingRequest) -> Stack:
    """The software that such a run is made with where nothing is stated."""
    if request.gpu.vendor == "google":
        return "xla"
    # Only the tuned stacks train in FP8 or FP4 without being told how.
    if request.precision in ("fp8", "fp4"):
        return "tuned"
    one_node = request.gpus <= ONE_NODE
    if request.task == "train":
        return "fsdp" if one_node else "tuned"
    return "eager" if one_node else "fsdp"


def _demand(request: TrainingRequest, shape: TrainingShape, steps: Steps) -> Demand:
    return Demand(
        shape=shape,
        gpu=request.gpu,
        gpus=request.gpus,
        tuning=request.tuning,
        precision=request.precision,
        steps=steps,
        checkpointing=_checkpointing(request, steps),
        lora_rank=request.lora_rank,
        frozen_copies=frozen_copies(request.method),
        lean=request.lean,
    )


def _checkpointing(request: TrainingRequest, steps: Steps) -> bool | None:
    """As stated; plain trainers' recipes switch it on for long samples."""
    plain = request.task == "finetune" and steps.layout.stack == "eager"
    if request.checkpointing is None and plain:
        return True if request.sequence > RECIPE_TOKENS else None
    return request.checkpointing


def _step(
    request: TrainingRequest,
    shape: TrainingShape,
    steps: Steps,
    fit: Fit,
    constants: TrainingConstants,
) -> Step:
    tuned = request.tuning != "full"
    return Step(
        shape=shape,
        gpu=request.gpu,
        gpus=request.gpus,
        tuning=request.tuning,
        precision=request.precision,
        steps=steps,
        fit=fit,
        constants=constants,
        adapter_params=shape.adapter_params(request.lora_rank) if tuned else 0.0,
    )
