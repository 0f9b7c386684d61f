"""Which prices are fresh, stale or expired: days by how a price is made, as data."""

from datetime import datetime, timedelta
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta

from core.frozen import Frozen
from core.offers import Offer, PricePoint
from core.reference.load import reference
from core.reference.tables import read_table

Freshness = Literal["fresh", "stale", "expired"]
STOPPED = timedelta(days=2)
"""Longer than any feed's own pause between two polls, twice over."""


class Tier(Frozen, frozen=True):
    """How long the prices of one kind stay fresh, and how long they count at all."""

    id: str
    of: str
    fresh_days: Annotated[int, Meta(gt=0)]
    expired_days: int
    why: str
    sources: Annotated[tuple[str, ...], Meta(min_length=1)]

    def of_age(self, age: timedelta) -> Freshness:
        """Return the freshness of a price of this age."""
        if age > timedelta(days=self.expired_days):
            return "expired"
        return "stale" if age > timedelta(days=self.fresh_days) else "fresh"


@cache
def tiers() -> dict[str, Tier]:
    """Return every tier by its id, read once."""
    table = read_table("core.reference", "freshness.toml")
    found = (Tier.model_validate(row) for row in table["tier"])
    return {tier.id: tier for tier in found}


@cache
def longest() -> timedelta:
    """Return the age from which a price of no kind counts any more."""
    return timedelta(days=max(tier.expired_days for tier in tiers().values()))


def is_market(offer: PricePoint) -> bool:
    """Whether supply and demand make the price, rather than a list."""
    if offer.pricing == "spot" or offer.tier == "community":
        return True
    # A marketplace's own data centres, such as RunPod's, have a price list.
    return offer.tier != "secure" and _kind(offer.provider) in (
        "marketplace",
        "community",
    )


def tier_of(offer: PricePoint) -> Tier:
    """Return the tier of an offer."""
    if is_market(offer):
        return tiers()["market"]
    is_cloud = _kind(offer.provider) == "hyperscaler"
    return tiers()["cloud list" if is_cloud else "list"]


def freshness(offer: PricePoint, now: datetime) -> Freshness:
    """Return whether a price is fresh, stale or expired.

    A negotiated price holds for as long as it was agreed.
    """
    if isinstance(offer, Offer) and offer.negotiated:
        return "fresh"
    return tier_of(offer).of_age(now - offer.observed_at)


def stopped(offer: PricePoint, now: datetime) -> datetime | None:
    """Return when the source of a price was last read, where it stopped since."""
    read_at = offer.read_at if isinstance(offer, Offer) else None
    return read_at if read_at is not None and now - read_at > STOPPED else None


def turns(offer: PricePoint) -> tuple[datetime, ...]:
    """Return the instants after which a price is stale, expired, and over any limit."""
    if isinstance(offer, Offer) and offer.negotiated:
        return ()
    tier, seen = tier_of(offer), offer.observed_at
    limits = timedelta(days=tier.fresh_days), timedelta(days=tier.expired_days)
    return tuple(seen + limit for limit in (*limits, longest()))


@cache
def _kind(provider: str) -> str:
    known = reference().provider(provider)
    return known.kind if known else ""
