"""The part of Slack's Web API that a bot needs to talk in a workspace."""

import hmac
import json
import time
from collections.abc import Callable
from typing import Final

from bot.playground.blocks import RefusedError
from bot.playground.ledger import Thing
from bot.playground.loopback import Call, Reply, as_json, fields_of
from bot.playground.stack import Stack
from bot.playground.workspace import (
    APP_ID,
    BOT_ID,
    BOT_USER,
    CHANNELS,
    DIRECT,
    USERS,
    YOU,
    Workspace,
)
from core.wording import say

Method = Callable[["WebApi", Thing], Thing]

API: Final = "/api/"
HOOK: Final = "/hook/"
_STRUCTURED: Final = ("blocks", "view", "metadata", "attachments", "prompts")


class WebApi:
    """Answer a bot's calls, and what it sends to a response_url."""

    def __init__(self, workspace: Workspace, stack: Stack, token: str) -> None:
        self.workspace = workspace
        self.stack = stack
        self._token = token

    def __call__(self, call: Call) -> Reply:
        """Answer one request, and note it for whoever watches the traffic."""
        began = time.perf_counter()
        fields = _decoded(dict(call.query) | fields_of(call))
        name, status, said = self._answered(call, fields)
        took = (time.perf_counter() - began) * 1000
        outcome = "ok" if said["ok"] else said["error"]
        self.workspace.note(f"← {name}", outcome, took, {"sent": fields, "got": said})
        return as_json(said, status)

    def _answered(self, call: Call, fields: Thing) -> tuple[str, int, Thing]:
        try:
            if call.path.startswith(HOOK):
                self._respond(call.path.removeprefix(HOOK), fields)
                return "response_url", 200, {"ok": True}
            name = call.path.removeprefix(API)
            return name, 200, {"ok": True} | self._done(name, call, fields)
        except RefusedError as refused:
            said: Thing = {"ok": False, "error": refused.code}
            if refused.details:
                said["response_metadata"] = {"messages": refused.details}
            if call.path.startswith(HOOK):
                return "response_url", 404 if "url" in refused.code else 400, said
            return call.path.removeprefix(API), 200, said

    def _done(self, name: str, call: Call, fields: Thing) -> Thing:
        held = fields.pop("token", "") or call.headers.get("authorization", "")
        if not hmac.compare_digest(
            held.removeprefix("Bearer ").encode(), self._token.encode()
        ):
            raise RefusedError("invalid_auth")
        method = METHODS.get(name)
        if method is None:
            raise RefusedError(
                "unknown_method", say("playground.no_such_method", name=name)
            )
        return method(self, fields)

    def _respond(self, name: str, fields: Thing) -> None:
        """Post, replace or delete as a response_url's payload says."""
        hook = self.workspace.tickets.use(name)
        if fields.get("delete_original") and hook.message_ts:
            self.workspace.delete(hook.channel, hook.message_ts)
            return
        if fields.get("replace_original") and hook.message_ts:
            self.workspace.edit(hook.channel, hook.message_ts, fields, hook.team)
            return
        self.workspace.post(
            hook.channel,
            BOT_USER,
            fields,
            team=hook.team,
            thread_ts=fields.get("thread_ts"),
            ephemeral=fields.get("response_type") != "in_channel",
        )


def _decoded(fields: Thing) -> Thing:
    """Read the structures that a form carries as JSON text."""
    return {
        key: json.loads(value)
        if key in _STRUCTURED and isinstance(value, str) and value
        else value
        for key, value in fields.items()
    }


def _auth_test(api: WebApi, fields: Thing) -> Thing:
    return {
        "url": "http://127.0.0.1/",
        "team": "Playground",
        "team_id": api.workspace.team,
        "user": "gpucost",
        "user_id": BOT_USER,
        "bot_id": BOT_ID,
        "app_id": APP_ID,
    }


def _post_message(api: WebApi, fields: Thing) -> Thing:
    message = api.workspace.post(
        _conversation(fields), BOT_USER, fields, thread_ts=fields.get("thread_ts")
    )
    return {"ts": message["ts"], "channel": message["channel"], "message": message}


def _post_ephemeral(api: WebApi, fields: Thing) -> Thing:
    message = api.workspace.post(
        _conversation(fields),
        BOT_USER,
        fields,
        thread_ts=fields.get("thread_ts"),
        ephemeral=True,
    )
    return {"message_ts": message["ts"]}


def _update(api: WebApi, fields: Thing) -> Thing:
    channel, ts = _conversation(fields), str(fields.get("ts"))
    if api.workspace.message(channel, ts)["ephemeral"]:
        raise RefusedError("message_not_found")
    message = api.workspace.edit(channel, ts, fields)
    return {"ts": ts, "channel": channel, "text": message["text"]}


def _delete(api: WebApi, fields: Thing) -> Thing:
    api.workspace.delete(_conversation(fields), str(fields.get("ts")))
    return {}


def _permalink(api: WebApi, fields: Thing) -> Thing:
    channel, ts = _conversation(fields), str(fields.get("message_ts"))
    api.workspace.message(channel, ts)
    return {"channel": channel, "permalink": f"#message-{ts}"}


def _views_open(api: WebApi, fields: Thing) -> Thing:
    channel = api.workspace.tickets.redeem(str(fields.get("trigger_id")))
    return {"view": api.stack.open(fields.get("view"), channel)}


def _views_push(api: WebApi, fields: Thing) -> Thing:
    channel = api.workspace.tickets.redeem(str(fields.get("trigger_id")))
    return {"view": api.stack.push(fields.get("view"), channel)}


def _views_update(api: WebApi, fields: Thing) -> Thing:
    name = str(fields.get("view_id") or fields.get("external_id") or "")
    known = str(fields.get("hash") or "")
    return {"view": api.stack.update(fields.get("view"), name, known)}


def _views_publish(api: WebApi, fields: Thing) -> Thing:
    if fields.get("user_id") != YOU:
        raise RefusedError("user_not_found")
    known = str(fields.get("hash") or "")
    return {"view": api.stack.publish(fields.get("view"), known)}


def _set_status(api: WebApi, fields: Thing) -> Thing:
    channel = str(fields.get("channel_id"))
    status = str(fields.get("status") or "")
    api.workspace.say_status(channel, str(fields.get("thread_ts") or ""), status)
    return {}


def _suggest(api: WebApi, fields: Thing) -> Thing:
    prompts = {"prompts": fields.get("prompts"), "title": fields.get("title")}
    api.workspace.ledger.put("prompts", str(fields.get("channel_id")), prompts)
    return {}


def _nothing(api: WebApi, fields: Thing) -> Thing:
    return {}


def _user(api: WebApi, fields: Thing) -> Thing:
    user = USERS.get(str(fields.get("user")))
    if user is None:
        raise RefusedError("user_not_found")
    is_bot = user["id"] == BOT_USER
    return {"user": user | {"is_bot": is_bot, "is_admin": not is_bot}}


def _channel(api: WebApi, fields: Thing) -> Thing:
    return {"channel": CHANNELS[_conversation(fields)]}


def _channels(api: WebApi, fields: Thing) -> Thing:
    return {"channels": list(CHANNELS.values())}


def _members(api: WebApi, fields: Thing) -> Thing:
    return {"members": list(USERS)}


def _open_direct(api: WebApi, fields: Thing) -> Thing:
    if fields.get("users") != YOU:
        raise RefusedError("user_not_found")
    return {"channel": CHANNELS[DIRECT]}


def _team(api: WebApi, fields: Thing) -> Thing:
    return {"team": {"id": api.workspace.team, "name": "Playground"}}


def _conversation(fields: Thing) -> str:
    """Name the conversation that a call means; a person's id means their DM."""
    channel = str(fields.get("channel") or "")
    if channel == YOU:
        return DIRECT
    if channel not in CHANNELS:
        raise RefusedError("channel_not_found")
    return channel


METHODS: Final[dict[str, Method]] = {
    "api.test": _nothing,
    "auth.test": _auth_test,
    "chat.postMessage": _post_message,
    "chat.postEphemeral": _post_ephemeral,
    "chat.update": _update,
    "chat.delete": _delete,
    "chat.getPermalink": _permalink,
    "conversations.info": _channel,
    "conversations.list": _channels,
    "conversations.members": _members,
    "conversations.open": _open_direct,
    "users.info": _user,
    "team.info": _team,
    "reactions.add": _nothing,
    "reactions.remove": _nothing,
    "views.open": _views_open,
    "views.push": _views_push,
    "views.update": _views_update,
    "views.publish": _views_publish,
    "assistant.threads.setStatus": _set_status,
    "assistant.threads.setSuggestedPrompts": _suggest,
    "assistant.threads.setTitle": _nothing,
}
