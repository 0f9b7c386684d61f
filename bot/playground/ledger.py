"""What a page has to know, each thing with the version at which it last changed."""

import threading
from collections.abc import Iterator
from typing import Any

Thing = dict[str, Any]


class Ledger:
    """Keep things by kind and key; tell a reader what changed since it last read."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._things: dict[tuple[str, str], tuple[int, Thing]] = {}
        self._version = 0
        self._closed = False

    def put(self, kind: str, key: str, thing: Thing) -> None:
        """Write a thing, in place of what stood under its key."""
        with self._changed:
            self._version += 1
            self._things[kind, key] = (self._version, thing)
            self._changed.notify_all()

    def remove(self, kind: str, key: str) -> None:
        """Take a thing away; readers are told that it is gone."""
        self.put(kind, key, {"gone": True})

    def get(self, kind: str, key: str) -> Thing | None:
        """Find a thing, None when it never was or is gone."""
        with self._changed:
            thing = self._things.get((kind, key), (0, {"gone": True}))[1]
        return None if thing.get("gone") else thing

    def all_of(self, kind: str) -> list[Thing]:
        """List the things of a kind, in the order in which they first came."""
        with self._changed:
            found = [thing for (k, _), (_, thing) in self._things.items() if k == kind]
        return [thing for thing in found if not thing.get("gone")]

    def news(self, after: int, seconds: float = 0) -> tuple[int, list[Thing]]:
        """List what changed after a version, waiting for something if need be."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._version > after or self._closed, seconds
            )
            return self._version, list(self._after(after))

    def close(self) -> None:
        """Let every waiting reader go."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _after(self, after: int) -> Iterator[Thing]:
        changed = [
            (version, kind, key, thing)
            for (kind, key), (version, thing) in self._things.items()
            if version > after
        ]
        for _, kind, key, thing in sorted(changed, key=lambda each: each[0]):
            yield {"kind": kind, "key": key, **thing}
