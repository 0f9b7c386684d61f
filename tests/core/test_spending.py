"""A budget is kept in whatever currency it is stated, at a dated rate."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from market import NOW, USUAL, market, offer, recommend

from core.market.board import price_board
from core.market.spending import Ceiling, ceiling, converted
from core.money.currency import ExchangeRate, rate_for
from core.money.exchange import exchange_rates
from core.query import Period
from core.reference.load import reference
from core.workload import Budget, Constraints

LATER = datetime(2026, 11, 21, tzinfo=UTC)
"""After the day of the shipped rates."""
CURRENCIES = ("EUR", "GBP", "INR")


def rate(currency: str) -> ExchangeRate:
    """The shipped rate of a currency."""
    found = rate_for(currency, exchange_rates(), LATER.date())
    assert isinstance(found, ExchangeRate)
    return found


def most(amount: str, period: Period, currency: str = "USD") -> Ceiling:
    """A budget in dollars."""
    budget = Budget(amount=Decimal(amount), period=period, currency=currency)
    found = ceiling(budget, LATER)
    assert found is not None
    return found


@pytest.mark.parametrize("currency", CURRENCIES)
def test_a_budget_is_turned_into_dollars_at_the_shipped_rate(currency: str) -> None:
    """Amount ÷ units per dollar; the words say both amounts."""
    found = most("5000", "month", currency)

    assert Decimal(5000) / rate(currency).per_usd == found.usd
    assert f"5,000 {currency} a month ($" in found.words
    assert converted(found.budget, LATER) == (f"{rate(currency).shown}.",)


def test_dollars_need_no_rate() -> None:
    """A budget in dollars is its own amount, without a note."""
    found = most("5000", "month")

    assert Decimal(5000) == found.usd
    assert "$5,000 a month" == found.words
    assert () == converted(found.budget, LATER)


def test_a_currency_without_a_dated_rate_is_said_not_compared() -> None:
    """No rate: no ceiling, and a sentence that says so."""
    budget = Budget(amount=Decimal(5), period="month", currency="XXX")

    assert ceiling(budget, LATER) is None
    assert ("The budget is not compared: no dated XXX rate is known.",) == converted(
        budget, LATER
    )


@pytest.mark.parametrize(
    ("period", "usd"),
    [("hour", "10"), ("day", "240"), ("month", "7200"), ("year", "86400"),
     ("total", "7200")],
)  # fmt: skip
def test_spending_is_counted_in_the_budgets_period(period: Period, usd: str) -> None:
    """$10/h is $240 a day, $7,200 a month of 720 h, twelve of them a year."""
    found = most("1", period)

    assert Decimal(usd) == found.spent(Decimal(10), Constraints())


def test_a_total_is_for_the_hours_that_are_rented() -> None:
    """A stated length of time counts for a budget without a period."""
    found = most("1000", "total")

    assert Decimal(480) == found.spent(Decimal(10), Constraints(), Decimal(48))


@pytest.mark.parametrize("currency", CURRENCIES)
def test_a_fleet_over_a_foreign_budget_is_left_out(currency: str) -> None:
    """What costs a cent more than the converted budget goes; what costs it stays."""
    month = recommend(params_b=8, rps=1).options[0].usd_per_month
    paid = float(month * rate(currency).per_usd)
    said = {"params_b": 8, "rps": 1, "budget_currency": currency}

    enough = recommend(**said, budget_amount=paid + 0.01, at=LATER)
    short = recommend(**said, budget_amount=paid - 0.5, at=LATER)

    assert "ok" == enough.status
    assert all(option.usd_per_month <= month for option in enough.options)
    assert "over_budget" == short.status
    (line,) = (r.why for r in short.rejections if r.rule == "budget")
    assert currency in line


@given(
    st.decimals("1", "50000", places=2), st.sampled_from([*CURRENCIES, "USD"])
)  # fmt: skip
def test_nothing_over_the_budget_is_ever_offered(amount: Decimal, code: str) -> None:
    """Every option keeps within the budget, unless the status says that none does."""
    budget = Budget(amount=amount, period="month", currency=code)
    found = price_board(
        Constraints(gpus=("h100-80gb-sxm",), count=2, budget=budget),
        market(*USUAL), reference(), LATER,
    )  # fmt: skip
    limit = ceiling(budget, LATER)

    assert limit is not None
    assert found.over_budget or all(
        bill.usd_per_month <= limit.usd for bill in found.bills
    )


def test_an_hourly_budget_alone_is_per_gpu() -> None:
    """ "h100 under $4/h" keeps an eight-GPU machine at $3.90 a GPU."""
    budget = Budget(amount=Decimal(4), period="hour")
    aws = offer("aws", "h100-80gb-sxm", "3.90", gpu_count=8, instance="p5.48xlarge")
    alone = Constraints(gpus=("h100-80gb-sxm",), budget=budget)

    one = price_board(alone, market(aws), reference(), NOW)
    eight = price_board(
        alone.model_copy(update={"count": 8}), market(aws), reference(), NOW
    )

    assert not one.over_budget
    assert eight.over_budget
