"""GPU rental prices by Adrian Nutiu: 34 providers' price pages, read daily.

It covers those that publish only pages: CoreWeave, Together, Crusoe, Modal, Spheron.
A price is per GPU, with the smallest number of GPUs that is sold. The rows of AWS,
Azure and Google Cloud disagree with these providers' own lists and are left out. A
provider whose page could not be read keeps its last prices with their date.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from core.offers import Pricing, Tier
from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows, flag, total_of
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "gpurentalprices"
REPOSITORY = "https://github.com/adriannutiu/gpu-rental-prices"
RAW = (
    "https://raw.githubusercontent.com/adriannutiu/gpu-rental-prices/"
    "main/data/latest.json"
)
HYPERSCALERS = frozenset({"aws", "azure", "gcp"})
_KINDS: dict[str, tuple[Pricing, Tier]] = {
    "on-demand": ("on_demand", "standard"),
    "secure": ("on_demand", "secure"),
    "community": ("on_demand", "community"),
    "serverless": ("on_demand", "serverless"),
    "spot": ("spot", "standard"),
}


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch the latest day."""
    yield wire.get(RAW)


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the offers of every provider but the hyperscalers."""
    data = json_of(payload)
    known = member(data, "providers", kind=dict)
    rows = Rows(NAME, REPOSITORY, moment, "price_page")

    def one(offer: dict[str, Any]) -> None:
        if offer["provider"] in HYPERSCALERS:
            return
        if offer["provider"] not in known:
            raise ValueError(f"{offer['provider']!r} is none of its providers")
        pricing, tier = _KINDS[offer["kind"]]
        count = offer.get("min_gpus") or 1
        rows.add(
            Quote(
                price=total_of(offer["usd_hr"], count),
                gpu=offer["gpu"],
                provider=offer["provider"],
                memory_gb=offer["vram_gb"] and float(offer["vram_gb"]),
                count=count,
                pricing=pricing,
                tier=tier,
                observed_at=_instant(offer["fetched_at"]),
                url=offer.get("source_url") or "",
            )
        )

    reading = rows.each(member(data, "offers"), one)
    spoken_for = {name for name, state in known.items() if flag(state.get("ok", False))}
    reading.providers = frozenset(spoken_for - HYPERSCALERS)
    reading.version = str(data.get("date", ""))
    return reading


def _instant(text: str) -> datetime:
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"raw.githubusercontent.com"}),
    label="pages",
    attribution="GPU rental prices by Adrian Nutiu (gpu-rental-prices), CC BY 4.0",
    every=timedelta(hours=6),
)
