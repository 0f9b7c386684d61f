"""Answers to "this model or that one": each is sized for the same load."""

import re

from msgspec.structs import replace

from bot.answers.compare_models.view import explain_rivals, rivals_view
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from core.answers.model_comparison import ModelRivals
from core.market.recommendation import Recommendation
from core.sizing.serving import recommend_serving

MOST = 4
"""Models that are held against each other; a longer list is a study, not a question."""


def fields_of_rival(rival: str) -> dict[str, str | float | None]:
    """A rival's fields: a size alone, as "70b", or a name."""
    sized = re.fullmatch(r"(\d+(?:\.\d+)?)b", rival)
    return {
        "model": None if sized else rival,
        "params_b": float(sized[1]) if sized else None,
        "active_params_b": None,
    }


def compare_models(question: Question) -> Answered | None:
    """Size every named model; None: only one is named, or one cannot be read."""
    query = question.query
    if not query.rivals or query.kind not in (None, "inference"):
        return None
    answers: list[Recommendation] = []
    own = {"model": query.model, "params_b": query.params_b}
    own["active_params_b"] = query.active_params_b
    for each in (own, *map(fields_of_rival, query.rivals[: MOST - 1])):
        # One load for all: a model that thinks is held to the same lengths.
        update = {**each, "rivals": None, "use": query.use or "chat"}
        asked = replace(question, query=query.model_copy(update=update))
        resolved = serving(asked)
        if isinstance(resolved, Answered):
            return resolved
        market = question.market
        answers.append(recommend_serving(resolved, spec_of(resolved), *market))
    found = ModelRivals(tuple(answers))
    return Page(question).drawn(found, rivals_view, explain_rivals)
