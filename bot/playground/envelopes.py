"""The payloads in which Slack tells a bot what somebody did."""

import re
import secrets
import time
from typing import Any, Final

from bot.playground.blocks import Block
from bot.playground.ledger import Thing
from bot.playground.workspace import APP_ID, BOT_ID, BOT_USER, CHANNELS, DIRECT, YOU
from core.patterns import regex

Payload = dict[str, Any]

_URL: Final = regex(r"https?://[^\s<>|]*[^\s<>|.,;:)]")
_ADDRESSED: Final = regex(r"@gpucost\b", re.IGNORECASE)
_CHOSEN: Final = regex(r"selected_\w+|value|rich_text_value")


def typed(text: str) -> str:
    """Write a message as Slack keeps it: escaped, mentions and links marked."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    linked = _URL.sub(lambda found: f"<{found.group()}>", escaped)
    return _ADDRESSED.sub(f"<@{BOT_USER}>", linked)


def addressed(text: str) -> bool:
    """Tell whether a message mentions the bot."""
    return f"<@{BOT_USER}>" in text


def command(team: str, channel: str, name: str, text: str, **issued: str) -> Payload:
    """Make a slash command; `issued` holds its response_url and trigger_id."""
    return {
        "token": "playground",
        "team_id": team,
        "team_domain": "playground",
        "channel_id": channel,
        "channel_name": _channel_name(channel),
        "user_id": YOU,
        "user_name": "you",
        "command": name,
        "text": text,
        "api_app_id": APP_ID,
        "is_enterprise_install": "false",
        **issued,
    }


def message_event(message: Thing) -> Payload:
    """Tell of a message to the bot: a mention in a channel, or a direct message."""
    direct = message["channel"] == DIRECT
    event = {
        "type": "message" if direct else "app_mention",
        "user": message["user"],
        "text": message["text"],
        "ts": message["ts"],
        "event_ts": message["ts"],
        "channel": message["channel"],
        "team": message["team"],
    }
    if direct:
        event["channel_type"] = "im"
    if message["thread_ts"]:
        event["thread_ts"] = message["thread_ts"]
    return _event(message["team"], event)


def home_opened(team: str, tab: str, view: Thing | None, ts: str) -> Payload:
    """Tell that somebody looks at the app's Home or Messages tab."""
    event = {
        "type": "app_home_opened",
        "user": YOU,
        "channel": DIRECT,
        "tab": tab,
        "event_ts": ts,
    }
    return _event(team, event | ({"view": view} if view else {}))


def press_in_message(
    message: Thing, action: Payload, state: Thing, **issued: str
) -> Payload:
    """Tell of something pressed or chosen in a message."""
    place = {
        "type": "message",
        "message_ts": message["ts"],
        "channel_id": message["channel"],
        "is_ephemeral": message["ephemeral"],
    }
    if message["thread_ts"]:
        place["thread_ts"] = message["thread_ts"]
    payload = {
        **_interaction("block_actions", message["team"]),
        "container": place,
        "channel": _channel(message["channel"]),
        "state": {"values": state},
        "actions": [action],
        **issued,
    }
    # Slack does not send what only one person could see.
    return payload if message["ephemeral"] else payload | {"message": plain(message)}


def press_in_view(view: Thing, action: Payload, **issued: str) -> Payload:
    """Tell of something pressed or chosen in a view; its state stands in the view."""
    return {
        **_interaction("block_actions", view["team_id"]),
        "container": {"type": "view", "view_id": view["id"]},
        "view": view,
        "state": view["state"],
        "actions": [action],
        **issued,
    }


def submission(view: Thing, urls: list[Thing], **issued: str) -> Payload:
    """Tell that a modal was submitted."""
    told = _interaction("view_submission", view["team_id"])
    return {**told, "view": view, "response_urls": urls, **issued}


def closed(view: Thing, cleared: bool) -> Payload:
    """Tell that a modal was dismissed."""
    told = _interaction("view_closed", view["team_id"])
    return {**told, "view": view, "is_cleared": cleared}


def shortcut(team: str, callback_id: str, **issued: str) -> Payload:
    """Tell that a global shortcut was used."""
    return {**_interaction("shortcut", team), "callback_id": callback_id, **issued}


def message_shortcut(message: Thing, callback_id: str, **issued: str) -> Payload:
    """Tell that a shortcut was used on a message."""
    return {
        **_interaction("message_action", message["team"]),
        "callback_id": callback_id,
        "channel": _channel(message["channel"]),
        "message_ts": message["ts"],
        "message": plain(message),
        **issued,
    }


def suggestion(team: str, container: Thing, ids: Thing, value: str) -> Payload:
    """Ask for the options of a select that the bot fills."""
    told = _interaction("block_suggestion", team)
    return {**told, "container": container, **ids, "value": value}


def action(element: Block, block_id: str, chosen: Thing, ts: str) -> Payload:
    """Say what was pressed, and what was chosen with it."""
    own = {
        key: element[key]
        for key in ("type", "action_id", "text", "value", "style")
        if key in element
    }
    picked = {key: value for key, value in chosen.items() if _CHOSEN.fullmatch(key)}
    if element["type"] == "button":
        picked = {}
    return own | picked | {"block_id": block_id, "action_ts": ts}


def plain(message: Thing) -> Payload:
    """Give a message as Slack gives it to bots."""
    told = {
        "type": "message",
        "user": message["user"],
        "ts": message["ts"],
        "text": message["text"],
        "team": message["team"],
        "blocks": message["blocks"],
    }
    if message["thread_ts"]:
        told["thread_ts"] = message["thread_ts"]
    if message.get("metadata"):
        told["metadata"] = message["metadata"]
    return told | ({"bot_id": BOT_ID, "app_id": APP_ID} if message["bot"] else {})


def _interaction(kind: str, team: str) -> Payload:
    return {
        "type": kind,
        "team": {"id": team, "domain": "playground"},
        "user": {"id": YOU, "username": "you", "name": "you", "team_id": team},
        "api_app_id": APP_ID,
        "token": "playground",
        "enterprise": None,
        "is_enterprise_install": False,
        "action_ts": f"{time.time():.6f}",
    }


def _event(team: str, event: Payload) -> Payload:
    grant = {
        "enterprise_id": None,
        "team_id": team,
        "user_id": BOT_USER,
        "is_bot": True,
        "is_enterprise_install": False,
    }
    return {
        "token": "playground",
        "team_id": team,
        "api_app_id": APP_ID,
        "type": "event_callback",
        "event_id": "Ev" + secrets.token_hex(6).upper(),
        "event_time": int(time.time()),
        "authorizations": [grant],
        "is_ext_shared_channel": False,
        "event": event,
    }


def _channel(channel: str) -> Payload:
    return {"id": channel, "name": _channel_name(channel)}


def _channel_name(channel: str) -> str:
    return "directmessage" if channel == DIRECT else str(CHANNELS[channel]["name"])
