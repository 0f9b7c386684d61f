"""Short true explanations of the field's words, found by the words of a question."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from core.answers.answer import Answer
from core.frozen import Frozen, Source
from core.reference.coverage import coverage
from core.reference.tables import read_table


class Entry(Frozen, frozen=True):
    """One term: what it is in a sentence, and what follows from it."""

    id: str
    title: str
    words: tuple[str, ...]
    short: str
    more: str
    sources: tuple[Source, ...]
    see: tuple[str, ...] = ()


class Correction(Frozen, frozen=True):
    """What published figures say, and what holds instead."""

    id: str
    about: tuple[str, ...]
    said: str
    holds: str
    sources: tuple[Source, ...] = ()
    articles: tuple[str, ...] = ()
    """Titles of the articles that say it, where no page is cited."""

    def shared_words(self, text: str) -> int:
        """How many of a text's telling words the correction holds."""
        mine = set(_words(f"{self.said} {self.holds}"))
        return len(mine.intersection(_words(text)))


class Meaning(Answer, frozen=True):
    """What a word means: the entries that a question names, the best first."""

    entries: tuple[Entry, ...]

    @property
    def status(self) -> str:
        """A word that is known is explained."""
        return "ok"


class Glossary(Struct, frozen=True):
    """Every entry and correction, by id."""

    entries: Mapping[str, Entry]
    corrections: Mapping[str, Correction]

    def find(self, text: str) -> tuple[Entry, ...]:
        """The entries whose words a text holds, the first named first.

        Where two begin at one place, the one with the longer word.
        """
        plain = " ".join(text.lower().split())
        scored = [(_matched(entry, plain), entry) for entry in self.entries.values()]
        found = [(score, entry) for score, entry in scored if score is not None]
        return tuple(entry for _, entry in sorted(found, key=lambda pair: pair[0]))

    def corrections_of(
        self, entries: Iterable[Entry], text: str = ""
    ) -> tuple[Correction, ...]:
        """What is often said about terms, put right; what a text is about first."""
        terms = {entry.id for entry in entries}
        found = (c for c in self.corrections.values() if terms.intersection(c.about))
        return tuple(sorted(found, key=lambda one: -one.shared_words(text)))

    def titles(self) -> tuple[str, ...]:
        """What can be asked about."""
        return tuple(entry.title for entry in self.entries.values())


def _matched(entry: Entry, text: str) -> tuple[int, int] | None:
    """Where an entry is first named, and minus the letters of that word."""
    found = (_place(text, word) for word in entry.words)
    return min((place for place in found if place is not None), default=None)


def _place(text: str, word: str) -> tuple[int, int] | None:
    """Where a word stands whole, in the singular or plural; None: nowhere."""
    match = re.search(rf"(?<![\w-]){re.escape(word)}s?(?![\w-])", text)
    return None if match is None else (match.start(), -len(word))


@cache
def glossary() -> Glossary:
    """The glossary that ships with the program."""
    table = read_table("core.reference", "glossary.toml")
    entries = (Entry.model_validate(_sourced(e, table)) for e in table["entry"])
    written = (
        Correction.model_validate(_sourced(c, table)) for c in table["correction"]
    )
    corrections = {c.id: c for c in _contradictions()}
    for one in written:  # its own words; what it is about adds to what the articles say
        known = corrections[one.id].about if one.id in corrections else ()
        about = tuple(dict.fromkeys((*known, *one.about)))
        corrections[one.id] = one.model_copy(update={"about": about})
    return Glossary({e.id: e for e in entries}, dict(sorted(corrections.items())))


def _contradictions() -> Iterator[Correction]:
    """The articles' contradictions, and what the program does about each."""
    known = coverage()
    for line in known.statements.values():
        if line.about:
            titles = tuple(known.articles[name].title for name in line.of)
            yield Correction(
                id=line.id, about=line.about, said=line.what, holds=line.says,
                articles=titles,
            )  # fmt: skip


def _words(text: str) -> list[str]:
    """Numbers, names and words of four letters and more, in lower case."""
    found = re.findall(r"[a-z0-9][a-z0-9.]*[a-z0-9]|\d", text.lower())
    return [w for w in found if len(w) > 3 or any(c.isdigit() for c in w)]


def _sourced(row: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """The same row with its sources' addresses in place of their keys."""
    urls: dict[str, str] = table["sources"]
    sources = [Source(url=urls[k], checked=table["checked"]) for k in row["sources"]]
    return row | {"sources": sources}
