"""What every intent's handler is given, and what it gives back."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.render.views import AnswerView
from core.answers.tco import AllIn
from core.defaults import Defaults
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from prices.history.store import Store


@dataclass(frozen=True, slots=True)
class Question:
    """A read question with everything that an answer may need."""

    query: Query
    reference: Reference
    defaults: Defaults
    catalog: Catalog
    store: Store
    now: datetime
    answer_id: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A view, its arithmetic, and the figures behind both for programs."""

    view: AnswerView
    explanation: AnswerView | None = None
    """None: nothing was computed, so there is nothing to explain or to keep."""
    figures: object | None = None
    """What core returned; `bot.answers.shared.json` reads it."""
    query: Query | None = None
    beside: AllIn | None = None
    """The whole bill of a month, where more than the GPUs was asked for."""


Handler = Callable[[Question], Answered]
