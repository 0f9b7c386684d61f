"""Text that repeats in prices, kept once and named by number."""

import sqlite3

from core.offers import PricePoint

Terms = tuple[str, int, bool, str, str]
"""Pricing, term in months, upfront, tier, what is included."""


class Words(dict[str, int]):
    """The number of every word; a word never seen takes the next one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection.execute("SELECT word, id FROM words ORDER BY id"))
        self._kept = len(self)

    def __missing__(self, word: str) -> int:
        self[word] = found = len(self) + 1
        return found

    def keep(self, connection: sqlite3.Connection) -> None:
        """Write the words that are new."""
        new = list(self.items())[self._kept :]
        connection.executemany("INSERT INTO words (word, id) VALUES (?, ?)", new)
        self._kept = len(self)


class TermsBook(dict[Terms, int]):
    """The number of every set of terms; a set never seen takes the next one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        known = read_terms(connection)
        super().__init__((terms, terms_id) for terms_id, terms in known.items())
        self._kept = len(self)

    def __missing__(self, terms: Terms) -> int:
        self[terms] = found = len(self) + 1
        return found

    def keep(self, connection: sqlite3.Connection) -> None:
        """Write the terms that are new."""
        new = [(terms_id, *terms) for terms, terms_id in self.items()][self._kept :]
        connection.executemany("INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?)", new)
        self._kept = len(self)


def terms_of(point: PricePoint) -> Terms:
    """Return the terms under which a point is offered."""
    return (
        point.pricing,
        point.term_months,
        point.upfront,
        point.tier,
        point.includes,
    )


def read_words(connection: sqlite3.Connection) -> dict[int, str]:
    """Return every word of the store by its number."""
    return dict(connection.execute("SELECT id, word FROM words"))


def read_terms(connection: sqlite3.Connection) -> dict[int, Terms]:
    """Return every set of terms by its number."""
    rows = connection.execute("SELECT * FROM terms ORDER BY id")
    return {
        terms_id: (pricing, term_months, bool(upfront), tier, includes)
        for terms_id, pricing, term_months, upfront, tier, includes in rows
    }
