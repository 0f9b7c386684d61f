"""Corrupted payloads: nothing wrong enters, the rest does, each with its reason."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest

from core.reference.exchange import exchange_rates
from prices.quarantine import Kind, Quarantine
from prices.rates import RateBook
from prices.refresh import SourceResult, refresh
from prices.store import Store
from tests.prices.feeds import NOW, feed, offline, recorded

Edit = Callable[[Any], object]
EARLIER = NOW - timedelta(hours=1)


@dataclass(frozen=True)
class Raw:
    """A change of the bytes, not of what they mean."""

    change: Callable[[bytes], bytes]


@dataclass(frozen=True)
class Case:
    """One corruption of one feed, and what is to be said of it."""

    feed: str
    what: str
    edit: Edit | Raw
    kind: str
    said: str
    lost: int = 1
    """How many offers cannot be read any longer, where nothing was known before."""
    known_only: bool = False
    """Whether it can be told only where the offers were known before."""


def row(*path: str | int, **values: Any) -> Edit:
    """Change the fields of one object."""

    def edit(data: Any) -> None:
        found = data
        for step in path:
            found = found[step]
        found.update(values)

    return edit


def at(*path: str | int, value: Any) -> Edit:
    """Put a value in place of another."""

    def edit(data: Any) -> None:
        found = data
        for step in path[:-1]:
            found = found[step]
        found[path[-1]] = value

    return edit


def text(old: str, new: str, times: int = 1) -> Raw:
    """Replace a piece of the text."""

    def change(payload: bytes) -> bytes:
        assert old.encode() in payload
        return payload.replace(old.encode(), new.encode(), times)

    return Raw(change)


def cut(share: float) -> Raw:
    """Keep only the beginning."""
    return Raw(lambda payload: payload[: int(len(payload) * share)])


def whole(new: bytes) -> Raw:
    """Send something else altogether."""
    return Raw(lambda _payload: new)


HTML = b"<!DOCTYPE html><html><body>503 Service Unavailable</body></html>"
R, V, L, Z = "runpod.json", "verda.json", "oci-list.json", "azure-retail.json"
G, S, P, H = (
    "gcp-machine-types.yml",
    "aws-spot.json",
    "gpurentalprices.json",
    "gpuhunt.jsonl",
)
GPUS = ("data", "gpuTypes")
SIZES = ("config", "regions", 0, "instanceTypes", 1, "sizes")
LINUX = ("valueColumns", 0, "prices")

CASES = [
    Case(R, "zero", row(*GPUS, 0, securePrice=0), "not a price", "zero"),
    Case(R, "negative", row(*GPUS, 0, securePrice=-2.5), "not a price", "negative"),
    Case(R, "nan", row(*GPUS, 0, securePrice=float("nan")), "not a price", "number"),
    Case(R, "infinite", row(*GPUS, 0, communityPrice=float("inf")), "not a price",
         "not a number"),
    Case(R, "words", row(*GPUS, 0, securePrice="call us"), "not a price", "number"),
    Case(R, "comma", row(*GPUS, 0, securePrice="2,69"), "not a price", "number"),
    Case(R, "true", row(*GPUS, 0, securePrice=True), "not a price", "number"),
    Case(R, "a list", row(*GPUS, 0, securePrice=[3.49]), "not a price", "number"),
    Case(R, "a huge exponent", row(*GPUS, 0, securePrice="1e999999"), "not a price",
         "million dollars"),
    Case(R, "a tiny exponent", row(*GPUS, 0, securePrice="1e-999"), "not a price",
         "millionth"),
    Case(R, "a cent for a B200", row(*GPUS, 4, securePrice=0.01), "bounds", "below"),
    Case(R, "$300 for an H100", row(*GPUS, 0, securePrice=300), "bounds", "above"),
    Case(R, "eight times", row(*GPUS, 0, securePrice=27.92), "bounds", "above"),
    Case(R, "61 % up", row(*GPUS, 1, securePrice=4.66), "jump", "+61% at once",
         known_only=True),
    Case(R, "61 % down", row(*GPUS, 1, securePrice=1.12), "jump", "-61% at once",
         known_only=True),
    Case(R, "no memory", at(*GPUS, 0, "memoryInGb", value=None), "shape", "shape",
         lost=4),
    Case(R, "no name", at(*GPUS, 0, "displayName", value=None), "shape", "shape",
         lost=4),
    Case(R, "no list", at("data", "gpuTypes", value=None), "payload", "not a list"),
    Case(R, "an error of the API", whole(b'{"errors": [{"message": "rate"}]}'),
         "payload", "no “data”"),
    Case(R, "html", whole(HTML), "payload", "web page"),
    Case(R, "nothing", whole(b""), "payload", "empty"),
    Case(R, "bytes", whole(b"\xff\xfe\x00\x01" * 9), "payload", "UTF-8"),
    Case(R, "a key twice", whole(b'{"data": 1, "data": {"gpuTypes": []}}'),
         "payload", "stands twice"),
    Case(R, "deep", whole(b'{"data":' + b"[" * 200_000), "payload", "JSON"),
    Case(R, "a number of 9,000 digits", whole(b'{"data":' + b"9" * 9000 + b"}"),
         "payload", "JSON"),
    Case(R, "an empty list", at("data", "gpuTypes", value=[]), "payload", "no offers"),
    Case(R, "half of it gone", at("data", "gpuTypes", value=[{
        "id": "NVIDIA L40S", "displayName": "L40S", "memoryInGb": 48,
        "securePrice": 1.09, "communityPrice": 0.79}]), "shrunk",
        "2 offers where 20 stood", known_only=True),
    Case(V, "blank", row(0, price_per_hour="NaN"), "not a price", "not a number"),
    Case(V, "spot above on-demand", row(2, spot_price="2.80"), "spot", "no lower"),
    Case(V, "spot as on-demand", row(2, spot_price="2.29"), "spot", "no lower"),
    Case(V, "a tenth", row(1, spot_price="0.329"), "bounds", "below"),
    Case(V, "a tenth of a V100", row(7, spot_price="0.017"), "bounds", "below", lost=0),
    Case(V, "minus one GPU", at(3, "gpu", "number_of_gpus", value=-1), "shape", "GPUs",
         lost=1),
    Case(V, "half a GPU", at(3, "gpu", "number_of_gpus", value=8.5), "shape",
         "no number of GPUs", lost=1),
    Case(V, "eight in words", at(3, "gpu", "number_of_gpus", value="eight"), "shape",
         "shape", lost=1),
    Case(V, "8,000 GPUs", at(3, "gpu", "number_of_gpus", value=8000), "shape",
         "8000 GPUs", lost=1),
    Case(V, "a total of totals", row(3, price_per_hour="146.56"), "total",
         "8 times the usual $2.29"),
    Case(V, "one GPU's price for eight", row(3, price_per_hour="2.29"), "bounds",
         "below"),
    Case(V, "one GPU's price for eight B200", row(0, price_per_hour="4.79"), "jump",
         "the factor is the number of GPUs", known_only=True),
    Case(V, "swapped", row(6, price_per_hour="0.46", spot_price="0.91"), "swapped",
         "below the spot price beside it", known_only=True),
    Case(V, "the name of a dearer GPU", at(3, "gpu", "description",
                                           value="8x H200 SXM5 141GB"), "machine",
         "held 8 of h100-80gb-sxm", known_only=True),
    Case(V, "half the GPUs", at(3, "gpu", "number_of_gpus", value=4), "machine",
         "held 8 of h100-80gb-sxm", known_only=True),
    Case(V, "cut off", cut(0.6), "payload", "truncated or broken JSON"),
    Case(V, "an object", whole(b'{"instances": []}'), "payload", "not a list"),
    Case(L, "zero", at("items", 3, "currencyCodeLocalizations", 0, "prices", 0, "value",
                       value=0), "not a price", "zero"),
    Case(L, "a thousandth", at("items", 3, "currencyCodeLocalizations", 0, "prices", 0,
                               "value", value=0.01), "bounds", "below"),
    Case(L, "no prices", at("items", 3, "currencyCodeLocalizations", value=None),
         "shape", "shape", lost=1),
    Case(L, "half of it gone", lambda data: data["items"].__delitem__(slice(1, 10)),
         "shrunk", "3 offers where 12 stood", known_only=True),
    Case(Z, "an H100 for nothing", row("Items", 0, retailPrice=0), "not a price",
         "zero"),
    Case(Z, "a reservation by the hour", row("Items", 4, retailPrice=65.2), "bounds",
         "below"),
    Case(Z, "an hour for a term", row("Items", 0, retailPrice=571094.0), "bounds",
         "above"),
    Case(Z, "a term dearer than none", row("Items", 4, retailPrice=890000.0),
         "reserved", "dearer than $12.29 on demand"),
    Case(Z, "spot above on-demand", row("Items", 10, retailPrice=7.5), "spot",
         "no lower"),
    Case(Z, "spot at a tenth", row("Items", 17, retailPrice=0.0526), "spot", "a tenth"),
    Case(Z, "an unknown currency", row("Items", 9, currencyCode="XAU"), "not a price",
         "no dated XAU rate", lost=2),
    Case(Z, "no region", at("Items", 9, "armRegionName", value=7), "shape", "no name",
         lost=2),
    Case(Z, "a date that is none", row("Items", 9, effectiveStartDate="soon"), "shape",
         "isoformat", lost=2),
    Case(Z, "a term that is none", row("Items", 4, reservationTerm="5 Years"), "shape",
         "5 Years", lost=1),
    Case(G, "zero", text("hour: 3.673385", "hour: 0"), "not a price", "zero"),
    Case(G, "nan", text("hour: 3.673385", "hour: .nan"), "not a price", "number"),
    Case(G, "negative", text("hour: 3.673385", "hour: -3.67"), "not a price",
         "negative"),
    Case(G, "eight times", text("hour: 40.5503", "hour: 324.4"), "bounds", "above"),
    Case(G, "spot above on-demand", text("hour_spot: 1.293355", "hour_spot: 3.7"),
         "spot", "no lower"),
    Case(G, "a commitment by the hour", text("month_1y: 45000.0", "month_1y: 61.6"),
         "bounds", "below"),
    Case(G, "two thirds dearer", text("hour: 0.7069", "hour: 1.19"), "jump", "+68%",
         known_only=True),
    Case(G, "cut off", cut(0.5), "payload", "cut off"),
    Case(G, "no date", text("  timestamp: 1795060420\n", ""), "payload", "no date"),
    Case(G, "html", whole(HTML), "payload", "web page"),
    Case(G, "no machines", text("  instance:", "  machines:"), "payload", "no machine"),
    Case(S, "zero", at(*SIZES, 0, *LINUX, "USD", value="0"), "not a price", "zero"),
    Case(S, "minus one", at(*SIZES, 0, *LINUX, "USD", value="-1"), "not a price",
         "negative"),
    Case(S, "a cent", at(*SIZES, 0, *LINUX, "USD", value="0.01"), "bounds", "below"),
    Case(S, "no columns", at(*SIZES, 0, "valueColumns", value=None), "shape", "shape"),
    Case(S, "wrapped", Raw(lambda p: b"callback(" + p + b")"), "payload", "JSON"),
    Case(P, "zero", row("offers", 0, usd_hr=0), "not a price", "zero"),
    Case(P, "a total per GPU", row("offers", 0, usd_hr=68.8), "bounds", "above"),
    Case(P, "a new kind", row("offers", 0, kind="auction"), "shape", "auction",
         lost=1),
    Case(P, "a date that is none", row("offers", 0, fetched_at="yesterday"), "shape",
         "isoformat", lost=1),
    Case(P, "minus eight GPUs", row("offers", 0, min_gpus=-8), "shape", "GPUs",
         lost=1),
    Case(P, "a name of 10,000 letters", row("offers", 0, gpu="H" * 10_000), "shape",
         "too long", lost=1),
    Case(P, "a bell in a name", row("offers", 0, provider="core\x07weave"), "shape",
         "cannot be printed", lost=1),
    Case(P, "a provider mostly gone", lambda data: data["offers"].__delitem__(
        slice(0, 4)), "shrunk", "1 offers where 5 stood", known_only=True),
    Case("vast.json", "zero", row("offers", 8, dph_total=0), "not a price", "zero"),
    Case("vast.json", "a bid floor", row("offers", 15, dph_total=0.08), "bounds",
         "below"),
    Case("vast.json", "no memory", row("offers", 8, gpu_ram="lots"), "shape", "shape",
         lost=1),
    Case("lium.json", "negative", row("nodes", 6, price_per_gpu_hour=-1),
         "not a price", "negative"),
    Case("lium.json", "no count", row("nodes", 6, available_gpu_count="all"), "shape",
         "shape", lost=1),
    Case(H, "$0 for a p5", text("55.04, 8", "0.0, 8"), "not a price", "zero"),
    Case(H, "nan", text("55.04, 8", "NaN, 8"), "not a price", "not a number"),
    Case(H, "an eighth", text("31.92, 8", "3.99, 8", 3), "jump", "number of GPUs",
         known_only=True),
    Case(H, "a tenth of on-demand", text("0.424, 1", "0.1006, 1"), "spot", "a tenth"),
    Case(H, "no end", text('{"failed": ["cloudrift", "nebius", "oci"]}\n', ""),
         "payload", "cut off"),
    Case(H, "a line short", text('"offers": 10', '"offers": 11'), "payload",
         "without a provider"),
    Case(H, "no date", text("20261120-7312", "latest"), "payload", "without a date"),
    Case("lambda.json", "zero", row("data", "gpu_1x_gh200", "instance_type",
                                    price_cents_per_hour=0), "not a price", "zero"),
    Case("lambda.json", "dollars for cents", row(
        "data", "gpu_1x_gh200", "instance_type", price_cents_per_hour=2), "bounds",
        "below"),
    Case("own.csv", "words", text(",0.61,", ",cheap,"), "not a price", "number"),
    Case("own.csv", "a misspelt column", text("region", "regoin"), "payload",
         "unknown field 'regoin'"),
    Case("own.csv", "a new pricing", text("on_demand", "on-sale"), "shape",
         "'on_demand'", lost=1),
]  # fmt: skip


def corrupted(case: Case) -> bytes:
    """Return the payload of a case."""
    payload = recorded(case.feed)
    if isinstance(case.edit, Raw):
        return case.edit.change(payload)
    data = json.loads(payload)
    case.edit(data)
    return json.dumps(data).encode()


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
    held = Quarantine(store.path).entries()
    return [entry.reason for entry in held if entry.kind == case.kind]


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
        self.clean[name] = prices(store)
        return store

    def _copy(self, name: str, make: Callable[[Store], object], to: Path) -> Store:
        made = self._folder / f"{name}.db"
        if not made.exists():
            store = Store.open(made)
            RateBook(made).pin(NOW.date(), exchange_rates())
            make(store)
        # nobody writes now; the log has to come along
        for part in self._folder.glob(f"{name}.db*"):
            shutil.copy(part, to / part.name)
        return Store.open(to / made.name)


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
    assert (case.kind != "payload") == result.ok
    assert any(case.said in reason for reason in reasons(store, case))
    assert result.ok or case.said in result.error


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
    kinds = set(get_args(Kind)) - {"differs"}
    assert kinds == {case.kind for case in CASES}


def test_duplicates_collapse_to_the_lowest(tmp_path: Path) -> None:
    """Two prices of one offer in one poll are one: the lower, in any order."""
    store = Store.open(tmp_path / "a.db")
    poll(store, P, None, NOW)

    (v100,) = [o for o in store.latest("v100-16gb") if o.provider == "spheron"]
    assert Decimal("0.1") == v100.usd_per_gpu_hour


def test_a_duplicate_out_of_bounds_does_not_displace_the_other(tmp_path: Path) -> None:
    """Of two prices of one offer the one that is absurd is held, the other listed."""
    data = json.loads(recorded(P))
    data["offers"][18]["usd_hr"] = 0.0001
    store = Store.open(tmp_path / "a.db")

    result = poll(store, P, json.dumps(data).encode(), NOW)

    (v100,) = [o for o in store.latest("v100-16gb") if o.provider == "spheron"]
    assert (Decimal("0.14"), 1) == (v100.usd_per_gpu_hour, result.quarantined)


def test_a_feed_never_shrinks_silently(tmp_path: Path) -> None:
    """Offers that half a feed forgets stand on, unconfirmed and growing older."""
    store = Store.open(tmp_path / "a.db")
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
    store = Store.open(tmp_path / "a.db")
    poll(store, R, None, EARLIER)
    data = json.loads(recorded(R))
    del data["data"]["gpuTypes"][9]  # the RTX 4090, in two clouds

    result = poll(store, R, json.dumps(data).encode(), NOW)

    assert result.changes is not None
    assert {"rtx4090"} == {offer.gpu for offer in result.changes.delisted}
    assert 0 == result.quarantined
