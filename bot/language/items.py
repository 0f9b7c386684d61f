"""What a question is made of, once its words are known."""

from typing import Any

from msgspec import Struct


class Item(Struct):
    """One meaning: a concept, its value, and where in the plain text it stands."""

    concept: str
    value: Any
    start: int
    end: int
    suffix: str = ""
    """How a number was scaled: k, m, b, t, or nothing."""
    base: float = 0.0
    """A number before it was scaled."""
    low: float | None = None
    """The lower end of a range whose upper end is the value."""
    other: float | None = None
    """What the same digits are in another locale: 1.200 is 1200 or 1.2."""


TIMES_OF_ALL = "times"
"""What "99 times out of 100" is a share of."""
