"""Slack is away for an hour, in several ways, and comes back: each message once."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from core.alerts.letters import Address, Letter
from prices.alerts import outbox
from tests.bot.alerts import AlertHarness
from tests.bot.fake_slack import FakeSlack, Fault, fake_slack

POST, LOOK = "chat.postMessage", "conversations.history"
CHANNELS, MINUTE = 6, timedelta(minutes=1)
BUSY = Fault(503, "service_unavailable")
SILENT = Fault(silent=True)
TAKEN = Fault(503, "service_unavailable", taken=True)
TAKEN_SILENTLY = Fault(silent=True, taken=True)


class Always(list[Fault]):
    """The same fault, however often it is taken."""

    def pop(self, index: object = -1) -> Fault:
        """Give it again."""
        return self[0]


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack on loopback."""
    with fake_slack() as slack:
        yield slack


def queue(harness: AlertHarness, number: int) -> None:
    """Queue a message for every channel."""
    with harness.book.engine.writing() as connection:
        for channel in range(CHANNELS):
            place = Address(team_id="T1", channel_id=f"C{channel}")
            text = f"news {number} of channel {channel}"
            letter = Letter(kind="trouble", text=text, at=harness.now)
            outbox.queue(connection, place, letter, once=text)


def an_hour(harness: AlertHarness) -> None:
    """Let an hour pass, a minute at a time; every twenty minutes there is news."""
    for minute in range(60):
        if minute % 20 == 0:
            queue(harness, minute)
        harness.service.courier.deliver_all()
        harness.now += MINUTE


def marks(slack: FakeSlack) -> Counter[str]:
    """Count what stands in the channels, by the mark of each message."""
    posts = (message for name, message in slack.heard if name == POST)
    return Counter(post["metadata"]["event_payload"]["mark"] for post in posts)


@pytest.mark.parametrize("fault", [BUSY, SILENT, TAKEN, TAKEN_SILENTLY])
def test_each_message_arrives_once(
    fault: Fault, slack: FakeSlack, tmp_path: Path
) -> None:
    """Nothing is lost, nothing comes twice, and each channel reads it in order."""
    harness = AlertHarness(tmp_path, slack.url)
    slack.faults[POST] = Always([fault])
    if not fault.taken:
        slack.faults[LOOK] = Always([fault])

    an_hour(harness)
    assert fault.taken or not slack.heard
    slack.faults.clear()
    for _ in range(30):
        harness.now += MINUTE
        harness.service.courier.deliver_all()

    assert [] == harness.waiting()
    arrived = marks(slack)
    assert 3 * CHANNELS == len(arrived)
    assert {1} == set(arrived.values())
    for channel in range(CHANNELS):
        told = [
            message["text"]
            for name, message in slack.heard
            if name == POST and message["channel"] == f"C{channel}"
        ]
        news = [int(word) for text in told for word in re.findall(r"news (\d+)", text)]
        assert [0, 20, 40] == news


def test_a_bot_that_restarts_meanwhile_forgets_nothing(
    slack: FakeSlack, tmp_path: Path
) -> None:
    """The outbox is in the file: another process posts what this one could not."""
    harness = AlertHarness(tmp_path, slack.url)
    slack.faults[POST] = slack.faults[LOOK] = Always([SILENT])
    an_hour(harness)
    slack.faults.clear()

    again = AlertHarness(tmp_path, slack.url)
    again.now = harness.now + 10 * MINUTE
    for _ in range(30):
        again.now += MINUTE
        again.service.courier.deliver_all()

    assert [] == again.waiting()
    assert {1} == set(marks(slack).values())
    assert 3 * CHANNELS == len(marks(slack))


def test_a_quiet_hour_is_not_spent_knocking(slack: FakeSlack, tmp_path: Path) -> None:
    """One message looks for all: the others wait as long as their workspace does."""
    harness = AlertHarness(tmp_path, slack.url)
    slack.faults[POST] = slack.faults[LOOK] = Always([SILENT])
    queue(harness, 0)
    harness.service.courier.deliver_all()
    harness.now += MINUTE
    before = len(slack.tokens)

    for _ in range(60):
        harness.service.courier.deliver_all()
        harness.now += MINUTE

    assert 60 <= len(slack.tokens) - before <= 2 * 60
