"""How many GPUs to reserve, and when a term pays."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.money.costs import HourlyCost, cents
from core.money.reserve import (
    ReservePlan,
    day_profile,
    fleet_by_hour,
    gpus_for,
    plan_reserve,
    term_break_even,
)

PRICES = st.decimals(min_value="0.1", max_value=20, places=4)
DAYS = st.lists(st.integers(min_value=0, max_value=40), min_size=24, max_size=24)


def test_a_base_by_day_and_a_peak_in_office_hours() -> None:
    """2 GPUs all day and 6 for eight hours: reserve 2, rent 4 × 240 hours."""
    day = [6 if 9 <= hour < 17 else 2 for hour in range(24)]

    plan = plan_reserve(day, Decimal("2.49"), Decimal("1.99"))

    assert (2, 6, Decimal(960)) == (plan.reserved, plan.peak, plan.on_demand_gpu_hours)
    assert Decimal("5256.00") == plan.usd_per_month
    assert Decimal("720.00") == plan.saves
    assert Decimal("5500.80") == plan.usd_on_demand_flat - plan.usd_per_month


def test_a_reservation_that_costs_as_much_is_not_made() -> None:
    """Without a discount there is nothing to commit to."""
    plan = plan_reserve([4] * 24, Decimal(2), Decimal(2))

    assert (0, Decimal(0)) == (plan.reserved, plan.saves)


def test_a_peak_of_minutes_is_not_reserved() -> None:
    """A GPU that is needed one hour a day is rented, at any usual discount."""
    day = [1] * 23 + [9]

    plan = plan_reserve(day, Decimal(3), Decimal(1))

    assert Decimal(1) == plan.reserved


def test_a_term_sold_by_the_machine_is_reserved_by_the_machine() -> None:
    """3 GPUs always and 12 for eight hours: of eights, one is worth a term at half."""
    day = [12 if 9 <= hour < 17 else 3 for hour in range(24)]

    apart = plan_reserve(day, Decimal(2), Decimal(1))
    whole = plan_reserve(day, Decimal(2), Decimal(1), machine=8)
    dear = plan_reserve(day, Decimal(2), Decimal("1.5"), machine=8)

    assert (3, Decimal(9 * 240)) == (apart.reserved, apart.on_demand_gpu_hours)
    assert (8, Decimal(4 * 240)) == (whole.reserved, whole.on_demand_gpu_hours)
    assert 0 == dear.reserved


@given(DAYS, PRICES, PRICES)
def test_no_other_base_is_cheaper(
    day: list[int], on_demand: Decimal, reserved: Decimal
) -> None:
    """The plan's base costs no more than any other number of reserved GPUs."""
    plan = plan_reserve(day, on_demand, reserved)

    others = [_cost_of_base(day, base, on_demand, reserved) for base in range(41)]
    assert plan.usd_per_month == min(others)
    assert plan.saves >= 0
    assert _parts(plan, on_demand, reserved) == plan.usd_per_month


def _cost_of_base(
    day: list[int], base: int, on_demand: Decimal, reserved: Decimal
) -> Decimal:
    beyond = sum(max(need - base, 0) for need in day) * 30
    return HourlyCost(reserved, base).per_month() + on_demand * beyond


def _parts(plan: ReservePlan, on_demand: Decimal, reserved: Decimal) -> Decimal:
    base = HourlyCost(reserved, plan.reserved).per_month()
    return base + on_demand * plan.on_demand_gpu_hours


@given(
    st.integers(min_value=5, max_value=100), st.integers(min_value=1, max_value=10**6)
)
def test_an_assumed_day_has_its_average_and_peak(percent: int, peak: int) -> None:
    """The hump peaks at the peak, averages the average and is nowhere negative."""
    average = Decimal(peak) * percent / 100

    day = day_profile(average, peak)

    assert Decimal(peak) == max(day)
    assert abs(sum(day, Decimal(0)) / 24 - average) < Decimal(peak) / 10**6
    assert min(day) >= 0


def test_a_flat_day_and_a_needle() -> None:
    """Average = peak is flat; an average below one hour's peak is that one hour."""
    assert {Decimal(50)} == set(day_profile(50, 50))
    assert [Decimal(50)] == [load for load in day_profile(0.1, 50) if load]


def test_an_average_above_the_peak_is_refused() -> None:
    """The two cannot have been meant like this."""
    with pytest.raises(ValueError, match="above the peak"):
        day_profile(51, 50)


def test_replicas_are_whole() -> None:
    """10,001 tokens/s on replicas of four GPUs and 5,000 tokens/s take 12 GPUs."""
    expected = (0, 4, 8, 12)

    assert expected == fleet_by_hour((0, 1, 10_000, 10_001), 5000, 4)
    assert expected[-1] == gpus_for(10_001, 5000, 4)


def test_when_lambdas_year_pays() -> None:
    """$1.99 for $2.49: above 575 of 720 hours, or from 9.6 months of full use on."""
    term = term_break_even(Decimal("2.49"), Decimal("1.99"), 12)

    assert term.hours_per_month is not None
    assert term.months_of_full_use is not None
    assert Decimal("575.4") == round(term.hours_per_month, 1)
    assert Decimal("9.6") == round(term.months_of_full_use, 1)
    assert Decimal("17193.60") == cents(term.commitment_usd)
    assert Decimal("0.20") == round(term.saving, 2)


def test_a_term_that_never_pays() -> None:
    """A reserved price at or above on-demand has no break-even."""
    term = term_break_even(Decimal(2), Decimal("2.5"), 36)

    assert term.hours_per_month is term.months_of_full_use is None
    assert Decimal("-0.25") == term.saving


@given(PRICES, PRICES, st.integers(min_value=0, max_value=720))
def test_the_break_even_hours_are_where_the_bills_cross(
    on_demand: Decimal, reserved: Decimal, used: int
) -> None:
    """One GPU is reserved exactly when it is used beyond the break-even hours."""
    hours = term_break_even(on_demand, reserved, 12).hours_per_month

    cheaper = reserved * 720 < on_demand * used
    assert cheaper == (hours is not None and used > hours)
