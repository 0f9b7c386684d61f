"""Where a request comes from: its workspace, its thread, its way back."""

from typing import Any

from slack_bolt import Args

from bot.slack.outcome import ReplyUrl


def reply_url(args: Args) -> ReplyUrl | None:
    """The response_url of a request, the same with its uses counted each time."""
    url = args.context.response_url
    if not url:
        return None
    kept: ReplyUrl = args.context.setdefault("reply_url", ReplyUrl(url))
    return kept


def tenant(args: Args) -> str:
    """Whose data this is about: the workspace, or the organisation without one."""
    return args.context.team_id or args.context.enterprise_id or "unknown"


def message_of(event: dict[str, Any]) -> dict[str, Any]:
    """The message that an event tells of: itself, or the one that was changed."""
    changed = event.get("subtype") == "message_changed"
    found = event.get("message") if changed else None
    return {"type": "message"} | found if isinstance(found, dict) else event


def thread_of(args: Args) -> str:
    """The thread that an event, a pressed message or a shortcut's message is in."""
    event, container = message_of(args.event or {}), args.body.get("container") or {}
    message = args.body.get("message") or {}
    for source in (event, container):
        if thread := source.get("thread_ts"):
            return str(thread)
    if event.get("type") in ("app_mention", "message"):
        return str(event.get("ts") or "")
    return str(message.get("thread_ts") or "")
