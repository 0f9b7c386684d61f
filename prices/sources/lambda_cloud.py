"""Lambda's instance types, with the owner's API key.

Prices are in cents, for the instance and an hour, the same in every region; regions
stand beside them only where there is capacity now, so none is recorded.
"""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from core.offers import Stock
from core.wording import say
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, dollars, listed
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "lambda"
KEY = "LAMBDA_API_KEY"
API = "https://cloud.lambda.ai/api/v1/instance-types"
PAGE = "https://lambda.ai/service/gpu-cloud"

_GPUS = re.compile(
    r"(?P<count>\d+)x (?P<gpu>.+?)( \((?P<memory>\d+) GB ?(?P<form>.*)\))?"
)
"""As in "8x H100 (80 GB SXM5)"; a machine without GPUs says "CPU only"."""


def fetch(wire: Wire, key: str) -> Iterable[bytes]:
    """Fetch the list."""
    yield wire.get(API, {"Authorization": f"Bearer {key}"})


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the list."""
    rows = Rows(NAME, PAGE, moment, "api")

    def one(entry: dict[str, Any]) -> None:
        kind = entry["instance_type"]
        stated = (kind.get("specs") or {}).get("gpus")
        named = _named(kind["description"], f"{stated}x {kind.get('gpu_description')}")
        if not named and not stated:
            rows.aside("lambda", kind["name"], reason=say("feeds.no_gpu"))
            return
        if not named or stated not in (None, int(named["count"])):
            raise ValueError(
                say("feeds.odd_count_quoted", count=stated, name=kind["description"])
            )
        rows.add(
            Quote(
                price=dollars(kind["price_cents_per_hour"]),
                gpu=named["gpu"],
                provider="lambda",
                memory_gb=float(named["memory"]) if named["memory"] else None,
                count=int(named["count"]),
                hints=(named["form"] or "", kind["name"]),
                instance=kind["name"],
                includes="host",
                stock=_stock(entry.get("regions_with_capacity_available")),
            )
        )

    types = member(json_of(payload), "data", kind=dict)
    return rows.each(types.values(), one)


def _stock(regions: Any) -> Stock:
    if regions is None:
        return "unknown"
    return "in_stock" if listed(regions) else "out"


def _named(described: str, gpus: str) -> re.Match[str] | None:
    """Return what names the GPUs; the one that knows their memory is better."""
    first, second = _GPUS.fullmatch(described), _GPUS.fullmatch(gpus)
    better = second if second and second["memory"] else first
    return first if first and first["memory"] else better


def source(key: str) -> SourceSpec:
    """Return the feed with its key."""
    return SourceSpec(
        name=NAME,
        fetch=partial(fetch, key=key),
        read=read,
        hosts=frozenset({"cloud.lambda.ai"}),
        label="api",
    )
