"""A past day that a question names: "price h100 as of april 2026"."""

import re
from calendar import monthrange
from datetime import UTC, datetime

from core.patterns import regex
from core.query import Query
from core.wording import say

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_LEAD = r"\b(?:as of|as at|as on|(?:at|with) (?:the )?prices (?:of|from|on))\s+"
_SHAPES = tuple(
    regex(rf"{_LEAD}(?:the\s+)?{shape}\b", re.IGNORECASE)
    for shape in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<year>\d{4})-(?P<month>\d{1,2})",
        rf"{_DAY}\s+(?:of\s+)?{_MONTH},?\s+(?P<year>\d{{4}})",
        rf"{_MONTH}\s+{_DAY},?\s+(?P<year>\d{{4}})",
        rf"{_MONTH},?\s+(?P<year>\d{{4}})",
    )
)


def day_asked(text: str) -> datetime | None:
    """Return the end of the day, or of the month, whose prices are asked for."""
    for shape in _SHAPES:
        if found := shape.search(text):
            return _end_of(found.groupdict())
    return None


def without_day(query: Query) -> Query:
    """The same query, where the words that name the day are none left unread."""
    found = next((f for shape in _SHAPES if (f := shape.search(query.text))), None)
    if found is None:
        return query
    first, last = found.span()
    left = (one for one in query.not_used if not first <= one.start < last)
    return query.model_copy(update={"not_used": tuple(left)})


def said_of(day: datetime, now: datetime) -> str:
    """Say which day's prices an answer has."""
    if day > now:
        return say("commands.day_to_come", day=day)
    return say("commands.prices_of_day", day=day)


def _end_of(parts: dict[str, str | None]) -> datetime | None:
    name = parts.get("name")
    month = _MONTHS.index(name[:3].lower()) + 1 if name else int(parts["month"] or 0)
    year, day = int(parts["year"] or 0), parts.get("day")
    try:
        last = int(day) if day else monthrange(year, month)[1]
        return datetime(year, month, last, 23, 59, 59, tzinfo=UTC)
    except ValueError:
        return None  # a month or a day that is none
