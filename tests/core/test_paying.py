"""Spot held against what is never interrupted, at a stated rate of interruptions."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.jobs.answer import answer_job
from core.jobs.options import JobAnswer
from core.jobs.recommend import Shop
from core.jobs.spot_vs_on_demand import asks_for_both, both_ways
from core.offers import Offer
from core.query import Query
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.resolve.constraints import resolve_constraints
from core.workload import is_job
from tests.core.test_jobs_recommend import H100, NOW, defaults, market, offer

STEADY = offer("lambda", H100, "2.00")
SPOT = offer("gcp", H100, "1.00").model_copy(update={"pricing": "spot"})
BOTH = ("spot", "on_demand")


def ask(*offers: Offer, **stated: Any) -> JobAnswer:
    """A 7B trained on 8 H100s at these offers, or at both."""
    query = Query(
        params_b=7, intent="run_cost", kind="training", dataset_tokens=2e9,
        **{"count": 8} | stated,
    )  # fmt: skip
    found = resolve(query, reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert is_job(found.spec)
    shop = Shop(market(*(offers or (STEADY, SPOT))), reference(), NOW)
    return answer_job(found, found.spec, shop)


def test_both_bills_stand_beside_each_other() -> None:
    """The same GPUs each way, and the hours between interruptions that spot needs."""
    both = both_ways(ask(pricing=BOTH))

    assert both is not None
    assert ("spot", "on_demand") == (both.spot.offer.pricing, both.steady.offer.pricing)
    assert both.alike == both.steady
    assert both.pays_from_hours is not None


def test_at_the_limit_both_cost_about_the_same() -> None:
    """Interrupted as seldom as the limit says, spot saves nothing any more."""
    first = both_ways(ask(pricing=BOTH))
    assert first is not None
    assert first.pays_from_hours is not None
    again = both_ways(ask(pricing=BOTH, interrupted_hours=first.pays_from_hours))

    assert again is not None
    assert 1 == pytest.approx(float(again.spot.usd / again.steady.usd), rel=1e-6)


def test_one_way_alone_is_no_comparison() -> None:
    """Without an offer on demand there is nothing to hold spot against."""
    assert both_ways(ask(SPOT, pricing=BOTH)) is None


@pytest.mark.parametrize(
    ("pricing", "expected"),
    [(BOTH, True), (("spot", "reserved"), True), (("spot",), False), (None, False)],
)
def test_both_are_asked_for_by_name(
    pricing: tuple[str, ...] | None, expected: bool
) -> None:
    """Spot alone, or nothing, asks for no comparison."""
    limits = resolve_constraints(Query(pricing=pricing), reference())

    assert expected == asks_for_both(limits)


@settings(max_examples=20, deadline=None)
@given(st.floats(0.5, 500))
def test_rarer_interruptions_never_cost_more(hours: float) -> None:
    """Twice as long between them, no dearer."""
    often, seldom = (
        ask(SPOT, pricing=("spot",), interrupted_hours=hours * factor)
        for factor in (1, 2)
    )

    assert often.best is None or (
        seldom.best is not None and seldom.best.usd <= often.best.usd
    )


def test_a_job_is_stopped_as_often_as_stated_whatever_its_machines() -> None:
    """Ten hours of the job are ten hours on two machines; of each, five."""
    told = {"count": 16, "pricing": ("spot",), "interrupted_hours": 10.0}
    job = ask(SPOT, **told)
    each = ask(SPOT, **told, interrupted_machine=True)

    assert job.best is not None
    assert job.best.spot is not None
    assert each.best is not None
    assert each.best.spot is not None

    assert Decimal(10) == job.best.spot.stops.mtbf_hours
    assert Decimal(10) / job.best.plan.machines == each.best.spot.stops.mtbf_hours


@pytest.mark.parametrize("every", [0.05, 0.5, 5.0])
def test_work_is_saved_as_often_as_stated_and_never_better_than_best(
    every: float,
) -> None:
    """A stated interval is taken, and costs no less than the best one does."""
    told = {"count": 16, "pricing": ("spot",), "interrupted_hours": 10.0}
    best, stated = ask(SPOT, **told).best, ask(SPOT, **told, checkpoint_hours=every)

    assert best is not None
    assert stated.best is not None
    assert stated.best.spot is not None
    assert Decimal(str(every)) == stated.best.spot.stops.checkpoint_every_hours
    assert stated.best.usd >= best.usd * Decimal("0.999")
