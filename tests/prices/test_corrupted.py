"""Corrupted payloads: nothing wrong enters, the rest does, each with its reason."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest

from bot.commands.prices_views import result_line
from core.money.exchange import exchange_rates
from prices.guard.quarantine import Kind, Quarantine
from prices.history.store import Store
from prices.refresh.run import SourceResult, refresh
from prices.sources.rates import RateBook
from tests.engines import copied, engine_of
from tests.prices import (
    corruptions_clouds,
    corruptions_lists,
    corruptions_sly,
    corruptions_subtle,
)
from tests.prices.corruptions import Case, corrupted
from tests.prices.feeds import NOW, feed, offline, recorded

EARLIER = NOW - timedelta(hours=1)
R, P, SHADE = "runpod.json", "gpurentalprices.json", "shadeform.json"
CASES = [
    *corruptions_lists.CASES,
    *corruptions_clouds.CASES,
    *corruptions_sly.CASES,
    *corruptions_subtle.CASES,
]


def poll(store: Store, name: str, payload: bytes | None, now: datetime) -> SourceResult:
    """Poll one feed once."""
    (result,) = refresh(store, now, [feed(name, payload)], offline())
    return result


def prices(store: Store) -> dict[tuple[object, ...], int]:
    """Return what stands: the price of every offer."""
    offers = store.catalog(NOW, superseded=True).offers
    return {offer.key: offer.micro_usd_per_gpu_hour for offer in offers}


def reasons(store: Store, case: Case) -> list[str]:
    """Return what the quarantine says under the kind of a case."""
    held = Quarantine(store.engine).entries()
    return [entry.reason for entry in held if entry.kind == case.kind]


def news(result: SourceResult) -> list[object]:
    """Return what a poll would be alerted for."""
    found = result.changes
    return [*found.listed, *found.changed, *found.delisted] if found else []


def name_of(case: Case) -> str:
    """Name a case."""
    return f"{case.feed.partition('.')[0]}: {case.what}"


class Stores:
    """Stores that are made once and copied, because making one takes a while."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.clean: dict[str, dict[tuple[object, ...], int]] = {}
        """What each feed offers on a good day."""

    def empty(self, to: Path) -> Store:
        """Copy a store that knows nothing."""
        return self._copy("empty", lambda store: refresh(store, EARLIER, []), to)

    def polled(self, name: str, to: Path) -> Store:
        """Copy a store that polled a clean payload of a feed an hour ago."""
        store = self._copy(name, lambda store: poll(store, name, None, EARLIER), to)
        if name not in self.clean:
            self.clean[name] = prices(store)
        return store

    def _copy(self, name: str, make: Callable[[Store], object], to: Path) -> Store:
        made = engine_of(self._folder / f"{name}.db")
        if not made.exists():
            store = Store.open(made)
            RateBook(made).pin(NOW.date(), exchange_rates())
            make(store)
        return Store.open(copied(made, engine_of(to / f"{name}.db")))


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """Give stores to copy."""
    return Stores(tmp_path_factory.mktemp("stores"))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_known_catalogue_survives(case: Case, tmp_path: Path, stores: Stores) -> None:
    """No price changes, none vanishes, and the quarantine says why it was asked to."""
    store = stores.polled(case.feed, tmp_path)

    result = poll(store, case.feed, corrupted(case), NOW)

    assert stores.clean[case.feed] == prices(store)
    assert not news(result)
    assert (case.kind != "payload" and not case.refused) == result.ok
    assert any(case.said in reason for reason in reasons(store, case))
    assert result.ok or case.refused or case.said in result.error


@pytest.mark.parametrize(
    "case", [case for case in CASES if not case.known_only], ids=name_of
)
def test_the_rest_of_the_poll_enters(
    case: Case, tmp_path: Path, stores: Stores
) -> None:
    """Where nothing was known, all but the corrupted offers are listed, as they are."""
    if case.feed not in stores.clean:
        stores.polled(case.feed, tmp_path)
    expected, store = stores.clean[case.feed], stores.empty(tmp_path)

    result = poll(store, case.feed, corrupted(case), NOW)

    found = prices(store)
    assert found.items() <= expected.items()
    lost = len(expected) if case.kind == "payload" else case.lost
    assert len(expected) - lost == len(found) == result.offers
    assert any(case.said in reason for reason in reasons(store, case))


def test_there_are_enough_cases() -> None:
    """Sixty corruptions at least, of ten feeds, of every kind that the guard has."""
    assert len(CASES) >= 60
    assert len({case.feed for case in CASES}) >= 10
    # these two need other sources beside the feed: test_guard.py has them
    kinds = set(get_args(Kind)) - {"differs", "drift"}
    assert kinds == {case.kind for case in CASES}


def test_duplicates_collapse_to_the_lowest(tmp_path: Path) -> None:
    """Two prices of one offer in one poll are one: the lower, in any order."""
    store = Store.open(engine_of(tmp_path / "a.db"))
    poll(store, P, None, NOW)

    (v100,) = [o for o in store.latest("v100-16gb") if o.provider == "spheron"]
    assert Decimal("0.1") == v100.usd_per_gpu_hour


def test_how_many_prices_collapsed_is_said(tmp_path: Path) -> None:
    """Who reads how a poll ended learns of the rule, and how often it was needed."""
    data = json.loads(recorded(SHADE))
    data["instance_types"].append(data["instance_types"][0] | {"hourly_price": 2000})
    store = Store.open(engine_of(tmp_path / "a.db"))

    plain = poll(store, SHADE, None, EARLIER)
    result = poll(store, SHADE, json.dumps(data).encode(), NOW)

    assert "" == plain.note
    assert "1 more prices of the same offers: the lowest counts" == result.note
    assert "the lowest counts" in result_line(result)


def test_a_duplicate_out_of_bounds_does_not_displace_the_other(tmp_path: Path) -> None:
    """Of two prices of one offer the one that is absurd is held, the other listed."""
    data = json.loads(recorded(P))
    data["offers"][18]["usd_hr"] = 0.0001
    store = Store.open(engine_of(tmp_path / "a.db"))

    result = poll(store, P, json.dumps(data).encode(), NOW)

    (v100,) = [o for o in store.latest("v100-16gb") if o.provider == "spheron"]
    assert (Decimal("0.14"), 1) == (v100.usd_per_gpu_hour, result.quarantined)


def test_a_list_in_another_currency_is_kept_back(tmp_path: Path) -> None:
    """A whole list that moved by one factor says nothing new of any offer."""
    store = Store.open(engine_of(tmp_path / "a.db"))
    poll(store, R, None, EARLIER)
    before, data = prices(store), json.loads(recorded(R))
    for gpu in data["data"]["gpuTypes"]:
        for field in (name for name in gpu if name.endswith("Price")):
            gpu[field] = gpu[field] and round(gpu[field] * 0.75, 4)

    result = poll(store, R, json.dumps(data).encode(), NOW)

    assert not result.ok
    assert "all 20 prices -25% at once" in result.error
    assert before == prices(store)


def test_a_price_cut_of_many_is_believed(tmp_path: Path) -> None:
    """What providers do: some prices move, each by its own share."""
    store = Store.open(engine_of(tmp_path / "a.db"))
    poll(store, R, None, EARLIER)
    data = json.loads(recorded(R))
    for number, gpu in enumerate(data["data"]["gpuTypes"][1:8]):
        gpu["securePrice"] = round(gpu["securePrice"] * (0.9 - number / 50), 2)

    result = poll(store, R, json.dumps(data).encode(), NOW)

    assert result.changes is not None
    assert (0, 7) == (result.quarantined, len(result.changes.changed))


def test_a_feed_never_shrinks_silently(tmp_path: Path) -> None:
    """Offers that half a feed forgets stand on, unconfirmed and growing older."""
    store = Store.open(engine_of(tmp_path / "a.db"))
    poll(store, R, None, EARLIER)
    data = json.loads(recorded(R))
    del data["data"]["gpuTypes"][2:]

    result = poll(store, R, json.dumps(data).encode(), NOW)

    seen = Counter(offer.observed_at for offer in store.catalog(NOW).offers)
    assert {NOW: 6, EARLIER: 14} == seen
    assert result.changes is not None
    assert ((), 14) == (result.changes.delisted, result.changes.unconfirmed)


def test_a_few_delistings_are_believed(tmp_path: Path) -> None:
    """An offer that a whole and healthy poll no longer names is no longer sold."""
    store = Store.open(engine_of(tmp_path / "a.db"))
    poll(store, R, None, EARLIER)
    data = json.loads(recorded(R))
    del data["data"]["gpuTypes"][9]  # the RTX 4090, in two clouds

    result = poll(store, R, json.dumps(data).encode(), NOW)

    assert result.changes is not None
    assert {"rtx4090"} == {offer.gpu for offer in result.changes.delisted}
    assert 0 == result.quarantined
