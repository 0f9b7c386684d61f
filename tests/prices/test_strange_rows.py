"""The world as it is: nulls, and rows that are not there."""

import json
from collections.abc import Iterator
from copy import deepcopy
from decimal import Decimal
from typing import Any

import pytest

from prices.sources.source import Reading
from tests.prices.feeds import MOMENT, PAYLOADS, READERS

NULLABLE = {
    "gpurentalprices.json": ("vram_gb", "source_url", "fetched_at", "ok"),
    "azure-retail.json": ("meterName", "savingsPlan"),
    "aws.json": ("Instance Family", "Location", "manifest"),
    "verda.json": ("gpu_memory", "size_in_gigabytes", "spot_price"),
    "digitalocean.json": ("vram", "amount", "regions", "available"),
    "primeintellect.json": ("socket", "dataCenter", "security", "stockStatus",
                            "cloudId", "gpuMemory"),
    "shadeform.json": ("interconnect", "vram_per_gpu_in_gb"),
    "lium.json": ("gpu_memory_gb",),
    "lambda.json": ("specs",),
    "runpod.json": ("displayName", "memoryInGb"),
}  # fmt: skip
"""What may be left unsaid without an offer being lost, by feed."""


def read(name: str, data: Any) -> Reading:
    """Read a payload that was changed."""
    return READERS[name](json.dumps(data, default=float).encode(), MOMENT)


def original(name: str) -> Any:
    """A payload as it was recorded."""
    text = (PAYLOADS / name).read_text()
    return json.loads(text, parse_float=Decimal)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a payload."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from objects(each)


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, keys in NULLABLE.items() for key in keys]
)
def test_what_is_left_unsaid_costs_no_offer(name: str, key: str) -> None:
    """A null stands for "not said": price, count and pricing stay as they were."""
    data = deepcopy(original(name))
    before = sold(read(name, data))
    rows = [one for one in objects(data) if key in one]
    for one in rows:
        one[key] = None

    found = sold(read(name, data))

    assert rows
    if key in ("savingsPlan", "spot_price"):
        assert found < before
    else:
        assert found == before


def sold(reading: Reading) -> set[tuple[object, ...]]:
    """The prices that were read, whatever machine they are of."""
    return {
        (p.provider, p.gpu_count, p.pricing, p.term_months, p.micro_usd_per_gpu_hour)
        for p in reading.points
    }
