"""The notebook of the rules: what is left to read, and what was read so far."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.language.catalogue import Catalogue
from bot.language.grammar import CODES, USED, compiled
from bot.language.items import Item
from core.query import Use

Match = re.Match[str]
Rule = Callable[["Reading"], None]
Edit = tuple[int, int, str]
"""Where in the plain text to write what: it turns a question into a clearer one."""
APPEND = -1


@dataclass(frozen=True, slots=True)
class Doubt:
    """What must be asked back, about which fields, and likely readings."""

    question: str
    about: tuple[str, ...]
    choices: tuple[Edit, ...] = ()


class Reading:
    """The row of meanings; a rule takes what it understands out of it."""

    def __init__(
        self,
        items: list[Item],
        catalogue: Catalogue,
        kind: str | None = None,
        plain: str = "",
    ) -> None:
        self.items = items
        self.plain = plain
        """The text that the items stand in, lower-case."""
        self.catalogue = catalogue
        self.kind = kind
        """The kind of work that a thread is about, for what follows in it."""
        self.line = "".join(CODES[item.concept] for item in items)
        self.whole = self.line
        """The same, with what is crossed out of `line` still in it."""
        self.seen = frozenset(item.concept for item in items)
        self.fields: dict[str, Any] = {}
        self.spans: dict[str, tuple[int, int]] = {}
        self.doubts: list[Doubt] = []
        self.wanted: str | None = None
        self.use_case: Use | None = None
        self.aside: dict[str, Any] = {}
        """What is no field of the workload: rivals, words, the currency of a spend."""
        self.beside: dict[str, float] = {}
        """What is to be counted beside rented GPU-hours, as fields of `Beside`."""
        self.life: dict[str, Any] = {}
        """What is said of a model's training beside the run, as fields of `Life`."""
        self.unknown: list[tuple[str, str, tuple[str, ...]]] = []

    def has(self, *concepts: str) -> bool:
        """Whether any of these concepts stands anywhere in the question."""
        return not self.seen.isdisjoint(concepts)

    def stated(self, *fields: str) -> bool:
        """Whether any of these fields was read."""
        return not self.fields.keys().isdisjoint(fields)

    def all(self, concept: str) -> list[Item]:
        """Every item of a concept, read or not."""
        return [self.items[index] for index in self.places(concept)]

    def places(self, *concepts: str) -> list[int]:
        """Where these concepts stand, read or not."""
        if not self.has(*concepts):
            return []
        codes = {CODES[concept] for concept in concepts}
        return [index for index, code in enumerate(self.whole) if code in codes]

    def become(self, index: int, concept: str, value: str) -> None:
        """Read one item as another concept after all."""
        self.items[index].concept, self.items[index].value = concept, value
        self.seen |= {concept}
        code = CODES[concept]
        self.line = self.line[:index] + code + self.line[index + 1 :]
        self.whole = self.whole[:index] + code + self.whole[index + 1 :]

    def find(self, *patterns: str) -> Iterator[Match]:
        """Find patterns in what is still unread, the first pattern first."""
        for pattern in patterns:
            shape, start = compiled(pattern), 0
            while (match := shape.search(self.line, start)) is not None:
                yield match
                start = match.start() + 1

    def first(self, *patterns: str) -> Match | None:
        """Find the first place where one of the patterns holds."""
        return next(self.find(*patterns), None)

    def item(self, match: Match, group: str) -> Item:
        """The item that a named part of a pattern stands on."""
        return self.items[match.start(group)]

    def value(self, match: Match, group: str = "n") -> Any:
        """The value of the item that a named part of a pattern stands on."""
        return self.items[match.start(group)].value

    def concepts(self, match: Match) -> set[str]:
        """The concepts that a match stands on, read or not."""
        return {self.items[index].concept for index in range(*match.span())}

    def between(self, index: int) -> str:
        """The text between an item and the one before it."""
        before = self.items[index - 1].end if index else 0
        return self.plain[before : self.items[index].start]

    def concept_at(self, index: int) -> str:
        """The concept at a place, or nothing behind the end."""
        return self.items[index].concept if index < len(self.items) else ""

    def put(self, field: str, value: Any, start: int, end: int) -> None:
        """Note a field that is not yet known, with the items it was read from."""
        if field not in self.fields:
            self.fields[field] = value
            self.spans[field] = (self.items[start].start, self.items[end - 1].end)

    def use(self, start: int, end: int) -> None:
        """Cross items out, so that no later rule reads them again."""
        self.line = self.line[:start] + USED * (end - start) + self.line[end:]

    def take(self, field: str, value: Any, match: Match) -> None:
        """Note a field and cross out what it was read from."""
        self.put(field, value, match.start(), match.end())
        self.use(match.start(), match.end())

    def doubt(self, question: str, *about: str, choices: tuple[Edit, ...] = ()) -> None:
        """Note that the answer needs one more word from the asker."""
        self.doubts.append(Doubt(question, about, choices))
