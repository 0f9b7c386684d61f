"""Self-host or API, paying by use, and idle GPUs: bills, crossings and invariants."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from market import NOW, USUAL, market, offer
from msgspec.structs import replace

from core.answers.api_levers import api_levers
from core.answers.breakeven import BreakEvenAnswer, answer_breakeven
from core.answers.budget import BudgetAnswer, answer_budget, monthly_budget
from core.answers.idle import Idle, answer_idle
from core.market.api_market import ApiBook
from core.money.api import ApiPrice, TokenPrice, api_usd_per_request
from core.money.scale_to_zero import billed_share, cold_start_s, rate_billed
from core.money.served import mix_of, requests_per_month
from core.offers import Offer
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.sizing.pay_by_use import PayByUse, average_use, pay_by_use
from core.sizing.serving import recommend_serving
from core.sizing.use_levers import api_lever, serverless_lever, spot_lever
from core.workload import Constraints, InferenceSpec, Resolved

LATER = datetime(2026, 11, 20, tzinfo=UTC)
L4_BY_SECOND = offer("modal", "l4", "0.80", tier="serverless")


def api(provider: str, read: str, write: str, cached: str | None = None) -> ApiPrice:
    """An API price in dollars per 1M tokens."""
    return ApiPrice(
        provider=provider,
        provider_name=provider.title(),
        model="a-model",
        live=TokenPrice(
            input_usd_per_million=Decimal(read),
            output_usd_per_million=Decimal(write),
            cached_input_usd_per_million=Decimal(cached) if cached else None,
        ),
        as_of="2026-11-09",
        source="a test",
        source_url="https://example.com",
    )


GPT_4O = api("openai", "2.50", "10.00", "1.25")
CHEAP = api("novita", "0.02", "0.05")
USUAL_API = api("groq", "0.59", "0.79")
DEAR = api("fireworks", "0.90", "0.90")


def workload(**stated: Any) -> tuple[Resolved, InferenceSpec]:
    """A served workload, its gaps filled."""
    found = resolve(Query(**stated), reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert isinstance(found.spec, InferenceSpec)
    return found, found.spec


def breakeven(book: ApiBook, *offers: Offer, **stated: Any) -> BreakEvenAnswer:
    """Self-host or one of these APIs, at the usual prices."""
    catalog = market(*(offers or USUAL))
    return answer_breakeven(*workload(**stated), book, True, catalog, reference(), NOW)


def by_use(*offers: Offer, **stated: Any) -> PayByUse:
    """A small load every way."""
    resolved, spec = workload(**stated)
    catalog = market(*(offers or (*USUAL, L4_BY_SECOND)))
    sized = recommend_serving(resolved, spec, catalog, reference(), NOW)
    best, prices = sized.options[0], (CHEAP, USUAL_API, DEAR)
    return pay_by_use(resolved, spec, best, prices, False, catalog, reference(), NOW)


def idle(used: float, *offers: Offer, **limits: Any) -> Idle:
    """A fleet of H100s, so busy."""
    found = answer_idle(
        reference().gpus["h100-80gb-sxm"], used, Constraints(**limits), (),
        market(*(offers or USUAL)), reference(), NOW,
    )  # fmt: skip
    assert found is not None
    return found


def test_the_sources_250_billion_tokens_a_day_cost_625_000_dollars() -> None:
    """250e9 input tokens × $2.50 per 1M = $625,000 a day (S3-020)."""
    spec = workload(
        params_b=70, input_tokens=500, output_tokens=1, requests_per_day=5e8
    )[1]
    free = api("openai", "2.50", "0.0000001")
    per_day = api_usd_per_request(free, mix_of(spec)) * requests_per_month(spec) / 30

    assert pytest.approx(625_000, rel=1e-6) == float(per_day)


def test_a_named_api_is_the_hurdle() -> None:
    """What the question names is what self-hosting is held against."""
    found = breakeven(ApiBook((GPT_4O,), (CHEAP, USUAL_API)), params_b=70, rps=5)

    assert found.hurdle is not None
    assert GPT_4O == found.hurdle.api
    assert found.by_the_token is not None
    assert found.by_the_token.api in (CHEAP, USUAL_API)


def test_an_oddly_cheap_api_gives_way_to_the_middle_one() -> None:
    """Under half of the median, the cheapest is a range's end, not the price."""
    odd = breakeven(ApiBook((), (CHEAP, USUAL_API, DEAR)), params_b=70, rps=5)
    even = breakeven(ApiBook((), (USUAL_API, DEAR)), params_b=70, rps=5)

    assert odd.hosted is not None
    assert odd.hosted.odd
    assert odd.hurdle is not None
    assert USUAL_API == odd.hurdle.api
    assert even.hurdle is not None
    assert USUAL_API == even.hurdle.api


def test_never_is_said_where_a_full_gpu_costs_more_per_token() -> None:
    """Far below the fleet's own price per token no load breaks even."""
    nearly_free = api("gift", "0.0001", "0.0001")
    found = breakeven(ApiBook((nearly_free,)), params_b=70, rps=50)

    assert found.crossing is not None
    assert found.crossing.point.never
    assert found.crossing.full_utilisation is None


def test_caching_and_the_weights_elsewhere_are_levers() -> None:
    """A cached rate and a cheaper host of the open model change a bill that stands."""
    found = breakeven(ApiBook((GPT_4O,), (USUAL_API,)), params_b=70, rps=0.02)
    levers = api_levers(found, reference())
    texts = " ".join(lever.text for lever in levers)

    assert "through the API of Groq instead of Openai" in texts
    assert "Prompt caching at Openai" in texts
    assert all((lever.usd_difference or 0) < 0 for lever in levers)


@pytest.mark.parametrize("rps", [0.1, 2, 50])
def test_an_api_far_below_the_others_is_never_advised(rps: float) -> None:
    """It is listed to be checked; the next one up is the going price."""
    found = breakeven(ApiBook((), (CHEAP, USUAL_API, DEAR)), params_b=70, rps=rps)

    assert found.hosted is not None
    assert CHEAP == found.hosted.cheapest.api
    assert USUAL_API == found.hosted.going.api
    assert found.advised is None or found.advised != found.hosted.cheapest


def test_serverless_below_the_fleet_stands_before_the_api_bill() -> None:
    """What saves on the way that is advised; nothing that leaves the API above it."""
    worker = offer("koyeb", "b200", "5.50", tier="serverless")
    book = ApiBook((GPT_4O,), (USUAL_API,))
    found = breakeven(book, worker, offer("lambda", "b200", "5.40"), params_b=70, rps=9)
    levers = api_levers(found, reference())

    assert found.fleet is not None
    assert (found.self_hosting_saves or 0) > 0
    assert ["serverless-low-traffic"] == [lever.rule for lever in levers]


@settings(max_examples=25, deadline=None)
@given(
    read=st.decimals(min_value="0.2", max_value=20, places=2),
    write=st.decimals(min_value="0.2", max_value=60, places=2),
    rps=st.floats(min_value=0.5, max_value=40),
)
def test_at_the_crossing_both_bills_are_equal(
    read: Decimal, write: Decimal, rps: float
) -> None:
    """Requests × price at the API = hours × price of the replica, there."""
    one = api("any", str(read), str(write))
    found = breakeven(ApiBook((one,)), params_b=8, rps=rps)
    crossing = found.crossing
    assert crossing is not None
    assume(not crossing.point.never)
    rate = crossing.point.requests_per_second
    assert rate is not None

    hourly = api_usd_per_request(one, mix_of(found.spec)) * rate * 3600
    assert pytest.approx(float(crossing.unit.fleet.usd_per_hour)) == float(hourly)
    assert 0 < float(crossing.full_utilisation or 0) <= 1


@settings(max_examples=25, deadline=None)
@given(
    read=st.decimals(min_value="0.2", max_value=20, places=2),
    dearer=st.decimals(min_value="1.01", max_value=4, places=2),
)
def test_a_dearer_api_breaks_even_no_later(read: Decimal, dearer: Decimal) -> None:
    """The more a token costs elsewhere, the sooner own GPUs pay."""
    rates = []
    for price in (read, read * dearer):
        found = breakeven(
            ApiBook((api("any", str(price), str(price)),)), params_b=8, rps=3
        )
        assert found.crossing is not None
        rates.append(found.crossing.point.requests_per_second)
    cheap, dear = rates
    assume(cheap is not None)

    assert dear is not None
    assert cheap is not None
    assert dear <= cheap


def test_a_hobby_load_is_paid_by_use() -> None:
    """50 calls a day leave a GPU idle for over 99.9 %: an API costs cents (S4-006)."""
    found = by_use(params_b=7, requests_per_day=50)

    assert found.pays
    assert found.used is not None
    assert found.used < 0.001
    assert found.api is not None
    assert found.api.usd_per_month < 2
    assert found.dedicated is not None
    assert found.dedicated.usd_per_month > 100 * found.api.usd_per_month


def test_a_serverless_worker_bills_work_start_and_timeout() -> None:
    """50 lone calls a day: answer, cold start and 60 s of waiting, each time."""
    one = by_use(params_b=7, requests_per_day=50).serverless[0]
    seconds = one.capacity.e2e_ms / 1000 + 60 + one.cold_start_s

    assert pytest.approx(50 * seconds / 86_400, rel=0.05) == one.billed
    assert pytest.approx(0.80 * 720 * one.billed, rel=1e-6) == float(one.usd_per_month)


@settings(max_examples=200)
@given(
    rate=st.floats(min_value=1e-6, max_value=10),
    more=st.floats(min_value=1.0, max_value=10),
    seconds=st.floats(min_value=0.1, max_value=120),
    weights=st.floats(min_value=1, max_value=200),
)
def test_the_billed_share_grows_with_the_load_up_to_always_on(
    rate: float, more: float, seconds: float, weights: float
) -> None:
    """More requests never bill less, nor more than every hour, nor less than work."""
    start = cold_start_s(weights)
    few, many = (billed_share(r, seconds, start) for r in (rate, rate * more))

    assert few <= many + 1e-12 <= 1 + 1e-12
    assert few >= min(1, rate * seconds) * 0.36  # 1 − e^(−x) ≥ 0.63 x for x ≤ 1


@settings(max_examples=100)
@given(share=st.floats(min_value=0.01, max_value=0.99))
def test_the_rate_for_a_share_is_its_inverse(share: float) -> None:
    """The rate found for a share bills that share."""
    rate = rate_billed(share, 9.0, 25.0)

    assert pytest.approx(share, rel=1e-6) == billed_share(rate, 9.0, 25.0)


ONE_CENT = Decimal("0.01")


def test_serverless_for_little_traffic_and_an_api_wherever_it_costs_less() -> None:
    """Serverless is a lever while the fleet would mostly idle; an API by its bill."""
    catalog = market(*USUAL, L4_BY_SECOND)
    hosted = by_use(params_b=8, requests_per_day=300).hosted
    for rps, expected in ((0.02, True), (30.0, False)):
        resolved, spec = workload(params_b=8, rps=rps)
        best = recommend_serving(resolved, spec, catalog, reference(), NOW).options[0]
        by_second = list(serverless_lever(spec, best, catalog, reference(), NOW))
        by_token = list(api_lever(spec, best, hosted))

        assert expected == (average_use(spec, best) < 0.3)
        assert by_token
        assert not list(api_lever(spec, replace(best, usd_per_month=ONE_CENT), hosted))
        assert expected or not by_second


def test_spot_is_a_lever_for_internal_users_only() -> None:
    """An interruption that colleagues can bear; customers never get spot unasked."""
    spot = offer("spheron", "l40s", "0.20", pricing="spot")
    catalog = market(offer("hyperstack", "l40s", "0.86"), spot)
    found = {}
    for audience in ("internal", None):
        resolved, spec = workload(params_b=8, rps=5, audience=audience)
        best = recommend_serving(resolved, spec, catalog, reference(), NOW).options[0]
        levers = list(spot_lever(spec, best, catalog, reference(), NOW))
        found[audience] = [lever.usd_difference for lever in levers]

    assert [] == found[None]
    assert all(usd is not None and usd < 0 for usd in found["internal"])
    assert found["internal"]


def test_half_of_four_idle_h100_is_the_sources_figure() -> None:
    """4 × $2.49 × 720 h × 50 % = $3,585.60 (S0-045 prints $3,586)."""
    found = idle(0.5, providers=("lambda",), count=4)

    assert Decimal("7171.20") == found.today.bill.usd_per_month
    assert Decimal("3585.60") == found.today.idle_usd_per_month


def test_whole_machines_come_and_go() -> None:
    """Eight-GPU instances shrink by eights, or not at all."""
    found = idle(0.5, providers=("aws",), count=16)

    assert () == found.others
    assert found.scaled is not None
    assert 0 == found.scaled.peak % 8


def test_gpus_of_a_machine_that_do_nothing_idle_as_well() -> None:
    """Six GPUs half used, rented as eight: three GPUs of work on eight."""
    found = idle(0.5, providers=("aws",), count=6)

    assert (8, 0.375) == (found.today.gpus, found.today.used)
    assert Decimal("22464.00") * 5 / 8 == found.today.idle_usd_per_month


def budget(usd: str, *offers: Offer, **stated: Any) -> BudgetAnswer:
    """What so many dollars a month serve."""
    resolved, spec = workload(**{"params_b": 70} | stated)
    catalog = market(*(offers or USUAL))
    return answer_budget(resolved, spec, Decimal(usd), "", catalog, reference(), NOW)


def test_a_budget_without_a_load_is_filled() -> None:
    """$5,000 a month: the most requests first, none dearer than the budget."""
    found = budget("5000")
    bills = [one.bill.usd_per_month for one in found.carried if one.bill]
    rates = [one.requests_per_second.likely for one in found.carried]

    assert bills
    assert max(bills) <= 5000
    assert sorted(rates, reverse=True) == rates


def test_a_budget_rents_whole_machines() -> None:
    """$30,000 rent one eight-GPU instance at $31.20 an hour, not nine GPUs."""
    only = offer("aws", "h100-80gb-sxm", "3.90", gpu_count=8, instance="p5.48xlarge")
    found = budget("30000", only)

    assert [8] == [one.gpus for one in found.carried]
    assert [Decimal("22464.00")] == [
        one.bill.usd_per_month for one in found.carried if one.bill
    ]


def test_a_budget_fills_no_card_that_engines_have_dropped() -> None:
    """Volta is no way to spend $20,000 a month, unless it is asked for."""
    sold = (offer("vultr", "b200", "3.49"), offer("exo", "v100-sxm2-16gb", "0.10"))
    free = budget("20000", *sold)
    asked = budget("20000", *sold, gpu=("v100-sxm2-16gb",), ttft_ms=1000)

    assert {"b200"} == {one.gpu.id for one in free.carried}
    assert {"v100-sxm2-16gb"} == {one.gpu.id for one in asked.carried}


@pytest.mark.parametrize(
    ("period", "amount", "monthly"),
    [
        ("month", 5000, "5000"), ("year", 60000, "5000"), ("day", 100, "3000"),
        ("hour", 10, "7200"),
    ],
)  # fmt: skip
def test_a_budget_is_read_by_the_month(
    period: str, amount: float, monthly: str
) -> None:
    """30 days or 720 hours are a month, twelve months a year."""
    spec = workload(params_b=70, budget_amount=amount, budget_period=period)[1]
    assert spec.constraints.budget is not None

    assert (Decimal(monthly), "") == monthly_budget(
        spec.constraints.budget, spec, LATER
    )


def test_a_budget_in_euros_is_turned_into_dollars_at_a_dated_rate() -> None:
    """€1,000 × 1.1172 = $1,117.20, the ECB's rate of 30 October 2026."""
    spec = workload(params_b=70, budget_amount=1000, budget_currency="EUR")[1]
    assert spec.constraints.budget is not None
    found = monthly_budget(spec.constraints.budget, spec, LATER)
    assert found is not None

    assert pytest.approx(1117.20) == float(found[0])
    assert "2026-10-30" in found[1]


@settings(max_examples=20, deadline=None)
@given(
    usd=st.integers(min_value=1500, max_value=40_000),
    more=st.integers(min_value=0, max_value=40_000),
)
def test_more_money_never_serves_fewer(usd: int, more: int) -> None:
    """A larger budget carries at least as many requests."""
    small, large = (budget(str(amount)).carried for amount in (usd, usd + more))
    rate = small[0].requests_per_second.likely if small else 0.0

    assert not small or large[0].requests_per_second.likely >= rate * 0.999


def test_without_a_price_there_is_no_idle_bill() -> None:
    """Unpriced is no bill, never a bill of nothing."""
    gpu = reference().gpus["gaudi2"]

    assert None is answer_idle(
        gpu, 0.5, Constraints(count=4), (), market(*USUAL), reference(), NOW
    )


@settings(max_examples=60, deadline=None)
@given(
    used=st.floats(min_value=0.02, max_value=1.0),
    count=st.integers(min_value=1, max_value=40),
)
def test_idle_and_used_dollars_add_up(used: float, count: int) -> None:
    """Idle is the bill times the unused share, to the cent and for every fleet."""
    found = idle(used, count=count)

    for one in (found.today, *found.others):
        paid = one.bill.usd_per_month * Decimal(str(round(1 - min(one.used, 1), 12)))
        assert abs(paid - one.idle_usd_per_month) < Decimal("0.01")
    if found.scaled is not None:
        assert found.scaled.usd_per_month <= found.today.bill.usd_per_month


@pytest.mark.parametrize("rps", [2, 20, 60])
def test_the_break_even_is_that_of_the_listed_fleet(rps: float) -> None:
    """The bill that is listed, spent at the price of the API."""
    found = breakeven(ApiBook((GPT_4O,)), params_b=70, rps=rps)

    assert found.crossing is not None
    assert found.fleet is not None
    assert found.hurdle is not None
    mix, rate = mix_of(found.spec), found.crossing.point.requests_per_second
    spent = api_usd_per_request(found.hurdle.api, mix) * (rate or 0) * 3600
    assert float(spent) == pytest.approx(float(found.fleet.usd_per_hour))
    assert found.crossing.unit.gpus == found.fleet.gpus
