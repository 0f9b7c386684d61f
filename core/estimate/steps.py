"""Time of one decode step and of one prefill on a replica: rooflines and overheads."""

from functools import lru_cache

from msgspec import Struct

from core.estimate.formats import (
    BYTES,
    SIXTEEN_BIT,
    WEIGHT_ONLY,
    compute_rate,
    sixteen_bit_tflops,
)
from core.estimate.parallel import Layout
from core.estimate.shape import Shape, shape_of
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.serving import (
    Engine,
    Family,
    ServingConstants,
    Shared,
    serving_constants,
)
from core.units import GB, Precision

_HIGHEST_BANDWIDTH_SHARE = 0.97
_HIGHEST_COMPUTE_SHARE = 0.8
RINGS = 2.0
"""All-reduces per layer under tensor parallelism: after attention and feed-forward
(Megatron-LM, arXiv 1909.08053)."""
PCIE_GB_S = {3: 16.0, 4: 32.0, 5: 64.0, 6: 128.0}
"""One direction of 16 lanes, by generation."""
_SWITCHED_GPUS = 8
"""Superchips sold one to a node still share NVLink where they are grouped."""
_MULTIPROCESSORS = 128
"""Of one GPU, about: 108 on an A100, 132 on an H100, 142 on an L40S."""
_TILE_ROWS = 8
"""Query heads on one KV head that fill a tile of the tensor cores."""
_DISPATCHES = 1.2
"""All-gather and reduce-scatter per layer with data-parallel attention, in units of one
all-reduce."""


class Replica(Struct):
    """One replica's seconds per unit of work on its busiest GPU; see `replica_of`."""

    dense_read_s: float
    dense_token_s: float
    expert_read_s: float
    expert_token_s: float
    head_read_s: float
    head_token_s: float
    kv_full_s: float
    kv_window_s: float
    attention_token_s: float
    fills: float
    """Sequences that keep decode attention busy: fewer take as long as these."""
    prefill_attention_s: float
    stream_token_s: float
    """Activations that a token moves between kernels, all layers."""
    permute_token_s: float
    """A token's copies to its experts and back, with the router's work."""
    collective_fixed_s: float
    collective_token_s: float
    layers_s: float
    step_s: float
    sequence_s: float
    stages: int
    share: float
    """Of the batch, on the busiest copy of the attention layers."""
    bubble: float
    untouched: float
    """Share of the experts that one token leaves alone."""
    imbalance: float
    window: float
    decode_slowdown: float
    power: float
    request_s: float
    """What a busy engine spends on each request beside its prefill."""
    arrival_s: float
    """Before the prefill of a request that comes alone: HTTP, tokeniser, scheduler; of
    a mixture also the host's time for each layer, which four clients wait for too."""
    together_s: float
    """The same where all clients ask in step."""
    arrival_token_s: float

    def _experts_read_s(self, tokens: float) -> float:
        """Weights of the experts that a batch touches: 1 - (1 - k/E)^tokens of all."""
        if self.untouched < 0:
            return self.expert_read_s * min(1.0, -self.untouched)
        return self.expert_read_s * float(1.0 - self.untouched**tokens)

    def decode_seconds(self, batch: float, context: float) -> float:
        """Return one decode step of `batch` sequences at a context of tokens."""
        tokens = batch / self.stages
        mine = tokens * self.share
        slow = self.decode_slowdown
        time = self._overlap(self.dense_read_s, mine * self.dense_token_s * slow)
        if self.expert_read_s:
            read = self._experts_read_s(tokens)
            work = tokens * self.expert_token_s * slow
            time += self._overlap(read, work) * self.imbalance
            time += tokens * self.permute_token_s
        time += self._overlap(self.head_read_s, mine * self.head_token_s * slow)
        cache = self.kv_full_s * context + self.kv_window_s * min(context, self.window)
        work = max(mine, self.fills) * self.attention_token_s * context
        time += self._overlap(mine * cache, work)
        time += mine * self.stream_token_s
        time += self.collective_fixed_s + tokens * self.collective_token_s
        time = (time + self.layers_s) * self.bubble
        return time + self.step_s + batch * self.sequence_s

    def prefill_seconds(self, tokens: float, length: float) -> float:
        """Return the prefill of `tokens` prompt tokens from prompts of a length."""
        mine = tokens * self.share
        time = self._overlap(self.dense_read_s, mine * self.dense_token_s)
        if self.expert_read_s:
            read = self._experts_read_s(tokens)
            work = self._overlap(read, tokens * self.expert_token_s)
            time += work * self.imbalance + tokens * self.permute_token_s
        time += self.head_read_s + mine * self.stream_token_s
        time += mine * length * self.prefill_attention_s
        return time + self.collective_fixed_s + tokens * self.collective_token_s

    def _overlap(self, read: float, work: float) -> float:
        """Join memory and compute time: the larger, with a soft knee between them."""
        if work <= 0.0:
            return read
        return float((read**self.power + work**self.power) ** (1.0 / self.power))


class _Rates(Struct):
    """What one GPU reaches: bytes per second and FLOP per second."""

    dense_bytes: float
    expert_bytes: float
    kv_bytes: float
    flops: float
    sixteen: float
    expert_share: float
    """Of the plain rate, in grouped GEMMs of experts."""
    stream_bytes: float
    link_bytes: float


def replica_of(
    shape: Shape,
    gpu: GpuSpec,
    layout: Layout,
    weights: Precision,
    kv: Precision,
    engine: Engine,
    constants: ServingConstants,
) -> Replica:
    """Return the timings of a replica from the shape, the GPU and the constants."""
    shared, copies = constants.shared, layout.attention_dp
    family = constants.family_of(gpu)
    rates = _rates(gpu, layout, weights, family, engine, constants)
    visited = shape.routed_share
    by_layer = engine.first_token_layer_s * shape.layers
    return Replica(
        *_matrix_seconds(shape, layout, weights, rates, shared),
        *_attention_seconds(shape, layout, kv, gpu, rates, engine, shared),
        *_activation_seconds(shape, layout, rates, shared),
        *_collectives(shape, layout, shared, family, rates.link_bytes),
        layers_s=_layers_seconds(shape, shared, family, engine),
        step_s=shared.step_s * engine.step,
        sequence_s=shared.sequence_s * engine.sequence,
        stages=layout.pp,
        share=(shared.copy_imbalance if copies > 1 else 1.0) / copies,
        bubble=1 + shared.pipeline_bubble * (layout.pp - 1),
        untouched=1 - visited if engine.spreads_experts else -visited,
        imbalance=shared.expert_imbalance if layout.expert_parallel else 1.0,
        window=float(shape.window),
        decode_slowdown=1 / shared.decode_compute,
        power=shared.overlap_norm,
        request_s=engine.request_s,
        arrival_s=shared.first_token_s + (by_layer if shape.routed else 0.0),
        together_s=by_layer,
        arrival_token_s=shared.first_token_per_prompt_token_s,
    )


@lru_cache(maxsize=2048)
def usual_replica(
    model: ModelSpec,
    gpu: GpuSpec,
    layout: Layout,
    weights: Precision,
    kv: Precision,
    engine_key: str,
) -> Replica:
    """Return the timings of a replica by the constants that ship; kept, as no load
    changes them.
    """
    known = serving_constants()
    engine = known.engine_on(engine_key, gpu)
    return replica_of(shape_of(model), gpu, layout, weights, kv, engine, known)


def _matrix_seconds(
    shape: Shape, layout: Layout, weights: Precision, rates: _Rates, shared: Shared
) -> tuple[float, float, float, float, float, float]:
    """Return seconds to read, and per token, of dense weights, experts and head."""
    stored = shape.dense_bytes(weights)
    dense_flops = rates.flops if stored == BYTES[weights] else rates.sixteen
    dense, expert = shape.dense / layout.tp, shape.routed / layout.group
    head = shape.head / layout.tp
    return (
        dense * stored / rates.dense_bytes,
        2 * dense / dense_flops,
        expert * BYTES[weights] / rates.expert_bytes,
        2 * expert * shape.routed_share / (rates.flops * rates.expert_share),
        head * SIXTEEN_BIT / rates.dense_bytes,
        2 * head / rates.sixteen,
    )


def _attention_seconds(
    shape: Shape,
    layout: Layout,
    kv: Precision,
    gpu: GpuSpec,
    rates: _Rates,
    engine: Engine,
    shared: Shared,
) -> tuple[float, float, float, float, float]:
    """Return seconds per cached token: reads of full and of window layers, then FLOPs
    of one decoded and of one prefilled token, which sees half its prompt on average.
    """
    heads = 1.0 if shape.latent else max(shape.kv_heads / layout.tp, 1.0)
    layer = heads * shape.kv_width * BYTES[kv] / rates.kv_bytes
    flops = sixteen_bit_tflops(gpu) * 1e12 * layout.tp
    decoded = shape.full_layers * shape.decode_attention_flops
    prefilled = shape.full_layers * shape.prefill_attention_flops / 2
    decode_flops, fills = flops * shared.latent_attention, 0.0
    if not engine.splits_cache:
        decode_flops, fills = _unsplit_attention(shape, layout, shared)
    return (
        shape.full_layers * layer,
        shape.window_layers * layer,
        decoded / decode_flops,
        fills,
        prefilled / (flops * shared.prefill_attention),
    )


def _unsplit_attention(
    shape: Shape, layout: Layout, shared: Shared
) -> tuple[float, float]:
    """Return FLOP/s of decode attention, and the sequences that keep it busy.

    One block, on CUDA cores, works through the whole cache of a head, so that few
    sequences leave most of a GPU idle: what Flash-Decoding mended. Query heads that
    share a KV head and fill a tile go to tensor cores once there are enough of them
    (TensorRT-LLM's XQA kernels).
    """
    blocks: float = _MULTIPROCESSORS * layout.tp
    if shape.heads % (_TILE_ROWS * shape.kv_heads) == 0:
        blocks *= shared.tile_gain
    return blocks * shared.block_flops, blocks / shape.heads


def _activation_seconds(
    shape: Shape, layout: Layout, rates: _Rates, shared: Shared
) -> tuple[float, float]:
    """Return seconds per token of activations read and written between kernels.

    Norms, residuals and quantisation pass over the hidden state of every layer; an
    expert layer also copies it to each expert that is visited and back, which expert
    parallelism shares out over the group.
    """
    passed = shape.layers * shape.hidden * SIXTEEN_BIT / rates.stream_bytes
    spread = layout.group if layout.expert_parallel else 1
    permuted = passed * shape.visited / spread
    return passed * shared.stream_passes, permuted * shared.permute_passes


def _rates(
    gpu: GpuSpec,
    layout: Layout,
    weights: Precision,
    family: Family,
    engine: Engine,
    constants: ServingConstants,
) -> _Rates:
    shared = constants.shared
    compute, kind = compute_rate(gpu, weights)
    bandwidth = gpu.bandwidth_gb_s * GB
    unpacked = family.weight_only if kind == WEIGHT_ONLY else 1.0
    reach = family.bandwidth * engine.bandwidth * unpacked
    scale = family.compute * engine.compute
    kv_reach = shared.kv_bandwidth * family.bandwidth * engine.kv_bandwidth
    sixteen = min(constants.efficiency["bf16"] * scale, _HIGHEST_COMPUTE_SHARE)
    effective = constants.efficiency[kind] * scale * unpacked
    effective = min(effective, _HIGHEST_COMPUTE_SHARE)
    top = _HIGHEST_BANDWIDTH_SHARE
    return _Rates(
        dense_bytes=bandwidth * min(shared.dense_bandwidth * reach, top),
        expert_bytes=bandwidth * min(shared.expert_bandwidth * reach, top),
        kv_bytes=bandwidth * min(kv_reach, top),
        flops=compute * 1e12 * effective,
        sixteen=sixteen_bit_tflops(gpu) * 1e12 * sixteen,
        expert_share=constants.expert_efficiency[kind],
        stream_bytes=bandwidth * min(shared.dense_bandwidth * reach, top),
        link_bytes=link_gb_s(gpu, layout, shared, family) * GB,
    )


def link_gb_s(gpu: GpuSpec, layout: Layout, shared: Shared, family: Family) -> float:
    """Return what one GPU sends to its group, in GB/s and one direction.

    NVLink and its like reach a share of their rate; cards without a switch, and bridged
    pairs, go over PCIe; a group wider than a node goes over the network fabric.
    """
    switched = is_switched(gpu)
    if layout.group > max(gpu.gpus_per_node, _SWITCHED_GPUS if switched else 1):
        return shared.fabric_gb_s
    if switched:
        return gpu.link_gb_s / 2 * min(shared.link_share * family.link, 1.0)
    share = min(shared.pcie_share * family.link, 1.0)
    return PCIE_GB_S[gpu.pcie_gen or 4] * share


def is_switched(gpu: GpuSpec) -> bool:
    """Return whether every GPU of a node reaches every other at full link rate."""
    bridged = gpu.form_factor.lower() in ("pcie", "nvl") or "bridge" in gpu.link.lower()
    return gpu.link_gb_s > 0 and not bridged


def _collectives(
    shape: Shape, layout: Layout, shared: Shared, family: Family, link_bytes: float
) -> tuple[float, float]:
    """Return fixed seconds per pass and seconds per token of all collectives.

    A ring all-reduce moves 2 (g - 1) / g of the 16-bit hidden state; its latency grows
    with the logarithm of the group.
    """
    group = layout.group
    if group == 1:
        return 0.0, 0.0
    calls = shape.layers * (_DISPATCHES if layout.attention_dp > 1 else RINGS)
    hops = group.bit_length() - 1
    fixed = shared.collective_s + shared.collective_hop_s * hops * family.hop
    moved = 2 * (group - 1) / group * shape.hidden * SIXTEEN_BIT
    return calls * fixed, calls * moved / link_bytes


def _layers_seconds(
    shape: Shape, shared: Shared, family: Family, engine: Engine
) -> float:
    """Return launch and dispatch time of one pass through all layers."""
    per_layer = shared.layer_s + (shared.moe_layer_s if shape.routed else 0.0)
    scaled = shape.layers * per_layer * family.overhead * engine.overhead
    return scaled + shape.recurrent_layers * shared.recurrent_layer_s
