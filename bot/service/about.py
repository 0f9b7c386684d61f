"""Questions about an answer: how sure, how old, cheaper, why not another."""

import re
from collections.abc import Iterable

from bot.render.views import AnswerView
from core.patterns import regex
from core.wording import say

EDITS = ("on h200", "double the traffic", "reserved for a year", "drop the budget")
"""Changes to try, where a turn held none that could be read."""
_EVIDENCE = regex(
    r"estimat|measur|benchmark|range|depending on|pessimistic|uncertain|±",
    re.IGNORECASE,
)
_PRICES = regex(r"^prices?\b|\bprices? (?:of|from|as of|is|are)\b", re.IGNORECASE)
_HOURLY = regex(r"/h\b|per hour|an hour|other units|a month|per 1M", re.IGNORECASE)


def about_view(
    kind: str, text: str, answer: AnswerView, explanation: AnswerView
) -> AnswerView:
    """Answer a question about an answer from what was said and how it came about."""
    match kind:
        case "how_sure":
            return _sure(text, answer, explanation)
        case "price_age":
            return _age(text, answer)
        case "cheaper":
            return _cheaper(text, answer)
        case "share":
            return _said(
                text,
                say("about.press_share"),
                answer,
                actions=tuple(a for a in answer.actions if a.id == "share"),
            )
        case "unit":
            return _units(text, answer, explanation)
        case _:
            return _said(text, say("about.you_are_welcome"), answer)


def unchanged_view(text: str, answer: AnswerView) -> AnswerView:
    """Say that a turn was not read as a change, and that the answer stands."""
    view = _said(text, say("about.no_change_read"), answer)
    return view.model_copy(update={"examples": EDITS})


def compared(name: str, other: AnswerView, answer: AnswerView) -> AnswerView:
    """An alternative's own answer beside the one in force, which stays."""
    note = say("about.your_answer_stays", verdict=answer.verdict)
    asked = say("about.with_another", name=name)
    return other.model_copy(update={"notes": (asked, note, *other.notes)})


def _said(text: str, verdict: str, answer: AnswerView, **more: object) -> AnswerView:
    view = AnswerView(
        kind="hint",
        question=text,
        verdict=verdict,
        why=say("about.the_answer_stands", verdict=answer.verdict),
    )
    return view.model_copy(update=dict(more))


def _sure(text: str, answer: AnswerView, explanation: AnswerView) -> AnswerView:
    said = _clauses(answer.why, _EVIDENCE)
    told = [note for note in explanation.notes if _EVIDENCE.search(note)]
    said = said or [say("about.computed")]
    verdict = " ".join(f"{one[:1].upper()}{one[1:].rstrip('.')}." for one in said)
    return _said(text, verdict, answer, notes=tuple(told[:4]))


def _age(text: str, answer: AnswerView) -> AnswerView:
    lines = [
        line for line in (*answer.notes, *answer.small_print) if _PRICES.search(line)
    ]
    if not lines:
        return _said(text, say("about.no_price"), answer)
    return _said(text, lines[0], answer, small_print=tuple(lines[1:]))


def _cheaper(text: str, answer: AnswerView) -> AnswerView:
    saving = tuple(lever for lever in answer.levers if lever.difference.startswith("−"))
    if not saving:
        return _said(
            text,
            say("about.nothing_cheaper"),
            answer,
            examples=("on spot", "reserved for a year", "in fp8", "any provider"),
        )
    return _said(text, say("about.would_save"), answer, levers=saving)


def _units(text: str, answer: AnswerView, explanation: AnswerView) -> AnswerView:
    lines = [note for note in explanation.notes if _HOURLY.search(note)]
    if not lines:
        return unchanged_view(text, answer)
    first = next((line for line in lines if "other units" in line), lines[0])
    rest = tuple(line for line in lines if line != first)
    return _said(text, first, answer, notes=rest[:3])


def _clauses(text: str, wanted: re.Pattern[str]) -> list[str]:
    parts: Iterable[str] = re.split(r";\s|\.\s", text)
    return [part.strip() for part in parts if wanted.search(part)]
