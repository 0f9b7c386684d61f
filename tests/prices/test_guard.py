"""The guard: which prices are believed, why the others are not, who lets them go."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.offers import Offer, PricePoint
from prices.guard.guard import judge
from prices.guard.market import Market
from prices.guard.quarantine import BY_HAND, Kind, Quarantine, Suspect
from prices.guard.verdict import Permits, Verdict
from prices.history.ingest import key_of
from prices.history.store import Store
from prices.naming.bounds import bound_of, bounds
from prices.refresh.run import refresh, release
from prices.sources.source import Reading, SourceSpec
from tests.engines import engine_of
from tests.prices.conftest import make_point
from tests.prices.feeds import NOW, offline

pytestmark = pytest.mark.both_engines

EARLIER = NOW - timedelta(hours=1)


def said(total: str, **fields: object) -> PricePoint:
    """Make what a feed says now."""
    return make_point(total, **({"observed_at": NOW} | fields))


def stood(total: str, **fields: object) -> Offer:
    """Make what stood an hour ago."""
    point = make_point(total, **({"observed_at": EARLIER} | fields))
    return Offer.model_validate(point.model_dump())


def judged(
    points: Sequence[PricePoint], *standing: Offer, labels: dict[str, str] | None = None
) -> Verdict:
    """Judge what the source "feed" says, where this stood."""
    market = Market(standing, NOW, labels or {})
    return judge(Reading(points=list(points)), "feed", market, Permits([]))


def kinds(verdict: Verdict) -> list[Kind]:
    """Return why prices are held."""
    return [suspect.kind for suspect in verdict.suspects]


@pytest.mark.parametrize(
    ("before", "now", "held"),
    [
        ("2.00", "3.20", False),  # +60 %
        ("2.00", "3.21", True),
        ("2.00", "0.80", False),  # -60 %
        ("2.00", "0.79", True),
        ("98.32", "55.04", False),  # AWS p5, 2025-06-05
        ("1.99", "2.59", False),  # DigitalOcean MI300X, 2026-08-02
        ("2.19", "3.19", False),  # ThunderCompute H100, 2026
    ],
)
def test_a_step_may_be_sixty_percent(before: str, now: str, held: bool) -> None:
    """Real changes of list prices pass; what goes further at once is held."""
    count = 8 if before == "98.32" else 1
    verdict = judged([said(now, gpu_count=count)], stood(before, gpu_count=count))

    assert (["jump"] if held else []) == kinds(verdict)


def test_a_feed_is_never_compared_with_another() -> None:
    """What another source asks for the same is no step."""
    other = stood("9.99", source="another")

    assert [] == kinds(judged([said("2.00")], other))


def test_a_euro_price_does_not_move_with_the_dollar() -> None:
    """A step is measured in the currency that the source publishes."""
    before = stood("2.00", currency="EUR", micro_usd_per_gpu_hour=1_000_000)
    now = said("2.00", currency="EUR", micro_usd_per_gpu_hour=2_400_000)

    assert [] == kinds(judged([now], before))


@pytest.mark.parametrize(
    ("spot", "held"),
    [("2.50", True), ("2.51", True), ("0.25", True), ("0.26", False), ("1.25", False)],
)
def test_a_spot_price_is_lower_and_no_placeholder(spot: str, held: bool) -> None:
    """As dear as on-demand, or exactly a tenth of it, is no spot price."""
    gpu = "l40s"  # its bounds leave room for a tenth
    points = [said("2.50", gpu=gpu), said(spot, gpu=gpu, pricing="spot")]

    assert (["spot"] if held else []) == kinds(judged(points))


def test_spot_is_held_against_another_feed_where_its_own_has_no_on_demand() -> None:
    """The machine's on-demand price counts whoever says it."""
    place = {"instance": "p5.48xlarge", "region": "us-east-1", "gpu_count": 8}
    on_demand = stood("55.04", source="gpuhunt", **place)

    held = judged([said("5.504", pricing="spot", **place)], on_demand)
    fine = judged([said("17.60", pricing="spot", **place)], on_demand)
    elsewhere = judged(
        [said("5.504", pricing="spot", **(place | {"region": "eu-west-1"}))], on_demand
    )

    assert (["spot"], [], []) == (kinds(held), kinds(fine), kinds(elsewhere))


def test_an_old_on_demand_price_says_nothing_of_spot() -> None:
    """After a month an on-demand price is no measure any longer."""
    old = stood("2.00", source="other", observed_at=NOW - timedelta(days=31))

    assert [] == kinds(judged([said("2.20", pricing="spot")], old))


def test_a_wrong_on_demand_price_does_not_drag_spot_along() -> None:
    """A spot price is held against the on-demand price that stood, not the slip."""
    before = [stood("16.00", gpu_count=8), stood("6.40", gpu_count=8, pricing="spot")]
    points = [said("2.40", gpu_count=8), said("6.40", gpu_count=8, pricing="spot")]

    verdict = judged(points, *before)

    assert ["jump"] == kinds(verdict)
    assert [6_400_000 // 8] == [p.micro_usd_per_gpu_hour for p in verdict.points]


@pytest.mark.parametrize(
    ("total", "held"),
    [("20.00", False), ("160.00", True), ("2.50", True), ("150.00", False)],
)
def test_totals_and_prices_per_gpu_are_told_apart(total: str, held: bool) -> None:
    """Eight times the price of the single GPU, or an eighth of it, is a slip."""
    verdict = judged([said("2.50"), said(total, gpu_count=8)])

    assert held == ("total" in kinds(verdict) or "bounds" in kinds(verdict))


def test_another_feed_shows_a_slip_where_the_own_has_one_size() -> None:
    """The usual price may come from another source of the same provider."""
    others = [stood("2.50", source="another")]

    verdict = judged([said("164.00", gpu_count=8)], *others)

    assert ["total"] == kinds(verdict)


def test_a_feed_whose_sizes_agree_is_not_doubted() -> None:
    """Google's H100 does cost four times what a blog once said."""
    blog = stood("3.00", source="a blog")
    points = [said("12.00"), said("48.00", gpu_count=4), said("96.00", gpu_count=8)]

    assert [] == kinds(judged(points, blog))


def test_the_lowest_of_several_prices_counts() -> None:
    """Points under one key collapse to the lowest, whatever their order."""
    points = [said("2.50"), said("2.40"), said("2.60")]

    for order in (points, points[::-1]):
        verdict = judged(order)
        assert ["2.40"] == [str(point.raw_total) for point in verdict.points]
        assert 2 == verdict.duplicates


def test_a_held_offer_keeps_its_place() -> None:
    """The old price stands while the new one is held."""
    before = stood("2.00")

    assert [before] == judged([said("9.00")], before).held


def test_what_stood_wrongly_does_not_keep_its_place() -> None:
    """A price that is itself out of bounds is not held on to."""
    assert [] == judged([said("0.01")], stood("0.01")).held


def test_another_publication_vouches() -> None:
    """A step that another source confirms is believed, whoever was faster."""
    other = stood("4.05", source="pages", observed_at=NOW)

    verdict = judged([said("4.00")], stood("2.00"), other)

    assert [] == kinds(verdict)
    assert ["pages"] == [voucher for _, voucher in verdict.vouched]


@pytest.mark.parametrize(
    "change",
    [
        {"source": "echo"},  # reads the same publication
        {"raw_total": Decimal("4.50"), "micro_usd_per_gpu_hour": 4_500_000},
        {"gpu": "h100-80gb-pcie"},
        {"provider": "runpod"},
        {"pricing": "spot"},
        {"term_months": 12, "pricing": "reserved"},
        {"region": "eu-west"},
        {"tier": "community"},
        {"observed_at": NOW - timedelta(days=4)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_not_everybody_vouches(change: dict[str, object]) -> None:
    """Another offer, another price, an old one or an echo confirms nothing."""
    usual = {"region": "us-west", "tier": "secure"}
    other = {"source": "pages", "observed_at": NOW, **usual} | change
    witness = Offer.model_validate(make_point("4.00").model_dump() | other)

    verdict = judged(
        [said("4.00", **usual)],
        stood("2.00", **usual),
        witness,
        labels={"feed": "api", "echo": "api"},
    )

    assert ["jump"] == kinds(verdict)


def test_nobody_vouches_for_a_placeholder() -> None:
    """A spot price at a tenth of on-demand is none, though two feeds repeat it."""
    place = {"instance": "g5.xlarge", "region": "us-east-1", "gpu": "a10g"}
    points = [said("1.006", **place), said("0.1006", pricing="spot", **place)]
    echo = stood("0.1006", source="pages", pricing="spot", observed_at=NOW, **place)

    assert ["spot"] == kinds(judged(points, echo))


@given(
    st.lists(
        st.tuples(
            st.decimals("0.001", "2000", places=3),
            st.sampled_from([1, 2, 4, 8]),
            st.sampled_from(["on_demand", "spot"]),
            st.sampled_from(["h100-80gb-sxm", "l4", "rtx4090", "a100-80gb"]),
        ),
        max_size=12,
    )
)
def test_every_price_passes_or_is_held_with_its_reason(
    rows: list[tuple[Decimal, int, str, str]],
) -> None:
    """Nothing is lost and nothing outside its bounds passes, whatever a feed says."""
    points = [
        said(str(total), gpu_count=count, pricing=pricing, gpu=gpu)
        for total, count, pricing, gpu in rows
    ]
    verdict = judged(points)

    held = {suspect.key for suspect in verdict.suspects if suspect.reason}
    passed = {key_of(point) for point in verdict.points}
    assert {key_of(point) for point in points} == held | passed
    assert len(passed) == len(verdict.points)
    assert not any(
        bound_of(point.gpu).breach(point.micro_usd_per_gpu_hour)
        for point in verdict.points
    )


def test_bounds_are_sane() -> None:
    """Every bound says what it rests on, and is wider than any real market."""
    for bound in bounds().bound:
        assert bound.seen
        assert bound.high / bound.low >= 20


# ---- from poll to poll ----


def source(*points: PricePoint, name: str = "feed", label: str = "") -> SourceSpec:
    """Make a feed that says this."""
    own = [point.model_copy(update={"source": name}) for point in points]
    return SourceSpec(
        name=name,
        fetch=lambda _wire: [b"{}"],
        read=lambda _payload, _moment: Reading(points=list(own)),
        label=label,
    )


@pytest.fixture
def started(tmp_path: Path) -> Store:
    """Give a store where the feed asked $2.00 an hour ago."""
    store = Store.open(engine_of(tmp_path / "prices.db"))
    refresh(
        store, EARLIER, [source(make_point("2.00", observed_at=EARLIER))], offline()
    )
    return store


def price_of(store: Store) -> Decimal:
    """Return what the feed's offer stands at."""
    (offer,) = [o for o in store.latest("h100-80gb-sxm") if o.source == "feed"]
    return offer.usd_per_gpu_hour


def test_an_old_snapshot_vetoes_no_market() -> None:
    """What a price may have become grows with the days since it was seen."""
    for days, ratio, held in ((1, 1.7, 1), (90, 2.4, 0), (90, 0.3, 0), (90, 3.0, 1)):
        before = stood("2.00", observed_at=NOW - timedelta(days=days))
        assert held == len(judged([said(f"{2 * ratio:.4f}")], before).suspects)


def test_a_slow_drift_meets_other_witnesses() -> None:
    """One per cent a day is no jump; where it leads nobody else follows."""
    others = [
        stood(total, source="pages", provider=name)
        for name, total in (("nebius", "2.20"), ("crusoe", "2.60"), ("verda", "3.00"))
    ]
    assert [] == kinds(judged([said("4.60")], stood("4.56"), *others))
    assert ["drift"] == kinds(judged([said("4.90")], stood("4.86"), *others))
    assert [] == kinds(judged([said("4.90")], stood("5.10"), *others))


def test_a_step_stays_held_while_nobody_vouches(started: Store) -> None:
    """A price that only its own source repeats is never shown, nor told as a change."""
    for hours in range(5):
        now = NOW + timedelta(hours=hours)
        (result,) = refresh(started, now, [source(said("4.00"))], offline())
        assert (False, 1) == (result.ok, result.quarantined or 1)

    (entry,) = Quarantine(started.engine).entries(source="feed")
    assert (5, "jump", NOW) == (entry.times, entry.kind, entry.first_seen)
    assert Decimal("2.00") == price_of(started)
    assert [] == started.events(EARLIER, NOW + timedelta(days=1))


def test_a_second_source_releases(started: Store) -> None:
    """The next poll takes the price in, once another publication says the same."""
    feed, more = source(said("4.00"), said("1.20", gpu="l40s")), said("4.10")
    refresh(started, NOW, [feed], offline())
    pages = source(more, name="pages")
    refresh(started, NOW + timedelta(hours=1), [pages], offline())
    (result,) = refresh(started, NOW + timedelta(hours=2), [feed], offline())

    assert Decimal("4.00") == price_of(started)
    assert (True, 0) == (result.ok, result.quarantined)
    (entry,) = Quarantine(started.engine).entries("released")
    assert "pages" == entry.closed_by


def test_two_held_prices_vouch_for_each_other(started: Store) -> None:
    """Where both sources moved at once, the second is believed, then the first."""
    refresh(started, EARLIER, [source(make_point("2.10"), name="pages")], offline())
    feed, pages = source(said("4.00")), source(said("4.10"), name="pages")

    refresh(started, NOW, [feed], offline())
    (second,) = refresh(started, NOW + timedelta(minutes=1), [pages], offline())
    (first,) = refresh(started, NOW + timedelta(minutes=2), [feed], offline())

    assert (True, True) == (second.ok, first.ok)
    assert Decimal("4.00") == price_of(started)


def test_a_person_releases(started: Store) -> None:
    """A release takes effect at once, and the same price passes from then on."""
    more = [said("1.20", gpu="l40s")]
    refresh(started, NOW, [source(said("4.00"), *more)], offline())
    (entry,) = Quarantine(started.engine).entries()

    release(started, entry.id, NOW + timedelta(minutes=5))

    assert Decimal("4.00") == price_of(started)
    later = NOW + timedelta(hours=1)
    again = source(said("4.00", observed_at=later), *more)
    (result,) = refresh(started, later, [again], offline())
    assert (True, 0) == (result.ok, result.quarantined)


def test_a_release_out_of_bounds_is_a_permit(started: Store) -> None:
    """What a person let go passes again, and only near the price that it was."""
    store = started
    odd = said("0.10", gpu="h200-sxm")
    refresh(store, NOW, [source(said("2.00"), odd)], offline())
    (entry,) = Quarantine(store.engine).entries()
    release(store, entry.id, NOW + timedelta(minutes=5))

    again = source(said("2.00"), odd)
    (result,) = refresh(store, NOW + timedelta(hours=1), [again], offline())
    odder = source(said("2.00"), said("0.08", gpu="h200-sxm"))
    (other,) = refresh(store, NOW + timedelta(hours=2), [odder], offline())

    assert (0, 1) == (result.quarantined, other.quarantined)


def test_a_release_of_a_shrunk_feed_holds_once(tmp_path: Path) -> None:
    """After a release the next poll delists what is missing, later ones are guarded."""
    store = Store.open(engine_of(tmp_path / "prices.db"))
    many = [said(f"{2 * n}", gpu_count=n) for n in range(1, 9)]
    refresh(store, NOW, [source(*many)], offline())
    refresh(store, NOW + timedelta(hours=1), [source(*many[:2])], offline())
    (entry,) = Quarantine(store.engine).entries()
    assert ("shrunk", 8) == (entry.kind, len(store.catalog(NOW).offers))

    release(store, entry.id, NOW + timedelta(hours=2))
    later = NOW + timedelta(hours=3)
    (result,) = refresh(store, later, [source(*many[:2])], offline())

    assert result.changes is not None
    assert (6, 0) == (len(result.changes.delisted), result.quarantined)


def test_an_entry_ends_when_the_feed_comes_to_its_senses(started: Store) -> None:
    """What the next poll no longer says is held no longer, and is still on record."""
    refresh(started, NOW, [source(said("4.00"))], offline())
    refresh(started, NOW + timedelta(hours=1), [source(said("2.05"))], offline())

    book = Quarantine(started.engine)
    assert [] == book.entries(source="feed")
    assert ["jump"] == [e.kind for e in book.entries("ended") if e.point]
    assert Decimal("2.05") == price_of(started)


def test_only_what_is_held_can_be_released(started: Store) -> None:
    """An id that nothing stands under is told."""
    with pytest.raises(KeyError):
        release(started, 4711, NOW)


def test_a_witness_confirms_and_disputes_but_is_never_shown(started: Store) -> None:
    """A witness's prices are compared, and none of them is stored."""
    place = {"instance": "p5.48xlarge", "region": "us-east-1", "gpu_count": 8}
    aws = source(said("98.32", **place), name="clouds")
    says = replace(source(said("55.04", **place), name="sky"), witness=True)

    _, result = refresh(started, NOW, [aws, says], offline())

    assert (True, "1 prices compared") == (result.ok, result.note)
    (entry,) = Quarantine(started.engine).entries(source="sky")
    assert ("differs", "$12.29 by clouds, $6.88 by sky") == (entry.kind, entry.reason)
    assert "sky" not in {o.source for o in started.catalog(NOW, superseded=True).offers}


def test_what_has_ended_is_forgotten_after_a_season(started: Store) -> None:
    """Closed entries go after 90 days; what a person let go stays a permit."""
    book = Quarantine(started.engine)
    one, two = (Suspect("jump", f"offer {n}", "up", key=(str(n),)) for n in (1, 2))
    book.note("feed", [one, two], NOW)
    book.release([book.entries()[0].id], BY_HAND, NOW)
    book.note("feed", [], NOW + timedelta(hours=1))
    assert 2 == len(book.entries("ended", "released"))

    book.note("feed", [], NOW + timedelta(days=91))

    assert ["released"] == [e.state for e in book.entries("ended", "released")]


def test_a_feed_cannot_write_to_the_terminal(started: Store) -> None:
    """Control characters of a feed are shown as question marks."""
    book = Quarantine(started.engine)
    book.note("feed", [Suspect("shape", "a row", "odd \x1b[2J", "\x07")], NOW)
    book.note_payload("feed", "html", b"\x1b]0;title\x07<html>", NOW)

    texts = [f"{entry.subject}{entry.reason}{entry.raw}" for entry in book.entries()]
    assert all(text.isprintable() for text in texts)


def test_a_suspect_is_known_by_its_offer() -> None:
    """Two sightings of one offer are one entry; rows without an offer by their text."""
    one = Suspect("jump", "x", "up", key=("lambda", "h100", 1))
    same = Suspect("jump", "x", "further up", key=("lambda", "h100", 1))
    text = Suspect("shape", "a row", "odd", raw="[1]")
    other = Suspect("shape", "a row", "odd", raw="[2]")

    assert one.seat == same.seat
    assert text.seat != other.seat


def test_the_old_price_of_a_missing_offer_under_another_name_keeps_its_place() -> None:
    """A list that names no machines: the line of the A10 now says B200."""
    a10 = {"gpu": "a10", "gpu_count": 1, "instance": "VM.GPU.A10.1"}
    b200 = {"gpu": "b200", "gpu_count": 8, "instance": "BM.GPU.B200.8"}
    verdict = judged(
        [said("16.00", **b200)], stood("2.00", **a10), stood("112.00", **b200)
    )

    assert {"a10", "b200"} == {offer.gpu for offer in verdict.held}


def test_a_delisted_offer_goes_where_nobody_asks_its_price() -> None:
    """A jump elsewhere holds no other machine's place."""
    a10 = {"gpu": "a10", "gpu_count": 1, "instance": "VM.GPU.A10.1"}
    b200 = {"gpu": "b200", "gpu_count": 8, "instance": "BM.GPU.B200.8"}
    verdict = judged(
        [said("24.00", **b200)], stood("2.00", **a10), stood("112.00", **b200)
    )

    assert ["b200"] == [offer.gpu for offer in verdict.held]
