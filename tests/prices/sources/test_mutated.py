"""Payloads as they may be tomorrow: what is read of them is right, or is set aside."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.offers import PricePoint
from prices.sources.payload import unzipped
from prices.sources.source import PayloadError, Read, Reading, Refused
from tests.prices.feeds import EUR, MOMENT, READERS, recorded

Offer = tuple[object, ...]
Mutation = Callable[[Any], Any]
RECORDED = Path(__file__).parents[4] / "shared" / "data" / "prices-recorded"
PUBLISHED = {
    "gpurentalprices-2026-10-10.json.gz": "gpurentalprices.json",
    "gpurentalprices-2026-08-22.json": "gpurentalprices.json",
    "azure-retail-eastus2-2026-10.json": "azure-retail.json",
    "aws-ondemand-7-regions-2026-10.json": "aws.json",
    "aws-ondemand-us-east-1-2026-10-07.json": "aws.json",
    "runpod-gputypes-2025-06.json": "runpod.json",
}
"""Payloads that sources really published, by the feed whose shape they have."""
JSON = [name for name in READERS if name.endswith(".json")]
COUNTS = frozenset(
    "gpuCount gpu_count num_gpus number_of_gpus gpus count min_gpus "
    "available_gpu_count min_rentable_gpu_count maxGpuCount".split()
)
REGIONS = frozenset(
    "armRegionName region dataCenter country country_code geolocation Location".split()
)
DATES = frozenset("fetched_at effectiveStartDate observed_at generated_at".split())
EARLY, LATER = "2025-01-02T00:00:00Z", "2031-01-02T00:00:00Z"


def changed(value: Any, change: Callable[[str, Any], Any], key: str = "") -> Any:
    """Return a payload in which every value was changed by its key."""
    if isinstance(value, dict):
        return {name: changed(each, change, name) for name, each in value.items()}
    if isinstance(value, list):
        return [changed(each, change, key) for each in value]
    return change(key, value)


def widened(value: Any) -> Any:
    """Give every object of some depth a key that nobody knows."""
    if isinstance(value, list):
        return [widened(each) for each in value]
    if not isinstance(value, dict):
        return value
    inner = {name: widened(each) for name, each in value.items()}
    is_row = any(not isinstance(each, dict | list) for each in value.values())
    return inner | ({"newSinceToday": {"a": [1, None]}} if is_row else {})


def shuffled(value: Any) -> Any:
    """Put rows and keys in another order."""
    order = random.Random(7)  # noqa: S311 - an order, no secret
    if isinstance(value, dict):
        names = order.sample(list(value), len(value))
        return {name: shuffled(value[name]) for name in names}
    if isinstance(value, list):
        return [shuffled(each) for each in order.sample(value, len(value))]
    return value


def _text(_key: str, value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return repr(value) if is_number else value


def _halved(key: str, value: Any) -> Any:
    is_count = key in COUNTS and isinstance(value, int) and not isinstance(value, bool)
    return value // 2 if is_count and value % 2 == 0 else value


def _elsewhere(key: str, value: Any) -> Any:
    return (
        f"{value}-9" if key in REGIONS and isinstance(value, str) and value else value
    )


def _dated(day: str) -> Callable[[str, Any], Any]:
    now = MOMENT.at.isoformat()
    return lambda key, value: day if key in DATES and str(value) < now else value


def _in(currency: str) -> Callable[[str, Any], Any]:
    def change(key: str, value: Any) -> Any:
        return currency if key.lower().endswith(("currency", "currencycode")) else value

    return change


def read(reader: Read, data: Any) -> Reading:
    """Read a changed payload; one that is refused as a whole holds no offer."""
    try:
        return reader(json.dumps(data).encode(), MOMENT)
    except PayloadError as fault:
        return Reading(refused=[Refused("all", str(fault))] * 1000)


def payload_of(name: str) -> tuple[Any, Read]:
    """Return a recorded payload as data, and who reads it."""
    if name in READERS:
        return json.loads(recorded(name)), READERS[name]
    if not RECORDED.is_dir():
        pytest.skip("the recorded payloads are not beside the repository")
    sent = unzipped((RECORDED / name).read_bytes())
    return json.loads(sent), READERS[PUBLISHED[name]]


def offers(reading: Reading, *but: str) -> Counter[Offer]:
    """Count the offers of a reading; `but` for what may differ."""

    def values(point: PricePoint) -> Offer:
        said = {
            "instance": point.instance,
            "count": point.gpu_count,
            "region": point.region,
            "stock": point.stock,
            "smallest": point.min_gpus,
            "price": point.micro_usd_per_gpu_hour,
        }
        seat = (point.provider, point.gpu, point.pricing, point.term_months, point.tier)
        return (*seat, *(value for name, value in said.items() if name not in but))

    return Counter(map(values, reading.points))


def told(reading: Reading) -> int:
    """Count what was set aside for a reason."""
    return len(reading.refused) + sum(reading.left_out.values())


def _respelt(key: str, value: Any) -> Any:
    is_word = key in {"kind", "availability"} and isinstance(value, str)
    return value.replace("-", "_").title() if is_word else value


SAME: dict[str, Mutation] = {
    "words in another spelling": lambda data: changed(data, _respelt),
    "unknown keys": widened,
    "another order": shuffled,
    "early dates": lambda data: changed(data, _dated(EARLY)),
}
FEWER: dict[str, tuple[Mutation, tuple[str, ...]]] = {
    "numbers as text": (lambda data: changed(data, _text), ()),
    "later dates": (lambda data: changed(data, _dated(LATER)), ()),
    "other regions": (lambda data: changed(data, _elsewhere), ("region",)),
}
NAMES = [*(name for name in JSON if name != "own.json"), *PUBLISHED]


@pytest.mark.parametrize("mutation", SAME)
@pytest.mark.parametrize("name", NAMES)
def test_what_says_nothing_of_a_price_changes_none(name: str, mutation: str) -> None:
    """Keys, order and dates of the past: every offer reads as before."""
    data, reader = payload_of(name)

    before, after = read(reader, data), read(reader, SAME[mutation](data))

    assert offers(before) == offers(after)
    assert len(before.refused) == len(after.refused)


@pytest.mark.parametrize(
    "name",
    [
        "gpurentalprices.json",
        "runpod.json",
        "azure-retail.json",
        "aws.json",
        *PUBLISHED,
    ],
)
def test_a_number_is_one_as_text_too(name: str) -> None:
    """The feeds without keys: a count or a price in quotation marks costs no offer."""
    data, reader = payload_of(name)

    assert offers(read(reader, data)) == offers(read(reader, changed(data, _text)))


@pytest.mark.parametrize("mutation", FEWER)
@pytest.mark.parametrize("name", [*JSON, *PUBLISHED])
def test_what_cannot_be_read_is_set_aside(name: str, mutation: str) -> None:
    """No price, count, pricing or stock is another; what is gone has its cause."""
    change, but = FEWER[mutation]
    data, reader = payload_of(name)
    before, after = read(reader, data), read(reader, change(data))

    assert offers(after, *but) <= offers(before, *but)
    if len(after.points) < len(before.points):
        assert told(after) > told(before)


@pytest.mark.parametrize("name", [*JSON, *PUBLISHED])
def test_another_currency_is_never_read_as_dollars(name: str) -> None:
    """It is converted at the day's rate, or nothing is read that names it."""
    data, reader = payload_of(name)
    euros, unknown = changed(data, _in("EUR")), changed(data, _in("XTS"))
    if euros == data:
        return
    before, after = read(reader, data), read(reader, euros)

    usual = {(p.provider, p.instance, p.gpu, p.gpu_count, p.region, p.pricing,
              p.term_months, p.raw_total): p for p in before.points}  # fmt: skip
    assert [] == read(reader, unknown).points
    assert after.points or told(after) > told(before)
    for point in after.points:
        seat = (point.provider, point.instance, point.gpu, point.gpu_count)
        place = (point.region, point.pricing, point.term_months, point.raw_total)
        assert "EUR" == point.currency
        assert (*seat, *place) in usual
        one = point.raw_total / point.gpu_count / EUR.per_usd
        assert abs(one * 1_000_000 - point.micro_usd_per_gpu_hour) <= 1


@pytest.mark.parametrize("name", [*JSON, *PUBLISHED])
def test_another_count_keeps_the_total_or_the_price_of_one(name: str) -> None:
    """Half the GPUs: the machine's price is shared by them, or each asks the same."""
    data, reader = payload_of(name)
    before, after = read(reader, data), read(reader, changed(data, _halved))
    totals = Counter(point.raw_total for point in before.points)
    each = Counter(point.micro_usd_per_gpu_hour for point in before.points)

    for point in after.points:
        one = point.micro_usd_per_gpu_hour
        assert totals[point.raw_total] or each[one]
        if point.currency == "USD":
            shared = point.raw_total / point.gpu_count * 1_000_000
            assert abs(one - shared) <= 1
    if len(after.points) < len(before.points):
        assert told(after) > told(before)


def test_lists_that_are_no_json_may_grow() -> None:
    """Google's machines and SkyPilot's columns: what is new changes no offer."""
    machines = recorded("gcp-machine-types.yml").decode()
    lines = machines.replace(
        "          hour:", "          new-price: 0.01\n          hour:"
    )
    table = recorded("skypilot.csv").decode().splitlines()
    cloud, head, *rows = table
    wider = [cloud, f"{head},NewColumn", *(f"{row},0.01" for row in rows[::-1])]

    assert lines != machines
    for name, grown in (
        ("gcp-machine-types.yml", lines),
        ("skypilot.csv", "\n".join(wider)),
    ):
        found = READERS[name](grown.encode(), MOMENT)
        assert offers(found) == offers(READERS[name](recorded(name), MOMENT))


def test_aws_names_a_region_in_either_way() -> None:
    """EU and Europe are one; a region for governments alone is set aside."""
    data, reader = payload_of("aws.json")
    old, names = "US East (N. Virginia)", {
        "EU (Ireland)": "eu-west-1",
        "Europe (Ireland)": "eu-west-1",
        "EU (Zurich)": "eu-central-2",
        "Asia Pacific (Thailand)": "ap-southeast-7",
    }  # fmt: skip

    def regions(name: str) -> set[str]:
        moved = json.loads(json.dumps(data).replace(old, name))
        return {point.region for point in read(reader, moved).points}

    assert names == {name: "".join(regions(name)) for name in names}
    assert not regions("AWS GovCloud (US-West)")
