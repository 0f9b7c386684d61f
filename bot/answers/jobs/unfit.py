"""A "no" to a job: the arithmetic first, then the nearest yes."""

from bot.answers.jobs.phrases import (
    budget_words,
    hours_words,
    per_run,
    plain_gpu,
    sold_by,
    verdict_words,
    work_words,
)
from bot.answers.jobs.view import job_table, job_view, small_print
from bot.answers.shared.figures import (
    chips,
    gpu_name,
)
from bot.answers.shared.left_out import left_out
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Lever
from bot.render.words import say
from core.estimate.jobs import request_for
from core.estimate.training_memory import usable_bytes
from core.estimate.training_shape import shape_of
from core.jobs.options import JobAnswer, NearestYes
from core.jobs.runs import is_full, least_bytes
from core.reference.catalogue import Reference
from core.units import GB
from core.workload import BatchSpec, JobSpec


def job_no_view(found: JobAnswer, page: Page) -> AnswerView:
    """Why it cannot be done as asked, and what can."""
    spec = found.spec
    nearest = tuple(_nearest(yes, spec, page.reference) for yes in found.nearest)
    if found.options:
        view = job_view(found, page)
        return view.model_copy(
            update={
                "kind": "no",
                "verdict": _limit(found, spec, page.reference),
                "levers": nearest[:3] or view.levers,
            }
        )
    return page.answer(
        kind="no",
        verdict=_never(found, spec, page.reference)
        + _first(found, spec, page.reference),
        why=_because(found),
        table=job_table(found, spec, page.reference, page.now)
        if found.options
        else None,
        levers=nearest,
        chips=chips(found.resolved.assumptions),
        # A single rejection is the verdict itself.
        notes=(
            *found.notes,
            *_said(left_out(found.rejections[1:] and found.rejections)),
        ),
        small_print=small_print(found, page),
    )


def _said(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _limit(found: JobAnswer, spec: JobSpec, reference: Reference) -> str:
    """The budget or the deadline that nothing keeps, beside the nearest that is."""
    best = found.options[0]
    way = verdict_words(best, spec, reference)
    if found.status == "too_late" and spec.deadline_hours is not None:
        return say(
            "jobs.not_within_fastest",
            hours_words=hours_words(spec.deadline_hours),
            way=way,
        )
    share = found.affordable
    budget = budget_words(found, spec)
    buys = (
        say("jobs.it_pays_for", share=share, part=_part(spec, share)) if share else ""
    )
    return say("jobs.not_for_cheapest", budget=budget, buys=buys, way=way)


def _part(spec: JobSpec, share: float) -> str:
    """What a share of the job amounts to."""
    if isinstance(spec, BatchSpec):
        return say("jobs.requests", requests=spec.requests * share)
    return say("jobs.dataset_tokens", tokens=spec.tokens * share)


def _never(found: JobAnswer, spec: JobSpec, reference: Reference) -> str:
    """The sum that does not come out."""
    if found.status == "unpriced":
        way = found.unpriced[0]
        return say(
            "jobs.fits_but_no_offer",
            gpus=way.gpus,
            gpu_name=gpu_name(way.gpu),
            hours_words=hours_words(way.hours.likely),
        )
    limits = spec.constraints
    if isinstance(spec, BatchSpec) or not limits.gpus:
        return say("jobs.nothing_meets_your_limits", work_words=work_words(spec))
    gpu, cards = reference.gpus[limits.gpus[0]], limits.count
    have = usable_bytes(gpu) * (cards or 1) / GB
    where = (
        f"{cards} × {gpu_name(gpu)}"
        if cards
        else say("jobs.one_gpu", gpu_name=gpu_name(gpu))
    )
    params = shape_of(spec.model).params / GB
    if is_full(spec):
        held = say(
            "jobs.gb_of_weights_gradients", value=16 * params, value_2=18 * params
        )
        return say(
            "jobs.no_needs_has_gb",
            work_words=work_words(spec),
            held=held,
            where=where,
            have=have,
        )
    least = least_bytes(request_for(spec, gpu, 1)) / GB
    if least < have and (cards or 1) > 1:
        return say("jobs.only_with_slow_cpu", least=least, have=have, where=where)
    return say(
        "jobs.no_does_not_fit", work_words=work_words(spec), have=have, where=where
    )


def _first(found: JobAnswer, spec: JobSpec, reference: Reference) -> str:
    """The two nearest yeses, in the verdict itself."""
    ways = ((yes.change, _way(yes, spec, reference)) for yes in found.nearest[:2])
    told = [f"{change}, {way}" for change, way in ways]
    return say("jobs.first", ways="; or ".join(told)) if told else ""


def _way(yes: NearestYes, spec: JobSpec, reference: Reference) -> str:
    option = yes.option
    if option is None:
        cards = f"{yes.plan.gpus} × {gpu_name(yes.plan.gpu)}"
        return say(
            "jobs.no_price_known",
            cards=cards,
            hours_words=hours_words(yes.plan.hours.likely),
        )
    return say(
        "jobs.verdict_at",
        gpus=option.gpus,
        gpu_name=gpu_name(yes.plan.gpu),
        sold_by=sold_by(option, reference),
        usd=option.usd,
        per_run=per_run(spec),
        hours_words=hours_words(option.hours),
    )


def _nearest(yes: NearestYes, spec: JobSpec, reference: Reference) -> Lever:
    change = yes.change[0].upper() + yes.change[1:]
    return Lever(text=f"{change}: {_way(yes, spec, reference)}", difference="")


def _because(found: JobAnswer) -> str:
    """What the estimate says of the first that was refused."""
    reasons = [r for r in found.rejections if r.rule in ("fits", "no-link-one-machine")]
    return plain_gpu(reasons[0].why) + "." if reasons else ""
