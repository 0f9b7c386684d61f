"""What a million tokens costs on each GPU, full and as used as GPUs are."""

from bot.answers.served import serving
from bot.answers.shared.api_book import api_book
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.answers.unit_price.view import explain_unit_price, unit_price_view
from bot.question.question import Answered, Question
from core.answers.unit_price import answer_unit_price


def unit_price(question: Question) -> Answered | None:
    """What a million tokens costs on each GPU; None: so few do not serve it in time."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    spec, market = spec_of(resolved), (question.catalog, question.reference)
    book = api_book(question.query, spec.model, question.now)
    apis = (book.hosted, book.similar)
    found = answer_unit_price(resolved, spec, *apis, *market, question.now)
    if question.query.count and found.best is None:
        return None
    return Page(question).drawn(found, unit_price_view, explain_unit_price)
