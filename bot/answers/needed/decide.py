"""Whether named GPUs are needed: the work without them first, then with them."""

from msgspec.structs import replace

from bot.answers.shared.figures import gpu_name, provider_name
from bot.question.question import Answered, Handler, Question
from bot.render.words import say
from core.answers.answer import Way
from core.money.costs import exact
from core.wording import dollars


def needed(question: Question, answer: Handler) -> Answered | None:
    """A no with what does it, or a yes; None: there is nothing to do it with."""
    query, known = question.query, question.reference
    lacks = query.clarify.about if query.clarify else ()
    example = {"clarify": None} if lacks == ("dataset_tokens",) else {}
    named = query.model_copy(update={"wanted": None, "count": None, **example})
    free = named.model_copy(update={"gpu": None})
    best, told = (answer(replace(question, query=one)) for one in (free, named))
    way, other = _first(best), _first(told)
    if not query.gpu or way is None or way.offer is None:
        return None
    verdict = best.view.verdict
    if other is None or other.offer is None:
        return best.redrawn(verdict=say("needed.cannot", verdict=verdict))
    if way.offer.gpu == other.offer.gpu:
        return best.redrawn(verdict=say("needed.is_needed", verdict=verdict))
    usd, span = other.money.headline
    beside = say(
        "needed.not_needed",
        verdict=verdict,
        gpus=other.gpus,
        name=gpu_name(known.gpus[other.offer.gpu]),
        seller=provider_name(other.offer.provider, known),
        usd=f"{dollars(usd or exact(0))}{span}",
    )
    return best.redrawn(verdict=beside)


def _first(found: Answered) -> Way | None:
    return next(iter(found.figures.ways), None) if found.figures else None
