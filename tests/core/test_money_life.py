"""Lifecycle, extras, owned GPUs and other currencies."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError

from core.money.costs import cents
from core.money.currency import ExchangeRate, NoRate, rate_for
from core.money.exchange import exchange_rates
from core.money.lifecycle import cadence_months, lifecycle
from core.money.owned import Purchase, buy_or_rent, energy_per_month
from core.money.tco import Extras, monthly_total

USD = st.decimals(min_value="0.01", max_value=10**7, places=2)
MONTHS = st.integers(min_value=1, max_value=60)
TODAY = date(2026, 11, 20)


def test_retraining_delays_the_month() -> None:
    """$10k, $3k a quarter and $2k a month of serving: serving leads from month 10."""
    found = lifecycle(10_000, 2_000, 12, 3_000, 3)

    assert Decimal(10) == found.passes_in_month
    assert Decimal(43_000) == found.total
    assert [found.months[month].training / 1000 for month in (0, 2, 4, 11)] == [
        10,
        13,
        13,
        19,
    ]
    assert Decimal("0.558") == round(found.serving_share, 3)


def test_without_retraining_it_is_sooner() -> None:
    """The same without retraining: five months to match, the sixth passes."""
    assert Decimal(6) == lifecycle(10_000, 2_000, 12).passes_in_month


def test_serving_that_stays_behind() -> None:
    """Within the months asked for it may never pass."""
    assert lifecycle(10_000, 100, 12).passes_in_month is None


def test_growth_brings_it_forward() -> None:
    """20 % more traffic a month: $2,000, $2,400 … pass $10,000 in the fourth month."""
    found = lifecycle(10_000, 2_000, 6, growth_per_month=0.2)

    assert Decimal(4) == found.passes_in_month
    assert Decimal("10736.00") == cents(found.months[3].serving)


@pytest.mark.parametrize(
    ("said", "a_year"),
    [
        ("weekly", 52),
        ("every 2 weeks", 26),
        ("monthly", 12),
        ("quarterly", 4),
        ("every quarter", 4),
        ("per month", 12),
        ("6 months", 2),
        ("Annually", 1),
        ("daily", 365),
    ],
)
def test_a_cadence_in_words(said: str, a_year: int) -> None:
    """Words become months between retrainings."""
    months = cadence_months(said)

    assert months is not None
    assert Decimal(a_year) == round(12 / months)


def test_a_cadence_that_says_nothing() -> None:
    """What is no cadence is none, not a guess."""
    assert cadence_months("when it drifts") is None


def test_a_model_is_not_retrained_as_it_retires() -> None:
    """Within a year a yearly retraining never happens, a weekly one 52 times."""
    assert Decimal(1) == lifecycle(1, 1, 12, 1, 12).months[-1].training
    weekly = lifecycle(0, 1, 12, 1, cadence_months("weekly"))
    assert Decimal(52) == weekly.months[-1].training


@given(USD, USD, MONTHS, USD, st.integers(min_value=1, max_value=12))
def test_the_passing_month_is_the_last_change_of_lead(
    train: Decimal, serve: Decimal, months: int, again: Decimal, every: int
) -> None:
    """From the month named serving leads, in the month before it does not."""
    found = lifecycle(train, serve, months, again, every)

    leads = [row.serving > row.training for row in found.months]
    if found.passes_in_month is None:
        assert not leads[-1]
    else:
        before = found.passes_in_month - 1
        assert all(leads[before:])
        assert not before or not leads[before - 1]
    assert found.total == found.months[-1].training + serve * months


def test_extras_are_off_unless_named() -> None:
    """A bill is GPUs only, until a question adds to it; each addition has its name."""
    gpus = Decimal("7171.20")
    extras = Extras(
        egress_gb=Decimal(500),
        egress_usd_per_gb=Decimal("0.09"),
        engineering_hours=Decimal(40),
        engineering_usd_per_hour=Decimal(100),
    )

    plain, full = monthly_total(gpus), monthly_total(gpus, extras, Decimal("0.5"))

    assert [line.name for line in plain.lines] == ["GPUs"]
    assert plain.idle is None
    assert [line.name for line in full.lines] == ["GPUs", "egress", "engineering"]
    assert full.lines[1].formula == "500 GB × $0.09"
    assert Decimal("11216.20") == cents(full.usd)
    assert full.idle is not None
    assert Decimal("3585.60") == cents(full.idle)


@given(USD, USD, USD, USD)
def test_the_parts_of_a_bill_make_the_whole(
    gpus: Decimal, egress: Decimal, storage: Decimal, hours: Decimal
) -> None:
    """The total is the sum of its lines to the cent."""
    extras = Extras(
        egress_gb=egress,
        egress_usd_per_gb=Decimal("0.09"),
        storage_gb=storage,
        storage_usd_per_gb=Decimal("0.023"),
        engineering_hours=hours,
        engineering_usd_per_hour=Decimal(120),
    )

    found = monthly_total(gpus, extras)

    expected = gpus + egress * 9 / 100 + storage * 23 / 1000 + hours * 120
    assert expected == found.usd


def test_energy_of_eight_h100() -> None:
    """8 × 700 W × PUE 1.3 × 720 h × $0.12 = $628.99; at half draw half of it."""
    full = energy_per_month(700, 8, 0.12, 1.3)

    assert Decimal("628.99") == cents(full)
    assert full / 2 == energy_per_month(700, 8, 0.12, 1.3, draw=0.5)


def test_buying_against_renting() -> None:
    """$300k for 8 GPUs over 3 years: $1.67 an hour, paid back in 24.6 months."""
    purchase = Purchase(Decimal(300_000), 8, 36, Decimal("2128.992"), Decimal(30_000))

    found = buy_or_rent(purchase, Decimal("2.49"))

    assert found.buy
    assert found.months_to_pay_back is not None
    assert found.used_hours_per_month is not None
    assert Decimal("1.6717") == round(found.owned_usd_per_gpu_hour, 4)
    assert Decimal("24.6") == round(found.months_to_pay_back, 1)
    assert Decimal(483) == round(found.used_hours_per_month)


def test_buying_what_is_hardly_used() -> None:
    """At 100 hours a month the same purchase never pays, and says so by None."""
    purchase = Purchase(Decimal(300_000), 8, 36, Decimal(2129))

    found = buy_or_rent(purchase, Decimal("2.49"), used_hours=100)

    assert not found.buy
    assert found.months_to_pay_back is None


@given(
    st.integers(min_value=1000, max_value=10**6),
    st.decimals("0.5", 10, places=2),
    st.integers(min_value=1, max_value=720),
)
def test_owning_is_cheaper_beyond_its_break_even_hours(
    usd: int, rent: Decimal, used: int
) -> None:
    """Buy exactly when the used hours exceed those at which the costs meet."""
    found = buy_or_rent(Purchase(Decimal(usd), 8, 36, Decimal(500)), rent, used)

    beyond = (
        found.used_hours_per_month is not None and used > found.used_hours_per_month
    )
    assert found.buy == beyond


EUR = ExchangeRate(
    currency="EUR",
    per_usd=Decimal("0.92"),
    as_of=date(2026, 11, 2),
    source="a test",
)


def test_the_latest_rate_that_is_not_from_the_future() -> None:
    """A budget in euros is turned by the newest dated rate, and says which."""
    rates = [
        EUR.model_copy(update={"as_of": date(2026, 1, 5)}),
        EUR,
        EUR.model_copy(update={"as_of": date(2026, 12, 24)}),
    ]

    rate = rate_for("eur", rates, TODAY)

    assert rate == EUR
    assert Decimal("5434.78") == cents(EUR.to_usd(Decimal(5000)))
    assert EUR.shown == "1 USD = 0.92 EUR on 2026-11-02 (a test)"
    assert not EUR.stale(TODAY)
    assert EUR.stale(date(2026, 12, 24))


def test_no_rate_is_said() -> None:
    """A currency without a dated rate is refused with the reason."""
    found = rate_for("CHF", [EUR], TODAY)

    assert NoRate(currency="CHF", reason="no dated CHF rate is known") == found


def test_an_undated_or_unsourced_rate_is_refused() -> None:
    """A rate without its date, or without its source, is no rate."""
    stated = {"currency": "EUR", "per_usd": "0.92", "source": "a bank"}

    with pytest.raises(ValidationError, match="as_of"):
        ExchangeRate.model_validate(stated)
    with pytest.raises(ValidationError, match="source"):
        ExchangeRate.model_validate({**stated, "as_of": "2026-11-02", "source": ""})


def test_the_packaged_rates_are_the_banks() -> None:
    """1.1172 dollars and 0.8338 pounds for a euro: 0.7463 pounds for a dollar."""
    rates = {rate.currency: rate for rate in exchange_rates()}

    assert {date(2026, 10, 30)} == {rate.as_of for rate in rates.values()}
    assert Decimal("0.7463") == round(rates["GBP"].per_usd, 4)
    assert Decimal("1117.20") == cents(rates["EUR"].to_usd(Decimal(1000)))
    assert "USD" not in rates


def test_dollars_need_no_rate() -> None:
    """A dollar is a dollar."""
    rate = rate_for("USD", [], TODAY)

    assert isinstance(rate, ExchangeRate)
    assert Decimal(5) == rate.to_usd(Decimal(5))


@given(USD)
def test_there_and_back(usd: Decimal) -> None:
    """Changing money forth and back loses nothing to the cent."""
    assert usd == cents(EUR.to_usd(EUR.from_usd(usd)))
