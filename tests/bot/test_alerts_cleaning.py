"""Orphans: what nobody can stop, or hear, any more is found, and somebody told."""

from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.alerts.channel_access import SlackChannelAccess
from prices.upkeep.retention import Limits
from tests.bot.alerts import ADA, ANN, BOB, DAY, AlertHarness, make_home, offers
from tests.bot.fake_slack import FakeSlack, Fault, fake_slack


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fill a home once: Ann and Bob watch in one channel, Bob in another."""
    home = tmp_path_factory.mktemp("template") / "home"
    harness = AlertHarness(home)
    harness.poll(*offers("2.50"))
    harness.say("alert h100 lambda moves 8%", ANN, "C1")
    harness.say("alert h100 lambda moves 9%", BOB, "C1")
    harness.say("alert h100 lambda moves 7%", BOB, "C2")
    return home


@pytest.fixture
def harness(template: Path, tmp_path: Path) -> AlertHarness:
    """Give a harness of that."""
    return AlertHarness(make_home(template, tmp_path / "home"))


def clean(harness: AlertHarness) -> list[tuple[str, str]]:
    """Clean up a day later; return where each message goes, and its words."""
    harness.now += DAY
    harness.service.cleaning.clean(harness.now)
    return [(m.address.channel_id, m.letter.text) for m in harness.waiting()]


def test_nothing_is_said_where_all_is_well(harness: AlertHarness) -> None:
    """Cleaning up is silent."""
    assert [] == clean(harness)
    assert 3 == len(harness.book.every())


def test_a_channel_hears_once_that_a_maker_left(harness: AlertHarness) -> None:
    """Alerts go on; the channel learns whose are orphans, and what to do."""
    harness.door.gone = {BOB}
    told = clean(harness)
    again = clean(harness)
    words = dict(told)

    assert {"C1", "C2"} == set(words)
    assert "Alert 2 goes on, but its maker has left this workspace." in words["C1"]
    assert "alert adopt 2" in words["C1"]
    assert "alert remove 2" in words["C1"]
    assert "Alert 3" in words["C2"]
    assert told == again
    assert ["", "", ""] == [each.paused for each in harness.book.every()]


def test_an_orphan_is_adopted_and_then_ones_own(harness: AlertHarness) -> None:
    """Whoever adopts it may remove it; before, only an admin could."""
    harness.say("remove 2", ANN)
    assert 3 == len(harness.book.every())

    harness.door.gone = {BOB}
    harness.say("alert adopt 2", ANN)
    harness.say("remove 2", ANN)

    assert [1, 3] == [each.id for each in harness.book.every()]


def test_nobody_adopts_from_somebody_who_is_there(harness: AlertHarness) -> None:
    """Only what is left alone can be taken, but for admins."""
    harness.say("alert adopt 2", ANN)
    kept = harness.book.every()[1].user_id
    harness.say("alert adopt 2", ADA)

    assert (BOB, ADA) == (kept, harness.book.every()[1].user_id)


@pytest.mark.parametrize("code", ["is_archived", "channel_not_found"])
def test_a_closed_channel_is_paused_and_its_makers_told(
    harness: AlertHarness, code: str
) -> None:
    """Each maker hears it once, in their own conversation, with all their numbers."""
    harness.door.archived = {"C1": code}
    told = clean(harness)
    again = clean(harness)

    assert [code, code, ""] == [each.paused for each in harness.book.every()]
    assert {ANN, BOB} == {place for place, _ in told}
    assert all("paused" in words for _, words in told)
    assert told == again


def test_a_removed_bot_is_asked_for_nothing(harness: AlertHarness) -> None:
    """A workspace without a token is paused whole; later looks leave it alone."""
    with fake_slack() as slack:
        tried = AlertHarness(harness.settings.home, slack.url)
        tried.now += DAY
        tried.poll(*offers("2.00"))
        slack.faults["chat.postMessage"] = [Fault(said="account_inactive")]
        tried.service.courier.deliver_all()
        calls = len(slack.others)
        cleaning = replace(tried.service.cleaning, channel_access=on(slack, tried))
        cleaning.clean(tried.now + DAY)

        assert {"account_inactive"} == {e.paused for e in tried.book.every()}
        assert calls == len(slack.others)


def on(slack: FakeSlack, harness: AlertHarness) -> SlackChannelAccess:
    """Ask the fake Slack itself."""
    courier = harness.service.courier
    return SlackChannelAccess(courier.client_for, courier.messenger)


def test_slack_itself_says_who_left_and_what_closed(harness: AlertHarness) -> None:
    """`users.info` and `conversations.info` are what is asked; no scope, no orphan."""
    with fake_slack() as slack:
        asked = AlertHarness(harness.settings.home, slack.url)
        door = on(slack, asked)
        slack.methods["users.info"] = lambda said: {
            "ok": True,
            "user": {"id": said["user"], "deleted": said["user"] == BOB},
        }
        slack.methods["conversations.info"] = lambda said: {
            "ok": True,
            "channel": {"is_archived": said["channel"] == "C2"},
        }
        cleaning = replace(asked.service.cleaning, channel_access=door)
        asked.now += DAY
        cleaning.clean(asked.now)
        told = {m.address.channel_id for m in asked.waiting()}
        slack.methods.clear()
        slack.faults["users.info"] = [Fault(said="missing_scope")]

        assert {"C1", BOB} == told
        assert ["", "", "is_archived"] == [each.paused for each in asked.book.every()]
        assert not door.is_gone("T1", BOB)


def test_what_was_posted_long_ago_is_forgotten(harness: AlertHarness) -> None:
    """The outbox does not grow: what was posted is dropped after its time."""
    harness.now += DAY
    harness.poll(*offers("2.00"))
    with fake_slack() as slack:
        posting = AlertHarness(harness.settings.home, slack.url)
        posting.now = harness.now
        posting.service.courier.deliver_all()
    limits = Limits(outbox=timedelta(days=5))
    cleaning = replace(harness.service.cleaning, limits=limits)
    before = rows(harness)
    cleaning.clean(harness.now + 4 * DAY)
    kept = rows(harness)
    cleaning.clean(harness.now + 6 * DAY)

    assert before == kept > 0
    assert 0 == rows(harness)


def rows(harness: AlertHarness) -> int:
    """Count what the outbox holds."""
    with harness.settings.database.reading() as connection:
        (count,) = connection.execute("SELECT count(*) FROM outbox").fetchone()
    return int(count)
