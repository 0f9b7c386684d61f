"""What a replica needs in GPU memory: weights, KV cache, activations, the engine."""

import math

from core.estimate.formats import BYTES, SIXTEEN_BIT
from core.estimate.parallel import Layout
from core.estimate.results import MemoryEstimate
from core.estimate.shape import Shape, shape_of
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.serving import Engine, serving_constants
from core.units import GB, GIB, Precision

_HIDDEN_COPIES = 5.5
_FEED_FORWARD_COPIES = 2.7
_LOGIT_BYTES = 12.4
"""Activations per token in flight, as 16-bit copies of the hidden state and of the
feed-forward width, and bytes of logits per sampled sequence and vocabulary entry:
fitted to 1,274 published peak-memory figures of TensorRT-LLM 0.9.0."""
_LARGE_GPU_BYTES = 70 * GIB
_RESERVED_BY_DRIVER = 0.985
"""Share of the datasheet's memory that the driver leaves, where no figure is known."""


def weight_bytes(model: ModelSpec, weights: Precision, layout: Layout) -> float:
    """Return bytes of weights on one GPU; embeddings and head stay in 16 bit.

    Mixtures count all their experts. Attention and dense layers are cut `tp` ways,
    experts over the whole group, everything over the pipeline stages.
    """
    return _weight_bytes(shape_of(model), weights, layout)


def _weight_bytes(shape: Shape, weights: Precision, layout: Layout) -> float:
    dense = shape.dense * shape.dense_bytes(weights) / layout.tp
    routed = shape.routed * BYTES[weights] / layout.group
    edges = shape.embeddings * max(SIXTEEN_BIT, _edge_bytes(weights)) / layout.tp
    return (dense + routed + edges) / layout.pp


def _edge_bytes(weights: Precision) -> float:
    return BYTES["fp32"] if weights == "fp32" else SIXTEEN_BIT


def kv_bytes_per_token(
    model: ModelSpec, kv: Precision = "bf16", layout: Layout | None = None
) -> float:
    """Return the KV cache of one token on one GPU while all layers still grow.

    KV heads are cut `tp` ways and copied beyond that; MLA's latent is whole on every
    rank. DeepSeek-V3 in 16 bit: 61 layers × (512 + 64) × 2 = 70,272 bytes.
    """
    shape = shape_of(model)
    layers = shape.full_layers + shape.window_layers
    return layers * _kv_bytes_per_layer(shape, kv, layout or Layout())


def kv_bytes(
    model: ModelSpec, kv: Precision, length: float, layout: Layout | None = None
) -> float:
    """Return KV cache and recurrent state of one sequence on one GPU, in bytes.

    Sliding-window layers hold at most their window; recurrent layers a fixed state.
    """
    return _kv_bytes(shape_of(model), kv, length, layout or Layout())


def _kv_bytes(shape: Shape, kv: Precision, length: float, where: Layout) -> float:
    cache = shape.cached_tokens(length) * _kv_bytes_per_layer(shape, kv, where)
    state = shape.recurrent_state * SIXTEEN_BIT / where.tp
    return (cache + state) / where.pp


def _kv_bytes_per_layer(shape: Shape, kv: Precision, layout: Layout) -> float:
    heads = 1.0 if shape.latent else max(shape.kv_heads / layout.tp, 1.0)
    return heads * shape.kv_width * BYTES[kv]


def activation_bytes(
    shape: Shape, layout: Layout, tokens: float, sequences: float
) -> float:
    """Return the peak of activations for tokens and sampled sequences of one step."""
    hidden = _HIDDEN_COPIES * shape.hidden * SIXTEEN_BIT
    feed_forward = _FEED_FORWARD_COPIES * shape.intermediate * SIXTEEN_BIT / layout.tp
    logits = sequences * shape.head / shape.hidden * _LOGIT_BYTES
    return tokens * (hidden + feed_forward) + logits


def usable_bytes(gpu: GpuSpec) -> float:
    """Return what the driver reports as the device's memory, in bytes."""
    if gpu.usable_memory_gib:
        return gpu.usable_memory_gib * GIB
    return gpu.memory_gb * GB * _RESERVED_BY_DRIVER


def step_limits(gpu: GpuSpec, engine: Engine) -> tuple[int, int]:
    """Return tokens and sequences of one step that an engine reserves memory for.

    vLLM's defaults are smaller on GPUs below 70 GiB and on the A100
    (vllm/engine/arg_utils.py).
    """
    if usable_bytes(gpu) < _LARGE_GPU_BYTES or gpu.family == "a100":
        return engine.small_gpu_batched_tokens, engine.small_gpu_sequences
    return engine.batched_tokens, engine.sampled_sequences


def memory_estimate(
    model: ModelSpec,
    gpu: GpuSpec,
    layout: Layout,
    weights: Precision,
    kv: Precision,
    context_tokens: float,
    engine: Engine | None = None,
) -> MemoryEstimate:
    """Return one GPU's memory for a served model; `context_tokens` per request."""
    runs = engine or serving_constants().engine["vllm"]
    return memory_of(shape_of(model), gpu, layout, weights, kv, context_tokens, runs)


def memory_of(
    shape: Shape,
    gpu: GpuSpec,
    layout: Layout,
    weights: Precision,
    kv: Precision,
    context_tokens: float,
    runs: Engine,
) -> MemoryEstimate:
    """Return one GPU's memory for a model's shape; see `memory_estimate`."""
    runtime = runs.runtime_gb + (runs.multi_gpu_gb if layout.gpus > 1 else 0.0)
    active = activation_bytes(shape, layout, *step_limits(gpu, runs))
    return MemoryEstimate(
        weights_gb=_weight_bytes(shape, weights, layout) / GB,
        kv_per_sequence_gb=_kv_bytes(shape, kv, context_tokens, layout) / GB,
        activations_gb=active / GB,
        runtime_gb=runtime,
        available_gb=usable_bytes(gpu) * runs.memory_fraction / GB,
    )


def max_batch(memory: MemoryEstimate, layout: Layout) -> int:
    """Return how many requests of the estimate's length one replica holds at once."""
    free = memory.free_for_kv_gb
    if free <= 0:
        return 0
    if memory.kv_per_sequence_gb <= 0:
        return 1 << 20
    return math.floor(free / memory.kv_per_sequence_gb * layout.attention_dp)


def fits(memory: MemoryEstimate, layout: Layout) -> bool:
    """Return whether weights fit and leave room for at least one request."""
    return max_batch(memory, layout) >= 1
