"""Gigabytes, dollars a million tokens and the lowest latency, where they are asked."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from market import NOW, USUAL, market, offer

from core.answers.memory_need import MemoryAnswer, answer_memory
from core.answers.quickest import AS_QUICK, QuickAnswer, answer_quickest
from core.answers.unit_price import UnitPriceAnswer, answer_unit_price
from core.query import Query
from core.reference.load import reference
from tests.core.market import workload


def memory(**stated: Any) -> MemoryAnswer:
    """What a model takes, held by what the usual market sells."""
    query = Query(**stated)
    found, spec = workload(query)
    return answer_memory(query, found, spec, market(*USUAL), reference(), NOW)


def unit_price(*offers: Any, **stated: Any) -> UnitPriceAnswer:
    """What a million tokens costs at these offers, or the usual ones."""
    found, spec = workload(Query(**stated))
    catalog = market(*(offers or USUAL))
    return answer_unit_price(found, spec, (), False, catalog, reference(), NOW)


def quickest(*offers: Any, **stated: Any) -> QuickAnswer:
    """What answers soonest at these offers, or the usual ones."""
    found, spec = workload(Query(**stated))
    catalog = market(*(offers or USUAL))
    return answer_quickest(found, spec, catalog, reference(), NOW)


def test_seventy_billion_parameters_take_two_bytes_each() -> None:
    """Llama 3.3 70B: 141 GB in 16 bit, half in 8, less in 4; KV of 320 KiB a token."""
    found = memory(model="llama-3.3-70b", context=8192)
    by_format = {need.weights: need for need in found.needs}

    assert {"bf16", "fp8", "int4"} == by_format.keys()
    assert 141.1 == pytest.approx(by_format["bf16"].weights_gb, rel=0.01)
    assert 72.7 == pytest.approx(by_format["fp8"].weights_gb, rel=0.01)
    cache = 80 * 2 * 8 * 128 * 2 * 8192 / 1e9
    assert cache == pytest.approx(by_format["bf16"].kv_per_request_gb)


def test_a_model_published_in_few_bits_is_not_shown_in_more() -> None:
    """DeepSeek-R1 comes in FP8: nobody serves it in 16 bit."""
    assert "bf16" not in {need.weights for need in memory(model="deepseek-r1").needs}


def test_every_request_at_once_adds_its_cache() -> None:
    """Ten people with 32k of context take ten caches."""
    (one,) = memory(params_b=8, precision=("fp8",), context=32000).needs
    (ten,) = memory(params_b=8, precision=("fp8",), context=32000, users=10).needs

    assert 10 == ten.requests
    nine_more = 9 * one.kv_per_request_gb
    assert nine_more == pytest.approx(ten.total_gb - one.total_gb)


def test_what_holds_a_model_holds_all_its_requests() -> None:
    """The cheapest GPUs named have room for the requests that were asked about."""
    for need in memory(params_b=70, context=16000, concurrency=20).needs:
        assert need.holder is not None
        assert need.holder.sequences >= need.requests


def test_half_the_load_doubles_the_price_of_a_token() -> None:
    """GPU-hours are paid whether used or not."""
    best = unit_price(params_b=70).best

    assert best is not None
    assert 2 * best.usd_per_million(1) == best.usd_per_million(0.5)


def test_a_token_read_costs_the_same_hour() -> None:
    """1,000 tokens in and 200 out: the blended price is a sixth of the output price."""
    best = unit_price(params_b=70, input_tokens=1000, output_tokens=200).best

    assert best is not None
    sixth = best.usd_per_million(1) / 6
    assert float(sixth) == pytest.approx(float(best.usd_per_million_blended(1)))


@given(cheaper=st.decimals("0.50", "2.40", places=2))
def test_a_cheaper_gpu_hour_never_makes_a_dearer_token(cheaper: Decimal) -> None:
    """The price of a token moves with the price of its hour."""
    dear = unit_price(offer("lambda", "h100-80gb-sxm", "2.49"), params_b=8).best
    cheap = unit_price(offer("lambda", "h100-80gb-sxm", str(cheaper)), params_b=8).best

    assert dear is not None
    assert cheap is not None
    assert cheap.usd_per_million(1) <= dear.usd_per_million(1)


def test_spot_and_terms_price_no_token_unasked() -> None:
    """Live traffic is not put on spot, nor on a commitment nobody mentioned."""
    found = unit_price(params_b=8)

    assert {"on_demand"} == {one.offer.pricing for one in found.prices}


def test_more_bandwidth_answers_sooner() -> None:
    """One request alone reads every weight for every token: bandwidth decides."""
    found = quickest(params_b=70)
    order = [one.gpu.id for one in found.quick]

    assert order.index("b200") < order.index("h200-sxm")
    assert order.index("h200-sxm") < order.index("h100-80gb-sxm")
    times = [one.answer_ms for one in found.quick]
    assert times[0] <= min(times) * AS_QUICK


def test_of_equally_quick_gpus_the_cheaper_leads() -> None:
    """Less than two per cent apart is no difference that an estimate can see."""
    found = quickest(
        offer("one", "gb200", "9.00"), offer("two", "b200", "4.00"), params_b=8
    )

    assert "b200" == found.quick[0].gpu.id


def test_what_is_hardly_slower_costs_less() -> None:
    """The lever is cheaper than the quickest, and at most half as slow again."""
    found = quickest(
        offer("one", "b200", "19"), offer("two", "h200-sxm", "4.00"), params_b=8
    )
    near = found.thrifty

    assert "b200" == found.quick[0].gpu.id
    assert near is not None
    assert near.bill.usd_per_month < found.quick[0].bill.usd_per_month
    assert near.answer_ms <= 1.5 * found.quick[0].answer_ms
