"""DigitalOcean's droplet sizes, with the owner's token.

Prices are for the droplet and an hour. A size without regions cannot be had now.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from core.wording import say
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, gigabytes, listed
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "digitalocean"
KEY = "DIGITALOCEAN_TOKEN"
API = "https://api.digitalocean.com/v2/sizes?per_page=500"
PAGE = "https://www.digitalocean.com/pricing/gpu-droplets"

_CONTRACTED = "-contracted"
"""Such a size is let under a contract alone, whose term is not published."""


def fetch(wire: Wire, key: str) -> Iterable[bytes]:
    """Fetch every size on one page."""
    yield wire.get(API, {"Authorization": f"Bearer {key}"})


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the sizes with GPUs, one offer a region."""
    rows = Rows(NAME, PAGE, moment, "api")

    def one(size: dict[str, Any]) -> None:
        gpu = size.get("gpu_info")
        if not gpu:
            rows.aside("digitalocean", size["slug"], reason=say("feeds.no_gpu"))
            return
        quote = Quote(
            price=size["price_hourly"],
            # "nvidia_h100", "amd_mi300x", "nvidia_rtx6000_ada"
            gpu=gpu["model"].replace("_", " "),
            provider="digitalocean",
            # the machine's: 640 for eight H100
            memory_gb=gigabytes((gpu.get("vram") or {}).get("amount"), gpu["count"]),
            count=gpu["count"],
            instance=size["slug"],
            includes="host",
        )
        if size["slug"].endswith(_CONTRACTED):
            quote.pricing, quote.term_months = "reserved", None
        if (places := size.get("regions")) is not None:
            sold = size.get("available") is not False and places
            quote.stock = "in_stock" if sold else "out"
        for region in listed(places or []) or ("",):
            rows.add(replace(quote, region=region))

    return rows.each(member(json_of(payload), "sizes"), one)


def source(key: str) -> SourceSpec:
    """Return the feed with its key."""
    return SourceSpec(
        name=NAME,
        fetch=partial(fetch, key=key),
        read=read,
        hosts=frozenset({"api.digitalocean.com"}),
        label="api",
    )
