"""What a conversation stands at, kept between turns in the nearest place."""

from collections.abc import Iterator
from datetime import datetime

from msgspec import DecodeError, Struct

from bot.language.conversation import State, hear
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.render.field_words import words_of
from bot.render.views import AnswerView
from bot.render.words import say
from core.query import Query
from core.reference.catalogue import Reference
from prices.records.threads import Threads


class Read(Struct, frozen=True):
    """A turn as it is meant, and what it took over from before."""

    query: Query
    carried: tuple[str, ...]
    about: str | None
    """What is asked of the answer in force; None: the turn is or edits a question."""
    state: State

    def said(self, view: AnswerView) -> AnswerView:
        """The answer with what was carried over shown before its own notes."""
        if not self.carried:
            return view
        taken = Query().model_copy(
            update={name: getattr(self.query, name) for name in self.carried}
        )
        words = ", ".join(words_of(taken)).replace("=", " ")
        note = say("service.carried_over", words=words)
        return view.model_copy(update={"notes": (note, *view.notes)})


class Conversation(Struct, frozen=True):
    """Reads a turn beside what stands in the same thread or DM."""

    threads: Threads

    def read(
        self, text: str, context: AskContext, now: datetime, known: Reference
    ) -> Read:
        """The turn as a question; a follow-up takes over what it leaves unsaid."""
        heard = hear(self._state(context, now), text, known)
        return Read(heard.query, heard.carried, heard.about, heard.state)

    def changed(self, before: Query, text: str, known: Reference) -> Read:
        """A given question with what a follow-up changes; else the message alone."""
        heard = hear(State(query=before, first=before), text, known)
        query = heard.query if heard.about is None else parse(text, known)
        return Read(query, (), None, State(query=query, first=query))

    def remember(
        self, state: State, answer_id: str | None, context: AskContext, now: datetime
    ) -> None:
        """Keep what stands, and the answer that it got, for what may follow."""
        if state.query is None or state.query.intent in (None, "help", "out_of_scope"):
            return
        kept = state.model_copy(update={"answer_id": answer_id or state.answer_id})
        text = kept.model_dump_json(exclude_none=True)
        for place in places_of(context):
            self.threads.remember(context.team_id, place, text, now)

    def _state(self, context: AskContext, now: datetime) -> State:
        """What stands where a turn is said, in the nearest place first."""
        for place in places_of(context):
            if kept := self.threads.recall(context.team_id, place, now):
                try:
                    return State.model_validate_json(kept)
                except DecodeError:  # kept by an older version
                    return State()
        return State()


def places_of(context: AskContext) -> Iterator[str]:
    """Where a conversation goes on: its thread, then a person's own DM."""
    if context.thread_ts:
        # Who is not of the organisation goes on with their own questions alone.
        own = "" if context.at_home else f"|{context.user_id}"
        yield f"{context.channel_id}|{context.thread_ts}{own}"
    # What is written below the last answer, and not in its thread, follows it too.
    if context.surface == "message":
        yield f"{context.channel_id}|{context.user_id}"
