"""The slash command."""

from slack_bolt import Args

from bot.slack.listeners.context import Desk, asker, send
from bot.slack.listeners.forms import open_form
from bot.slack.listeners.questions import answered, private

COMMAND = "/gpucost"


def answer_command(desk: Desk, args: Args) -> None:
    """Answer privately whoever typed the command; without a question, open the form."""
    text = str((args.command or {}).get("text") or "")
    if not text.strip():
        open_form(desk, args)
        return
    view = answered(desk, args, text, asker(args, "command"))
    send(desk, args, private(desk, view))
