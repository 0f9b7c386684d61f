"""GPU rental prices by Adrian Nutiu: 37 providers' price pages, read daily.

It covers those that publish only pages: CoreWeave, Together, Crusoe, Modal, Spheron.
A price is per GPU. `min_gpus` is the order that it takes; where it is absent, nobody
knows. Stock, machine and commitment stand beside it since October 2026. Google's GPUs
are without their hosts. A provider whose page could not be read keeps its last prices
with their date.
"""

import re
from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from core.offers import Evidence, Includes, Pricing, Tier
from core.reference.load import reference
from core.wording import say
from prices.sources.machines import seller_of
from prices.sources.payload import instant_of, json_of, member
from prices.sources.rows import Quote, Rows, gigabytes, stock_of, total_of, whole, word
from prices.sources.source import Moment, Reading, SourceSpec, Wire

NAME = "gpurentalprices"
REPOSITORY = "https://github.com/adriannutiu/gpu-rental-prices"
RAW = (
    "https://raw.githubusercontent.com/adriannutiu/gpu-rental-prices/"
    "main/data/latest.json"
)
_KINDS: dict[str, tuple[Pricing, Tier]] = {
    "on-demand": ("on_demand", "standard"),
    "secure": ("on_demand", "secure"),
    "community": ("on_demand", "community"),
    "marketplace": ("on_demand", "community"),
    "serverless": ("on_demand", "serverless"),
    "spot": ("spot", "standard"),
    "reserved": ("reserved", "standard"),
}
_GPUS_ALONE = frozenset({"gcp"})
"""https://cloud.google.com/compute/gpus-pricing has GPUs apart from their hosts."""
_HOST_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b")
"""A host of a marketplace: it lives for hours and is no machine type."""
_ARTICLE = re.compile(
    r"/(blog|support|help|hc|articles?|news|faq)(/|$)|//(support|help)\."
)
_API = re.compile(r"//api\.|/api/")
_SHORTEST = re.compile(
    r"(?P<many>\d{1,3})[\s-]*(?:[-–]\s*\d{1,3}[\s-]*)?(?P<unit>month|year|yr)s?\b",
    re.IGNORECASE,
)
"""As in "36-60 months; confirm contract": what a commitment begins with."""


def fetch(wire: Wire) -> Iterable[bytes]:
    """Fetch the latest day."""
    yield wire.get(RAW)


def read(payload: bytes, moment: Moment) -> Reading:
    """Read the offers of every provider."""
    data = json_of(payload)
    known = member(data, "providers", kind=dict)
    rows = Rows(NAME, REPOSITORY, moment, "price_page")
    published = data.get("generated_at") or data.get("date") or moment.at.isoformat()

    def one(offer: dict[str, Any]) -> None:
        provider = offer["provider"]
        if provider not in known:
            raise ValueError(say("feeds.foreign_provider", provider=repr(provider)))
        seller = seller_of(provider)
        quote = _quote(offer, seller)
        quote.observed_at = instant_of(offer.get("fetched_at") or published)
        if why := _not_ours(offer):
            seat = (seller, _machine(offer), offer.get("region") or "")
            rows.aside(*seat, reason=why, gpu=rows.gpu_of(quote))
            return
        rows.add(quote)

    def whose(offer: dict[str, Any]) -> str:
        return seller_of(offer["provider"]) if offer["provider"] in known else ""

    reading = rows.each(member(data, "offers"), one, whose)
    spoken_for = {
        name
        for name, state in known.items()
        if isinstance(state, dict) and state.get("ok") is True
    }
    reading.providers = frozenset(map(seller_of, spoken_for))
    reading.version = str(data.get("date", ""))
    return reading


def _quote(offer: dict[str, Any], seller: str) -> Quote:
    kind = word(offer["kind"])
    pricing, tier = _KINDS.get(kind, ("on_demand", "standard"))
    if pricing == "on_demand" and offer.get("commitment"):
        pricing = "reserved"  # whatever its kind says
    if _HOST_ID.search(offer.get("instance") or ""):
        tier = "community"
    smallest = whole(offer.get("min_gpus")) or None
    if smallest is None and offer.get("gpu_count_reported") is True:
        smallest = 1  # it looked, and says a number only where it is another
    count = smallest or 1
    url = offer.get("source_url") or ""
    return Quote(
        price=total_of(offer["usd_hr"], count),
        gpu=offer["gpu"],
        provider=seller,
        memory_gb=gigabytes(offer.get("vram_gb")),
        # "8x NVIDIA B200 SXM6" beside a GPU that is called "b200"
        hints=(offer.get("instance") or "",),
        count=count,
        instance=_machine(offer),
        region=offer.get("region") or "",
        pricing=pricing,
        term_months=_months(offer) if pricing == "reserved" else 0,
        tier=tier,
        includes=_includes(offer, seller),
        seller_kind="marketplace" if kind == "marketplace" else None,
        stock=stock_of(offer.get("availability")),
        evidence=_evidence(offer, seller, url),
        min_gpus=smallest,
        url=url,
        optional=True,
    )


def _not_ours(offer: dict[str, Any]) -> str:
    """Say why a row is nothing that can be rented, nothing where it is."""
    if word(offer["kind"]) not in _KINDS:
        return say("feeds.unknown_kind", kind=str(offer["kind"])[:40])
    return ""


def _includes(offer: dict[str, Any], seller: str) -> Includes:
    """Return what a price pays for, where a row or its page says so."""
    if "GPU rate only" in str(offer.get("instance")):
        return "gpu_only"
    if _machine(offer):
        return "host"
    return "gpu_only" if seller in _GPUS_ALONE else "unknown"


def _months(offer: dict[str, Any]) -> int | None:
    """Return the months of a commitment, the fewest of several; None: not published."""
    said = offer.get("commitment")
    label = said.get("label") if isinstance(said, dict) else said
    months = whole(said.get("months")) if isinstance(said, dict) else None
    if isinstance(months, int | Decimal) and months == int(months):
        return int(months) or None
    stated = _SHORTEST.search(label) if isinstance(label, str) else None
    if not stated:
        return None
    return int(stated["many"]) * (1 if stated["unit"].lower() == "month" else 12)


def _machine(offer: dict[str, Any]) -> str:
    """Return the name of a machine type; remarks and ids of hosts are none."""
    name, _, _remark = (offer.get("instance") or "").partition(";")
    if _HOST_ID.search(name) or "".join(filter(str.isalnum, name)).lower() == "".join(
        filter(str.isalnum, offer["gpu"])
    ):
        return ""
    return name.strip()


def _evidence(offer: dict[str, Any], seller: str, url: str) -> Evidence:
    """Return what a row rests on: a reseller's page without a machine says "from"."""
    kind = reference().seller_kind(seller, "standard")
    if offer.get("rate_basis") == "starting-at":
        return "from"
    if _ARTICLE.search(url):
        return "article"
    if _API.search(url):
        return "api"
    return "from" if kind == "reseller" and "min_gpus" not in offer else "price_page"


SOURCE = SourceSpec(
    name=NAME,
    fetch=fetch,
    read=read,
    hosts=frozenset({"raw.githubusercontent.com"}),
    label="pages",
    attribution="GPU rental prices by Adrian Nutiu (gpu-rental-prices), CC BY 4.0",
    every=timedelta(hours=6),
)
