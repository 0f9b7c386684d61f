"""A language model as training sees it: the parameters that a token multiplies."""

from functools import lru_cache

from msgspec import Struct

from core.llm import ModelSpec
from core.wording import say

GATED = 3
"""Matrices of a gated feed-forward block; two where the published count says so."""
MLA_NOPE_DIM = 128
"""Per-head query/key width without the rotary part in DeepSeek's latent attention."""


class TrainingShape(Struct, frozen=True):
    """Counts of one model; parameters in units of one, widths in elements."""

    params: float
    matmul_params: float
    """Parameters that a token is multiplied with outside the routed experts."""
    expert_params: float
    """Routed experts, all of them."""
    active_expert_params: float
    layers: int
    hidden: int
    q_width: int
    kv_width: int
    """Keys and values together."""
    ff_width: float
    """Feed-forward width that one token passes, summed over its experts."""
    vocab: int
    attention_layers: int
    windowed_layers: int
    window: int
    recurrent_layers: int
    moe_layers: int
    experts: int
    top_k: int
    embedding_params: float

    @property
    def dense_params(self) -> float:
        """Every parameter that is not in a routed expert."""
        return self.params - self.expert_params

    @property
    def expert_width(self) -> float:
        """Feed-forward width of one routed expert, as its parameters have it."""
        if not self.moe_layers:
            return 0.0
        per_unit = GATED * self.moe_layers * self.top_k * self.hidden
        return self.active_expert_params / per_unit

    def attention_span(self, sequence: float) -> float:
        """Σ over layers of the keys that a token attends to, before causal masking."""
        local = min(sequence, 2.0 * self.window)
        return self.attention_layers * sequence + self.windowed_layers * local

    def adapter_params(self, rank: int) -> float:
        """LoRA of one rank on every linear layer outside the routed experts."""
        attention = 2 * (self.hidden + self.q_width) + 2 * self.hidden + self.kv_width
        feed_forward = GATED * (self.hidden + self.ff_width)
        return self.layers * rank * (attention + feed_forward)


@lru_cache(maxsize=512)
def shape_of(model: ModelSpec) -> TrainingShape:
    """Derive the counts from a published configuration."""
    params, active = model.params_b * 1e9, model.active_params_b * 1e9
    table = float(model.vocab_size * model.hidden_size)
    # A look-up multiplies nothing; a tied table is multiplied once, as the head.
    looked_up = 0.0 if model.tied_embeddings else min(table, 0.3 * active)
    expert_params, active_experts = _experts(model, params, active)
    full, windowed = _attention_layers(model)
    q_width, kv_width = _widths(model)
    return TrainingShape(
        params=params,
        matmul_params=max(active - looked_up - active_experts, 0.2 * active),
        expert_params=expert_params,
        active_expert_params=active_experts,
        layers=model.layers,
        hidden=model.hidden_size,
        q_width=q_width,
        kv_width=kv_width,
        ff_width=_ff_width(model),
        vocab=model.vocab_size,
        attention_layers=full,
        windowed_layers=windowed,
        window=model.sliding_window or 0,
        recurrent_layers=model.recurrent_layers,
        moe_layers=_moe_layers(model),
        experts=model.experts,
        top_k=model.experts_per_token,
        embedding_params=table * (1 if model.tied_embeddings else 2),
    )


def _experts(model: ModelSpec, params: float, active: float) -> tuple[float, float]:
    """Routed expert parameters, all and per token: total − active = those left out."""
    idle = model.experts - model.experts_per_token
    if not model.is_moe or idle <= 0 or params <= active:
        return 0.0, 0.0
    every = (params - active) * model.experts / idle
    return every, every - (params - active)


def _moe_layers(model: ModelSpec) -> int:
    if not model.is_moe:
        return 0
    # In a hybrid the mixer and the experts are layers of their own.
    if model.attention == "hybrid" and model.recurrent_layers:
        full = model.full_attention_layers or 0
        return max(model.layers - model.recurrent_layers - full, model.layers // 3)
    return model.layers - model.dense_first_layers


def _attention_layers(model: ModelSpec) -> tuple[int, int]:
    """Layers that attend to everything, and those that attend to a window."""
    rest = model.layers - model.recurrent_layers
    full = model.full_attention_layers
    if full is None:
        return (0, rest) if model.sliding_window else (rest, 0)
    return full, (max(rest - full, 0) if model.sliding_window else 0)


def _widths(model: ModelSpec) -> tuple[int, int]:
    """Query width, and that of keys plus values, as attention computes them."""
    if model.kv_lora_rank:
        value = model.v_head_dim or MLA_NOPE_DIM
        query = MLA_NOPE_DIM + model.qk_rope_head_dim
        width = model.heads * (query + value) // 2
        return width, 2 * width
    query = model.heads * model.head_dim
    return query, 2 * model.kv_heads * model.head_dim


def _ff_width(model: ModelSpec) -> float:
    if not model.is_moe:
        return model.intermediate_size
    width = model.moe_intermediate_size or model.intermediate_size
    return width * (model.experts_per_token + model.shared_experts)


def generic_decoder(params_b: float) -> ModelSpec:
    """A plain decoder of a size: 12·layers·width² parameters, width ≈ 110 × layers.

    The ratio is that of published models from 1B to 70B (MPT, Llama, OLMo).
    """
    weights = params_b * 1e9
    width = max(256, round((weights * 110 / 12) ** (1 / 3) / 128) * 128)
    heads = max(width // 128, 2)
    return ModelSpec(
        id=f"decoder-{params_b:g}b",
        name=say("estimates.decoder", params_b=params_b),
        family="generic",
        params_b=params_b,
        active_params_b=params_b,
        layers=max(4, round(weights / (12 * width * width))),
        hidden_size=width,
        heads=heads,
        kv_heads=heads,
        head_dim=width // heads,
        intermediate_size=round(width * 8 / 3),
        vocab_size=50_304,
        context=8192,
        attention="mha",
        tied_embeddings=True,
        sources=(),
    )
