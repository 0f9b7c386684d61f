"""Lambda's instance types, with the owner's API key.

Prices are in cents, for the instance and an hour, the same in every region; regions
stand beside them only where there is capacity now, so none is recorded.
"""

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, dollars
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "lambda"
KEY = "LAMBDA_API_KEY"
API = "https://cloud.lambda.ai/api/v1/instance-types"
PAGE = "https://lambda.ai/service/gpu-cloud"

_GPUS = re.compile(r"(?P<count>\d+)x (?P<gpu>.+?) \((?P<memory>\d+) GB ?(?P<form>.*)\)")
"""As in "8x H100 (80 GB SXM5)"; a machine without GPUs says "CPU only"."""


def fetch(wire: Wire, key: str) -> Iterable[bytes]:
    """Fetch the list."""
    yield wire.get(API, {"Authorization": f"Bearer {key}"})


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the list."""
    rows = Rows(NAME, PAGE, moment, "api")

    def one(entry: dict[str, Any]) -> None:
        kind = entry["instance_type"]
        named = _GPUS.fullmatch(kind["description"])
        stated = (kind.get("specs") or {}).get("gpus")
        if not named and not stated:
            rows.aside("lambda", kind["name"], reason="it has no GPU")
            return
        if not named or stated not in (None, int(named["count"])):
            raise ValueError(f"{stated} GPUs in “{kind['description']}”")
        rows.add(
            Quote(
                price=dollars(kind["price_cents_per_hour"]),
                gpu=named["gpu"],
                provider="lambda",
                memory_gb=float(named["memory"]),
                count=int(named["count"]),
                hints=(named["form"], kind["name"]),
                instance=kind["name"],
                includes="host",
            )
        )

    types = member(json_of(payload), "data", kind=dict)
    return rows.each(types.values(), one)


def source(key: str) -> SourceSpec:
    """Return the feed with its key."""
    return SourceSpec(
        name=NAME,
        fetch=partial(fetch, key=key),
        read=read,
        hosts=frozenset({"cloud.lambda.ai"}),
        label="api",
    )
