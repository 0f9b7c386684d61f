"""A "no": the arithmetic first, then the nearest yes."""

from bot.answers.jobs.phrases import plain_gpu
from bot.answers.shared.figures import (
    at_seller,
    chips,
    gpu_name,
    price_sources,
)
from bot.answers.shared.page import Page
from bot.answers.sizing.view import GPU_REASONS, rejected_note, sizing_view
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.answer import Rejection
from core.market.board import billed_gpus
from core.market.hours import paid_per_used
from core.market.recommendation import Option, Recommendation
from core.market.spending import Ceiling, ceiling, per_million_words
from core.offers import Offer
from core.reference.catalogue import Reference
from core.sizing.serving import affordable
from core.workload import InferenceSpec, WorkloadSpec


def no_view(found: Recommendation, page: Page) -> AnswerView:
    """Why there is no fleet to recommend, and what comes nearest."""
    if found.status == "over_budget":
        return _over_budget(found, page)
    reasons = [r for r in found.rejections if r.rule in GPU_REASONS]
    why = "; ".join(_reason(rejection) for rejection in reasons[:2])
    slow = f" {say('sizing.no_wait_is_kept')}" if why and found.late else ""
    verdict = _verdict(found, bool(reasons), page.reference)
    return page.answer(
        kind="no",
        verdict=verdict + _nearest(found, page.reference),
        why=f"{why}.{slow}" if why else rejected_note(found),
        chips=chips(found.resolved.assumptions),
        small_print=(
            *((rejected_note(found),) if why else ()),
            *((price_sources([found.nearest.option.offer]),) if found.nearest else ()),
        ),
    )


def _reason(rejection: Rejection) -> str:
    """Why not, with the GPU named once."""
    named = rejection.subject in rejection.why
    return plain_gpu(
        rejection.why if named else f"{rejection.subject}: {rejection.why}"
    )


def _nearest(found: Recommendation, reference: Reference) -> str:
    """The nearest yes, and what has to give for it."""
    if found.nearest is None:
        return ""
    option = found.nearest.option
    return say(
        "sizing.nearest",
        words=found.nearest.words,
        gpus=option.gpus,
        gpu_name=gpu_name(option.plan.gpu),
        at_seller=at_seller(option.offer, reference) + _place(option.offer),
        usd_per_month=option.usd_per_month,
    )


def _place(offer: Offer) -> str:
    """Where it stands, where its price says so."""
    return say("sizing.place", region=offer.region) if offer.region else ""


def _verdict(found: Recommendation, looked_at: bool, reference: Reference) -> str:
    """Whether nothing is sold so, or what is sold does not do."""
    if found.unpriced:
        plan = found.unpriced[0]
        return say(
            "sizing.enough_but_no_offer", gpus=plan.gpus, gpu_name=gpu_name(plan.gpu)
        )
    if not looked_at:
        return say("sizing.we_know_no_offer")
    limits = found.resolved.spec.constraints
    named = [gpu_name(reference.gpus[one]).split() for one in limits.gpus]
    alike = [one for one, *others in zip(*named, strict=False) if {one} >= {*others}]
    if limits.count and alike:
        name = " ".join(alike)
        return say("sizing.no_with_counted", gpus=limits.count, gpu_name=name)
    return say("sizing.nothing_meets_your_limits")


def _over_budget(found: Recommendation, page: Page) -> AnswerView:
    view = sizing_view(found, page)
    limits = found.resolved.spec.constraints
    best, notes = found.options[0], view.notes
    most, token = (
        ceiling(limits.budget, page.now),
        ceiling(limits.per_million, page.now),
    )
    wanted = []
    if most is not None and not affordable(best, most, limits):
        wanted.append(most.words)
        notes = (
            *_within(found, most),
            *_reach(best, most, found.resolved.spec),
            *notes,
        )
    if token is not None and best.usd_per_million_output_tokens > token.usd:
        wanted.append(per_million_words(limits, page.now))
    said = " and ".join(wanted) or say("sizing.all_your_limits_together")
    if most is not None and (kept := found.kept_by):
        usd, lever = kept.usd_per_month, kept.lever.text
        verdict = say("sizing.not_as_asked", said=said, lever=lever, usd=usd)
        return view.model_copy(
            update={"verdict": f"{verdict} {view.verdict}", "notes": notes}
        )
    if most is not None and wanted == [most.words] and _within(found, most):
        verdict = say("sizing.not_all_day", said=said, verdict=view.verdict)
    else:
        verdict = say("sizing.not_for_nearest", said=said, verdict=view.verdict)
    return view.model_copy(update={"kind": "no", "verdict": verdict, "notes": notes})


PAID_OTHERWISE = ("autoscale", "serverless-low-traffic", "low-traffic", "spot-live")
"""Levers that pay for the same requests in another way."""


def _within(found: Recommendation, most: Ceiling) -> tuple[str, ...]:
    """Other ways to pay for the same requests that keep the budget, cheapest first."""
    best, limits = found.options[0], found.resolved.spec.constraints
    paid, kept = paid_per_used(best.offer, limits), []
    for lever in found.levers:
        usd = best.usd_per_month + (lever.usd_difference or 0)
        hourly = best.usd_per_hour * usd / best.usd_per_month
        if lever.rule in PAID_OTHERWISE and most.allows(
            hourly, limits, paid_per_used=paid
        ):
            kept.append((usd, lever.text.partition(": ")[0]))
    if not kept or found.kept_by:
        return ()
    ways = [say("sizing.way_within", name=name, usd=usd) for usd, name in sorted(kept)]
    return (say("sizing.ways_within_budget", ways=" · ".join(ways[:2])),)


def _reach(best: Option, most: Ceiling, spec: WorkloadSpec) -> tuple[str, ...]:
    """How much of the load the budget carries on the winner; nothing: none of it."""
    if not isinstance(spec, InferenceSpec):
        return ()
    plan, limits = best.plan, spec.constraints
    each = billed_gpus(best.offer, plan.replica_gpus)
    one = most.spent(best.offer.usd_per_gpu_hour * each, limits)
    replicas = int(most.usd / one)
    if not replicas:
        return ()
    rate = replicas * spec.load.rps / plan.replicas
    part = say("sizing.of_the_gpus", replicas=replicas * each, gpus=best.gpus)
    return (say("sizing.budget_share", part=part, rate=rate),)
