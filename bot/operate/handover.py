"""Restart without a gap: a new process takes over while the old one still serves.

On SIGHUP the program starts itself anew, as it is installed by then, and hands its
listening socket over. Once the new process serves, it tells the old one to stop. If it
never gets that far, nothing has changed but a line in the log.
"""

import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from threading import Thread
from typing import Final

from bot.operate.systemd import tell

log = logging.getLogger("gpucost")

FOLLOWS: Final = "GPUCOST_FOLLOWS"
"""The process that a new one takes over from; set for it alone."""
_START: Final = """
import os, sys
if sys.argv[1] != "none":
    os.dup2(int(sys.argv[1]), 3)
    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.executable, [sys.executable, "-m", "bot.commands.cli", *sys.argv[2:]])
"""


class Handover:
    """Starts processes that take over."""

    def __init__(self, listener: socket.socket | None = None) -> None:
        self._listener = listener
        self._now: subprocess.Popen[bytes] | None = None

    @property
    def begun(self) -> bool:
        """Whether somebody is about to take over, or does."""
        return self._now is not None and self._now.poll() is None

    def start(self) -> None:
        """Start one, unless one is under way."""
        if self.begun:
            return
        handed = self._listener.fileno() if self._listener else None
        known_as = "none" if handed is None else str(handed)
        log.info("told to restart: starting the process that follows")
        self._now = subprocess.Popen(  # noqa: S603 - this very program, as it runs now # nosec B603
            [sys.executable, "-c", _START, known_as, *sys.argv[1:]],
            env=os.environ | {FOLLOWS: str(os.getpid())},
            pass_fds=() if handed is None else (handed,),
        )
        Thread(target=_mind, args=(self._now,), name="successor", daemon=True).start()


def take_over(environment: Mapping[str, str] = os.environ) -> None:
    """Tell the service manager who serves now, and whoever did before to stop."""
    before = environment.get(FOLLOWS, "")
    if before != str(os.getppid()):
        tell("READY=1", environment)
        return
    tell(f"MAINPID={os.getpid()}\nREADY=1", environment)
    os.kill(int(before), signal.SIGTERM)


def _mind(process: "subprocess.Popen[bytes]") -> None:
    """Wait for a process; one that lives on outlives this thread."""
    if code := process.wait():
        log.error("the process that was to follow ended with code %s", code)
