"""From a question to its answer: parse, resolve, recommend, view. The clock is here."""

import hashlib
import logging
import re
import secrets
from base64 import b32encode
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from bot.answers.help import (
    fault_view,
    help_view,
    no_channel_view,
    nod_view,
    quoted_view,
    too_long_view,
)
from bot.answers.shared.problems import understood, unknown_answer_view
from bot.answers.shared.sellers import with_sellers
from bot.language.conversation import apply
from bot.language.conversation.cues import asked_about, plain_of
from bot.preferences.channel_settings import ChannelSettings
from bot.preferences.team_context import OWN_PRICES, TeamContext
from bot.question.asking import AskContext
from bot.question.limits import LONGEST
from bot.question.price_date import day_asked, said_of, without_day
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from bot.service import pipeline
from bot.service.about import about_view, compared, unchanged_view
from bot.service.conversation import Conversation, Read
from bot.service.not_used import not_watched
from bot.service.refined import refined
from bot.service.repeat_comparison import RepeatComparison, given_again
from bot.service.team import Team
from core.answers import FORMULA_VERSION
from core.defaults import Defaults
from core.offers import Catalog
from core.patterns import regex
from core.query import AlertRequest, Query
from core.reference.catalogue import Reference
from core.reference.coverage import coverage, line_named
from prices.database.connection import LostError
from prices.history.store import Store
from prices.records.answers import ID_LENGTH, AnswerBook, KeptAnswer
from prices.sources import api_prices

log = logging.getLogger("gpucost")
_ID = regex(rf"[a-z2-7]{{6}}|[a-z2-7]{{{ID_LENGTH}}}", re.IGNORECASE)


def utc_now() -> datetime:
    """The one clock of the program."""
    return datetime.now(UTC)


Spoken = Callable[[Query, AskContext, datetime], AnswerView]


THANKS = 6
"""Words from which on somebody says more than thanks."""


class Answering(Struct, frozen=True):
    """Answers questions from the store's prices, and remembers every answer."""

    reference: Reference
    defaults: Defaults
    store: Store
    book: AnswerBook
    team_context: TeamContext
    conversation: Conversation
    alerts: Spoken | None = None
    """Answers sentences about alerts; None: nothing can be watched from here."""
    clock: Callable[[], datetime] = utc_now

    def ask(self, text: str, *, context: AskContext) -> AnswerView:
        """Answer a question; bad input is a view too, never an exception."""
        return self.answered(text, context).view

    def answered(
        self, text: str, context: AskContext, at: datetime | None = None
    ) -> Answered:
        """Answer with the figures behind the view, from the prices of an instant."""
        if len(text) > LONGEST:
            return Answered(too_long_view(LONGEST))
        try:
            with suppress(LostError), self.store.engine.one_view():
                return self._ask(text.strip(), context, at)
            # A server's connection was cut, and nothing was said yet.
            with self.store.engine.one_view():
                return self._ask(text.strip(), context, at)
        except Exception as error:
            fault = secrets.token_hex(4)
            log.exception("fault %s while answering", fault)
            return Answered(fault_view(error, fault))

    def why(self, answer_id: str, *, context: AskContext) -> AnswerView:
        """Explain an earlier answer of the same team; an unknown id is a view too."""
        kept = self._found(answer_id.strip().lower(), context)
        if kept is None:
            return unknown_answer_view(answer_id)
        return given_again(AnswerView.model_validate_json(kept.explanation), kept)

    def recall(self, answer_id: str, *, context: AskContext) -> AnswerView | None:
        """Find an earlier answer of the same team, None when it is gone."""
        kept = self._found(answer_id, context)
        return AnswerView.model_validate_json(kept.view) if kept else None

    def query_of(self, answer_id: str, *, context: AskContext) -> Query | None:
        """Find what an earlier answer of the same team was computed from."""
        kept = self._found(answer_id, context)
        return Query.model_validate_json(kept.query) if kept else None

    def _found(self, answer_id: str, context: AskContext) -> KeptAnswer | None:
        """Find an answer that its reader may see: the team's, or a stranger's own."""
        kept = self.book.find(answer_id, context.team_id)
        if kept is None:
            return None
        own = bool(context.user_id) and kept.asked_by == context.user_id
        secret = OWN_PRICES in kept.catalog_version and not context.own_prices
        return kept if (own or context.at_home) and not secret else None

    def again(
        self, query: Query, context: AskContext, at: datetime | None = None
    ) -> Answered:
        """Answer a query that was read before, from the prices of now or an instant."""
        with self.store.engine.one_view():
            return self._answer(query, context, at, stages=pipeline.WATCHED)

    def catalog(self, context: AskContext) -> Catalog:
        """The offers that stand for a team, its own prices among them."""
        return self._stands(context).catalog

    def _stands(self, context: AskContext, at: datetime | None = None) -> "_Stands":
        """What holds where a question is asked, now or at an instant."""
        now = self.clock()
        settings = self.team_context.channel_settings(context)
        found = self.store.catalog(now, at)
        own = self.team_context.catalog(found, settings, context, at or now)
        return _Stands(own, settings)

    def known(self) -> Reference:
        """The reference data, with the sellers whom only the store's prices name."""
        found = self.store.catalog(self.clock())
        return with_sellers(self.reference, found.providers)

    def _ask(self, text: str, context: AskContext, at: datetime | None) -> Answered:
        if not text or text.lower() in ("help", "?"):
            return Answered(help_view())
        if asked_about(plain_of(text)) == "thanks" and len(text.split()) < THANKS:
            return Answered(nod_view(text))
        verb, _, rest = text.partition(" ")
        if verb.lower() == "why" and _ID.fullmatch(rest.strip()):
            return Answered(self.why(rest, context=context))
        if (line := line_named(text)) is not None:
            from bot.answers.glossary.view import line_view

            return Answered(line_view(line, coverage().articles))
        now, day = self.clock(), None if at else day_asked(text)
        stands = self._stands(context)
        known = with_sellers(self.reference, stands.catalog.providers)
        if varied := self._named(context.varies, context):
            read = self.conversation.changed(varied, text, known)
        else:
            read = self.conversation.read(text, context, now, known)
        if read.about is not None and not context.refines:
            return self._about(text, read, context, stands, known)
        if (before := self._named(context.refines, context)) is not None:
            read = replace(read, query=refined(before, read.query, known))
            day = day or day_asked(before.text)
        when = day if day and day < now else at
        if day is not None:
            read = replace(read, query=without_day(read.query))
        answered = self._answer(read.query, context, when, None if when else stands)
        state = read.state.model_copy(update={"query": read.query})
        self.conversation.remember(state, answered.view.id or None, context, now)
        view = read.said(answered.view)
        if day is not None:
            view = view.model_copy(update={"notes": (said_of(day, now), *view.notes)})
        return replace(answered, view=view)

    def _about(
        self,
        text: str,
        read: Read,
        context: AskContext,
        stands: "_Stands",
        known: Reference,
    ) -> Answered:
        """Answer what a turn asks of the answer in force; that answer stays."""
        about, _, name = (read.about or "").partition(":")
        force = read.state.query or read.query
        if about == "watch":
            return self._answer(_watched(force, read.query), context, None, stands)
        answer_id = read.state.answer_id or ""
        kept = self._found(answer_id, context) if answer_id else None
        if about == "aside" and read.query.intent not in ("out_of_scope", "help", None):
            return self._answer(read.query, context, None, stands)
        if kept is None:
            answered = self._answer(force, context, None, stands)
            view, explanation = answered.view, answered.explanation or answered.view
        else:
            view = AnswerView.model_validate_json(kept.view)
            explanation = AnswerView.model_validate_json(kept.explanation)
        if about == "aside":
            return Answered(unchanged_view(text, view), query=read.query)
        if about == "why":
            return Answered(given_again(explanation, kept) if kept else explanation)
        if about == "why_not":
            other = apply(force, f"on {name}", known)
            answered = self._answer(other or force, context, None, stands)
            return replace(answered, view=compared(name, answered.view, view))
        if about == "unit" and read.query != force:
            return self._answer(read.query, context, None, stands)
        return Answered(about_view(about, text, view, explanation), query=force)

    def _named(self, answer_id: str, context: AskContext) -> Query | None:
        """The question of an answer that is changed, where it is still known."""
        return self.query_of(answer_id, context=context) if answer_id else None

    def _answer(
        self,
        query: Query,
        context: AskContext,
        at: datetime | None,
        stands: "_Stands | None" = None,
        stages: tuple[pipeline.Stage, ...] = pipeline.STAGES,
    ) -> Answered:
        now = self.clock()
        spent = query.wanted == "spend_watch" and not query.gpu
        if spent:
            query = query.model_copy(update={"intent": "size"})
        if query.intent == "alert" and context.quoted:
            return Answered(quoted_view(query.text), query=query)
        if query.intent == "alert":
            told = (
                self.alerts(query, context, now)
                if self.alerts
                else no_channel_view(understood(query), query)
            )
            unused = {"not_used": not_watched(query)}
            return Answered(told.model_copy(update=unused), query=query)
        held = stands or self._stands(context, at)
        catalog, channel_settings = held.catalog, held.settings
        repeats = RepeatComparison(self.book, self.reference)
        question = Question(
            query=query,
            reference=with_sellers(self.reference, catalog.providers),
            defaults=self.defaults,
            catalog=catalog,
            store=self.store,
            now=at or now,
            answer_id=answer_id(
                query, _prices_of(catalog, channel_settings) + _reader(context)
            ),
        )
        team = Team(self.team_context, repeats, context, channel_settings, now)
        return pipeline.answered(question, stages, team)


class _Stands(Struct, frozen=True):
    """What holds where a question is asked: offers and settings."""

    catalog: Catalog
    settings: ChannelSettings


def _watched(force: Query, turn: Query) -> Query:
    """The workload in force as a request to watch it, as the turn says."""
    asked = turn.alert or AlertRequest(action="create")
    update = {"intent": "alert", "alert": asked, "text": turn.text}
    return force.model_copy(update=update)


def _reader(context: AskContext) -> str:
    """Tell an outsider's answers from all others: they may see their own alone."""
    return "" if context.at_home else f"|{context.user_id}"


def _prices_of(catalog: Catalog, channel_settings: ChannelSettings) -> str:
    """Name the prices that an answer rests on: of GPUs, of a team, of APIs."""
    return f"{catalog.version}{channel_settings.mark}{api_prices.version()}"


def answer_id(query: Query, catalog_version: str) -> str:
    """Characters that freeze query, catalogue version and formula version."""
    asked = query.model_dump_json(exclude_none=True)
    frozen = f"{asked}|{catalog_version}|{FORMULA_VERSION}"
    digest = hashlib.blake2b(frozen.encode(), digest_size=10).digest()
    return b32encode(digest).decode().lower()[:ID_LENGTH]
