"""The slash command."""

from slack_bolt import Args

from bot.listeners.desk import Desk, answer, asker, send

COMMAND = "/gpucost"


def answer_command(desk: Desk, args: Args) -> None:
    """Answer privately whoever typed the command."""
    text = (args.command or {}).get("text") or ""
    send(desk, args, answer(desk, text, asker(args, "command")))
