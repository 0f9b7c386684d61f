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
from core.market.current import current, is_plain
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.reference.freshness import freshness

FAVOURITES = ("h100", "h200", "b200", "a100-80gb", "l40s", "mi300x")
COLUMNS = ("GPU", "On-demand", "from", "Spot", "from", "Reserved", "from")


def price_table(
    gpus: Iterable[str], catalog: Catalog, reference: Reference, now: datetime
) -> Table:
    """The price of each GPU and pricing, per GPU-hour, with its provider and age."""
    specs = [reference.gpus_named(name) for name in gpus]
    made = [_row(found[0].id, catalog, reference, now) for found in specs if found]
    rows = [row for row, _ in made if row]
    aged = any(old for _, old in made)
    return Table(
        caption=say("slack.price_table"),
        columns=COLUMNS,
        rows=tuple(rows),
        shown=20,
        note=say("slack.aged_prices") if aged else "",
    )


def _row(
    gpu: str, catalog: Catalog, reference: Reference, now: datetime
) -> tuple[tuple[Cell, ...], bool]:
    """The one current price of each pricing, and whether one of them is old."""
    plain = [o for o in current(catalog.of_gpu(gpu), now, reference) if is_plain(o)]
    best = [
        next((offer for offer in plain if offer.pricing == pricing), None)
        for pricing in ("on_demand", "spot", "reserved")
    ]
    if not any(best):
        return (), False
    cells = [Cell(text=gpu_name(reference.gpus[gpu]))]
    for offer in best:
        cells += _cells(offer, reference, now)
    aged = any(offer and freshness(offer, now) != "fresh" for offer in best)
    return tuple(cells), aged


def _cells(offer: Offer | None, reference: Reference, now: datetime) -> list[Cell]:
    if offer is None:
        return [Cell(text=""), Cell(text="")]
    name = provider_name(offer.provider, reference)
    if offer.pricing == "reserved" or offer.negotiated:
        name = f"{name}, {pricing_words(offer)}"
    seen = Cell(text=f"{name}, {age(offer, now, told=False).text}")
    return [money(offer.usd_per_gpu_hour), seen]
