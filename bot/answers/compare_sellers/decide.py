"""The same hardware at several sellers, or several machines."""

from collections.abc import Sequence

from bot.answers.compare_sellers.view import explain_offers, offers_view
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from core.answers.compare import compare_offers
from core.market.contenders import Contender
from core.resolve.constraints import resolve_constraints


def at_size(question: Question, alternatives: Sequence[Contender]) -> Answered:
    """The bill of each alternative at the stated size."""
    limits = resolve_constraints(question.query, question.reference)
    market = question.market
    query = question.query
    live = query.kind == "inference" and not query.interruptible
    found = compare_offers(alternatives, limits, *market, live=live)
    return Page(question).drawn(found, offers_view, explain_offers)
