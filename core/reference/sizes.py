"""The model that stands for a bare size: "70b" without a name."""

from collections.abc import Iterable
from math import log, sqrt

from core.llm import ModelSpec
from core.wording import say

_NEAR = 0.06
"""A published model within 6 % of the size asked for stands for it."""
_WHOLE = 0.02
"""How far a whole number of experts may miss the total."""
_HEAD_DIM = 128
_VOCABULARY = 128_256
_SMALL_VOCABULARY = 32_000
_SMALL_B = 0.4
"""Below this many billions a vocabulary of today would be most of the model."""
_CONTEXT = 131_072
_FEED_FORWARD = 3.5
"""Width of the gated feed-forward over the hidden size, as in Llama 3."""


def representative_of(
    models: Iterable[ModelSpec], params_b: float, active_params_b: float | None
) -> ModelSpec:
    """Return the published stand-in for a size, or one scaled from its neighbours."""
    typical = [spec for spec in models if spec.representative_of]
    if active_params_b is not None and active_params_b < params_b:
        return _mixture([s for s in typical if s.is_moe], params_b, active_params_b)
    for spec in typical:
        if spec.representative_of == f"{params_b:g}b":
            return spec
    dense = [spec for spec in typical if not spec.is_moe]
    nearest = min(dense, key=lambda spec: abs(log(spec.params_b / params_b)))
    if abs(nearest.params_b / params_b - 1) <= _NEAR:
        return nearest
    return _dense(dense, params_b)


def _dense(typical: list[ModelSpec], params_b: float) -> ModelSpec:
    """Build a GQA model of the size, as deep as its neighbours suggest."""
    layers = _depth(typical, params_b)
    vocabulary = _SMALL_VOCABULARY if params_b < _SMALL_B else _VOCABULARY
    hidden = _width(params_b * 1e9, layers, vocabulary)
    heads = hidden // _HEAD_DIM
    feed_forward = params_b * 1e9 - _outside(hidden, layers, vocabulary)
    return ModelSpec(
        id=f"dense-{params_b:g}b",
        name=say("assumptions.typical_dense_model", params_b=params_b),
        family="generic",
        params_b=params_b,
        active_params_b=params_b,
        layers=layers,
        hidden_size=hidden,
        heads=heads,
        kv_heads=_kv_heads(heads),
        head_dim=_HEAD_DIM,
        intermediate_size=max(64, round(feed_forward / (3 * hidden * layers))),
        vocab_size=vocabulary,
        context=_CONTEXT,
        attention="gqa",
        sources=_nearest(typical, params_b).sources,
    )


def _mixture(
    typical: list[ModelSpec], params_b: float, active_params_b: float
) -> ModelSpec:
    """Return the mixture of experts nearest in both sizes, scaled where none is."""

    def distance(spec: ModelSpec) -> float:
        total = abs(log(spec.params_b / params_b))
        return max(total, abs(log(spec.active_params_b / active_params_b)))

    pattern = min(typical, key=distance)
    if distance(pattern) <= _NEAR:
        return pattern
    return _scaled_mixture(pattern, params_b, active_params_b)


def _scaled_mixture(
    pattern: ModelSpec, params_b: float, active_params_b: float
) -> ModelSpec:
    """Scale depth and width by the cube root of the active size, experts to fit."""
    scale = (active_params_b / pattern.active_params_b) ** (1 / 3)
    layers = max(4, round(pattern.layers * scale))
    hidden = _rounded(pattern.hidden_size * scale, 256)
    while hidden > 256 and _outside(hidden, layers) > active_params_b * 5e8:
        hidden -= 256
    heads = hidden // _HEAD_DIM
    in_experts = active_params_b * 1e9 - _outside(hidden, layers)
    in_experts = max(in_experts, active_params_b * 1e8)
    all_experts = params_b * 1e9 - (active_params_b * 1e9 - in_experts)
    per_token = _fine_enough(pattern.experts_per_token, all_experts / in_experts)
    width = max(64, round(in_experts / (3 * hidden * layers * per_token)))
    return ModelSpec(
        id=f"moe-{params_b:g}b-a{active_params_b:g}b",
        name=say(
            "assumptions.typical_mixture_active",
            params_b=params_b,
            active_params_b=active_params_b,
        ),
        family="generic",
        params_b=params_b,
        active_params_b=active_params_b,
        layers=layers,
        hidden_size=hidden,
        heads=heads,
        kv_heads=_kv_heads(heads),
        head_dim=_HEAD_DIM,
        intermediate_size=width,
        vocab_size=_VOCABULARY,
        context=_CONTEXT,
        attention="gqa",
        experts=max(per_token + 1, round(per_token * all_experts / in_experts)),
        experts_per_token=per_token,
        moe_intermediate_size=width,
        sources=pattern.sources,
    )


def _fine_enough(per_token: int, ratio: float) -> int:
    """Split experts until a whole number of them holds the total within 2 %."""
    for count in (per_token, 2 * per_token, 4 * per_token, 8 * per_token):
        if abs(round(count * ratio) / (count * ratio) - 1) <= _WHOLE:
            return count
    return 8 * per_token


def _nearest(typical: list[ModelSpec], params_b: float) -> ModelSpec:
    """Return the stand-in whose size is the smallest factor away."""
    return min(typical, key=lambda spec: abs(log(spec.params_b / params_b)))


def _depth(typical: list[ModelSpec], params_b: float) -> int:
    """Interpolate the number of layers over the logarithm of the size."""
    ordered = sorted(typical, key=lambda spec: spec.params_b)
    index = sum(spec.params_b < params_b for spec in ordered)
    above = ordered[min(max(index, 1), len(ordered) - 1)]
    below = ordered[ordered.index(above) - 1]
    share = log(params_b / below.params_b) / log(above.params_b / below.params_b)
    share = max(share, 0.0)  # nothing is known of models below the smallest
    return max(4, round(below.layers + share * (above.layers - below.layers)))


def _width(params: float, layers: int, vocabulary: int) -> int:
    """Solve 12.5 L h² + (2 V + 2 · 1024 L) h = params for the hidden size h."""
    square = layers * (2 + 3 * _FEED_FORWARD)
    linear = 2 * vocabulary + 2 * 8 * _HEAD_DIM * layers
    hidden = (sqrt(linear**2 + 4 * square * params) - linear) / (2 * square)
    return _rounded(hidden, 1024 if hidden >= 3072 else 256)


def _rounded(value: float, step: int) -> int:
    """Round to a multiple of `step`, at least one."""
    return max(1, round(value / step)) * step


def _kv_heads(heads: int) -> int:
    """Return the eight KV heads of Llama 3, fewer where the heads do not divide."""
    return next(kv for kv in (8, 4, 2, 1) if heads % kv == 0)


def _outside(hidden: int, layers: int, vocabulary: int = _VOCABULARY) -> int:
    """Count the parameters outside the feed-forwards: embeddings and attention."""
    heads = hidden // _HEAD_DIM
    attention = 2 * hidden * _HEAD_DIM * (heads + _kv_heads(heads))
    return 2 * vocabulary * hidden + layers * attention
