"""Read a question: the same words always give the same query."""

from typing import Any

from bot.language.asked import asked
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
    keyed,
    kinds,
    latency,
    lengths,
    life,
    money,
    nights,
    offline,
    passing,
    rates,
    rent,
    reuse,
    schedule,
    sizes,
    spare,
    spot,
    swing,
    tokens,
    training,
    wanted,
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
    *keyed.RULES,
    *rent.RULES,
    *growth.RULES,
    *passing.RULES,
    *life.RULES,
    *interruptions.RULES,
    *checkpoints.RULES,
    *spare.RULES,
    *constraints.EARLY_RULES,
    *latency.RULES,
    *offline.EARLY_RULES,
    *day.RULES,
    *schedule.RULES,
    *tokens.RULES,
    *swing.RULES,
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
    wanted, own = _asked(fields, reading, clean.text)
    return Query(
        text=text,
        **fields,
        **(reading.aside | own),
        spans=spans,
        wanted=wanted,
        beside=Beside(**reading.beside) if reading.beside else None,
        life=Life(**reading.life) if reading.life else None,
        use=reading.use_case,
        clarify=_clarification(text, clean, reading),
        unknown=tuple(
            Unknown(kind=kind, text=name, nearest=nearest)
            for kind, name, nearest in reading.unknown
        ),
    )


SURE = ("count", "duration_hours", "audience", "spare_replicas", "batch_size")
"""Fields of which a phrase is read where nothing else has filled them."""


def _asked(
    fields: dict[str, Any], reading: Reading, plain: str
) -> tuple[str | None, dict[str, Any]]:
    """Fill in what phrases ask for: the figure wanted, and fields of their own."""
    wanted, own = reading.wanted, {}
    for found in asked(plain):
        name, value = found.field, found.value
        if name == "wanted":
            wanted = value
        elif name == "system":
            if fields.get("gpu"):
                fields["count"] = value
        elif name == "count" and value <= 0:
            fields["count"] = value
        elif name in SURE:
            if name not in reading.aside:
                fields.setdefault(name, value)
        else:
            own[name] = value
    formats = fields.get("precision", ())
    if formats and set(formats) <= set(own.get("techniques", ())):
        del fields["precision"]  # asked about, not asked for
    return wanted, own


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
