"""A question back before odd figures are taken for advice."""

from msgspec.structs import replace

from bot.question.question import Answered, Question
from core.answers.sanity import doubted

ADVISING = ("size", "run_cost", "lifecycle", "compare", "breakeven", None)
"""Intents whose answer is acted on; a bill that is asked for is only a figure."""


def did_you_mean(answered: Answered, question: Question) -> Answered:
    """Ask before the answer where it is odd; the figures stand behind the question."""
    found = answered.figures
    if found is None or question.query.intent not in ADVISING:
        return answered
    asked = doubted(question.query, found)
    if not asked:
        return answered
    view = answered.view
    table = view.table and view.table.model_copy(update={"winner": None})
    shown = answered.redrawn(
        verdict=asked, why=f"{view.verdict}. {view.why}".strip(), table=table
    )
    return replace(shown, doubted=True)
