"""Vast.ai: asks of verified and reliable hosts, settled by GPU and country.

`min_bid` is the floor for bids on interruptible machines, not a price that anyone pays,
so no spot price is read from it. Memory is in MiB.
"""

import json
from collections.abc import Iterable
from typing import Any

from core.wording import say
from prices.sources.marketplace import Asks
from prices.sources.payload import items_of, json_of
from prices.sources.rows import Quote, Rows, country, flag
from prices.sources.source import MEGABYTE, Moment, Reading, SourceSpec, Wire

NAME = "vast"
API = "https://console.vast.ai/api/v0/bundles/"
PAGE = "https://vast.ai/pricing"
RELIABLE = 0.95
WANTED = {
    "verified": {"eq": True},
    "reliability2": {"gte": RELIABLE},
    "rentable": {"eq": True},
    "rented": {"eq": False},
    "type": "on-demand",
    "order": [["dph_total", "asc"]],
    "limit": 4000,
}


def fetch(wire: Wire) -> Iterable[bytes]:
    """Ask for what can be rented now, cheapest first."""
    yield wire.post(API, json.dumps(WANTED).encode())


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the asks and settle them."""
    rows = Rows(NAME, PAGE, moment, "api")
    asks = Asks(rows)

    def one(offer: dict[str, Any]) -> None:
        if why := _not_ours(offer):
            rows.leave_out(why)
            return
        quote = Quote(
            price=offer["dph_total"],
            gpu=offer["gpu_name"],
            provider="vast",
            memory_gb=float(round(offer["gpu_ram"] / 1024)),
            count=offer["num_gpus"],
            region=_country(offer.get("geolocation")),
            tier="secure" if offer.get("hosting_type") == 1 else "community",
            includes="host",
            stock="in_stock",
            min_gpus=offer["num_gpus"],
        )
        asks.take(quote)

    rows.each(items_of(json_of(payload), "offers"), one)
    return asks.settle()


def _not_ours(offer: dict[str, Any]) -> str:
    """Say why nobody can rent an offer at its price, nothing where somebody can."""
    usual = "verified" if flag(offer.get("verified", True)) else ""
    trusted = offer.get("verification", usual) == "verified"
    if not trusted or (offer.get("reliability2", 1) or 0) < RELIABLE:
        return say("feeds.unreliable_host")
    if flag(offer.get("is_bid") or False):
        return say("feeds.bid_floor")
    if flag(offer.get("rented") or False) or offer.get("rentable") is False:
        return say("feeds.rented_out")
    return ""


def _country(place: str | None) -> str:
    """Return "SE" of "Sweden, SE"."""
    return country((place or "").rpartition(",")[2].strip())


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"console.vast.ai"}),
    label="api",
    limit_bytes=24 * MEGABYTE,
)
