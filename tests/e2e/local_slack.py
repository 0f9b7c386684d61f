"""A local Slack on loopback, and somebody to use it."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from bot.slack.listeners.status import LINE
from tests.bot.served import free_port
from tests.engines import told

HERE = Path(__file__).parent
BINARY = HERE / "node_modules/local-slack-linux-x64/bin/local-slack"
SERVE = [sys.executable, "-m", "bot.commands.cli", "serve"]
HURRIED = [
    sys.executable,
    "-c",
    "import bot.slack.messenger, bot.slack.outcome, sys\n"
    "bot.slack.outcome.TIMEOUT_SECONDS, bot.slack.messenger.PAUSE_SECONDS = 2, 0.1\n"
    "from bot.commands.cli import main\n"
    "sys.exit(main(sys.argv[1:]))",
    "serve",
]
"""The same, but it waits a fifth as long for Slack, and less before it tries again."""
PATIENCE_SECONDS = 60
Mode = Literal["socket", "events"]
Message = dict[str, Any]
T = TypeVar("T")

# The binary listens on every address and has no flag for it; Bun preloads this first.
LOOPBACK = """
const serve = Bun.serve;
Bun.serve = (options) => serve({ ...options, hostname: "127.0.0.1" });
"""


def wait_for(find: Callable[[], T | None], what: str) -> T:
    """Look again until something is found."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if found := find():
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come within {PATIENCE_SECONDS} s")


def listens(port: int) -> bool:
    """Tell whether somebody takes connections."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def bound_addresses(port: int) -> set[str]:
    """Read which addresses listen on a port, as the kernel's tables write them."""
    listening = "0A"
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            address, local_port = fields[1].split(":")
            if fields[3] == listening and int(local_port, 16) == port:
                found.add(address)
    return found


class LocalSlack:
    """One workspace with a channel, a person and the bot."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def command(self, text: str) -> None:
        """Type the slash command in the channel."""
        self._do("command", user="U1", channel="C1", command="/gpucost", text=text)

    def say(
        self, text: str, thread_ts: str | None = None, channel: str = "C1"
    ) -> Message:
        """Write a message in a channel."""
        thread = {"thread_ts": thread_ts} if thread_ts else {}
        said: Message = self._do(
            "message", user="U1", channel=channel, text=text, **thread
        )["message"]
        return said

    def edit(self, message: Message, text: str) -> None:
        """Change what was written."""
        ts = message["ts"]
        self._do("edit-message", user="U1", channel="C1", ts=ts, text=text)

    def open_home(self) -> None:
        """Open the bot's page."""
        self._do("open-home", user="U1")

    def own_channel(self) -> str:
        """The conversation of the person with the bot, once the page was opened."""
        channels = self._read("state")["channels"]
        return next(str(each["id"]) for each in channels if each.get("is_im"))

    def press(
        self, message: Message, button: dict[str, Any], channel: str = "C1"
    ) -> None:
        """Press a button of a message."""
        action = {"type": "button", "value": button.get("value")}
        action["action_id"] = button["action_id"]
        ts = message["ts"]
        self._do("interact", user="U1", channel=channel, messageTs=ts, action=action)

    def messages(self, channel: str = "C1") -> list[Message]:
        """Read a channel, what only one person sees included."""
        found: list[Message] = self._read(f"messages/{channel}")["messages"]
        return found

    def from_bot(self, channel: str = "C1") -> list[Message]:
        """Read what the bot said, but for the line that work goes on.

        That comes only where an answer takes long: on some machines.
        """
        said = self.messages(channel)
        return [m for m in said if m["user"] == "UBOT" and m["text"] != LINE]

    def reset(self) -> None:
        """Empty the channel."""
        self._do("reset")

    def connected(self) -> bool:
        """Tell whether the bot's socket is open."""
        return "socket connected (hello)" in json.dumps(self._read("log"))

    def log(self) -> list[dict[str, Any]]:
        """Read what went to the bot and came from it."""
        entries: list[dict[str, Any]] = self._read("log")["log"]
        return entries

    def _read(self, what: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/_control/{what}") as answer:  # noqa: S310 - loopback
            found: dict[str, Any] = json.load(answer)
            return found

    def _do(self, what: str, **fields: object) -> dict[str, Any]:
        request = urllib.request.Request(  # noqa: S310 - loopback
            f"{self.url}/_control/{what}",
            json.dumps(fields).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
            done: dict[str, Any] = json.load(answer)
            return done


@contextmanager
def local_slack(folder: Path, mode: Mode, bot_port: int) -> Iterator[LocalSlack]:
    """Run the local Slack in a folder, on loopback alone."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bunfig.toml").write_text('preload = ["./loopback.js"]\n')
    (folder / "loopback.js").write_text(LOOPBACK)
    config = {
        "workspace": {"name": "Acme", "teamId": "T1"},
        "apps": [
            {
                "appId": "A1",
                "botUserId": "UBOT",
                "botName": "gpucost",
                "botToken": "xoxb-test-token",
                "appToken": "xapp-test-token",
                "signingSecret": "test-signing-secret",
                "mode": mode,
                "requestUrl": f"http://127.0.0.1:{bot_port}/slack/events",
            }
        ],
        "users": [{"id": "U1", "name": "ada"}],
        "channels": [{"id": "C1", "name": "infra", "members": ["U1", "UBOT"]}],
    }
    (folder / "config.json").write_text(json.dumps(config))
    port = free_port()
    command = [str(BINARY), "--config", "config.json", "--port", str(port)]
    with running([*command, "--base-host", "127.0.0.1"], folder, dict(os.environ)):
        wait_for(lambda: listens(port), "the local Slack")
        yield LocalSlack(port)


@contextmanager
def running_bot(
    folder: Path,
    slack: LocalSlack,
    mode: Mode,
    port: int,
    api: str = "",
    serve: list[str] = SERVE,
) -> Iterator[None]:
    """Start the bot as its operator would: tokens in the environment."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        **told(folder / "home"),
        "GPUCOST_PORT": str(port),
        "GPUCOST_FEEDS": "off",
        "GPUCOST_ADMINS": "U1",
        "GPUCOST_USER_RATE": "0",  # one person types faster than anybody
        "SLACK_BOT_TOKEN": "xoxb-test-token",
        "SLACK_APP_TOKEN": "xapp-test-token",
        "SLACK_SIGNING_SECRET": "test-signing-secret",
        "SLACK_API_URL": api or f"{slack.url}/api/",
    }
    http = mode == "events"
    with running([*serve, "--http"] if http else serve, folder, environment):
        ready = (lambda: listens(port)) if http else slack.connected
        wait_for(ready, "the bot")
        yield


@contextmanager
def running(
    command: list[str], folder: Path, environment: dict[str, str]
) -> Iterator[None]:
    """Run a program for as long as it is needed; its words go to the test's report."""
    log = folder / f"{Path(command[0]).name}.log"
    with (
        log.open("wb") as out,
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            yield
        finally:
            if (ended := process.poll()) is not None:
                sys.stdout.write(f"{command[0]} had ended by itself: {ended}\n")
            # How a bot ends is test_restart.py's; its socket takes seconds to close.
            process.kill()
            process.wait()
            sys.stdout.write(log.read_text(errors="replace")[-4000:])
