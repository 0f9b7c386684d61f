"""The smallest GPU that a model runs on, format by format."""

from bot.answers.shared.arithmetic import explanation
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    price_sources,
    provider_name,
    share_action,
    why_action,
)
from bot.answers.shared.serving import serving, spec_of
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from core.answers.smallest import Smallest, answer_smallest
from core.reference.catalogue import Reference
from core.wording import count, dollars, significant


def smallest_asked(question: Question) -> Answered:
    """Which single GPU is enough."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    query, reference, now = question.query, question.reference, question.now
    found = answer_smallest(
        query, resolved, spec_of(resolved), question.catalog, reference, now
    )
    name = found.spec.model.name
    lines = [_line(one, reference) for one in found.found]
    offers = [one.bill.offer for one in found.found if one.bill]
    verdict = (
        f"{lines[0]}: the smallest GPU for {name}"
        if lines
        else f"No single GPU holds {name}"
    )
    assumed = [a for a in resolved.assumptions if a.field in ASSUMED]
    view = AnswerView(
        kind="answer" if lines else "no",
        id=question.answer_id,
        question=query.text,
        verdict=verdict,
        why=" ".join(f"{line}." for line in lines[1:])
        + f" One request of {count(found.context)} tokens at least fits beside the "
        "weights.",
        chips=chips(assumed),
        small_print=(price_sources(offers),) if offers else (),
        actions=(share_action(question.answer_id), why_action(question.answer_id)),
    )
    why = explanation(
        question.answer_id, query.text, now, [view.why], assumed, ("fits",)
    )
    return Answered(view, why, found)


ASSUMED = ("model", "input_tokens", "output_tokens")


def _line(one: Smallest, reference: Reference) -> str:
    held = f"{count(one.requests)} request{'' if one.requests == 1 else 's'} at once"
    name = f"{gpu_name(one.gpu)} ({significant(one.gpu.memory_gb)} GB)"
    said = f"{name} in {one.weights.upper()}, {held}"
    if one.bill is None:
        return said
    seller = provider_name(one.bill.offer.provider, reference)
    return f"{said}, {dollars(one.bill.usd_per_month)}/month at {seller}"
