"""The words the parser knows, read once from the TOML files beside it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from bot.language import lexer
from bot.language import normalise as plainly
from bot.language.grammar import CODES
from bot.language.lexer import Token, tokens_of
from bot.language.normalise import normalise
from core.needed import Text
from core.patterns import compiled, regex
from core.reference.packaged import files
from core.reference.places import places
from core.reference.tables import read_table, worked_out

Sense = tuple[str, str]
"""A concept and its value ("" where it has none)."""
LANGUAGES = (
    "shared", "en", "de", "fr", "es", "pt", "zh", "ja", "hi", "it", "nl", "pl", "tr",
    "ko", "ru",
)  # fmt: skip
_FOLDER = files("bot.language.words")


class Node:
    """One step of the phrase trie: what the words so far mean, and what may follow."""

    __slots__ = ("after", "senses")

    def __init__(self) -> None:
        self.senses: tuple[Sense, ...] | None = None
        self.after: dict[str, Node] = {}


class Vocabulary(Struct, frozen=True):
    """Phrases by their words, and the single words that a typo may have meant."""

    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
    """By its first word: the words behind it, and the key of its senses."""
    numbers: Mapping[str, float]
    number_phrases: Mapping[str, list[tuple[tuple[str, ...], float]]]
    """Those of several words, by the first: "quatre-vingts"."""
    by_start: Mapping[str, tuple[str, ...]]
    ordinary: frozenset[str]
    _nodes: dict[str, Node]
    """Of the words that were said so far."""

    def node(self, word: str) -> Node | None:
        """What a word means, and what may follow it, where a phrase begins with it."""
        found = self._nodes.get(word)
        if found is None and (listed := self.phrases.get(word)):
            found = Node()
            for rest, key in listed:
                _plant(found, rest, senses_of(key))
            self._nodes[word] = found
        return found

    def longest(
        self, tokens: Sequence[Token], at: int
    ) -> tuple[int, tuple[Sense, ...] | None]:
        """Return where the longest known phrase from a token ends, and its senses."""
        node = self.node(tokens[at].text)
        index, end, senses = at, at, None
        while node is not None:
            index += 1
            if node.senses is not None:
                end, senses = index, node.senses
            if index >= len(tokens) or not node.after:
                break
            node = node.after.get(tokens[index].text)
        return end, senses


@cache
def read_toml(name: str) -> dict[str, Any]:
    """Read one of the files beside this module."""
    return read_table("bot.language.words", f"{name}.toml")


def spellings(text: str) -> Iterator[str]:
    """Split "a, b, c" into its entries; the sign "," itself is not an entry."""
    for entry in text.split(","):
        if entry := entry.strip():
            yield entry


_JOINED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
"""Letters of scripts that write words together."""


class Said(NamedTuple):
    """A phrase of a section of the language files, and where a text says it."""

    key: str
    start: int
    end: int


class Phrases:
    """What all languages list in a section, found by the first word of each phrase."""

    def __init__(self, section: str, keys: tuple[str, ...]) -> None:
        self._by_word: dict[str, list[tuple[str, str]]] = {}
        joined: dict[str, list[str]] = {}
        for plain, key, apart in _plain().get(section, ()):
            if keys and key not in keys:
                continue
            if not apart:
                joined.setdefault(key, []).append(re.escape(plain))
            elif first := _FIRST.match(plain):
                self._by_word.setdefault(first[0], []).append((plain, key))
        for listed in self._by_word.values():
            listed.sort(key=lambda pair: -len(pair[0]))
        heads = "".join(sorted({one[0] for said in joined.values() for one in said}))
        each = "|".join(f"(?P<{key}>{'|'.join(said)})" for key, said in joined.items())
        self._joined = compiled(f"(?=[{heads}])(?:{each})" if heads else "(?!)")

    def find(self, plain: str) -> list[Said]:
        """Every place of a text where one is said, in order; the longest counts."""
        found: list[Said] = []
        end = 0
        by_word = self._by_word
        text = plain if isinstance(plain, Text) else Text(plain)
        some = not by_word.keys().isdisjoint(text.said)
        for word, start in text.words if some else ():
            if word not in by_word or start < end:
                continue
            for phrase, key in by_word[word]:
                stop = start + len(phrase)
                if plain.startswith(phrase, start) and not _WORDY.match(plain, stop):
                    found.append(Said(key, start, stop))
                    end = stop
                    break
        if not plain.isascii():
            found += (
                Said(m.lastgroup or "", *m.span()) for m in self._joined.finditer(plain)
            )
            found.sort(key=lambda said: said.start)
        return found


_FIRST = regex(r"\w+")
_WORDY = regex(r"\w")


@cache
def phrases(section: str, *keys: str) -> Phrases:
    """What all languages list under some keys of a section, or under any."""
    return Phrases(section, keys)


def entries() -> Iterator[tuple[str, str, str]]:
    """Every phrase of every language with its file and the key of its senses."""
    for language in LANGUAGES:
        for key, text in read_toml(language)["words"].items():
            for phrase in spellings(text):
                yield language, phrase, key
    for region, phrase in _where():
        yield "names", phrase, f"REGION={region}"


def _where() -> Iterator[tuple[str, str]]:
    """Places with their names: as listed, "swiss servers", a country's own name."""
    named = read_toml("names")
    listed = {name: name for name in spellings(named["own_name"]["region"])}
    for region, text in named["region"].items():
        listed |= dict.fromkeys(spellings(text), region)
    begun = tuple(phrase for phrase in listed if phrase.startswith("in "))
    for name in spellings(named["own_name"]["region"]):
        if f"in {name}".startswith(begun):  # "in eu-central-1", not "in eu-central"
            listed.setdefault(f"in {name}", name)
    for region, text in named["from_there"].items():
        for adjective, noun in product(
            spellings(text), spellings(named["housed"]["in"])
        ):
            listed.setdefault(f"{adjective} {noun}", region)
            listed.setdefault(f"{noun} {adjective}", region)
    wide = {one.within for one in places().values()} | {*listed.values()}
    for region, one in places().items():
        for phrase in one.words if region not in wide else ():
            listed.setdefault(phrase, region)
    yield from ((region, phrase) for phrase, region in listed.items())


@cache
def senses_of(key: str) -> tuple[Sense, ...]:
    """Read a key such as `REQ PER TIME=second`."""
    parts = (part.partition("=") for part in key.split())
    senses = tuple((concept, value) for concept, _, value in parts)
    for concept, _ in senses:
        if concept not in CODES:
            raise KeyError(f"{concept} is no concept of the grammar")
    return senses


@cache
def vocabulary() -> Vocabulary:
    """Return all words of all languages."""
    numbers = read_toml("numbers")
    singles: dict[str, list[str]] = {}
    for word in numbers["mendable"]["words"].split():
        singles.setdefault(word[0], []).append(word)
    cut = worked_out(_cut, __file__, _sources())
    return Vocabulary(
        phrases=cut["phrases"],
        numbers=cut["numbers"],
        number_phrases=cut["number_phrases"],
        by_start={start: tuple(words) for start, words in singles.items()},
        ordinary=frozenset(numbers["ordinary"]["words"].split()),
        _nodes={},
    )


def _sources() -> list[Any]:
    """What phrases are listed in, and what they are cut by."""
    tables = (*LANGUAGES, "names", "numbers")
    code = Path(lexer.__file__), Path(plainly.__file__)
    return [*(_FOLDER.joinpath(f"{name}.toml") for name in tables), *code]


def _cut() -> dict[str, Any]:
    """Every phrase and number by its first word, cut as a question would be."""
    phrases: dict[str, dict[tuple[str, ...], str]] = {}
    for _, phrase, key in entries():
        first, *rest = _words(phrase)
        phrases.setdefault(first, {}).setdefault(tuple(rest), key)
    spelled: dict[str, float] = {}
    said: dict[str, list[tuple[tuple[str, ...], float]]] = {}
    for value, text in read_toml("numbers")["number"].items():
        for phrase in spellings(text):
            first, *rest = _words(phrase)
            if rest:
                said.setdefault(first, []).append(((first, *rest), float(value)))
            else:
                spelled[first] = float(value)
    listed = {first: list(found.items()) for first, found in phrases.items()}
    return {"phrases": listed, "numbers": spelled, "number_phrases": said}


@cache
def _plain() -> dict[str, list[tuple[str, str, bool]]]:
    """What all languages list in each section but the words.

    Phrases, their keys, and whether their script writes words apart.
    """
    found: dict[str, list[tuple[str, str, bool]]] = worked_out(
        _sections, __file__, _sources()
    )
    return found


def _sections() -> dict[str, list[tuple[str, str, bool]]]:
    found: dict[str, list[tuple[str, str, bool]]] = {}
    for language in LANGUAGES:
        for section, listed in read_toml(language).items():
            for key, text in listed.items() if section != "words" else ():
                for plain in (normalise(one).text for one in spellings(text)):
                    apart = plain.isascii() or re.search(_JOINED, plain) is None
                    found.setdefault(section, []).append((plain, key, apart))
    return found


def _words(phrase: str) -> list[str]:
    """Cut a phrase as a question would be cut; blanks alone part plain words."""
    words = phrase.split(" ")
    if phrase.isascii() and phrase.islower() and all(map(str.isalpha, words)):
        return words
    return [token.text for token in tokens_of(normalise(phrase).text)]


def _plant(node: Node, words: Sequence[str], senses: tuple[Sense, ...]) -> None:
    """Add a phrase of so many words more."""
    for word in words:
        after = node.after.get(word)
        if after is None:
            after = node.after[word] = Node()
        node = after
    node.senses = senses
