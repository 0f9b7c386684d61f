"""What the named GPUs carry within the latency limits."""

from bot.answers.capacity.view import capacity_view, explain_capacity
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered, Question
from core.answers.capacity import answer_capacity


def capacity(question: Question) -> Answered:
    """What the named GPUs carry within the latency limits."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    market = question.market
    found = answer_capacity(question.query, resolved, spec_of(resolved), *market)
    return Page(question).drawn(found, capacity_view, explain_capacity)
