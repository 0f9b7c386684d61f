"""How long the operator has things kept: `90d`, `12h`, `52w`, or `forever`."""

import re
from datetime import timedelta
from typing import Final

from bot.config.settings import Settings
from core.wording import say
from prices.database.connection import StoreError
from prices.upkeep.retention import Limits


class LimitError(StoreError):
    """A limit that nobody can read: nothing is deleted on a guess."""


FOREVER: Final = "forever"
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}


def span_of(text: str) -> timedelta | None:
    """Read how long something is kept; None: for ever."""
    word = text.strip().lower()
    if word == FOREVER:
        return None
    found = re.fullmatch(r"(\d{1,5})\s*([hdw])", word)
    if found is None or not int(found[1]):
        raise LimitError(say("config.no_retention_period", text=text))
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def limits_of(settings: Settings) -> Limits:
    """Return every limit: the operator's, else what the product keeps by itself."""
    said = {
        "answers": settings.keep_answers,
        "feedback": settings.keep_feedback,
        "threads": settings.keep_threads,
        "deliveries": settings.keep_deliveries,
        "outbox": settings.keep_outbox,
        "audit": settings.keep_audit,
    }
    return Limits(**{name: span_of(text) for name, text in said.items() if text})
