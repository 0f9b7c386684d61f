"""What every intent's handler is given, and what it gives back."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from bot.render.views import AnswerView
from core.answers.answer import Answer
from core.answers.answer_diff import AnswerSummary
from core.defaults import Defaults
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from prices.history.store import Store

if TYPE_CHECKING:
    from core.answers.tco import AllIn
    from core.jobs.recommend import Shop


class Question(Struct, frozen=True):
    """A read question with everything that an answer may need."""

    query: Query
    reference: Reference
    defaults: Defaults
    catalog: Catalog
    store: Store
    now: datetime
    answer_id: str
    briefly: bool = False
    """Whether nobody will ask why: it is asked again to compare what it says."""

    @property
    def market(self) -> tuple[Catalog, Reference, datetime]:
        """What is on offer, what is known of it, and when."""
        return self.catalog, self.reference, self.now

    @property
    def shop(self) -> "Shop":
        """What jobs are planned and priced with."""
        from core.jobs.recommend import Shop

        return Shop(*self.market)


class Answered(Struct, frozen=True):
    """A view, its arithmetic, and the figures behind both for programs."""

    view: AnswerView
    explanation: AnswerView | None = None
    """None: nothing was computed, so there is nothing to explain or to keep."""
    figures: Answer | None = None
    """What core returned; every stage and the JSON read it."""
    query: Query | None = None
    beside: "AllIn | None" = None
    """The whole bill of a month, where more than the GPUs was asked for."""
    decided: AnswerView | None = None
    """The view before any stage changed it."""
    summary: AnswerSummary | None = None
    """What the same question's next answer is compared with."""
    unused: frozenset[str] = frozenset()
    """Query fields that a stage could not apply to this answer."""
    applied: frozenset[str] = frozenset()
    """Query fields that a stage took into account."""
    doubted: bool = False
    """Whether the reader is asked what was meant: nothing is recommended yet."""

    def noted(self, *notes: str) -> "Answered":
        """The same with notes before those that it has."""
        return self.redrawn(notes=(*notes, *self.view.notes)) if notes else self

    def redrawn(self, **changes: object) -> "Answered":
        """The same with parts of its view replaced."""
        return replace(self, view=self.view.model_copy(update=changes))

    def without(self, *fields: str) -> "Answered":
        """The same, knowing that fields of the query could not be applied."""
        return replace(self, unused=self.unused | set(fields))


Handler = Callable[[Question], Answered]
