"""A service that is wanted for a stated time only: what that costs, before a month."""

from msgspec.structs import replace

from bot.question.question import Answered, Question
from bot.render.words import say
from core.money.costs import exact
from core.workload import InferenceSpec


def for_its_time(found: Answered, question: Question) -> Answered:
    """The same answer with the sum of its hours first: "try it for one day"."""
    query, answer = question.query, found.figures
    hours = query.duration_hours
    if not hours or answer is None or not answer.ways or answer.workload is None:
        return found
    if not isinstance(answer.workload.spec, InferenceSpec):
        return found
    if answer.status != "ok" or "duration_hours" in answer.applies:
        return found
    best = answer.ways[0]
    if best.offer is None or best.money.hour is None:
        return found
    words = say(
        "service.for_its_time",
        usd=best.money.hour * exact(hours),
        hours=hours,
        hour=best.money.hour,
        verdict=found.view.verdict,
    )
    told = found.redrawn(verdict=words)
    return replace(told, applied=told.applied | {"duration_hours"})
