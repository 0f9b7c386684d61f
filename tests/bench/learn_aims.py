"""Fit bot/language/aims.toml to labelled questions, as the rules first read them.

usage: PYTHONPATH=. python tests/bench/learn_aims.py SETS PARSED OUT.toml
           [--below N] [--least L]

SETS and PARSED are those of learn_second.py, which tells how they are made. What tests
ask is learned from as well, and how the product writes a question in a form: the intent
stands in it in so many words. What the rules chose is nearly always right, so that
weights which know it hardly dare to differ: those of the intent are half learned
without that. Takes three minutes.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bot.language import aims
from bot.language.catalogue import catalogue
from bot.language.normalise import normalise
from bot.language.parse import _closed, _ends, looked_at
from bot.language.reader import items_of
from bot.language.segments import split
from bot.language.shape import shaped
from bot.render.field_words import INTENTS, question_of
from core.query import Query
from tests.bench.learn_second import asked_for, labelled, learned, read_rightly, table

KEPT, FORM = 1.0, 0.5
"""What a text counts that the rules of today read rightly, and a form's text."""
Row = tuple[tuple[str, str], ...]
Found = list[tuple[Row, dict[str, str], float]]


def clues_in(text: str) -> Callable[[dict[str, Any]], Row]:
    """What is looked at of a text, by what is stated."""
    clean = _closed(normalise(_ends(split(text).only("prose"))))
    items = shaped(items_of(clean, text, catalogue(None)), clean.plain, frozenset())
    row = [one.concept for one in items]
    return lambda stated: tuple(sorted(aims.clues_of(stated, row, clean.plain)))


def rules_on(text: str) -> Query:
    """What a text was read as before the intent is looked at again."""
    return looked_at(text, catalogue(None))[2]


def kept(folder: Path) -> Iterator[tuple[str, float]]:
    """Texts that are read rightly, and what each counts."""
    told = dict.fromkeys(read_rightly(folder))
    forms = {}
    for text in told:
        query = rules_on(text)
        if query.intent in INTENTS and (written := question_of(query)):
            forms.setdefault(written, query)
    yield from dict.fromkeys(told, KEPT).items()
    for written, query in forms.items():
        again = rules_on(written)
        if (again.intent, again.kind) == (query.intent, query.kind):
            yield written, FORM


def right(label: dict[str, Any], stated: dict[str, Any], field: str) -> str:
    """The intent or the kind of a label, or that of the rules where it is as good."""
    own, best = stated.get(field), label["spec"].get(field)
    return str(own if own in label.get("accept", {}).get(field, ()) else best)


def weighed(found: Found, field: str, least: float, own: bool) -> tuple[Any, ...]:
    """Learn an intent or a kind, with what the rules chose or without."""
    counts: dict[tuple[Row, str], float] = defaultdict(float)
    for row, best, weight in found:
        clues = tuple(one for one in row if own or not one[0].startswith(aims.OWN))
        counts[clues, best[field]] += weight
    return learned(counts, least)


def joined(parts: list[tuple[str, float, tuple[Any, ...]]]) -> tuple[Any, ...]:
    """One table of several: of each the field that it tells and what it counts."""
    names = sorted({f"{field}_{name}" for field, _, of in parts for name in of[0]})
    clues = {
        one: at for at, one in enumerate({c: 0 for *_, of in parts for c in of[2]})
    }
    bias, weights = np.zeros(len(names)), np.zeros((len(clues), len(names)))
    for field, share, (fields, own_bias, own_clues, own) in parts:
        columns = [names.index(f"{field}_{name}") for name in fields]
        bias[columns] += share * own_bias
        weights[np.ix_([clues[one] for one in own_clues], columns)] += share * own
    return names, bias, clues, weights


def main() -> None:
    """Learn from every set, or from those before one."""
    options = asked_for(1.0)
    found: Found = []
    for label, parses in labelled(options):
        clues = clues_in(label["text"])
        for weight, parsed in parses:
            stated = parsed["spec"]
            best = {field: right(label, stated, field) for field in aims.FIELDS}
            found.append((clues(stated), best, weight))
    for text, weight in kept(options.sets.parent):
        stated = rules_on(text).stated()
        best = {field: str(stated.get(field)) for field in aims.FIELDS}
        found.append((clues_in(text)(stated), best, weight))
    parts = [
        (field, share, weighed(found, field, options.least, own))
        for field, share, own in (
            ("intent", 0.5, True), ("intent", 0.5, False), ("kind", 1.0, True),
        )
    ]  # fmt: skip
    text = table("aims", *joined(parts))
    options.out.write_text(text)
    sys.stdout.write(f"{len(found)} questions, {len(text.encode())} bytes\n")


if __name__ == "__main__":
    main()
