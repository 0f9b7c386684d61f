"""How fast a load is answered on given GPUs, before and after a change."""

from core.answers.answer import Answer
from core.answers.capacity import Carried
from core.estimate.results import ServingEstimate
from core.estimate.serving import ServingRequest, estimate
from core.market.recommendation import Option
from core.workload import InferenceSpec


def pace(found: Answer | None) -> ServingEstimate | None:
    """The waits at the load that is stated; None: nothing of a service is known."""
    spec = found.workload.spec if found and found.workload else None
    best = found.ways[0].of if found and found.ways else None
    if not isinstance(spec, InferenceSpec) or not isinstance(best, Option | Carried):
        return None
    plan = best.plan if isinstance(best, Option) else best
    each = plan.capacity.layout.gpus
    asked = ServingRequest(
        model=spec.model,
        gpu=plan.gpu,
        gpus=each,
        weights=plan.weights,
        input_tokens=spec.input_tokens,
        output_tokens=spec.output_tokens,
        rps=spec.load.rps / plan.replicas,
        cache_hit_rate=spec.cache_hit_rate,
    )
    told = estimate(asked)
    return told if told.fits else None
