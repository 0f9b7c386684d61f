"""The slash command."""

from slack_bolt import Args

from bot.slack.listeners.context import ListenerContext, asker, send
from bot.slack.listeners.forms import open_form
from bot.slack.listeners.questions import answered, private

COMMAND = "/gpucost"


def answer_command(services: ListenerContext, args: Args) -> None:
    """Answer privately whoever typed the command; without a question, open the form."""
    text = str((args.command or {}).get("text") or "")
    if not text.strip():
        open_form(services, args)
        return
    view = answered(services, args, text, asker(args, "command"))
    send(services, args, private(services, view))
