"""Read a question: the same words always give the same query."""

from typing import Any

from bot.language.normalise import Clean, normalise
from bot.language.reader import Reader
from bot.language.reading import Reading, Rule
from bot.language.rules import (
    alerts,
    clarify,
    constraints,
    hardware,
    intents,
    keyed,
    latency,
    lengths,
    money,
    offline,
    rates,
    schedule,
    sizes,
    tokens,
    training,
)
from bot.language.shape import shaped
from core.query import Clarification, Query, Unknown
from core.reference.catalogue import Reference

RULES: tuple[Rule, ...] = (
    *alerts.RULES,
    *keyed.RULES,
    *constraints.EARLY_RULES,
    *latency.RULES,
    *offline.EARLY_RULES,
    *schedule.RULES,
    *tokens.RULES,
    *rates.RULES,
    *money.RULES,
    *training.RULES,
    *lengths.RULES,
    *lengths.LATE_RULES,
    *rates.LATE_RULES,
    *offline.RULES,
    *schedule.LATE_RULES,
    *hardware.RULES,
    *sizes.RULES,
    *money.LATE_RULES,
    *constraints.RULES,
    *intents.RULES,
    *clarify.RULES,
)
"""In this order: what has a unit of its own is read before what has none."""


def parse(text: str, reference: Reference | None = None) -> Query:
    """Read what a text states; total: any text gives a query, none raises."""
    clean = normalise(text)
    reading = Reading(shaped(Reader(clean, text).read()))
    for rule in RULES:
        rule(reading)
    return _query(text, clean, reading, reference)


def _query(
    text: str, clean: Clean, reading: Reading, reference: Reference | None
) -> Query:
    fields: dict[str, Any] = dict(reading.fields)
    spans = {
        field: (clean.place(start), clean.place(end - 1) + 1)
        for field, (start, end) in reading.spans.items()
        if field in fields
    }
    return Query(
        text=text,
        **fields,
        spans=spans,
        clarify=_clarification(reading),
        unknown=_unknown(reading, reference),
    )


def _clarification(reading: Reading) -> Clarification | None:
    if not reading.doubts:
        return None
    about, question = reading.doubts[0]
    return Clarification(about=about, question=question)


def _unknown(reading: Reading, reference: Reference | None) -> tuple[Unknown, ...]:
    found = []
    for item in reading.all("UNKNOWN"):
        kind, name = item.value
        nearest = reference.nearest(kind, name) if reference else ()
        found.append(Unknown(kind=kind, text=name, nearest=nearest))
    return tuple(found)
