"""The served workload of a question, or the answer that says why there is none."""

from bot.answers.bounded import bounded
from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.question.question import Answered, Question
from core.resolve import Unresolved, resolve
from core.workload import InferenceSpec, Resolved


def serving(question: Question) -> Resolved | Answered:
    """The served workload of a question, or the answer that says why there is none."""
    query = question.query
    resolved = resolve(query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(query, resolved))
    if not isinstance(resolved.spec, InferenceSpec):
        return bounded(question, resolved) or Answered(unreadable_view(query))
    return resolved
