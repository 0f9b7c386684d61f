"""Threads: whoever takes a request acknowledges it, some wait, and few compute."""

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Final, ParamSpec, TypeVar

from bot.slack.requests import Carrying

P = ParamSpec("P")
T = TypeVar("T")

WAITING: Final = 64
COMPUTING: Final = 2
"""One interpreter computes no faster with more."""

RUSH: Final = 8
RUSH_SECONDS: Final = 0.25
"""So many requests within so long: more are on their way."""
GIVING_WAY_SECONDS: Final = 4.0
"""How long after its beginning a rush keeps answers waiting, and no longer."""
_LOOK_AGAIN_SECONDS: Final = 0.02


class Threads(Executor):
    """Bolt's listener threads: none, as listeners hand all work on at once.

    Slack gives an acknowledgement three seconds. On threads of their own, listeners
    would be looked for a hundred times a second by each that waits for one; in a rush
    of hundreds, that alone took longer. Were answers made while requests come in, the
    last of those would wait too.
    """

    def __init__(self) -> None:
        self.computing = Carrying(COMPUTING, "compute")
        self._waiting = Carrying(WAITING, "wait")
        self._arrivals: deque[float] = deque(maxlen=RUSH)
        self._rush_began = time.monotonic()

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> "Future[T]":
        """Run a listener where it was asked for; it acknowledges, and hands work on."""
        ended: Future[T] = Future()
        try:
            ended.set_result(fn(*args, **kwargs))
        except Exception as fault:  # noqa: BLE001 - as an executor does
            ended.set_exception(fault)
        return ended

    def hand_on(self, work: Callable[..., None], *args: Any) -> None:
        """Do what takes longer; in a rush, behind what has to be acknowledged."""
        now = time.monotonic()
        self._arrivals.append(now)
        if not self._rush():
            self._rush_began = now
        self._waiting.submit(self._in_turn, work, *args)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Finish what was begun, in the order in which it was handed on."""
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
