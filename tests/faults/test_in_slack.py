"""What people in Slack see while the disk is full, or somebody holds the lock."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.run.app import build_app
from bot.run.composition import compose
from tests.bot.blocks import every_text
from tests.bot.conftest import Workspace, settings_for
from tests.bot.fake_slack import FakeAnswers, fake_slack
from tests.bot.person import Person
from tests.bot.samples import ANSWER
from tests.faults.disks import fill, small_disk
from tests.faults.files import hurry, rows


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of six megabytes."""
    with small_disk(tmp_path / "disk", 6) as folder:
        yield folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder on a disk with space."""
    return tmp_path


def workspace(home: Path) -> Iterator[Workspace]:
    """Install the whole bot, its database in a folder."""
    with fake_slack() as slack:
        settings = settings_for(slack, home)
        app = build_app(settings, compose(settings))
        person = Person(app, slack)
        yield Workspace(slack, FakeAnswers(ANSWER), person, home, app)
        app.listener_runner.listener_executor.shutdown(wait=True)


@pytest.fixture
def cramped(disk: Path) -> Iterator[Workspace]:
    """The bot on the small disk."""
    yield from workspace(disk)


@pytest.fixture
def roomy(home: Path) -> Iterator[Workspace]:
    """The bot with space."""
    yield from workspace(home)


def said(workspace: Workspace) -> str:
    """Everything that was said to anybody."""
    return "\n".join(
        text for _, message in workspace.slack.heard for text in every_text(message)
    )


@pytest.mark.parametrize("way", ["command", "mention", "message"])
@pytest.mark.sqlite_alone
def test_an_answer_comes_though_the_disk_is_full(cramped: Workspace, way: str) -> None:
    """In every place, once, marked as not kept; the same again once there is space."""
    filling = fill(cramped.home)

    ask(cramped, way, "8b chat 20rps")
    cramped.slack.wait(1)

    assert "We could not save this answer (the disk is full" in said(cramped)
    assert "Something went wrong" not in said(cramped)
    filling.unlink()
    ask(cramped, way, "8b chat 30rps")
    cramped.settle()
    unkept = [
        "We could not save" in "".join(every_text(m)) for _, m in cramped.slack.heard
    ]
    assert [True, False] == unkept


def ask(workspace: Workspace, way: str, text: str) -> None:
    """Ask by command, by name in a channel, or in a conversation."""
    if way == "command":
        workspace.person.command(text)
    elif way == "mention":
        workspace.person.happen(
            "app_mention", text=f"<@UBOT> {text}", ts=f"{time.time():.6f}"
        )
    else:
        workspace.person.happen(
            "message", text=text, channel_type="im", ts=f"{time.time():.6f}"
        )


@pytest.mark.parametrize(
    "words",
    ["settings set currency EUR", "setprice lambda h100 2.89"],
)
@pytest.mark.sqlite_alone
def test_a_change_that_cannot_be_kept_says_so(cramped: Workspace, words: str) -> None:
    """Nobody believes that it is set; there is no half of it."""
    cramped.person.command(words)
    cramped.slack.wait(1)
    before = rows(cramped.home / "gpucost.sqlite3", "SELECT count(*) FROM audit")
    fill(cramped.home)

    cramped.person.command(words.replace("EUR", "GBP").replace("2.89", "2.79"))
    cramped.settle()

    told = "\n".join(every_text(cramped.slack.heard[-1][1]))
    assert "the disk is full" in told
    assert "Free some space" in told
    (cramped.home / "filling").unlink()
    file = cramped.home / "gpucost.sqlite3"
    assert before == rows(file, "SELECT count(*) FROM audit") == [(1,)]


@pytest.mark.sqlite_alone
def test_an_answer_comes_though_the_file_is_locked(
    roomy: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for the lock no longer than people do, and says that it is not kept."""
    hurry(monkeypatch)
    with closing(sqlite3.connect(roomy.home / "gpucost.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        roomy.person.command("8b chat 20rps")
        while "We could not save this answer (another process" not in said(roomy):
            assert time.monotonic() - began < 20
            time.sleep(0.05)

    roomy.settle()
    answers = [
        m for _, m in roomy.slack.heard if "could not save" in "".join(every_text(m))
    ]
    assert 1 == len(answers)
