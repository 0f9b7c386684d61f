"""What every engine behind the store's methods must do."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from threading import Thread

import pytest

from core.offers import PricePoint
from prices.history.poll import OlderPollError, Poll
from prices.history.series import Wanted
from prices.history.store import Store

pytestmark = pytest.mark.both_engines

MakePoint = Callable[..., PricePoint]
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def poll(*points: PricePoint, hours: int = 0, source: str = "feed", **more) -> Poll:  # type: ignore[no-untyped-def]
    """Make a poll so many hours after noon."""
    return Poll(source, NOON + hours * HOUR, points, **more)


def prices(store: Store, at: datetime | None = None) -> list[Decimal]:
    """Return what stands, or stood, in dollars per GPU-hour."""
    catalog = store.catalog(NOON + 99 * HOUR, at, superseded=True)
    return sorted(offer.usd_per_gpu_hour for offer in catalog.offers)


def test_an_empty_store_has_an_empty_catalogue(store: Store) -> None:
    """Nothing recorded is nothing on offer, not an error."""
    catalog = store.catalog(NOON)

    assert catalog.offers == ()
    assert catalog.as_of == NOON
    assert store.latest("h100-80gb-sxm") == ()
    assert store.series(Wanted("h100-80gb-sxm")) == []


def test_an_offer_comes_back_as_it_was_recorded(store: Store, point: MakePoint) -> None:
    """Every field of a point survives storage, the money to the last digit."""
    told = point(
        "55.0400001",
        provider="aws",
        gpu_count=8,
        instance="p5.48xlarge",
        region="us-east-1",
        pricing="reserved",
        term_months=36,
        upfront=True,
        tier="secure",
        includes="host",
        seller_kind="hyperscaler",
        stock="waitlist",
        evidence="price_list",
        min_gpus=8,
    )
    store.record(poll(told))

    (offer,) = store.catalog(NOON).offers

    assert told == offer.observed()
    assert str(offer.raw_total) == "55.0400001"
    assert offer.valid_until is None
    assert not offer.negotiated


def test_news_of_stock_is_kept_without_a_price_change(
    store: Store, point: MakePoint
) -> None:
    """What is said beside a price follows the source; the price has not moved."""
    store.record(poll(point(stock="in_stock", min_gpus=1)))

    changes = store.record(poll(point(stock="out", min_gpus=1), hours=1))

    (offer,) = store.catalog(NOON + HOUR).offers
    assert (offer.stock, changes.same, changes.changed) == ("out", 1, ())


def test_a_smallest_order_that_becomes_known_is_another_offer(
    store: Store, point: MakePoint
) -> None:
    """Lambda's 3.99 was the price of eight; its 4.29 for one is no move."""
    store.record(poll(point("3.99")))

    changes = store.record(poll(point("4.29", min_gpus=1), hours=1))
    happened = store.events(NOON, NOON + HOUR)

    assert changes.changed == ()
    assert [p.raw_total for p in changes.listed] == [Decimal("4.29")]
    assert [p.raw_total for p in changes.delisted] == [Decimal("3.99")]
    assert sorted(event.kind for event in happened) == ["delisted", "listed"]
    assert prices(store) == [Decimal("4.29")]


def test_the_first_poll_lists_every_offer(store: Store, point: MakePoint) -> None:
    """What a source names for the first time is a listing, not a price change."""
    told = point()

    changes = store.record(poll(told))

    assert changes.listed == (told,)
    assert not changes.changed
    assert not changes.delisted


def test_a_price_seen_again_changes_nothing(store: Store, point: MakePoint) -> None:
    """A poll that sees the same price extends its interval and its freshness."""
    store.record(poll(point()))

    changes = store.record(poll(point(observed_at=NOON + HOUR), hours=1))
    (interval,) = store.series(Wanted("h100-80gb-sxm"))

    assert changes.same == 1
    assert not changes.listed
    assert not changes.changed
    assert interval.first_seen == NOON
    assert interval.offer.observed_at == NOON + HOUR
    assert interval.ended_at is None


def test_a_new_price_ends_the_old_one(store: Store, point: MakePoint) -> None:
    """A changed price closes one interval and opens the next."""
    store.record(poll(point("2.00")))

    changes = store.record(poll(point("1.80"), hours=1))
    old, new = store.series(Wanted("h100-80gb-sxm"))

    (change,) = changes.changed
    assert change.before.usd_per_gpu_hour == 2
    assert change.after == point("1.80")
    assert change.ratio == Decimal("0.9")
    assert (old.first_seen, old.ended_at, old.delisted) == (NOON, NOON + HOUR, False)
    assert (new.first_seen, new.ended_at) == (NOON + HOUR, None)


def test_a_vanished_offer_is_delisted(store: Store, point: MakePoint) -> None:
    """An offer that a complete poll does not name is no longer for sale."""
    gone, stays = point(gpu="a10"), point()
    store.record(poll(gone, stays))

    changes = store.record(poll(stays, hours=1))

    assert [offer.key for offer in changes.delisted] == [gone.key]
    assert [offer.gpu for offer in store.catalog(NOON).offers] == [stays.gpu]
    assert store.series(Wanted("a10"))[0].delisted


def test_an_offer_that_returns_is_listed_again(store: Store, point: MakePoint) -> None:
    """After a delisting the same price is a listing, and the gap stays in history."""
    store.record(poll(point()))
    store.record(poll(hours=1))

    changes = store.record(poll(point(), hours=2))
    first, second = store.series(Wanted("h100-80gb-sxm"))

    assert len(changes.listed) == 1
    assert first.ended_at == NOON + HOUR
    assert second.first_seen == NOON + 2 * HOUR
    assert prices(store, NOON + 1.5 * HOUR) == []


def test_an_incomplete_poll_delists_nothing(store: Store, point: MakePoint) -> None:
    """Where a feed lost half its rows, the missing offers stay and grow older."""
    store.record(poll(point(), point(gpu="a10")))

    changes = store.record(poll(point(), hours=1, complete=False))
    ages = {offer.gpu: offer.observed_at for offer in store.catalog(NOON).offers}

    assert changes.unconfirmed == 1
    assert not changes.delisted
    assert ages["a10"] == NOON


def test_an_unconfirmed_offer_is_confirmed_later(
    store: Store, point: MakePoint
) -> None:
    """An offer that was missing from a partial poll is as fresh as its next sight."""
    later = NOON + 2 * HOUR
    store.record(poll(point(), point(gpu="a10")))
    store.record(poll(point(), hours=1, complete=False))
    back = [point(observed_at=later), point(gpu="a10", observed_at=later)]

    changes = store.record(poll(*back, hours=2))

    assert changes.same == 2
    assert {offer.observed_at for offer in store.catalog(NOON).offers} == {later}


def test_a_held_price_neither_changes_nor_vanishes(
    store: Store, point: MakePoint
) -> None:
    """What the guard keeps back leaves the standing price as it was."""
    store.record(poll(point("2.00")))

    changes = store.record(poll(hours=1, held=[point("0.01")]))

    assert not changes.changed
    assert not changes.delisted
    assert prices(store) == [2]


def test_only_covered_providers_are_delisted(store: Store, point: MakePoint) -> None:
    """A poll of some providers says nothing of the others."""
    ours, theirs = point(), point(provider="runpod")
    store.record(poll(ours, theirs))

    changes = store.record(poll(hours=1, providers=frozenset({"lambda"})))

    assert [offer.key for offer in changes.delisted] == [ours.key]
    assert store.catalog(NOON).providers == {"runpod"}


def test_a_source_never_diffs_against_another(store: Store, point: MakePoint) -> None:
    """Two sources that disagree are two offers, and neither ends the other."""
    store.record(poll(point("3.00")))

    changes = store.record(poll(point("2.00", source="other"), source="other"))

    assert len(changes.listed) == 1
    assert prices(store) == [2, 3]


def test_duplicates_collapse_to_the_lowest(store: Store, point: MakePoint) -> None:
    """Of several rows under one key in one poll, the lowest price counts."""
    rows = [point("1.99"), point("1.69"), point("1.89")]

    changes = store.record(poll(*rows))
    again = store.record(poll(*reversed(rows), hours=1))

    assert changes.duplicates == 2
    assert prices(store) == [Decimal("1.69")]
    assert again.same == 1


@pytest.mark.parametrize(
    "other",
    [
        {"provider": "runpod"},
        {"gpu": "h100-80gb-pcie"},
        {"gpu_count": 8},
        {"instance": "gpu_1x_h100"},
        {"region": "us-east-1"},
        {"pricing": "spot"},
        {"pricing": "reserved", "term_months": 12},
        {"upfront": True},
        {"tier": "community"},
        {"includes": "gpu_only"},
    ],
    ids=lambda fields: "+".join(fields),
)
def test_each_part_of_the_key_makes_another_offer(
    store: Store, point: MakePoint, other: dict[str, object]
) -> None:
    """Spot, on-demand, another term, tier or form are offers of their own."""
    changes = store.record(poll(point("8"), point("8", **other)))

    assert len(changes.listed) == 2
    assert changes.duplicates == 0


def test_a_foreign_price_moves_only_in_its_currency(
    store: Store, point: MakePoint
) -> None:
    """A dollar that moved is a revaluation, not a price change."""
    euro = {"currency": "EUR", "raw_total": Decimal("2.50")}
    store.record(poll(point(**euro, micro_usd_per_gpu_hour=2_700_000)))
    revalued = store.record(
        poll(point(**euro, micro_usd_per_gpu_hour=2_800_000), hours=1)
    )
    dearer = point("2.60", currency="EUR", micro_usd_per_gpu_hour=2_900_000)
    changed = store.record(poll(dearer, hours=2))

    assert (len(revalued.revalued), len(revalued.changed)) == (1, 0)
    assert (len(changed.revalued), len(changed.changed)) == (0, 1)
    assert prices(store, NOON + HOUR) == [Decimal("2.8")]


def test_an_older_poll_is_refused(store: Store, point: MakePoint) -> None:
    """A source's history is written forwards only; the same poll twice is refused."""
    store.record(poll(point("2.00"), hours=2))

    with pytest.raises(OlderPollError, match="feed was already polled"):
        store.record(poll(point("1.00"), hours=2))

    assert prices(store) == [2]


def test_a_poll_holds_one_source_only(point: MakePoint) -> None:
    """Points of another source are a fault of the feed's adapter."""
    with pytest.raises(ValueError, match="another source"):
        Poll("feed", NOON, [point(source="other")])


def test_the_catalogue_is_kept_until_the_next_poll(
    store: Store, point: MakePoint
) -> None:
    """The same offers come back at once, and never after they changed."""
    store.record(poll(point("2.00")))
    first = store.catalog(NOON)
    second = store.catalog(NOON + HOUR)
    store.record(poll(point("1.00"), hours=1))

    assert second.offers is first.offers
    assert second.as_of == NOON + HOUR
    assert second.version == first.version != store.catalog(NOON).version
    assert prices(store) == [1]


def test_as_of_shows_what_stood_then(store: Store, point: MakePoint) -> None:
    """Between two polls the earlier one stands, with the age that it had then."""
    for hours, total in enumerate(["3.00", "3.00", "2.00"]):
        told = point(total, observed_at=NOON + hours * HOUR)
        store.record(poll(told, hours=hours))

    assert prices(store, NOON - HOUR) == []
    assert prices(store, NOON + 1.9 * HOUR) == [3]
    assert prices(store, NOON + 2 * HOUR) == [2]
    (offer,) = store.as_of(NOON + 1.9 * HOUR).offers
    assert offer.observed_at == NOON + HOUR


def test_age_counts_from_the_catalogue_not_from_the_poll(
    store: Store, point: MakePoint
) -> None:
    """A feed that serves yesterday's catalogue serves yesterday's prices."""
    yesterday = NOON - timedelta(days=1)
    store.record(poll(point(observed_at=yesterday)))

    (offer,) = store.catalog(NOON).offers
    (status,) = store.sources()

    assert offer.observed_at == yesterday
    assert status.observed_at == yesterday
    assert status.last_success == NOON


def test_sources_tell_success_failure_and_recovery(
    store: Store, point: MakePoint
) -> None:
    """The last error stands until a poll succeeds again; prices stay meanwhile."""
    store.record(poll(point(), version="20260501-7", attribution="Thanks"))
    store.record_failure("feed", NOON + HOUR, "HTTP 503")
    (failed,) = store.sources()
    store.record(poll(point(), hours=2))
    (recovered,) = store.sources()

    assert (failed.error, failed.last_failure) == ("HTTP 503", NOON + HOUR)
    assert (failed.last_success, failed.version) == (NOON, "20260501-7")
    assert (failed.offers, failed.attribution) == (1, "Thanks")
    assert recovered.error == ""
    assert recovered.providers == {"lambda": NOON}


def test_a_source_that_never_worked_is_listed(store: Store) -> None:
    """A feed that only failed shows its error and no success."""
    store.record_failure("feed", NOON, "timed out")

    (status,) = store.sources()

    assert status.last_success is None
    assert status.observed_at is None
    assert status.error == "timed out"


def test_names_that_no_table_knows_are_kept_and_reported(
    store: Store, point: MakePoint
) -> None:
    """An unknown GPU stays on offer under its own name; an open one says its kin."""
    told = [point(gpu=name) for name in ("Foo 9000", "h100-80gb", "h100-80gb-sxm")]
    store.record(poll(*told))

    unknown = {gpu.name: gpu.could_be for gpu in store.unknown_gpus()}

    assert unknown == {
        "Foo 9000": (),
        "h100-80gb": ("h100-80gb-sxm", "h100-80gb-pcie"),
    }
    assert "Foo 9000" in store.catalog(NOON).gpus


def test_an_open_name_is_found_from_the_gpus_that_it_may_be(
    store: Store, point: MakePoint
) -> None:
    """An offer of an unsaid form is no offer of a GPU, but perhaps one of each kin."""
    store.record(poll(point(), point(gpu="h100-80gb"), point(gpu="Foo 9000")))

    catalog = store.catalog(NOON)

    for gpu in ("h100-80gb-sxm", "h100-80gb-pcie"):
        assert [offer.gpu for offer in catalog.perhaps_of_gpu(gpu)] == ["h100-80gb"]
    assert catalog.perhaps_of_gpu("h100-nvl") == ()
    assert len(catalog.of_gpu("h100-80gb-sxm")) == 1


def test_the_freshest_source_is_shown(store: Store, point: MakePoint) -> None:
    """An offer that another source knows fresher by more than a day is superseded."""
    store.record(poll(point("2.49")))
    fresher = point("3.99", source="b", observed_at=NOON + 30 * HOUR)
    store.record(poll(fresher, source="b", hours=30))

    (shown,) = store.catalog(NOON).offers

    assert shown.source == "b"
    assert len(store.catalog(NOON, superseded=True).offers) == 2
    assert len(store.as_of(NOON + HOUR).offers) == 1


@pytest.mark.parametrize(
    ("older", "newer", "left"),
    [
        ({}, {}, 1),
        ({}, {"region": "us-east-1"}, 1),
        ({"region": "us-east-1"}, {}, 2),
        ({"region": "us-east-1"}, {"region": "eu-west-1"}, 2),
        ({"instance": "a3-highgpu"}, {"instance": "a3-highgpu-8g"}, 1),
        ({"instance": "p5.4xlarge"}, {"instance": "p5.48xlarge"}, 2),
        ({"pricing": "spot"}, {}, 2),
        ({"tier": "secure"}, {"tier": "community"}, 2),
        ({"pricing": "reserved", "term_months": 12}, {"pricing": "reserved"}, 2),
        ({"includes": "host"}, {"includes": "gpu_only"}, 2),
        ({"includes": "host"}, {}, 1),
        ({}, {"gpu": "h100-80gb"}, 1),
        ({"gpu": "h100-nvl"}, {"gpu": "h100-80gb"}, 2),
        ({"gpu": "h100-80gb"}, {}, 2),
    ],
)
def test_only_the_same_thing_said_as_closely_supersedes(
    store: Store,
    point: MakePoint,
    older: dict[str, object],
    newer: dict[str, object],
    left: int,
) -> None:
    """A vaguer or a different statement never displaces a more precise one."""
    store.record(poll(point(**older)))
    later = point("3", source="b", observed_at=NOON + 48 * HOUR, **newer)
    store.record(poll(later, source="b", hours=48))

    assert len(store.catalog(NOON).offers) == left


def test_two_live_feeds_do_not_displace_each_other(
    store: Store, point: MakePoint
) -> None:
    """Sources polled within a day of each other both stand."""
    store.record(poll(point("2.49")))
    later = point("3.99", source="b", observed_at=NOON + 23 * HOUR)
    store.record(poll(later, source="b", hours=23))

    assert len(store.catalog(NOON).offers) == 2


def test_the_latest_offers_come_cheapest_first(store: Store, point: MakePoint) -> None:
    """The offers of one GPU are asked for without loading the whole catalogue."""
    dear, cheap = point("4"), point("1", provider="runpod")
    store.record(poll(dear, cheap, point(gpu="a10")))

    found = [offer.provider for offer in store.latest("h100-80gb-sxm")]

    assert found == ["runpod", "lambda"]


def test_threads_share_one_store(store: Store, point: MakePoint) -> None:
    """Writers and readers in several threads neither lose nor mix polls."""
    faults: list[Exception] = []

    def work(source: str) -> None:
        try:
            for hours in range(8):
                told = [
                    point(str(hours + 1), gpu=f"g{n}", source=source) for n in range(20)
                ]
                store.record(poll(*told, hours=hours, source=source))
                seen = store.catalog(NOON, superseded=True).offers
                assert len(seen) % 20 == 0
        except Exception as fault:  # noqa: BLE001 - shown by the assertion below
            faults.append(fault)

    threads = [Thread(target=work, args=(f"s{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert faults == []
    assert prices(store) == [8] * 80
