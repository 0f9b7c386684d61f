"""Everything that an app began, so that a test can wait for its end."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import Any

from slack_bolt import App


class Begun:
    """The work of an app's threads, from when this is made."""

    def __init__(self, app: App) -> None:
        self._futures: list[Future[Any]] = []
        threads: Any = app.listener_runner.listener_executor
        for pool in (threads, threads._waiting, threads.computing):
            pool.submit = partial(self._begin, pool.submit)

    def settle(self) -> None:
        """Wait until all work is done, and what it handed on."""
        settled = -1
        while settled < len(self._futures):  # what ended may have begun more
            settled = len(begun := list(self._futures))
            assert not wait(begun, timeout=60).not_done

    def _begin(self, submit: Callable[..., Future[Any]], *work: Any) -> Future[Any]:
        self._futures.append(submit(*work))
        return self._futures[-1]
