"""What was read and changes nothing in an answer: said, never dropped in silence."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.answers.dispatch import decide
from bot.question.question import Answered, Question
from bot.render.field_words import said_of
from bot.render.views import AnswerView
from bot.render.words import say
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
from core.answers.tco import AMOUNTS as AMOUNTS_BESIDE
from core.query import Query

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
    apart = {n for n in stated - answer.applies if not _is_used(n, found, question)}
    dropped = apart | idle - LIMITS
    unused = set(found.unused) | _extras_unused(found, question)
    if query.budget_currency and query.budget_amount is None and not answer.ways:
        unused.add("budget_currency")  # no sum is told, in whatever currency
    used = {*query.spans} - dropped - idle - unused
    lost = (*_words(query, dropped, used), *_words(query, unused, ()))
    said = dict.fromkeys((*lost, *unread))
    held = ", ".join(_words(query, idle & LIMITS, used))
    told = (
        found.noted(say("service.not_taken_into_account", held=held)) if held else found
    )
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
    return _differs(found.decided, question, name, None)


def _is_used(name: str, found: Answered, question: Question) -> bool:
    """Whether a field that a kind does not claim to apply decides its answer anyway."""
    return found.decided is not None and _differs(found.decided, question, name, None)


def _extras_unused(found: Answered, question: Question) -> set[str]:
    """Stated costs beside the GPUs that no figure of this answer rests on.

    A month's amounts are added to the bill or said not to be; an engineer's hour
    belongs to stated hours, and a kWh or a purchase to a kind that owns its GPUs.
    """
    beside = question.query.beside
    if beside is None or found.decided is None:
        return set()
    stated = {n for n, value in beside if value is not None} - {*AMOUNTS_BESIDE}
    if beside.engineering_hours is not None:
        stated.discard("engineering_usd_per_hour")
    unused = set()
    for name in stated:
        less = beside.model_copy(update={name: None})
        if not _differs(found.decided, question, "beside", less):
            unused.add(name)
    return unused


def _differs(decided: AnswerView, question: Question, name: str, value: object) -> bool:
    """Whether the question is decided otherwise with another value of one field."""
    other = question.query.model_copy(update={name: value})
    view = decide(replace(question, query=other)).view
    # Which days the prices in a table were read on is no difference to anybody.
    return _read(view) != _read(decided)


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
