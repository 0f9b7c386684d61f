"""Text that repeats in prices, kept once and named by number."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Generic, TypeVar

from core.offers import (
    Evidence,
    Includes,
    PricePoint,
    Pricing,
    SellerKind,
    Stock,
    Tier,
)
from prices.database.connection import Connection

Terms = tuple[Pricing, int, bool, Tier, Includes]
"""Pricing, term in months, upfront, tier, what is included."""
Facts = tuple[SellerKind, Stock, Evidence, int | None]
"""Seller's kind, stock, evidence, smallest order."""
Place = tuple[int, int, int, int, int, int]
"""An offer within its source: provider, GPU, count, instance, region, terms."""
TERMS = ("pricing", "term_months", "upfront", "tier", "includes")
FACTS = ("seller_kind", "stock", "evidence", "min_gpus")
PLACE = ("provider_id", "gpu_id", "gpu_count", "instance_id", "region_id", "terms_id")
"""The columns of a place."""

Entry = TypeVar("Entry", bound=tuple[object, ...])

_SEAT = attrgetter("provider", "gpu", "gpu_count", "instance", "region", *TERMS)
_SAID = attrgetter(*FACTS)


class StringTable(dict[str, int]):
    """The number of every word; a word never seen takes the next one."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection.execute("SELECT word, id FROM words ORDER BY id"))
        self._kept = len(self)

    def __missing__(self, word: str) -> int:
        self[word] = found = len(self) + 1
        return found

    def keep(self, connection: Connection) -> None:
        """Write the words that are new."""
        new = list(self.items())[self._kept :]
        connection.executemany("INSERT INTO words (word, id) VALUES (?, ?)", new)
        self._kept = len(self)


class _Book(dict[Entry, int], Generic[Entry]):
    """The number of every entry of a table; one never seen takes the next one."""

    def __init__(self, known: dict[int, Entry]) -> None:
        super().__init__((entry, number) for number, entry in known.items())
        self._kept = len(self)

    def __missing__(self, entry: Entry) -> int:
        self[entry] = found = len(self) + 1
        return found

    def fresh(self) -> list[tuple[object, ...]]:
        """Return the entries that no table has yet, as rows; they are kept then."""
        new = [(number, *entry) for entry, number in self.items()][self._kept :]
        self._kept = len(self)
        return new


class Places:
    """The numbers that stand for offers within their source."""

    def __init__(self, connection: Connection) -> None:
        self.words = StringTable(connection)
        self.terms: _Book[Terms] = _Book(read_terms(connection))
        self.facts: _Book[Facts] = _Book(read_facts(connection))

    def of(self, points: Iterable[PricePoint]) -> list[Place]:
        """Return the place of every point; names never seen take a number."""
        word, terms = self.words, self.terms
        return [
            (
                word[provider],
                word[gpu],
                count,
                word[instance],
                word[region],
                terms[tuple(said)],
            )
            for provider, gpu, count, instance, region, *said in map(_SEAT, points)
        ]

    def facts_of(self, point: PricePoint) -> int:
        """Return the number of what is said of an offer beside its price."""
        return self.facts[_SAID(point)]

    def keep(self, connection: Connection) -> None:
        """Write the names that are new."""
        self.words.keep(connection)
        connection.executemany(
            "INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?)", self.terms.fresh()
        )
        connection.executemany(
            "INSERT INTO facts VALUES (?, ?, ?, ?, ?)", self.facts.fresh()
        )


def read_words(connection: Connection) -> dict[int, str]:
    """Return every word of the store by its number."""
    return dict(connection.execute("SELECT id, word FROM words"))


def read_terms(connection: Connection) -> dict[int, Terms]:
    """Return every set of terms by its number."""
    rows = connection.execute("SELECT * FROM terms ORDER BY id")
    return {
        terms_id: (pricing, term_months, bool(upfront), tier, includes)
        for terms_id, pricing, term_months, upfront, tier, includes in rows
    }


def read_facts(connection: Connection) -> dict[int, Facts]:
    """Return every set of facts by its number."""
    rows = connection.execute("SELECT * FROM facts ORDER BY id")
    return {facts_id: tuple(facts) for facts_id, *facts in rows}
