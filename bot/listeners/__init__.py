"""What Slack calls: each listener short, the work done elsewhere."""

import re

from slack_bolt import App, Args

from bot.listeners.buttons import (
    apologise_for_old_button,
    ask_again,
    explain,
    explain_assumption,
    share,
)
from bot.listeners.commands import COMMAND, answer_command
from bot.listeners.desk import Desk, Handler, guarded
from bot.listeners.mentions import answer_mention
from bot.rendering import ASK, CHIP, SHARE, WHY

COMMANDS: dict[str, Handler] = {COMMAND: answer_command}
EVENTS: dict[str, Handler] = {"app_mention": answer_mention}
BUTTONS: dict[str, Handler] = {
    ASK: ask_again,
    SHARE: share,
    WHY: explain,
    CHIP: explain_assumption,
}


def register(app: App, desk: Desk) -> None:
    """Bind every listener, each within the wrapper that catches everything."""
    for name, handler in COMMANDS.items():
        app.command(name)(guarded(desk, handler))
    for name, handler in EVENTS.items():
        app.event(name)(guarded(desk, handler))
    for name, handler in BUTTONS.items():
        # Repeated buttons of one message are told apart by a number: ask:0, ask:1.
        pattern = re.compile(rf"^{name}(:.*)?$")
        app.action(pattern)(guarded(desk, handler))
    # Slack counts an unanswered request as a failure, and stops delivery at 95 %.
    app.action(re.compile(".*"))(guarded(desk, apologise_for_old_button))
    app.event(re.compile(".*"))(guarded(desk, ignore))


def ignore(desk: Desk, args: Args) -> None:
    """Take an event that was delivered but needs nothing done."""
