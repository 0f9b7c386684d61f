"""What a language model is: the shape that decides its memory and its speed."""

from typing import Literal

from core.frozen import Frozen, Source
from core.units import Precision

Attention = Literal["mha", "mqa", "gqa", "mla", "hybrid", "recurrent"]


class ModelSpec(Frozen, frozen=True, kw_only=True):
    """One published model configuration; parameter counts are in billions."""

    id: str
    name: str
    family: str
    repository: str | None = None
    params_b: float
    active_params_b: float
    layers: int
    hidden_size: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate_size: int
    vocab_size: int
    context: int
    attention: Attention
    experts: int = 0
    experts_per_token: int = 0
    shared_experts: int = 0
    moe_intermediate_size: int = 0
    dense_first_layers: int = 0
    kv_lora_rank: int = 0
    qk_rope_head_dim: int = 0
    v_head_dim: int = 0
    sliding_window: int = 0
    full_attention_layers: int | None = None
    """Layers whose KV grows with the whole context; None: all of them."""
    recurrent_layers: int = 0
    """Mamba or linear-attention layers: a fixed state, no KV cache."""
    drafts_itself: bool = False
    """Published with layers that draft further tokens (multi-token prediction), and
    served with them: the MTP model types of vLLM (vllm/config/speculative.py)."""
    native_precision: Precision = "bf16"
    tied_embeddings: bool = False
    aliases: tuple[str, ...] = ()
    representative_of: str | None = None
    """The bare size this model stands for: "70b" without a name."""
    sources: tuple[Source, ...]

    def __hash__(self) -> int:
        """Hash by what tells models apart; equality is by every field."""
        return hash((self.id, self.params_b, self.layers))

    @property
    def is_moe(self) -> bool:
        """Whether a token passes through only some of the experts."""
        return self.experts > 0

    @property
    def kind(self) -> str:
        """What its speed hangs on: mla, hybrid, recurrent, or else moe or dense."""
        if self.attention in ("mla", "hybrid", "recurrent"):
            return self.attention
        return "moe" if self.is_moe else "dense"
