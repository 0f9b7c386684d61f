"""What is to be posted: queued once, taken by one, capped for a day."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from sqlite3 import Connection

import pytest

from core.alerts.alert import PriceAlert
from core.alerts.letters import DAILY_CAP, SUMMARY_ALERTS, Address, Letter
from prices.alerts import outbox
from prices.alerts.tables import prepare_alerts
from prices.database import leases
from tests.engines import engine_of
from tests.prices.conftest import make_point

pytestmark = pytest.mark.both_engines

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
NOW = NOON.timestamp()
HERE = Address(team_id="T1", channel_id="C1")
THERE = Address(team_id="T1", channel_id="C2")
LEASE = 60.0


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Connection]:
    """Give an empty outbox within one transaction."""
    path = tmp_path / "prices.db"
    prepare_alerts(engine_of(path))
    with engine_of(path).writing() as connection:
        yield connection


def alert(provider: str = "lambda", number: int = 1) -> PriceAlert:
    """Make an alert of one provider's price."""
    return PriceAlert(
        subscription=number,
        typed="alert h100 moves 8%",
        user_id="U1",
        what="moved",
        label="h100",
        before=2_000_000,
        after=1_800_000,
        cause="changed",
        offer=make_point("1.80", provider=provider),
        at=NOON,
    )


def queue(box: Connection, address: Address = HERE, **more: object) -> None:
    """Queue one message."""
    letter = Letter(kind="alerts", alerts=(alert(),), at=NOON)
    outbox.queue(box, address, letter, **more)  # type: ignore[arg-type]


def test_one_poll_is_one_message_a_channel(box: Connection) -> None:
    """Moves of any providers that are queued together are one message."""
    told = [(HERE, alert("runpod", n)) for n in range(7)]

    outbox.queue_alerts(box, [*told, (HERE, alert("aws")), (THERE, alert("aws"))], NOON)
    found = outbox.waiting(box)

    assert [8, 1] == [len(message.letter.alerts) for message in found]
    assert [HERE, THERE] == [message.address for message in found]


def test_a_letter_comes_back_as_it_was_queued(box: Connection) -> None:
    """Storage keeps every figure of an alert."""
    queue(box)

    (message,) = outbox.waiting(box)

    assert (alert(),) == message.letter.alerts


def test_a_channel_hears_ten_messages_a_day_then_a_summary(box: Connection) -> None:
    """What goes beyond the cap waits for midnight, all of it in one message."""
    for _ in range(DAILY_CAP + 5):
        outbox.queue_alerts(box, [(HERE, alert())], NOON)
    outbox.queue_alerts(box, [(THERE, alert())], NOON)

    found = outbox.waiting(box, NOON)
    everything = outbox.waiting(box)

    assert DAILY_CAP + 1 == len(found)
    (summary,) = [message for message in everything if message not in found]
    assert ("summary", 5) == (summary.letter.kind, len(summary.letter.alerts))
    assert summary in outbox.waiting(box, NOON + timedelta(hours=12))


def test_a_summary_counts_what_it_cannot_list(box: Connection) -> None:
    """Beyond two hundred alerts a summary keeps the number only."""
    for _ in range(DAILY_CAP):
        outbox.queue_alerts(box, [(HERE, alert())], NOON)
    told = [(HERE, alert(number=n)) for n in range(SUMMARY_ALERTS + 30)]
    outbox.queue_alerts(box, told, NOON)

    summary = outbox.waiting(box)[-1].letter

    assert (SUMMARY_ALERTS, 30) == (len(summary.alerts), summary.more)


def test_a_summary_under_way_is_not_added_to(box: Connection) -> None:
    """Once somebody holds a summary, what follows is queued beside it."""
    for _ in range(DAILY_CAP + 1):
        outbox.queue_alerts(box, [(HERE, alert())], NOON)
    box.execute("UPDATE outbox SET sent_at = 1 WHERE kind = 'alerts'")
    midnight = NOW + 12 * 3600
    taken = outbox.take(box, "one", midnight, LEASE)
    outbox.queue_alerts(box, [(HERE, alert())], NOON)

    assert taken is not None
    assert 1 == len(taken.letter.alerts)
    assert [1, 1] == [len(m.letter.alerts) for m in outbox.waiting(box)]


def test_another_day_has_its_own_cap(box: Connection) -> None:
    """The count begins anew at midnight UTC."""
    for day in (0, 1):
        for _ in range(DAILY_CAP):
            outbox.queue_alerts(box, [(HERE, alert())], NOON + timedelta(days=day))

    assert 2 * DAILY_CAP == len(outbox.waiting(box, NOON + timedelta(days=1)))


def test_of_one_name_only_the_first_is_queued(box: Connection) -> None:
    """A digest that two processes queue is queued once."""
    queue(box, once="digest 1 0")
    queue(box, once="digest 1 0")

    assert 1 == len(outbox.waiting(box))


def test_only_one_takes_a_message(box: Connection) -> None:
    """Under a lease nobody else gets a message, nor the next one of its channel."""
    queue(box)
    queue(box)
    queue(box, THERE)

    taken = [outbox.take(box, name, NOW, LEASE) for name in ("one", "two", "three")]

    assert [HERE, THERE, None] == [message and message.address for message in taken]


def test_a_lease_ends(box: Connection) -> None:
    """What a dead process held is taken again, and the dead one may not post it."""
    queue(box)
    first = outbox.take(box, "dead", NOW, LEASE)
    assert first is not None
    later = NOW + LEASE + 1

    second = outbox.take(box, "alive", later, LEASE)

    assert second is not None
    assert first.id == second.id
    assert not outbox.trying(box, first, "dead", later, LEASE)
    assert outbox.trying(box, second, "alive", later, LEASE)


def test_an_attempt_leaves_its_trace(box: Connection) -> None:
    """Whoever takes a message after an attempt knows that it may stand already."""
    queue(box)
    message = outbox.take(box, "dead", NOW, LEASE)
    assert message is not None
    outbox.trying(box, message, "dead", NOW + 1, LEASE)

    again = outbox.take(box, "alive", NOW + 2 * LEASE, LEASE)

    assert again is not None
    assert (1, NOW + 1) == (again.tries, again.tried_at)


def test_a_refusal_takes_the_trace_away(box: Connection) -> None:
    """What Slack surely did not take may be posted without a look."""
    queue(box)
    message = outbox.take(box, "one", NOW, LEASE)
    assert message is not None
    outbox.trying(box, message, "one", NOW, LEASE)
    outbox.again(box, message, NOW + 30, refused=True)

    assert outbox.take(box, "one", NOW + 29, LEASE) is None
    again = outbox.take(box, "one", NOW + 30, LEASE)
    assert again is not None
    assert again.tried_at is None


@pytest.mark.parametrize("channel", ["C1", ""])
def test_a_pause_holds_a_channel_or_a_workspace(box: Connection, channel: str) -> None:
    """A 429 keeps its channel waiting, and where it says so the whole workspace."""
    queue(box)
    queue(box, THERE)
    outbox.pause(box, "T1", channel, NOW + 10)

    during = outbox.take(box, "one", NOW + 5, LEASE)

    assert (None if channel == "" else THERE) == (during and during.address)
    assert outbox.take(box, "two", NOW + 10, LEASE) is not None
    assert outbox.next_due(box, NOW) is not None


def test_nobody_asks_before_something_is_due(box: Connection) -> None:
    """The next look is when the earliest message may be posted."""
    assert outbox.next_due(box, NOW) is None
    queue(box, not_before=NOON + timedelta(minutes=5))
    queue(box, THERE, not_before=NOON + timedelta(minutes=3))
    outbox.pause(box, "T1", "C2", NOW + 600)

    assert NOW + 300 == outbox.next_due(box, NOW)


def test_what_is_posted_or_given_up_does_not_wait(box: Connection) -> None:
    """A sent message keeps its ts; a hopeless one its reason; both are forgotten."""
    for address in (HERE, THERE):
        queue(box, address)
    first = outbox.take(box, "one", NOW, LEASE)
    assert first is not None
    outbox.sent(box, first, "123.4", NOW)
    assert 1 == outbox.give_up_all(box, "T1", None, "token_revoked")

    rows = box.execute("SELECT ts, fault FROM outbox ORDER BY id").fetchall()
    outbox.forget_old(box, NOON + timedelta(days=1))

    assert [("123.4", ""), (None, "token_revoked")] == rows
    assert (0,) == box.execute("SELECT count(*) FROM outbox").fetchone()


def test_a_lease_of_a_chore_goes_to_one(box: Connection) -> None:
    """A second process waits until the first gives back, or its lease ends."""
    assert leases.take(box, "refresh", "one", NOW, LEASE)
    assert leases.take(box, "refresh", "one", NOW + 1, LEASE)
    assert not leases.take(box, "refresh", "two", NOW + 2, LEASE)
    assert leases.take(box, "refresh", "two", NOW + 1 + LEASE, LEASE)
    leases.give_back(box, "refresh", "one")
    assert not leases.take(box, "refresh", "one", NOW + 2 + LEASE, LEASE)
    leases.give_back(box, "refresh", "two")
    assert leases.take(box, "refresh", "one", NOW + 3 + LEASE, LEASE)
