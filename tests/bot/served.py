"""The served program as a process, and a service manager that hands it a socket."""

import http.client
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from bot.config.settings import Settings
from bot.run.composition import compose
from bot.run.server import PATH
from tests.bot.fake_slack import SECRET, FakeSlack, signed
from tests.engines import engine_of, told

FORM = "application/x-www-form-urlencoded"
TOKEN = "xoxb-1234-5678-verysecrettoken"  # noqa: S105 - no secret: made up
PATIENCE_SECONDS = 30
Address = tuple[str, int]
START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.executable, [sys.executable, "-m", "bot.commands.cli", *sys.argv[2:]])
"""
"""What a service manager does: the socket as descriptor 3, and whom it is for."""


@dataclass
class Process:
    """A running bot, and what it writes."""

    popen: "subprocess.Popen[bytes]"
    log: Path

    def ask_to_stop(self) -> None:
        """Send the signal that ends it."""
        self.popen.send_signal(signal.SIGTERM)

    def ended(self) -> int:
        """Wait for its end, and give its exit code."""
        return self.popen.wait(3 * PATIENCE_SECONDS)

    def says(self, words: str) -> None:
        """Wait until it logs something."""
        end = time.monotonic() + PATIENCE_SECONDS
        while words not in self.said():
            assert time.monotonic() < end, self.said()
            time.sleep(0.05)

    def said(self) -> str:
        """Everything that it logged."""
        return self.log.read_text()


class Manager:
    """A service manager with one listening socket that outlives every process."""

    def __init__(
        self, slack: FakeSlack, folder: Path, patience_s: float = PATIENCE_SECONDS
    ) -> None:
        self.folder = folder
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.address: Address = self.listener.getsockname()
        self._told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._told.bind(str(folder / "notify"))
        self._told.settimeout(patience_s)
        self._slack = slack
        self._bots: list[Process] = []
        self._followers: list[int] = []
        """Processes that followed one of these, as descriptors."""

    def start(self, *words: str, **environment: str) -> Process:
        """Start a bot on the socket, and wait until it says that it is ready.

        `words`: the command in place of `serve --http`.
        """
        log = self.folder / f"bot{len(self._bots)}.log"
        handed = str(self.listener.fileno())
        with log.open("wb") as out:
            popen = subprocess.Popen(
                [sys.executable, "-c", START, handed, *(words or ("serve", "--http"))],
                cwd=self.folder,
                env=self.environment() | environment,
                pass_fds=[self.listener.fileno()],
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self._bots.append(Process(popen, log))
        assert self._told.recv(100) == b"READY=1"
        return self._bots[-1]

    def heard(self) -> bytes:
        """What a process tells next."""
        said = self._told.recv(100)
        if said.startswith(b"MAINPID="):
            number = said.split()[0].removeprefix(b"MAINPID=")
            self._followers.append(os.pidfd_open(int(number)))
        return said

    def hears_nothing(self) -> bool:
        """Whether no word waits."""
        self._told.settimeout(0.2)
        try:
            return not self._told.recv(100)
        except TimeoutError:
            return True

    def environment(self) -> dict[str, str]:
        """All that a bot is told."""
        return {
            # the code that is tested, wherever it lies, compiled once for all
            "PYTHONPYCACHEPREFIX": os.environ.get("PYTHONPYCACHEPREFIX", ""),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(__file__).parents[2]),
            **told(self.folder / "home"),
            "GPUCOST_HEALTH_PORT": "0",
            "GPUCOST_FEEDS": "off",
            "GPUCOST_USER_RATE": "0",  # one person types faster than anybody
            "SLACK_BOT_TOKEN": TOKEN,
            "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_API_URL": f"{self._slack.url}/api/",
            "NOTIFY_SOCKET": str(self.folder / "notify"),
        }

    def close(self) -> None:
        """End whatever a test left behind, and wait until it is gone."""
        for follower in self._followers:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(follower, signal.SIGKILL)
            select.select([follower], [], [], PATIENCE_SECONDS)
            os.close(follower)
        for bot in self._bots:
            bot.popen.kill()
            bot.popen.wait()
            sys.stdout.write(bot.said()[-4000:])
        self.listener.close()
        self._told.close()


@contextmanager
def managing(
    slack: FakeSlack, folder: Path, patience_s: float = PATIENCE_SECONDS
) -> Iterator[Manager]:
    """Manage bots until the block ends."""
    home = folder / "home"
    if engine_of(home / "gpucost.sqlite3").is_file:
        compose(Settings(home=home))  # a copy: each start would fill its own
    manager = Manager(slack, folder, patience_s)
    try:
        yield manager
    finally:
        manager.close()


def command(
    address: Address, slack: FakeSlack, text: str, hook: str = "", **headers: str
) -> int:
    """Type one command, and give the status of its acknowledgement."""
    return typed(address, slack, text, hook, **headers)[0]


def typed(
    address: Address, slack: FakeSlack, text: str, hook: str = "", **headers: str
) -> tuple[int, bytes]:
    """Type one command, and give what Slack hears at once."""
    fields = {
        "command": "/gpucost",
        "text": text,
        "team_id": "T0SECRETTEAM",
        "user_id": "U0SECRETUSER",
        "channel_id": "C1",
        "trigger_id": f"trigger.{hook or text}",
        "response_url": f"{slack.url}/hook/{hook}",
    }
    body = urlencode(fields)
    connection = http.client.HTTPConnection(*address, timeout=30)
    connection.request("POST", PATH, body, signed(body, FORM) | headers)
    response = connection.getresponse()
    heard = response.status, response.read()
    connection.close()
    return heard


def free_port() -> int:
    """A port that nobody listens on, below those that connections are given."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
