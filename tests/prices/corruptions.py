"""What a corruption is: one change of one recorded payload, and what is said of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.prices.feeds import recorded

Edit = Callable[[Any], object]


@dataclass(frozen=True)
class Raw:
    """A change of the bytes, not of what they mean."""

    change: Callable[[bytes], bytes]


@dataclass(frozen=True)
class Case:
    """One corruption of one feed, and what is to be said of it."""

    feed: str
    what: str
    edit: Edit | Raw
    kind: str
    said: str
    lost: int = 1
    """How many offers cannot be read any longer, where nothing was known before."""
    known_only: bool = False
    """Whether it can be told only where the offers were known before."""
    refused: bool = False
    """Whether nothing is left of the poll, though it can be read."""


def row(*path: str | int, **values: Any) -> Edit:
    """Change the fields of one object."""

    def edit(data: Any) -> None:
        found = data
        for step in path:
            found = found[step]
        found.update(values)

    return edit


def at(*path: str | int, value: Any) -> Edit:
    """Put a value in place of another."""

    def edit(data: Any) -> None:
        found = data
        for step in path[:-1]:
            found = found[step]
        found[path[-1]] = value

    return edit


def text(old: str, new: str, times: int = 1) -> Raw:
    """Replace a piece of the text."""

    def change(payload: bytes) -> bytes:
        assert old.encode() in payload
        return payload.replace(old.encode(), new.encode(), times)

    return Raw(change)


def cut(share: float) -> Raw:
    """Keep only the beginning."""
    return Raw(lambda payload: payload[: int(len(payload) * share)])


def whole(new: bytes) -> Raw:
    """Send something else altogether."""
    return Raw(lambda _payload: new)


HTML = b"<!DOCTYPE html><html><body>503 Service Unavailable</body></html>"


def corrupted(case: Case) -> bytes:
    """Return the payload of a case."""
    payload = recorded(case.feed)
    if isinstance(case.edit, Raw):
        return case.edit.change(payload)
    data = json.loads(payload)
    case.edit(data)
    return json.dumps(data).encode()
