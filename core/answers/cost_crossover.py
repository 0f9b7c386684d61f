"""When serving has cost as much as training, from stated sums alone."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from core.answers.answer import Answer, Money, Way
from core.market.spending import Ceiling, ceiling, converted
from core.money.costs import exact
from core.money.lifecycle import Lifecycle, days_to_pass, lifecycle
from core.query import Life, Query
from core.workload import Budget

DAYS_A_MONTH = 30
LEAST_MONTHS = 12
MOST_MONTHS = 120
SECONDS_PER_DAY = 86_400
PER_PRICE = Decimal(1_000_000)
"""Tokens that a price is for."""


class CostCrossover(Answer, frozen=True):
    """Training and a day of serving in money, and the days until they are even."""

    trained: Ceiling
    usd_per_day: Decimal
    tokens_per_day: float | None
    """None: what serving costs is stated as a sum."""
    usd_per_million: Decimal | None
    life: Lifecycle
    notes: tuple[str, ...] = ()
    """The rate of exchange of sums in another currency."""

    applies: ClassVar = frozenset((
        "life", "tokens_per_day", "tokens_per_month", "requests_per_day",
        "requests_per_month",
    ))  # fmt: skip

    @property
    def ways(self) -> tuple[Way, ...]:
        """A month of serving."""
        month = self.usd_per_day * DAYS_A_MONTH
        return (Way(self, Money(month=month), name="serving"),)

    def details(self) -> Mapping[str, object]:
        """Both sums, and the day on which they are even."""
        return {
            "recommendation": None,
            "training_usd": self.trained.usd,
            "serving_usd_per_day": self.usd_per_day,
            "tokens_per_day": self.tokens_per_day,
            "usd_per_million_tokens": self.usd_per_million,
            "serving_passes_training_after_days": self.days,
        }

    @property
    def days(self) -> Decimal:
        """Days of serving that cost as much as the training."""
        return days_to_pass(self.trained.usd, self.usd_per_day)


def answer_cost_crossover(query: Query, now: datetime) -> CostCrossover | None:
    """Divide stated training by stated serving; None: one of them is not stated."""
    said = query.life
    daily = _day_of_serving(query)
    if said is None or said.trained_for is None or daily is None or daily <= 0:
        return None
    paid = Budget(
        amount=exact(said.trained_for), period="total", currency=said.trained_currency
    )
    trained = ceiling(paid, now)
    if trained is None or not trained.usd:
        return None
    rate = trained.usd / paid.amount
    per_day = daily * rate
    days = days_to_pass(trained.usd, per_day)
    months = min(max(int(days / DAYS_A_MONTH) + 1, LEAST_MONTHS), MOST_MONTHS)
    price = said.serve_usd_per_million
    return CostCrossover(
        trained=trained,
        usd_per_day=per_day,
        tokens_per_day=None if price is None else _tokens(query),
        usd_per_million=None if price is None else exact(price) * rate,
        life=lifecycle(trained.usd, per_day * DAYS_A_MONTH, months),
        notes=converted(paid, now),
    )


def _day_of_serving(query: Query) -> Decimal | None:
    """What a day costs in the currency that was named."""
    said = query.life or Life()
    if said.serve_usd_per_day is not None:
        return exact(said.serve_usd_per_day)
    tokens = _tokens(query)
    if tokens is None or said.serve_usd_per_million is None:
        return None
    return exact(tokens) * exact(said.serve_usd_per_million) / PER_PRICE


def _tokens(query: Query) -> float | None:
    if query.tokens_per_day is not None:
        return query.tokens_per_day
    if query.tokens_per_month is not None:
        return query.tokens_per_month / DAYS_A_MONTH
    rate = query.tokens_per_second
    return None if rate is None else rate * SECONDS_PER_DAY
