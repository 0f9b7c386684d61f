"""Threads: some acknowledge, some wait for Slack, and few compute."""

from concurrent.futures import ThreadPoolExecutor
from typing import Final

ACKNOWLEDGING: Final = 32
WAITING: Final = 64
COMPUTING: Final = 2
"""One interpreter computes no faster with more, and acknowledgements would wait."""


class Threads(ThreadPoolExecutor):
    """Bolt's listener threads, which hand all work on and are free at once.

    Slack gives an acknowledgement three seconds. Were answers made on these threads,
    a burst of questions would keep the next one from being acknowledged.
    """

    def __init__(self) -> None:
        super().__init__(ACKNOWLEDGING, "acknowledge")
        self.waiting = ThreadPoolExecutor(WAITING, "wait")
        self.computing = ThreadPoolExecutor(COMPUTING, "compute")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Finish what was begun, in the order in which it was handed on."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self.waiting.shutdown(wait, cancel_futures=cancel_futures)
        self.computing.shutdown(wait, cancel_futures=cancel_futures)
