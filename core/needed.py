"""Which letters a regex cannot do without, worked out from the pattern itself.

Of `\\b(?:evict|did)` one of "vic" and "did" must stand in a text, of `\\b(?:is|was)\\b`
one of these words, or it need not be tried: a look costs a tenth of the attempt.
"""

import re
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from re import _constants as codes  # type: ignore[attr-defined]
from typing import Any

Strings = frozenset[str] | None
"""All that a part of a pattern may stand for; None: too much to list."""
_Some = tuple[float, frozenset[str]]
"""Pieces of which a text must have one, and how often a text has one by chance."""

PIECE = 3
"""Letters of a piece."""
EDGE = "\0"
"""Stands for `\\b`, and before a piece that is a whole word."""
GAP = "\n"
"""Stands for any blank."""
_MOST = 200
"""Strings that a part may stand for while they are listed."""
_USEFUL = 0.5
"""Pieces that more texts than this have by chance save nothing."""
_LETTERS = 100
"""Letters of a usual text."""
_NOTHING = frozenset(("",))
_COMMON = " etaoinsrhldcumfpgywbv0125k"
"""The commonest characters first; others are as rare as the last."""


_WORD = re.compile(r"\w+")
_WHOLE = re.compile(r"(?<=\W)\w+(?=\W)")
_WORDS, _SHORT = 0.03, 0.5
"""How often letters are a word of their own: most short words are common ones."""
_ABROAD = 0.01
"""How often a usual text holds a letter of another script."""


class Text(str):
    """A text that is looked through many times: it knows its letters and words."""

    @cached_property
    def words(self) -> list[tuple[str, int]]:
        """Its words, and where each begins."""
        return [(found[0], found.start()) for found in _WORD.finditer(self)]

    @cached_property
    def said(self) -> frozenset[str]:
        """Its words, each once."""
        return frozenset([word for word, _ in self.words])

    @cached_property
    def pieces(self) -> frozenset[str]:
        """All runs of three of its characters, its words, and its rarer characters."""
        plain = str(self)
        runs = map("".join, zip(plain, plain[1:], plain[2:], strict=False))
        words = [EDGE + word for word in self.said]
        rare = () if plain.isascii() else filter(_is_rare, plain)
        return frozenset((*runs, *words, *rare))


def _is_rare(letter: str) -> bool:
    return not letter.isascii()


def needed(parsed: Any) -> frozenset[str] | None:
    """Pieces of which a text must hold one for a regex to match; None: of no use."""
    if parsed.state.flags & codes.SRE_FLAG_IGNORECASE:
        return None
    often, pieces = _of_sequence(parsed)[1]
    return pieces if often < _USEFUL else None


_ANY: _Some = (float("inf"), frozenset())
"""Asks for nothing."""


def _of_sequence(sequence: Iterable[tuple[Any, Any]]) -> tuple[Strings, _Some]:
    """What a sequence may stand for, and the rarest pieces that it needs."""
    best, run, listed = _ANY, _NOTHING, True
    for code, value in _with_edges(list(sequence)):
        strings, needs = _PARTS.get(code, _unknown)(value)
        best = min(best, needs, key=_rarity)
        if strings is not None and len(run) * len(strings) <= _MOST:
            run = frozenset(head + tail for head in run for tail in strings)
        else:
            best = min(best, _pieces(run), key=_rarity)
            run, listed = strings or _NOTHING, False
    return run if listed else None, min(best, _pieces(run), key=_rarity)


def _with_edges(sequence: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Draw what bounds a choice into it: each of its words is a whole one then."""
    found = sequence[:]
    for at, (code, value) in enumerate(sequence):
        if code is codes.BRANCH:
            before = [one for one in sequence[max(0, at - 1) : at] if _bounds(one)]
            behind = [one for one in sequence[at + 1 : at + 2] if _bounds(one)]
            some = [[*before, *one, *behind] for one in value[1]]
            found[at] = code, (None, some)
    return found


def _bounds(one: tuple[Any, Any]) -> bool:
    return one == (codes.AT, codes.AT_BOUNDARY) or one == (codes.IN, _BLANK)


_BLANK = [(codes.CATEGORY, codes.CATEGORY_SPACE)]


def _rarity(some: _Some) -> float:
    return some[0]


def _pieces(strings: frozenset[str]) -> _Some:
    """The rarest piece of each of several strings."""
    rarest = []
    for one in strings:
        plain = one.replace(EDGE, "")
        runs = (plain[at : at + PIECE] for at in range(len(plain) - PIECE + 1))
        parts = [run for run in runs if GAP not in run]
        parts += [EDGE + word for word in _WHOLE.findall(one)]
        parts += filter(_is_rare, plain)
        if not parts:
            return _ANY
        rarest.append(min(parts, key=_chance))
    return sum(map(_chance, set(rarest))), frozenset(rarest)


@lru_cache(maxsize=10_000)
def _chance(piece: str) -> float:
    """How often a usual text holds a piece that it was not searched for."""
    chance = float(_LETTERS)
    if not piece.isascii():
        return _ABROAD
    if piece[0] == EDGE:
        chance *= _SHORT if len(piece) <= PIECE else _WORDS
    for letter in piece.lstrip(EDGE):
        place = _COMMON.find(letter)
        chance *= 0.16 * 0.87 ** (place if place >= 0 else len(_COMMON))
    return chance


def _unknown(_: Any) -> tuple[Strings, _Some]:
    return None, _ANY


def _of_nothing(_: Any) -> tuple[Strings, _Some]:
    return _NOTHING, _ANY


def _literal(value: int) -> tuple[Strings, _Some]:
    return frozenset((chr(value),)), _ANY


def _one_of(value: list[tuple[Any, Any]]) -> tuple[Strings, _Some]:
    if value == _BLANK:
        return frozenset((GAP,)), _ANY
    letters: set[str] = set()
    for code, told in value:
        if code is codes.LITERAL:
            letters.add(chr(told))
        elif code is codes.RANGE and told[1] - told[0] < _MOST:
            letters |= {chr(letter) for letter in range(told[0], told[1] + 1)}
        else:
            return None, _ANY
    return frozenset(letters), _ANY


def _branch(value: tuple[None, list[Any]]) -> tuple[Strings, _Some]:
    strings: set[str] | None = set()
    often, pieces = 0.0, frozenset[str]()
    for part in value[1]:
        may, needs = _of_sequence(part)
        strings = None if strings is None or may is None else strings | may
        often, pieces = often + needs[0], pieces | needs[1]
    listed = frozenset(strings) if strings is not None else None
    return listed, (often, pieces)


def _group(value: tuple[Any, int, int, Any]) -> tuple[Strings, _Some]:
    _, added, _, part = value
    return _unknown(None) if added & codes.SRE_FLAG_IGNORECASE else _of_sequence(part)


def _repeated(value: tuple[int, int, Any]) -> tuple[Strings, _Some]:
    least, most, part = value
    strings, needs = _of_sequence(part)
    if (least, most) == (1, 1):
        return strings, needs
    if (least, most) == (0, 1) and strings is not None:
        return strings | _NOTHING, _ANY
    if least and strings == frozenset((GAP,)):
        return strings, _ANY
    return None, needs if least else _ANY


def _at(value: Any) -> tuple[Strings, _Some]:
    return frozenset((EDGE,)) if value is codes.AT_BOUNDARY else _NOTHING, _ANY


def _ahead(value: tuple[int, Any]) -> tuple[Strings, _Some]:
    return _NOTHING, _of_sequence(value[1])[1]


_PARTS: dict[Any, Callable[[Any], tuple[Strings, _Some]]] = {
    codes.LITERAL: _literal,
    codes.IN: _one_of,
    codes.BRANCH: _branch,
    codes.SUBPATTERN: _group,
    codes.ATOMIC_GROUP: _of_sequence,
    codes.MAX_REPEAT: _repeated,
    codes.MIN_REPEAT: _repeated,
    codes.POSSESSIVE_REPEAT: _repeated,
    codes.ASSERT: _ahead,
    codes.ASSERT_NOT: _of_nothing,
    codes.AT: _at,
}
"""What is in no row, such as a reference to a group, may stand for anything."""
