"""What a new watch is compared with: the answer that stands as it begins."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal

from msgspec import Struct

from bot.alerts.outcomes import Runner, outcome_of
from bot.alerts.wording import amount_words
from bot.answers.shared.problems import clarify_view
from bot.language.alerts.requests import Problem, WatchQuestion
from bot.language.alerts.subjects import selections_of
from bot.question.asking import AskContext
from bot.render.views import AnswerView
from bot.render.words import say
from core.alerts.conditions import Move
from core.alerts.staleness import SilenceTold, silence
from core.alerts.subscription import PriceWatch, StaleWatch, Watch, WorkloadWatch
from core.alerts.workloads import CostLine, Outcome, WorkloadTold
from core.query import Query
from core.reference.catalogue import Reference
from prices.history.store import Store

USUAL = 10.0
"""Per cent that are news where nobody says how many."""


class WatchStart(Struct, frozen=True):
    """A watch on a question, and what it says when it begins."""

    watch: Watch
    notes: tuple[str, ...]


class Baseline(Struct, frozen=True):
    """Answers what is to be watched once, before it is watched."""

    store: Store
    runner: Runner
    known: Callable[[], Reference]
    read: Callable[[str], Query]

    def question(
        self, request: WatchQuestion, context: AskContext
    ) -> WatchStart | AnswerView:
        """Read a question to watch; a view where it cannot be watched."""
        query = request.query or self.read(request.question)
        if query.clarify is not None:
            return clarify_view(query)
        if _asks_a_price(query):
            return self._prices(request, query)
        answered = self.runner.again(query, context)
        outcome = outcome_of(answered)
        if outcome is None or outcome.amount is None:
            return _unwatchable(answered.view)
        if request.line is not None and request.line.unit != outcome.unit:
            return _other_unit(answered.view, outcome)
        watch = WorkloadWatch(
            question=request.question,
            query=query,
            percent=_percent(request, outcome),
            direction=request.direction,
            line=request.line,
        )
        notes = (say("alerts.question", now_words=_now_words(outcome)), *request.notes)
        return WatchStart(watch, notes + _line_notes(request.line, outcome))

    def told(self, watch: Watch, context: AskContext, now: datetime) -> str | None:
        """Return what a watch is compared with from now on, as it is kept."""
        match watch:
            case WorkloadWatch():
                outcome = outcome_of(self.runner.again(watch.query, context))
                if outcome is None:
                    return None
                return WorkloadTold(outcome=outcome, at=now).model_dump_json()
            case StaleWatch():
                limit = timedelta(hours=watch.hours)
                seen = watch.among(self.store.last_successes())
                return silence(seen, SilenceTold(), now, limit).told.model_dump_json()
        return None

    def refused(self, watch: Watch) -> Problem | None:
        """Say which of the sources to be watched there are none of."""
        if not isinstance(watch, StaleWatch):
            return None
        known = sorted(self.store.last_successes())
        strange = [name for name in watch.sources if name not in known]
        if not strange:
            return None
        which = (
            say("alerts.the_sources_are", known=", ".join(known))
            if known
            else say("alerts.none_was_polled")
        )
        return Problem(say("alerts.no_source_of_prices", strange=strange[0]), which)

    def _prices(self, request: WatchQuestion, query: Query) -> WatchStart:
        found = selections_of(query, self.known())
        condition = Move(
            direction=request.direction, percent=Decimal(str(request.percent or USUAL))
        )
        watch = PriceWatch(selections=found.selections, condition=condition)
        return WatchStart(watch, found.notes)


def _percent(request: WatchQuestion, outcome: Outcome) -> float | None:
    """Return how much must move; a break-even has no winner to watch instead."""
    return request.percent or (USUAL if outcome.unit == "requests/s" else None)


def _now_words(outcome: Outcome) -> str:
    if outcome.unit == "requests/s":
        return f"{amount_words(outcome)}: {outcome.words}"
    return outcome.words


def _line_notes(line: CostLine | None, outcome: Outcome) -> tuple[str, ...]:
    if line is None or not line.beyond(outcome):
        return ()
    return (say("alerts.line_notes", side=line.side),)


def _other_unit(view: AnswerView, outcome: Outcome) -> AnswerView:
    """Say that a line and an answer are not in the same unit."""
    note = say(
        "alerts.other_unit", amount_words=amount_words(outcome), unit=outcome.unit
    )
    return view.model_copy(update={"notes": (note, *view.notes), "actions": ()})


def _asks_a_price(query: Query) -> bool:
    workload = query.model is not None or query.params_b is not None
    return bool(query.gpu) and not workload and query.intent in ("price", "cost", None)


def _unwatchable(view: AnswerView) -> AnswerView:
    """Say that an answer has no one figure that could move."""
    note = say("alerts.unwatchable")
    return view.model_copy(update={"notes": (note, *view.notes), "actions": ()})
