"""What a question asks for in so many words: figures, kinds of sellers, techniques.

Each phrase stands by itself on the plain text and names the field that it fills;
`Found` says from which characters, so that whoever reads the rest can count them as
used.
"""

from collections.abc import Callable, Iterator
from functools import cache
from re import Match, Pattern
from typing import Any

from msgspec import Struct

from core.needed import PIECE, Text
from core.patterns import compiled, regex
from core.reference.tables import read_table

NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "zwei": 2,
    "drei": 3, "vier": 4, "deux": 2, "trois": 3, "quatre": 4, "dos": 2, "tres": 3,
    "cuatro": 4, "due": 2, "tre": 3, "quattro": 4, "funf": 5, "cinq": 5, "cinco": 5,
    "cinque": 5, "sechs": 6, "seis": 6, "sei": 6, "seven": 7, "sieben": 7,
    "sept": 7, "siete": 7, "sette": 7, "eight": 8, "acht": 8, "huit": 8, "ocho": 8,
    "otto": 8, "nine": 9, "neun": 9, "neuf": 9, "nueve": 9, "nove": 9, "ten": 10,
    "zehn": 10, "dix": 10, "diez": 10, "dieci": 10, "eleven": 11, "elf": 11,
    "onze": 11, "undici": 11, "twelve": 12, "zwolf": 12, "douze": 12,
    "doce": 12, "dodici": 12,
}  # fmt: skip
SEVERAL = 2
"""What "multi" and "several" are taken for at least."""
HOURS_PER_WEEK = 168
SYSTEM_GPUS = 8


NEAR = 60
"""Characters before and behind a phrase in which its question may stand."""
_SENTENCE = regex(r"[;|\n?!]|\.(?=\s|$)")

Unsaid = Callable[[str, int, int], bool]
"""Whether a phrase for a field, from here to there, is not meant."""


class Found(Struct, frozen=True):
    """A field, its value, and the characters that say so."""

    field: str
    value: Any
    start: int
    end: int


class Frame(Struct, frozen=True):
    """Words that ask about a phrase: on either side of it, or on both."""

    before: Pattern[str]
    behind: Pattern[str]
    both: bool

    def holds(self, plain: str, start: int, end: int) -> bool:
        """Whether they stand around a phrase, in its own sentence."""
        ahead = _SENTENCE.split(plain[max(start - NEAR, 0) : start])[-1]
        after = _SENTENCE.split(plain[end : end + NEAR], maxsplit=1)[0]
        sides = (self.before.search(ahead), self.behind.search(after))
        return all(sides) if self.both else any(sides)


class Phrase(Struct, frozen=True):
    """A pattern that fills a field where one of its words stands in the text."""

    field: str
    words: tuple[str, ...]
    pattern: str
    value: Callable[[Match[str]], Any]
    frame: Frame | None

    def meant(self, plain: str, unsaid: Unsaid) -> Iterator[Match[str]]:
        """Wherever it is meant."""
        for match in _shape(self.pattern).finditer(plain):
            start, end = match.span()
            framed = self.frame is None or self.frame.holds(plain, start, end)
            if framed and not unsaid(self.field, start, end):
                yield match


def asked(plain: Text, unsaid: Unsaid) -> Iterator[Found]:
    """Each field that a phrase fills, and what says the same again; lists add up."""
    seen: dict[str, Any] = {}
    for phrase in _possible(plain):
        if not isinstance(seen.get(phrase.field, ()), tuple):
            continue
        for match in phrase.meant(plain, unsaid):
            value = phrase.value(match)
            before = seen.setdefault(phrase.field, value)
            if isinstance(before, tuple):
                seen[phrase.field] = value = tuple(dict.fromkeys((*before, *value)))
            elif value != before:
                continue
            yield Found(phrase.field, value, *match.span(match.lastgroup or 0))


def asks(plain: str, figure: str) -> bool:
    """Whether a phrase asks for a figure: "fair_price"."""
    text = plain if isinstance(plain, Text) else Text(plain)
    found = asked(text, lambda field, start, end: field != "wanted")
    return any(one.value == figure for one in found)


@cache
def _shape(pattern: str) -> Pattern[str]:
    """A phrase's regex, made when one of its words is first said."""
    return compiled(pattern)


def _possible(plain: Text) -> list[Phrase]:
    """The phrases of which a word stands in a text."""
    begun = _words().keys() & plain.pieces
    listed = (word for begin in ("", *begun) for word in _words()[begin])
    there = {place for word, places in listed if word in plain for place in places}
    return [phrases()[place] for place in sorted(there)]


@cache
def _words() -> dict[str, list[tuple[str, list[int]]]]:
    """Words and the places of the phrases that need one, by their first letters."""
    needed: dict[str, list[int]] = {}
    for place, phrase in enumerate(phrases()):
        for word in phrase.words:
            needed.setdefault(word, []).append(place)
    found: dict[str, list[tuple[str, list[int]]]] = {"": []}
    for word, places in needed.items():
        begin = word[:PIECE] if len(word) >= PIECE else ""
        found.setdefault(begin, []).append((word, places))
    return found


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return every phrase, read once."""
    told = read_table("bot.language", "asked.toml")
    frames = {
        name: Frame(regex(row["before"]), regex(row["behind"]), name == "both")
        for name, row in told["asked"].items()
    }
    return tuple(_phrase(row, frames) for row in told["phrase"])


def _phrase(row: dict[str, Any], frames: dict[str, Frame]) -> Phrase:
    stated = row.get("value")
    fixed = tuple(stated) if isinstance(stated, list) else stated
    return Phrase(
        field=row["field"],
        words=tuple(row["words"]),
        pattern=row["pattern"],
        value=READERS[row["read"]] if "read" in row else lambda match: fixed,
        frame=frames[row["asked"]] if "asked" in row else None,
    )


def _group(match: Match[str]) -> str:
    """The number that the pattern caught, in whichever of its branches."""
    return next((text for text in match.groups() if text), "")


def _number(match: Match[str]) -> int:
    said = _group(match)
    return int(said) if said.isdigit() else NUMBERS.get(said, SEVERAL)


def _times(match: Match[str]) -> float:
    said = _group(match).replace(",", "")
    return float(said.removesuffix("k")) * (1000 if said.endswith("k") else 1)


def _weeks(match: Match[str]) -> float:
    said = _group(match)
    return float(HOURS_PER_WEEK * (int(said) if said else 1))


def _span(match: Match[str]) -> float:
    """Hours of "two days": a number or an article, and what it counts."""
    said, unit = (text for text in match.groups() if text)
    hours = {"hour": 1, "day": 24, "week": HOURS_PER_WEEK}[unit]
    return float(hours * (1 if said[0] == "a" else NUMBERS.get(said) or int(said)))


def _eights(match: Match[str]) -> int:
    """GPUs of so many DGX or HGX systems: eight each."""
    said = _group(match)
    return SYSTEM_GPUS * (_number(match) if said else 1)


READERS: dict[str, Callable[[Match[str]], Any]] = {
    "number": _number,
    "times": _times,
    "negative": lambda match: -_number(match),
    "weeks": _weeks,
    "span": _span,
    "eights": _eights,
    "thousands": lambda match: 1000.0 * _number(match),
    "named": lambda match: match.lastgroup,
    "named_too": lambda match: (match.lastgroup,),
}
