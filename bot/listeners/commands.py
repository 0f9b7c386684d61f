"""The slash command."""

from slack_bolt import Args

from bot.listeners.desk import Desk, asker, private, send

COMMAND = "/gpucost"


def answer_command(desk: Desk, args: Args) -> None:
    """Answer privately whoever typed the command."""
    text = (args.command or {}).get("text") or ""
    view = desk.answers.ask(text, context=asker(args, "command"))
    send(desk, args, private(view))
