"""Series, extremes, step lines and events by hand-made examples."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from core.offers import PricePoint
from prices.history.poll import Poll
from prices.history.series import Wanted, cheapest_over_time
from prices.history.store import Store

pytestmark = pytest.mark.both_engines

MakePoint = Callable[..., PricePoint]
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
GPU = "h100-80gb-sxm"


def day(number: int) -> datetime:
    """Return noon so many days on."""
    return NOON + timedelta(days=number)


@pytest.fixture
def recorded(store: Store, point: MakePoint) -> Store:
    """Give a store in which Lambda falls, RunPod comes, undercuts it and goes."""
    for number, (ours, theirs) in enumerate(
        [("3.00", None), ("2.50", "2.80"), ("2.50", "2.20"), ("2.40", None)]
    ):
        points = [point(ours, observed_at=day(number))]
        if theirs:
            points.append(point(theirs, provider="runpod", observed_at=day(number)))
        store.record(Poll("feed", day(number), points))
    return store


def dollars(store: Store, **wanted: object) -> list[Decimal]:
    """Return the prices of a series, in its order."""
    found = store.series(Wanted(GPU, **wanted))  # type: ignore[arg-type]
    return [interval.offer.usd_per_gpu_hour for interval in found]


def test_a_series_tells_each_offer_in_order(recorded: Store) -> None:
    """Every price that an offer had comes once, oldest first."""
    assert dollars(recorded, provider="lambda") == [3, Decimal("2.5"), Decimal("2.4")]
    assert dollars(recorded, provider="runpod") == [Decimal("2.8"), Decimal("2.2")]


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({"pricing": "spot"}, 0),
        ({"pricing": "on_demand", "tier": "standard", "term_months": 0}, 5),
        ({"region": ""}, 5),
        ({"region": "us-east-1"}, 0),
        ({"source": "feed"}, 5),
        ({"source": "nobody"}, 0),
        ({"provider": "nobody"}, 0),
        ({"since": day(2)}, 3),
        ({"until": day(1)}, 3),
        ({"since": day(1), "until": day(1)}, 2),
    ],
)
def test_a_series_is_narrowed_by_what_is_wanted(
    recorded: Store, wanted: dict[str, object], count: int
) -> None:
    """Each field narrows; a time keeps what stood in any part of it."""
    assert len(dollars(recorded, **wanted)) == count


def test_prices_say_for_how_long_they_stood(recorded: Store) -> None:
    """The lowest with its offer and its time; what came after a time is not of it."""
    found = sorted(
        recorded.series(Wanted(GPU)), key=lambda one: one.offer.micro_usd_per_gpu_hour
    )
    low, high = found[0], found[-1]
    before = recorded.series(Wanted(GPU, until=day(1)))

    assert low.offer.provider == "runpod"
    assert (low.first_seen, low.ended_at, low.delisted) == (day(2), day(3), True)
    assert (high.offer.provider, high.first_seen) == ("lambda", NOON)
    assert min(one.offer.usd_per_gpu_hour for one in before) == Decimal("2.5")


def test_the_cheapest_line_steps_where_it_moves(recorded: Store) -> None:
    """A chart of the cheapest offer has one step per move."""
    steps = cheapest_over_time(recorded.series(Wanted(GPU)))

    drawn = [(step.at, step.cheapest and step.cheapest.provider) for step in steps]
    assert drawn == [
        (day(0), "lambda"),
        (day(1), "lambda"),
        (day(2), "runpod"),
        (day(3), "lambda"),
    ]


def test_the_cheapest_line_ends_where_nothing_is_sold(recorded: Store) -> None:
    """After the last delisting the line shows that there is no price."""
    recorded.record(Poll("feed", day(4), []))

    steps = cheapest_over_time(recorded.series(Wanted(GPU)))

    assert (steps[-1].at, steps[-1].cheapest) == (day(4), None)


def test_events_tell_listings_changes_and_delistings_apart(recorded: Store) -> None:
    """A time's events come in order, each of its own kind, its end included."""
    events = recorded.events(day(0), day(3))

    told = [(event.at, event.kind, event.offer.provider) for event in events]
    assert sorted(told) == [
        (day(1), "changed", "lambda"),
        (day(1), "listed", "runpod"),
        (day(2), "changed", "runpod"),
        (day(3), "changed", "lambda"),
        (day(3), "delisted", "runpod"),
    ]
    change = next(event for event in events if event.at == day(2))
    assert change.before is not None
    assert change.before.usd_per_gpu_hour == Decimal("2.8")
    assert change.offer.usd_per_gpu_hour == Decimal("2.2")
