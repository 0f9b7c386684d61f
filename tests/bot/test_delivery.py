"""From the outbox to Slack: once each, at Slack's pace, whatever breaks on the way."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any

import pytest
from msgspec.structs import replace

from bot.alerts.delivery import LONGEST_WAIT_S, METADATA, REFUSALS, Courier
from bot.alerts.pausing import CHANNEL_FAULTS, TEAM_FAULTS
from bot.question.asking import AskContext
from prices.alerts import outbox
from prices.alerts.outbox import Queued
from tests.bot.alerts import ANN, BOB, DAY, AlertHarness, make_home, offers, point
from tests.bot.blocks import of_type
from tests.bot.fake_slack import FakeSlack, Fault, fake_slack

POST, LOOK = "chat.postMessage", "conversations.history"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fill a home once: two channels and a price that moved are to be told."""
    home = tmp_path_factory.mktemp("template") / "home"
    harness = AlertHarness(home)
    harness.poll(*offers("2.50"))
    harness.say("alert h100 lambda moves 8%", ANN, "C1")
    harness.say("alert h100 lambda moves 9%", BOB, "C2")
    harness.now += DAY
    harness.poll(*offers("2.00"))
    return home


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    """A Slack to post to."""
    with fake_slack() as fake:
        yield fake


@pytest.fixture
def harness(template: Path, tmp_path: Path, slack: FakeSlack) -> AlertHarness:
    """Give a harness on the day of the move, where both messages wait."""
    harness = AlertHarness(make_home(template, tmp_path / "home"), slack.url)
    harness.now += DAY
    return harness


def deliver(harness: AlertHarness, after: float = 0) -> int:
    """Let seconds pass, and post what may be posted."""
    harness.now += timedelta(seconds=after)
    return harness.service.courier.deliver_all()


def order(harness: AlertHarness) -> list[str]:
    """Return the channels whose messages wait, in order."""
    return [message.address.channel_id for message in harness.waiting()]


def channels(slack: FakeSlack) -> list[str]:
    """Return where alerts were posted, in order."""
    return [
        message["channel"]
        for method, message in slack.heard
        if method == POST and message["metadata"]["event_type"] == METADATA
    ]


def test_each_message_is_posted_once(harness: AlertHarness, slack: FakeSlack) -> None:
    """What waits is posted in order, with its mark, and nothing a second time."""
    expected = order(harness)
    marks = [message.mark for message in harness.waiting()]

    assert 2 == deliver(harness)
    assert 0 == deliver(harness, 3600)
    assert expected == channels(slack)
    assert marks == [m["metadata"]["event_payload"]["mark"] for _, m in slack.heard]


def test_an_alert_names_the_answer_that_it_tells_of(
    slack: FakeSlack, tmp_path: Path
) -> None:
    """In its metadata, as every answer does; an alert of prices tells of none."""
    harness = AlertHarness(tmp_path, slack.url)
    harness.poll(*offers("2.50"))
    harness.say("watch 8b chat 5rps on h100 lambda 10%", ANN, "C1")
    harness.say("alert h100 lambda moves 9%", BOB, "C2")
    harness.now += DAY
    harness.poll(*offers("1.50"))
    harness.later(DAY / 24)

    deliver(harness)

    told = {m["channel"]: m["metadata"]["event_payload"] for _, m in slack.heard}
    context = AskContext(surface="button", team_id="T1", channel_id="C1", user_id=ANN)
    found = harness.service.answering.recall(told["C1"]["answer_id"], context=context)
    assert found is not None
    assert "8b chat 5rps" in found.question
    assert "" == told["C2"]["answer_id"]


def test_a_429_is_waited_for_as_told(harness: AlertHarness, slack: FakeSlack) -> None:
    """The channel and its workspace are quiet for the seconds that Slack names."""
    expected = order(harness)
    slack.retry_after = 30
    slack.faults[POST] = [Fault(status=429, said="ratelimited")]

    deliver(harness)
    assert [] == channels(slack)
    deliver(harness, 29)
    assert [] == channels(slack)
    deliver(harness, 2)
    assert expected == channels(slack)
    assert not [name for name, _ in slack.others if name == LOOK]


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=503, said="down"),
        Fault(said="internal_error"),
        Fault(said="fatal_error"),
        Fault(silent=True),
    ],
)
def test_a_fault_of_slacks_backs_off_one_message(
    harness: AlertHarness, slack: FakeSlack, fault: Fault
) -> None:
    """Each try waits about twice as long, spread; other channels go on meanwhile."""
    first, second = order(harness)
    slack.faults[POST] = [fault]
    deliver(harness)
    waits = []
    for tries in range(1, 12):
        (message,) = harness.waiting()
        due = not_before(harness, message)
        waits.append(due - harness.now.timestamp())
        slack.faults[POST] = [fault]
        harness.now += timedelta(seconds=waits[-1] + 0.01)
        deliver(harness)
        longest = min(2.0**tries, LONGEST_WAIT_S)
        assert longest / 2 - 1 <= waits[-1] <= longest
    slack.faults[POST] = []
    deliver(harness, LONGEST_WAIT_S + 1)

    assert [second, first] == channels(slack)
    assert len({round(wait % 1, 3) for wait in waits}) > 3


def not_before(harness: AlertHarness, message: Queued) -> float:
    """Return when a message may be tried again."""
    with harness.settings.database.reading() as connection:
        (at,) = connection.execute(
            "SELECT not_before FROM outbox WHERE id = ?", (message.id,)
        ).fetchone()
    return float(at)


@pytest.mark.parametrize("code", sorted(CHANNEL_FAULTS))
def test_a_closed_channel_pauses_with_its_reason(
    harness: AlertHarness, slack: FakeSlack, code: str
) -> None:
    """The channel's alerts stop, their maker is told how to mend it, others go on."""
    first, second = order(harness)
    slack.faults[POST] = [Fault(said=code)]
    deliver(harness)
    deliver(harness, 5)
    by_channel = {each.channel_id: each for each in harness.book.every()}
    closed = by_channel[first]

    assert (code, "") == (closed.paused, by_channel[second].paused)
    assert [second, closed.user_id] == channels(slack)
    words = slack.heard[-1][1]["text"]
    assert f"Alert {closed.id} is paused, because I can no longer post" in words
    assert f"alert resume {closed.id}" in words
    assert [] == harness.waiting()
    assert (
        "paused" in harness.say("alert list", channel=first).model_dump_json().lower()
    )


@pytest.mark.parametrize("code", sorted(TEAM_FAULTS))
def test_a_lost_workspace_is_paused_whole(
    harness: AlertHarness, slack: FakeSlack, code: str
) -> None:
    """Without a token nobody can be told: everything stops, with the reason kept."""
    slack.faults[POST] = [Fault(said=code)]
    deliver(harness)
    deliver(harness, 60)

    assert [code, code] == [each.paused for each in harness.book.every()]
    assert [] == channels(slack)
    assert [] == harness.waiting()


def test_an_unknown_refusal_is_given_up_after_some_tries(
    harness: AlertHarness, slack: FakeSlack
) -> None:
    """What Slack refuses for a reason nobody knows holds nothing else up."""
    slack.refuse = lambda message: (
        (200, "new_in_2027") if message.get("channel") == "C1" else (200, "ok")
    )
    for _ in range(REFUSALS + 2):
        deliver(harness, LONGEST_WAIT_S + 1)

    assert [] == harness.waiting()
    assert "C2" in channels(slack)
    with harness.settings.database.reading() as connection:
        faults = connection.execute("SELECT fault FROM outbox ORDER BY id").fetchall()
    assert {("new_in_2027",), ("",)} == set(faults)


def test_a_message_that_landed_unseen_is_found(
    harness: AlertHarness, slack: FakeSlack
) -> None:
    """Slack took it and the line broke: its mark is looked for, and found."""
    expected = order(harness)
    slack.faults[POST] = [Fault(taken=True, silent=True)]
    deliver(harness)
    deliver(harness, 10)

    assert expected == channels(slack)
    (look,) = [message for name, message in slack.others if name == LOOK]
    assert expected[0] == look["channel"]
    assert [] == harness.waiting()


def test_a_courier_killed_after_posting_repeats_nothing(
    harness: AlertHarness, slack: FakeSlack
) -> None:
    """Between Slack's acceptance and our note of it, the next one looks first."""
    expected = order(harness)
    courier = harness.service.courier
    dead = replace(courier, holder="dead")
    with harness.settings.database.writing() as connection:
        now = harness.now.timestamp()
        message = outbox.take(connection, dead.holder, now, dead.lease_s)
        assert message is not None
        assert outbox.trying(connection, message, dead.holder, now, dead.lease_s)
    view = courier.composer.view(message.address, message.letter, harness.now)
    assert view is not None
    dead._post(message, (view, dead.messenger.steps(message.address.team_id)))

    deliver(harness)
    assert expected == channels(slack)
    deliver(harness, dead.lease_s + 1)

    assert expected == channels(slack)
    assert [] == harness.waiting()


def test_without_the_scope_to_look_a_message_is_repeated(
    harness: AlertHarness, slack: FakeSlack
) -> None:
    """Where history may not be read, twice is the lesser evil than never."""
    first, second = order(harness)
    slack.faults[POST] = [Fault(taken=True, silent=True)]
    slack.faults[LOOK] = [Fault(said="missing_scope")]
    deliver(harness)
    deliver(harness, 10)

    assert [first, second, first] == channels(slack)
    assert [""] * 2 == [each.paused for each in harness.book.every()]


def test_several_couriers_post_once(harness: AlertHarness, slack: FakeSlack) -> None:
    """Two that begin at the same time share the messages under a lease."""
    book = harness.book
    for number in range(40):
        harness.say("alert h100 lambda moves 8%", channel=f"D{number}")
    harness.now += DAY
    harness.poll(*offers("1.50"))
    expected = sorted(message.address.channel_id for message in harness.waiting())
    start = Barrier(4)

    def work(courier: Courier) -> None:
        start.wait()
        courier.deliver_all()

    couriers = [replace(harness.service.courier, holder=f"h{n}") for n in range(4)]
    threads = [Thread(target=work, args=(courier,)) for courier in couriers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(book.every()) == 42
    assert expected == sorted(channels(slack))


def in_threads(slack: FakeSlack) -> list[dict[str, Any]]:
    """Return the details that were posted, in order."""
    return [message for _, message in slack.heard if message.get("thread_ts")]


@pytest.fixture
def stamped(slack: FakeSlack) -> FakeSlack:
    """A Slack that tells the `ts` of what is posted: details can follow."""
    slack.stamps = True
    return slack


def test_details_follow_once_in_the_thread_of_the_news(
    harness: AlertHarness, stamped: FakeSlack
) -> None:
    """The news holds what changed; where from, who and the chart are its details."""
    for _ in range(3):
        deliver(harness, 2)
    details = in_threads(stamped)
    news = [message for _, message in stamped.heard if message not in details]

    assert 2 == len(news) == len(details)
    assert 4 == len(stamped.heard)
    for told, more in zip(news, details, strict=True):
        assert told["channel"] == more["channel"]
        assert "from $2.50 to $2.00" in told["text"] not in more["text"]
        assert not of_type(told["blocks"], "data_visualization")
        assert of_type(told["blocks"], "actions")
        assert of_type(more["blocks"], "data_visualization")
        assert "https://example.com/prices" in str(more["blocks"])
        assert "https://example.com/prices" not in str(told["blocks"])
    assert [f"1700000000.{n:06}" for n in (1, 2)] == [m["thread_ts"] for m in details]


@pytest.mark.parametrize("code", ["new_in_2027", "message_not_found"])
def test_details_that_fail_repeat_and_hold_up_no_news(
    harness: AlertHarness, stamped: FakeSlack, code: str
) -> None:
    """Their thread is tried again by itself; the next news goes out meanwhile."""
    tried: list[dict[str, Any]] = []

    def refuse(message: dict[str, Any]) -> tuple[int, str]:
        if not message.get("thread_ts"):
            return 200, "ok"
        tried.append(message)
        return 200, code

    stamped.refuse = refuse
    expected = order(harness)
    deliver(harness)
    assert 2 == len(tried)
    with harness.settings.database.writing() as connection:
        connection.execute(
            "UPDATE outbox SET not_before = not_before + 172800 WHERE kind = 'details'"
        )
    harness.now += timedelta(hours=25)
    harness.poll(*offers("1.50"))
    deliver(harness)

    told = [m for _, m in stamped.heard if m not in tried]
    assert [*expected, *expected] == [message["channel"] for message in told]
    assert 4 == len({m["metadata"]["event_payload"]["mark"] for m in told})
    stamped.refuse = lambda message: (200, "ok")
    before = len(stamped.heard)
    deliver(harness, 3 * 86_400)
    assert 4 == len(stamped.heard[before:])
    assert all(message.get("thread_ts") for _, message in stamped.heard[before:])
    assert [] == harness.waiting()


def test_blocks_that_slack_refuses_are_drawn_plainer(
    harness: AlertHarness, stamped: FakeSlack
) -> None:
    """Native blocks, then Slack's older table, then characters, as for an answer."""
    harness.say("watch 70b inference 50rps on h100 at lambda 5%", ANN, "C1")
    harness.say("alert mi300x moves 8%", BOB, "C1")
    harness.now += timedelta(hours=25)
    harness.poll(*offers("1.50")[:3], point("1.10", "mi300x"))
    harness.later(timedelta(minutes=20))
    tried: list[str] = []

    def refuse(message: dict[str, Any]) -> tuple[int, str]:
        kinds = {block["type"] for block in message.get("blocks", ())}
        plain = "rich_text_preformatted" in str(message.get("blocks"))
        if kinds & {"data_table", "table"} or plain:
            tried.append(
                "characters" if plain else min(kinds & {"data_table", "table"})
            )
            return 200, "invalid_blocks"
        return 200, "ok"

    stamped.refuse = refuse
    deliver(harness)

    assert tried[:3] == ["data_table", "table", "characters"]
    told = [m["text"] for _, m in stamped.heard if "blocks" not in m]
    assert any("$2.20" in text and "$1.10" in text for text in told)


def test_a_courier_ends_when_told(harness: AlertHarness, slack: FakeSlack) -> None:
    """It finishes the messages under way, and leaves the next to another."""
    under_way = set(order(harness))
    begun, stop = Event(), Event()

    def take(message: object) -> tuple[int, str]:
        begun.set()
        return (200, "ok") if stop.wait(10) else (503, "busy")

    slack.refuse = take
    thread = Thread(target=harness.service.courier.run, args=(stop,))
    thread.start()
    assert begun.wait(10)
    stop.set()
    thread.join(10)

    assert not thread.is_alive()
    assert under_way == set(channels(slack))
    assert [] == harness.waiting()


def test_a_channel_takes_a_message_a_second(
    harness: AlertHarness, slack: FakeSlack
) -> None:
    """Slack asks for about one a second and channel: the second one waits."""
    harness.now += timedelta(hours=25)
    harness.poll(*offers("1.60"))
    slow = replace(harness.service.courier, pace_s=1.0)

    slow.deliver_all()
    at_once = channels(slack)
    harness.now += timedelta(seconds=1)
    slow.deliver_all()

    assert ["C1", "C2"] == sorted(at_once)
    assert ["C1", "C1", "C2", "C2"] == sorted(channels(slack))
