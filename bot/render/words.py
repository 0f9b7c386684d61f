"""Whatever people read, from `templates/words`: the facts come from the program.

A message is text with its facts in braces, "{gpus} × {gpu}: {month:money}". Behind the
colon stands a filter, or a format of Python's own.
"""

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final

from core.wording import age, count, dollars, duration, milliseconds, significant

FILTERS: Final[dict[str, Callable[[Any], str]]] = {
    "money": dollars,
    "count": count,
    "duration": duration,
    "age": age,
    "milliseconds": milliseconds,
    "significant": significant,
    "significant1": lambda value: significant(value, 1),
    "significant2": lambda value: significant(value, 2),
    "significant4": lambda value: significant(value, 4),
}


class _Words(Formatter):
    """Python's own formatting with our filters."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """Format one fact."""
        filtered = FILTERS.get(format_spec)
        if filtered is not None:
            return filtered(value)
        return str(super().format_field(value, format_spec))


_WORDS: Final = _Words()


def say(message: str, /, **facts: object) -> str:
    """A message of the catalogue, "sizing.verdict", with its facts."""
    room, _, name = message.partition(".")
    return _WORDS.vformat(catalogue(room)[name], (), facts)


@cache
def catalogue(room: str) -> dict[str, str]:
    """All messages of one room, as they stand in its file."""
    text = files("templates").joinpath("words", f"{room}.toml").read_text("utf-8")
    return tomllib.loads(text)
