"""Whoever sits at the page: what they do becomes what Slack would tell the bot."""

from collections.abc import Callable
from typing import Any, Final

from bot.playground import envelopes
from bot.playground.blocks import RefusedError, elements, find_element
from bot.playground.ledger import Thing
from bot.playground.signed_client import Delivered, SignedClient
from bot.playground.stack import Stack
from bot.playground.web_api import HOOK
from bot.playground.workspace import BOT_USER, CHANNELS, DIRECT, YOU, Workspace
from core.wording import say

_TROUBLES: Final = {
    "operation_timeout": say("playground.not_acknowledged"),
    "connection_failed": say("playground.not_reached"),
    "message_not_found": say("playground.no_message"),
    "not_found": say("playground.no_window"),
    "unknown_element": say("playground.nothing_to_press"),
    "unknown_command": say("playground.no_command"),
    "command_in_thread": say("playground.command_in_thread"),
}


class Visitor:
    """Do what people do in Slack; every act says whether the bot took it."""

    def __init__(
        self,
        workspace: Workspace,
        stack: Stack,
        client: SignedClient,
        slack_url: str,
        commands: frozenset[str],
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        self._workspace = workspace
        self._stack = stack
        self._client = client
        self._slack_url = slack_url
        self._commands = commands
        self._forget = forget

    def say(self, channel: str, text: str, thread_ts: str = "") -> Thing:
        """Write into a conversation: a command, a mention or a message."""
        text = text.strip()
        if not text or channel not in CHANNELS:
            return failed("no_text")
        if text.startswith("/"):
            return self._command(channel, text, thread_ts)
        message = self._workspace.post(
            channel, YOU, {"text": envelopes.typed(text)}, thread_ts=thread_ts
        )
        heard = channel == DIRECT or envelopes.addressed(message["text"])
        if not heard:
            return {"ok": True, "heard": False}
        event = envelopes.message_event(message)
        return _outcome(self._client.event(event)) | {"heard": True}

    def press(
        self, channel: str, ts: str, ids: Thing, chosen: Thing, state: Thing
    ) -> Thing:
        """Press a button of a message, or choose something in it."""
        message = self._workspace.message(channel, ts)
        action = self._action(message["blocks"], ids, chosen)
        payload = envelopes.press_in_message(
            message, action, state, **self._issued(message)
        )
        return _outcome(self._client.interaction(payload))

    def press_in_view(
        self, view_id: str, ids: Thing, chosen: Thing, state: Thing
    ) -> Thing:
        """Press a button of a modal or the Home tab, or choose something in it."""
        shown = self._stack.view(view_id)
        view = _filled(shown["view"], state)
        action = self._action(view["blocks"], ids, chosen)
        trigger = self._workspace.tickets.trigger(shown["channel"])
        payload = envelopes.press_in_view(view, action, trigger_id=trigger)
        return _outcome(self._client.interaction(payload))

    def submit(self, view_id: str, state: Thing) -> Thing:
        """Submit a modal, and do to it what the bot answers."""
        shown = self._stack.view(view_id)
        view = _filled(shown["view"], state)
        trigger = self._workspace.tickets.trigger(shown["channel"])
        urls = self._response_urls(view)
        delivered = self._client.interaction(
            envelopes.submission(view, urls, trigger_id=trigger)
        )
        if delivered.error:
            return _outcome(delivered)
        return self._after_submission(view_id, delivered.said())

    def dismiss(self, view_id: str, cleared: bool = False) -> Thing:
        """Close a modal without submitting it."""
        view = self._stack.view(view_id)["view"]
        if cleared:
            self._stack.clear()
        else:
            self._stack.close(view_id)
        if not view["notify_on_close"]:
            return {"ok": True}
        return _outcome(self._client.interaction(envelopes.closed(view, cleared)))

    def look(self, tab: str) -> Thing:
        """Open the app's Home or Messages tab."""
        home = [v for v in self._workspace.ledger.all_of("view") if not v["position"]]
        view = home[0]["view"] if home and tab == "home" else None
        opened = envelopes.home_opened(
            self._workspace.team, tab, view, self._workspace.moment()
        )
        return _outcome(self._client.event(opened))

    def take_shortcut(self, callback_id: str, channel: str, ts: str = "") -> Thing:
        """Use a shortcut, on a message or on none."""
        if not ts:
            trigger = self._workspace.tickets.trigger(channel)
            payload = envelopes.shortcut(
                self._workspace.team, callback_id, trigger_id=trigger
            )
        else:
            message = self._workspace.message(channel, ts)
            payload = envelopes.message_shortcut(
                message, callback_id, **self._issued(message)
            )
        return _outcome(self._client.interaction(payload))

    def suggest(self, container: Thing, ids: Thing, value: str) -> Thing:
        """Ask the bot for the options of a select."""
        payload = envelopes.suggestion(self._workspace.team, container, ids, value)
        delivered = self._client.interaction(payload)
        said = delivered.said()
        found = {key: said.get(key) or [] for key in ("options", "option_groups")}
        return _outcome(delivered) | found

    def choose_blocks(self, classic: bool) -> Thing:
        """Move to a workspace that takes native blocks, or to one that refuses them."""
        self._workspace.classic = classic
        self._workspace.ledger.put("setting", "classic", {"classic": classic})
        return {"ok": True}

    def clear(self) -> Thing:
        """Begin anew: no message, open form, watch, setting or stated price is left."""
        self._stack.clear()
        self._workspace.clear()
        self._forget()
        if self._workspace.classic:
            self.choose_blocks(False)
            self._forget()
        return {"ok": True}

    def _command(self, channel: str, text: str, thread_ts: str) -> Thing:
        name, _, rest = text.partition(" ")
        if thread_ts:
            return failed("command_in_thread")
        if name not in self._commands:
            return failed("unknown_command")
        self._workspace.post(
            channel, YOU, {"text": text, "mrkdwn": False}, ephemeral=True
        )
        tickets, team = self._workspace.tickets, self._workspace.team
        fields = envelopes.command(
            team,
            channel,
            name,
            rest.strip(),
            response_url=self._slack_url + HOOK + tickets.hook(team, channel),
            trigger_id=tickets.trigger(channel),
        )
        delivered = self._client.command(fields)
        self._show_acknowledgement(channel, delivered)
        return _outcome(delivered)

    def _show_acknowledgement(self, channel: str, delivered: Delivered) -> None:
        """Post what a command answers in its acknowledgement, if anything."""
        said = delivered.said() or {"text": delivered.body}
        if delivered.error or not (said.get("text") or said.get("blocks")):
            return
        public = said.get("response_type") == "in_channel"
        self._workspace.post(channel, BOT_USER, said, ephemeral=not public)

    def _after_submission(self, view_id: str, said: Thing) -> Thing:
        match said.get("response_action"):
            case "errors":
                return {"ok": True, "errors": said.get("errors") or {}}
            case "update":
                self._stack.update(said.get("view"), view_id)
            case "push":
                self._stack.push(said.get("view"))
            case "clear":
                self._stack.clear()
            case _:
                self._stack.close(view_id)
        return {"ok": True}

    def _action(self, blocks: list[Thing], ids: Thing, chosen: Thing) -> Thing:
        block_id = str(ids.get("block_id"))
        element = find_element(blocks, block_id, str(ids.get("action_id")))
        if element is None:
            raise RefusedError("unknown_element")
        ts = self._workspace.moment()
        return envelopes.action(element, block_id, chosen, ts)

    def _issued(self, message: Thing) -> dict[str, str]:
        tickets = self._workspace.tickets
        hook = tickets.hook(message["team"], message["channel"], message["ts"])
        return {
            "response_url": self._slack_url + HOOK + hook,
            "trigger_id": tickets.trigger(message["channel"]),
        }

    def _response_urls(self, view: Thing) -> list[Thing]:
        """Issue a response_url for each conversation chosen to get the answer."""
        urls = []
        for block, element in elements(view["blocks"]):
            ids = {"block_id": block["block_id"], "action_id": element["action_id"]}
            filled = view["state"]["values"].get(ids["block_id"], {})
            chosen = filled.get(ids["action_id"], {}).get("selected_conversation")
            if element.get("response_url_enabled") and chosen in CHANNELS:
                hook = self._workspace.tickets.hook(view["team_id"], chosen)
                url = self._slack_url + HOOK + hook
                urls.append(ids | {"channel_id": chosen, "response_url": url})
        return urls


def failed(code: str) -> Thing:
    """Say in words why nothing came of an act."""
    refused = say("playground.refused", code=code.replace("_", " "))
    return {"ok": False, "error": code, "trouble": _TROUBLES.get(code, refused)}


def _outcome(delivered: Delivered) -> Thing:
    return failed(delivered.error) if delivered.error else {"ok": True}


def _filled(view: Thing, state: Thing) -> dict[str, Any]:
    return view | {"state": {"values": state}}
