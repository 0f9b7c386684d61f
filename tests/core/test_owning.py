"""Power, buying against renting, terms, and the whole bill of a month."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from market import NOW, USUAL, market, offer

from core.answers.ownership import (
    Energy,
    Hired,
    Owning,
    answer_energy,
    answer_owning,
)
from core.answers.tco import all_in, asked_for
from core.answers.terms import TermsAnswer, answer_terms
from core.offers import Offer
from core.query import Beside, Query
from core.reference.load import reference
from core.workload import Constraints

H100 = reference().gpus["h100-80gb-sxm"]


def energy(used: float = 1, count: int = 8, **stated: float) -> Energy:
    """What the power of H100s costs."""
    query = Query(beside=Beside(**stated))
    found = answer_energy(query, H100, Constraints(count=count), used)
    assert found is not None
    return found


def owning(*offers: Offer, used: float = 1, months: float = 48, **more: Any) -> Owning:
    """Eight H100s bought and rented."""
    query = Query(gpu=("h100",), count=8, term_months=months, beside=Beside(**more))
    limits = Constraints(gpus=(H100.id,), count=8)
    catalog = market(*(offers or USUAL))
    found = answer_owning(query, H100, limits, used, (), catalog, reference(), NOW)
    assert found is not None
    return found


def terms(*offers: Offer) -> TermsAnswer:
    """The terms that these offers make."""
    limits = Constraints(gpus=(H100.id,), count=8)
    found = answer_terms(H100, limits, market(*offers), reference(), NOW)
    assert found is not None
    return found


def test_electricity_is_watts_times_pue_times_hours_times_price() -> None:
    """8 × 0.7 kW × 1.3 × 720 h × $0.15 = $786.24."""
    found = energy(usd_per_kwh=0.15, pue=1.3)

    assert Decimal("786.24") == found.usd_per_month
    assert Decimal("5241.6") == found.kwh


def test_gpus_in_use_half_the_time_draw_half() -> None:
    """Hours in use are what is paid for."""
    assert energy().usd_per_month == 2 * energy(used=0.5).usd_per_month


def test_unstated_power_is_assumed_and_said() -> None:
    """Price, PUE and draw stand among the assumptions; stated ones do not."""
    assert {"draw", "pue", "usd_per_kwh"} == {a.field for a in energy().assumptions}
    assert {"draw"} == {a.field for a in energy(pue=1.3, usd_per_kwh=1).assumptions}


def test_buying_is_weighed_with_hosts_and_power() -> None:
    """8 × $30,000 × 1.35 ÷ 48 months; 5.6 kW of GPUs × 1.8 in servers: × 1.5 × 720 h ×
    $0.08 and $184 of colocation a kW; 16 h of people at $100; 5 % of support a year and
    8 % of interest on half the price."""
    found = owning()

    assert Decimal(324_000) == found.purchase.usd
    assert Decimal(6750) == found.purchase.usd / 48
    upkeep = Decimal("5.6") * Decimal("1.8") * 184 + 8 * 2 * 100
    upkeep += 324_000 * (Decimal("0.05") + Decimal("0.04")) / 12
    monthly = Decimal(6750) + Decimal("483.84") * Decimal("1.8") + upkeep
    assert float(monthly) == pytest.approx(float(found.purchase.usd_per_month))


def test_at_the_flip_owning_and_renting_cost_the_same() -> None:
    """Used for the break-even hours, the rent is what owning costs in that month."""
    rented = offer("lambda", H100.id, "2.49")
    hours = owning(rented).compared.used_hours_per_month

    assert hours is not None
    rent = Decimal("2.49") * 8 * hours
    flip = owning(rented, used=float(hours) / 720)
    assert float(flip.purchase.usd_per_month) == pytest.approx(float(rent))
    assert float(flip.compared.used_hours_per_month or 0) == pytest.approx(float(hours))


def test_live_rent_is_neither_spot_nor_a_term() -> None:
    """What buying is held against is the plain hour."""
    found = owning()

    assert "on_demand" == found.rent.offer.pricing
    assert "standard" == found.rent.offer.tier
    assert found.reserved is not None
    assert "reserved" == found.reserved.offer.pricing


@given(cheap=st.decimals("0.50", "2.00", places=2))
def test_a_lower_rent_never_speaks_for_buying(cheap: Decimal) -> None:
    """Buying that loses at $2.00 loses at every lower rent."""
    dear = owning(offer("lambda", H100.id, "2.00"), used=0.5)
    low = owning(offer("lambda", H100.id, str(cheap)), used=0.5)

    assert low.compared.buy <= dear.compared.buy


def test_a_term_pays_above_its_price_over_the_hourly_one() -> None:
    """$1.99 against $2.49: above 79.9 % use, 575 of 720 hours."""
    found = terms(
        offer("lambda", H100.id, "2.49"),
        offer("lambda", H100.id, "1.99", pricing="reserved", term_months=12),
    )
    best = found.best

    assert best is not None
    assert best.compared.hours_per_month is not None
    assert 575.4 == pytest.approx(float(best.compared.hours_per_month), abs=0.1)
    assert Decimal("17193.6") == best.compared.commitment_usd


def test_a_term_dearer_than_the_cheapest_hour_never_pays() -> None:
    """A discount on a dear list is no saving where somebody else is cheaper."""
    found = terms(
        offer("lambda", H100.id, "1.99"),
        offer("gcp", H100.id, "9.00"),
        offer("gcp", H100.id, "4.86", pricing="reserved", term_months=36),
    )

    assert found.best is None
    (term,) = found.terms
    assert term.at_home is not None
    assert Decimal("0.46") == term.at_home.saving


def test_nothing_stands_beside_the_bill_unasked() -> None:
    """Egress, storage and people are off by default."""
    assert not asked_for(Query(params_b=70, rps=50))


def test_only_what_was_named_is_counted() -> None:
    """2 TB of egress at AWS's $0.09 adds $180, and nothing else."""
    query = Query(beside=Beside(egress_gb=2000))

    total = all_in(query, "aws", Decimal(1000), 0.5).total

    assert asked_for(query)
    assert ["GPUs", "egress"] == [line.name for line in total.lines]
    assert Decimal(1180) == total.usd
    assert Decimal(500) == total.idle


def test_a_provider_that_charges_no_egress_charges_none() -> None:
    """Lambda lists none: zero is known there, not assumed."""
    query = Query(beside=Beside(egress_gb=2000))

    assert Decimal(1000) == all_in(query, "lambda", Decimal(1000), 1).total.usd


def test_tco_alone_switches_all_on_and_says_what_it_took() -> None:
    """Every amount and every price of them is an assumption that is shown."""
    found = all_in(Query(wanted="tco"), "unknown", Decimal(1000), 1)

    assert 4 == len(found.total.lines)
    assert 6 == len(found.assumptions)
    assert found.total.usd == sum(line.usd for line in found.total.lines)


@pytest.mark.parametrize(("work", "gpus"), [(2.0, 4), (0.5, 16), (1.0, None)])
def test_unlike_gpus_are_weighed_for_the_same_work(
    work: float, gpus: int | None
) -> None:
    """Eight that do twice the work are needed by half, and paid by half."""
    limits = Constraints(gpus=(H100.id,), count=8)
    hired = Hired(H100, 8, work)
    asked = (Query(), H100, limits, 1.0, (), market(*USUAL), reference(), NOW)
    found = answer_owning(*asked, hired=hired)

    assert found is not None
    assert (found.same_work and found.same_work[0]) == gpus
    if found.same_work is not None:
        assert found.same_work[1] * 8 == found.rented_usd_per_month * found.same_work[0]
        assert found.buy is (found.purchase.usd_per_month < found.same_work[1])
