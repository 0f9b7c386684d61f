"""Does it fit, how many, in which slice: the memory arithmetic, the nearest yes."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from market import NOW, USUAL, market, offer

from core.answers.fit import (
    FitAnswer,
    answer_fit,
    fit_on,
    layout_for,
    slices_of,
)
from core.answers.mig import MigAnswer, answer_mig
from core.estimate.memory import kv_bytes
from core.estimate.parallel import Layout
from core.estimate.slices import mig_slices
from core.query import Query
from core.reference.load import reference
from tests.core.market import workload

GIB = 2**30 / 1e9
LLAMA = reference().models["llama-3.3-70b"]


def fit(**stated: Any) -> FitAnswer:
    """Whether a model fits, at the usual prices."""
    query = Query(**stated)
    return answer_fit(query, *workload(query), market(*USUAL), reference(), NOW)


def sliced(**stated: Any) -> MigAnswer:
    """Whether several models fit in slices, at the usual prices."""
    query = Query(**stated)
    extra = offer("lambda", "a100-80gb-sxm", "1.79")
    return answer_mig(query, *workload(query), market(*USUAL, extra), reference(), NOW)


def test_70b_fp8_on_one_h100_leaves_what_was_measured() -> None:
    """vLLM was left with −1.44 GiB for KV cache (X-003): ours is within 1 GiB of it."""
    one = fit_on(LLAMA, reference().gpus["h100-80gb-sxm"], Layout(), "fp8", 4096)

    assert not one.fits
    assert pytest.approx(-1.44, abs=1.0) == one.memory.free_for_kv_gb / GIB


def test_70b_in_16_bit_does_not_fit_one_h200_but_two() -> None:
    """141 GB of weights in 141 GB of memory leave nothing (X-035)."""
    found = fit(params_b=70, precision=("fp16",), gpu=("h200",), count=1)

    assert found.asked is not None
    assert not found.asked.fits
    assert ("h200-sxm", 2, "fp16") in [
        (near.gpu.id, near.gpus, near.weights) for near in found.nearest
    ]


def test_one_128k_request_of_a_70b_needs_43_gb_in_16_bit() -> None:
    """131,072 tokens × 327,680 bytes = 42.9 GB: not beside FP8 weights (X-036)."""
    one = fit_on(
        LLAMA, reference().gpus["h200-sxm"], Layout(), "fp8", 131_072, kv="bf16"
    )

    assert pytest.approx(42.95, abs=0.01) == one.memory.kv_per_sequence_gb
    assert 1 == one.sequences


def test_a_no_names_the_nearest_yeses() -> None:
    """Fewer bits, more of the GPUs, and a larger GPU, each with its bill."""
    found = fit(params_b=70, precision=("fp8",), gpu=("h100",), count=1, context=32000)
    ways = {(near.gpu.id, near.gpus, near.weights) for near in found.nearest}

    assert {("h100-80gb-sxm", 1, "int4"), ("h100-80gb-sxm", 2, "fp8")} <= ways
    assert all(near.fits for near in found.nearest)
    assert all(near.bill is not None for near in found.nearest)


def test_a_format_nobody_asked_for_is_a_yes_too() -> None:
    """Without a stated precision, what fits in any format fits."""
    found = fit(params_b=70, gpu=("h100",), count=1)

    assert found.asked is not None
    assert ("int4", True) == (found.asked.weights, found.asked.fits)
    assert {"fp8", "bf16"} == {one.weights for one in found.too_large}


def test_a_no_in_every_format_is_about_the_smallest() -> None:
    """Nothing asked for, nothing fits: not even INT4 does."""
    found = fit(model="mixtral-8x7b", gpu=("rtx4090",), count=1)

    assert found.asked is not None
    assert ("int4", False) == (found.asked.weights, found.asked.fits)


def test_a_roomy_yes_names_the_cheaper_card_and_the_slices() -> None:
    """A 3B on an H100: seven MIG slices hold one each, a smaller card holds it too."""
    found = fit(params_b=3, gpu=("h100",), count=1)

    assert found.slices is not None
    assert (7, 10.0) == found.slices
    assert found.smaller is not None
    assert found.smaller.gpu.memory_gb < 80


def test_without_hardware_the_cheapest_that_holds_it_leads() -> None:
    """Single cards first; the cheapest month of those that fit."""
    found = fit(params_b=8, precision=("int4",))
    months = [one.bill.usd_per_month for one in found.fits if one.bill]

    assert not found.hardware_named
    assert sorted(months) == months
    assert all(one.fits and one.gpus == 1 for one in found.fits)


def test_seven_7b_int4_models_fit_the_slices_of_one_h100() -> None:
    """Seven isolated endpoints on one H100 (S1-076)."""
    found = sliced(
        params_b=7, model_count=7, precision=("int4",), gpu=("h100",), count=1
    )

    assert found.yes
    assert found.best is not None
    assert (7, 1) == (found.best.slices, found.best.gpus)


def test_a_gpu_without_mig_is_a_no_with_others_that_have_it() -> None:
    """The L40S has no MIG (S1-026): the nearest is a GPU that has."""
    found = sliced(params_b=7, model_count=7, precision=("int4",), gpu=("l40s",))

    assert not found.yes
    assert ["l40s"] == [gpu.id for gpu in found.without]
    assert "a100-80gb-sxm" in [cut.gpu.id for cut in found.nearest]


@pytest.mark.parametrize(("part", "count"), [(0, 7), (1, 3), (2, 2)])
def test_mig_profiles_yield_as_many_slices_as_nvidia_lists(
    part: int, count: int
) -> None:
    """1g.10gb × 7, 2g.20gb × 3, 3g.40gb × 2 on an 80 GB card (MIG user guide)."""
    gpu = reference().gpus["h100-80gb-sxm"]

    assert count == slices_of(gpu, mig_slices(gpu)[part])


@settings(max_examples=40, deadline=None)
@given(
    context=st.integers(min_value=256, max_value=131_072),
    more=st.integers(min_value=1, max_value=65_536),
    gpus=st.sampled_from([1, 2, 4, 8]),
)
def test_longer_contexts_and_fewer_gpus_never_hold_more(
    context: int, more: int, gpus: int
) -> None:
    """Requests at once fall with their length and rise with the GPUs."""
    gpu = reference().gpus["h200-sxm"]
    shape = layout_for(LLAMA, gpu, gpus)
    short = fit_on(LLAMA, gpu, shape, "fp8", context)
    long = fit_on(LLAMA, gpu, shape, "fp8", context + more)
    wider = fit_on(LLAMA, gpu, layout_for(LLAMA, gpu, 8), "fp8", context)

    assert long.sequences <= short.sequences <= wider.sequences


@pytest.mark.parametrize("at_once", [1, 2, 10, 40, 200])
def test_what_fits_holds_as_many_as_were_asked_for(at_once: int) -> None:
    """A yes for one request is a no for twenty, with what holds them."""
    found = fit(model="qwen3-32b", gpu=("a100-80gb",), count=1, precision=("bf16",),
                context=16_000, concurrency=at_once)  # fmt: skip
    assert found.asked is not None
    assert found.holds == (found.asked.sequences >= at_once)
    assert (found.status == "ok") == found.holds
    if not found.holds:
        assert found.nearest
        assert all(one.sequences >= at_once for one in found.nearest)


@pytest.mark.parametrize("requests", [1, 3])
@pytest.mark.parametrize(
    ("name", "on"),
    [("gemma-3-27b", "l4"), ("gpt-oss-20b", "l4"), ("llama-3.1-8b", "l4")],
)
def test_the_longest_request_just_fits(name: str, on: str, requests: int) -> None:
    """Whatever part of its cache is a window that is full already."""
    model, gpu = reference().models[name], reference().gpus[on]
    found = fit_on(model, gpu, layout_for(model, gpu, 1), "int4", 1_200)
    longest = found.longest_of(model, requests, model.context)
    room = found.memory.free_for_kv_gb * 1e9 / requests

    assert longest == model.context or kv_bytes(model, found.kv, longest + 1) > room
    assert not longest or kv_bytes(model, found.kv, longest) <= room
