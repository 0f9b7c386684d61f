"""What people do in a workspace, as requests that Slack signed."""

import json
from itertools import count
from typing import Any, Literal
from urllib.parse import urlencode

from slack_bolt import App, BoltRequest, BoltResponse

from tests.bot.fake_slack import SECRET, FakeSlack, signed

FORM = "application/x-www-form-urlencoded"
_NUMBERS = count(1)


class Person:
    """Somebody in a workspace; every press and message is a new one."""

    def __init__(
        self,
        app: App,
        slack: FakeSlack,
        *,
        user: str = "U1",
        team: str = "T1",
        mode: Literal["http", "socket_mode"] = "http",
    ) -> None:
        self.app = app
        self.hook = f"{slack.url}/hook"
        self.user = user
        self.team = team
        self.mode = mode

    def command(
        self,
        text: str,
        secret: str = SECRET,
        command: str = "/gpucost",
        **more: str,
    ) -> BoltResponse:
        """Type the slash command."""
        fields = {
            "command": command,
            "text": text,
            "response_url": self.hook,
            "team_id": self.team,
            "channel_id": "C1",
            "user_id": self.user,
            "trigger_id": self._trigger(),
        } | more
        if self.mode == "socket_mode":
            return self.app.dispatch(BoltRequest(body=fields, mode="socket_mode"))
        return self.send(urlencode(fields), FORM, secret)

    def press(
        self,
        action_id: str,
        value: str,
        *,
        private: bool = True,
        thread: str = "",
        message: str = "",
        kind: str = "button",
    ) -> BoltResponse:
        """Press a button of a message."""
        container = {"type": "message", "channel_id": "C1", "is_ephemeral": private}
        container |= {"thread_ts": thread} if thread else {}
        container |= {"message_ts": message} if message else {}
        return self.interact(
            type="block_actions",
            channel={"id": "C1"},
            container=container,
            response_url=self.hook,
            actions=[{"type": kind, "action_id": action_id, "value": value}],
        )

    def press_at_home(
        self, action_id: str, value: str, metadata: str = ""
    ) -> BoltResponse:
        """Press a button of one's own page, where there is no response_url."""
        shown = {"id": "V1", "type": "home", "private_metadata": metadata}
        return self.interact(
            type="block_actions",
            container={"type": "view", "view_id": "V1"},
            view=shown,
            actions=[{"type": "button", "action_id": action_id, "value": value}],
        )

    def submit(
        self, view: dict[str, Any], answers: dict[str, Any], **more: Any
    ) -> BoltResponse:
        """Send a form: what stands in it, changed where answers say."""
        values = {b["block_id"]: {"value": filled(b, answers)} for b in inputs(view)}
        sent = {
            "id": "V2",
            "type": "modal",
            "callback_id": view["callback_id"],
            "private_metadata": view["private_metadata"],
            "state": {"values": values},
        }
        return self.interact(type="view_submission", view=sent, **more)

    def shortcut(self, callback_id: str, **more: Any) -> BoltResponse:
        """Use a shortcut of the search field."""
        return self.interact(type="shortcut", callback_id=callback_id, **more)

    def message_shortcut(self, callback_id: str, **message: Any) -> BoltResponse:
        """Use a shortcut of a message."""
        return self.interact(
            type="message_action",
            callback_id=callback_id,
            channel={"id": "C1"},
            response_url=self.hook,
            message={"type": "message", "user": "U9", "ts": "90.1"} | message,
        )

    def happen(
        self,
        kind: str,
        event_id: str = "",
        channel: str = "C1",
        body: dict[str, Any] | None = None,
        **event: Any,
    ) -> BoltResponse:
        """Let an event reach the bot; `body` is what stands around it."""
        number = next(_NUMBERS)
        common = {"type": kind, "channel": channel, "user": self.user}
        body = {
            "type": "event_callback",
            "team_id": self.team,
            "event_id": event_id or f"Ev{number}",
            "event": common | {"ts": f"100.{number}"} | event,
        } | (body or {})
        if self.mode == "socket_mode":
            return self.app.dispatch(BoltRequest(body=body, mode="socket_mode"))
        return self.send(json.dumps(body), "application/json")

    def say(self, text: str, **event: Any) -> BoltResponse:
        """Write to the bot alone."""
        return self.happen(
            "message", channel="D1", channel_type="im", text=text, **event
        )

    def interact(self, **payload: Any) -> BoltResponse:
        """Send an interaction."""
        common = {
            "team": {"id": self.team},
            "user": {"id": self.user},
            "trigger_id": self._trigger(),
        }
        payload = common | payload
        if self.mode == "socket_mode":
            return self.app.dispatch(BoltRequest(body=payload, mode="socket_mode"))
        return self.send(urlencode({"payload": json.dumps(payload)}), FORM)

    def send(self, body: str, kind: str, secret: str = SECRET) -> BoltResponse:
        """Sign a request and give it to the app."""
        request = BoltRequest(body=body, headers=signed(body, kind, secret))
        return self.app.dispatch(request)

    def _trigger(self) -> str:
        return f"trigger.{next(_NUMBERS)}"


def inputs(view: dict[str, Any]) -> list[dict[str, Any]]:
    """The inputs of a form."""
    return [block for block in view["blocks"] if block["type"] == "input"]


def filled(block: dict[str, Any], answers: dict[str, Any]) -> dict[str, Any]:
    """One input as Slack submits it, untouched or filled anew."""
    element = block["element"]
    name, kind = block["block_id"], element["type"]
    if kind == "plain_text_input":
        return {"value": answers.get(name, element.get("initial_value"))}
    if kind == "multi_users_select":
        chosen = answers.get(name, element.get("initial_users", []))
        return {"selected_users": chosen}
    if kind == "conversations_select":
        return {"selected_conversation": answers.get(name)}
    if kind == "multi_static_select":
        known = [option["value"] for option in element.get("initial_options", [])]
        return {"selected_options": [{"value": v} for v in answers.get(name, known)]}
    known = element.get("initial_option", {}).get("value")
    value = answers.get(name, known)
    return {"selected_option": {"value": value} if value else None}
