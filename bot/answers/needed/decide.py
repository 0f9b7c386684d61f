"""Whether named GPUs are needed: the work without them first, then with them."""

from msgspec.structs import replace

from bot.answers.shared.figures import gpu_name, provider_name
from bot.question.question import Answered, Handler, Question
from bot.render.words import say
from core.answers.answer import Way
from core.wording import dollars


def needed(question: Question, answer: Handler) -> Answered | None:
    """A no with what does it, or a yes; None: there is nothing to do it with."""
    query = question.query
    if not query.gpu:
        return None
    lacks = query.clarify.about if query.clarify else ()
    if lacks == ("dataset_tokens",):  # an example of a run decides as well
        query = query.model_copy(update={"clarify": None})
    named = query.model_copy(update={"wanted": None, "count": None})
    free = named.model_copy(update={"gpu": None})
    best = answer(replace(question, query=free))
    told = answer(replace(question, query=named))
    way, other = _first(best), _first(told)
    if way is None:
        return None
    if other and way.offer and other.offer and way.offer.gpu == other.offer.gpu:
        return best.redrawn(verdict=say("needed.yes", verdict=best.view.verdict))
    name = gpu_name(question.reference.gpus_named(query.gpu[0])[0])
    beside = say("needed.cannot", name=name)
    if other and other.offer:
        usd, span = other.money.headline
        beside = say(
            "needed.beside",
            gpus=other.gpus,
            name=gpu_name(question.reference.gpus[other.offer.gpu]),
            seller=provider_name(other.offer.provider, question.reference),
            usd=f"{dollars(usd)}{span}" if usd is not None else say("needed.unpriced"),
        )
    verdict = say("needed.no", verdict=best.view.verdict, beside=beside)
    return best.redrawn(verdict=verdict)


def _first(found: Answered) -> Way | None:
    ways = found.figures.ways if found.figures else ()
    return ways[0] if ways else None
