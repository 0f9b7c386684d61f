"""The snapshot that ships: whole, dated, honest about its sources, recorded once."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from threading import Thread

import pytest

from core.offers import Offer
from core.reference.load import reference
from prices.history.poll import Poll
from prices.history.store import Store
from prices.naming.gpu_names import could_be, gpu_name
from prices.snapshot import (
    Dataset,
    datasets,
    ensure_snapshot,
    missing,
    newest,
    read_poll,
)
from prices.snapshot.export import export, write_dataset, write_manifest
from tests.engines import engine_of

NOW = datetime(2026, 11, 21, tzinfo=UTC)
EDITIONS = datasets()
DATASETS = {dataset.source: dataset for dataset in EDITIONS}
"""The newest of each source; earlier editions are its history."""

USD_PER_GPU_HOUR = {
    "h100": (0.8, 24),
    "h200": (1, 24),
    "b200": (2, 25),
    "b300": (3, 40),
    "gb200": (4, 60),
    "gb300": (5, 30),
    "a100": (0.2, 10),
    "mi300x": (1, 14),
    "l40s": (0.3, 10),
    "v100": (0.1, 10),
    "": (0.05, 16),
}
"""What an hour may cost: below is a placeholder, above a total for several GPUs."""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Give a store with the snapshot in it."""
    store = Store.open(engine_of(tmp_path / "prices.db"))
    ensure_snapshot(store)
    return store


def every_offer() -> Iterator[Offer]:
    """Yield every row that ships."""
    for dataset in EDITIONS:
        for point in read_poll(dataset).points:
            yield Offer.model_validate(point.model_dump())


def test_a_fresh_store_answers_offline(store: Store) -> None:
    """A fresh machine has prices of at least twenty providers, of every kind."""
    catalog = store.catalog(NOW)

    assert len(catalog.providers) >= 20
    assert {offer.pricing for offer in catalog.offers} == {
        "on_demand",
        "spot",
        "reserved",
    }
    assert len({offer.provider for offer in catalog.of_gpu("h100-80gb-sxm")}) >= 8


def test_the_snapshot_is_recorded_once(store: Store) -> None:
    """A second start records nothing."""
    before = store.catalog(NOW).version

    assert missing(store) == []
    assert ensure_snapshot(store) == []
    assert store.catalog(NOW).version == before


def test_fresher_prices_are_never_overwritten(tmp_path: Path) -> None:
    """Where a live feed was polled since, its dataset is left alone."""
    store = Store.open(engine_of(tmp_path / "prices.db"))
    live = DATASETS["gpurentalprices"]
    later = live.observed_at + timedelta(days=30)
    store.record(Poll(live.source, later, read_poll(live).points[:1]))

    recorded = {changes.source for changes in ensure_snapshot(store)}

    assert recorded == DATASETS.keys() - {live.source}
    assert 1 < sum(found.source == live.source for found in EDITIONS)


def test_a_newer_snapshot_is_recorded_after_an_upgrade(tmp_path: Path) -> None:
    """An older store takes what a newer package ships, as the next poll."""
    store = Store.open(engine_of(tmp_path / "prices.db"))
    shipped = DATASETS["gpurentalprices"]
    points = list(read_poll(shipped).points)
    old = points[0].model_copy(update={"micro_usd_per_gpu_hour": 1})
    store.record(Poll(shipped.source, shipped.observed_at - timedelta(days=4), [old]))

    found = [c for c in ensure_snapshot(store) if c.source == shipped.source]

    assert [shipped.observed_at] == [c.observed_at for c in found]
    assert (1, len(points) - 1) == (len(found[0].changed), len(found[0].listed))


@pytest.mark.parametrize("dataset", EDITIONS, ids=lambda each: each.file)
def test_every_dataset_says_where_it_is_from(dataset: Dataset) -> None:
    """Each dataset has rows, a link, a past date, and unique keys."""
    points = read_poll(dataset).points

    assert dataset.observed_at < NOW
    assert dataset.source_url.startswith("https://")
    assert len({point.key for point in points}) == len(points) > 0


def test_the_snapshot_has_a_date() -> None:
    """The snapshot is as old as the newest dataset in it."""
    assert newest() == max(dataset.observed_at for dataset in EDITIONS)
    assert f"{newest():%Y-%m-%d}" >= "2026-10-10"


def test_the_licences_are_kept() -> None:
    """Data that asks for attribution carries it."""
    asked = {found.source: found for found in DATASETS.values() if found.licence}

    assert "CC BY 4.0" in asked["gpurentalprices"].attribution
    assert all(found.attribution for found in asked.values())


def test_every_price_is_within_bounds() -> None:
    """No zero, no placeholder, no total that passes for one GPU's price."""
    for offer in every_offer():
        product = max(
            (name for name in USD_PER_GPU_HOUR if offer.gpu.startswith(name)), key=len
        )
        low, high = USD_PER_GPU_HOUR[product]
        assert low <= offer.usd_per_gpu_hour <= high, offer


def test_the_price_per_gpu_follows_from_the_total() -> None:
    """Raw total, count and price per GPU-hour agree to a millionth."""
    for offer in every_offer():
        exact = offer.raw_total / offer.gpu_count
        assert abs(exact - offer.usd_per_gpu_hour) <= Decimal("0.0000005"), offer


def test_spot_never_costs_more_than_on_demand() -> None:
    """A spot price above, at, or at a tenth of on-demand is a placeholder."""
    on_demand = {
        (*offer.key[:6], offer.tier): offer.micro_usd_per_gpu_hour
        for offer in every_offer()
        if offer.pricing == "on_demand"
    }
    spots = [offer for offer in every_offer() if offer.pricing == "spot"]
    for offer in spots:
        full = on_demand.get((*offer.key[:6], offer.tier))
        if full is not None:
            assert offer.micro_usd_per_gpu_hour < full, offer
            assert offer.micro_usd_per_gpu_hour * 10 != full, offer


def test_longer_commitments_cost_less() -> None:
    """An hour of one machine costs less for three years than for one or none."""
    by_machine: dict[object, dict[int, int]] = {}
    for offer in every_offer():
        if offer.source == "gcp-machine-types" and offer.pricing != "spot":
            terms = by_machine.setdefault((offer.instance, offer.region), {})
            terms[offer.term_months] = offer.micro_usd_per_gpu_hour

    assert len(by_machine) > 100
    for terms in by_machine.values():
        assert list(terms.values()) == [terms[term] for term in sorted(terms)]
        assert sorted(terms.values(), reverse=True) == [
            terms[term] for term in sorted(terms)
        ]


def test_every_gpu_is_known_or_left_open() -> None:
    """A row names a GPU of the reference, or says which ones it may be."""
    known = reference().gpus
    for offer in every_offer():
        assert offer.gpu in known or could_be(offer.gpu), offer
        assert gpu_name(offer.gpu) == offer.gpu or offer.gpu in known, offer


def test_the_sources_table_is_reproduced_as_of_april(store: Store) -> None:
    """4 × H100 × 720 h cost what the source's table of April 2026 says."""
    table = {
        ("lambda", "on_demand"): 7171,
        ("lambda", "reserved"): 5731,
        ("coreweave", "on_demand"): 8611,
        ("gcp", "on_demand"): 8640,
        ("aws", "on_demand"): 11232,
    }

    april = store.as_of(datetime(2026, 4, 30, tzinfo=UTC))
    monthly = {
        (offer.provider, offer.pricing): round(offer.usd_per_gpu_hour * 4 * 720)
        for offer in april.of_gpu("h100-80gb-sxm")
        if offer.source == "ozmarx.com 2026-04"
    }

    assert monthly == table


def test_prices_of_april_do_not_pass_for_todays(store: Store) -> None:
    """Where a fresher source speaks of the same offer, the old figure steps back."""
    shown = {
        (offer.provider, offer.pricing): offer
        for offer in store.catalog(NOW).of_gpu("h100-80gb-sxm")
        if offer.source == "ozmarx.com 2026-04"
    }

    assert shown.keys() == {("lambda", "reserved")}
    assert shown["lambda", "reserved"].observed_at < datetime(2026, 5, 1, tzinfo=UTC)


def test_two_starts_at_once_record_the_snapshot_once(tmp_path: Path) -> None:
    """Whoever comes second finds the datasets recorded and goes on."""
    path = tmp_path / "prices.db"
    Store.open(engine_of(path))
    recorded: list[str] = []

    def start() -> None:
        recorded.extend(
            found.source for found in ensure_snapshot(Store.open(engine_of(path)))
        )

    threads = [Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(recorded) == sorted(found.source for found in EDITIONS)


def test_a_dataset_written_is_the_dataset_read(tmp_path: Path) -> None:
    """What the exporter writes, the loader reads back, row by row."""
    shipped = DATASETS["aws-price-list"]
    points = list(read_poll(shipped).points)
    write_dataset(shipped, reversed(points), tmp_path)
    write_manifest([shipped], tmp_path)

    assert datasets(tmp_path) == [shipped]
    assert read_poll(shipped, tmp_path).points == points


def test_a_snapshot_is_renewed_from_a_fresher_store(
    store: Store, tmp_path: Path
) -> None:
    """Only sources polled since are rewritten, dated by what was seen of them."""
    shipped = DATASETS["gpurentalprices"]
    write_manifest(EDITIONS, tmp_path)
    point = next(iter(read_poll(shipped).points))
    seen = shipped.observed_at + timedelta(days=30)
    told = point.model_copy(update={"observed_at": seen})
    store.record(Poll(shipped.source, NOW, [told]))

    (renewed,) = export(store, tmp_path, NOW)

    assert (renewed.source, renewed.observed_at) == (shipped.source, seen)
    assert list(read_poll(renewed, tmp_path).points) == [told]
    assert {found.source for found in datasets(tmp_path)} == DATASETS.keys()
