"""Answers to "this model or that one": each is sized for the same load."""

from dataclasses import replace

from bot.intents_serving import serving, spec_of
from bot.present.rivals import explain_rivals, rivals_view
from bot.question import Answered, Question
from core.recommend.recommendation import Recommendation
from core.recommend.rivals import ModelRivals
from core.recommend.serving import recommend_serving

MOST = 4
"""Models that are held against each other; a longer list is a study, not a question."""


def compare_models(question: Question) -> Answered | None:
    """Size every named model; None: only one is named, or one cannot be read."""
    query = question.query
    if not query.rivals or query.model is None or query.kind not in (None, "inference"):
        return None
    answers: list[Recommendation] = []
    for name in (query.model, *query.rivals)[:MOST]:
        own = {"model": name, "rivals": None}
        if name != query.model:
            own |= {"params_b": None, "active_params_b": None}
        asked = replace(question, query=query.model_copy(update=own))
        resolved = serving(asked)
        if isinstance(resolved, Answered):
            return resolved
        market = (question.catalog, question.reference, question.now)
        answers.append(recommend_serving(resolved, spec_of(resolved), *market))
    found = ModelRivals(tuple(answers))
    place = (question.answer_id, query.text, question.reference, question.now)
    return Answered(rivals_view(found, *place), explain_rivals(found, *place), found)
