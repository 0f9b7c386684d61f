"""A Slack workspace with one channel, one visitor and the bot, all in memory."""

import threading
import time
from typing import Any, Final

from bot.playground.blocks import MESSAGE_BLOCKS, RefusedError, taken_in
from bot.playground.ledger import Ledger, Thing
from bot.playground.tickets import Tickets

TEAM: Final = "TPLAY"
CLASSIC_TEAM: Final = "TCLASSIC"
YOU: Final = "UVISITOR"
BOT_USER: Final = "UGPUCOST"
BOT_ID: Final = "BGPUCOST"
APP_ID: Final = "APLAYGROUND"
CHANNEL: Final = "CINFRA"
DIRECT: Final = "DGPUCOST"

CHANNELS: Final = {
    CHANNEL: {"id": CHANNEL, "name": "gpu-costs", "is_channel": True, "is_im": False},
    DIRECT: {"id": DIRECT, "name": "gpucost", "is_channel": False, "is_im": True},
}
USERS: Final = {
    YOU: {"id": YOU, "name": "you", "real_name": "You", "tz": "Etc/UTC"},
    BOT_USER: {"id": BOT_USER, "name": "gpucost", "real_name": "gpucost"},
}

_SHOWN: Final = ("text", "blocks", "mrkdwn", "metadata", "attachments")
_CALLS_KEPT: Final = 200


class Workspace:
    """Messages, and the calls that were made; views stand in their own stack."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.tickets = Tickets()
        self._lock = threading.Lock()
        self._last_microsecond = 0
        self._calls = 0
        self.classic = False
        """Whether to be a workspace that refuses native tables and charts."""

    @property
    def team(self) -> str:
        """The team on whose behalf things happen now."""
        return CLASSIC_TEAM if self.classic else TEAM

    def post(self, channel: str, user: str, content: Thing, **where: Any) -> Thing:
        """Add a message; `where` may hold thread_ts, ephemeral and team."""
        if channel not in CHANNELS:
            raise RefusedError("channel_not_found")
        team = str(where.get("team") or self.team)
        shown = self._content(content, team)
        thread = str(where.get("thread_ts") or "")
        if thread and self.ledger.get("message", thread) is None:
            raise RefusedError("thread_not_found")
        message = {
            "ts": self.moment(),
            "channel": channel,
            "user": user,
            "bot": user == BOT_USER,
            "team": team,
            "thread_ts": thread,
            "ephemeral": bool(where.get("ephemeral")),
            "edited": False,
            **shown,
        }
        self.ledger.put("message", message["ts"], message)
        if user == BOT_USER:
            self.say_status(channel, thread, "")
        return message

    def edit(self, channel: str, ts: str, content: Thing, team: str = "") -> Thing:
        """Write other content into a message of the bot."""
        message = self.message(channel, ts)
        if not message["bot"]:
            raise RefusedError("cant_update_message")
        shown = self._content(content, team or message["team"])
        changed = message | {"blocks": []} | shown | {"edited": True}
        self.ledger.put("message", ts, changed)
        return changed

    def delete(self, channel: str, ts: str) -> None:
        """Take a message of the bot away."""
        if not self.message(channel, ts)["bot"]:
            raise RefusedError("cant_delete_message")
        self.ledger.remove("message", ts)

    def message(self, channel: str, ts: str) -> Thing:
        """Find a message."""
        found = self.ledger.get("message", ts)
        if found is None or found["channel"] != channel:
            raise RefusedError("message_not_found")
        return found

    def say_status(self, channel: str, thread_ts: str, status: str) -> None:
        """Show what the bot is doing, in a conversation or one of its threads."""
        where = {"channel": channel, "thread_ts": thread_ts, "status": status}
        key = f"{channel}:{thread_ts}"
        if status or self.ledger.get("status", key):
            self.ledger.put("status", key, where)

    def note(self, what: str, outcome: str, milliseconds: float, detail: Any) -> None:
        """Write down a request or a call for whoever watches the traffic."""
        with self._lock:
            self._calls += 1
            number = self._calls
        call = {
            "number": number,
            "what": what,
            "outcome": outcome,
            "milliseconds": round(milliseconds, 1),
            "detail": detail,
        }
        self.ledger.put("call", str(number), call)
        if number > _CALLS_KEPT:
            self.ledger.remove("call", str(number - _CALLS_KEPT))

    def clear(self) -> None:
        """Empty the conversations, and what the bot is said to be doing there."""
        for message in self.ledger.all_of("message"):
            self.ledger.remove("message", message["ts"])
        for where in self.ledger.all_of("status"):
            self.say_status(where["channel"], where["thread_ts"], "")

    def moment(self) -> str:
        """Make a message timestamp: seconds with six decimals, never the same twice."""
        with self._lock:
            now = max(time.time_ns() // 1000, self._last_microsecond + 1)
            self._last_microsecond = now
        return f"{now // 10**6}.{now % 10**6:06d}"

    def _content(self, content: Thing, team: str) -> Thing:
        shown = {key: content[key] for key in _SHOWN if content.get(key) is not None}
        if "blocks" in shown:
            classic = team == CLASSIC_TEAM
            shown["blocks"] = taken_in(shown["blocks"], MESSAGE_BLOCKS, classic)
        if not shown.get("text") and not shown.get("blocks"):
            raise RefusedError("no_text")
        return {"text": "", "blocks": []} | shown
