"""Self-host or API: from which load on do own GPUs cost less, if from any."""

from decimal import ROUND_CEILING, Decimal
from typing import Literal

from msgspec import Struct

from core.money.api import (
    ApiPrice,
    TokenMix,
    api_usd_per_million,
    api_usd_per_request,
)
from core.money.costs import (
    MILLION,
    SECONDS_PER_HOUR,
    Number,
    exact,
    positive,
)
from core.units import HOURS_PER_MONTH
from core.wording import say

SECONDS_PER_DAY = 86400
Way = Literal["dedicated", "serverless", "api"]


class Fleet(Struct, frozen=True):
    """GPUs rented by the hour, and the requests per second they carry when busy."""

    usd_per_hour: Decimal
    requests_per_second: Decimal

    @classmethod
    def of(cls, usd_per_hour: Number, requests_per_second: Number) -> "Fleet":
        """Return a fleet, refusing one that costs or carries nothing."""
        return cls(
            positive(usd_per_hour, "dollars per hour"),
            positive(requests_per_second, "requests per second"),
        )

    @property
    def usd_per_request(self) -> Decimal:
        """Dollars per request when every second is used."""
        return self.usd_per_hour / (self.requests_per_second * SECONDS_PER_HOUR)

    def usd_per_million(self, mix: TokenMix) -> Decimal:
        """Dollars per 1M tokens of this mix when every second is used."""
        return self.usd_per_request * MILLION / mix.tokens


class Serverless(Struct, frozen=True):
    """A fleet billed only while it works; `overhead` is start-up and linger time."""

    fleet: Fleet
    overhead: Decimal = Decimal(0)
    """Billed seconds beyond the useful ones, as a share of them."""

    @property
    def usd_per_busy_hour(self) -> Decimal:
        """Dollars for an hour of useful work."""
        return self.fleet.usd_per_hour * (1 + self.overhead)


class BreakEven(Struct, frozen=True):
    """Where one fleet and one API cost the same; None: never, `reason` says why."""

    api_usd_per_million: Decimal
    fleet_usd_per_million: Decimal
    """At 100 % busy: the least that a token can cost on this fleet."""
    requests_per_second: Decimal | None
    tokens_per_day: Decimal | None
    utilisation: Decimal | None
    fleet_usd_per_hour_needed: Decimal
    """The fleet's price at which full use just breaks even."""
    reason: str

    @property
    def never(self) -> bool:
        """Whether even a fully busy fleet costs more than the API."""
        return self.utilisation is None


def break_even(
    fleet: Fleet, api: ApiPrice, mix: TokenMix, batch: bool = False
) -> BreakEven:
    """Return the load at which the fleet's hours cost what the API would charge.

    Requests/s = ($/h ÷ 3600) ÷ $ per API request; above the fleet's capacity there is
    no such load, since a second fleet costs as much per token as the first.
    """
    per_request = api_usd_per_request(api, mix, batch)
    needed = per_request * fleet.requests_per_second * SECONDS_PER_HOUR
    never = needed < fleet.usd_per_hour
    rate = None if never else fleet.usd_per_hour / (per_request * SECONDS_PER_HOUR)
    return BreakEven(
        api_usd_per_million=api_usd_per_million(api, mix, batch),
        fleet_usd_per_million=fleet.usd_per_million(mix),
        requests_per_second=rate,
        tokens_per_day=None if rate is None else rate * mix.tokens * SECONDS_PER_DAY,
        utilisation=None if rate is None else rate / fleet.requests_per_second,
        fleet_usd_per_hour_needed=needed,
        reason=_reason(fleet, api, never),
    )


def _reason(fleet: Fleet, api: ApiPrice, never: bool) -> str:
    if never:
        return say("breakeven.never_below", provider=api.provider)
    rate = fleet.requests_per_second.normalize()
    return say("breakeven.below_this_rate", rate=rate)


class Bill(Struct, frozen=True):
    """What one way of serving costs at one load."""

    way: Way
    usd_per_month: Decimal
    usd_per_million: Decimal
    utilisation: Decimal | None = None
    """Of the dedicated GPUs; the other ways bill no idle time."""


def bills(
    requests_per_second: Number,
    mix: TokenMix,
    fleet: Fleet,
    api: ApiPrice | None = None,
    serverless: Serverless | None = None,
    hours: Number = HOURS_PER_MONTH,
    batch: bool = False,
) -> tuple[Bill, ...]:
    """Return the bill of each way at this average load, cheapest first."""
    rate = positive(requests_per_second, "requests per second")
    requests = rate * SECONDS_PER_HOUR * exact(hours)
    found = [_dedicated(rate, mix, fleet, exact(hours))]
    if serverless is not None:
        busy = requests / (serverless.fleet.requests_per_second * SECONDS_PER_HOUR)
        usd = busy * serverless.usd_per_busy_hour
        found.append(Bill("serverless", usd, usd * MILLION / (requests * mix.tokens)))
    if api is not None:
        usd = api_usd_per_request(api, mix, batch) * requests
        found.append(Bill("api", usd, api_usd_per_million(api, mix, batch)))
    return tuple(sorted(found, key=lambda bill: bill.usd_per_month))


def _dedicated(rate: Decimal, mix: TokenMix, fleet: Fleet, hours: Decimal) -> Bill:
    fleets = (rate / fleet.requests_per_second).to_integral_value(ROUND_CEILING)
    usd = fleets * fleet.usd_per_hour * hours
    tokens = rate * mix.tokens * SECONDS_PER_HOUR * hours
    used = rate / (fleets * fleet.requests_per_second)
    return Bill("dedicated", usd, usd * MILLION / tokens, used)


def serverless_below(fleet: Fleet, serverless: Serverless) -> Decimal:
    """Return the utilisation under which serverless beats the dedicated fleet, ≤ 1.

    Per request at full use, so that fleets of different speed compare.
    """
    busy = serverless.fleet.usd_per_request * (1 + serverless.overhead)
    return min(Decimal(1), fleet.usd_per_request / busy)
