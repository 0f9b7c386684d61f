"""Questions put to the bot by name, or in its own conversation."""

import html
from typing import Any

from slack_bolt import Args

from bot.slack.listeners.context import ListenerContext, asker, send
from bot.slack.listeners.deliveries import written_by_a_person
from bot.slack.listeners.places import message_of
from bot.slack.listeners.questions import answered, offered
from core.patterns import regex

_MENTION = regex(r"<[@!][^>]*>")
_LABELLED = regex(r"<#?[^|>]*\|([^>]*)>")
_BARE = regex(r"<([^>]*)>")


def answer_mention(services: ListenerContext, args: Args) -> None:
    """Answer in the thread of the message, or start one under it."""
    event = args.event or {}
    if written_by_a_person(event):
        _answer(services, args, "mention")


def answer_message(services: ListenerContext, args: Args) -> None:
    """Answer what is said to the bot alone, without its name."""
    event = args.event or {}
    typed = written_by_a_person(event) or reworded(event)
    if event.get("channel_type") == "im" and typed:
        _answer(services, args, "message")


def _answer(services: ListenerContext, args: Args, surface: str) -> None:
    text = said(str(message_of(args.event or {}).get("text") or ""))
    context = asker(args, surface, public=surface == "mention")
    view = answered(services, args, text, context)
    send(services, args, offered(services, view))


def reworded(event: dict[str, Any]) -> bool:
    """Whether a person gave other words to what they had said to the bot."""
    message, before = message_of(event), event.get("previous_message") or {}
    return (
        event.get("subtype") == "message_changed"
        and bool(message.get("edited"))
        and message.get("text") != before.get("text")
        and written_by_a_person(message)
    )


def said(text: str) -> str:
    """Read a message as its writer typed it: no mentions, no link markup."""
    without = _MENTION.sub(" ", text)
    unlinked = _BARE.sub(r"\1", _LABELLED.sub(r"\1", without))
    return " ".join(html.unescape(unlinked).split())
