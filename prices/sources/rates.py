"""Exchange rates of the ECB, pinned for each day.

The first rates of a day hold for all of it, so that a price in euros does not move
between two polls because the dollar did.
"""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from core.money.currency import ExchangeRate
from core.money.exchange import exchange_rates
from core.wording import say
from prices.database.connection import Engine
from prices.database.tables import prepare
from prices.sources.payload import json_of, member
from prices.sources.source import Moment, PayloadError, Reading, SourceSpec, Wire

NAME = "exchange-rates"
API = "https://api.frankfurter.dev/v1/latest?base=USD"
SAID_BY = "European Central Bank, through https://frankfurter.dev"
MOST_MOVED = Decimal("0.25")
"""A currency that moved further since its last rate is rather a broken feed."""

SCRIPTS = {
    "m001_rates": """
        CREATE TABLE exchange_rates (
            day TEXT NOT NULL,
            currency TEXT NOT NULL,
            per_usd TEXT NOT NULL,
            as_of TEXT NOT NULL,
            source TEXT NOT NULL,
            PRIMARY KEY (day, currency)
        ) STRICT, WITHOUT ROWID;
    """
}


class RateBook:
    """The rates of every day on which they were asked for."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        prepare(engine, "rates", SCRIPTS)

    def pinned(self, day: date) -> tuple[ExchangeRate, ...]:
        """Return the rates that hold on a day: its own, the last before, or shipped."""
        with self.engine.reading() as connection:
            rows = connection.execute(
                """
                SELECT currency, per_usd, as_of, source FROM exchange_rates
                WHERE day = (SELECT max(day) FROM exchange_rates WHERE day <= ?)
                """,
                (day.isoformat(),),
            ).fetchall()
        return tuple(_rate(*row) for row in rows) or exchange_rates()

    def is_pinned(self, day: date) -> bool:
        """Whether a day has rates of its own."""
        with self.engine.reading() as connection:
            found = connection.execute(
                "SELECT 1 FROM exchange_rates WHERE day = ? LIMIT 1", (day.isoformat(),)
            ).fetchone()
        return found is not None

    def pin(self, day: date, rates: Iterable[ExchangeRate]) -> None:
        """Pin the rates of a day; those that it has already stay."""
        rows = [
            (
                day.isoformat(),
                rate.currency,
                str(rate.per_usd),
                rate.as_of.isoformat(),
                rate.source,
            )
            for rate in rates
        ]
        with self.engine.writing() as connection:
            connection.executemany(
                "INSERT INTO exchange_rates VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                rows,
            )


def read_rates(
    payload: bytes, known: Iterable[ExchangeRate], now: datetime
) -> tuple[ExchangeRate, ...]:
    """Read what a dollar bought; rates far from the known ones are refused."""
    data = json_of(payload)
    if data.get("base") != "USD" or Decimal(str(data.get("amount"))) != 1:
        raise PayloadError(say("feeds.rates_not_dollar"))
    before = {rate.currency: rate.per_usd for rate in known}
    as_of = date.fromisoformat(data["date"])
    if as_of > now.date():
        raise PayloadError(say("feeds.rates_in_future", as_of=as_of))
    rates = []
    for currency, value in member(data, "rates", kind=dict).items():
        per_usd = Decimal(str(value))
        usual = before.get(currency, per_usd)
        if not per_usd.is_finite() or abs(per_usd - usual) > MOST_MOVED * usual:
            raise PayloadError(
                say("feeds.rate_moved", currency=currency, usual=usual, per_usd=per_usd)
            )
        rates.append(_rate(currency, str(per_usd), as_of.isoformat(), SAID_BY))
    return tuple(rates)


def _rate(currency: str, per_usd: str, as_of: str, source: str) -> ExchangeRate:
    return ExchangeRate(
        currency=currency,
        per_usd=Decimal(per_usd),
        as_of=date.fromisoformat(as_of),
        source=source,
    )


def _fetch(wire: Wire) -> Iterable[bytes]:
    yield wire.get(API)


def _no_prices(_payload: bytes, _moment: Moment) -> Reading:
    return Reading(complete=False)


SPEC = SourceSpec(
    name=NAME,
    fetch=_fetch,
    read=_no_prices,
    hosts=frozenset({"api.frankfurter.dev"}),
    deadline_s=5.0,
)
"""How the rates travel; `read_rates` reads them."""
