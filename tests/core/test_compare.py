"""X or Y: alternatives, the break-even price, and using a fleet better first."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from market import NOW, USUAL, market, offer

from core.answers.compare import (
    LoadComparison,
    compare_offers,
    compare_under_load,
)
from core.answers.specs import compare_specs
from core.answers.upgrade import Upgrade, answer_upgrade
from core.market.contenders import Contender, Machine, contenders
from core.offers import Offer
from core.query import Query
from core.reference.load import reference
from core.resolve.constraints import resolve_constraints
from core.workload import Constraints
from tests.core.market import workload

A100 = offer("lambda", "a100-80gb-sxm", "1.38")
ND96, P5 = "Standard_ND96isr_H100_v5", "p5.48xlarge"
MACHINES = {ND96: Machine("h100", 8, "azure"), P5: Machine("h100", 8, "aws")}


def compared(*offers: Offer, **stated: Any) -> LoadComparison:
    """The alternatives of a question under its load."""
    query = Query(**stated)
    named = contenders(query, reference(), {})
    catalog = market(*(offers or (*USUAL, A100)))
    return compare_under_load(named, *workload(query), catalog, reference(), NOW)


def test_a_wide_gap_is_taken_apart() -> None:
    """H100 FP8 over A100 BF16: the format is about half of it."""
    found = compared(params_b=70, rps=50, gpu=("h100", "a100"))

    assert found.gap is not None
    assert found.gap.alike is not None
    assert 1.5 < found.gap.alike < 3.5 < found.gap.in_all
    assert found.gap.unhurried is None or found.gap.unhurried < found.gap.alike
    assert ("h100-80gb-sxm", "a100-80gb-sxm") == (
        found.gap.faster.plan.gpu.id, found.gap.slower.plan.gpu.id
    )  # fmt: skip


def test_a_narrow_gap_needs_no_words() -> None:
    """H100 against H200, and an H100 against itself elsewhere."""
    neighbours = compared(params_b=70, rps=50, gpu=("h100", "h200"))
    sellers = compared(params_b=70, rps=50, gpu=("h100",), provider=("lambda", "aws"))

    assert neighbours.gap is None
    assert sellers.gap is None


def upgrade(used: float, *offers: Offer, count: int = 4, **stated: Any) -> Upgrade:
    """A fleet of A100s in hand against the H100."""
    query = Query(gpu=("a100", "h100"), count=count, utilization=used, **stated)
    work = workload(query)[0] if stated else None
    gpus = tuple(reference().gpus[g] for g in ("a100-80gb-sxm", "h100-80gb-sxm"))
    found = answer_upgrade(
        gpus, used, resolve_constraints(query, reference()), work, (),
        market(*(offers or (*USUAL, A100))), reference(), NOW,
    )  # fmt: skip
    assert found is not None
    return found


def test_alternatives_are_every_combination_of_what_is_named() -> None:
    """Two GPUs in two formats are four alternatives; one pricing narrows all."""
    query = Query(gpu=("b200", "h100"), precision=("fp4", "fp8"), pricing=("spot",))
    found = contenders(query, reference(), {})

    assert [
        ("b200", "fp4"), ("b200", "fp8"), ("h100-80gb-sxm", "fp4"),
        ("h100-80gb-sxm", "fp8"),
    ] == [(one.gpu.id, one.precision) for one in found if one.gpu]  # fmt: skip
    assert all(one.pricing is None for one in found)


def test_machines_stand_for_their_own_gpu_count_and_seller() -> None:
    """A machine type is one alternative, not a combination with the other's seller."""
    query = Query(instance=(ND96, P5), gpu=("h100",), provider=("azure", "aws"))
    found = contenders(query, reference(), MACHINES)

    assert [("azure", 8), ("aws", 8)] == [(one.provider, one.gpus) for one in found]


def test_a_machine_without_a_price_is_said_with_what_there_is() -> None:
    """Unpriced is a result: no bill, the nearest of the same seller beside it."""
    query = Query(instance=(ND96, P5))
    nvl = offer("azure", "h100-nvl", "6.98")
    found = compare_offers(
        contenders(query, reference(), MACHINES),
        Constraints(),
        market(*USUAL, nvl),
        reference(),
        NOW,
    )
    priced, unpriced = found.entries

    assert priced.bill is not None
    assert Decimal("31.20") == priced.bill.usd_per_hour
    assert unpriced.bill is None
    assert unpriced.nearby is not None
    assert "h100-nvl" == unpriced.nearby.offer.gpu


def test_a_format_that_a_gpu_lacks_is_left_out_with_the_reason() -> None:
    """FP4 needs Blackwell (S1-056)."""
    found = compared(params_b=70, gpu=("b200", "h100"), precision=("fp4", "fp8"))
    reasons = [e.rejection.why for e in found.entries if e.rejection]

    assert ["no FP4 on this GPU"] == reasons


def test_the_break_even_price_makes_both_cost_the_same() -> None:
    """At the flip's price the runner-up's month equals the winner's."""
    found = compared(params_b=70, rps=20, gpu=("h100", "h200"))
    flip = found.flip
    assert flip is not None
    (_, first), (_, second) = found.priced[:2]

    cheaper = flip.break_even_usd_y * second.gpus
    assert pytest.approx(float(first.usd_per_hour)) == float(cheaper)
    assert flip.cost_ratio < 1


def test_a_larger_load_may_turn_the_comparison() -> None:
    """Where the runner-up overtakes, sizing at that load agrees."""
    cheap_small = (
        offer("lambda", "l4", "0.40"),
        offer("lambda", "h100-80gb-sxm", "1.99"),
    )
    found = compared(*cheap_small, params_b=8, rps=0.2, gpu=("l4", "h100"))
    assert found.overtaken_at is not None
    assert "l4" == found.priced[0][1].plan.gpu.id

    beyond = compared(
        *cheap_small, params_b=8, rps=found.overtaken_at * 1.05, gpu=("l4", "h100")
    )
    assert "h100-80gb-sxm" == beyond.priced[0][1].plan.gpu.id


def test_pricing_that_is_not_sold_falls_back_and_says_so() -> None:
    """Spot of a GPU that nobody sells on spot stands in on demand."""
    found = compared(params_b=70, gpu=("h100", "h200"), pricing=("spot",))
    fell_back = {
        e.contender.gpu.id: e.fell_back for e in found.entries if e.contender.gpu
    }

    assert {"h100-80gb-sxm": False, "h200-sxm": True} == fell_back


def test_where_nothing_serves_in_time_patience_is_tried() -> None:
    """Two slow pairs of cards are still compared, and it is said at which wait."""
    slow = (offer("lambda", "a10g", "0.60"), offer("lambda", "l4", "0.40"))
    found = compared(*slow, params_b=32, precision=("int4",), gpu=("a10g", "l4"))

    assert found.patient is not None
    assert found.priced


def test_terms_that_nobody_sells_fall_back_to_any() -> None:
    """A reserved price of neither: both on demand, and it is said."""
    query = Query(
        gpu=("h100",), count=8, provider=("coreweave", "aws"), pricing=("reserved",)
    )
    limits = resolve_constraints(query, reference())
    named = contenders(query, reference(), {})
    found = compare_offers(named, limits, market(*USUAL), reference(), NOW)

    assert found.any_pricing
    assert ["coreweave", "aws"] == [bill.offer.provider for _, bill in found.priced]


def test_four_a100_at_35_per_cent_are_used_better_first() -> None:
    """1.4 GPUs of work fit two A100 at 70 % (S2-025): that saves half the bill."""
    found = upgrade(0.35, params_b=13)
    first = found.idle.others[0]

    assert found.raise_first
    assert (2, pytest.approx(0.7)) == (first.gpus, first.used)
    assert 4 * Decimal("1.38") * 720 / 2 == found.idle.saves
    assert found.replacements[0].speed > 1


def test_a_busy_fleet_is_compared_by_price() -> None:
    """Above 70 % the rule does not fire, and the ratio of prices decides."""
    found = upgrade(0.8)
    newer = found.replacements[0]
    assert newer.worth is not None

    assert not found.raise_first
    assert pytest.approx(3350 / 2039, rel=0.01) == newer.speed
    worth = newer.worth
    assert (worth.cost_ratio < 1) == (worth.price_ratio < worth.speed_ratio)


@settings(max_examples=60, deadline=None)
@given(
    used=st.floats(min_value=0.01, max_value=1.0),
    count=st.integers(min_value=1, max_value=64),
)
def test_fewer_gpus_do_the_same_work_within_the_headroom(
    used: float, count: int
) -> None:
    """No consolidation overfills its GPUs, and none costs more."""
    idle = upgrade(used, count=count).idle

    for one in idle.others:
        assert one.used <= 0.9 + 1e-9
        assert pytest.approx(used * count) == one.used * one.gpus
        assert one.bill.usd_per_month < idle.today.bill.usd_per_month
    assert idle.saves >= 0


def test_datasheets_compare_by_ratio() -> None:
    """H100 over A100: 1.64 × the bandwidth of the 2.04 TB/s card, 3.17 × the compute.

    The articles round 3.35/2.0 to 1.68 and 990/312 to 3.2 (X-011, X-012).
    """
    gpus = [reference().gpus[g] for g in ("h100-80gb-sxm", "a100-80gb-sxm")]
    yardstick = workload(Query(params_b=8))[1]
    found = compare_specs(
        gpus, yardstick, Constraints(), market(*USUAL, A100), reference(), NOW
    )
    ratios = found.ratios
    assert ratios is not None

    assert pytest.approx(3.17, abs=0.01) == ratios["compute"]
    assert 1.6 < ratios["bandwidth"] < 1.7
    assert 1 == ratios["memory"]
    assert pytest.approx(2.49 / 1.38) == found.price_ratio


@settings(max_examples=20, deadline=None)
@given(rps=st.floats(min_value=0.5, max_value=80), cut=st.floats(0.3, 0.99))
def test_a_cheaper_price_never_loses_a_comparison_it_had_won(
    rps: float, cut: float
) -> None:
    """Lowering the winner's price leaves it the winner."""
    query = Query(params_b=8, rps=rps, gpu=("l40s", "h100"))
    named = (
        Contender(gpu=reference().gpus["l40s"]),
        Contender(gpu=reference().gpus["h100-80gb-sxm"]),
    )
    prices = {"l40s": "0.86", "h100-80gb-sxm": "2.49"}

    def winner(changed: dict[str, str]) -> str:
        offers = [offer("lambda", gpu, usd) for gpu, usd in changed.items()]
        found = compare_under_load(
            named, *workload(query), market(*offers), reference(), NOW
        )
        return found.priced[0][1].plan.gpu.id

    best = winner(prices)
    lower = f"{Decimal(prices[best]) * Decimal(str(round(cut, 4))):.4f}"
    assert best == winner(prices | {best: lower})


def test_counted_gpus_are_compared_as_fleets() -> None:
    """4 × A100 against 2 × H100: memory, bandwidth and price of all of them."""
    entries = tuple(
        reference().gpus[name] for name in ("a100-80gb-sxm", "h100-80gb-sxm")
    )
    catalog = market(
        offer("lambda", "a100-80gb-sxm", "1.50"), offer("lambda", "h100-80gb-sxm", "2")
    )
    _, yardstick = workload(Query(params_b=8, rps=1))
    found = compare_specs(
        entries, yardstick, Constraints(), catalog, reference(), NOW, (4, 2)
    )

    assert found.ratios is not None
    assert 2.0 == found.ratios["memory"]
    assert 4 * 2.039 / (2 * 3.35) == pytest.approx(found.ratios["bandwidth"], rel=1e-3)
    assert 1.5 == found.price_ratio


def test_what_replaces_a_fleet_holds_the_model() -> None:
    """70B in FP8 takes two H100, however little work there is, and four or eight A100.

    One of each would have no memory for it.
    """
    sixteen = upgrade(0.4, count=16, model="llama-3.3-70b", rps=1)
    eight = upgrade(0.4, count=8, model="llama-3.3-70b", rps=1)
    small = upgrade(0.35, count=4, params_b=8, rps=1)

    assert [2] == [one.gpus for one in sixteen.replacements]
    assert [8] == [one.gpus for one in sixteen.idle.others]
    assert [2] == [one.gpus for one in eight.replacements]
    assert () == eight.idle.others
    assert [2] == [one.gpus for one in small.idle.others]
    assert [1] == [one.gpus for one in small.replacements]
