"""How prices moved, in words."""

from collections.abc import Iterable
from decimal import Decimal

from bot.answers.prices.history import History, change
from bot.answers.shared.figures import pricing_words, provider_name
from bot.render.views import Chart
from bot.render.words import say
from core.market.board import Bill
from core.money.costs import exact
from core.offers import Offer
from core.reference.catalogue import Reference
from core.wording import dollars

EARLIER_SHOWN = 3


def lines_in_words(chart: Chart | None) -> str:
    """Each line of a chart from its first price to its last; or that none moved."""
    if chart is None:
        return say("prices.none_moved")
    told = [
        say(
            "prices.line",
            name=line.name,
            first=exact(line.values[0]),
            last=exact(line.values[-1]),
            rise=f"{line.values[-1] / line.values[0] - 1:+.0%}",
        )
        for line in chart.series
    ]
    first, since = ", ".join(told), chart.categories[0]
    return say("prices.since", since=since, lines=first)


def asked_before(offer: Offer, history: History, reference: Reference) -> list[str]:
    """What the seller in the verdict asked before, where that is known."""
    before = history.before(offer)
    if before is None:
        return []
    return [
        say(
            "prices.asked_before",
            provider_name=provider_name(offer.provider, reference),
            before=_before(before.offer),
            rise=_rise(before.offer, offer),
        )
    ]


def earlier(
    offers: Iterable[Offer], history: History, reference: Reference
) -> list[str]:
    """What other cheap sellers asked before, where that is known."""
    lines = [
        say(
            "prices.moved_to_now",
            provider_name=provider_name(offer.provider, reference),
            pricing_words=pricing_words(before.offer),
            before=_before(before.offer),
            usd_per_gpu_hour=offer.usd_per_gpu_hour,
            rise=_rise(before.offer, offer),
        )
        for offer in offers
        if (before := history.before(offer)) is not None
    ]
    return (
        [say("prices.earlier", lines="; ".join(lines[:EARLIER_SHOWN]))] if lines else []
    )


def month_before(
    best: Bill, hours: Decimal, history: History, reference: Reference
) -> list[str]:
    """What the month cost at the seller's earlier price."""
    before = history.before(best.offer)
    if before is None:
        return []
    old = before.offer
    usd = old.usd_per_gpu_hour * best.gpus * hours
    return [
        say(
            "prices.month_before",
            observed_at=old.observed_at,
            provider_name=provider_name(old.provider, reference),
            usd_per_gpu_hour=old.usd_per_gpu_hour,
            source=old.source,
            usd=usd,
        )
    ]


def _before(old: Offer) -> str:
    price, day = dollars(old.usd_per_gpu_hour), old.observed_at
    return say("prices.before", price=price, day=day, source=old.source)


def _rise(old: Offer, new: Offer) -> str:
    rise = change(old, new)
    return f"{'+' if rise > 0 else '−'}{abs(rise):.0%}"
