"""The whole answer about a bounded job: options, levers, the nearest yes to a no."""

from collections.abc import Sequence

from msgspec.structs import replace

from core.jobs.levers import api_lever, job_levers
from core.jobs.nearest import nearest_to
from core.jobs.options import JobAnswer
from core.jobs.recommend import Shop, recommend_job
from core.market.api_market import usable_apis
from core.money.api import ApiPrice
from core.workload import BatchSpec, JobSpec, Resolved

SHOWN_LEVERS = 3


def answer_job(
    resolved: Resolved, spec: JobSpec, shop: Shop, apis: Sequence[ApiPrice] = ()
) -> JobAnswer:
    """Recommend, then say what would change the price, or what would do instead."""
    found = recommend_job(resolved, spec, shop)
    levers = list(job_levers(found, spec, shop))
    best = found.best
    if isinstance(spec, BatchSpec) and best is not None and apis:
        sold = usable_apis(apis, spec, shop.reference)
        other = api_lever(spec, best, sold)
        levers = [*levers[: SHOWN_LEVERS - 1], other] if other else levers
    return replace(found, levers=tuple(levers), nearest=nearest_to(found, spec, shop))
