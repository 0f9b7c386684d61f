"""By what a delivery is known again when Slack brings it once more."""

from typing import Any

from slack_bolt import Args


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


def _addressed(event: dict[str, Any]) -> bool:
    """Whether a text is to the bot; the same text as talk of a channel is no answer."""
    kind, place = event.get("type"), event.get("channel_type")
    return kind == "app_mention" or (kind == "message" and place == "im")
