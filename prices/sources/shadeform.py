"""Shadeform: some twenty clouds under one API, with the owner's key.

https://docs.shadeform.ai/api-reference/instances/instances-types. Prices are in cents,
for the instance and an hour, as the cloud behind it charges. A region's own price, of
spot, is in dollars, as text: "26.76" beside 5352.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from core.wording import say
from prices.sources.machines import provider_id
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, dollars, flag, gigabytes, listed, word
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "shadeform"
KEY = "SHADEFORM_API_KEY"
API = "https://api.shadeform.ai/v1/instances/types?available=true"
PAGE = "https://www.shadeform.ai/instances"


def fetch(wire: Wire, key: str) -> Iterable[bytes]:
    """Fetch what is available."""
    yield wire.get(API, {"X-API-KEY": key})


def read(payload: bytes, moment: Moment) -> Reading:
    """Read an offer for each region where there is one now."""
    rows = Rows(NAME, PAGE, moment, "api")

    def one(kind: dict[str, Any]) -> None:
        parts = kind.get("configuration", kind)
        machine = kind.get("cloud_instance_type") or kind["shade_instance_type"]
        quote = Quote(
            price=dollars(kind["hourly_price"]),
            gpu=parts["gpu_type"].replace("_", " "),
            provider=provider_id(kind["cloud"]),
            memory_gb=gigabytes(parts.get("vram_per_gpu_in_gb")),
            hints=(parts.get("interconnect") or "", machine),
            count=parts["num_gpus"],
            instance=machine,
            includes="host",
            seller_kind="reseller",
        )
        if parts["num_gpus"] == 0:
            rows.aside(quote.provider, quote.instance, reason=say("feeds.no_gpu"))
            return
        for place in listed(kind["availability"]):
            if not flag(place["available"]):
                rows.leave_out(say("feeds.not_available"))
                continue
            here = replace(quote, region=place.get("region") or "", stock="in_stock")
            asked, let = place.get("hourly_price"), word(place.get("rental_type"))
            if isinstance(asked, str):
                here.price = asked
            if let in ("", "on-demand"):
                rows.add(here)
            elif let != "spot":
                rows.leave_out(say("feeds.unknown_terms", let=let[:40]))
            elif isinstance(asked, str):
                rows.add(replace(here, pricing="spot"))
            else:
                rows.leave_out(say("feeds.spot_without_price"))

    return rows.each(
        member(json_of(payload), "instance_types"),
        one,
        lambda kind: provider_id(kind["cloud"]),
    )


def source(key: str) -> SourceSpec:
    """Return the feed with its key."""
    return SourceSpec(
        name=NAME,
        fetch=partial(fetch, key=key),
        read=read,
        hosts=frozenset({"api.shadeform.ai"}),
        label=NAME,
    )
