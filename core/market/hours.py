"""Hours that are paid: a term runs day and night, whatever the GPUs are used for."""

from decimal import Decimal

from core.money.costs import exact
from core.offers import Offer
from core.workload import Constraints

HOURS_PER_DAY = 24


def paid_hours(offer: Offer, limits: Constraints) -> Decimal:
    """Hours a month that an offer bills: all of them on a term (S0-029)."""
    if offer.pricing == "reserved":
        return exact(limits.hours_per_month)
    return limits.billed_hours_per_month


def paid_per_used(offer: Offer, limits: Constraints) -> Decimal:
    """Hours paid for each hour of use: 3 for a term of eight hours' work a day."""
    return paid_hours(offer, limits) / limits.billed_hours_per_month


def rental_hours(offer: Offer, limits: Constraints, span: Decimal) -> Decimal:
    """Hours that a rental of so many hours on end bills: its days, or day and night."""
    if span < HOURS_PER_DAY:
        return span
    return span * paid_hours(offer, limits) / exact(limits.hours_per_month)
