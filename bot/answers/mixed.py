"""Two kinds of work: live and a pile at night, else a run and its service."""

from bot.answers.day_night.decide import day_night
from bot.answers.lifecycle.decide import lifecycle
from bot.question.question import Answered, Question


def mixed(question: Question) -> Answered:
    """Two kinds of work: live and a pile at night, else a run and its service."""
    return (day_night if question.query.day_and_night else lifecycle)(question)
