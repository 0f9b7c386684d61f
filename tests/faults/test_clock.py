"""The clock jumps ahead, and back: nothing stops for as long as it was wrong."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from bot.commands.doctor import findings
from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.run.schedule import Chore, Timekeeper, every
from core.alerts.letters import Address, Letter
from core.alerts.staleness import SilenceTold, silence
from core.offers import PricePoint
from prices.alerts import outbox
from prices.alerts.subscriptions import SubscriptionBook
from prices.alerts.tables import prepare_alerts
from prices.database import leases
from prices.history.poll import OlderPollError, Poll
from prices.history.store import Store
from prices.records.delivery_dedup import Deliveries
from prices.records.threads import Threads
from prices.refresh.run import refresh
from prices.snapshot import newest
from tests.bot.alerts import AlertHarness
from tests.engines import engine_of
from tests.prices.feeds import feed, offline

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
YEAR, DAY, HOUR = timedelta(days=365), timedelta(days=1), timedelta(hours=1)
PLACE = Address(team_id="T1", channel_id="C1")
CONTEXT = AskContext(surface="message", team_id="T1", channel_id="C1", user_id="U1")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with the tables of alerts."""
    path = tmp_path / "gpucost.sqlite3"
    prepare_alerts(engine_of(path))
    return path


def point(usd: str, at: datetime, provider: str = "lambda") -> PricePoint:
    """One price of one GPU."""
    return PricePoint(
        provider=provider,
        gpu="h100-80gb-sxm",
        gpu_count=1,
        pricing="on_demand",
        observed_at=at,
        raw_total=Decimal(usd),
        micro_usd_per_gpu_hour=int(Decimal(usd) * 1_000_000),
        source="feed",
        source_url="https://example.com",
    )


def test_a_clock_behind_the_prices_makes_none_look_fresh(tmp_path: Path) -> None:
    """The age of a price of the future is no number, and the doctor names the clock."""
    early = newest() - YEAR
    answering = compose(Settings(home=tmp_path), clock=lambda: early)

    view = answering.ask("70b inference 50rps", context=CONTEXT)

    assert view.table is not None
    assert {"in the future"} == {row[-1].text for row in view.table.rows}
    store = Store.open(engine_of(tmp_path / "gpucost.sqlite3"))
    ahead = datetime.now(UTC) + YEAR
    store.record(Poll("feed", ahead, [point("2.5", ahead)]))
    told = [f for f in findings(Settings(home=tmp_path)) if "clock here" in f.what]
    assert [False] == [finding.good for finding in told]


def test_a_clock_far_ahead_calls_prices_old_not_gone(tmp_path: Path) -> None:
    """What it cannot use it counts with the reason."""
    answering = compose(Settings(home=tmp_path), clock=lambda: newest() + 3 * YEAR)

    view = answering.ask("price h100", context=CONTEXT)

    assert "no" == view.kind
    assert "over six months" in view.why


def test_a_poll_of_before_is_refused_until_its_time(tmp_path: Path) -> None:
    """A step back of a minute costs a poll, not the history."""
    store = Store.open(engine_of(tmp_path / "gpucost.sqlite3"))
    store.record(Poll("feed", NOW, [point("2.5", NOW)]))
    before = NOW - timedelta(minutes=1)

    with pytest.raises(OlderPollError):
        store.record(Poll("feed", before, [point("2.6", before)]))

    later = NOW + timedelta(minutes=4)
    store.record(Poll("feed", later, [point("2.6", later)]))
    (offer,) = store.catalog(later).offers
    assert 2_600_000 == offer.micro_usd_per_gpu_hour


@pytest.mark.parametrize("jump", [-YEAR, -DAY])
def test_a_lease_taken_ahead_holds_nobody_off(file: Path, jump: timedelta) -> None:
    """Its holder was killed, and the clock went back: another one takes it."""
    with engine_of(file).writing() as connection:
        leases.take(connection, "refresh", "dead", NOW.timestamp(), 120)
        soon = NOW.timestamp() + 60
        assert not leases.take(connection, "refresh", "other", soon, 120)

        back = (NOW + jump).timestamp()

        assert leases.take(connection, "refresh", "other", back, 120)


def test_news_queued_ahead_are_posted_now(file: Path) -> None:
    """Neither its instant, nor a dead courier's lease, nor a pause keeps it back."""
    ahead, now = NOW + YEAR, NOW.timestamp()
    with engine_of(file).writing() as connection:
        letter = Letter(kind="trouble", text="one", at=ahead)
        outbox.queue(connection, PLACE, letter)
        outbox.pause(connection, "T1", "C1", ahead.timestamp())
        assert outbox.take(connection, "dead", ahead.timestamp() + 1, 90) is not None

        taken = outbox.take(connection, "other", now, 90)

    assert taken is not None
    assert "one" == taken.letter.text


def test_what_has_to_wait_still_waits(file: Path) -> None:
    """A summary of tonight, a message under a lease, a channel that Slack paused."""
    now = NOW.timestamp()
    with engine_of(file).writing() as connection:
        letter = Letter(kind="summary", at=NOW)
        outbox.queue(connection, PLACE, letter, not_before=NOW + 11 * HOUR)
        assert outbox.take(connection, "a", now, 90) is None
        assert outbox.take(connection, "a", now + 11 * 3600, 90) is not None
        assert outbox.take(connection, "b", now + 11 * 3600 + 5, 90) is None
        other = Address(team_id="T1", channel_id="C2")
        outbox.queue(connection, other, letter)
        outbox.pause(connection, "T1", "C2", now + 600)
        assert outbox.take(connection, "b", now + 1, 90) is None


@pytest.mark.parametrize("wrong_by", [-YEAR, -DAY, DAY, YEAR])
def test_alerts_speak_again_after_a_jump(tmp_path: Path, wrong_by: timedelta) -> None:
    """What was told while the clock was wrong is no reason to be silent since."""
    harness, right = AlertHarness(tmp_path), NOW
    harness.now = right + min(wrong_by, timedelta()) - HOUR
    harness.poll(point("2.50", harness.now))
    harness.poll(point("9.00", harness.now, "runpod"), source="another feed")
    harness.say("alert h100 moves 5%")
    harness.now = right + wrong_by
    harness.poll(point("3.00", harness.now))
    assert 1 == sum(len(message.letter.alerts) for message in harness.waiting())

    harness.now = right + timedelta(minutes=5)
    harness.poll(point("2.00", harness.now, "runpod"), source="another feed")

    assert 2 == sum(len(message.letter.alerts) for message in harness.waiting())


def test_a_digest_set_ahead_comes_at_its_next_hour(tmp_path: Path) -> None:
    """It would have been silent for as long as the clock was ahead."""
    harness = AlertHarness(tmp_path)
    harness.poll(point("2.50", harness.now))
    right = harness.now
    harness.now = right + YEAR
    harness.say("digest h100 daily 9:00 utc")
    harness.now = right

    harness.later(timedelta(minutes=1))
    assert [] == harness.waiting()
    harness.later(DAY)

    assert ["digest"] == [message.letter.kind for message in harness.waiting()]


def test_a_conversation_outlives_a_step_back(tmp_path: Path) -> None:
    """A day's jump ahead ends it, as a day does; a jump back does not."""
    threads = Threads(engine_of(tmp_path / "gpucost.sqlite3"))
    threads.remember("T1", "C1|1", "{}", NOW)

    assert "{}" == threads.recall("T1", "C1|1", NOW - YEAR)
    assert threads.recall("T1", "C1|1", NOW + 2 * DAY) is None


def test_a_delivery_is_taken_once_whatever_the_clock(tmp_path: Path) -> None:
    """Slack's third try after a step back is known from the first."""
    deliveries = Deliveries(engine_of(tmp_path / "gpucost.sqlite3"))
    assert deliveries.claim("T1", ["event:E1"], NOW)
    deliveries.finish("T1", ["event:E1"], NOW)

    assert not deliveries.claim("T1", ["event:E1"], NOW - DAY)
    assert not deliveries.claim("T1", ["event:E1"], NOW + DAY)


def test_chores_do_not_wait_for_a_clock_to_catch_up(file: Path) -> None:
    """It was a day ahead when they were set: a minute after it is right they run."""
    minute = timedelta(minutes=1)
    chore = Chore("look", every(minute), lambda _: None)
    made = Timekeeper(engine_of(file), [chore], lambda: NOW, "me")
    right = datetime.now(UTC)
    made.due["look"] = right + DAY + minute
    assert made.wait(chore, right + DAY) == 60

    assert 0 < made.wait(chore, right) <= 66


def test_counting_the_day_is_by_the_clock_of_now(file: Path) -> None:
    """Messages dated a year ahead use up nobody's ten of today."""
    book = SubscriptionBook(engine_of(file))
    with book.engine.writing() as connection:
        for number in range(20):
            letter = Letter(kind="alerts", at=NOW + YEAR)
            outbox.queue(connection, PLACE, letter, once=str(number))

    with engine_of(file).reading() as connection:
        assert 0 == outbox._queued_today(connection, PLACE, NOW)


def test_a_source_polled_in_the_future_says_so(tmp_path: Path) -> None:
    """It is a failure with its reason, and silent, until the clock is dealt with."""
    store = Store.open(engine_of(tmp_path / "a.db"))
    refresh(store, NOW + YEAR, [feed("runpod.json")], offline())

    (result,) = refresh(store, NOW, [feed("runpod.json")], offline())

    assert (False, None) == (result.ok, result.changes)
    assert "in the future: set the clock" in result.error
    told = silence(store.last_successes(), SilenceTold(), NOW, DAY)
    assert ("runpod",) == told.stale


def test_another_process_that_was_faster_is_no_failure(tmp_path: Path) -> None:
    """Two clocks may differ by minutes."""
    store = Store.open(engine_of(tmp_path / "a.db"))
    refresh(store, NOW + timedelta(minutes=2), [feed("runpod.json")], offline())

    (result,) = refresh(store, NOW, [feed("runpod.json")], offline())

    assert result.ok
