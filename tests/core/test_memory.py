"""Memory of a served model, against published figures and derived literals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.estimate.memory import (
    fits,
    kv_bytes,
    kv_bytes_per_token,
    max_batch,
    memory_estimate,
    usable_bytes,
    weight_bytes,
)
from core.estimate.parallel import Layout
from core.reference.load import reference
from core.units import GB, GIB, Precision
from tests.core.market import model

KNOWN = reference()
ONE = Layout()
MODELS = ["llama-3.3-70b", "deepseek-r1", "gpt-oss-120b", "qwen3-235b-a22b", "phi-4"]


@pytest.mark.parametrize(
    ("name", "kv", "expected"),
    [
        # MLA caches one latent: 61 layers × (512 + 64) × 2 bytes.
        ("deepseek-v3", "bf16", 70_272),
        ("deepseek-v3", "fp8", 35_136),
        # GQA: 2 × layers × KV heads × head size × bytes.
        ("llama-3.3-70b", "bf16", 2 * 80 * 8 * 128 * 2),
        ("llama-3.1-8b", "bf16", 2 * 32 * 8 * 128 * 2),
        ("llama-3.1-405b", "fp8", 2 * 126 * 8 * 128),
        ("qwen2.5-7b", "bf16", 2 * 28 * 4 * 128 * 2),
        # MHA keeps every head.
        ("llama-2-7b", "fp16", 2 * 32 * 32 * 128 * 2),
        # Alternating windows: all 36 layers grow until the window is full.
        ("gpt-oss-120b", "bf16", 2 * 36 * 8 * 64 * 2),
        # Hybrid: 15 of 60 layers have a cache at all.
        ("qwen3.5-397b-a17b", "bf16", 2 * 15 * 2 * 256 * 2),
    ],
)
def test_kv_cache_per_token(name: str, kv: Precision, expected: int) -> None:
    """The KV cache of one token follows from the attention kind."""
    assert expected == kv_bytes_per_token(model(name), kv)


def test_window_layers_stop_growing() -> None:
    """Beyond its window a sliding layer holds no more: half of gpt-oss stops at 128."""
    spec = model("gpt-oss-120b")
    per_layer = 2 * 8 * 64 * 2
    expected = 18 * per_layer * (10_000 - 1_000)
    grown = kv_bytes(spec, "bf16", 10_000) - kv_bytes(spec, "bf16", 1_000)
    assert expected == grown


def test_kv_heads_are_copied_beyond_their_count() -> None:
    """Four KV heads on eight GPUs take as much per GPU as on four."""
    spec = model("qwen3-235b-a22b")
    four = kv_bytes_per_token(spec, "bf16", Layout(tp=4))
    assert four == kv_bytes_per_token(spec, "bf16", Layout(tp=8))
    assert 4 * four == kv_bytes_per_token(spec, "bf16", ONE)


def test_mla_latent_is_whole_on_every_rank() -> None:
    """Tensor parallelism does not shrink MLA's cache."""
    spec = model("deepseek-v3")
    assert 70_272 == kv_bytes_per_token(spec, "bf16", Layout(tp=8))


def test_70b_fp8_leaves_nothing_on_one_80_gb_h100() -> None:
    """Measured with vLLM: 67.7 GiB of weights, -1.4 GiB for KV cache; two H100 do."""
    spec, gpu = model("llama-3.3-70b"), KNOWN.gpus["h100-80gb-sxm"]
    one = memory_estimate(spec, gpu, ONE, "fp8", "bf16", 2048)
    assert pytest.approx(67.7, abs=0.5) == one.weights_gb * GB / GIB
    assert pytest.approx(-1.4, abs=0.8) == one.free_for_kv_gb * GB / GIB
    assert not fits(one, ONE)
    two = memory_estimate(spec, gpu, Layout(tp=2), "fp8", "bf16", 2048)
    assert pytest.approx(32, abs=2) == two.free_for_kv_gb * GB / GIB
    assert fits(two, Layout(tp=2))


def test_gpt_oss_120b_fits_one_h100() -> None:
    """Measured with vLLM: 64.38 GiB of weights, 3.33 GiB of KV cache."""
    spec, gpu = model("gpt-oss-120b"), KNOWN.gpus["h100-80gb-sxm"]
    memory = memory_estimate(spec, gpu, ONE, "fp4", "bf16", 2048)
    assert pytest.approx(64.38, abs=1) == memory.weights_gb * GB / GIB
    assert pytest.approx(3.33, abs=1) == memory.free_for_kv_gb * GB / GIB
    assert fits(memory, ONE)


def test_a_mixture_holds_all_its_experts() -> None:
    """A mixture of experts takes memory for its total, not its active parameters."""
    spec = model("qwen3-235b-a22b")
    expected = pytest.approx(235e9 * 2, rel=0.02)
    assert expected == weight_bytes(spec, "bf16", ONE)


def test_four_bit_experts_leave_mla_attention_in_16_bit() -> None:
    """DeepSeek-R1 in NVFP4 weighs about 400 GB, as published, not 671 / 2."""
    spec = model("deepseek-r1")
    assert pytest.approx(400, rel=0.05) == weight_bytes(spec, "fp4", ONE) / GB


@given(
    st.sampled_from(MODELS),
    st.floats(1, 200_000),
    st.floats(1, 8),
    st.sampled_from(["fp8", "bf16"]),
)
def test_more_context_never_needs_less(
    name: str, length: float, times: float, kv: Precision
) -> None:
    """A longer request never takes less memory, nor lets more requests in."""
    spec, gpu, where = model(name), KNOWN.gpus["b200"], Layout(tp=8)
    short = memory_estimate(spec, gpu, where, "fp8", kv, length)
    long = memory_estimate(spec, gpu, where, "fp8", kv, length * times)
    assert short.kv_per_sequence_gb <= long.kv_per_sequence_gb
    assert max_batch(long, where) <= max_batch(short, where)


@given(st.sampled_from(MODELS), st.sampled_from(["bf16", "fp8", "fp4", "int4"]))
def test_more_gpus_never_need_more_memory_each(name: str, weights: Precision) -> None:
    """Each doubling of tensor parallelism takes no more memory per GPU."""
    spec = model(name)
    widths = [weight_bytes(spec, weights, Layout(tp=tp)) for tp in (1, 2, 4, 8)]
    assert sorted(widths, reverse=True) == widths


@given(st.sampled_from(sorted(KNOWN.gpus)))
def test_the_driver_reports_no_more_than_the_datasheet(gpu: str) -> None:
    """Usable memory is near the datasheet's figure, GiB and GB kept apart."""
    spec = KNOWN.gpus[gpu]
    assert 0.85 <= usable_bytes(spec) / (spec.memory_gb * GB) <= 1.08
