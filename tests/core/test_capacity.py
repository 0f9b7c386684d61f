"""What given GPUs carry: the inverse of sizing, and what must always hold of it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from market import NOW, USUAL, market

from core.answers.capacity import (
    CapacityAnswer,
    answer_capacity,
    carried_rate,
    gpu_capacities,
)
from core.estimate.capacity import replicas_for
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.sizing.fleet import plan_gpu, wants_fp8_cache
from core.workload import InferenceSpec


def capacity(**stated: Any) -> CapacityAnswer:
    """What the named GPUs carry, at the usual prices."""
    query = Query(**stated)
    found = resolve(query, reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert isinstance(found.spec, InferenceSpec)
    catalog = market(*USUAL)
    return answer_capacity(query, found, found.spec, catalog, reference(), NOW)


def spec_of(**stated: Any) -> InferenceSpec:
    """A served workload, its gaps filled."""
    found = resolve(Query(**stated), reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert isinstance(found.spec, InferenceSpec)
    return found.spec


def test_an_l40s_serves_an_8b_to_tens_of_people() -> None:
    """Dozens in flight within chat latency: more than the naive batch (S1-028, S1-078).

    The article says under 30 requests at once; continuous batching in FP8 gives more.
    """
    found = capacity(params_b=8, gpu=("l40s",), count=1)
    best = found.best

    assert best is not None
    assert "fp8" == best.weights
    assert 25 <= best.in_flight.likely <= 150
    assert best.in_flight.low < best.in_flight.likely < best.in_flight.high
    assert best.in_flight.likely <= best.room


def test_in_flight_is_rate_times_time() -> None:
    """Little's law between the rate, the answer's time and the requests at once."""
    best = capacity(params_b=8, gpu=("l40s",), count=1).best

    assert best is not None
    expected = best.requests_per_second.likely * best.capacity.e2e_ms / 1000
    assert expected == pytest.approx(best.in_flight.likely)
    assert best.in_flight.high <= best.room


def test_capacity_is_the_inverse_of_sizing() -> None:
    """The rate that GPUs carry is sized to just these GPUs, a little more is not."""
    found = capacity(params_b=70, gpu=("h100",), count=4, precision=("fp8",))
    best = found.best
    assert best is not None
    limit, carried = found.spec.targets.ttft_ms, best.capacity
    rate = best.requests_per_second.likely

    just = replicas_for(rate, carried, ttft_limit_ms=limit)
    over = replicas_for(rate * 1.02, carried, ttft_limit_ms=limit)
    assert best.replicas == just
    assert best.replicas < over


def test_a_stated_load_is_answered_with_yes_or_with_how_many() -> None:
    """A load that is too large comes with the fleet that would carry it."""
    small = capacity(params_b=8, gpu=("l40s",), count=1, concurrency=5)
    large = capacity(params_b=8, gpu=("l40s",), count=1, rps=100)

    assert small.share < 1
    assert small.needed is None
    assert large.share > 1
    assert large.needed is not None
    assert large.needed.gpus > 1


def test_where_the_limits_cannot_be_met_patience_may_help() -> None:
    """An A10G prefills 2,500 tokens too slowly for half a second, not for two."""
    asked = {"params_b": 8, "gpu": ("a10g",), "count": 1, "precision": ("bf16",)}
    found = capacity(**asked, input_tokens=2500, ttft_ms=500)
    unstated = capacity(**asked, input_tokens=2500)

    assert unstated.patient is None
    assert unstated.best is not None
    assert unstated.rejections == ()
    assert any(
        "The usual limits are our assumption" in note
        for note in unstated.resolved.notes
    )
    assert found.patient is not None
    assert 2000 == found.patient.ttft_ms
    assert found.best is not None
    assert any(entry.rule == "latency" for entry in found.rejections)


def test_a_format_that_a_gpu_lacks_gives_way_to_one_it_has() -> None:
    """FP8 on an A100 is answered with INT8, and it is said (S2-010)."""
    found = capacity(params_b=8, precision=("fp8",), gpu=("a100",), count=1)

    assert found.best is not None
    assert "int8" == found.best.weights
    assert any("no FP8" in entry.why for entry in found.rejections)


def test_several_gpus_are_answered_side_by_side() -> None:
    """Every named GPU has its own line, in the order of the question."""
    found = capacity(params_b=70, gpu=("h100", "h200"), count=8, precision=("fp8",))

    assert ["h100-80gb-sxm", "h200-sxm"] == [one.gpu.id for one in found.carried]
    first, second = found.carried
    assert second.requests_per_second.likely > first.requests_per_second.likely


def test_several_models_share_a_gpu_evenly() -> None:
    """Three models on one card carry less each than one alone, and together."""
    alone = capacity(params_b=8, gpu=("l40s",), count=1).best
    shared = capacity(params_b=8, model_count=3, gpu=("l40s",), count=1).best
    apart = capacity(params_b=8, model_count=3, gpu=("l40s",), count=3).best
    assert alone is not None
    assert shared is not None
    assert apart is not None

    rate = alone.requests_per_second.likely
    assert 3 * shared.requests_per_second.likely < rate
    assert pytest.approx(rate) == apart.requests_per_second.likely


@settings(max_examples=25, deadline=None)
@given(
    gpu=st.sampled_from(["l40s", "h100-80gb-sxm", "h200-sxm", "mi300x"]),
    tpot=st.floats(min_value=20, max_value=60),
    looser=st.floats(min_value=1.0, max_value=3.0),
    gpus=st.sampled_from([1, 2, 4]),
)
def test_patience_and_more_gpus_never_carry_less(
    gpu: str, tpot: float, looser: float, gpus: int
) -> None:
    """A looser TPOT or twice the GPUs carries at least as much."""

    def rate(limit: float, count: int) -> float:
        spec = spec_of(params_b=8, tpot_ms=limit, ttft_ms=2000.0)
        found, _ = gpu_capacities(spec, reference().gpus[gpu], count, None)
        return max((c.requests_per_second.likely for c in found), default=0.0)

    strict = rate(tpot, gpus)
    assert rate(tpot * looser, gpus) >= strict * 0.999
    assert rate(tpot, gpus * 2) >= strict * 0.999


@settings(max_examples=25, deadline=None)
@given(share=st.floats(min_value=0.01, max_value=0.99))
def test_anything_below_the_carried_rate_needs_no_more_replicas(share: float) -> None:
    """Sizing agrees with capacity below its edge too."""
    spec = spec_of(params_b=8)
    plan = plan_gpu(spec, reference().gpus["l40s"]).plans[0]
    limit = spec.targets.ttft_ms
    full = plan.capacity.requests_per_second.likely
    edge = carried_rate(plan.capacity, 3, limit, full)

    assert 3 >= replicas_for(edge * share, plan.capacity, ttft_limit_ms=limit)


@pytest.mark.parametrize("gpu", ["h100-80gb-sxm", "mi300x", "h200-sxm", "l40s"])
@pytest.mark.parametrize(
    ("model", "at_once", "context"),
    [("qwen3-235b-a22b", 25, 32_000), ("llama-3.3-70b", 40, 128_000)],
)
def test_a_fleet_holds_what_is_in_flight_at_once(
    model: str, at_once: int, context: int, gpu: str
) -> None:
    """However quick its answers are: each user's context stays in memory."""
    spec = spec_of(model=model, concurrency=at_once, context=context)

    for plan in plan_gpu(spec, reference().gpus[gpu]).plans:
        assert plan.capacity.room * plan.replicas >= at_once
        assert wants_fp8_cache(spec, plan) == (
            plan.kv == "fp8" and plan.capacity.room // 2 * plan.replicas < at_once
        )
