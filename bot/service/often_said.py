"""What is often quoted for such a question, and why the answer says something else."""

from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.often_said import often_said


def with_often_said(answered: Answered, question: Question) -> Answered:
    """Add the published figure that a reader may hold the answer against.

    Among the details: a note is for what the asker said.
    """
    if answered.figures is None:
        return answered
    found = often_said(question.query)
    if found is None:
        return answered
    claim = found.claim
    said = say("glossary.corrected", said=claim.said, holds=claim.holds, id=claim.id)
    if found.asked:
        return answered.redrawn(notes=(*answered.view.notes, said))
    return answered.redrawn(small_print=(*answered.view.small_print, said))
