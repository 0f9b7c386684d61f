"""Why a training estimate is what it is, in one line."""

from core.estimate.finetune import method_note
from core.estimate.training_memory import (
    HALF_GRADIENTS,
    MIXED,
    MIXED_SHARDED,
    Fit,
    base_weight_bytes,
)
from core.estimate.training_request import TrainingRequest
from core.estimate.training_shape import shape_of
from core.estimate.training_step import Step
from core.units import GB
from core.wording import count, say, significant

USUAL = (MIXED, MIXED_SHARDED, HALF_GRADIENTS)


def why_it_fits(request: TrainingRequest, step: Step, mfu_pct: float) -> str:
    """The efficiency, how memory is made to do, and what the method adds."""
    parts = [f"{mfu_pct:.0f} % MFU", _memory(step.fit)]
    layout = step.steps.layout
    degrees = (
        ("tensor", layout.tensor),
        ("pipeline", layout.pipeline),
        ("context", layout.context),
        ("expert", layout.expert),
    )
    split = ", ".join(f"{name} {size}" for name, size in degrees if size > 1)
    if split:
        parts.append(say("estimates.parallel", split=split))
    if step.fit.sharding == "full" and request.gpus > 1:
        parts.append(say("estimates.sharded_over_gpus", gpus=request.gpus))
    if note := method_note(request.method, request.rollouts, step.constants):
        parts.append(note)
    return "; ".join(parts)


def _memory(fit: Fit) -> str:
    largest = max(fit.parts_gb.items(), key=lambda part: part[1])
    text = say("estimates.of_gb", total=fit.total / GB, available=fit.available / GB)
    text += say("estimates.most_of_it", largest=largest[0])
    if fit.recomputed:
        text += say("estimates.of_the_layers", recomputed=fit.recomputed)
    if fit.nested:
        text += say("estimates.nested_scales")
    if fit.offloaded:
        text += say("estimates.checkpoints_in_host")
    if fit.recipe not in USUAL:
        text += say(
            "estimates.only_as_parameter",
            recipe_name=fit.recipe.name,
            total=fit.recipe.total,
        )
    return text


def why_not(request: TrainingRequest, fit: Fit) -> str:
    """The arithmetic of a refusal: what it takes beside what there is."""
    name, gpu = request.model.name, request.gpu.name
    have = (
        f"{request.gpus} × {gpu}, {significant(request.gpus * fit.available / GB)} GB"
    )
    shape = shape_of(request.model)
    if request.tuning == "full":
        low = significant(16 * shape.params / GB)
        high = significant(18 * shape.params / GB)
        held = say("estimates.gb_of_weights", low=low, high=high)
    else:
        base = base_weight_bytes(shape, request.tuning, request.precision)
        held = say("estimates.gb_of_frozen", base=base / GB)
    leanest = significant(fit.total / GB)
    billions = count(shape.params)
    return say(
        "estimates.needs_before_activations",
        name=name[:1].upper() + name[1:],
        billions=billions,
        held=held,
        have=have,
        recipe_name=fit.recipe.name,
        leanest=leanest,
    )
