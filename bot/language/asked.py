"""What a question asks for in so many words: figures, kinds of sellers, techniques.

Each phrase stands by itself on the plain text and names the field that it fills;
`Found` says from which characters, so that whoever reads the rest can count them as
used.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from re import Match, Pattern
from tomllib import loads
from typing import Any

NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
SEVERAL = 2
"""What "multi" and "several" are taken for at least."""
HOURS_PER_WEEK = 168
SYSTEM_GPUS = 8


@dataclass(frozen=True, slots=True)
class Found:
    """A field, its value, and the characters that say so."""

    field: str
    value: Any
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A pattern that fills a field."""

    field: str
    shape: Pattern[str]
    value: Callable[[Match[str]], Any]


def asked(plain: str) -> Iterator[Found]:
    """Every field that a phrase fills, the first phrase of each; lists add up."""
    seen: dict[str, Found] = {}
    for phrase in phrases():
        match = phrase.shape.search(plain)
        if match is None:
            continue
        found = Found(phrase.field, phrase.value(match), *match.span())
        before = seen.get(phrase.field)
        if before is None:
            seen[phrase.field] = found
        elif isinstance(found.value, tuple):
            both = tuple(dict.fromkeys((*before.value, *found.value)))
            seen[phrase.field] = Found(phrase.field, both, before.start, before.end)
    yield from seen.values()


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return every phrase, read once."""
    text = (files("bot.language") / "asked.toml").read_text("utf-8")
    return tuple(_phrase(row) for row in loads(text)["phrase"])


def _phrase(row: dict[str, Any]) -> Phrase:
    shape = re.compile(row["pattern"])
    if "read" in row:
        return Phrase(row["field"], shape, READERS[row["read"]])
    stated = row["value"]
    value = tuple(stated) if isinstance(stated, list) else stated
    return Phrase(row["field"], shape, lambda match: value)


def _group(match: Match[str]) -> str:
    """The number that the pattern caught, in whichever of its branches."""
    return next((text for text in match.groups() if text), "")


def _number(match: Match[str]) -> int:
    said = _group(match)
    return int(said) if said.isdigit() else NUMBERS.get(said, SEVERAL)


def _times(match: Match[str]) -> float:
    said = _group(match).replace(",", "")
    return float(said.removesuffix("k")) * (1000 if said.endswith("k") else 1)


def _negative(match: Match[str]) -> int:
    return -_number(match)


def _weeks(match: Match[str]) -> float:
    said = _group(match)
    return float(HOURS_PER_WEEK * (int(said) if said else 1))


def _eights(match: Match[str]) -> int:
    """GPUs of so many DGX or HGX systems: eight each."""
    said = _group(match)
    return SYSTEM_GPUS * (int(said) if said else 1)


def _thousands(match: Match[str]) -> float:
    return 1000.0 * _number(match)


READERS: dict[str, Callable[[Match[str]], Any]] = {
    "number": _number,
    "times": _times,
    "negative": _negative,
    "weeks": _weeks,
    "eights": _eights,
    "thousands": _thousands,
}
