"""What one GPU was measured to write: "2,400 tok/s per H100", "900 tok/s on 4 L4"."""

import re

from msgspec.structs import replace

from bot.language.reading import Reading
from core.patterns import regex

_RATE = (
    r"(?<![\d.,])(?P<n>\d[\d,]{0,11}(?:\.\d{1,3})?)\s?(?P<k>k)?\s?"
    r"(?:output |generated )?tok(?:en)?s?\s?"
    r"(?:/\s?s(?:ec(?:ond)?)?|(?:per|a) s(?:ec(?:ond)?)?|ps)\b"
)
_CARDS = r"(?:(?P<c>\d{1,3})\s?(?:x|×)?\s?)?"
_EACH = regex(rf"{_RATE},?\s*(?:per|/|from (?:one|a|an|each|every)|each(?!,)) ?")
"""A rate of one GPU is measured, whatever is said around it: a load has none."""
_OF_ALL = regex(rf"{_RATE}[a-z ]{{0,24}}?\b(?:on|from|with|across) {_CARDS}")
_ON_THEM = regex(_RATE)
_NEAR = 4
"""Letters between a rate and the GPU that it is of."""
_MACHINES = ("GPU", "GPUWORD")


def measured(reading: Reading) -> None:
    """Read the output of a GPU that is in use or was tested: sizing follows it."""
    if found := _EACH.search(reading.plain):
        place = _card(reading, found.end())
        if place is not None:
            return _note(reading, found, 1, place)
    for stance in reading.stances:
        if stance.kind != "measured":
            continue
        for shape in (_OF_ALL, _ON_THEM):
            found = shape.search(reading.plain, stance.start, stance.end)
            if found is None:
                continue
            many = found["c"] if "c" in found.groupdict() else None
            place = _card(reading, found.end())
            if shape is _ON_THEM:
                place, many = _before(reading, stance.start, found.start())
                if place is not None and reading.is_told_of(place):
                    continue  # of GPUs that are not to be rented again
            if place is not None:
                return _note(reading, found, int(many or 1), place)
    return None


def _card(reading: Reading, end: int) -> int | None:
    """The GPU right behind a place of the text."""
    for index, item in enumerate(reading.items):
        if item.concept in _MACHINES and 0 <= item.start - end <= _NEAR:
            return index
    return None


def _before(
    reading: Reading, start: int, end: int
) -> tuple[int | None, int | str | None]:
    """The GPU in a stretch of the text, and how many of it."""
    for match in reading.find("<n>NUM TIMES? <g>GPU", "<g>GPU"):
        if start <= reading.item(match, "g").start < end:
            many = reading.value(match) if "n" in match.groupdict() else 1
            return match.start("g"), int(many)
    return None, None


def _note(reading: Reading, found: re.Match[str], many: int, place: int) -> None:
    rate = float(found["n"].replace(",", "")) * (1000 if found["k"] else 1)
    if not rate or not many:
        return
    reading.aside["measured_tokens_per_second"] = rate / many
    gpu = reading.items[place]
    for index, item in enumerate(reading.items):
        if item is not gpu and item.start < found.end() and found.start() < item.end:
            reading.use(index, index + 1)
    named = {str(item.value): item for item in reading.all("GPU")}
    if len(named) == 1:
        slug, item = named.popitem()
        place = reading.items.index(item)
        reading.put("gpu", (slug,), place, place + 1)
    comma = reading.plain.find(",", found.end())
    if comma >= 0:
        # what follows is no part of the measurement
        reading.stances = tuple(
            replace(one, end=min(one.end, comma))
            if one.kind == "measured" and one.start <= found.start() < one.end
            else one
            for one in reading.stances
        )


RULES = (measured,)
