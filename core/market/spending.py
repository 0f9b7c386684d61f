"""A budget in dollars, at a dated rate, and what keeps within it."""

from datetime import datetime
from decimal import Decimal

from msgspec import Struct

from core.money.costs import exact
from core.money.currency import NoRate, rate_for
from core.money.exchange import exchange_rates
from core.query import Period
from core.wording import count, dollars, say
from core.workload import Budget, Constraints

PER: dict[Period, str] = {
    "hour": say("rejections.an_hour"),
    "day": say("rejections.day"),
    "month": say("rejections.a_month"),
    "year": say("rejections.year"),
    "total": "",
}


class Ceiling(Struct, frozen=True):
    """What may be spent per period, in dollars; the stated amount for the reader."""

    budget: Budget
    usd: Decimal

    @property
    def words(self) -> str:
        """The budget as it was stated, and in dollars where it was not."""
        period = PER[self.budget.period]
        if self.budget.currency == "USD":
            return f"{dollars(self.usd)}{period}"
        stated = f"{count(float(self.budget.amount))} {self.budget.currency}"
        return f"{stated}{period} ({dollars(self.usd)})"

    def spent(
        self,
        usd_per_hour: Decimal,
        limits: Constraints,
        total_hours: Decimal | None = None,
        paid_per_used: Decimal = Decimal(1),
    ) -> Decimal:
        """Dollars that machines cost in the budget's period, over the billed hours.

        A total is for `total_hours`, where those are known, else for one month. On a
        term more hours are paid than used.
        """
        monthly = usd_per_hour * limits.billed_hours_per_month * paid_per_used
        match self.budget.period:
            case "hour":
                return usd_per_hour
            case "day":
                return usd_per_hour * exact(limits.hours_per_day) * paid_per_used
            case "year":
                return monthly * 12
            case "total" if total_hours is not None:
                return usd_per_hour * total_hours
            case _:
                return monthly

    def allows(
        self,
        usd_per_hour: Decimal,
        limits: Constraints,
        total_hours: Decimal | None = None,
        paid_per_used: Decimal = Decimal(1),
    ) -> bool:
        """Whether machines at so many dollars an hour keep within the budget."""
        return self.spent(usd_per_hour, limits, total_hours, paid_per_used) <= self.usd


def ceiling(budget: Budget | None, now: datetime) -> Ceiling | None:
    """A budget in dollars; None: there is none, or no dated rate of its currency."""
    if budget is None:
        return None
    rate = rate_for(budget.currency, exchange_rates(), now.date())
    return (
        None
        if isinstance(rate, NoRate)
        else Ceiling(budget, rate.to_usd(budget.amount))
    )


PER_MILLION = say("rejections.per_output_tokens")


def per_million_words(limits: Constraints, now: datetime) -> str:
    """The limit on 1M output tokens as it was stated; empty: there is none."""
    most = ceiling(limits.per_million, now)
    return f"{most.words} {PER_MILLION}" if most is not None else ""


def converted(budget: Budget | None, now: datetime) -> tuple[str, ...]:
    """The rate that a budget was turned into dollars at, or that there is none."""
    if budget is None or budget.currency == "USD":
        return ()
    rate = rate_for(budget.currency, exchange_rates(), now.date())
    if isinstance(rate, NoRate):
        return (say("rejections.budget_not_compared", reason=rate.reason),)
    return (f"{rate.shown}.",)
