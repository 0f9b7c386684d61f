"""Questions put to the bot by name, in channels and threads."""

import html
import re

from slack_bolt import Args

from bot.listeners.desk import Desk, asker, public, send

_MENTION = re.compile(r"<[@!][^>]*>")
_LABELLED = re.compile(r"<#?[^|>]*\|([^>]*)>")
_BARE = re.compile(r"<([^>]*)>")


def answer_mention(desk: Desk, args: Args) -> None:
    """Answer in the thread of the message, or start one under it."""
    event = args.event or {}
    if event.get("bot_id") or event.get("subtype") or event.get("edited"):
        return
    text = said(event.get("text") or "")
    view = desk.answers.ask(text, context=asker(args, "mention"))
    send(desk, args, public(view))


def said(text: str) -> str:
    """Read a message as its writer typed it: no mentions, no link markup."""
    without = _MENTION.sub(" ", text)
    unlinked = _BARE.sub(r"\1", _LABELLED.sub(r"\1", without))
    return " ".join(html.unescape(unlinked).split())
