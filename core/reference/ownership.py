"""What GPUs cost to buy and to power, and what stands beside their bill."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache

from core.frozen import Frozen
from core.reference.packaged import files


class Priced(Frozen, frozen=True):
    """A price in dollars with its source."""

    usd: Decimal
    source: str
    checked: date


class Assumed(Frozen, frozen=True):
    """A figure that stands in where nothing is stated."""

    value: Decimal
    why: str
    source: str


class Ownership(Frozen, frozen=True):
    """The shipped figures; every one can be stated in the question instead."""

    purchase: Mapping[str, Priced]
    """Street price of one GPU by its id; absent: not known."""
    assumed: Mapping[str, Assumed]
    egress: Mapping[str, Priced]
    """Dollars per GB leaving a provider, by its id; absent: not known."""


@cache
def ownership() -> Ownership:
    """Return the figures that ship with the program."""
    from tomllib import loads  # most answers name no such figure

    text = (files("core.reference") / "ownership.toml").read_text("utf-8")
    return Ownership.model_validate(loads(text, parse_float=Decimal))
