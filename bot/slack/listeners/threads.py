"""Threads: some acknowledge, some wait for Slack, and few compute."""

import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from bot.slack.requests import Carrying

ACKNOWLEDGING: Final = 32
WAITING: Final = 64
COMPUTING: Final = 2
"""One interpreter computes no faster with more."""

RUSH: Final = 8
RUSH_SECONDS: Final = 0.25
"""So many requests within so long: more are on their way."""
GIVING_WAY_SECONDS: Final = 4.0
"""How long after its beginning a rush keeps answers waiting, and no longer."""
_LOOK_AGAIN_SECONDS: Final = 0.02


class Threads(Carrying):
    """Bolt's listener threads, which hand all work on and are free at once.

    Slack gives an acknowledgement three seconds. Were answers made on these threads,
    or while hundreds of requests come in, the last of those would wait longer.
    """

    def __init__(self) -> None:
        super().__init__(ACKNOWLEDGING, "acknowledge")
        self.computing = Carrying(COMPUTING, "compute")
        self._waiting = Carrying(WAITING, "wait")
        self._arrivals: deque[float] = deque(maxlen=RUSH)
        self._rush_began = time.monotonic()

    def hand_on(self, work: Callable[..., None], *args: Any) -> None:
        """Do what takes longer; in a rush, behind what has to be acknowledged."""
        now = time.monotonic()
        self._arrivals.append(now)
        if not self._rush():
            self._rush_began = now
        self._waiting.submit(self._in_turn, work, *args)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Finish what was begun, in the order in which it was handed on."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._waiting.shutdown(wait, cancel_futures=cancel_futures)
        self.computing.shutdown(wait, cancel_futures=cancel_futures)

    def _in_turn(self, work: Callable[..., None], *args: Any) -> None:
        end = self._rush_began + GIVING_WAY_SECONDS
        while self._rush() and time.monotonic() < end:
            time.sleep(_LOOK_AGAIN_SECONDS)
        work(*args)

    def _rush(self) -> bool:
        full = len(self._arrivals) == RUSH
        return full and time.monotonic() - self._arrivals[0] < RUSH_SECONDS
