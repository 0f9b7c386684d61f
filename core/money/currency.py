"""Other currencies, by rates that carry their date and source."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Annotated

from msgspec import Meta

from core.frozen import Frozen
from core.wording import say

Code = Annotated[str, Meta(pattern=r"^[A-Z]{3}$")]
STALE_AFTER_DAYS = 31


class ExchangeRate(Frozen, frozen=True):
    """How many units of a currency one dollar bought on a day; undated is refused."""

    currency: Code
    per_usd: Decimal
    as_of: date
    source: Annotated[str, Meta(min_length=1)]

    def __post_init__(self) -> None:
        """Refuse what is no rate."""
        if self.per_usd <= 0:
            raise ValueError("per_usd: a dollar buys more than nothing")

    def to_usd(self, amount: Decimal) -> Decimal:
        """Return dollars for an amount of this currency."""
        return amount / self.per_usd

    def from_usd(self, usd: Decimal) -> Decimal:
        """Return an amount of this currency for dollars."""
        return usd * self.per_usd

    def stale(self, today: date) -> bool:
        """Whether the rate is more than a month old."""
        return (today - self.as_of).days > STALE_AFTER_DAYS

    @property
    def shown(self) -> str:
        """The rate with its date and source, as small print."""
        rate = f"{self.per_usd:.6f}".rstrip("0").rstrip(".")
        return f"1 USD = {rate} {self.currency} on {self.as_of} ({self.source})"


class NoRate(Frozen, frozen=True):
    """Why an amount cannot be turned into dollars."""

    currency: str
    reason: str


def rate_for(
    currency: str, rates: Iterable[ExchangeRate], today: date
) -> ExchangeRate | NoRate:
    """Return the latest rate of a currency that is not from the future, or why none."""
    code = currency.upper()
    if code == "USD":
        return ExchangeRate(
            currency="USD", per_usd=Decimal(1), as_of=today, source="identity"
        )
    known = [rate for rate in rates if rate.currency == code and rate.as_of <= today]
    if not known:
        return NoRate(currency=code, reason=say("money.no_rate", code=code))
    return max(known, key=lambda rate: rate.as_of)
