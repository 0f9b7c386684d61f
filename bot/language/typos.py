"""Mend misspelt words, never one real name into another."""

from bot.language.models import Models
from bot.language.names import Names
from bot.language.vocabulary import Vocabulary

_TRIES = 24
"""Words of one message that are compared; the rest of a long one stays as it is."""


class Typos:
    """Finds the known word that an unknown one was probably meant to be."""

    def __init__(self, words: Vocabulary, names: Names, models: Models) -> None:
        self.words = words
        self.names = names
        self.models = models
        self.tries = 0

    def meant(self, word: str) -> str | None:
        """Return the nearest known word of the same first letter, if near enough.

        One slip in a word of up to seven letters, two in a longer one; words with
        digits are never mended, because another digit is another product.
        """
        if not (4 <= len(word) <= 20 and word.isascii() and word.isalpha()):
            return None
        if word in self.words.ordinary or self.tries >= _TRIES:
            return None
        self.tries += 1
        from rapidfuzz.distance import OSA  # 30 ms that most questions do not need

        slips = 1 if len(word) <= 7 else 2
        best: str | None = None
        for candidate in self._candidates(word):
            if abs(len(candidate) - len(word)) > slips:
                continue
            distance = OSA.distance(word, candidate, score_cutoff=slips)
            if distance <= slips:
                best, slips = candidate, distance - 1
        return best

    def _candidates(self, word: str) -> tuple[str, ...]:
        """The single words that share the first letter, proper names first."""
        known = self._names().get(word[0], ())
        common = self.words.by_start.get(word[0], ()) if len(word) >= 5 else ()
        return (*known, *common)

    def _names(self) -> dict[str, tuple[str, ...]]:
        global _BY_START
        if _BY_START is None:
            found: dict[str, list[str]] = {}
            families = [name for name in self.models.starts if len(name) >= 5]
            providers = [
                name
                for name, sense in self.names.senses.items()
                if sense[0] != "GPU" and len(name) >= 5
            ]
            for name in (*families, *providers):
                if name.isascii() and name.isalpha():
                    found.setdefault(name[0], []).append(name)
            _BY_START = {start: tuple(known) for start, known in found.items()}
        return _BY_START


_BY_START: dict[str, tuple[str, ...]] | None = None
