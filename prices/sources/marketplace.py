"""Hundreds of hosts' offers settled to one price that can be had.

A marketplace lists every host under an id that lives for hours, so its offers are no
offers of ours: they are grouped by GPU, count, country and pricing. The price of a
group is one that a tenth of its offers do not exceed, and never the very cheapest where
there are two: a lone low ask is gone, or not what it says, by the time it is read.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from math import ceil

from msgspec.structs import replace

from core.offers import MICRO
from core.wording import say
from prices.naming.bounds import bound_of
from prices.sources.rows import Quote, Rows, is_price
from prices.sources.source import Reading


class Asks:
    """The hosts' offers of one payload."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._asks: list[Quote] = []

    def take(self, quote: Quote) -> None:
        """Take one host's offer; what is no price of its GPU is judged by itself."""
        values = self._rows.values(quote)
        usual = is_price(quote.price) and not bound_of(values["gpu"]).breach(
            round(_price(quote) * MICRO / values["gpu_count"])
        )
        if usual and not self._rows.unlikely(quote):
            self._asks.append(quote)
        else:
            self._rows.add(quote)

    def settle(self) -> Reading:
        """Add one offer for each group of what can be believed."""
        kept = 0
        for quote in settle(self._asks):
            self._rows.add(quote)
            kept += 1
        merged = len(self._asks) - kept
        if merged:
            self._rows.reading.left_out[say("feeds.hosts_merged")] += merged
        return self._rows.reading


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
