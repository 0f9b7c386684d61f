"""What Slack hands a bot to come back with: trigger ids and response_urls."""

import secrets
import threading
import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from bot.playground.blocks import RefusedError

TRIGGER_SECONDS: Final = 3
HOOK_SECONDS: Final = 30 * 60
HOOK_USES: Final = 5


class Hook(Struct):
    """Where a response_url leads."""

    team: str
    channel: str
    message_ts: str = ""
    """The message that a button was pressed on, "" for a command."""
    born: float = 0
    uses: int = 0


class _Trigger(Struct):
    channel: str
    born: float
    used: bool = False


class Tickets:
    """Issue trigger ids and response_urls, and honour them as long as Slack does."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._triggers: dict[str, _Trigger] = {}
        self._hooks: dict[str, Hook] = {}

    def trigger(self, channel: str) -> str:
        """Issue a trigger id for something done in a conversation."""
        name = f"{secrets.randbelow(10**12)}.{secrets.token_hex(8)}"
        with self._lock:
            self._triggers[name] = _Trigger(channel, self._clock())
        return name

    def redeem(self, name: str) -> str:
        """Take a trigger id back and name its conversation; once, within 3 s."""
        with self._lock:
            trigger = self._triggers.get(name)
            if trigger is None:
                raise RefusedError("invalid_trigger_id")
            if trigger.used:
                raise RefusedError("exchanged_trigger_id")
            if self._clock() - trigger.born > TRIGGER_SECONDS:
                raise RefusedError("expired_trigger_id")
            trigger.used = True
            return trigger.channel

    def hook(self, team: str, channel: str, message_ts: str = "") -> str:
        """Issue the secret part of a response_url."""
        name = secrets.token_urlsafe(24)
        with self._lock:
            self._hooks[name] = Hook(team, channel, message_ts, self._clock())
        return name

    def use(self, name: str) -> Hook:
        """Follow a response_url: five times, within half an hour."""
        with self._lock:
            hook = self._hooks.get(name)
            if hook is None:
                raise RefusedError("no_such_url")
            if self._clock() - hook.born > HOOK_SECONDS:
                raise RefusedError("expired_url")
            if hook.uses >= HOOK_USES:
                raise RefusedError("used_url")
            hook.uses += 1
            return hook
