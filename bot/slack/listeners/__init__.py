"""What Slack calls: each listener short, the work done elsewhere."""

import re
import time
from collections.abc import Callable
from typing import Final

from slack_bolt import App, Args, BoltResponse

from bot.question.role import Role
from bot.render.rendering import (
    ASK,
    CHIP,
    DETAILS,
    FEEDBACK,
    FORM,
    SHARE,
    SHOW,
    VARIANT,
    WATCH,
    WHY,
)
from bot.slack.authority import ACKNOWLEDGED_BY, right
from bot.slack.home.page import TURN
from bot.slack.listeners.buttons import (
    apologise_for_old_button,
    ask_again,
    details,
    explain,
    note_feedback,
    share,
    show,
    vary,
    watch,
)
from bot.slack.listeners.commands import COMMAND, answer_command
from bot.slack.listeners.context import Handler, ListenerContext, acknowledging, guarded
from bot.slack.listeners.departures import revoked, uninstalled
from bot.slack.listeners.forms import open_form, submit_form
from bot.slack.listeners.home import open_home, turn_page
from bot.slack.listeners.mentions import answer_mention, answer_message
from bot.slack.listeners.settings import open_settings, submit_settings
from bot.slack.listeners.shortcuts import ASK_ANYWHERE, PRICE_THIS, price_message
from bot.slack.modals.form import CALLBACK as QUESTION
from bot.slack.settings.form import CALLBACK as SETTINGS
from bot.slack.settings.settings import EDIT

COMMANDS: Final[dict[str, Handler]] = {COMMAND: answer_command}
EVENTS: Final[dict[str, Handler]] = {
    "app_home_opened": open_home,
    "app_mention": answer_mention,
    "app_uninstalled": uninstalled,
    "message": answer_message,
    "tokens_revoked": revoked,
}
SHORTCUTS: Final[dict[str, Handler]] = {
    ASK_ANYWHERE: open_form,
    PRICE_THIS: price_message,
}
FORMS: Final[dict[str, Handler]] = {QUESTION: submit_form, SETTINGS: submit_settings}
BUTTONS: Final[dict[str, Handler]] = {
    ASK: ask_again,
    CHIP: open_form,
    EDIT: open_settings,
    FEEDBACK: note_feedback,
    FORM: open_form,
    SHARE: share,
    SHOW: show,
    TURN: turn_page,
    VARIANT: vary,
    WATCH: watch,
    DETAILS: details,
    WHY: explain,
}


WITHIN_S: Final = 2.5
"""Slack gives a request three seconds to be acknowledged."""


def register(app: App, services: ListenerContext) -> None:
    """Bind every listener, each within the wrapper that catches everything.

    One without a rule of who may use it, or a verb without one, raises KeyError.
    """
    for name in services.verbs:
        right("verb", name)
    app.use(_awaited(services))
    for name, handler in COMMANDS.items():
        app.command(name)(guarded(services, handler, right("command", name)))
    for name, handler in EVENTS.items():
        app.event(name)(guarded(services, handler, right("event", name)))
    for name, handler in SHORTCUTS.items():
        app.shortcut(name)(guarded(services, handler, right("shortcut", name)))
    for name, handler in {**FORMS, **services.forms}.items():
        app.view(name)(acknowledging(services, handler, right("form", name)))
    for name, handler in {**BUTTONS, **services.buttons}.items():
        # Repeated buttons of one message are told apart by a number: ask:0, ask:1.
        pattern = re.compile(rf"^{name}(:.*)?$")
        app.action(pattern)(guarded(services, handler, right("button", name)))
    # Slack counts an unanswered request as a failure, and stops delivery at 95 %.
    old = guarded(services, apologise_for_old_button, Role.OUTSIDE)
    app.action(re.compile(".*"))(old)
    app.event(re.compile(".*"))(ignored)


def _awaited(services: ListenerContext) -> Callable[[Args], BoltResponse | None]:
    """Have everything written down that somebody waits for."""

    def taken(args: Args) -> BoltResponse | None:
        args.context[ACKNOWLEDGED_BY] = time.monotonic() + WITHIN_S
        event = args.event or {}
        if event and event.get("type") not in EVENTS:
            args.next()
            return None
        return services.claims.take(args)

    return taken


def ignored(args: Args) -> None:
    """Take an event that was delivered but needs nothing done."""
    args.ack()
