"""What the favourite GPUs of a workspace cost now."""

from collections.abc import Iterable
from datetime import datetime

from bot.answers.shared.figures import (
    age,
    gpu_name,
    money,
    pricing_words,
    provider_name,
)
from bot.render.views import Cell, Table
from bot.render.words import say
from core.offers import Catalog, Offer, Pricing
from core.reference.catalogue import Reference
from core.reference.freshness import freshness

FAVOURITES = ("h100", "h200", "b200", "a100-80gb", "l40s", "mi300x")
COLUMNS = ("GPU", "On-demand", "from", "Spot", "from", "Reserved", "from", "Age")


def price_table(
    gpus: Iterable[str], catalog: Catalog, reference: Reference, now: datetime
) -> Table:
    """The cheapest price of each GPU and pricing, per GPU-hour, with its provider."""
    specs = [reference.gpus_named(name) for name in gpus]
    rows = (_row(found[0].id, catalog, reference, now) for found in specs if found)
    return Table(
        caption=say("slack.price_table"),
        columns=COLUMNS,
        rows=tuple(row for row in rows if row),
        shown=20,
    )


def _row(
    gpu: str, catalog: Catalog, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    offers = [o for o in catalog.of_gpu(gpu) if freshness(o, now) != "expired"]
    best = [_cheapest(offers, pricing) for pricing in ("on_demand", "spot", "reserved")]
    if not any(best):
        return ()
    cells = [Cell(text=gpu_name(reference.gpus[gpu]))]
    for offer in best:
        cells += _cells(offer, reference)
    newest = max((o for o in best if o), key=lambda offer: offer.observed_at)
    return (*cells, age(newest, now))


def _cheapest(offers: Iterable[Offer], pricing: Pricing) -> Offer | None:
    sold = (
        o for o in offers if o.pricing == pricing and o.tier in ("standard", "secure")
    )
    return min(sold, key=lambda offer: offer.micro_usd_per_gpu_hour, default=None)


def _cells(offer: Offer | None, reference: Reference) -> list[Cell]:
    if offer is None:
        return [Cell(text=""), Cell(text="")]
    name = provider_name(offer.provider, reference)
    if offer.pricing == "reserved" or offer.negotiated:
        name = f"{name}, {pricing_words(offer)}"
    return [money(offer.usd_per_gpu_hour), Cell(text=name)]
