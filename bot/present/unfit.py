"""A "no": the arithmetic first, then the nearest yes."""

from datetime import datetime

from bot.present.figures import (
    chips,
    gpu_name,
    pricing_words,
    provider_name,
    share_action,
    why_action,
)
from bot.present.sizing import GPU_REASONS, rejected_note, sizing_view
from bot.views import AnswerView
from core.recommend.recommendation import Recommendation
from core.recommend.spending import ceiling
from core.reference.catalogue import Reference
from core.wording import dollars


def no_view(
    found: Recommendation,
    answer_id: str,
    question: str,
    reference: Reference,
    now: datetime,
) -> AnswerView:
    """Why there is no fleet to recommend, and what comes nearest."""
    if found.status == "over_budget":
        return _over_budget(found, answer_id, question, reference, now)
    reasons = [r for r in found.rejections if r.rule in GPU_REASONS]
    why = "; ".join(f"{r.subject}: {r.why}" for r in reasons[:2])
    unpriced = found.unpriced[0] if found.unpriced else None
    verdict = (
        f"{unpriced.gpus} × {gpu_name(unpriced.gpu)} would carry it, "
        "but no offer is known under these conditions"
        if unpriced
        else "No GPU that may be used here carries this load"
    )
    return AnswerView(
        kind="no",
        id=answer_id,
        question=question,
        verdict=verdict + _nearest(found, reference),
        why=why or rejected_note(found),
        chips=chips(found.resolved.assumptions),
        notes=(rejected_note(found),) if why else (),
        actions=(share_action(answer_id), why_action(answer_id)),
    )


def _nearest(found: Recommendation, reference: Reference) -> str:
    """The nearest yes, and what has to give for it."""
    if found.nearest is None:
        return ""
    option = found.nearest.option
    return (
        f". Nearest, {found.nearest.words}: {option.gpus} × "
        f"{gpu_name(option.plan.gpu)} · "
        f"{provider_name(option.offer.provider, reference)} "
        f"{pricing_words(option.offer)} · {dollars(option.usd_per_month)}/month"
    )


def _over_budget(
    found: Recommendation,
    answer_id: str,
    question: str,
    reference: Reference,
    now: datetime,
) -> AnswerView:
    view = sizing_view(found, answer_id, question, reference, now)
    most = ceiling(found.resolved.spec.constraints.budget, now)
    limit = most.words if most else "the budget"
    return view.model_copy(
        update={"kind": "no", "verdict": f"Not for {limit}. Nearest: {view.verdict}"}
    )
