"""What a word means, where a question states nothing but such."""

from bot.answers.glossary.view import glossary_view, unknown_word_view
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from core.answers.glossary import Meaning, glossary

WORDS_OF_A_TERM = {"intent", "kind", "pricing"}
"""What a question states that asks about "reserved" or "training", not for GPUs."""


def meaning(question: Question) -> Answered | None:
    """What the words of a question mean; None: none of them is known."""
    entries = glossary().find(question.query.text)
    if not entries:
        return None
    found = Meaning(entries)
    return Page(question).drawn(found, glossary_view, glossary_view)


def explained_outright(question: Question) -> Answered | None:
    """The meaning of a term, where a question states nothing but such; else None."""
    aside = question.query.stated().keys() - WORDS_OF_A_TERM
    return None if aside else meaning(question)


def unknown_word(question: Question) -> Answered:
    """A hint with what can be explained, where the word that is meant cannot."""
    return Answered(unknown_word_view(glossary(), question.query.text))
