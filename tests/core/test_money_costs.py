"""Hours, tokens, requests, users and idle time in dollars."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.money.costs import (
    HourlyCost,
    at_utilisations,
    cents,
    exact,
    idle_per_month,
    usd_per_million,
    usd_per_million_blended,
    usd_per_request,
)

PRICES = st.decimals(min_value="0.01", max_value=100, places=6)
RATES = st.floats(min_value=0.1, max_value=1e6)
SHARES = st.decimals(min_value="0.01", max_value=1, places=4)
GPUS = st.integers(min_value=1, max_value=20_000)


def test_one_price_by_every_period() -> None:
    """A month has 720 hours unless said, a year 8,760, a run as many as it takes."""
    cost = HourlyCost(Decimal("2.49"), 4)

    found = [cost.per_hour, cost.per_day(), cost.per_month(), cost.per_month(730)]
    found += [cost.per_year(), cost.per_run(36.5)]

    expected = ["9.96", "239.04", "7171.20", "7270.80", "87249.60", "363.540"]
    assert expected == [str(usd) for usd in found]


@pytest.mark.parametrize(
    ("usd", "shown"),
    [("0.005", "0.01"), ("2.675", "2.68"), ("-0.005", "-0.01"), ("7171.2", "7171.20")],
)
def test_cents_round_halves_up(usd: str, shown: str) -> None:
    """Only what is shown is rounded, half a cent away from zero."""
    assert shown == str(cents(Decimal(usd)))


def test_a_float_is_the_decimal_it_prints() -> None:
    """No binary tail enters the money."""
    assert Decimal("0.1") == exact(0.1)


def test_prompts_share_the_cost() -> None:
    """1,000 tokens in for 200 out: a token read or written costs a sixth of one out."""
    per_output = usd_per_million(Decimal(12), 1000)

    blended = usd_per_million_blended(Decimal(12), 1000, 5)
    assert cents(per_output / 6 * 1000) == cents(blended * 1000)


def test_per_request() -> None:
    """50 requests a second at half use share $10 an hour."""
    per_thousand = 1000 * usd_per_request(Decimal(10), 50, Decimal("0.5"))

    assert Decimal("0.1111") == round(per_thousand, 4)


def test_the_table_of_utilisations() -> None:
    """Busiest first, each once, with the idle dollars beside each token price."""
    rows = at_utilisations(Decimal("7171.20"), 10_000, (1, 0.5, 0.3, 0.6, 0.5))

    found = [
        f"{row.utilisation} {row.usd_per_million:.3f} {cents(row.idle_per_month)}"
        for row in rows
    ]
    expected = [
        "1 0.277 0.00",
        "0.6 0.461 2868.48",
        "0.5 0.553 3585.60",
        "0.3 0.922 5019.84",
    ]
    assert expected == found


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf")])
def test_no_throughput_has_no_price(rate: float) -> None:
    """A token that is never made has no cost; asking for one is an error."""
    with pytest.raises(ValueError, match="tokens per second must be above zero"):
        usd_per_million(Decimal(1), rate)


@given(PRICES, GPUS, GPUS, st.integers(min_value=1, max_value=8760))
def test_money_adds_up_exactly(
    price: Decimal, some: int, more: int, hours: int
) -> None:
    """Two fleets cost what one of both sizes costs, to the last digit."""
    apart = HourlyCost(price, some).per_run(hours) + HourlyCost(price, more).per_run(
        hours
    )

    assert HourlyCost(price, some + more).per_run(hours) == apart


@given(PRICES, GPUS, st.decimals(min_value="0.1", max_value=10_000, places=2))
def test_twice_the_hours_cost_twice(price: Decimal, gpus: int, hours: Decimal) -> None:
    """Doubling the hours doubles the bill."""
    cost = HourlyCost(price, gpus)

    assert 2 * cost.per_run(hours) == cost.per_run(2 * hours)


@given(PRICES, RATES, SHARES, SHARES)
def test_less_use_is_never_cheaper_per_token(
    price: Decimal, rate: float, one: Decimal, other: Decimal
) -> None:
    """The lower the utilisation, the dearer the token and the larger the idle part."""
    low, high = sorted((one, other))

    assert usd_per_million(price, rate, low) >= usd_per_million(price, rate, high)
    assert idle_per_month(price, low) >= idle_per_month(price, high)


@given(PRICES, RATES, RATES)
def test_a_faster_gpu_at_the_same_price_never_costs_more(
    price: Decimal, one: float, other: float
) -> None:
    """More tokens per second for the same dollars is cheaper per token."""
    slow, fast = sorted((one, other))

    assert usd_per_million(price, fast) <= usd_per_million(price, slow)


@given(PRICES, SHARES)
def test_idle_and_used_make_the_bill(price: Decimal, used: Decimal) -> None:
    """What is used and what is idle are the whole bill."""
    assert price == idle_per_month(price, used) + idle_per_month(price, 1 - used)
