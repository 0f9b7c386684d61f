"""Does a run fit: what is trained, what it holds per GPU, and the nearest yes."""

from msgspec.structs import replace

from bot.answers.jobs.phrases import (
    hours_words,
    plain_gpu,
    verdict_words,
    work_begun,
    work_words,
)
from bot.answers.jobs.unfit import job_no_view
from bot.answers.jobs.view import job_view
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from bot.render.words import say
from core.estimate.training import estimate
from core.estimate.training_memory import usable_bytes
from core.jobs.options import JobAnswer, JobPlan
from core.jobs.runs import least_bytes
from core.market.spending import ceiling
from core.reference.catalogue import Reference
from core.resolve.constraints import resolve_constraints
from core.units import GB
from core.workload import JobSpec


def run_fit_view(found: JobAnswer, page: Page) -> AnswerView:
    """Yes or no first, then the sum of the memory and what the run would cost."""
    spec = found.spec
    way = _way(found)
    if way is None:
        return job_no_view(found, page)
    view = (job_view if found.options else job_no_view)(found, page)
    return view.model_copy(
        update={
            "kind": "answer",
            "verdict": _verdict(found, spec, way, page),
            "why": f"{_sum(way)} {view.why}".strip(),
        }
    )


def _way(found: JobAnswer) -> JobPlan | None:
    """What fits, whether anybody sells it or not."""
    if found.best is not None:
        return found.best.plan
    return found.unpriced[0] if found.unpriced else None


def _verdict(found: JobAnswer, spec: JobSpec, way: JobPlan, page: Page) -> str:
    if not spec.constraints.gpus and found.best is not None:
        best = verdict_words(found.best, spec, page.reference)
        least = least_bytes(way.run.request) / GB if way.run else way.memory_gb or 0
        needs = say(
            "run_fit.needs_in_all",
            least=least,
            run=_with_activations(way, page.reference),
        )
        return needs + say("run_fit.fits", work_begun=work_begun(spec), best=best)
    have = usable_bytes(way.gpu) / GB
    used = say("run_fit.of_gb", memory_gb=way.memory_gb or 0, have=have)
    lean = say("run_fit.leaner_optimiser") if way.lean else ""
    price = (
        say("run_fit.a_run", usd=found.best.usd)
        if found.best
        else say("run_fit.no_price_known")
    )
    return say(
        "run_fit.yes_hold_per_gpu",
        within=_within_budget(found, page),
        gpus=way.gpus,
        gpu_name=gpu_name(way.gpu),
        work_words=work_words(spec),
        used=used,
        lean=lean,
        hours_words=hours_words(way.hours.likely),
        price=price,
    )


def _within_budget(found: JobAnswer, page: Page) -> str:
    """That a stated sum pays for the run; empty: none is stated, or it does not."""
    budget = resolve_constraints(page.question.query, page.reference).budget
    once = budget and budget.model_copy(update={"period": "total"})
    most = ceiling(once, page.now)
    if most is None or found.best is None or found.best.usd > most.usd:
        return ""
    return say("run_fit.within", words=most.words)


def _with_activations(way: JobPlan, reference: Reference) -> str:
    """What one GPU that is large enough holds, with activations recomputed."""
    if way.run is None or way.run.request.micro_batch is None:
        return ""
    roomy = max(reference.gpus.values(), key=lambda gpu: gpu.memory_gb)
    request = replace(way.run.request, gpu=roomy, gpus=1, checkpointing=True)
    held = estimate(request)
    if not held.fits:
        return ""
    return say(
        "run_fit.with_activations",
        total=sum(held.memory_parts_gb.values()),
        sequence=request.sequence,
        batch=request.micro_batch,
    )


def _sum(way: JobPlan) -> str:
    """The parts of one GPU's memory, the largest first."""
    if way.run is None:
        return ""
    parts = sorted(way.run.estimate.memory_parts_gb.items(), key=lambda part: -part[1])
    each = ", ".join(say("run_fit.gb", name=name, size=size) for name, size in parts)
    total = way.memory_gb or 0
    return plain_gpu(say("run_fit.per_gpu", total=total, each=each))
