"""The Slack app: settings and answers in, a Bolt app with every listener out."""

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qsl

from msgspec import Struct, field
from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.request.internals import build_context
from slack_sdk import WebClient

from bot.answers.shared.sellers import with_sellers
from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.install.departures import Departures
from bot.install.flow import install_flow
from bot.install.tokens import Tokens
from bot.install.wiring import open_tokens
from bot.question.asking import Answers, AskContext
from bot.question.limits import QuestionLimits
from bot.render.rendering import Renderer
from bot.render.view_rendering import ViewRenderer
from bot.render.views import Action
from bot.service.answering import utc_now
from bot.slack.authority import Authority
from bot.slack.home.page import Home, Watches
from bot.slack.listeners import register
from bot.slack.listeners.claims import Claims, machine_name, own_name
from bot.slack.listeners.context import Handler, ListenerContext, Verb
from bot.slack.listeners.threads import Threads
from bot.slack.messenger import Messenger
from bot.slack.outcome import TIMEOUT_SECONDS, Outcome, retry_handlers, tls
from bot.slack.seals import Seals
from bot.slack.settings.levels import LevelsKept
from bot.slack.settings.setprice import PriceCommands
from bot.slack.settings.settings import SettingsCommands
from core.offers import Catalog
from core.patterns import regex
from core.reference.catalogue import Reference
from core.reference.load import reference
from core.wording import say
from prices.records.delivery_dedup import Deliveries
from prices.records.feedback import Feedback
from prices.records.preferences import Preferences
from prices.records.pricebook import PriceBook
from prices.records.question_rates import QuestionRates
from prices.records.recent import RecentQuestions

logger = logging.getLogger(__name__)

Clock = Callable[[], datetime]
BOLTS_OWN: Final = ("SLACK_BOT_TOKEN", "SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET")
NOTICES: Final = {
    "app_rate_limited": say("slack.events_limited"),
    "view_closed": say("slack.form_closed"),
}
"""Deliveries that only tell, and what."""
_STAMP: Final = regex(r"[0-9]{1,12}")
NOT_INSTALLED: Final = say("slack.not_installed")


class Alerts(Struct, frozen=True):
    """What the alerts bring to Slack: verbs, buttons, forms, watches."""

    verbs: Mapping[str, Verb]
    buttons: Mapping[str, Handler]
    watches: Watches
    forms: Mapping[str, Handler] = field(default_factory=dict)
    starts: Sequence[Action] = ()
    """The buttons that begin a watch."""


class OwnApp(App):
    """Bolt, reading also the commands that it takes for something else."""

    claims: Claims
    """What was acknowledged and is not answered yet; set once listeners are bound."""

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        """Hand a request to its listener.

        Bolt 1.30 looks for the field "payload" in every form that holds the word, and
        reads nothing of a command whose text does.
        """
        if req.mode == "http" and not _signable(req.headers):
            return BoltResponse(status=401, body="")
        if not req.body and req.raw_body:
            req.body = dict(parse_qsl(req.raw_body, keep_blank_values=True))
            build_context(req.context, req.body)
        response = super().dispatch(req)
        if response.status == 404:
            self.claims.finish(req.context)  # nobody here will
        if response.status == 404 and req.body.get("type") in NOTICES:
            # Unhandled is no failure here, and Slack counts failures.
            logger.warning("Slack says: %s", NOTICES[req.body["type"]])
            return BoltResponse(status=200, body="")
        return response


def _signable(headers: Mapping[str, Sequence[str]]) -> bool:
    """Whether a signature can be checked at all; Bolt fails on one that cannot."""
    stamp = "".join(headers.get("x-slack-request-timestamp", "0"))
    signature = "".join(headers.get("x-slack-signature", ""))
    return bool(_STAMP.fullmatch(stamp)) and signature.isascii()


def build_app(
    settings: Settings,
    answers: Answers,
    alerts: Alerts | None = None,
    clock: Clock = utc_now,
    replied: Callable[[Outcome], None] | None = None,
) -> OwnApp:
    """Make the app; Slack is asked at once whether it knows the bot token.

    Where workspaces install it themselves, each request finds its own token. What came
    of each use of a response_url is told to `replied`.
    """
    threads = Threads()
    tokens = open_tokens(settings) if settings.many_workspaces else None
    client = web_client(settings, settings.slack_bot_token)
    with _without_bolts_own_settings():
        app = OwnApp(
            name="gpucost",
            client=client,
            signing_secret=secret(settings.slack_signing_secret),
            oauth_flow=install_flow(settings, tokens, client, clock)
            if tokens
            else None,
            user_facing_authorize_error_message=NOT_INSTALLED,
            listener_executor=threads,
            # Of what no listener here uses, Bolt asks more than every event holds.
            attaching_conversation_kwargs_enabled=False,
            attaching_function_token_enabled=False,
        )
    app.error(_log_fault)
    services = _listener_context(settings, answers, alerts, threads, clock, tokens)
    services.messenger.replied = replied or services.messenger.replied
    register(app, services)
    app.claims = services.claims
    return app


def _listener_context(
    settings: Settings,
    answers: Answers,
    alerts: Alerts | None,
    threads: Threads,
    clock: Clock,
    tokens: Tokens | None,
) -> ListenerContext:
    file = settings.database

    def market() -> Catalog:
        return answers.catalog(AskContext(surface="home"))

    def known() -> Reference:
        return with_sellers(reference(), market().providers)

    preferences, recent = Preferences(file), RecentQuestions(file)
    levels = LevelsKept(preferences, clock)
    settings_commands = SettingsCommands(preferences, known, clock)
    book = PriceCommands(PriceBook(file), known, market, clock)

    def installers(team_id: str) -> frozenset[str]:
        by = tokens.installer_of(team_id) if tokens else ""
        return frozenset(settings.admins.split(",")) | {by} - {""}

    own: dict[str, Verb] = {
        "settings": settings_commands.answer,
        "setprice": book.answer,
    }
    watches, starts = (alerts.watches, alerts.starts) if alerts else (None, ())
    name = own_name(machine_name(fleet=not file.is_file))
    deliveries = Deliveries(file, name)
    return ListenerContext(
        answers=answers,
        messenger=Messenger(Renderer(), settings.native_blocks, levels),
        threads=threads,
        deliveries=deliveries,
        claims=Claims(deliveries, clock),
        recent=recent,
        feedback=Feedback(file),
        settings=settings_commands,
        home=Home(answers, recent, preferences, known, clock, watches, starts),
        views=ViewRenderer(),
        verbs=own | dict(alerts.verbs if alerts else {}),
        buttons=alerts.buttons if alerts else {},
        forms=alerts.forms if alerts else {},
        departures=Departures(file, tokens.installations if tokens else None),
        clock=clock,
        limits=QuestionLimits(
            settings.user_rate,
            settings.team_rate,
            shared=None if file.is_file else QuestionRates(file),
        ),
        authority=Authority(preferences, installers, clock),
        seals=Seals(
            secret(settings.slack_signing_secret) or secret(settings.slack_bot_token)
        ),
    )


def web_client(settings: Settings, token: SecretStr | None) -> WebClient:
    """Make a client of Slack, or of whatever stands in for it."""
    return WebClient(
        token=secret(token) or None,
        base_url=settings.slack_api_url,
        timeout=TIMEOUT_SECONDS,
        ssl=tls(),
        retry_handlers=retry_handlers(),
    )


def secret(value: SecretStr | None) -> str:
    """Reveal a setting to the one that needs it."""
    return value.get_secret_value() if value else ""


def _log_fault(error: Exception, body: dict[str, Any]) -> None:
    """Log what failed before any listener ran; Bolt answers Slack with a 500."""
    logger.error("request of type %s failed", body.get("type"), exc_info=error)


@contextmanager
def _without_bolts_own_settings() -> Iterator[None]:
    """Hide variables that Bolt would read by itself.

    With a client id it would keep installations in clear text in the home folder.
    """
    hidden = {name: os.environ.pop(name) for name in BOLTS_OWN if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(hidden)
