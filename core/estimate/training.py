"""Training and fine-tuning: how fast a run goes, and what it needs in memory."""

from collections.abc import Iterator, Mapping
from math import exp, log
from typing import Any

from msgspec.structs import replace

from core.estimate.anchoring import NONE, Correction
from core.estimate.results import Range, TrainingEstimate
from core.estimate.training_anchors import Apart, correction
from core.estimate.training_physics import speed
from core.estimate.training_request import TrainingRequest, read_request
from core.estimate.training_step import Step, model_flops_per_token, peak
from core.estimate.training_words import why_it_fits, why_not
from core.reference.catalogue import Reference
from core.reference.training import TrainingConstants, training_constants
from core.units import GB

__all__ = ["TrainingRequest", "estimate", "estimate_request", "smallest_fit"]

MOST_GPUS = 16_384


def estimate(
    request: TrainingRequest,
    constants: TrainingConstants | None = None,
    apart: Apart | None = None,
) -> TrainingEstimate:
    """Return speed over all GPUs, memory per GPU in GB, and whether it fits.

    The speed is anchored on the measurements near the run, but for those set `apart`.
    With `constants` of one's own it is the physics alone, which the anchors are
    measured against.
    """
    step, likely = speed(request, constants or training_constants())
    fits = step.fit.fits
    anchored = NONE
    if constants is None and fits:
        anchored = correction(request, apart)
        likely *= exp(anchored.log_factor)
    flops = model_flops_per_token(step, request.sequence)
    most = peak(request.gpu, "bf16") * request.gpus / flops
    if request.mfu is not None:
        likely = most * request.mfu
    mfu_pct = 100 * likely / most
    return TrainingEstimate(
        tokens_per_second=_range(likely, step, request, anchored),
        mfu_pct=mfu_pct,
        gpu_hours=_gpu_hours(request, likely),
        memory_gb_per_gpu=step.fit.total / GB,
        fits=fits,
        why=_why(request, step, mfu_pct, anchored),
        memory_parts_gb=step.fit.parts_gb,
        evidence=anchored.evidence,
    )


def _why(
    request: TrainingRequest, step: Step, mfu_pct: float, anchored: Correction
) -> str:
    if not step.fit.fits:
        return why_not(request, step.fit)
    return f"{why_it_fits(request, step, mfu_pct)}; {anchored.evidence.words}"


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
        "evidence": {
            "anchors": found.evidence.anchors,
            "nearest": found.evidence.nearest,
            "distance": _rounded(found.evidence.distance),
        },
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


def _rounded(distance: float | None) -> float | None:
    return None if distance is None else round(distance, 2)


def _range(
    likely: float, step: Step, request: TrainingRequest, anchored: Correction
) -> Range:
    """Narrower by what measurements decide of it; none where the MFU is stated."""
    if request.mfu is not None:
        return Range(likely, likely, likely)
    values = step.constants.values
    spread = log(step.stack.spread)
    spread *= 1 - values["anchored_narrows"] * anchored.share
    if step.shape.moe_layers:
        spread += log(values["moe_spread"])
    if request.method == "grpo" and request.rollouts is None:
        spread += log(values["grpo_spread"])
    return Range(likely / exp(spread), likely, likely * exp(spread))


def _gpu_hours(request: TrainingRequest, tokens_per_second: float) -> float | None:
    if request.tokens is None:
        return None
    return request.tokens / tokens_per_second * request.gpus / 3600
