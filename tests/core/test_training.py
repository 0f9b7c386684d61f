"""Training estimates: known figures, published runs, what must always hold."""

import math
import time
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.estimate.interface import estimate_line
from core.estimate.training import (
    TrainingRequest,
    estimate,
    estimate_request,
    smallest_fit,
)
from core.estimate.training_layout import read_layout
from core.estimate.training_request import read_request
from core.estimate.training_shape import generic_decoder, shape_of
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.load import reference
from core.reference.runs import PublishedRun, published_runs, run_like
from core.reference.training import training_constants
from tests.core.market import model

KNOWN = reference()
DENSE = ("llama-3.2-1b", "llama-2-7b", "llama-2-13b", "llama-3.1-70b")
CARDS = ("a100-80gb-sxm", "h100-80gb-sxm", "h200-sxm", "b200", "mi300x", "l40s")
LINE = {
    "id": "x",
    "task": "train",
    "model": "Llama-3.1-8B",
    "gpu": "h100-80gb-sxm",
    "num_gpus": 8,
}


def gpu(name: str) -> GpuSpec:
    """Return a GPU of the reference."""
    return KNOWN.gpus[name]


def request(name: str, card: str, gpus: int, **stated: object) -> TrainingRequest:
    """Return a run of a model on a card, with whatever else is stated."""
    base = TrainingRequest(model=model(name), gpu=gpu(card), gpus=gpus)
    return replace(base, **stated)  # type: ignore[arg-type]


def run_model(run: PublishedRun) -> ModelSpec:
    """Return the model of a published run, by name or else by size."""
    named = KNOWN.model(run.id)
    if named is not None:
        return named
    if run.active_params_b is not None:
        return KNOWN.representative(run.params_b, run.active_params_b)
    return generic_decoder(run.params_b)


@pytest.mark.parametrize("run", published_runs(), ids=lambda run: run.id)
def test_published_runs_are_reproduced(run: PublishedRun) -> None:
    """Disclosed GPU-hours come out within the uncertainty of what they count."""
    found = estimate(
        TrainingRequest(
            model=run_model(run),
            gpu=gpu(run.gpu),
            gpus=run.gpus,
            precision=run.precision,
            sequence=run.sequence,
            global_batch=run.batch_tokens / run.sequence,
            tokens=run.tokens,
        )
    )
    assert found.fits
    assert found.gpu_hours is not None
    assert abs(math.log(found.gpu_hours / run.gpu_hours)) <= math.log(run.uncertainty)


def test_published_runs_come_out_without_a_lean() -> None:
    """Over all well-counted runs the estimate is not far from even on either side."""
    errors = []
    for run in published_runs():
        if run.uncertainty < 1.5:
            asked = TrainingRequest(
                model=run_model(run),
                gpu=gpu(run.gpu),
                gpus=run.gpus,
                precision=run.precision,
                sequence=run.sequence,
                tokens=run.tokens,
            )
            errors.append(math.log((estimate(asked).gpu_hours or 0) / run.gpu_hours))
    assert abs(sorted(errors)[len(errors) // 2]) <= 0.2


def test_a_run_is_cited_for_one_of_its_size_on_its_gpu() -> None:
    """A 70B run on A100s cites Llama 2 70B; a 70B run on T4s cites nothing."""
    cited = run_like(70.6, 70.6, frozenset({"a100-80gb-sxm"}))
    assert cited is not None
    assert "llama-2-70b" == cited.id
    assert run_like(70.6, 70.6, frozenset({"t4"})) is None


def test_a_70b_does_not_train_on_one_h100() -> None:
    """The refusal leads with 16–18 bytes per parameter against one card's memory."""
    found = estimate(request("llama-3.1-70b", "h100-80gb-sxm", 1, task="finetune"))
    assert not found.fits
    assert "1,129–1,270 GB" in found.why
    assert "1 × NVIDIA H100" in found.why
    assert found.memory_gb_per_gpu > 200


def test_a_70b_trains_on_16_h100() -> None:
    """Two nodes of H100 are the least that hold full Adam state of 70B, at 1,024."""
    asked = request("llama-3.1-70b", "h100-80gb-sxm", 1, task="finetune")
    found = smallest_fit(replace(asked, sequence=1024))
    assert found is not None
    assert 16 == found[0]
    assert found[1].fits


def test_a_7b_full_fine_tune_does_not_fit_32_gb() -> None:
    """A 7B model with optimiser state is not "comfortable" on an RTX 5090."""
    asked = request("llama-2-7b", "rtx5090", 1, task="finetune", lean=False)
    assert not estimate(asked).fits
    assert estimate(replace(asked, method="lora")).fits
    assert estimate(replace(asked, method="qlora")).fits


def test_qlora_of_a_70b_fits_one_h100() -> None:
    """Four-bit weights of 70B leave room for adapters on 80 GB."""
    asked = request("llama-3.1-70b", "h100-80gb-sxm", 1, task="finetune")
    found = estimate(replace(asked, method="qlora", sequence=1024))
    assert found.fits
    assert 40 <= found.memory_gb_per_gpu <= 80


@pytest.mark.parametrize("name", ["llama-2-13b", "llama-3.1-70b"])
def test_h100_beats_a100_per_run_above_7b(name: str) -> None:
    """At $2.49 against $1.89 an hour the H100 is the cheaper per run."""
    speed = {
        card: estimate(request(name, card, 32)).tokens_per_second.likely
        for card in ("a100-80gb-sxm", "h100-80gb-sxm")
    }
    assert speed["h100-80gb-sxm"] / speed["a100-80gb-sxm"] > 2.49 / 1.89


def test_l40s_is_left_far_behind_in_multi_gpu_training() -> None:
    """Without NVLink eight L40S train a 7B model at a fraction of eight A100."""
    a100 = estimate(request("llama-2-7b", "a100-80gb-sxm", 8)).tokens_per_second.likely
    l40s = estimate(request("llama-2-7b", "l40s", 8)).tokens_per_second.likely
    assert l40s < 0.6 * a100


def test_a_bridge_joins_a_pair_and_eight_cross_pcie() -> None:
    """A pair of H100 NVL keeps NVLink; eight that gather all weights do not."""

    def of_peak(card: str, gpus: int) -> float:
        run = request("llama-3.1-8b", card, gpus, task="finetune", method="full")
        return estimate(run).mfu_pct

    assert of_peak("h100-nvl", 2) > 0.9 * of_peak("h100-80gb-sxm", 2)
    assert of_peak("h100-nvl", 8) < 0.8 * of_peak("h100-80gb-sxm", 8)


def test_flops_follow_the_formula() -> None:
    """MFU counts 6 per multiplied parameter and the causal half of attention."""
    asked = request("llama-2-7b", "a100-80gb-sxm", 8)
    found, shape = estimate(asked), shape_of(model("llama-2-7b"))
    linear = 6 * (shape.params - 32000 * 4096)
    attention = 6 * 32 * 4096 * 4096
    rate = found.tokens_per_second.likely / 8
    flops = found.mfu_pct / 100 * 312e12
    assert pytest.approx(linear + attention, rel=1e-6) == flops / rate


def test_mixtures_pay_for_active_parameters_only() -> None:
    """DeepSeek-V3 multiplies about 37B of its 671B parameters per token."""
    shape = shape_of(model("deepseek-v3"))
    active = shape.matmul_params + shape.active_expert_params
    assert pytest.approx(37e9, rel=0.05) == active
    assert pytest.approx(654e9, rel=0.02) == shape.expert_params


def test_frozen_weights_save_a_third_of_the_flops() -> None:
    """LoRA on a tuned stack runs about 1.2–1.6 times as fast as full training."""
    full = request("llama-2-7b", "h100-80gb-sxm", 8, precision="fp8", task="finetune")
    lora = replace(full, method="lora")
    ratio = (
        estimate(lora).tokens_per_second.likely
        / estimate(full).tokens_per_second.likely
    )
    assert 1.2 <= ratio <= 1.6


@pytest.mark.parametrize(("method", "least"), [("dpo", 1.3), ("grpo", 4.0)])
def test_preference_methods_cost_more_than_a_step(method: str, least: float) -> None:
    """DPO adds the reference model's forward pass, GRPO its generation."""
    plain = request("llama-3.1-8b", "h100-80gb-sxm", 8, task="finetune")
    other = replace(plain, method=method)  # type: ignore[arg-type]
    slower = (
        estimate(plain).tokens_per_second.likely
        / estimate(other).tokens_per_second.likely
    )
    assert slower > least


def test_a_layout_is_read_as_published() -> None:
    """Degrees, sharding and the software's class come out of one string."""
    megatron = read_layout("FSDP0 TP2 PP8 CP1 VP4 EP32", "", "eager")
    assert (2, 8, 1, 32, 4) == (
        megatron.tensor,
        megatron.pipeline,
        megatron.context,
        megatron.expert,
        megatron.virtual,
    )
    assert ("tuned", "optimizer", True) == (
        megatron.stack,
        megatron.sharding,
        megatron.stated,
    )
    composer = read_layout("FULL_SHARD", "", "eager")
    assert ("fsdp", "full") == (composer.stack, composer.sharding)
    assert "gradients" == read_layout("SHARD_GRAD_OP", "", "eager").sharding
    assert "full" == read_layout("FSDP64 TP1 PP1", "", "eager").sharding
    assert "xla" == read_layout("", "", "xla").stack


def test_a_line_is_answered_with_every_field() -> None:
    """A readable line gives speeds in order, MFU, hours where tokens are known."""
    answer = estimate_request({**LINE, "tokens": 1e9}, KNOWN)
    speed = answer["tokens_per_second"]
    assert speed["low"] < speed["likely"] < speed["high"]
    assert 10 < answer["mfu_pct"] < 70
    assert answer["gpu_hours"] > 0
    assert answer["fits"] is True
    assert estimate_request(LINE, KNOWN)["gpu_hours"] is None


def test_a_line_that_does_not_fit_has_no_speed() -> None:
    """A refusal is an answer with its reason, not an error."""
    answer = estimate_request({**LINE, "model": "llama-3.1-70b", "num_gpus": 1}, KNOWN)
    assert answer["fits"] is False
    assert answer["tokens_per_second"] is None
    assert "GB" in answer["why"]


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        ({"gpu": "h900"}, "unknown gpu"),
        ({"gpu": None}, "gpu"),
        ({"model": "no such thing"}, "unknown model"),
        ({"num_gpus": 0}, "num_gpus"),
        ({"num_gpus": "many"}, "num_gpus"),
        ({"method": "prayer"}, "unknown method"),
        ({"precision": "ternary"}, "unknown precision"),
        ({"seq_len": -1}, "seq_len"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(
    wrong: dict[str, object], part: str
) -> None:
    """The error names the field or the value, and the stream goes on."""
    answer = estimate_line({**LINE, **wrong}, KNOWN)
    assert "x" == answer["id"]
    assert part in answer["error"]


def test_an_unknown_model_of_a_stated_size_is_estimated() -> None:
    """A size in the fields, or else in the name, stands in for the architecture."""
    by_field = read_request({**LINE, "model": "Ours", "params_b": 9.0}, KNOWN)
    by_name = read_request({**LINE, "model": "ours-9b"}, KNOWN)
    assert 9.0 == by_field.model.params_b == by_name.model.params_b
    mixture = read_request({**LINE, "model": "ours-100b-a8b"}, KNOWN)
    assert mixture.model.is_moe
    assert 8.0 == mixture.model.active_params_b


def test_a_stated_size_overrules_a_name_it_contradicts() -> None:
    """A "Llama-3.1-8B" of 3B parameters is priced as 3B."""
    found = read_request({**LINE, "params_b": 3.0}, KNOWN)
    assert 3.0 == found.model.params_b


@pytest.mark.parametrize("text", ["MXFP8", "FP8-CS (FP8-MX)", "fp8 tensorwise"])
def test_published_spellings_of_a_precision_are_read(text: str) -> None:
    """Vendors' names of 8-bit recipes all mean fp8."""
    assert "fp8" == read_request({**LINE, "precision": text}, KNOWN).precision


def test_generic_decoders_have_the_parameters_asked_for() -> None:
    """12·layers·width² comes to the size within a tenth from 0.1B to 200B."""
    for size in (0.125, 0.35, 0.76, 1.3, 2.7, 6.7, 13, 30, 70, 175):
        found = generic_decoder(size)
        weights = 12 * found.layers * found.hidden_size**2 / 1e9
        assert pytest.approx(size, rel=0.1) == weights


def test_every_fitted_constant_is_in_range() -> None:
    """Shares are shares, and what costs time costs a positive amount."""
    known = training_constants()
    shares = [share for row in known.matmul.values() for share in row.values()]
    assert all(0.2 <= share <= 1 for share in shares)
    assert all(0.2 <= share <= 1 for share in known.attention.values())
    assert all(value > 0 for value in known.values.values())
    assert all(1 < stack.spread < 2 for stack in known.stacks.values())


def test_every_constant_names_a_reason_and_a_source() -> None:
    """Each number of the constants' file says why it is so and where it was read."""
    folder = files("core.reference")
    table = tomllib.loads(folder.joinpath("training.toml").read_text("utf-8"))
    urls = table.pop("sources")
    entries = list(_entries(table))
    assert len(entries) > 60
    for entry in entries:
        assert len(entry["why"]) > 5, entry
        assert entry["source"] in urls, entry
    assert {entry["source"] for entry in entries} == set(urls)


def _entries(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every table that holds a number itself."""
    if any(isinstance(cell, float | int) for cell in table.values()):
        yield table
    for cell in table.values():
        if isinstance(cell, dict):
            yield from _entries(cell)


def test_every_gpu_of_the_reference_trains_something() -> None:
    """No card is without constants: a 1B model is LoRA-tuned on each of them."""
    for card in KNOWN.gpus.values():
        asked = request("llama-3.2-1b", card.id, 1, method="lora", task="finetune")
        found = estimate(replace(asked, sequence=512, micro_batch=1))
        assert found.fits, card.id
        assert found.tokens_per_second.likely > 100, card.id


runs = st.builds(
    request,
    st.sampled_from(DENSE),
    st.sampled_from(CARDS),
    st.sampled_from((1, 2, 8, 16, 64)),
    method=st.sampled_from(("full", "lora", "qlora", "dpo")),
    sequence=st.sampled_from((512, 2048, 8192)),
    task=st.sampled_from(("train", "finetune")),
    tokens=st.floats(1e6, 1e12),
)


@given(runs, st.floats(1.0, 100.0))
@settings(max_examples=60, deadline=None)
def test_more_tokens_never_take_fewer_gpu_hours(
    asked: TrainingRequest, factor: float
) -> None:
    """GPU-hours grow with the tokens trained on."""
    more = replace(asked, tokens=(asked.tokens or 0) * factor)
    assert (estimate(more).gpu_hours or 0) >= (estimate(asked).gpu_hours or 0)


@given(runs)
@settings(max_examples=60, deadline=None)
def test_the_likely_speed_lies_in_its_range(asked: TrainingRequest) -> None:
    """Low, likely and high stand in order, and all are positive."""
    rate = estimate(asked).tokens_per_second
    assert 0 < rate.low <= rate.likely <= rate.high


@given(runs, st.sampled_from((2, 4)))
@settings(max_examples=60, deadline=None)
def test_more_gpus_never_slow_a_run_that_has_work_for_them(
    asked: TrainingRequest, factor: int
) -> None:
    """With the batch grown to match, more nodes of the same GPUs are never slower."""
    start = replace(asked, gpus=16, micro_batch=1, global_batch=64, lean=False)
    more = replace(start, gpus=16 * factor, global_batch=64 * factor)
    few, many = estimate(start), estimate(more)
    if few.fits:
        assert many.fits
        assert many.tokens_per_second.likely >= few.tokens_per_second.likely


@given(runs)
@settings(max_examples=60, deadline=None)
def test_an_h200_is_never_slower_than_an_h100(asked: TrainingRequest) -> None:
    """The same die with more and faster memory loses nothing, the recipe alike."""
    h100 = estimate(replace(asked, gpu=gpu("h100-80gb-sxm"), lean=False))
    h200 = estimate(replace(asked, gpu=gpu("h200-sxm"), lean=False))
    if h100.fits:
        assert h200.fits
        rate = h200.tokens_per_second.likely
        assert rate >= 0.999 * h100.tokens_per_second.likely


def test_one_estimate_takes_less_than_half_a_millisecond() -> None:
    """The slowest kind, a mixture without a layout, included; best of nine rounds."""
    asked = [
        request("deepseek-v3", "h100-80gb-sxm", 2048, precision="fp8"),
        request("llama-3.1-70b", "h100-80gb-sxm", 512),
        request("llama-3.1-8b", "a100-80gb-sxm", 8, task="finetune"),
    ]
    rounds = []
    for _ in range(9):
        start = time.process_time()
        for each in asked * 10:
            estimate(each)
        rounds.append((time.process_time() - start) / (10 * len(asked)))
    # A core that is shared or slow is given the time that it takes to count.
    assert min(rounds) <= max(0.4e-3, 0.1 * _counting())


def _counting() -> float:
    """Seconds of 100,000 additions on this machine: 4 ms on a quiet core."""
    spent = []
    for _ in range(5):
        start, total = time.process_time(), 0
        for number in range(100_000):
            total += number * number
        spent.append(time.process_time() - start)
    return min(spent)
