"""By what a delivery is known again when Slack brings it once more."""

from typing import Any, Final

from slack_bolt import Args

TYPED: Final = (None, "file_share", "thread_broadcast", "me_message")
"""Subtypes of messages that a person wrote; every other one tells of a change."""
_ASKED: Final = ("block_actions", "view_submission", "shortcut", "message_action")


def delivery_keys(args: Args) -> list[str]:
    """Name a delivery: its event, its message and, on a socket, its interaction.

    A message that mentions the bot arrives as `message` and as `app_mention`, two
    events of one text. On a socket Slack may bring any envelope again, and whoever
    recorded a signed request may within its five minutes: `trigger_id` is the same.
    """
    body, event = args.body, args.event or {}
    keys = []
    if event_id := body.get("event_id"):
        keys.append(f"event:{event_id}")
    if _addressed(event) and event.get("ts"):
        edited = (event.get("edited") or {}).get("ts")
        words = f"{event['ts']}:{edited}" if edited else event["ts"]
        keys.append(f"message:{event.get('channel')}:{words}")
    if body.get("trigger_id"):
        kind = body.get("type") or "command"
        keys.append(f"trigger:{kind}:{body['trigger_id']}")
    return keys


def is_asked(args: Args) -> bool:
    """Whether somebody waits for what is done: they typed, pressed or sent a form."""
    event = args.event or {}
    if event:
        return _addressed(event) and written_by_a_person(event)
    return args.body.get("type") in _ASKED or "command" in args.body


def _addressed(event: dict[str, Any]) -> bool:
    """Whether a text is to the bot; the same text as talk of a channel is no answer."""
    kind, place = event.get("type"), event.get("channel_type")
    return kind == "app_mention" or (kind == "message" and place == "im")


def written_by_a_person(event: dict[str, Any]) -> bool:
    """Tell a question from another bot's message or a deletion.

    A mention that was edited, or added by an edit, is a question: its words are new.
    """
    return not (
        event.get("bot_id")
        or event.get("bot_profile")
        or event.get("hidden")
        or event.get("subtype") not in TYPED
    )
