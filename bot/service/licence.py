"""A word on weights that a business may not simply use."""

from bot.question.question import Answered, Question
from bot.render.words import say
from core.reference.licences import licence_of


def with_licence(found: Answered, question: Question) -> Answered:
    """Name the licence of the model asked about, where it limits commercial use."""
    model = question.query.model
    limited = licence_of(model) if model and found.figures is not None else None
    if limited is None:
        return found
    return found.noted(
        say(
            "service.licence",
            name=limited.name,
            limit=limited.limit,
            source=limited.source,
        )
    )
