"""What a service manager says and is told: sockets handed over, and how we are.

sd_listen_fds(3) and sd_notify(3), of which only this much is needed.
"""

import os
import socket
from collections.abc import Mapping
from typing import Final

from core.wording import say

FIRST: Final = 3
"""The first descriptor that is handed over."""


def handed_over(environment: Mapping[str, str] = os.environ) -> socket.socket | None:
    """Return the listening socket that this process was started with, if any.

    The manager keeps it open, so connections wait in it while one process follows
    another, and two may take from it at once.
    """
    if environment.get("LISTEN_PID") != str(os.getpid()):
        return None
    if environment.get("LISTEN_FDS") != "1":
        raise OSError(say("operate.one_socket_only"))
    return socket.socket(fileno=os.dup(FIRST))


def tell(state: str, environment: Mapping[str, str] = os.environ) -> None:
    """Tell the manager how this process is: "READY=1", "STOPPING=1"."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # the kernel's own names begin with a zero byte
        address = f"\0{address[1:]}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.connect(address)
        manager.sendall(state.encode())
