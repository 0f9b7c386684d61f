"""The pieces that the JSON of every answer is made of."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from core.offers import Offer

Json = dict[str, Any]


def offer_figures(offer: Offer) -> Json:
    """One price with its date and source."""
    return {
        "provider": offer.provider,
        "gpu": offer.gpu,
        "instance": offer.instance,
        "region": offer.region,
        "pricing": offer.pricing,
        "term_months": offer.term_months,
        "tier": offer.tier,
        "usd_per_gpu_hour": number(offer.usd_per_gpu_hour),
        "price_observed_at": offer.observed_at.isoformat(),
        "source": offer.source,
        "source_url": offer.source_url,
    }


def price_figures(offers: Iterable[Offer]) -> list[Json]:
    """The sources of prices, once each."""
    seen = {(o.source, o.observed_at.isoformat(), o.source_url) for o in offers}
    return [
        {"source": source, "observed_at": at, "url": url}
        for source, at, url in sorted(seen)
    ]


def number(amount: Decimal | None) -> float | None:
    """Money as a number, to a millionth of a dollar."""
    return None if amount is None else float(round(amount, 6))
