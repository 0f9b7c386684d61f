"""Slack refuses, stalls and fails: people are told, nothing is lost or doubled."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bot.blocks import every_text, of_type
from tests.e2e.local_slack import (
    BINARY,
    HURRIED,
    LocalSlack,
    Message,
    free_port,
    local_slack,
    running_bot,
    wait_for,
)
from tests.e2e.local_ui import LocalUi, local_ui
from tests.e2e.proxy import Proxy, Trouble, proxy
from tests.e2e.reading import button, heard, opened, send

POST, WHISPER = "chat.postMessage", "chat.postEphemeral"
SETTLED_SECONDS = 0.6
"""Longer than this bot pauses before it tries again."""


@pytest.fixture(scope="module")
def bad_day(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[LocalSlack, Proxy]]:
    """A workspace with the bot in it, and a proxy between them."""
    if not BINARY.is_file():
        pytest.skip("no local Slack: `make e2e-setup` installs it where npm is")
    folder: Path = tmp_path_factory.mktemp("bad-day")
    port = free_port()
    with (
        local_slack(folder, "events", port) as slack,
        proxy(slack.url) as between,
        running_bot(folder, slack, "events", port, between.url, HURRIED),
    ):
        yield slack, between


@pytest.fixture
def slack(bad_day: tuple[LocalSlack, Proxy]) -> LocalSlack:
    """The workspace, its channel empty."""
    bad_day[0].reset()
    return bad_day[0]


@pytest.fixture
def between(bad_day: tuple[LocalSlack, Proxy]) -> Iterator[Proxy]:
    """The proxy; every trouble that a test laid out must have been met."""
    bad_day[1].ahead.clear()
    yield bad_day[1]
    assert not any(bad_day[1].ahead.values())


@pytest.fixture
def ui(slack: LocalSlack) -> Iterator[LocalUi]:
    """The screen of the workspace."""
    with local_ui(slack.port) as screen:
        yield screen


def answers(slack: LocalSlack, channel: str = "C1") -> list[Message]:
    """The answers that stand in a channel when nothing more comes."""
    heard(slack, channel=channel)
    time.sleep(SETTLED_SECONDS)
    return [m for m in slack.from_bot(channel) if "/month" in m["text"]]


@pytest.mark.parametrize(
    "troubles",
    [
        [Trouble(429, "ratelimited")] * 2,
        [Trouble(503, "service_unavailable")],
    ],
    ids=["429 twice", "503"],
)
def test_a_busy_slack_is_answered_once(
    slack: LocalSlack, between: Proxy, troubles: list[Trouble]
) -> None:
    """Waited out, or tried again: one answer, in the thread."""
    between.ahead[POST] = list(troubles)
    asked = slack.say("<@UBOT> 70b inference 50rps")

    (answer,) = answers(slack)

    assert answer["thread_ts"] == asked["ts"]


def test_a_post_that_was_taken_in_silence_is_not_doubled(
    slack: LocalSlack, between: Proxy
) -> None:
    """Slack answers 500 to what it posted, and lets nobody look: the asker decides."""
    between.ahead[POST] = [Trouble(500, "internal_error", passed_on=True)]
    between.ahead["conversations.replies"] = [Trouble(error="missing_scope")]
    slack.say("<@UBOT> 70b inference 50rps")

    assert len(answers(slack)) == 1
    told = heard(slack, 2)
    assert told["ephemeral_to"] == "U1"
    assert button(told, "Show the answer")


def test_a_slack_that_stalls_is_not_waited_for_forever(
    slack: LocalSlack, between: Proxy
) -> None:
    """The call is given up, and the answer posted once."""
    between.ahead[POST] = [Trouble(504, "timeout", after=2.5)]
    slack.say("<@UBOT> 70b inference 50rps")

    assert len(answers(slack)) == 1


def test_refused_blocks_come_as_plainer_ones(slack: LocalSlack, between: Proxy) -> None:
    """The same figures without native tables; the workspace is remembered."""
    between.ahead[POST] = [Trouble(error="invalid_blocks")] * 2
    slack.say("<@UBOT> 70b inference 50rps")
    (plain,) = answers(slack)
    assert not of_type(plain["blocks"], "data_table")
    assert "On demand" in "".join(every_text(plain["blocks"]))

    slack.say("<@UBOT> 8b inference 5rps")
    again = heard(slack, 2)

    assert not of_type(again["blocks"], "data_table")
    slack.command("settings workspace unset blocks")
    heard(slack, 3)


def test_a_form_that_came_too_late_is_offered_again(
    slack: LocalSlack, between: Proxy, ui: LocalUi
) -> None:
    """The person reads why, and a button opens it."""
    between.ahead["views.open"] = [Trouble(error="trigger_expired")]
    slack.command("")
    told = heard(slack)
    assert "three seconds" in told["text"]
    assert told["ephemeral_to"] == "U1"

    slack.press(told, button(told, "Open the form"))
    send(ui, opened(ui), model="8b", load="5 rps")

    wait_for(lambda: any("/month" in m["text"] for m in slack.from_bot()), "the answer")


def test_who_asks_where_the_bot_may_not_post_hears_why(
    slack: LocalSlack, between: Proxy
) -> None:
    """Neither the channel nor a whisper in it: the person's own conversation."""
    between.ahead = {
        POST: [Trouble(error="not_in_channel")],
        WHISPER: [Trouble(error="not_in_channel")],
    }
    slack.open_home()
    own = wait_for(slack.own_channel, "the conversation")
    before = len(slack.from_bot(own)) + len(slack.from_bot("U1"))
    slack.say("<@UBOT> 70b inference 50rps")

    def told() -> list[Message]:
        return [*slack.from_bot(own), *slack.from_bot("U1")][before:]

    (message,) = wait_for(told, "the answer elsewhere")

    assert "/invite @gpucost" in message["text"]
    assert "/month" in message["text"]
    assert slack.from_bot() == []
