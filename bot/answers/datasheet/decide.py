"""What a GPU is, as its vendor publishes it."""

from bot.answers.datasheet.view import PROPERTIES, explain_sheet, sheet_view
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from core.answers.datasheet import Property, answer_sheet
from core.resolve.constraints import resolve_constraints


def sheet(question: Question) -> Answered | None:
    """A datasheet's figures; None: no GPU is named."""
    query, reference = question.query, question.reference
    asked: Property = next((p for p in PROPERTIES if p == query.sheet), "all")
    limits = resolve_constraints(query, reference)
    market = question.market
    found = answer_sheet(query, asked, limits, *market)
    return Page(question).drawn(found, sheet_view, explain_sheet) if found else None
