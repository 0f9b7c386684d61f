"""Which language a text is in, where no word file reads it."""

import re
from functools import cache

from bot.language.vocabulary import read_toml, vocabulary
from core.patterns import regex

_WORD = regex(r"[^\W\d_]+")
_ASCII_WORD = regex(r"[a-z]+")
_MOST = 2_000
"""Characters that tell the language."""
_LEAST = 2
"""Small words of a language that tell it, none of which another file reads."""


def language_of(text: str) -> str | None:
    """Name the language of a text that we cannot read, None where we can."""
    plain = text[:_MOST].lower()
    if plain.isascii() and _ascii_words().isdisjoint(_ASCII_WORD.findall(plain)):
        return None
    for name, letters in _scripts():
        if len(letters.findall(plain)) >= 3:
            return name
    said = _WORD.findall(plain)
    hits = {name: len(words.intersection(said)) for name, words in _small()}
    name = max(hits, key=lambda language: hits[language])
    return name if hits[name] >= max(_LEAST, _read(said)) else None


def _read(words: list[str]) -> int:
    """How many words of a text our own files know, the trade's terms apart."""
    nodes = map(vocabulary().node, set(words))
    return sum(node is not None and node.senses == (("FILL", ""),) for node in nodes)


@cache
def _scripts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = read_toml("others")
    listed = {**rows["letters"], **rows["script"]}
    return tuple((name, regex(f"[{span}]")) for name, span in listed.items())


@cache
def _small() -> tuple[tuple[str, frozenset[str]], ...]:
    """The small words of each language; those that our own files read tell nothing."""
    known = vocabulary().phrases
    return tuple(
        (name, frozenset(word for word in text.split() if word not in known))
        for name, text in read_toml("others")["words"].items()
    )


@cache
def _ascii_words() -> frozenset[str]:
    return frozenset(word for _, words in _small() for word in words if word.isascii())
