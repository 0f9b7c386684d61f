"""The alerts put together: for Slack's listeners, for the clock, for the terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from slack_sdk import WebClient

from bot.alerts.actions import buttons, verbs, watches
from bot.alerts.baseline import Baseline
from bot.alerts.buttons import new_actions
from bot.alerts.channel_access import SlackChannelAccess
from bot.alerts.cleaning import Cleaning
from bot.alerts.commands import AlertCommands
from bot.alerts.delivery import TIMEOUT_S, Courier
from bot.alerts.messages import Composer
from bot.alerts.modal import forms, openers
from bot.alerts.watching import Watching
from bot.config.retention_period import limits_of
from bot.config.settings import Settings
from bot.install.wiring import clients_by_team
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from bot.render.views import AnswerView
from bot.run.app import Alerts, secret
from bot.run.schedule import Pace, Timekeeper, Work, chores
from bot.service.answering import Answering
from bot.slack.messenger import Messenger
from bot.slack.outcome import tls
from bot.slack.settings.levels import LevelsKept
from core.query import Query
from prices.alerts.subscriptions import SubscriptionBook
from prices.records.preferences import Preferences

STOP_S: Final = 20.0
"""How long a message under way is waited for."""


class AlertService(Struct, frozen=True):
    """Every part of the alerts, each made once."""

    answering: Answering
    """Answers questions, and sentences about alerts too."""
    commands: AlertCommands
    watching: Watching
    cleaning: Cleaning
    courier: Courier

    def for_slack(self) -> Alerts:
        """Give the listeners what they bind."""
        clock = self.answering.clock
        return Alerts(
            verbs=verbs(self.commands, self._ask, clock),
            buttons=buttons(clock, self.commands) | openers(self.commands),
            watches=watches(self.commands, clock),
            forms=forms(self.commands, clock),
            starts=new_actions(),
        )

    @contextmanager
    def running(self, refresh: Work, pace: Pace) -> Iterator[tuple[Thread, ...]]:
        """Keep the time and post, until the block ends; give the threads that do."""
        stop = Event()
        wanted = chores(refresh, self.watching.look, self.cleaning.clean, pace)
        holder = self.courier.holder
        made = Timekeeper(
            self.courier.outbox.engine, wanted, self.answering.clock, holder
        )
        poster = Thread(
            target=self.courier.run, args=(stop,), name="courier", daemon=True
        )
        made.start()
        poster.start()
        try:
            yield (poster, *made.threads)
        finally:
            stop.set()
            made.shutdown()
            poster.join(STOP_S)

    def _ask(self, text: str, context: AskContext) -> AnswerView:
        return self.answering.ask(text, context=context)


def alert_service(
    settings: Settings,
    answering: Answering,
    client_for: Callable[[str], WebClient] | None = None,
) -> AlertService:
    """Put the alerts together around what answers questions."""
    levels = LevelsKept(Preferences(settings.database), answering.clock)
    messenger = Messenger(Renderer(), settings.native_blocks, levels)
    client_for = client_for or patient_clients(settings)
    book = SubscriptionBook(settings.database)
    store, known = answering.store, answering.known
    composer = Composer(store, book, known, answering)
    channel_access = SlackChannelAccess(client_for, messenger)

    def read(text: str) -> Query:
        return parse(text, known())

    baseline = Baseline(store, answering, known, read)
    commands = AlertCommands(book, composer, baseline, channel_access, read)
    return AlertService(
        answering=replace(answering, alerts=commands.spoken),
        commands=commands,
        watching=Watching(store, book, answering),
        cleaning=Cleaning(book, channel_access, limits_of(settings)),
        courier=Courier(
            book.outbox,
            composer,
            messenger,
            client_for,
            now=lambda: answering.clock().timestamp(),
        ),
    )


def patient_clients(settings: Settings) -> Callable[[str], WebClient]:
    """Give clients that retry nothing: what to try again, and when, is kept."""

    def client_with(token: str) -> WebClient:
        url = settings.slack_api_url
        return WebClient(token, url, timeout=TIMEOUT_S, ssl=tls(), retry_handlers=[])

    if settings.many_workspaces:
        return clients_by_team(settings, client_with)
    client = client_with(secret(settings.slack_bot_token))
    return lambda team_id: client
