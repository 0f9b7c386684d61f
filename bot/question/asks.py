"""What a question asks to be told: a yes or no, a count, money per what, a time."""

import re
from functools import cache

from core.patterns import regex
from core.query import Query
from core.reference.tables import read_table


def asks(query: Query, *kinds: str) -> bool:
    """Whether a question asks for one of some kinds of answers, by its words."""
    return says(query.text, *kinds)


def says(text: str, *kinds: str) -> bool:
    """Whether words of one of some kinds stand in a text."""
    return any(_shapes()[kind].search(text.lower()) for kind in kinds)


@cache
def _shapes() -> dict[str, re.Pattern[str]]:
    rows = read_table("bot.question", "asks.toml")["asks"]
    return {kind: regex(shape) for kind, shape in rows.items()}
