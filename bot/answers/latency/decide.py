"""What answers soonest, and what that costs."""

from bot.answers.latency.view import explain_quickest, quickest_view
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from core.answers.quickest import answer_quickest


def quickest(question: Question) -> Answered:
    """What answers soonest, and what that costs."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    market = question.market
    found = answer_quickest(resolved, spec_of(resolved), *market)
    return Page(question).drawn(found, quickest_view, explain_quickest)
