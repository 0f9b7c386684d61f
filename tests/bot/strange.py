"""Deliveries as Slack documents them, and the same with any part of them changed."""

import json
from typing import Any, Final
from urllib.parse import urlencode

from hypothesis import strategies as st

from tests.bot.fake_slack import signed
from tests.bot.person import FORM
from tests.bot.samples import ANSWER

JSON: Final = "application/json"
Delivery = dict[str, Any]

TEAM = {"id": "T1", "domain": "acme", "enterprise_id": None, "enterprise_name": None}
USER = {"id": "U1", "username": "ann", "name": "ann", "team_id": "T1"}
PRESSED = {
    "api_app_id": "A1",
    "token": "unused",
    "team": TEAM,
    "user": USER,
    "enterprise": None,
    "is_enterprise_install": False,
}
STATE = {
    "values": {
        "model": {"value": {"type": "plain_text_input", "value": "70b"}},
        "load": {"value": {"type": "plain_text_input", "value": None}},
        "gpu": {
            "value": {
                "type": "multi_static_select",
                "selected_options": [
                    {"text": {"type": "plain_text", "text": "H100"}, "value": "h100"}
                ],
            }
        },
        "region": {"value": {"type": "static_select", "selected_option": None}},
        "admins": {"value": {"type": "multi_users_select", "selected_users": ["U1"]}},
        "place": {"value": {"selected_conversation": "C1"}},
    }
}
AUTHORIZED = {
    "enterprise_id": None,
    "team_id": "T1",
    "user_id": "UBOT",
    "is_bot": True,
    "is_enterprise_install": False,
}


def event(**what: object) -> Delivery:
    """What happened, in the envelope that every event comes in."""
    return {
        "token": "unused",
        "team_id": "T1",
        "api_app_id": "A1",
        "type": "event_callback",
        "event_id": "Ev1",
        "event_time": 1_790_000_000,
        "event_context": "EC1",
        "is_ext_shared_channel": False,
        "authorizations": [AUTHORIZED],
        "event": {
            "user": "U1",
            "channel": "C1",
            "ts": "100.1",
            "event_ts": "100.1",
            "team": "T1",
            "blocks": [{"type": "rich_text", "elements": []}],
        }
        | what,
    }


def button(action_id: str, value: str, hook: str) -> Delivery:
    """A button of a message, pressed."""
    message = {"type": "message", "user": "UBOT", "bot_id": "B1", "ts": "1.1"}
    return PRESSED | {
        "type": "block_actions",
        "trigger_id": "1.2.t",
        "container": {
            "type": "message",
            "message_ts": "1.1",
            "channel_id": "C1",
            "is_ephemeral": True,
        },
        "channel": {"id": "C1", "name": "ops"},
        "message": message | {"text": "x", "thread_ts": "1.0"},
        "state": {"values": {}},
        "response_url": hook,
        "actions": [
            {"type": "button", "action_id": action_id, "block_id": "b", "value": value}
        ],
    }


def form(callback_id: str) -> Delivery:
    """A form, sent."""
    view = {"id": "V1", "team_id": "T1", "type": "modal", "callback_id": callback_id}
    more = {"private_metadata": "{}", "state": STATE, "root_view_id": "V1"}
    sent = {"type": "view_submission", "trigger_id": "1.2.t", "response_urls": []}
    return PRESSED | sent | {"view": view | more | {"app_installed_team_id": "T1"}}


def command(text: str, hook: str) -> Delivery:
    """The slash command, typed."""
    return {
        "token": "unused",
        "team_id": "T1",
        "team_domain": "acme",
        "channel_id": "C1",
        "channel_name": "ops",
        "user_id": "U1",
        "user_name": "ann",
        "command": "/gpucost",
        "text": text,
        "api_app_id": "A1",
        "is_enterprise_install": "false",
        "response_url": hook,
        "trigger_id": "1.2.t",
    }


def deliveries(buttons: list[str], forms: list[str], hook: str) -> dict[str, Delivery]:
    """One of every kind that the bot takes, by a name."""
    at_home = button("page", "1 2", hook) | {
        "container": {"type": "view", "view_id": "V1"},
        "view": {"id": "V1", "type": "home", "callback_id": "", "state": STATE},
    }
    del at_home["response_url"], at_home["channel"], at_home["message"]
    message = {"type": "message", "user": "U9", "ts": "1.1", "text": "70b 5rps"}
    events = {
        "mention": event(type="app_mention", text="<@UBOT> 70b"),
        "said": event(type="message", channel_type="im", text="70b", thread_ts="1.0"),
        "edited": event(
            type="message",
            subtype="message_changed",
            channel_type="im",
            message=message,
            previous_message=message,
        ),
        "home": event(type="app_home_opened", tab="home", view={"type": "home"}),
        "prompts": event(type="app_home_opened", tab="messages", channel="D1"),
        "left": event(type="app_uninstalled"),
        "revoked": event(type="tokens_revoked", tokens={"oauth": ["U1"], "bot": ["U"]}),
        "joined": event(type="team_join", user=USER),
        "made": event(type="channel_created", channel={"id": "C9", "name": "x"}),
        "reaction": event(type="reaction_added", item={"channel": "C1", "ts": "1.1"}),
        "thread": event(
            type="assistant_thread_started",
            assistant_thread={"user_id": "U1", "channel_id": "D1", "thread_ts": "1.1"},
        ),
    }
    shortcut = {"type": "shortcut", "callback_id": "ask_gpucost", "trigger_id": "1.2.t"}
    of_message = {
        "type": "message_action",
        "callback_id": "price_this",
        "trigger_id": "1.2.t",
        "channel": {"id": "C1", "name": "ops"},
        "message": message,
        "response_url": hook,
    }
    return {
        **events,
        "verify": {"type": "url_verification", "token": "unused", "challenge": "c0f"},
        "limited": {"type": "app_rate_limited", "team_id": "T1", "token": "unused"},
        "closed": form("ask_form") | {"type": "view_closed", "is_cleared": False},
        "command": command("70b", hook),
        "bare command": command("", hook),
        "at home": at_home,
        "shortcut": PRESSED | shortcut,
        "message shortcut": PRESSED | of_message,
        **{f"button {name}": button(name, ANSWER.id, hook) for name in buttons},
        **{f"form {name}": form(name) for name in forms},
    }


def sealed(name: str, delivery: object) -> tuple[bytes, dict[str, str]]:
    """A delivery's body, sent as its kind is, with Slack's signature."""
    if "command" in name and isinstance(delivery, dict):
        fields = {
            key: value if isinstance(value, str) else json.dumps(value)
            for key, value in delivery.items()
        }
        body, kind = urlencode(fields, errors="surrogatepass"), FORM
    elif name.startswith(("button", "form", "at home")) or "shortcut" in name:
        body, kind = urlencode({"payload": json.dumps(delivery)}), FORM
    else:
        body, kind = json.dumps(delivery), JSON
    return body.encode(), signed(body, kind)


ODD = st.one_of(
    st.sampled_from(
        [None, True, 0, -1, 10**30, 1e308, "", "\0", "\ud83d", "9" * 400, [], {}]
    ),
    st.sampled_from([[[]], [None], ["x"], [{}], {"id": 1}, {"id": []}, {"values": []}]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=2)
            | st.dictionaries(
                st.sampled_from(["id", "type", "value"]), inner, max_size=2
            )
        ),
        max_leaves=4,
    ),
)


@st.composite
def changed(draw: st.DrawFn, delivery: Delivery) -> Any:
    """A delivery in which up to three parts are others, or gone."""
    made: Any = delivery
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from([*_paths(made)]))
        made = _put(made, path, draw(ODD), gone=bool(path) and draw(st.booleans()))
    return made


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if not isinstance(value, dict | list):
        return [path]
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    return [path, *(p for key, v in inner for p in _paths(v, (*path, key)))]


def _put(value: Any, path: tuple[Any, ...], new: object, *, gone: bool) -> Any:
    if not path:
        return new
    copy = value.copy()
    if gone and len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = _put(copy[path[0]], path[1:], new, gone=gone)
    return copy
