"""Lium: the public feed of nodes that can be rented now, settled by GPU and country.

https://docs.lium.io/developers/public-nodes-feed promises that fields are only added.
Prices are per GPU-hour. The site's own list (`/api/executors`) names the same facts in
other words, and is read too. A node is rented in any number of GPUs between its
smallest order and what is free; the whole of what is free is what is read here.
"""

from collections.abc import Iterable
from typing import Any

from core.wording import say
from prices.sources.machines import form_hints
from prices.sources.marketplace import Asks
from prices.sources.payload import items_of, json_of
from prices.sources.rows import Quote, Rows, country, gigabytes, total_of, whole
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "lium"
API = "https://lium.io/api/public/v1/nodes"
PAGE = "https://lium.io"


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch every node."""
    yield wire.get(API)


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the nodes and settle them."""
    rows = Rows(NAME, PAGE, moment, "api")
    asks = Asks(rows)

    def one(row: dict[str, Any]) -> None:
        node = _renamed(row) if "machine_name" in row else row
        held = whole(node["gpu_count"] or 0)
        free = min(whole(node["available_gpu_count"] or 0), held)
        smallest = whole(node.get("min_rentable_gpu_count")) or held
        if free < max(smallest, 1):
            rows.leave_out(say("feeds.not_free"))
            return
        quote = Quote(
            price=total_of(node["price_per_gpu_hour"], free),
            gpu=node["gpu_model"],
            hints=form_hints(node["gpu_model"]),
            provider="lium",
            memory_gb=gigabytes(node.get("gpu_memory_gb")),
            count=free,
            region=country((node.get("country_code") or "").upper()),
            pricing="spot" if node.get("tier") == "spot" else "on_demand",
            tier="community",
            includes="host",
            stock="in_stock",
            min_gpus=smallest,
        )
        asks.take(quote)

    rows.each(items_of(json_of(payload), "nodes"), one)
    return asks.settle()


def _renamed(executor: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the site's own list under the feed's names."""
    return {
        "gpu_model": executor["machine_name"],
        "price_per_gpu_hour": executor["price_per_gpu"],
        "gpu_count": executor["gpu_count"],
        "available_gpu_count": executor["available_gpu_count"],
        "min_rentable_gpu_count": executor.get("min_gpu_count_for_rental"),
        "country_code": (executor.get("location") or {}).get("country_code"),
        "tier": executor.get("tier"),
    }


SOURCE = SourceSpec(
    name=NAME, fetch=fetch, read=read, hosts=frozenset({"lium.io"}), label="api"
)
