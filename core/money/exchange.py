"""The exchange rates that ship with the program."""

from decimal import Decimal
from functools import cache

from core.money.currency import ExchangeRate
from core.reference.packaged import files


@cache
def exchange_rates() -> tuple[ExchangeRate, ...]:
    """Return a dated rate per dollar for every currency that the ECB publishes."""
    import tomllib  # needed only where a price is not in dollars

    text = files("core.reference").joinpath("exchange_rates.toml").read_text("utf-8")
    table = tomllib.loads(text, parse_float=Decimal)
    per_eur = table["per_eur"]
    return tuple(
        ExchangeRate(
            currency=code,
            per_usd=Decimal(rate) / per_eur["USD"],
            as_of=table["as_of"],
            source=table["source"],
        )
        for code, rate in per_eur.items()
        if code != "USD"
    )
