"""Whatever people read, from `templates/words`: the facts come from the program.

A message is text with its facts in braces, "{gpus} × {gpu}: {month:money}". Behind the
colon stands a filter, or a format of Python's own.
"""

from collections.abc import Callable
from functools import cache
from string import Formatter
from typing import Any, Final

from core.reference.tables import read_table
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


def say(message: str, /, **facts: object) -> str:
    """A message of the catalogue, "sizing.verdict", with its facts."""
    said = ""
    for words, fact, form in _parts(message):
        said += words
        if fact is not None:
            told = FILTERS.get(form)
            said += told(facts[fact]) if told else format(facts[fact], form)
    return said


@cache
def _parts(message: str) -> tuple[tuple[str, str | None, str], ...]:
    """A message cut apart once: words, the fact behind them, and how it is told."""
    room, _, name = message.partition(".")
    cut = Formatter().parse(catalogue(room)[name])
    return tuple((words, fact, form or "") for words, fact, form, _ in cut)


@cache
def catalogue(room: str) -> dict[str, str]:
    """All messages of one room, as they stand in its file."""
    return read_table("templates", f"words/{room}.toml")
