"""Whether a reservation pays."""

from msgspec.structs import replace

from bot.answers.shared.page import Page
from bot.answers.terms.view import explain_terms, terms_view
from bot.question.question import Answered, Question
from core.answers.terms import answer_terms
from core.market.named_gpus import named_gpus
from core.resolve.constraints import resolve_constraints


def terms(question: Question) -> Answered | None:
    """Whether a reservation pays; None: no GPU is named, or no price is known."""
    query, reference = question.query, question.reference
    gpus = named_gpus(query, reference)
    if not gpus:
        return None
    limits = resolve_constraints(query, reference)
    market = (question.catalog, reference, question.now)
    found = answer_terms(gpus[0], limits, *market, query.utilization or 1)
    if found is not None:
        found = replace(found, least=query.least_in_use)
    return Page(question).drawn(found, terms_view, explain_terms) if found else None
