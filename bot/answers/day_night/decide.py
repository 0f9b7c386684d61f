"""Live by day, a pile at night: one fleet for both, or each apart."""

from bot.answers.day_night.view import day_night_view, explain_day_night
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unresolved_view
from bot.question.question import Answered, Question
from core.answers.day_night import recommend_day_night
from core.resolve import Unresolved


def day_night(question: Question) -> Answered:
    """Live by day, a pile at night: one fleet for both, or each apart."""
    found = recommend_day_night(question.query, question.defaults, question.shop)
    if isinstance(found, Unresolved):
        return Answered(unresolved_view(question.query, found))
    return Page(question).drawn(found, day_night_view, explain_day_night)
