"""Which of two figures for one thing holds: "400 users, sorry, 900 users".

Words around a figure tell whether it is the new one or the old one. They are asked
only where two numbers claim the same field, so they may be everyday words.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Protocol

from bot.language.reading import Reading
from bot.language.vocabulary import phrases
from core.patterns import regex


class Claim(Protocol):
    """A reading of numbers as fields."""

    @property
    def alone(self) -> frozenset[str]: ...
    @property
    def fields(self) -> Mapping[str, object]: ...
    @property
    def numbers(self) -> int: ...
    @property
    def score(self) -> float: ...


_WEIGHTS = {"plan": 2, "new": 1, "old": -1}
_PART = regex(r"[,;:.!?|\n()](?!\d)|->|→")
_SENTENCE = regex(r"[;.!?|\n](?!\d)")


def outdated(reading: Reading, claims: Iterable[Claim]) -> int:
    """The numbers, as a set of bits, that another of the same field has replaced."""
    by_number: dict[int, list[Claim]] = {}
    for one in claims:
        for index in _places(one.numbers):
            by_number.setdefault(index, []).append(one)
    places: dict[str, dict[int, object]] = {}
    strength: dict[int, float] = {}
    for index, some in by_number.items():
        best = max(some, key=lambda one: one.score)
        strength[index] = best.score
        clear = all(
            one.alone <= best.alone or one.score < best.score - _CLEAR for one in some
        ) and not any(one.fields.keys() & _OTHERWISE for one in some)
        if clear and len(best.alone) == 1 and best.numbers == 1 << index:
            (field,) = best.alone
            places.setdefault(field, {})[index] = reading.items[index].value
    gone = 0
    numbers = [at for at, item in enumerate(reading.items) if item.concept in _NUMBERS]
    for found in places.values():
        strongest = max(strength[index] for index in found)
        rivals = {
            index: value
            for index, value in found.items()
            if 0 < strength[index] >= strongest - _ALIKE
        }
        if not 1 < len(rivals) <= _MOST or len(set(rivals.values())) < 2:
            continue
        marks = {index: _mark(reading, numbers, index) for index in rivals}
        most = max(marks.values())
        for index, mark in marks.items():
            if mark < most:
                gone |= 1 << index
    return gone


def _mark(reading: Reading, numbers: list[int], index: int) -> int:
    """What the words around a number say of it: above zero, it holds."""
    plain, item = reading.plain, reading.items[index]
    at = bisect_left(numbers, index)
    start = reading.items[numbers[at - 1]].end if at else 0
    after = numbers[at + 1 :][:1]
    end = reading.items[after[0]].start if after else len(plain)
    for found in _SENTENCE.finditer(plain, start, item.start):
        start = found.end()
    return _nearest(plain, start, item.start) + _behind(plain, item.end, end)


def _nearest(plain: str, start: int, end: int) -> int:
    """What the nearest part in front of a number says that says anything."""
    cuts = [start, *(found.end() for found in _PART.finditer(plain, start, end)), end]
    for first, last in reversed([*pairwise(cuts)]):
        cues = phrases("figure").find(plain[first:last])
        arrow = plain[:last].endswith(("->", "→"))
        if cues or arrow:
            return sum(_WEIGHTS[cue.key] for cue in cues) + arrow
    return 0


def _behind(plain: str, start: int, end: int) -> int:
    """What is said of a number behind it, up to the next part or number."""
    cut = _PART.search(plain, start, end)
    if cut and plain[cut.start()] == "(":
        close = plain.find(")", cut.end(), end)
        last = close if close >= 0 else cut.start()
    else:
        last = cut.start() if cut else end
    return sum(
        _WEIGHTS[cue.key]
        for cue in phrases("figure").find(plain[start:last])
        if cut or start + cue.end + _NEXT < end  # else it leads to the next number
    )


_OTHERWISE = frozenset(("~average", "~year"))
"""Explained as what replaces nothing: "in 2024" is no prompt of 2,024 tokens."""
_NEXT = 3
_MOST = 6
"""More figures of one field are a table, in which none replaces another."""
_NUMBERS = frozenset("NUM NUMB NUMT XCOUNT".split())


def _places(numbers: int) -> Iterator[int]:
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low


_ALIKE = 3.0
"""How much weaker a reading may be that still stands for the same figure."""
_CLEAR = 1.0
"""By how much a reading leads, where a number may be nothing else."""
