"""Read a question: the same words always give the same query."""

from typing import Any

from bot.language import choice
from bot.language.catalogue import Catalogue, catalogue
from bot.language.normalise import Clean, normalise
from bot.language.reader import items_of
from bot.language.reading import APPEND, Edit, Reading, Rule
from bot.language.rules import (
    alerts,
    beside,
    checkpoints,
    clarify,
    constraints,
    day,
    excluded,
    growth,
    hardware,
    intents,
    interruptions,
    kinds,
    life,
    money,
    nights,
    passing,
    rent,
    reuse,
    settled,
    sizes,
    spare,
    spot,
    wanted,
    worded,
)
from bot.language.shape import shaped
from core.query import Beside, Clarification, Life, Query, Unknown
from core.reference.catalogue import Reference

RULES: tuple[Rule, ...] = (
    *alerts.RULES,
    *reuse.RULES,
    *nights.RULES,
    *excluded.RULES,
    *sizes.EARLY_RULES,
    *beside.RULES,
    *rent.RULES,
    *growth.RULES,
    *passing.RULES,
    *life.RULES,
    *interruptions.RULES,
    *checkpoints.RULES,
    *spare.RULES,
    *constraints.EARLY_RULES,
    *day.RULES,
    *money.RULES,
    *worded.RULES,
    *hardware.EARLY_RULES,
    *choice.RULES,
    *settled.RULES,
    *worded.LATE_RULES,
    *hardware.RULES,
    *sizes.RULES,
    *money.LATE_RULES,
    *constraints.RULES,
    *spot.RULES,
    *intents.RULES,
    *kinds.RULES,
    *wanted.RULES,
    *beside.LATE_RULES,
    *clarify.RULES,
)
"""In this order: what has a unit of its own is read before what has none."""


def parse(text: str, reference: Reference | None = None) -> Query:
    """Read what a text states; total: any text gives a query, none raises.

    `reference`: where to look for names near an unknown one; None: the packaged data.
    """
    clean = normalise(text)
    return query_of(text, clean, read(text, clean, catalogue(reference)))


def read(text: str, clean: Clean, known: Catalogue, kind: str | None = None) -> Reading:
    """Apply every rule to a text; `kind`: the work that its thread is about."""
    reading = Reading(
        shaped(items_of(clean, text, known), clean.text), known, kind, clean.text
    )
    for rule in RULES:
        rule(reading)
    return reading


def query_of(text: str, clean: Clean, reading: Reading) -> Query:
    """Return what was read as a query with its spans in the original text."""
    fields: dict[str, Any] = dict(reading.fields)
    spans = {
        field: (clean.place(start), clean.place(end - 1) + 1)
        for field, (start, end) in reading.spans.items()
        if field in fields
    }
    return Query(
        text=text,
        **fields,
        **reading.aside,
        spans=spans,
        wanted=reading.wanted,
        beside=Beside(**reading.beside) if reading.beside else None,
        life=Life(**reading.life) if reading.life else None,
        use=reading.use_case,
        clarify=_clarification(text, clean, reading),
        unknown=tuple(
            Unknown(kind=kind, text=name, nearest=nearest)
            for kind, name, nearest in reading.unknown
        ),
    )


def _clarification(text: str, clean: Clean, reading: Reading) -> Clarification | None:
    """Ask the first doubt; each choice is the whole question, made clearer."""
    if not reading.doubts:
        return None
    doubt = reading.doubts[0]
    choices = tuple(_edited(text, clean, edit) for edit in doubt.choices)
    return Clarification(about=doubt.about, question=doubt.question, choices=choices)


def _edited(text: str, clean: Clean, edit: Edit) -> str:
    """Write words over a stretch of the text, behind it (" …"), or at its end."""
    start, end, words = edit
    if start == APPEND:
        return text.rstrip(" ?!.") + words
    behind = clean.place(end - 1) + 1
    before = behind if start == end else clean.place(start)
    return text[:before] + words + text[behind:]
