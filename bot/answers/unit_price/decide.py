"""Answers that lead with another figure: gigabytes, dollars a million tokens, time."""

from collections.abc import Callable

from bot.answers.latency.view import explain_quickest, quickest_view
from bot.answers.memory.view import explain_memory, memory_view
from bot.answers.owning.datasheet import PROPERTIES, explain_sheet, sheet_view
from bot.answers.owning.decide import buy_or_rent, energy, terms
from bot.answers.prices.decide import price
from bot.answers.shared.api_book import api_book
from bot.answers.shared.serving import serving, spec_of
from bot.answers.unit_price.view import explain_unit_price, unit_price_view
from bot.question.question import Answered, Handler, Question
from core.answers.capacity import LOAD_FIELDS
from core.answers.datasheet import Property, answer_sheet
from core.answers.memory_need import answer_memory
from core.answers.quickest import answer_quickest
from core.answers.unit_price import answer_unit_price
from core.query import Query
from core.resolve.constraints import resolve_constraints


def handler_of(query: Query) -> Handler | None:
    """Who answers for the figure that is asked for; None: whoever has the intent.

    A stated load, or a counted fleet, has its own price per token and its own latency.
    """
    if query.clarify is not None or query.modality is not None:
        return None
    sized = any(getattr(query, name) is not None for name in LOAD_FIELDS)
    if query.wanted == "memory":
        return memory_needed
    if query.wanted == "sheet":
        return sheet
    if query.gpu and query.wanted in OWNED:
        return OWNED[query.wanted]
    if sized or query.count is not None or query.kind != "inference":
        return None
    return {"usd_per_million": unit_price, "latency": quickest}.get(query.wanted or "")


def _owned(answer: Callable[[Question], Answered | None]) -> Handler:
    """Answer about owned GPUs; a word that names no GPU we know gets a price's "no"."""

    def answered(question: Question) -> Answered:
        return answer(question) or price(question)

    return answered


OWNED: dict[str, Handler] = {
    "energy": _owned(energy),
    "buy_or_rent": _owned(buy_or_rent),
    "term": _owned(terms),
}


def sheet(question: Question) -> Answered:
    """What a GPU is, as its vendor publishes it."""
    query, reference, now = question.query, question.reference, question.now
    asked: Property = next((p for p in PROPERTIES if p == query.sheet), "all")
    limits = resolve_constraints(query, reference)
    found = answer_sheet(query, asked, limits, question.catalog, reference, now)
    if found is None:
        return price(question)
    place = (question.answer_id, query.text, reference, now)
    return Answered(sheet_view(found, *place), explain_sheet(found, *place), found)


def memory_needed(question: Question) -> Answered:
    """How many gigabytes a model takes, and what holds them."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    query, reference, now = question.query, question.reference, question.now
    spec = spec_of(resolved)
    found = answer_memory(query, resolved, spec, question.catalog, reference, now)
    place = (question.answer_id, query.text, reference, now)
    return Answered(memory_view(found, *place), explain_memory(found, *place), found)


def unit_price(question: Question) -> Answered:
    """What a million tokens costs on each GPU, full and as used as GPUs are."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    query, reference, now = question.query, question.reference, question.now
    spec = spec_of(resolved)
    book = api_book(query, spec.model, now)
    found = answer_unit_price(
        resolved, spec, book.hosted, book.similar, question.catalog, reference, now
    )
    place = (question.answer_id, query.text, reference, now)
    view, why = unit_price_view(found, *place), explain_unit_price(found, *place)
    return Answered(view, why, found)


def quickest(question: Question) -> Answered:
    """What answers soonest, and what that costs."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    query, reference, now = question.query, question.reference, question.now
    spec = spec_of(resolved)
    found = answer_quickest(resolved, spec, question.catalog, reference, now)
    place = (question.answer_id, query.text, reference, now)
    view, why = quickest_view(found, *place), explain_quickest(found, *place)
    return Answered(view, why, found)
