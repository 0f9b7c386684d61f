"""The models: shapes that reproduce the published parameter counts, found by name."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from core.llm import ModelSpec
from core.reference.catalogue import names_of
from core.reference.load import reference
from core.reference.names import written_key
from tests.each import each

MODELS = tuple(reference().models.values())
SHARED = Path(__file__).parents[2].parent / "shared" / "data"
NEEDS_SHARED = pytest.mark.skipif(
    not SHARED.exists(), reason=f"no folder of shared measurements at {SHARED}"
)

PUBLISHED_B = {
    "llama-2-7b": 6.74, "llama-2-13b": 13.02, "llama-2-70b": 68.98, "llama-1-65b": 65.3,
    "llama-3-8b": 8.03, "llama-3-70b": 70.6, "llama-3.1-405b": 405.9,
    "llama-3.2-1b": 1.24, "llama-3.2-3b": 3.21, "llama-3.3-70b": 70.6,
    "llama-4-scout": 109, "llama-4-maverick": 400, "codellama-34b": 33.7,
    "tinyllama-1.1b": 1.1, "mistral-7b": 7.25, "mistral-nemo-12b": 12.2,
    "mistral-small-24b": 23.6, "mistral-large-123b": 123, "mixtral-8x7b": 46.7,
    "mixtral-8x22b": 141, "ministral-8b": 8.02, "mistral-large-3-675b-a41b": 675,
    "qwen-72b": 72.3, "qwen1.5-110b": 111, "qwen1.5-moe-a2.7b": 14.3,
    "qwen2-57b-a14b": 57.4, "qwen2.5-0.5b": 0.494, "qwen2.5-1.5b": 1.54,
    "qwen2.5-3b": 3.09, "qwen2.5-7b": 7.61, "qwen2.5-14b": 14.7, "qwen2.5-32b": 32.5,
    "qwen2.5-72b": 72.7, "qwen3-4b": 4.0, "qwen3-8b": 8.2, "qwen3-14b": 14.8,
    "qwen3-32b": 32.8, "qwen3-30b-a3b": 30.5, "qwen3-235b-a22b": 235,
    "qwen3-coder-480b-a35b": 480, "qwen3-next-80b-a3b": 80, "qwen3.5-27b": 27.4,
    "qwen3.5-397b-a17b": 397, "deepseek-llm-67b": 67.4, "deepseek-moe-16b": 16.4,
    "deepseek-v2": 236, "deepseek-v2-lite": 15.7, "deepseek-v3": 671,
    "gpt-oss-120b": 117, "gpt-oss-20b": 20.9, "gpt-j-6b": 6.05, "gpt-neox-20b": 20.6,
    "gpt-3-175b": 175, "opt-66b": 65.7, "bloom-176b": 176, "mpt-7b": 6.65,
    "mpt-30b": 29.97, "pythia-12b": 11.85, "gemma-2b": 2.51, "gemma-7b": 8.54,
    "gemma-2-9b": 9.24, "gemma-2-27b": 27.2, "gemma-3-4b": 4.3, "gemma-3-12b": 12.2,
    "gemma-3-27b": 27.4, "phi-2": 2.78, "phi-3-mini": 3.82, "phi-3-medium": 14,
    "phi-3.5-moe": 41.9, "phi-4": 14.7, "phi-4-mini": 3.84, "glm-4-9b": 9.4,
    "glm-4.5": 355, "glm-4.5-air": 106, "glm-4.7-flash": 30, "glm-5": 744,
    "kimi-k2": 1026, "kimi-linear-48b-a3b": 48, "moonlight-16b-a3b": 16,
    "minimax-text-01": 456, "minimax-m2.5": 229, "minimax-m3": 428,
    "nemotron-4-15b": 15.6, "nemotron-4-340b": 341, "nemotron-h-8b": 8.1,
    "nemotron-h-47b": 46.8, "nemotron-h-56b": 56.3, "nemotron-nano-9b-v2": 8.89,
    "nemotron-3-nano-30b-a3b": 31.6, "nemotron-3-super-120b-a12b": 120.6,
    "nemotron-3-ultra-550b-a55b": 550, "llama-3.3-nemotron-super-49b": 49.9,
    "command-r-35b": 35, "command-r-plus": 104, "command-a-111b": 111,
    "granite-3.3-8b": 8.17, "granite-4.0-h-small": 32.2, "olmo-2-13b": 13.7,
    "olmo-2-32b": 32.2, "olmoe-1b-7b": 6.92, "falcon-7b": 7.22, "falcon-40b": 41.8,
    "falcon-180b": 180, "falcon-3-10b": 10.3, "yi-34b": 34.4, "starcoder2-3b": 3.03,
    "starcoder2-15b": 16, "baichuan2-13b": 13.9, "internlm2-20b": 19.9,
    "dbrx-132b": 132, "grok-1": 314, "grok-2": 270, "smollm2-135m": 0.135,
    "smollm3-3b": 3.08, "exaone-4.0-32b": 32, "k-exaone-236b-a23b": 236,
    "stablelm-2-12b": 12.1, "hunyuan-a13b": 80.4, "ernie-4.5-300b-a47b": 300,
    "seed-oss-36b": 36.2, "hy3-preview": 295, "laguna-xs.2": 33, "cwm-32b": 32.6,
    "mimo-v2-flash": 309, "ling-flash-2.0": 103, "ling-1t": 1000,
    "dots-llm1": 142, "arctic-480b": 480, "apertus-70b": 70.6, "minicpm3-4b": 4.07,
}  # fmt: skip
"""Model cards and reports, in billions, embeddings included."""
ACTIVE_B = {
    "llama-4-scout": 17, "llama-4-maverick": 17, "mixtral-8x7b": 12.9,
    "mixtral-8x22b": 39, "qwen1.5-moe-a2.7b": 2.7, "qwen2-57b-a14b": 14,
    "qwen3-30b-a3b": 3.3, "qwen3-235b-a22b": 22, "qwen3-coder-480b-a35b": 35,
    "qwen3.5-397b-a17b": 17, "deepseek-moe-16b": 2.8, "deepseek-v2": 21,
    "deepseek-v2-lite": 2.4, "deepseek-v3": 37, "deepseek-r1": 37,
    "deepseek-v4-pro": 49, "gpt-oss-120b": 5.1, "gpt-oss-20b": 3.6, "glm-4.5": 32,
    "glm-4.5-air": 12, "glm-5": 40, "kimi-k2": 32, "kimi-k3": 104,
    "minimax-text-01": 45.9, "minimax-m2.5": 10, "minimax-m3": 23, "dbrx-132b": 36,
    "grok-2": 115, "olmoe-1b-7b": 1.3, "phi-3.5-moe": 6.6, "hunyuan-a13b": 13,
    "ernie-4.5-300b-a47b": 47, "mimo-v2-flash": 15, "nemotron-3-super-120b-a12b": 12,
}  # fmt: skip

UNGATED = {
    "gpt-j", "gpt-neox", "gpt-2", "gpt-3", "mpt", "opt", "bloom", "starcoder",
    "apertus",
}  # fmt: skip
"""Families whose feed-forward has two matrices where a gated one has three."""
UNGATED_MODELS = {
    "falcon-7b", "falcon-40b", "falcon-180b", "falcon-2-11b", "phi-1.5", "phi-2",
    "stablelm-base-alpha-3b", "stablelm-base-alpha-7b", "afm-4.5b",
    "granite-code-20b", "granite-code-34b", "nemotron-3-8b", "nemotron-3-22b",
    "nemotron-3-4b", "minitron-8b", "nemotron-4-15b", "nemotron-4-340b",
}  # fmt: skip
QUERY_RANK = {
    "deepseek-v2-lite": 0, "deepseek-coder-v2-lite": 0, "moonlight-16b-a3b": 0,
    "minicpm3-4b": 768, "glm-4.7-flash": 768, "mistral-small-4-119b-a6b": 1024,
}  # fmt: skip
"""MLA's query rank where it is neither 1536 nor, for GLM-5, 2048."""
APART = {
    "llava-1.5-7b", "llava-1.5-13b", "llama-3.2-11b-vision", "llama-3.2-90b-vision",
    "pixtral-12b", "qwen2.5-vl-3b", "qwen2.5-vl-7b", "qwen2-vl-7b", "qwen2.5-vl-32b",
    "qwen3-vl-2b", "qwen3-vl-4b", "qwen3-vl-8b", "qwen3-omni-30b-a3b",
    "ministral-3-3b", "ministral-3-8b", "ministral-3-14b", "phi-4-multimodal",
    "gemma-3-4b", "gemma-3-12b", "medgemma-4b", "kimi-vl-a3b",  # a vision tower too
    "gemma-3n-e2b", "gemma-3n-e4b", "gemma-4-e2b", "gemma-4-e4b",  # per-layer tables
    "gemma-4-26b-a4b", "gemma-4-31b",  # heads differ between local and global layers
    "deepseek-v4-flash", "deepseek-v4-pro", "deepseek-v4.1-flash",  # grouped output
    "muse-glimmer-30b", "muse-spark-open-816b-a42b",  # a vision tower is counted in
    "llama-3.3-nemotron-super-49b",  # a third of the attention layers is pruned
    "step-3",  # multi-matrix factorised attention
    "longcat-flash",  # two attentions to each mixture
}  # fmt: skip


def matrices(spec: ModelSpec) -> int:
    """Return the weight matrices of one feed-forward."""
    two = spec.family in UNGATED or spec.id in UNGATED_MODELS
    return 2 if two else 3


def attention_parameters(spec: ModelSpec) -> int:
    """Count one layer's query, key, value and output weights."""
    hidden, heads = spec.hidden_size, spec.heads
    if not spec.kv_lora_rank:
        return 2 * hidden * spec.head_dim * (heads + spec.kv_heads)
    rank = QUERY_RANK.get(spec.id, 2048 if spec.id.startswith("glm-5") else 1536)
    wide = heads * (spec.head_dim + spec.qk_rope_head_dim)
    query = (hidden + wide) * rank if rank else hidden * wide
    down = hidden * (spec.kv_lora_rank + spec.qk_rope_head_dim)
    up = spec.kv_lora_rank * heads * (spec.head_dim + spec.v_head_dim)
    return query + down + up + heads * spec.v_head_dim * hidden


def parameters_b(spec: ModelSpec) -> float:
    """Count a transformer's weights from its shape alone, in billions."""
    hidden = spec.hidden_size
    embeddings = spec.vocab_size * hidden * (1 if spec.tied_embeddings else 2)
    dense_layers = spec.dense_first_layers if spec.is_moe else spec.layers
    feed_forward = dense_layers * matrices(spec) * hidden * spec.intermediate_size
    expert = matrices(spec) * hidden * spec.moe_intermediate_size
    each = (spec.experts + spec.shared_experts) * expert + hidden * spec.experts
    experts = (spec.layers - dense_layers) * each
    attention = spec.layers * attention_parameters(spec)
    return (embeddings + attention + feed_forward + experts) / 1e9


@each(PUBLISHED_B.items())
def test_total_parameters_are_the_published_ones(model: str, published: float) -> None:
    """The catalogue's total is within 3 % of the model card's."""
    assert published == pytest.approx(reference().models[model].params_b, rel=0.03)


@each(ACTIVE_B.items())
def test_active_parameters_are_the_published_ones(model: str, published: float) -> None:
    """The catalogue's active count is within 3 % of the model card's."""
    found = reference().models[model].active_params_b
    assert published == pytest.approx(found, rel=0.03)


@each(
    [
        spec
        for spec in MODELS
        if spec.attention not in ("hybrid", "recurrent") and spec.id not in APART
    ]
)
def test_the_shape_explains_the_parameters(spec: ModelSpec) -> None:
    """Counting the matrices of the shape gives the stated total within 2 %."""
    assert spec.params_b == pytest.approx(parameters_b(spec), rel=0.02)


@each(MODELS)
def test_each_model_is_consistent(spec: ModelSpec) -> None:
    """Sources, heads, experts, layers and attention kind agree with each other."""
    assert all(source.url.startswith("https://") for source in spec.sources)
    assert all(source.checked >= "2026-11-20" for source in spec.sources)
    assert 0 == spec.heads % spec.kv_heads
    assert 0 < spec.active_params_b <= spec.params_b
    assert spec.is_moe == (spec.experts_per_token > 0)
    assert spec.experts_per_token <= spec.experts
    assert spec.recurrent_layers + (spec.full_attention_layers or 0) <= spec.layers
    assert (spec.kv_lora_rank > 0) >= (spec.attention == "mla")
    if spec.attention in ("mha", "mqa", "gqa"):
        kind = "mha" if spec.kv_heads == spec.heads else "gqa"
        assert ("mqa" if spec.kv_heads == 1 else kind) == spec.attention


def test_the_kept_form_of_a_name_is_what_reading_it_gives() -> None:
    """Names are read when the models change, not each time a program starts."""
    kept = reference().written

    assert {name: written_key(name) for name in kept} == kept
    assert {
        name for spec in reference().models.values() for name in names_of(spec)
    } == set(kept)


def test_the_catalogue_is_broad() -> None:
    """At least forty families and four hundred models are known."""
    assert len(MODELS) >= 400
    assert len({spec.family for spec in MODELS}) >= 40


def test_native_precision_is_what_the_weights_are_published_in() -> None:
    """FP8, MXFP4 and INT4 releases are marked; the others are 16 bits."""
    models = reference().models
    assert "fp8" == models["deepseek-v3"].native_precision
    assert "fp4" == models["gpt-oss-120b"].native_precision
    assert "int4" == models["kimi-k2-thinking"].native_precision
    assert "bf16" == models["llama-3.3-70b"].native_precision


def test_attention_that_does_not_grow_is_marked() -> None:
    """Sliding windows, recurrent layers and latent KV are in the shape."""
    models = reference().models
    gemma, oss = models["gemma-3-27b"], models["gpt-oss-20b"]
    assert (1024, 10) == (gemma.sliding_window, gemma.full_attention_layers)
    assert (128, 12) == (oss.sliding_window, oss.full_attention_layers)
    assert 45 == models["qwen3.5-397b-a17b"].recurrent_layers
    assert (512, 64) == (
        models["deepseek-r1"].kv_lora_rank,
        models["deepseek-r1"].qk_rope_head_dim,
    )


@NEEDS_SHARED
@pytest.mark.parametrize("task", ["serving", "training"])
def test_every_measured_model_is_known(task: str) -> None:
    """Each model that a published measurement names resolves, to its own size."""
    path = SHARED / "measurements" / f"{task}.jsonl.gz"
    with gzip.open(path, "rt") as lines:
        requests = [json.loads(line)["request"] for line in lines]
    assert [] == sorted(
        {name for r in requests if not reference().model(name := r["model"])}
    )
    for request in requests:
        found = reference().model(request["model"])
        if found and request.get("params_b"):
            stated = found.params_b / request["params_b"]
            assert 0.7 <= stated <= 1.1, (request["model"], found.params_b)


@NEEDS_SHARED
def test_every_published_configuration_is_known() -> None:
    """Each published configuration resolves, with its own layers and width."""
    with (SHARED / "llm-architectures.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    wrong = [
        row["model"]
        for row in rows
        if not (found := reference().model(row["model"]))
        or (row["layers"] and int(row["layers"]) != found.layers)
        or int(row["hidden_size"]) != found.hidden_size
    ]
    assert [] == wrong
