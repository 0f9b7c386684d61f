"""The one current price of a thing: what answers, alerts, digests and Home all show.

An offer counts where the rules of the market let it: it is not expired, no fresher
market price undercuts it, and its GPU is the one that is meant. Of those that count the
cheapest GPU-hour that anybody can rent plainly is the price; what cannot be ordered as
listed is it only where nothing else is selected.
"""

from collections.abc import Iterable
from datetime import datetime

from core.market.market import Use, counting
from core.offers import Offer, PricePoint
from core.reference.catalogue import Reference
from core.workload import Constraints

RENTED = ("standard", "secure")
"""Tiers that are rented by the hour from the seller itself."""
HOSTS = ("marketplace", "community")
"""Sellers whose hosts' asks come and go; whoever wants them names them."""

_EVERY = Constraints(pricing=("on_demand", "spot", "reserved"))


def is_plain(offer: PricePoint) -> bool:
    """Whether an offer is rented by the hour, from a seller and not from its hosts."""
    return offer.tier in RENTED and offer.seller_kind not in HOSTS


def current(
    offers: Iterable[Offer], now: datetime, reference: Reference
) -> list[Offer]:
    """Return the offers that count now: what can be ordered, then by GPU-hour."""
    found = list(offers)
    open_names = {offer.gpu for offer in found} - reference.gpus.keys()
    use = Use(_EVERY, live=False, now=now, unsaid=frozenset(open_names))
    return sorted(counting(found, use, reference), key=rank)


def rank(offer: Offer) -> tuple[bool, int]:
    """What can be ordered as listed goes first, then the cheaper GPU-hour."""
    return bool(offer.doubt), offer.micro_usd_per_gpu_hour
