"""Other currencies, by rates that carry their date and source."""

import re
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import Field, StringConstraints

from core.frozen import Frozen

Code = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
STALE_AFTER_DAYS = 31


class ExchangeRate(Frozen):
    """How many units of a currency one dollar bought on a day; undated is refused."""

    currency: Code
    per_usd: Decimal = Field(gt=0)
    as_of: date
    source: str = Field(min_length=1)

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


class NoRate(Frozen):
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
        return NoRate(currency=code, reason=f"no dated {code} rate is known")
    return max(known, key=lambda rate: rate.as_of)


_STATED = re.compile(r"([A-Za-z]{3})\s*=\s*(\d+(?:\.\d+)?)\s*@\s*(\d{4}-\d\d-\d\d)")


def parse_rate(text: str, source: str) -> ExchangeRate | NoRate:
    """Return the rate that "EUR=0.92@2026-11-20" states: euros for a dollar, and when.

    One without a date is refused: a rate is only as good as its day.
    """
    match = _STATED.fullmatch(text.strip())
    if match is None:
        return NoRate(
            currency=text[:3].upper(), reason="state a rate as EUR=0.92@2026-11-20"
        )
    code, rate, day = match.groups()
    try:
        return ExchangeRate(
            currency=code.upper(),
            per_usd=Decimal(rate),
            as_of=date.fromisoformat(day),
            source=source,
        )
    except ValueError:  # 2026-13-01, or a rate of nothing
        return NoRate(currency=code.upper(), reason=f"“{text}” is no rate of any day")
