"""A feed's first poll is judged by what the package ships with."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.money.exchange import exchange_rates
from prices.database.connection import Engine
from prices.guard.quarantine import Quarantine
from prices.history.store import Store
from prices.refresh.run import SourceResult, refresh
from prices.snapshot import datasets, ensure_snapshot
from prices.sources import own
from prices.sources.rates import RateBook
from tests.engines import copied, engine_of
from tests.prices.corruptions import Case, corrupted, row
from tests.prices.corruptions_subtle import EIGHT, GPUS, LAMBDA, OCEAN, STACK, R
from tests.prices.feeds import NOW, SOURCES, feed, offline

FIRST = [
    Case(LAMBDA, "one GPU's price for eight", row(*EIGHT, price_cents_per_hour=399),
         "jump", "far from $3.99 (gpurentalprices, 2026-10-10)"),
    Case(R, "a third", row(*GPUS, 0, securePrice=1.09), "jump", "far from"),
    Case(R, "eight A100", row(*GPUS, 1, securePrice=11.12), "jump", "far from"),
    Case(OCEAN, "a fifth", row("sizes", 1, price_hourly=0.68), "jump", "far from",
         lost=2),
    Case(STACK, "a quarter", row(0, value=0.6, original_value=None), "jump",
         "far from"),
]  # fmt: skip

SHIPPED = {dataset.source for dataset in datasets()}
NEW = [
    name for name, spec in SOURCES.items()
    if not spec.witness and spec.name not in SHIPPED
]  # fmt: skip
"""Feeds of which the package ships nothing."""


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Make a store as a fresh machine has it: nothing polled, the snapshot there."""
    store = Store.open(engine_of(tmp_path_factory.mktemp("seeded") / "a.db"))
    RateBook(store.engine).pin(NOW.date(), exchange_rates())
    ensure_snapshot(store)
    return store.engine


@pytest.fixture
def store(seeded: Engine, tmp_path: Path) -> Store:
    """Give a copy of it to each test."""
    return Store.open(copied(seeded, engine_of(tmp_path / "a.db")))


def poll(store: Store, name: str, payload: bytes | None = None) -> SourceResult:
    """Poll one feed once."""
    (result,) = refresh(store, NOW, [feed(name, payload)], offline())
    return result


@pytest.mark.parametrize("name", NEW)
def test_a_true_list_is_believed(name: str, store: Store, tmp_path: Path) -> None:
    """What the package ships with holds no price back that a new store would take."""
    bare = Store.open(engine_of(tmp_path / "bare.db"))
    RateBook(bare.engine).pin(NOW.date(), exchange_rates())

    seeded, alone = poll(store, name), poll(bare, name)

    assert alone.offers == seeded.offers > 0


@pytest.mark.parametrize("case", FIRST, ids=lambda case: f"{case.feed}: {case.what}")
def test_a_wrong_price_has_a_witness(case: Case, store: Store, tmp_path: Path) -> None:
    """It is within its GPU's bounds, and still kept back; the rest of the poll enters.

    A store that knows nothing takes it, because nothing contradicts it.
    """
    bare = Store.open(engine_of(tmp_path / "bare.db"))

    expected = poll(bare, case.feed).offers - case.lost
    result = poll(store, case.feed, corrupted(case))

    held = Quarantine(store.engine).entries()
    assert expected == result.offers
    assert [case.kind] * case.lost == [entry.kind for entry in held]
    assert all(case.said in entry.reason for entry in held)


def test_the_owners_own_prices_need_no_witness(store: Store, tmp_path: Path) -> None:
    """What was negotiated is far below the list, and true."""
    file = tmp_path / "own.csv"
    file.write_text("provider,gpu,price\nlambda,H100 SXM,1.10\n", "utf-8")

    (result,) = refresh(store, NOW, [own.source(str(file), "mine")], offline())

    assert (1, 0) == (result.offers, result.quarantined)


def test_the_owners_own_prices_are_no_witness(tmp_path: Path) -> None:
    """A provider's list is not doubted because somebody pays less."""
    store, file = Store.open(engine_of(tmp_path / "a.db")), tmp_path / "own.csv"
    file.write_text("provider,gpu,price\nlambda,H100 SXM,1.10\n", "utf-8")
    mine = own.source(str(file), "mine")
    before = NOW.replace(hour=NOW.hour - 1)
    refresh(store, before, [mine], offline())

    _, result = refresh(store, NOW, [mine, feed(LAMBDA)], offline())

    assert 0 == result.quarantined


def test_another_publication_lets_it_go(store: Store) -> None:
    """Two that say the same are believed, however far it is from the snapshot."""
    cut = corrupted(replace(FIRST[0], edit=row(*EIGHT, price_cents_per_hour=960)))
    assert 1 == poll(store, LAMBDA, cut).quarantined
    shade = corrupted(
        Case("shadeform.json", "", row("instance_types", 0, hourly_price=960), "", "")
    )

    results = refresh(
        store,
        NOW.replace(hour=NOW.hour + 1),
        [feed("shadeform.json", shade), feed(LAMBDA, cut)],
        offline(),
    )

    assert 0 == sum(result.quarantined for result in results)
