"""Shortcuts: a message's own menu, and the search field of the whole workspace."""

from slack_bolt import Args

from bot.slack.listeners.context import ListenerContext, asker, send
from bot.slack.listeners.mentions import said
from bot.slack.listeners.questions import answered, private

PRICE_THIS = "price_this"
ASK_ANYWHERE = "ask_gpucost"


def price_message(services: ListenerContext, args: Args) -> None:
    """Answer privately what a message asks, never obey it; Share goes to its thread."""
    message = args.body.get("message") or {}
    text = said(str(message.get("text") or ""))
    thread = str(message.get("thread_ts") or message.get("ts") or "")
    context = asker(args, "shortcut").model_copy(
        update={"thread_ts": thread, "quoted": True}
    )
    view = answered(services, args, text, context)
    send(services, args, private(services, view, thread))
