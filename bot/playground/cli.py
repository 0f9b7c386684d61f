"""`gpucost playground`: the whole product in the browser, with no workspace."""

import argparse
import os
import signal
import sys
import threading
from collections.abc import MutableMapping, Sequence
from typing import Final

from core.wording import say

PORT: Final = 8765
WAKE_SECONDS: Final = 0.25


def playground_command(words: Sequence[str]) -> int:
    """Try the bot in the browser: the real app, on this machine alone."""
    parser = argparse.ArgumentParser(
        prog="gpucost playground", description=playground_command.__doc__
    )
    parser.add_argument(
        "--port", type=int, default=PORT, help=say("playground.port_option", port=PORT)
    )
    parser.add_argument(
        "--open", action="store_true", help=say("playground.open_option")
    )
    options = parser.parse_args(words)
    forget_workspaces(os.environ)
    try:
        return _play(options.port, options.open)
    except OSError as error:
        taken = say("playground.port_taken", port=options.port, error=error)
        sys.stderr.write(f"{taken}\n")
        return 1


def forget_workspaces(environment: MutableMapping[str, str]) -> None:
    """Drop what names a real workspace; Bolt reads these by itself."""
    for name in [name for name in environment if name.startswith("SLACK_")]:
        del environment[name]


def _play(port: int, opened: bool) -> int:
    from bot.playground.playground import playing
    from bot.playground.product import own_home, running_bot

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with playing(own_home(), running_bot, port) as playground:
        sys.stdout.write(say("playground.started", url=playground.url))
        sys.stdout.flush()
        if opened:
            import webbrowser

            webbrowser.open(playground.url)
        # A thread just being started may take the signal, which wakes only that one.
        while not stop.wait(WAKE_SECONDS):
            pass
    return 0
