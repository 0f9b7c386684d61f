"""After the clock was ahead: nothing is lost, and every feed goes on."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.commands.prices import prices_command
from core.offers import MICRO, PricePoint
from prices.database.connection import RuleError
from prices.history.poll import OlderPollError, Poll
from prices.history.series import Wanted
from prices.history.store import Store
from prices.records.audit import prepare_audit
from prices.upkeep.clock_repair import TooManyAheadError, ahead, redate
from tests.engines import engine_of

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
YEAR = timedelta(days=365)
pytestmark = pytest.mark.both_engines


def poll(store: Store, at: datetime, *usd: str, source: str = "feed") -> None:
    """Record what a source asks for H100s, one price a provider."""
    points = [
        PricePoint(
            provider=f"p{number}", gpu="h100-80gb-sxm", gpu_count=1,
            pricing="on_demand", raw_total=Decimal(price),
            micro_usd_per_gpu_hour=int(Decimal(price) * MICRO), observed_at=at,
            source=source, source_url="https://example.com",
        )
        for number, price in enumerate(usd)
    ]  # fmt: skip
    store.record(Poll(source, at, points))


def story(store: Store) -> list[tuple[str, int, bool]]:
    """Return every price that ever was, in order, without its dates."""
    found = store.series(Wanted("h100-80gb-sxm"))
    found.sort(key=lambda one: (one.offer.source, one.offer.provider, one.first_seen))
    return [
        (one.offer.provider, one.offer.micro_usd_per_gpu_hour, one.delisted)
        for one in found
    ]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Give a store polled rightly once, and three times with a clock a year ahead."""
    store = Store.open(engine_of(tmp_path / "gpucost.sqlite3"))
    poll(store, NOW - HOUR, "2.00", "3.00")
    for hours, prices in enumerate((("2.10", "3.00"), ("2.20", "3.00"), ("2.20",))):
        poll(store, NOW + YEAR + hours * HOUR, *prices)
    poll(store, NOW + YEAR, "9.00", source="other")
    return store


def test_what_lies_ahead_is_named(store: Store) -> None:
    """How many polls, of whom, until when, and behind what they would go."""
    found = ahead(store.engine, NOW)

    assert (4, ("feed", "other")) == (found.polls, found.sources)
    assert (NOW + YEAR + 2 * HOUR, NOW - HOUR) == (found.until, found.behind)


def test_every_price_stays_in_its_order(store: Store) -> None:
    """Only dates change: each price, each end and each delisting is still there."""
    before = story(store)

    redate(store.engine, NOW, "ann")

    assert before == story(store)
    offers = store.catalog(NOW).offers
    assert {"p0": 2_200_000} | {"p0 other": 9_000_000} == {
        o.provider + (" other" if o.source == "other" else ""): o.micro_usd_per_gpu_hour
        for o in offers
    }
    assert all(NOW - HOUR < offer.observed_at < NOW for offer in offers)


def test_a_feed_goes_on(store: Store) -> None:
    """A poll of now was refused as older; it is taken, and nothing lies ahead."""
    with pytest.raises(OlderPollError):
        poll(store, NOW, "2.30")

    redate(store.engine, NOW, "ann")
    poll(store, NOW, "2.30")

    assert ahead(store.engine, NOW).until is None
    (offer,) = [o for o in store.catalog(NOW).offers if o.source == "feed"]
    assert (Decimal("2.3"), NOW) == (offer.usd_per_gpu_hour, offer.observed_at)


def test_the_past_is_as_it_was(store: Store) -> None:
    """What stood at an instant before the clock went ahead still stood then."""
    before = store.as_of(NOW - HOUR).offers

    redate(store.engine, NOW, "ann")

    assert before == store.as_of(NOW - HOUR).offers
    assert {2_000_000, 3_000_000} == {o.micro_usd_per_gpu_hour for o in before}


def test_history_is_kept_from_changes_again(store: Store) -> None:
    """The trigger that stood aside is back, and the database is whole."""
    redate(store.engine, NOW, "ann")

    change = "UPDATE history SET micro_usd = 1"
    with (
        pytest.raises(RuleError, match="append-only"),
        store.engine.writing() as connection,
    ):
        connection.execute(change)
    with store.engine.reading() as connection:
        assert [] == connection.damage()


def test_who_did_it_is_written_down(store: Store) -> None:
    """The trail names the operator, the sources and the dates."""
    redate(store.engine, NOW, "ann")

    prepare_audit(store.engine)
    with store.engine.reading() as connection:
        row = connection.execute(
            "SELECT user_id, action, subject FROM audit ORDER BY id DESC"
        ).fetchone()
    assert ("ann", "polls redated", "feed, other") == tuple(row)


def test_without_seconds_enough_nothing_moves(tmp_path: Path) -> None:
    """Three instants do not fit into one second: it says when to try again."""
    store = Store.open(engine_of(tmp_path / "a.db"))
    poll(store, NOW, "2.00")
    for hours in range(3):
        poll(store, NOW + YEAR + hours * HOUR, f"2.1{hours}")
    before = story(store)

    with pytest.raises(TooManyAheadError, match="in 2 seconds"):
        redate(store.engine, NOW + timedelta(seconds=1), "ann")

    assert (3, before) == (ahead(store.engine, NOW).polls, story(store))


@settings(max_examples=12, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["feed", "other"]),
            st.booleans(),
            st.lists(st.sampled_from(["1.50", "2.00", "2.50"]), max_size=3),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_was_polled_stays(
    tmp_path_factory: pytest.TempPathFactory,
    polls: list[tuple[str, bool, list[str]]],
) -> None:
    """Any polls before and after the clock went ahead keep their prices and order."""
    store = Store.open(engine_of(tmp_path_factory.mktemp("any") / "a.db"))
    at, ahead_by = NOW - timedelta(days=9), timedelta(0)
    for source, jumps, prices in polls:
        ahead_by += YEAR if jumps else timedelta(0)
        at += HOUR
        poll(store, at + ahead_by, *prices, source=source)
    before, sold = story(store), len(store.catalog(NOW).offers)

    redate(store.engine, NOW, "ann")

    assert (before, sold) == (story(store), len(store.catalog(NOW).offers))
    assert ahead(store.engine, NOW).until is None


def test_the_terminal_says_first_and_does_it_then(
    store: Store,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without --yes nothing is written; with it feeds go on; then nothing is left."""
    monkeypatch.setenv("GPUCOST_HOME", str(store.engine.home))
    monkeypatch.setattr(type(store.engine), "now", lambda _: NOW)

    codes = [prices_command(["redate", *more]) for more in ([], ["--yes"], [])]

    out = capsys.readouterr().out
    assert [0, 0, 0] == codes
    assert out.index("4 polls of feed, other are dated up to") < out.index("Redated 4")
    assert "No poll lies ahead" in out
