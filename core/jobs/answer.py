"""The whole answer about a bounded job: options, levers, the nearest yes to a no."""

from collections.abc import Sequence

from msgspec.structs import replace

from core.jobs.levers import api_lever, job_levers
from core.jobs.nearest import nearest_to
from core.jobs.options import JobAnswer
from core.jobs.recommend import Shop, as_measured, recommend_job
from core.market.api_market import usable_apis
from core.money.api import ApiPrice
from core.wording import say
from core.workload import BatchSpec, JobSpec, Resolved, is_job

SHOWN_LEVERS = 3
MODEST_RUN = 32
"""GPUs of a run that a team rents without a date that forces it to."""
LONGER_HOURS = (168, 336, 720)
"""What a run without a date may take instead, before it needs more GPUs than that."""


def answer_job(
    resolved: Resolved, spec: JobSpec, shop: Shop, apis: Sequence[ApiPrice] = ()
) -> JobAnswer:
    """Recommend, then say what would change the price, or what would do instead."""
    spec = as_measured(spec, shop)
    resolved = resolved.model_copy(update={"spec": spec})
    found = unhurried_job(resolved, spec, shop)
    spec = found.spec
    levers = list(job_levers(found, spec, shop))
    best = found.best
    if isinstance(spec, BatchSpec) and best is not None and apis:
        sold = usable_apis(apis, spec, shop.reference)
        other = api_lever(spec, best, sold)
        levers = [*levers[: SHOWN_LEVERS - 1], other] if other else levers
    return replace(found, levers=tuple(levers), nearest=nearest_to(found, spec, shop))


def unhurried_job(resolved: Resolved, spec: JobSpec, shop: Shop) -> JobAnswer:
    """Recommend; a run without a date takes longer before it takes a crowd of GPUs."""
    found = recommend_job(resolved, spec, shop)
    for hours in LONGER_HOURS:
        if found.best is None or found.best.gpus <= MODEST_RUN:
            break
        if isinstance(spec, BatchSpec) or not 0 < (spec.horizon_hours or 0) < hours:
            continue
        longer = _with_longer(resolved, hours)
        if not is_job(longer.spec):
            continue
        again = recommend_job(longer, longer.spec, shop)
        if again.best is not None and again.best.gpus < found.best.gpus:
            resolved, spec, found = longer, longer.spec, again
    return found


def _with_longer(resolved: Resolved, hours: float) -> Resolved:
    """The same run with more time, which nobody limited."""
    value = say("assumptions.about", value=hours)
    assumed = tuple(
        one
        if one.field != "deadline_hours"
        else one.model_copy(update={"value": value})
        for one in resolved.assumptions
    )
    longer = resolved.spec.model_copy(update={"horizon_hours": hours})
    return resolved.model_copy(update={"spec": longer, "assumptions": assumed})
