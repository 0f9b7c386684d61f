"""The few things that buttons say by themselves."""

from bot.render.views import AnswerView
from prices.records.feedback import Verdict


def gone_view() -> AnswerView:
    """An answer that nobody has any more."""
    return _hint("That answer is gone. Please ask again.")


def noted_view(verdict: Verdict) -> AnswerView:
    """That an opinion was written down, and what helps at once."""
    if verdict == "good":
        return _hint("Thank you for telling us.")
    return _hint(
        "Thank you for telling us.",
        "Press Change to correct an assumption, or Why? to see the arithmetic.",
    )


def saved_view(count: int) -> AnswerView:
    """How many settings a form changed."""
    changed = f"{count} setting{'s' if count != 1 else ''} changed."
    return _hint(changed, "/gpucost settings shows all settings and who changed them.")


def _hint(verdict: str, why: str = "") -> AnswerView:
    return AnswerView(kind="hint", id="", question="", verdict=verdict, why=why)
