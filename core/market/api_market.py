"""Which APIs a question's limits leave: by name, by certificate, by place, by uptime.

GPUs and APIs are held to the same words: what is not known to keep them is left out.
"""

from collections.abc import Iterable

from msgspec import Struct

from core.market.eligibility import belongs
from core.market.uptime import endpoint_level
from core.money.api import ApiPrice
from core.provider import ProviderSpec
from core.reference.catalogue import Reference
from core.reference.places import sells_in
from core.workload import BatchSpec, Constraints, InferenceSpec

CHOSEN = ("hyperscaler",)
"""Sellers whose endpoints stand where the customer puts them; of no other is it known
where a token is written."""


class ApiBook(Struct, frozen=True):
    """The API prices that bear on a question, read by whoever may read them."""

    named: tuple[ApiPrice, ...] = ()
    hosted: tuple[ApiPrice, ...] = ()
    similar: bool = False
    """Nobody sells the model itself: `hosted` is the one nearest in size."""
    unpriced: tuple[str, ...] = ()
    """The APIs that are named and that no price is known of."""


USUAL_WINDOW = 32_768
"""Tokens that an API takes, where its price list does not say how many."""


def usable_apis(
    prices: Iterable[ApiPrice], spec: InferenceSpec | BatchSpec, reference: Reference
) -> tuple[ApiPrice, ...]:
    """The APIs that take a request of this length and keep to what was asked.

    A provider named for its GPUs rules no API out: it is what they are held against.
    """
    return tuple(
        price for price in prices if kept_out_by(price, spec, reference) is None
    )


def kept_out_by(
    price: ApiPrice, spec: InferenceSpec | BatchSpec, reference: Reference
) -> str | None:
    """The rule that an API does not keep, or is not known to; None: it may be used."""
    if spec.input_tokens + spec.output_tokens > (price.context or USUAL_WINDOW):
        return "context"
    limits = spec.constraints
    # Who is reached through somebody else does not answer for the way there.
    direct = " through " not in price.provider_name
    known = reference.provider(price.provider)
    seller = known if direct else None
    names = {price.provider, known.id if known else price.provider}
    kept = {
        "provider": names.isdisjoint(limits.providers_excluded),
        "owners": not limits.owners or belongs(seller, limits.owners),
        "compliance": _certified(seller, limits),
        "region": stands_there(seller, limits),
        "sla": _stays_up(seller, limits),
    }
    return next((rule for rule, keeps in kept.items() if not keeps), None)


def _certified(seller: ProviderSpec | None, limits: Constraints) -> bool:
    named = set(seller.certifications) if seller else set()
    return all(
        one in named or (one == "any" and named) for one in limits.certifications
    )


def stands_there(seller: ProviderSpec | None, limits: Constraints) -> bool:
    """Whether it is known that a seller's endpoints stand where they may."""
    places, out = limits.regions, limits.regions_excluded
    if not places and not out:
        return True
    if seller is None or seller.kind not in CHOSEN:
        return False
    inside = not places or any(sells_in(seller.regions, place) for place in places)
    free = [r for r in seller.regions if not any(sells_in((r,), one) for one in out)]
    return inside and bool(free)


def _stays_up(seller: ProviderSpec | None, limits: Constraints) -> bool:
    if limits.sla is None:
        return True
    level = endpoint_level(seller.id) if seller else None
    percent = level.percent if level else None
    if percent is None:
        return False
    return limits.sla is True or percent >= limits.sla
