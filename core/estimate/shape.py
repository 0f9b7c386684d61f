"""What a model's architecture costs per token: parameters, KV cache, attention."""

from functools import lru_cache

from msgspec import Struct

from core.estimate.formats import BYTES, SIXTEEN_BIT
from core.llm import ModelSpec
from core.units import Precision

_MLA_QUERY_DIM = 128
"""Per-head query and value width of DeepSeek-V3's MLA, without rotary part
(arXiv 2412.19437, section 4.2)."""
_RECURRENT_STATE_DIM = 128
"""State columns per channel of Mamba-2 and gated DeltaNet layers (arXiv 2405.21060)."""
_RECURRENT_EXPANSION = 2


class Shape(Struct, frozen=True):
    """Counts of one model; parameters and FLOPs as plain numbers, not billions."""

    dense: float
    """Weights that every token passes, without embeddings and output head."""
    routed: float
    """Weights of all routed experts together."""
    routed_share: float
    """Experts that one token visits, over all of them; 0 for a dense model."""
    visited: float
    """Routed experts that one token visits in a layer."""
    head: float
    """Weights of the output head: vocabulary × hidden."""
    embeddings: float
    """Input embeddings and head as stored: counted once where they are tied."""
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    kv_width: float
    """Values cached per token, layer and KV head: K and V, or MLA's one latent."""
    latent: bool
    """MLA: the cached latent serves all heads, so that each rank holds it whole."""
    full_layers: int
    window_layers: int
    window: int
    recurrent_layers: int
    recurrent_state: float
    """Values of fixed state per sequence, all recurrent layers together."""
    decode_attention_flops: float
    """Per cached token and layer, all heads, one new token."""
    prefill_attention_flops: float
    intermediate: float
    """Feed-forward width that one token uses, shared and routed experts together."""
    experts_only: bool
    """4-bit checkpoints quantise the routed experts and leave the rest in 16 bit."""

    def dense_bytes(self, weights: Precision) -> float:
        """Return bytes per weight outside the routed experts."""
        if self.experts_only and weights in ("fp4", "int4"):
            return SIXTEEN_BIT
        return BYTES[weights]

    def cached_tokens(self, length: float) -> float:
        """Return tokens × layers held in cache for one sequence of a length."""
        held = self.full_layers * length
        if self.window_layers:
            held += self.window_layers * min(length, self.window)
        return held


@lru_cache(maxsize=1024)
def shape_of(model: ModelSpec) -> Shape:
    """Return the counts of a model, from its published configuration."""
    head = float(model.vocab_size * model.hidden_size)
    embeddings = head if model.tied_embeddings else 2 * head
    routed = _routed_parameters(model)
    # Rounded totals can leave next to nothing for attention: keep one percent.
    dense = max(model.params_b * 1e9 - routed - embeddings, model.params_b * 1e7)
    full = model.full_attention_layers
    full = model.layers - model.recurrent_layers if full is None else full
    windowed = (
        model.layers - full - model.recurrent_layers if model.sliding_window else 0
    )
    latent = model.kv_lora_rank > 0
    return Shape(
        dense=dense,
        routed=routed,
        routed_share=model.experts_per_token / model.experts if model.experts else 0.0,
        visited=float(model.experts_per_token if model.experts else 0),
        head=head,
        embeddings=embeddings,
        layers=model.layers,
        hidden=model.hidden_size,
        heads=model.heads,
        kv_heads=model.kv_heads,
        kv_width=_kv_width(model),
        latent=latent,
        full_layers=full,
        window_layers=max(0, windowed),
        window=model.sliding_window,
        recurrent_layers=model.recurrent_layers,
        recurrent_state=_recurrent_state(model),
        decode_attention_flops=_decode_attention(model),
        prefill_attention_flops=_prefill_attention(model),
        intermediate=_intermediate(model),
        experts_only=_quantises_experts_only(model),
    )


def _quantises_experts_only(model: ModelSpec) -> bool:
    """Whether a mixture's 4-bit checkpoints keep attention and dense layers in 16 bit.

    So do those with MLA, and those published in 4 bit by their makers
    (DeepSeek-R1-NVFP4, Kimi-K2.5; gpt-oss: arXiv 2508.10925).
    """
    published = model.native_precision in ("fp4", "int4")
    return model.is_moe and (model.kv_lora_rank > 0 or published)


def _routed_parameters(model: ModelSpec) -> float:
    """Return the weights of all routed experts.

    Gated experts have three matrices each. Where that count contradicts the total
    (experts in every other layer only, or ungated), total and active parameters
    decide: total - active = routed × (1 - share visited).
    """
    if not model.experts:
        return 0.0
    per_expert = 3.0 * model.hidden_size * model.moe_intermediate_size
    layers = model.layers - model.dense_first_layers
    counted = per_expert * model.experts * layers
    total = model.params_b * 1e9
    if 0.7 * total < counted <= total:
        return counted
    unvisited = 1 - model.experts_per_token / model.experts
    return (model.params_b - model.active_params_b) * 1e9 / max(unvisited, 0.1)


def _kv_width(model: ModelSpec) -> float:
    if model.kv_lora_rank:
        return float(model.kv_lora_rank + model.qk_rope_head_dim)
    return 2.0 * model.head_dim


def _recurrent_state(model: ModelSpec) -> float:
    channels = _RECURRENT_EXPANSION * model.hidden_size
    return float(model.recurrent_layers * channels * _RECURRENT_STATE_DIM)


def _decode_attention(model: ModelSpec) -> float:
    """Return FLOPs per cached token, layer and new token: QK and PV, 2 each.

    MLA decodes in the latent space: every head multiplies the whole latent.
    """
    if model.kv_lora_rank:
        return model.heads * 2.0 * (2 * model.kv_lora_rank + model.qk_rope_head_dim)
    return model.heads * 4.0 * model.head_dim


def _prefill_attention(model: ModelSpec) -> float:
    if model.kv_lora_rank:
        width = 2 * _MLA_QUERY_DIM + model.qk_rope_head_dim
        return model.heads * 2.0 * width
    return model.heads * 4.0 * model.head_dim


def _intermediate(model: ModelSpec) -> float:
    if not model.experts:
        return float(model.intermediate_size)
    visited = model.experts_per_token + model.shared_experts
    return float(visited * model.moe_intermediate_size)
