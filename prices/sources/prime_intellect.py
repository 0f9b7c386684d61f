"""Prime Intellect's market of clouds, with the owner's key.

https://docs.primeintellect.ai/api-reference/check-gpu-availability. A price is for the
whole machine, and so is `gpuMemory`. An empty answer comes from a replica that lags,
not from a market that is sold out: it is an error, never a delisting.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from core.wording import say
from prices.sources.machines import provider_id
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, flag, gigabytes, stock_of
from prices.sources.source import Moment, PayloadError, Reading, SourceSpec, Wire

NAME = "primeintellect"
KEY = "PRIME_API_KEY"
API = "https://api.primeintellect.ai/api/v1/availability/gpus?page_size=100"
PAGE = "https://app.primeintellect.ai"
MOST_PAGES = 20


def fetch(wire: Wire, key: str) -> Iterable[bytes]:
    """Fetch every page."""
    seen = 0
    for number in range(1, MOST_PAGES + 1):
        page = wire.get(f"{API}&page={number}", {"Authorization": f"Bearer {key}"})
        yield page
        data = json_of(page)
        found = len(member(data, "items"))
        seen += found
        if not found or seen >= int(data.get("totalCount", seen)):
            return
    raise PayloadError(say("feeds.pages", most=MOST_PAGES))


def read(payload: bytes, moment: Moment) -> Reading:
    """Read one page."""
    rows = Rows(NAME, PAGE, moment, "api")

    def one(offer: dict[str, Any]) -> None:
        count, prices = offer["gpuCount"], offer["prices"]
        if offer["gpuType"].startswith("CPU"):
            rows.leave_out(say("feeds.no_gpu"))
            return
        price = prices.get("onDemand")
        if price is None:
            price = prices.get("communityPrice")
        rows.add(
            Quote(
                price=price,
                gpu=offer["gpuType"].replace("_", " "),
                provider=provider_id(offer["provider"]),
                memory_gb=gigabytes(offer.get("gpuMemory"), count),
                hints=(offer.get("socket") or "",),
                count=count,
                instance=offer["cloudId"] or "",
                region=offer.get("dataCenter") or offer.get("country") or "",
                pricing="spot" if flag(offer.get("isSpot") or False) else "on_demand",
                tier="community"
                if offer.get("security") == "community_cloud"
                else "secure",
                includes="host",
                # the cloud behind it has prices of its own
                seller_kind="reseller",
                stock=stock_of(offer.get("stockStatus")),
                currency=prices.get("currency") or "USD",
                optional=True,
            )
        )

    return rows.each(
        member(json_of(payload), "items"), one, lambda o: provider_id(o["provider"])
    )


def source(key: str) -> SourceSpec:
    """Return the feed with its key."""
    return SourceSpec(
        name=NAME,
        fetch=partial(fetch, key=key),
        read=read,
        hosts=frozenset({"api.primeintellect.ai"}),
        label=NAME,
        foreign=True,
    )
