"""Whether an offer can be ordered as it is listed, and what stands against it.

What nobody can order at its price is listed apart ("worth checking") and never starred:
"from" prices, articles, bare GPU rates, what is sold out, commitments without a term,
machines of unknown size, and resellers far below everybody who owns the GPU.
"""

from collections.abc import Iterable, Mapping

from core.offers import Evidence, Offer, Pricing, SellerKind
from core.provider import ProviderSpec
from core.reference.catalogue import Reference
from core.reference.machine_sizes import machine_size
from core.reference.places import lies_in
from core.wording import say

RESELLER_SHARE = 0.6
"""A reseller below this share of the lowest owner's price sells something else."""
OWNERS: frozenset[SellerKind] = frozenset({"hyperscaler", "direct"})
HOSTS: frozenset[SellerKind] = frozenset({"marketplace", "community"})
"""Sellers whose machines belong to somebody else each time."""
NO_ORDER: Mapping[Evidence, str] = {
    "from": say("rejections.from_price_without"),
    "article": say("rejections.price_of_an_article"),
    "unknown": say("rejections.source_unknown"),
}
GRADES: Mapping[Evidence, int] = {"api": 0, "own": 0, "price_list": 1, "price_page": 2}
"""How well a price is known: an API that rents and the team's own word, a published
list, a page of prices."""
Floors = Mapping[tuple[str, Pricing], int]


def kind_of(offer: Offer, reference: Reference) -> SellerKind:
    """Who is paid: as the offer says, else as its seller is known."""
    if offer.seller_kind != "unknown":
        return offer.seller_kind
    return reference.seller_kind(offer.provider, offer.tier)


def belongs(seller: ProviderSpec | None, owners: str) -> bool:
    """Whether a seller is known to be at home where the asker wants: "outside us"."""
    place = owners.removeprefix("outside ")
    if seller is None or not seller.home:
        return False
    return lies_in(seller.home, place) == (place == owners)


def sized(offer: Offer, reference: Reference) -> Offer:
    """The offer with its machine's GPUs, where its price names none and they are known.

    The price per GPU-hour stays; the total is that of the whole machine.
    """
    if offer.instance or offer.min_gpus is not None or offer.negotiated:
        return offer
    if offer.evidence in NO_ORDER:
        return offer  # what cannot be ordered has no machine
    gpu = reference.gpus.get(offer.gpu)
    size = machine_size(offer.provider, gpu) if gpu else None
    if size is None or offer.tier == "serverless":
        return offer
    if size <= offer.gpu_count:
        return offer.model_copy(update={"min_gpus": offer.gpu_count})
    total = offer.raw_total / offer.gpu_count * size
    return offer.model_copy(
        update={"gpu_count": size, "min_gpus": size, "raw_total": total}
    )


def owners_floor(offers: Iterable[Offer], reference: Reference) -> Floors:
    """The lowest price of each GPU and way to pay at those who own the machines."""
    floor: dict[tuple[str, Pricing], int] = {}
    for offer in offers:
        listed = offer.evidence not in NO_ORDER
        if listed and kind_of(offer, reference) in OWNERS:
            key = (offer.gpu, offer.pricing)
            price = offer.micro_usd_per_gpu_hour
            floor[key] = min(floor.get(key, price), price)
    return floor


def doubt(offer: Offer, reference: Reference, floors: Floors) -> str:
    """Why an offer cannot be ordered as listed; empty: it can."""
    if offer.negotiated or offer.evidence == "own":
        return ""
    kind = kind_of(offer, reference)
    if why := NO_ORDER.get(offer.evidence, ""):
        return why
    if offer.stock in ("out", "waitlist"):
        return (
            say("rejections.sold_out")
            if offer.stock == "out"
            else say("rejections.waiting_list")
        )
    if offer.includes == "gpu_only":
        return say("rejections.the_gpu_alone")
    if offer.pricing == "reserved" and not offer.term_months:
        return say("rejections.its_term")
    if kind == "unknown":
        return say("rejections.seller_unknown")
    if kind in OWNERS and not (offer.instance or offer.min_gpus):
        return say("rejections.its_machine_sizes")
    floor = floors.get((offer.gpu, offer.pricing))
    low = floor and offer.micro_usd_per_gpu_hour < RESELLER_SHARE * floor
    if kind == "reseller" and low:
        return say("rejections.over_below_all")
    return ""


def grade(offer: Offer) -> tuple[int, int]:
    """How safely an offer can be ordered, the safest first: stock, then evidence."""
    return offer.stock != "in_stock", GRADES.get(offer.evidence, len(GRADES))
