"""From what was said to what has to be done: every gap filled, shown and reasoned."""

from core.resolve.resolve import Unresolved, impossible, resolve

__all__ = ["Unresolved", "impossible", "resolve"]
