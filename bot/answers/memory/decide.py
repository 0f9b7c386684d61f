"""How many gigabytes a model takes, and what holds them."""

from bot.answers.memory.view import explain_memory, memory_view
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from core.answers.memory_need import answer_memory


def memory_needed(question: Question) -> Answered:
    """How many gigabytes a model takes, and what holds them."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    market = question.market
    found = answer_memory(question.query, resolved, spec_of(resolved), *market)
    return Page(question).drawn(found, memory_view, explain_memory)
