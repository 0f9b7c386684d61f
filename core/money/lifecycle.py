"""Train once, retrain, serve for months: when serving has cost more than training."""

from decimal import Decimal

from msgspec import Struct

from core.money.costs import Number, exact, positive
from core.patterns import regex


class LifecycleMonth(Struct, frozen=True):
    """Running totals in dollars at the end of one month of serving."""

    month: int
    training: Decimal
    serving: Decimal

    @property
    def total(self) -> Decimal:
        """Dollars spent so far."""
        return self.training + self.serving


class Lifecycle(Struct, frozen=True):
    """The months of a model's life, and the one in which serving passes training."""

    months: tuple[LifecycleMonth, ...]
    passes_in_month: int | None
    """None: not within these months."""

    @property
    def total(self) -> Decimal:
        """Dollars over the whole life."""
        return self.months[-1].total

    @property
    def serving_share(self) -> Decimal:
        """Serving over the total, 0–1."""
        return self.months[-1].serving / self.total if self.total else Decimal(0)


def lifecycle(
    train_usd: Number,
    serve_usd_per_month: Number,
    months: int,
    retrain_usd: Number = 0,
    retrain_every_months: Number | None = None,
    growth_per_month: Number = 0,
) -> Lifecycle:
    """Return the running totals of training once, retraining on a cadence and serving.

    A retraining falls after every so many months, not at the end of life;
    `growth_per_month` raises the serving bill, 0.1 for 10 % a month.
    """
    positive(months, "months")
    served, bill = Decimal(0), exact(serve_usd_per_month)
    rows: list[LifecycleMonth] = []
    for month in range(1, months + 1):
        served += bill
        bill *= 1 + exact(growth_per_month)
        again = _retrained(month, months, retrain_every_months)
        trained = exact(train_usd) + again * exact(retrain_usd)
        rows.append(LifecycleMonth(month, trained, served))
    return Lifecycle(tuple(rows), _passing(rows))


def _retrained(month: int, months: int, every: Number | None) -> int:
    """Return how often the model has been retrained by the end of a month."""
    if every is None:
        return 0
    period = positive(every, "the retraining cadence")
    times = int(month / period)
    return times - 1 if times * period == months else times


_EVERY = regex(r"(?:every|each|per)?\s*(\d+)?\s*(day|week|month|quarter|year)s?$")
_ADVERBS = {
    "daily": "day", "weekly": "week", "fortnightly": "2 weeks", "biweekly": "2 weeks",
    "monthly": "month", "bimonthly": "2 months", "quarterly": "quarter",
    "yearly": "year", "annually": "year", "annual": "year",
}  # fmt: skip
_MONTHS = {
    "day": Decimal(12) / 365,
    "week": Decimal(84) / 365,
    "month": Decimal(1),
    "quarter": Decimal(3),
    "year": Decimal(12),
}


SPANS: dict[str, Decimal] = {
    "quarter": Decimal(3),
    "semester": Decimal("3.5"),
    "half-year": Decimal(6),
    "year": Decimal(12),
}
"""Months of the spans whose sum may be asked for; a semester teaches for 15 weeks."""


def cadence_months(text: str) -> Decimal | None:
    """Return the months between retrainings: "weekly", "every 2 weeks", "quarterly"."""
    said = text.strip().lower()
    match = _EVERY.match(_ADVERBS.get(said, said))
    return int(match[1] or 1) * _MONTHS[match[2]] if match else None


def _passing(rows: list[LifecycleMonth]) -> int | None:
    """Return the first month from which serving stays above training."""
    behind = [row.month for row in rows if row.serving <= row.training]
    first = (behind[-1] if behind else 0) + 1
    return first if first <= len(rows) else None


def passing_month(
    life: Lifecycle,
    serve_usd_per_month: Number,
    retrain_usd: Number = 0,
    retrain_every_months: Number | None = None,
) -> int | None:
    """Return the month after these in which serving would pass; None: never.

    Retrainings are spread evenly: beyond the life asked for, only the trend is told.
    """
    last = life.months[-1]
    monthly = exact(serve_usd_per_month)
    if retrain_every_months is not None:
        every = positive(retrain_every_months, "the retraining cadence")
        monthly -= exact(retrain_usd) / every
    if life.passes_in_month is not None or monthly <= 0:
        return life.passes_in_month
    return last.month + int((last.training - last.serving) / monthly) + 1


def days_to_pass(train_usd: Number, serve_usd_per_day: Number) -> Decimal:
    """Return the days of serving that cost as much as one training run."""
    return exact(train_usd) / positive(serve_usd_per_day, "serving per day")
