"""Hundreds of hosts' offers settled to one price that can be had.

A marketplace lists every host under an id that lives for hours, so its offers are no
offers of ours: they are grouped by GPU, count, country and pricing. The price of a
group is one that a tenth of its offers do not exceed, and never the very cheapest where
there are two: a lone low ask is gone, or not what it says, by the time it is read.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from math import ceil

from prices.sources.rows import Quote


def settle(quotes: Iterable[Quote]) -> Iterator[Quote]:
    """Yield one quote for each group; every price must be a number above zero."""
    groups: dict[tuple[object, ...], list[Quote]] = {}
    for quote in quotes:
        group = (quote.gpu, quote.memory_gb, quote.count, quote.region, quote.pricing)
        groups.setdefault((*group, quote.tier), []).append(quote)
    for offers in groups.values():
        offers.sort(key=_price)
        place = max(ceil(len(offers) / 10), 2)
        yield replace(offers[min(place, len(offers)) - 1], instance="")


def _price(quote: Quote) -> Decimal:
    return Decimal(str(quote.price))
