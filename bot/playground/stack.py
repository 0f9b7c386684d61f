"""The views of a workspace: the Home tab, and at most three modals over another."""

import secrets
import threading
from typing import Any, Final

from bot.playground.blocks import VIEW_BLOCKS, RefusedError, taken_in
from bot.playground.ledger import Thing
from bot.playground.workspace import APP_ID, BOT_ID, Workspace
from core.wording import say

DEEPEST: Final = 3
_COPIED: Final = (
    "type",
    "title",
    "submit",
    "close",
    "private_metadata",
    "callback_id",
    "clear_on_close",
    "notify_on_close",
    "external_id",
)


class Stack:
    """Open, replace and close views as the bot asks."""

    def __init__(self, workspace: Workspace) -> None:
        self._ledger = workspace.ledger
        self._workspace = workspace
        self._lock = threading.Lock()
        self._open: list[str] = []
        self._home = ""

    def open(self, view: object, channel: str) -> Thing:
        """Show a modal in place of any that is open."""
        self.clear()
        return self.push(view, channel)

    def push(self, view: object, channel: str = "") -> Thing:
        """Show a modal over the one that is open."""
        with self._lock:
            if len(self._open) >= DEEPEST:
                raise RefusedError("push_limit_reached")
            made = self._made(view, "modal")
            previous = self._open[-1] if self._open else ""
            made["previous_view_id"] = previous or None
            made["root_view_id"] = self._open[0] if self._open else made["id"]
            below = self._ledger.get("view", previous) or {}
            self._open.append(made["id"])
            self._show(made, len(self._open), channel or below.get("channel", ""))
        return made

    def update(self, view: object, name: str, known_hash: str = "") -> Thing:
        """Replace an open view, found by its id or its external_id."""
        with self._lock:
            shown = self._found(name)
            old = shown["view"]
            if known_hash and known_hash != old["hash"]:
                raise RefusedError("hash_conflict")
            made = self._made(view, old["type"])
            kept = {k: old[k] for k in ("id", "previous_view_id", "root_view_id")}
            made |= kept
            self._show(made, shown["position"], shown["channel"])
        return made

    def publish(self, view: object, known_hash: str = "") -> Thing:
        """Set the Home tab."""
        with self._lock:
            old = self._ledger.get("view", self._home)
            if old and known_hash and known_hash != old["view"]["hash"]:
                raise RefusedError("hash_conflict")
            made = self._made(view, "home")
            made["id"] = self._home or made["id"]
            self._home = made["id"]
            self._show(made, 0, "")
        return made

    def view(self, name: str) -> Thing:
        """Find a view by its id, with the conversation over which it opened."""
        with self._lock:
            return self._found(name)

    def close(self, name: str) -> None:
        """Close one modal."""
        with self._lock:
            if name in self._open:
                self._open.remove(name)
                self._ledger.remove("view", name)

    def clear(self) -> None:
        """Close every modal."""
        with self._lock:
            for name in self._open:
                self._ledger.remove("view", name)
            self._open.clear()

    def _found(self, name: str) -> Thing:
        for each in self._ledger.all_of("view"):
            if name and name in (each["view"]["id"], each["view"]["external_id"]):
                return each
        raise RefusedError("not_found")

    def _show(self, view: Thing, position: int, channel: str) -> None:
        shown = {"view": view, "position": position, "channel": channel}
        self._ledger.put("view", view["id"], shown)

    def _made(self, view: object, kind: str) -> Thing:
        if not isinstance(view, dict) or view.get("type") != kind:
            raise RefusedError(
                "invalid_arguments", say("playground.view_of_type_needed", kind=kind)
            )
        classic = self._workspace.classic
        name = "V" + secrets.token_hex(5).upper()
        unsaid: dict[str, Any] = {key: view.get(key) or "" for key in _COPIED}
        return unsaid | {
            "id": name,
            "team_id": self._workspace.team,
            "app_id": APP_ID,
            "bot_id": BOT_ID,
            "title": view.get("title"),
            "submit": view.get("submit"),
            "close": view.get("close"),
            "clear_on_close": bool(view.get("clear_on_close")),
            "notify_on_close": bool(view.get("notify_on_close")),
            "hash": secrets.token_hex(6),
            "blocks": taken_in(view.get("blocks"), VIEW_BLOCKS, classic),
            "state": {"values": {}},
            "previous_view_id": None,
            "root_view_id": name,
        }
