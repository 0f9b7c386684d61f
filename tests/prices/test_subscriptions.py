"""Subscriptions in storage: from a poll to what is queued for a channel."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from core.alerts.cadence import Cadence
from core.alerts.conditions import Condition, Move, NewLow, Presence, Threshold
from core.alerts.selection import Measure, Selection
from core.alerts.subscription import (
    DigestWatch,
    PriceWatch,
    StaleWatch,
    Subscription,
    Wanted,
    Watch,
)
from core.offers import PricePoint
from prices.alerts import alerting, outbox
from prices.alerts.outbox import Queued
from prices.alerts.subscriptions import SubscriptionBook
from prices.history.poll import ChangeSet, Poll
from prices.history.store import Store
from tests.engines import engine_of
from tests.prices.conftest import make_point

pytestmark = pytest.mark.both_engines

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
SXM = "h100-80gb-sxm"
H100 = ("h100-80gb-pcie", SXM, "h100-nvl")
EIGHT = Move(percent=Decimal(8))


class Harness:
    """A store with alerts, the book of them, and a feed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = Store.open(engine_of(path), after_poll=alerting.evaluate)
        self.book = SubscriptionBook(engine_of(path))

    def poll(self, after: timedelta, *points: PricePoint, **more: object) -> ChangeSet:
        """Let a feed say what it sells so long after noon."""
        at = NOON + after
        source = points[0].source if points else "feed"
        seen = [p.model_copy(update={"observed_at": at}) for p in points]
        return self.store.record(Poll(source, at, seen, **more))  # type: ignore[arg-type]

    def watch(
        self, watch: Watch, channel: str = "C1", user: str = "U1"
    ) -> Subscription:
        """Let somebody watch something in a channel, from noon on."""
        wanted = Wanted(
            team_id="T1", channel_id=channel, user_id=user, typed="alert", watch=watch
        )
        return self.book.add(wanted, NOON)

    def told(self) -> list[tuple[str, int | None]]:
        """Return every alert that waits: what happened, and the price."""
        return [
            (alert.what, alert.after if alert.after is not None else alert.before)
            for message in self.waiting()
            for alert in message.letter.alerts
        ]

    def waiting(self) -> list[Queued]:
        """Return what waits to be posted."""
        with engine_of(self.path).reading() as connection:
            return outbox.waiting(connection)

    def wake(self, after: timedelta) -> int:
        """Look again at what waits for a cooldown or a mute."""
        with engine_of(self.path).writing() as connection:
            return alerting.wake(connection, NOON + after)


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    """Give a harness where an H100 costs $2.50 at Lambda and $2.80 at AWS."""
    made = Harness(tmp_path / "prices.db")
    made.poll(timedelta(), make_point("2.50"), make_point("2.80", provider="aws"))
    return made


def prices(
    condition: Condition,
    gpus: tuple[str, ...] = H100,
    measure: Measure = "price",
    **more: object,
) -> PriceWatch:
    """Watch H100s, on-demand unless a discount is measured."""
    stated = {
        "label": "h100",
        "gpus": gpus,
        "pricing": "on_demand" if measure == "price" else None,
        "measure": measure,
    }
    selection = Selection.model_validate(stated | more)
    return PriceWatch(selections=(selection,), condition=condition)


def test_a_price_change_is_queued_with_it(harness: Harness) -> None:
    """The alert names the offer, what it cost, what it costs and whose it is."""
    made = harness.watch(prices(EIGHT))
    harness.poll(HOUR, make_point("2.30"), make_point("2.80", provider="aws"))

    (message,) = harness.waiting()
    (alert,) = message.letter.alerts

    assert ("T1", "C1") == (message.address.team_id, message.address.channel_id)
    assert (made.id, "moved", 2_500_000, 2_300_000) == (
        alert.subscription,
        alert.what,
        alert.before,
        alert.after,
    )
    assert alert.offer is not None
    assert ("lambda", SXM, NOON + HOUR) == (
        alert.offer.provider,
        alert.offer.gpu,
        alert.offer.observed_at,
    )


def test_a_failed_poll_leaves_neither_price_nor_alert(harness: Harness) -> None:
    """Where a poll's transaction breaks after the alerts, both are gone."""
    harness.watch(prices(EIGHT))

    def broken(connection: object, changes: ChangeSet) -> None:
        alerting.evaluate(connection, changes)  # type: ignore[arg-type]
        raise RuntimeError("power cut")

    harness.store = Store.open(engine_of(harness.path), after_poll=broken)
    with pytest.raises(RuntimeError, match="power cut"):
        harness.poll(HOUR, make_point("2.00"), make_point("2.80", provider="aws"))

    assert [] == harness.told()
    assert 2_500_000 == harness.store.latest(SXM)[0].micro_usd_per_gpu_hour


def test_a_fault_of_the_alerts_costs_no_prices(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Prices are recorded though alerts fail; the next poll tells what was missed."""
    harness.watch(prices(Threshold(op="below", amount=2_400_000)))
    harness.store = Store.open(
        engine_of(harness.path), after_poll=alerting.evaluate_safely
    )
    with monkeypatch.context() as patch:
        patch.setattr(alerting, "keep_steps", None)
        harness.poll(HOUR, make_point("2.00"), make_point("2.80", provider="aws"))
    missed = harness.told()
    harness.poll(2 * HOUR, make_point("1.99"), make_point("2.80", provider="aws"))

    assert [] == missed
    assert "could not be evaluated" in caplog.text
    assert [("crossed", 1_990_000)] == harness.told()


def test_what_the_guard_holds_back_is_never_told(harness: Harness) -> None:
    """A quarantined price neither fires nor makes its offer vanish."""
    harness.watch(prices(Threshold(op="below", amount=2_400_000)))
    harness.watch(prices(Presence(event="delisted")))
    held = make_point("0.01")

    harness.poll(2 * DAY, make_point("2.80", provider="aws"), held=[held])

    assert [] == harness.told()


def test_a_fresher_source_that_displaces_another_tells_nothing(
    harness: Harness,
) -> None:
    """Two sources disagree about a provider: nobody changed a price."""
    harness.watch(prices(Threshold(op="above", amount=3_000_000), (SXM,)))
    harness.watch(prices(EIGHT, (SXM,)))
    aws = {"source": "other", "instance": "p5", "region": "us-east-1"}
    for after, price in ((HOUR, "3.90"), (3 * DAY, "3.91")):
        harness.poll(after, make_point(price, **aws))
        harness.poll(after + HOUR, make_point(price, provider="aws", **aws))

    assert [] == harness.told()


def test_an_expired_price_is_no_price(tmp_path: Path) -> None:
    """What was last seen over six months ago is not the cheapest of anything."""
    harness = Harness(tmp_path / "prices.db")
    harness.poll(-300 * DAY, make_point("0.50", source="dead"))
    harness.poll(timedelta(), make_point("2.50", provider="aws"))
    made = harness.watch(prices(Threshold(op="below", amount=2_000_000), (SXM,)))

    (standing,) = harness.book.current_state(made.id)
    harness.poll(HOUR, make_point("1.90", provider="aws"))

    assert 2_500_000 == standing.track.level
    assert [("crossed", 1_900_000)] == harness.told()


def test_a_family_watches_every_form_and_names_left_open(harness: Harness) -> None:
    """ "h100" hears of PCIe cards, and of a card whose form nobody says."""
    harness.watch(prices(Threshold(op="below", amount=2_000_000)))
    harness.watch(prices(Threshold(op="below", amount=2_000_000), (SXM,)), "C2")
    stays = (make_point("2.50"), make_point("2.80", provider="aws"))

    harness.poll(HOUR, *stays, make_point("1.95", gpu="h100-80gb", provider="vast"))

    assert ["C1"] == [message.address.channel_id for message in harness.waiting()]


def test_a_region_is_watched_alone(harness: Harness) -> None:
    """Only offers of the region count, also where a cheaper one is elsewhere."""
    harness.watch(prices(Threshold(op="below", amount=2_400_000), region="eu"))
    stays = (make_point("2.50"), make_point("2.80", provider="aws"))
    harness.poll(HOUR, *stays, make_point("1.00", provider="gcp", region="us-east1"))
    before = harness.told()
    harness.poll(
        2 * HOUR, *stays, make_point("2.30", provider="gcp", region="europe-west4")
    )

    assert [] == before
    assert [("crossed", 2_300_000)] == harness.told()


def test_the_gap_between_spot_and_on_demand_is_watched(harness: Harness) -> None:
    """Spot at $1.00 under $2.50 is 60 % off; it is told when it first gets there."""
    harness.watch(
        prices(Threshold(op="above", amount=500_000), measure="spot_discount")
    )
    stays = (make_point("2.50"), make_point("2.80", provider="aws"))
    for number, spot in enumerate(("1.50", "1.00", "1.01"), 1):
        harness.poll(number * DAY, *stays, make_point(spot, pricing="spot"))

    assert [("crossed", 600_000)] == harness.told()


def test_a_new_seller_is_told_and_a_new_feed_is_not(harness: Harness) -> None:
    """Who begins to sell is news; what a newly polled source lists is not."""
    harness.watch(prices(Presence(event="listed")))
    stays = (make_point("2.50"), make_point("2.80", provider="aws"))
    harness.poll(HOUR, make_point("3.00", provider="gcp", source="new feed"))
    before = harness.told()
    harness.poll(2 * HOUR, *stays, make_point("2.00", provider="vast"))

    assert [] == before
    assert [("listed", 2_000_000)] == harness.told()


def test_a_new_low_looks_back_before_the_subscription(harness: Harness) -> None:
    """The past of a price is known from its history, not from when watching began."""
    for day, price in enumerate(("2.60", "2.40", "2.70"), 1):
        harness.poll(day * DAY, make_point(price), make_point("2.80", provider="aws"))
    wanted = Wanted(
        team_id="T1",
        channel_id="C1",
        user_id="U1",
        typed="alert h100 new low 2d",
        watch=prices(NewLow(days=2), (SXM,)),
    )
    harness.book.add(wanted, NOON + 3 * DAY + HOUR)

    harness.poll(4 * DAY, make_point("2.45"), make_point("2.80", provider="aws"))
    before = harness.told()
    harness.poll(4 * DAY + HOUR, make_point("2.39"), make_point("2.80", provider="aws"))

    assert [] == before
    assert [("new_low", 2_390_000)] == harness.told()


def test_a_mute_holds_news_back_until_it_ends(harness: Harness) -> None:
    """What crossed while muted is told when the mute ends, if it is still so."""
    made = harness.watch(prices(Threshold(op="below", amount=2_400_000)))
    harness.book.mute([made.id], NOON + DAY)
    harness.poll(HOUR, make_point("2.30"), make_point("2.80", provider="aws"))

    early, before = harness.wake(2 * HOUR), harness.told()
    late = harness.wake(DAY)

    assert (0, []) == (early, before)
    assert 1 == late
    assert [("crossed", 2_300_000)] == harness.told()
    assert 0 == harness.wake(2 * DAY)


def test_an_unmute_lets_speak_at_once(harness: Harness) -> None:
    """Taking a mute back tells what waited for its end."""
    made = harness.watch(prices(Threshold(op="below", amount=2_400_000)))
    harness.book.mute([made.id], NOON + 9 * DAY)
    harness.poll(HOUR, make_point("2.30"), make_point("2.80", provider="aws"))
    harness.book.mute([made.id], None)

    assert 1 == harness.wake(2 * HOUR)


def test_a_second_crossing_waits_for_the_cooldown(harness: Harness) -> None:
    """Two crossings within six hours are one message now and one later."""
    harness.watch(prices(Threshold(op="below", amount=2_400_000)))
    aws = make_point("2.80", provider="aws")
    for number, price in enumerate(("2.30", "2.60", "2.35"), 1):
        harness.poll(number * HOUR, make_point(price), aws)

    before = harness.told()
    woken = [harness.wake(after * HOUR) for after in (6, 7, 8)]

    assert [("crossed", 2_300_000)] == before
    assert [0, 1, 0] == woken
    assert [("crossed", 2_300_000), ("crossed", 2_350_000)] == harness.told()


def test_a_pause_gives_up_what_waits_and_a_resume_begins_anew(harness: Harness) -> None:
    """A closed channel keeps its reason; what changed meanwhile is no news later."""
    made = harness.watch(prices(EIGHT))
    other = harness.watch(prices(EIGHT), channel="C2")
    aws = make_point("2.80", provider="aws")
    harness.poll(HOUR, make_point("2.00"), aws)

    paused = harness.book.pause("T1", "C1", "is_archived")
    harness.poll(DAY, make_point("1.50"), aws)
    during = [message.address.channel_id for message in harness.waiting()]
    harness.book.resume([made.id], NOON + DAY + HOUR)
    harness.poll(2 * DAY, make_point("1.45"), aws)
    harness.poll(3 * DAY, make_point("1.30"), aws)

    assert [made.id] == [subscription.id for subscription in paused]
    assert ["C2", "C2"] == during
    found = [a for m in harness.waiting() for a in m.letter.alerts]
    told = [(a.subscription, a.after) for a in found]
    assert [(made.id, 1_300_000)] == [pair for pair in told if pair[0] == made.id]
    assert 3 == len([pair for pair in told if pair[0] == other.id])


def test_a_workspace_is_paused_as_a_whole(harness: Harness) -> None:
    """A revoked token stops every channel of its workspace and nobody else's."""
    for channel in ("C1", "C2"):
        harness.watch(prices(EIGHT), channel)

    assert 2 == len(harness.book.pause("T1", None, "token_revoked"))
    assert [] == harness.book.pause("T1", None, "token_revoked")
    assert {"token_revoked"} == {s.paused for s in harness.book.every()}


def test_a_digest_is_queued_once_a_day_and_once_for_what_was_missed(
    harness: Harness,
) -> None:
    """Two processes queue one digest; three missed days come as one."""
    cadence = Cadence(every="day", hour=9, zone="Europe/Berlin")
    harness.watch(DigestWatch(cadence=cadence))
    nine = datetime(2026, 5, 2, 7, tzinfo=UTC)

    counts = [
        harness.book.queue_digests(at)
        for at in (nine - HOUR, nine, nine, nine + HOUR, nine + 3 * DAY, nine + 3 * DAY)
    ]

    assert [0, 1, 0, 0, 1, 0] == counts
    assert [nine, nine + DAY] == [message.letter.due for message in harness.waiting()]


def test_a_muted_digest_leaves_its_day_out(harness: Harness) -> None:
    """A digest that comes due during a mute is not made up for."""
    made = harness.watch(DigestWatch(cadence=Cadence(every="day", hour=9)))
    harness.book.mute([made.id], NOON + DAY)

    assert 0 == harness.book.queue_digests(NOON + DAY - HOUR)
    assert 1 == harness.book.queue_digests(NOON + 2 * DAY)


def test_subscriptions_are_found_by_channel_person_and_number(harness: Harness) -> None:
    """Each comes back as it was made, to its own team only."""
    made = harness.watch(prices(EIGHT), "C1", "U1")
    other = harness.watch(StaleWatch(), "C2", "U1")

    assert [made] == harness.book.of_channel("T1", "C1")
    assert [other, made] == harness.book.of_user("T1", "U1")
    assert made == harness.book.find(made.id, "T1")
    assert harness.book.find(made.id, "T2") is None
    assert [] == harness.book.of_channel("T2", "C1")
    assert [other] == harness.book.of_kind("stale")


def test_removing_forgets_what_only_it_watched(harness: Harness) -> None:
    """After the last subscription to a price nothing of it is followed."""
    first, second = harness.watch(prices(EIGHT)), harness.watch(prices(EIGHT), "C2")
    harness.book.remove([first.id])
    harness.book.clean(NOON + DAY, NOON)
    (standing,) = harness.book.current_state(second.id)
    harness.book.remove([second.id])
    harness.book.clean(NOON + DAY, NOON)
    harness.poll(HOUR, make_point("1.00"), make_point("2.80", provider="aws"))

    assert 2_500_000 == standing.track.level
    assert [] == harness.told()
    with engine_of(harness.path).reading() as connection:
        for table in ("tracks", "track_gpus", "track_points", "watches"):
            query = f"SELECT count(*) FROM {table}"  # noqa: S608 - names above
            assert (0,) == connection.execute(query).fetchone()


def test_a_file_without_alerts_costs_a_poll_nothing(tmp_path: Path) -> None:
    """Where nobody ever used alerts, a poll is recorded as before."""
    path = tmp_path / "prices.db"
    store = Store.open(engine_of(path), after_poll=alerting.evaluate)

    changes = store.record(Poll("feed", NOON, [make_point()]))

    assert 1 == len(changes.listed)
