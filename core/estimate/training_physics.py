"""The fastest way to make a training run, by physics alone."""

from collections.abc import Iterator

from core.estimate.finetune import frozen_copies, time_factor
from core.estimate.training_layout import Steps, arrange, layouts, read_layout
from core.estimate.training_memory import Demand, Fit, settle
from core.estimate.training_request import TrainingRequest, usual_stack
from core.estimate.training_shape import TrainingShape, shape_of
from core.estimate.training_step import Step, seconds_per_token
from core.reference.training import TrainingConstants

RECIPE_TOKENS = 1024
"""Sequences longer than this are where trainers' recipes switch checkpointing on."""


def speed(request: TrainingRequest, constants: TrainingConstants) -> tuple[Step, float]:
    """Return one step of the run, and its tokens/s over all GPUs."""
    step, per_token = _fastest(request, shape_of(request.model), constants)
    # The answers of known length are timed by themselves.
    method = "dpo" if request.rollouts else request.method
    rate = request.gpus / (per_token * time_factor(method, constants))
    if request.tokens is not None:
        rate *= constants.values["run_efficiency"]
    return step, rate


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
    for layout in layouts(
        stated, request.gpus, request.global_batch, request.gpu.linked,
        request.model.experts,
    ):  # fmt: skip
        yield arrange(
            layout,
            gpus=request.gpus,
            sequence=request.sequence,
            micro_batch=request.micro_batch,
            global_batch=request.global_batch,
            usual_tokens=_usual_tokens(request, constants),
        )


def _usual_tokens(request: TrainingRequest, constants: TrainingConstants) -> float:
    """Tokens per optimiser step where none are stated: large runs take more."""
    usual = constants.values[f"usual_tokens_{request.task}"]
    if request.task == "finetune":
        return usual
    return max(usual, constants.values["usual_tokens_per_gpu"] * request.gpus)


def _demand(request: TrainingRequest, shape: TrainingShape, steps: Steps) -> Demand:
    tuned = request.tuning != "full"
    return Demand(
        shape=shape,
        gpu=request.gpu,
        gpus=request.gpus,
        tuning=request.tuning,
        precision=request.precision,
        steps=steps,
        checkpointing=_checkpointing(request, steps),
        lora_rank=request.lora_rank,
        frozen_copies=frozen_copies(request.method, adapters=tuned),
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
