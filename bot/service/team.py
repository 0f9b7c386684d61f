"""The stages that need what is kept of a team: its settings and its earlier answers."""

import logging
from collections.abc import Callable
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from bot.answers.help import unkept_view
from bot.preferences.channel_settings import ChannelSettings
from bot.preferences.team_context import TeamContext
from bot.question.asking import AskContext
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from bot.service.repeat_comparison import RepeatComparison, asked_as
from core.answers import FORMULA_VERSION
from core.query import Query
from prices.database.connection import DatabaseError, reason
from prices.records.answers import KeptAnswer

log = logging.getLogger("gpucost")


class Team(Struct, frozen=True):
    """What holds where one question was asked, and who asks it."""

    team_context: TeamContext
    repeats: RepeatComparison
    context: AskContext
    settings: ChannelSettings
    now: datetime

    @property
    def before(self) -> tuple[Callable[[Question], Question], ...]:
        """What is done to a question before it is decided."""
        return (self.with_settings,)

    @property
    def after(self) -> tuple[Callable[[Answered, Question], Answered], ...]:
        """What is done to an answer when every other stage has passed."""
        return (self.since_last_time, self.in_team_currency, self.remembered)

    def with_settings(self, question: Question) -> Question:
        """Fill what the question leaves open with what the team set."""
        return self.team_context.prepared(question, self.settings)

    def since_last_time(self, found: Answered, question: Question) -> Answered:
        """Say what changed since the same question, and why.

        A look at the prices of another day is kept, but never compared with.
        """
        if found.explanation is None or found.query is None:
            return found
        asked, version = self.asked_as(found.query, question), question.catalog.version
        return self.repeats.compared(
            found, asked, self.context.team_id, self.settings, version
        )

    def in_team_currency(self, found: Answered, question: Question) -> Answered:
        """Show what the settings filled, in the currency that is asked for."""
        return self.team_context.finished(found, self.settings, self.now)

    def remembered(self, found: Answered, question: Question) -> Answered:
        """Keep what was computed under the answer's id, or say that it was not kept."""
        if found.explanation is None or found.query is None:
            return found
        try:
            name = self.repeats.book.keep(_kept(found, question, self, found.query))
        except DatabaseError as fault:
            log.warning("answer %s not kept: %s", question.answer_id, reason(fault))
            return replace(found, view=unkept_view(found.view, reason(fault)))
        return _renamed(found, question.answer_id, name)

    def asked_as(self, query: Query, question: Question) -> str:
        """What equal questions share; empty where this one is compared with none."""
        known = self.context.at_home and question.now == self.now
        asked = asked_as(query) if known else ""
        # What was answered from a team's own prices is told to nobody who has none.
        own = self.context.own_prices and self.settings.price_book
        return asked if own or not asked else f"{asked}|list"


def _kept(
    answered: Answered, question: Question, team: Team, query: Query
) -> KeptAnswer:
    explanation = answered.explanation or answered.view
    summary = answered.summary.kept() if answered.summary else None
    return KeptAnswer(
        id=question.answer_id,
        team_id=team.context.team_id,
        asked_at=team.now,
        question=query.text,
        query=query.model_dump_json(exclude_none=True),
        catalog_version=question.catalog.version,
        formula_version=FORMULA_VERSION,
        view=answered.view.model_dump_json(),
        explanation=explanation.model_dump_json(),
        asked_as=team.asked_as(query, question),
        standing=summary.model_dump_json() if summary else "",
        asked_by=team.context.user_id,
    )


def _renamed(answered: Answered, old: str, new: str) -> Answered:
    """The same answer under the id that it was kept under."""
    if old == new:
        return answered
    said = answered.view.model_dump_json().replace(old, new)
    return replace(answered, view=AnswerView.model_validate_json(said))
