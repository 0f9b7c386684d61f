"""How the program ends: at once when asked twice, and in any case within a bound."""

import logging
import os
import select
import signal
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

log = logging.getLogger("gpucost")

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class Stop(Event):
    """Set by SIGTERM or SIGINT; what is under way may then take so many seconds."""

    def __init__(self, seconds: float) -> None:
        """Take the seconds; SIGHUP does nothing until it is told what."""
        super().__init__()
        self._seconds = seconds
        self.restart: Callable[[], object] = lambda: None

    def listen(self) -> None:
        """Hear the signals for as long as the process lives."""
        # A handler that set the event itself could meet its lock held by whom it
        # interrupted: the signals' numbers go through a pipe instead.
        heard, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        for number in (*SIGNALS, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        Thread(target=self._hear, args=(heard,), name="stop", daemon=True).start()

    def _hear(self, heard: int) -> None:
        while os.read(heard, 1)[0] == signal.SIGHUP:
            self.restart()
        self.set()
        again, _, _ = select.select([heard], [], [], self._seconds)
        if again:
            os._exit(128 + os.read(heard, 1)[0])
        # Threads that wait for somebody else cannot be ended otherwise.
        log.warning("still busy after %g s: ending all the same", self._seconds)
        logging.shutdown()
        os._exit(0)
