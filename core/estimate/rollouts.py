"""Reinforcement learning: the time of the answers that it writes and learns from.

Prompts × answers per prompt × answer length are generated at the throughput of a server
that is given every request at once, on the GPUs that then train (GRPO:
arxiv.org/abs/2402.03300).
"""

from core.estimate import serving
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.training import training_constants
from core.units import Precision
from core.workload import Rollouts

LAYOUTS = (1, 2, 4, 8, 16, 32)
"""GPUs of one copy of the model while it writes; copies share the prompts."""
WEIGHTS: Precision = "bf16"
"""Answers are written with the weights that are trained."""


def generation_rate(
    model: ModelSpec, gpu: GpuSpec, gpus: int, rollouts: Rollouts
) -> float | None:
    """Return answer tokens/s over all GPUs; None where the cards hold no copy.

    Whole steps wait for their longest answer and for the new weights: that share of
    a saturated server's throughput is lost.
    """
    rates = (
        _rate(model, gpu, size, rollouts.prompt_tokens, rollouts.answer_tokens)
        for size in LAYOUTS
        if size <= gpus
    )
    best = max((rate for rate in rates if rate is not None), default=None)
    if best is None:
        return None
    return best * gpus * training_constants().values["rollout_efficiency"]


def _rate(
    model: ModelSpec, gpu: GpuSpec, size: int, prompt: float, answer: float
) -> float | None:
    """Return answer tokens/s and GPU of a saturated copy on so many GPUs."""
    within = min(size, gpu.gpus_per_node)
    found = serving.estimate(
        serving.ServingRequest(
            model=model,
            gpu=gpu,
            gpus=size,
            weights=WEIGHTS,
            input_tokens=prompt,
            output_tokens=answer,
            tp=within,
            pp=size // within,
            scenario="offline",
        )
    )
    return found.tokens_per_second.likely / size if found.fits else None


def generation_hours(
    model: ModelSpec, gpu: GpuSpec, gpus: int, rollouts: Rollouts
) -> float | None:
    """Return the wall hours that a run writes; None: the cards hold no copy."""
    rate = generation_rate(model, gpu, gpus, rollouts)
    return None if rate is None else rollouts.generated_tokens / rate / 3600
