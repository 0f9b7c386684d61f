"""How fast a load is answered on given GPUs, before and after a change."""

from core.answers.answer import Answer
from core.answers.capacity import Carried
from core.estimate.results import Range, ServingEstimate
from core.estimate.serving import ServingRequest, estimate
from core.market.recommendation import FleetPlan, Option
from core.workload import InferenceSpec


def pace(found: Answer | None) -> ServingEstimate | None:
    """The waits at the load that is stated; None: nothing of a service is known."""
    spec = found.workload.spec if found and found.workload else None
    best = found.ways[0].of if found and found.ways else None
    if not isinstance(spec, InferenceSpec) or not isinstance(best, Option | Carried):
        return None
    plan = best.plan if isinstance(best, Option) else best
    return _loaded(plan, spec, rps=spec.load.rps / plan.replicas)


def at_batch(best: Carried, spec: InferenceSpec, batch: float) -> Range | None:
    """Tokens per second of all with so many in flight; None: memory holds fewer."""
    if batch > best.room:
        return None
    told = _loaded(best, spec, concurrency=batch / best.replicas)
    if told is None:
        return None
    most, every = best.output_tokens_per_second, told.tokens_per_second
    every = every.scaled(best.replicas)
    within = batch <= best.in_flight.likely and every.likely > most.likely
    return most if within else every


def _loaded(
    plan: FleetPlan | Carried,
    spec: InferenceSpec,
    rps: float | None = None,
    concurrency: float | None = None,
) -> ServingEstimate | None:
    """One replica at a load; None: the model does not fit."""
    asked = ServingRequest(
        model=spec.model,
        gpu=plan.gpu,
        gpus=plan.capacity.layout.gpus,
        weights=plan.weights,
        input_tokens=spec.input_tokens,
        output_tokens=spec.output_tokens,
        cache_hit_rate=spec.cache_hit_rate,
        rps=rps,
        concurrency=concurrency,
    )
    told = estimate(asked)
    return told if told.fits else None
