"""Faults under a served bot: each time the asker is told, and the probes say it.

The bot runs as a process of its own behind its HTTP door, its probes on another port.
"""

import os
import shutil
import signal
import socket
import sqlite3
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bot.blocks import every_text
from tests.bot.fake_slack import FakeSlack, fake_slack
from tests.bot.served import Manager, Process, command, managing

QUESTION = "8b chat 20rps"
PATIENCE_S = 40.0


@dataclass
class Served:
    """A bot, its files, and the Slack that it answers."""

    slack: FakeSlack
    manager: Manager
    bot: Process
    health: int

    @property
    def file(self) -> Path:
        """The database."""
        return self.manager.folder / "home" / "gpucost.sqlite3"

    def ask(self, text: str, name: str) -> str:
        """Type a command; return everything that is said to its asker."""
        hook, since = f"hook-{name}", len(self.slack.heard)
        assert command(self.manager.address, self.slack, text, hook) == 200
        self.slack.wait(since + 1, PATIENCE_S)
        return "\n".join(t for _, m in self.slack.heard[since:] for t in every_text(m))

    def probe(self, path: str) -> tuple[int, str]:
        """Ask a probe."""
        url = f"http://127.0.0.1:{self.health}{path}"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def until(self, path: str, status: int) -> str:
        """Wait until a probe says something; return its words."""
        end = time.monotonic() + PATIENCE_S
        while (said := self.probe(path))[0] != status:
            assert time.monotonic() < end, (path, said)
            time.sleep(0.2)
        return said[1]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A bot that has answered once."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with fake_slack() as slack, managing(slack, tmp_path) as manager:
        bot = manager.start(GPUCOST_HEALTH_PORT=str(port))
        made = Served(slack, manager, bot, port)
        assert "8B" in made.ask(QUESTION, "first")
        made.until("/readyz", 200)
        yield made


def garble(file: Path, share: float = 1.0) -> None:
    """Write noise over a share of a file's pages, the first ones spared."""
    noise, size = os.urandom(4096), file.stat().st_size
    with file.open("r+b") as out:
        for page in range(2, int(size / 4096 * share)):
            out.seek(page * 4096)
            out.write(noise)


def settled(file: Path) -> None:
    """Bring everything from the log into the file."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def delete(file: Path) -> None:
    """Take the database and its log away."""
    for part in file.parent.glob("gpucost.sqlite3*"):
        part.unlink()


def replace(file: Path) -> None:
    """Put another file in its place."""
    other = file.with_suffix(".other")
    other.write_text("this is no database\n" * 1000)
    delete(file)
    other.rename(file)


def truncate(file: Path) -> None:
    """Cut the file in the middle."""
    settled(file)
    os.truncate(file, file.stat().st_size // 3 // 4096 * 4096)


def noise(file: Path) -> None:
    """Write noise over a third of it."""
    settled(file)
    garble(file, 0.4)


def nothing_left(file: Path) -> None:
    """Empty it."""
    settled(file)
    os.truncate(file, 0)


FAULTS: dict[str, tuple[Callable[[Path], None], bool]] = {
    "deleted": (delete, True),
    "replaced": (replace, True),
    "truncated": (truncate, False),
    "garbled": (noise, False),
    "emptied": (nothing_left, False),
}
"""Each with whether only a restart helps."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_broken_database_is_told_and_probed(served: Served, name: str) -> None:
    """One sentence for whoever asks; not ready; alive unless a restart would help."""
    harm, only_restart = FAULTS[name]
    shutil.copy(served.file, served.file.with_suffix(".backup"))

    harm(served.file)
    said = served.ask("settings", name)
    again = served.ask("llama-3.3-70b 7rps", f"{name} again")

    assert "That did not work" in said
    assert len(again) > 20
    assert served.until("/readyz", 503)
    assert served.probe("/healthz")[0] == (503 if only_restart else 200)


def test_a_database_that_is_locked_costs_seconds(served: Served) -> None:
    """Whoever holds the file keeps nobody from an answer."""
    with closing(sqlite3.connect(served.file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        said = served.ask("8b chat 40rps", "locked")

    assert "8B" in said or "locked the database" in said
    assert served.until("/readyz", 200)


def test_a_broken_template_is_told_in_plain_words(tmp_path: Path) -> None:
    """Where no message can be drawn, a sentence still comes."""
    package = tmp_path / "broken"
    shutil.copytree(Path(__file__).parents[2] / "templates", package / "templates")
    drawn = package / "templates" / "slack" / "answer.json.j2"
    drawn.write_text("{{ nothing.of.that.name }}")
    with fake_slack() as slack, managing(slack, tmp_path) as manager:
        path = os.pathsep.join([str(package), str(Path(__file__).parents[2])])
        manager.start(PYTHONPATH=path)
        assert command(manager.address, slack, QUESTION, "torn") == 200

        (said,) = slack.wait(1, PATIENCE_S)

    assert "Something went wrong" in said["text"]


def test_what_was_acknowledged_is_answered_after_a_kill(tmp_path: Path) -> None:
    """By the next process: each asker hears once, however many were waiting."""
    with fake_slack() as slack, managing(slack, tmp_path) as manager:
        bot = manager.start()
        names = [f"n{number}" for number in range(30)]
        for number, name in enumerate(names):
            text = f"70b inference {number + 1}rps"
            assert command(manager.address, slack, text, name) == 200
        bot.popen.send_signal(signal.SIGKILL)
        bot.ended()
        answered = len(slack.heard)
        manager.start()

        ends = time.monotonic() + PATIENCE_S
        while len(found := answers(slack)) < len(names) and time.monotonic() < ends:
            time.sleep(0.1)

    assert answered < len(names)
    assert len(found) == len(names)


def answers(slack: FakeSlack) -> set[str]:
    """The answers that were given; each question here has one of its own."""
    payloads = [
        message["metadata"]["event_payload"]
        for _, message in list(slack.heard)
        if "metadata" in message
    ]
    return {payload["answer_id"] for payload in payloads} - {""}
