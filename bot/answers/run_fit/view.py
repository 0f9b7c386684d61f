"""Does a run fit: what is trained, what it holds per GPU, and the nearest yes."""

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
from core.estimate.training_memory import usable_bytes
from core.jobs.options import JobAnswer, JobPlan, JobSpec
from core.jobs.runs import least_bytes
from core.reference.catalogue import Reference
from core.units import GB
from core.wording import dollars, significant


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
            "verdict": _verdict(found, spec, way, page.reference),
            "why": f"{_sum(way)} {view.why}".strip(),
        }
    )


def _way(found: JobAnswer) -> JobPlan | None:
    """What fits, whether anybody sells it or not."""
    if found.best is not None:
        return found.best.plan
    return found.unpriced[0] if found.unpriced else None


def _verdict(
    found: JobAnswer, spec: JobSpec, way: JobPlan, reference: Reference
) -> str:
    if not spec.constraints.gpus and found.best is not None:
        best = verdict_words(found.best, spec, reference)
        return f"{work_begun(spec)} fits {best}"
    have = usable_bytes(way.gpu) / GB
    used = f"{significant(way.memory_gb or 0)} of {significant(have)} GB"
    lean = ", but only with a leaner optimiser" if way.lean else ""
    price = f", {dollars(found.best.usd)} a run" if found.best else ", no price known"
    return (
        f"Yes: {way.gpus} × {gpu_name(way.gpu)} hold {work_words(spec)}, {used} per "
        f"GPU{lean}; {hours_words(way.hours.likely)}{price}"
    )


def _sum(way: JobPlan) -> str:
    """The parts of one GPU's memory, the largest first."""
    if way.run is None:
        return ""
    parts = sorted(way.run.estimate.memory_parts_gb.items(), key=lambda part: -part[1])
    each = ", ".join(f"{name} {significant(size)} GB" for name, size in parts)
    least = least_bytes(way.run.request) / GB
    held = f"the run holds {significant(least)} GB at least"
    return plain_gpu(f"Per GPU: {each}; {held}.")
