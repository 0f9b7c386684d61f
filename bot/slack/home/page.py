"""One person's page: recent questions, watches, prices and settings, page by page."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct
from pydantic import ValidationError

from bot.answers.help import EXAMPLES
from bot.preferences.currency import restated_table
from bot.preferences.setting_values import KEYS
from bot.question.asking import Answers, AskContext
from bot.render.home_views import HomeRow, HomeSection, HomeView
from bot.render.rendering import ASK, FORM
from bot.render.views import Action, AnswerView
from bot.render.words import say
from bot.slack.home.board import FAVOURITES, price_table
from bot.slack.settings.settings import EDIT
from core.checked import Checked
from core.reference.catalogue import Reference
from prices.records.preferences import Preferences
from prices.records.recent import RecentQuestion, RecentQuestions

PAGE: Final = 5
TURN: Final = "page"
"""The button that turns a page; its value says which pages are then shown."""

Watches = Callable[[AskContext], Sequence[HomeRow]]


class Pages(Checked):
    """Which page of each list is shown, from 0."""

    recent: int = 0
    watches: int = 0

    @classmethod
    def read(cls, value: str) -> "Pages":
        """Read a button's value; what is none of ours shows the first pages."""
        try:
            pages = cls.model_validate_json(value)
        except ValidationError:
            return cls()
        return cls(recent=max(0, pages.recent), watches=max(0, pages.watches))


class Home(Struct, frozen=True):
    """Everything that a page is made of."""

    answers: Answers
    recent: RecentQuestions
    preferences: Preferences
    known: Callable[[], Reference]
    clock: Callable[[], datetime]
    watches: Watches | None = None
    """What somebody watches; None where nothing can be watched."""
    starts: Sequence[Action] = ()
    """The buttons that begin a new one."""

    def page(
        self, context: AskContext, pages: Pages, answer: AnswerView | None = None
    ) -> HomeView:
        """Make the page that one person sees; an answer asked for there comes first."""
        now = self.clock()
        return HomeView(
            intro=say("slack.welcome"),
            actions=(
                Action(
                    id=FORM,
                    label=say("slack.ask_a_question"),
                    value="",
                    style="primary",
                ),
                *_examples(),
            ),
            sections=(
                *_answered(answer),
                self._recent(context, pages, now),
                *self._watches(context, pages),
                self._board(context, now),
                self._settings(context),
            )
            if context.at_home
            else (*_answered(answer), self._board(context, now)),
            small_print=say("slack.as_of_utc", now=now),
            metadata=pages.model_dump_json(),
        )

    def _recent(self, context: AskContext, pages: Pages, now: datetime) -> HomeSection:
        skip = pages.recent * PAGE
        found = self.recent.of(context.team_id, context.user_id, PAGE + 1, skip)
        rows = [_recent_row(n, asked, now) for n, asked in enumerate(found[:PAGE])]
        return HomeSection(
            title=say("slack.my_recent_questions"),
            rows=tuple(rows),
            empty=say("slack.you_have_not_asked"),
            actions=_turns("recent", pages, len(found) > PAGE),
        )

    def _watches(self, context: AskContext, pages: Pages) -> list[HomeSection]:
        if self.watches is None:
            return []
        held = self.watches(context)
        # The last row of a page may just have been stopped.
        last = max(0, len(held) - 1) // PAGE
        pages = pages.model_copy(update={"watches": min(pages.watches, last)})
        found = held[pages.watches * PAGE :]
        return [
            HomeSection(
                title=say("slack.my_alerts"),
                rows=tuple(found[:PAGE]),
                empty=say("slack.you_watch_nothing_press"),
                actions=(
                    *self.starts,
                    *_turns("watches", pages, len(found) > PAGE),
                ),
            )
        ]

    def _board(self, context: AskContext, now: datetime) -> HomeSection:
        held = self.preferences.of(context.team_id) if context.at_home else {}
        chosen = held.get("gpus")
        gpus = (chosen.value or "").split(",") if chosen else FAVOURITES
        catalog = self.answers.catalog(context)
        table = price_table(gpus, catalog, self.known(), now)
        currency = held.get("currency")
        if currency and currency.value:
            table = restated_table(table, currency.value, now.date())
        return HomeSection(
            title=say("slack.prices_of_favourite_gpus"),
            table=table,
            empty=say("slack.we_know_no_price"),
        )

    def _settings(self, context: AskContext) -> HomeSection:
        held = self.preferences.of(context.team_id)
        shown = [
            f"{key.label}: {key.shown(held[key.name].value)}"
            for key in KEYS
            if key.name in held and key.name != "admins"
        ]
        return HomeSection(
            title=say("slack.settings_of_this_workspace"),
            rows=(HomeRow(text=" · ".join(shown) or say("slack.nothing_is_set")),),
            actions=(
                Action(id=f"{EDIT}:all", label=say("slack.change_settings"), value=""),
                Action(
                    id=f"{ASK}:settings",
                    label=say("slack.who_changed_what"),
                    value="settings",
                ),
            ),
        )


def _answered(view: AnswerView | None) -> tuple[HomeSection, ...]:
    """The short form of an answer, as rows of the page, and its table."""
    if view is None:
        return ()
    picks = [
        HomeRow(text=" · ".join(cell.text for cell in row if cell.text))
        for row in (view.picks.rows if view.picks else ())
    ]
    beside = [HomeRow(text=text) for text in (*view.notes, view.save) if text]
    examples = tuple(
        Action(id=f"{ASK}:try:{n}", label=text, value=text)
        for n, text in enumerate(view.examples)
    )
    last = " · ".join(filter(None, (view.read_as, *view.small_print)))
    section = HomeSection(
        title=view.question or say("slack.the_answer"),
        rows=(
            HomeRow(text=view.verdict, detail=view.why, actions=examples),
            *picks,
            *beside,
            HomeRow(text=last or say("slack.ask_anew"), actions=view.actions),
        ),
    )
    if view.table is None:
        return (section,)
    return (section, HomeSection(title=view.table.caption, table=view.table))


def _examples() -> tuple[Action, ...]:
    return tuple(
        Action(id=f"{ASK}:{n}", label=question, value=question)
        for n, question in enumerate(EXAMPLES)
    )


def _recent_row(number: int, asked: RecentQuestion, now: datetime) -> HomeRow:
    ago = max((now - asked.asked_at).total_seconds(), 1) / 3600
    return HomeRow(
        text=asked.question,
        detail=say("slack.ago", verdict=asked.verdict, ago=ago),
        actions=(
            Action(
                id=f"{ASK}:recent:{number}",
                label=say("slack.ask_again"),
                value=asked.question,
            ),
            Action(id=f"{FORM}:recent:{number}", label="Change", value=asked.answer_id),
        ),
    )


def _turns(name: str, pages: Pages, more: bool) -> tuple[Action, ...]:
    """Newer and older, where there are such pages."""
    at = getattr(pages, name)
    steps = [("newer", "Newer", at - 1)] if at else []
    steps += [("older", "Older", at + 1)] if more else []
    return tuple(
        Action(
            id=f"{TURN}:{name}:{step}",
            label=label,
            value=pages.model_copy(update={name: page}).model_dump_json(),
        )
        for step, label, page in steps
    )
