"""What GPUs cost per hour, month, run, token, request and user."""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from msgspec import Struct

from core.units import HOURS_PER_MONTH

HOURS_PER_YEAR = 8760
"""365 days; twelve 720 h months are 8,640 h, 1.4 % less."""

SECONDS_PER_HOUR = 3600
MILLION = 1_000_000

Number = Decimal | int | float


def exact(value: Number) -> Decimal:
    """Return a number as the decimal it prints as; 0.1 becomes 0.1, not 0.1000…0555."""
    return value if isinstance(value, Decimal) else _printed(value)


@lru_cache(maxsize=4096, typed=True)
def _printed(value: int | float) -> Decimal:
    """Kept: an answer prices hundreds of machines at the same few figures."""
    return Decimal(str(value))


def positive(value: Number, name: str) -> Decimal:
    """Return a number as a decimal, refusing zero and less by the name given."""
    number = exact(value)
    if not number.is_finite() or number <= 0:
        raise ValueError(f"{name} must be above zero, not {value}")
    return number


def share(value: Number, name: str) -> Decimal:
    """Return a share as a decimal, refusing what is not between 0 and 1."""
    number = exact(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, not {value}")
    return number


def cents(usd: Decimal) -> Decimal:
    """Round dollars to the cent, halves up, for display only."""
    return usd.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


class HourlyCost(Struct, frozen=True):
    """A number of GPUs at one price per GPU-hour, in dollars."""

    usd_per_gpu_hour: Decimal
    gpus: int

    @property
    def per_hour(self) -> Decimal:
        """Dollars for all GPUs in one hour."""
        return self.usd_per_gpu_hour * self.gpus

    def per_day(self, hours: Number = 24) -> Decimal:
        """Dollars for a day of so many hours."""
        return self.per_run(hours)

    def per_month(self, hours: Number = HOURS_PER_MONTH) -> Decimal:
        """Dollars for a month of so many hours."""
        return self.per_run(hours)

    def per_year(self, hours: Number = HOURS_PER_YEAR) -> Decimal:
        """Dollars for a year of so many hours."""
        return self.per_run(hours)

    def per_run(self, hours: Number) -> Decimal:
        """Dollars for a run of so many hours."""
        return self.per_hour * exact(hours)


def usd_per_million(
    usd_per_hour: Decimal, tokens_per_second: Number, utilisation: Number = 1
) -> Decimal:
    """Return $ per 1M tokens: $/h ÷ (tokens/s × 3600 × utilisation) × 10⁶.

    `tokens_per_second` is what the GPUs deliver when busy, `utilisation` the share of
    it that is asked for: the hours are paid either way.
    """
    return usd_per_hour * MILLION / _an_hour(tokens_per_second, utilisation)


@lru_cache(maxsize=256, typed=True)
def _an_hour(tokens_per_second: Number, utilisation: Number) -> Decimal:
    rate = positive(tokens_per_second, "tokens per second")
    return rate * SECONDS_PER_HOUR * positive(utilisation, "utilisation")


def usd_per_million_blended(
    usd_per_hour: Decimal,
    output_tokens_per_second: Number,
    input_tokens_per_output_token: Number,
    utilisation: Number = 1,
) -> Decimal:
    """Return $ per 1M tokens read or written: prompts count as well as answers."""
    written = positive(output_tokens_per_second, "tokens per second")
    both = written * (1 + exact(input_tokens_per_output_token))
    return usd_per_million(usd_per_hour, both, utilisation)


def usd_per_request(
    usd_per_hour: Decimal, requests_per_second: Number, utilisation: Number = 1
) -> Decimal:
    """Return $ per request at the capacity and the share of it that is used."""
    rate = positive(requests_per_second, "requests per second")
    served = rate * SECONDS_PER_HOUR * positive(utilisation, "utilisation")
    return usd_per_hour / served


def idle_per_month(monthly: Decimal, utilisation: Number) -> Decimal:
    """Return the part of a monthly bill that buys idle GPUs: bill × (1 − used)."""
    return monthly * (1 - share(utilisation, "utilisation"))


class AtUtilisation(Struct, frozen=True):
    """One line of "what a token costs when the GPUs are this busy"."""

    utilisation: Decimal
    usd_per_million: Decimal
    idle_per_month: Decimal


def at_utilisations(
    monthly: Decimal,
    tokens_per_second_capacity: Number,
    utilisations: Iterable[Number],
    hours: Number = HOURS_PER_MONTH,
    paid_per_used: Decimal = Decimal(1),
) -> tuple[AtUtilisation, ...]:
    """Return $ per 1M tokens and idle $ at each utilisation, busiest first, once.

    `hours` of use a month; more of them may be paid: a term runs through the night.
    """
    hourly = monthly / positive(hours, "hours")
    return tuple(
        AtUtilisation(
            used,
            usd_per_million(hourly, tokens_per_second_capacity, used),
            idle_per_month(monthly, used / paid_per_used),
        )
        for used in sorted({exact(value) for value in utilisations}, reverse=True)
    )
