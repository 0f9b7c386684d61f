"""Answers that are counted and timed on their way."""

from time import perf_counter

from msgspec import Struct

from bot.operate.metrics import Metrics
from bot.question.asking import AskContext
from bot.question.question import Answered
from bot.render.views import AnswerView
from bot.service.answering import Answering
from core.offers import Catalog
from core.query import Query


class ObservedAnswers(Struct, frozen=True):
    """Answers questions as another does; what came of each is counted."""

    inner: Answering
    metrics: Metrics

    def ask(self, text: str, *, context: AskContext) -> AnswerView:
        """Answer a question; bad input is a view too, never an exception."""
        began = perf_counter()
        answered = self.inner.answered(text, context)
        self._count(answered, perf_counter() - began)
        return answered.view

    def why(self, answer_id: str, *, context: AskContext) -> AnswerView:
        """Explain an earlier answer of the same team; an unknown id is a view too."""
        return self.inner.why(answer_id, context=context)

    def recall(self, answer_id: str, *, context: AskContext) -> AnswerView | None:
        """Find an earlier answer of the same team, None when it is gone."""
        return self.inner.recall(answer_id, context=context)

    def query_of(self, answer_id: str, *, context: AskContext) -> Query | None:
        """Find what an earlier answer of the same team was computed from."""
        return self.inner.query_of(answer_id, context=context)

    def catalog(self, context: AskContext) -> Catalog:
        """The offers that stand now for a team, its own prices among them."""
        return self.inner.catalog(context)

    def _count(self, answered: Answered, seconds: float) -> None:
        query = answered.query
        intent = (query.intent if query else None) or "none"
        self.metrics.answers.labels(intent, answered.view.kind).inc()
        self.metrics.answer_seconds.labels(intent).observe(seconds)
        if query is not None:
            reading = "clarify" if query.clarify else "understood"
            self.metrics.readings.labels(reading).inc()
