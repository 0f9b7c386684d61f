"""What a question is made of, once its words are known."""

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Item:
    """One meaning: a concept, its value, and where in the plain text it stands."""

    concept: str
    value: Any
    start: int
    end: int
    suffix: str = ""
    """How a number was scaled: k, m, b, t, or nothing."""
    base: float = 0.0
    """A number before it was scaled."""
