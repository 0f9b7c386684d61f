"""Times and the shape of what a pattern states."""

from collections.abc import Callable
from typing import Any

from bot.language.reading import Match, Reading

Fields = dict[str, Any]
Converter = Callable[[Reading, Match], Fields]

SECONDS = {"ms": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0,
           "week": 604800.0, "fortnight": 1209600.0, "month": 2592000.0,
           "year": 31536000.0}  # fmt: skip
MONTHS = {"month": 1.0, "year": 12.0, "week": 12 / 52}
MONTH_HOURS = 600, 744
"""Between these a number of hours is a whole month."""


def plain(reading: Reading, match: Match) -> Fields:
    """The number itself; words such as "double" say it as text."""
    return {"": float(reading.value(match))}
