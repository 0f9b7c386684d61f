"""Text that repeats in prices, kept once and named by number."""

import sqlite3


class Words:
    """The two-way dictionary of the store, inside one write transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._ids: dict[str, int] = {
            word: word_id for word_id, word in read_words(connection).items()
        }
        self._kept = len(self._ids)
        self._next = max(self._ids.values(), default=0) + 1

    def id(self, word: str) -> int:
        """Return the number of a word, a new one where it was never seen."""
        found = self._ids.get(word)
        if found is None:
            found = self._ids[word] = self._next
            self._next += 1
        return found

    def by_id(self) -> dict[int, str]:
        """Return every word by its number."""
        return {word_id: word for word, word_id in self._ids.items()}

    def keep(self) -> None:
        """Write the words that are new."""
        new = list(self._ids.items())[self._kept :]
        self._connection.executemany("INSERT INTO words (word, id) VALUES (?, ?)", new)
        self._kept = len(self._ids)


def read_words(connection: sqlite3.Connection) -> dict[int, str]:
    """Return every word of the store by its number."""
    return dict(connection.execute("SELECT id, word FROM words ORDER BY id"))
