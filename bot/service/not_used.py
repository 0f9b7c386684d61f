"""What was read and changes nothing in an answer: said, never dropped in silence."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.answers.dispatch import decide
from bot.question.question import Answered, Question
from bot.render.field_words import words_of
from bot.render.views import AnswerView
from core.answers.answer import (
    FREE,
    HOURS,
    LATENCY,
    LENGTHS,
    LOADS,
    MODIFIERS,
    OFFERS,
    PILES,
)
from core.query import ABOUT, Query

Span = tuple[int, int]
LIMITS = OFFERS | FREE | HOURS | {"audience", "count_is_most"}
"""What may hold already: a certificate that the cheapest seller has changes nothing."""
AMOUNTS = LOADS | PILES
SHOWN = LOADS | LENGTHS | LATENCY
"""What shows wherever there is a workload: its assumption is gone once it is stated."""


def not_taken_into_account(found: Answered, question: Question) -> Answered:
    """List what the asker said that this kind of answer, or a stage, could not apply.

    What is applied and makes no difference is told apart from that. An answer that asks
    back lists what it understood instead: nothing is decided yet.
    """
    query = question.query
    unread = tuple(one.text for one in query.not_used if one.kind != "aside")
    if found.figures is None:
        return found.redrawn(not_used=unread) if unread else found
    answer = found.figures
    stated = {n for n in MODIFIERS - answer.subject if getattr(query, n) is not None}
    idle = {n for n in stated & answer.applies if not _shows(n, found, question)}
    dropped = (stated - answer.applies) | idle - LIMITS
    unused = set(found.unused)
    if query.budget_currency and query.budget_amount is None and not answer.ways:
        unused.add("budget_currency")  # no sum is told, in whatever currency
    used = {*query.spans} - dropped - idle - unused
    lost = (*_words(query, dropped, used), *_words(query, unused, ()))
    said = dict.fromkeys((*lost, *unread))
    held = ", ".join(_words(query, idle & LIMITS, used))
    told = found.noted(f"Makes no difference here: {held}.") if held else found
    return told.redrawn(not_used=tuple(said)) if said else told


def _shows(name: str, found: Answered, question: Question) -> bool:
    """Whether the answer would read otherwise without a field.

    Found out by deciding the question without it: no list of what a kind shows can go
    out of date. The load of a workload, and what is assumed where it is left open, show
    by themselves.
    """
    query, answer = question.query, found.figures
    if answer is None or found.decided is None:
        return True
    serves = answer.workload.spec.kind == "inference" if answer.workload else False
    if name in SHOWN and serves:
        amounts = [one for one in AMOUNTS if getattr(query, one) is not None]
        if name not in LOADS or len(amounts) == 1:
            return True
    without = query.model_copy(update={name: None})
    otherwise = decide(replace(question, query=without)).view
    # Which days the prices in a table were read on is no difference to anybody.
    return _read(otherwise) != _read(found.decided)


def _read(view: AnswerView) -> AnswerView:
    return view.model_copy(update={"small_print": ()})


def _words(query: Query, names: Iterable[str], used: Iterable[str]) -> list[str]:
    """The asker's words for fields; those that another field was read from are used."""
    told = [span for name in used for span in query.spans[name]]
    left = [name for name in sorted(names) if not _within(query.spans.get(name), told)]
    return [*dict.fromkeys(said_of(query, name) for name in left)]


def _within(spans: tuple[Span, ...] | None, others: Sequence[Span]) -> bool:
    """Whether words stand inside of others: "g5.xlarge" names AWS and a machine."""
    return bool(spans) and all(
        any(start <= span[0] and span[1] <= end for start, end in others)
        for span in spans or ()
    )


def _joined(text: str, spans: Iterable[Span]) -> list[Span]:
    """Spans with nothing but blanks between them as one: "30", "%", "headroom"."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and not text[joined[-1][1] : start].strip():
            start, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((start, end))
    return joined


def said_of(query: Query, name: str) -> str:
    """A field as the asker said it; where it was filled in elsewhere, as words."""
    spans = query.spans.get(name)
    # What is ruled out was read from the name alone: "lambda" without its "not on".
    if spans and not name.endswith("_exclude"):
        told = _joined(query.text, spans)
        return " … ".join(query.text[slice(*span)].strip(" ,.;?!") for span in told)
    value = getattr(query, name)
    alone = Query().model_copy(update={name: value, "intent": "size"})
    words = " ".join(words_of(alone))
    return words or ABOUT[name].label
