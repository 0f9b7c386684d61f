"""TensorDock's locations, with the owner's key.

https://dashboard.tensordock.com/api/docs/fetch-hostnodes. The price is of one GPU
alone: vCPUs, memory and storage are billed beside it.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from core.wording import say
from prices.sources.marketplace import Asks
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, number
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "tensordock"
KEY = "TENSORDOCK_API_KEY"
API = "https://dashboard.tensordock.com/api/v2/locations"
PAGE = "https://tensordock.com/cloud-gpus.html"


def fetch(wire: Wire, key: str) -> Iterable[bytes]:
    """Fetch every location."""
    yield wire.get(API, {"Authorization": f"Bearer {key}"})


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the GPUs of every location and settle them by country."""
    rows = Rows(NAME, PAGE, moment, "api")
    asks = Asks(rows)

    def one(place: dict[str, Any]) -> None:
        for gpu in place["gpus"]:
            if number(gpu.get("max_count")) == 0:
                rows.leave_out(say("feeds.none_free"))
                continue
            quote = Quote(
                price=gpu["price_per_hr"],
                gpu=gpu["displayName"],
                provider="tensordock",
                region=place["country"],
                alias=gpu.get("v0Name"),
                tier="community",
                includes="gpu_only",
            )
            asks.take(quote)

    rows.each(member(json_of(payload), "data", "locations"), one)
    return asks.settle()


def source(key: str) -> SourceSpec:
    """Return the feed with its key."""
    return SourceSpec(
        name=NAME,
        fetch=partial(fetch, key=key),
        read=read,
        hosts=frozenset({"dashboard.tensordock.com"}),
        label="api",
    )
