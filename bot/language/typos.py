"""Mend misspelt words, never one real name into another."""

from collections.abc import Mapping
from functools import cache, lru_cache

from bot.language.families import families
from bot.language.names import names
from bot.language.vocabulary import read_toml, vocabulary

_KNOWN = 4096
"""Words of which the nearest one is remembered: strangers come again, too."""
_TRIES = 24
"""Words of one message that are compared; the rest of a long one stays as it is."""


class Typos:
    """Finds the known word that an unknown one was probably meant to be."""

    def __init__(self) -> None:
        self.tries = 0

    def meant(self, word: str, *, sized: bool = False) -> str | None:
        """Return the nearest known word of the same first letter, if near enough.

        One slip in a word of up to seven letters, two in a longer one; words with
        digits are never mended, because another digit is another product, and real
        words only into a model's name before its size or version: `sized`.
        """
        if not (3 <= len(word) <= 20 and word.isascii() and word.isalpha()):
            return None
        plain = word in vocabulary().ordinary or word in names().weak
        if plain or self.tries >= _TRIES:
            return None
        self.tries += 1
        if len(word) == 3:
            return _swapped(word)
        meant = nearest(word)
        if word not in lookalikes() and word.removesuffix("s") in lookalikes():
            return None  # "the ministry's"
        real = meant is not None and word in lookalikes()
        return None if real and not (sized and meant in families().starts) else meant


def _swapped(word: str) -> str | None:
    """A unit of three letters of which two changed places: "180 rsp"."""
    others = {word[0] + word[2] + word[1], word[1] + word[0] + word[2]}
    known = [other for other in others if other in _UNITS]
    return known[0] if len(known) == 1 else None


_UNITS = frozenset(("rps", "qps", "out", "tok", "req", "rpm"))


@cache
def lookalikes() -> frozenset[str]:
    """Words of the dictionary that are near one of ours: "basement" and Baseten."""
    return frozenset(read_toml("lookalikes")["words"].split())


@lru_cache(maxsize=_KNOWN)
def nearest(word: str) -> str | None:
    """Return the known word within one slip, or within two of a long word."""
    from rapidfuzz.distance import OSA  # 30 ms that most questions do not need

    slips = 1 if len(word) <= 7 else 2
    best: str | None = None
    common = vocabulary().by_start.get(word[0], ()) if len(word) >= 5 else ()
    # single words that share the first letter, proper names first
    for candidate in (*proper_names().get(word[0], ()), *common):
        if abs(len(candidate) - len(word)) > slips:
            continue
        distance = OSA.distance(word, candidate, score_cutoff=slips)
        if distance <= slips:
            best, slips = candidate, distance - 1
    return best


@cache
def proper_names() -> Mapping[str, tuple[str, ...]]:
    """Families, providers and APIs of five letters or more, by their first letter."""
    sold = (name for name, sense in names().senses.items() if sense[0] != "GPU")
    found: dict[str, list[str]] = {}
    common = (name for name in families().starts if name not in families().rare)
    for name in (*common, *sold):
        if len(name) >= 5 and name.isascii() and name.isalpha():
            found.setdefault(name[0], []).append(name)
    return {start: tuple(known) for start, known in found.items()}
