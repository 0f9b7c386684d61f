"""Days of serving that cost as much as training."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers.cost_crossover import CostCrossover, answer_cost_crossover
from core.query import Life, Query

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def passing(tokens: float | None = None, **life: float | str) -> CostCrossover:
    """The answer to sums that suffice."""
    query = Query(text="", tokens_per_day=tokens, life=Life.model_validate(life))
    found = answer_cost_crossover(query, NOW)
    assert found is not None
    return found


def test_the_worked_example_of_the_articles_comes_out() -> None:
    """X-054: $78M ÷ (250B × $2.50 per 1M = $625K a day) = 124.8 days."""
    found = passing(250e9, trained_for=78e6, serve_usd_per_million=2.5)

    assert Decimal(625_000) == found.usd_per_day
    assert Decimal("124.8") == found.days
    assert 5 == found.life.passes_in_month


def test_a_year_of_serving_may_be_the_sum() -> None:
    """X-054: at $500M a year it takes less than two months."""
    found = passing(trained_for=78e6, serve_usd_per_day=500e6 / 365)

    assert pytest.approx(56.94) == float(found.days)
    assert 2 == found.life.passes_in_month


def test_other_money_passes_on_the_same_day() -> None:
    """Both sums are of one currency, whatever it is worth."""
    stated = {"trained_for": 3e5, "serve_usd_per_day": 1e3}
    euros = passing(**stated, trained_currency="EUR")

    assert passing(**stated).days == round(euros.days, 9) == 300
    assert euros.trained.usd > Decimal(300_000)


@pytest.mark.parametrize(
    "life",
    [{"trained_for": 1e6}, {"serve_usd_per_day": 5.0},
     {"trained_for": 1e6, "serve_usd_per_million": 2.0},
     {"trained_for": 0.0, "serve_usd_per_day": 5.0}],
)  # fmt: skip
def test_one_sum_alone_is_no_answer(life: dict[str, float]) -> None:
    """A price of tokens needs tokens; a training for nothing is passed at once."""
    query = Query(text="", life=Life.model_validate(life))

    assert answer_cost_crossover(query, NOW) is None


@given(
    st.floats(min_value=1, max_value=1e9), st.floats(min_value=0.01, max_value=1e7),
    st.floats(min_value=1, max_value=10),
)  # fmt: skip
def test_dearer_training_is_never_passed_sooner(
    paid: float, daily: float, more: float
) -> None:
    """The days grow with what training cost."""
    first = passing(trained_for=paid, serve_usd_per_day=daily)
    second = passing(trained_for=paid * more, serve_usd_per_day=daily)

    assert second.days >= first.days
