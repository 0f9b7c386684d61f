"""Train once and serve for months, and when serving has cost as much."""

from bot.answers.lifecycle.cost_crossover import (
    cost_crossover_view,
    explain_cost_crossover,
)
from bot.answers.lifecycle.view import explain_lifecycle, lifecycle_view
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unresolved_view
from bot.question.question import Answered, Question
from core.answers.cost_crossover import answer_cost_crossover
from core.answers.lifecycle import recommend_lifecycle
from core.resolve import Unresolved


def lifecycle(question: Question) -> Answered:
    """Train once and serve for months; of two stated sums only the day is asked."""
    query, page = question.query, Page(question)
    if (even := answer_cost_crossover(query, question.now)) is not None:
        return page.drawn(even, cost_crossover_view, explain_cost_crossover)
    found = recommend_lifecycle(query, question.defaults, question.shop)
    if isinstance(found, Unresolved):
        return Answered(unresolved_view(query, found))
    return page.drawn(found, lifecycle_view, explain_lifecycle)
