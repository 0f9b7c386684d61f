"""What a question asks to be told: a yes or no, a count, money per what, a time."""

from collections.abc import Mapping
from functools import cache
from re import Pattern

from core.patterns import regex
from core.query import Query
from core.reference.tables import read_table


def asks(query: Query, *kinds: str) -> bool:
    """Whether a question asks for one of some kinds of answers, by its words."""
    text = query.text.lower()
    return any(_shapes("asks")[kind].search(text) for kind in kinds)


def advises(verdict: str) -> bool:
    """Whether a headline begins with a yes, a no or what to do."""
    return bool(_shapes("told")["advice"].match(verdict.lower()))


@cache
def _shapes(table: str) -> Mapping[str, Pattern[str]]:
    rows = read_table("bot.question", "asks.toml")[table]
    return {kind: regex(shape) for kind, shape in rows.items()}
