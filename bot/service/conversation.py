"""Half questions made whole: what a thread said before, with the difference applied."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bot.language import followup
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.render.field_words import words_of
from bot.render.views import AnswerView
from core.query import Query
from core.reference.catalogue import Reference
from prices.records.threads import Threads


@dataclass(frozen=True, slots=True)
class Read:
    """A question as it is meant, and what it took over from before."""

    query: Query
    carried: tuple[str, ...] = ()

    def said(self, view: AnswerView) -> AnswerView:
        """The answer with what was carried over shown before its own notes."""
        if not self.carried:
            return view
        taken = Query().model_copy(
            update={name: getattr(self.query, name) for name in self.carried}
        )
        words = ", ".join(words_of(taken)).replace("=", " ")
        note = f"Carried over from this conversation: {words}."
        return view.model_copy(update={"notes": (note, *view.notes)})


@dataclass(frozen=True, slots=True)
class Conversation:
    """Reads a message beside the question before it in the same thread or DM."""

    threads: Threads

    def read(
        self, text: str, context: AskContext, now: datetime, known: Reference
    ) -> Read:
        """The message as a question; a follow-up takes over what it leaves unsaid."""
        before = self._before(context, now)
        if before is not None:
            previous = Query.model_validate_json(before)
            merged = followup.apply(previous, text, known)
            if merged is not None:
                return Read(merged, followup.carried_over(merged))
        return Read(parse(text, known))

    def remember(self, query: Query, context: AskContext, now: datetime) -> None:
        """Keep an answered question for what may follow it."""
        kept = query.model_dump_json(exclude_none=True, exclude={"spans"})
        for place in places_of(context):
            self.threads.remember(context.team_id, place, kept, now)

    def _before(self, context: AskContext, now: datetime) -> str | None:
        """The question asked last where this one stands, in the nearest place first."""
        for place in places_of(context):
            if kept := self.threads.recall(context.team_id, place, now):
                return kept
        return None


def places_of(context: AskContext) -> Iterator[str]:
    """Where a conversation goes on: its thread, then a person's own DM."""
    if context.thread_ts:
        yield f"{context.channel_id}|{context.thread_ts}"
    # What is written below the last answer, and not in its thread, follows it too.
    if context.surface == "message":
        yield f"{context.channel_id}|{context.user_id}"
