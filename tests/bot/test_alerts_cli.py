"""`gpucost alerts`: what every channel watches, and what would be posted when."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.commands.cli import main
from bot.config.settings import Settings
from tests.bot.alerts import (
    ANN,
    AWS,
    BOB,
    DAY,
    NOW,
    AlertHarness,
    make_home,
    offers,
    point,
)
from tests.bot.fake_slack import FakeSlack, fake_slack


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fill a home once: an alert, a digest, and a workload are watched."""
    home = tmp_path_factory.mktemp("template") / "home"
    harness = AlertHarness(home)
    harness.poll(*offers("2.50"))
    harness.say("alert h100 lambda moves 8%", ANN, "C1")
    harness.say("digest h100 daily 9:00 berlin", BOB, "C2")
    harness.say("watch 70b inference 50rps on h100 at lambda 10%", ANN, "C1")
    return home


@pytest.fixture
def home(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home that the commands find, and no token."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SLACK_BOT_TOKEN", raising=False)
    return make_home(template, tmp_path / "home")


def run(*words: str) -> int:
    """Run one of the commands."""
    return main(["alerts", *words])


def said(capsys: pytest.CaptureFixture[str]) -> Any:
    """Read what a command said for programs."""
    return json.loads(capsys.readouterr().out)


def rows(home: Path, table: str) -> list[Any]:
    """Return all that a table holds."""
    with Settings(home=home).database.reading() as connection:
        found = connection.execute(f"SELECT * FROM {table} ORDER BY 1")  # noqa: S608
        return found.fetchall()


def test_a_list_says_who_watches_what_and_where(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Number, channel, what, by whom and its state, for people and for programs."""
    assert 0 == run("list")
    page = capsys.readouterr().out
    assert 0 == run("list", "--json")
    found = said(capsys)

    assert "3 subscriptions" in page
    assert "H100 SXM on-demand at Lambda moves by 8 %" in " ".join(page.split())
    assert [
        (1, "C1", ANN, "alert h100 lambda moves 8%"),
        (2, "C2", BOB, "digest h100 daily 9:00 berlin"),
        (3, "C1", ANN, "watch 70b inference 50rps on h100 at lambda 10%"),
    ] == [(f["id"], f["channel_id"], f["user_id"], f["typed"]) for f in found]
    due = datetime.fromisoformat(found[1]["next"])
    assert (8, 0) == (due.utctimetuple().tm_hour, due.minute) or due.month in range(
        4, 11
    )


def test_nothing_watched_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fresh machine has none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path / "fresh"))

    assert 0 == run("list")
    assert "0 subscriptions" in capsys.readouterr().out


def test_a_dry_run_says_what_an_instant_brings_and_changes_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tomorrow at nine there is a digest; afterwards the database is as before."""
    before = {t: rows(home, t) for t in ("subscriptions", "outbox", "polls")}
    at = (NOW + DAY).replace(hour=9).isoformat()

    assert 0 == run("run", "--at", at, "--dry-run", "--json")
    found = said(capsys)
    assert 0 == run("run", "--at", at, "--dry-run")
    page = capsys.readouterr().out

    assert [("C2", "digest")] == [(f["channel_id"], f["letter"]["kind"]) for f in found]
    assert "── T1 C2" in page
    assert "1 message to post." in page
    assert before == {t: rows(home, t) for t in before}


def test_the_same_instant_dry_twice_says_the_same(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing of the first look is kept."""
    at = (NOW + 3 * DAY).isoformat()
    pages = []
    for _ in range(2):
        run("run", "--at", at, "--dry-run")
        pages.append(capsys.readouterr().out)

    assert pages[0] == pages[1]


def test_without_a_token_what_is_news_waits(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run without Slack queues, says so, and loses nothing."""
    at = (NOW + DAY).isoformat()

    assert 0 == run("run", "--at", at)

    assert "SLACK_BOT_TOKEN is not set" in capsys.readouterr().err
    assert 1 == len(rows(home, "outbox"))


def test_with_a_token_what_is_news_is_posted(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command does what the schedule does: queue, and post."""
    with fake_slack() as slack:
        use(slack, monkeypatch)
        assert 0 == run("run", "--at", (NOW + DAY).isoformat())
        assert 0 == run("run", "--at", (NOW + DAY).isoformat())
        posted = [m["channel"] for name, m in slack.heard if name == "chat.postMessage"]

    assert ["C2"] == posted
    assert "1 taken to Slack." in capsys.readouterr().err


def test_messages_of_one_channel_keep_slacks_pace(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """About a second apart, and all of them before the command ends."""
    harness = AlertHarness(home)
    harness.say("alert h100 aws moves 8%", ANN, "C1")
    harness.now += DAY
    for aws in ("2.80", "1.50"):
        harness.poll(point("1.50"), point(aws, **AWS))
        harness.later(timedelta(minutes=1))
    with fake_slack() as slack:
        use(slack, monkeypatch)
        assert 0 == run("run", "--at", harness.now.isoformat())
        posted = [m["channel"] for name, m in slack.heard if name == "chat.postMessage"]

    assert posted.count("C1") > 1
    assert [] == [m for m in harness.waiting() if m.letter.at <= harness.now]


def use(slack: FakeSlack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands speak to a fake Slack, as they would to the real one."""
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-test")
    monkeypatch.setenv("SLACK_API_URL", f"{slack.url}/api/")


def test_an_instant_without_a_zone_is_utc(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Just after eight UTC a digest of nine in Berlin is due in winter."""
    eight = (NOW + DAY).replace(hour=8, minute=0, tzinfo=None)
    kinds = []
    for at in (eight - timedelta(minutes=1), eight + timedelta(minutes=1)):
        run("run", "--at", at.isoformat(), "--dry-run", "--json")
        kinds.append([message["letter"]["kind"] for message in said(capsys)])

    assert [[], ["digest"]] == kinds


def test_an_instant_that_is_none_is_refused(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be read is said, as every command does."""
    with pytest.raises(SystemExit) as ended:
        run("run", "--at", "yesterday-ish")

    assert 2 == ended.value.code
    assert "--at" in capsys.readouterr().err
