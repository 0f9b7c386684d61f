"""The model that stands for a bare size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm import ModelSpec
from core.reference.load import reference
from tests.each import each

SIZES = st.floats(min_value=0.2, max_value=2000)


def parameters_b(spec: ModelSpec) -> float:
    """Count the weights of a GQA model with gated feed-forwards, in billions."""
    hidden = spec.hidden_size
    width = spec.moe_intermediate_size if spec.is_moe else spec.intermediate_size
    feed_forward = 3 * hidden * width * (spec.experts or 1)
    attention = 2 * hidden * spec.head_dim * (spec.heads + spec.kv_heads)
    embeddings = 2 * spec.vocab_size * hidden
    return (spec.layers * (feed_forward + attention) + embeddings) / 1e9


@each([
        (1, "llama-3.2-1b"), (3, "llama-3.2-3b"), (7, "mistral-7b"),
        (8, "llama-3.1-8b"), (14, "qwen3-14b"), (24, "mistral-small-24b"),
        (32, "qwen3-32b"), (33, "qwen3-32b"), (70, "llama-3.3-70b"),
        (72, "qwen2.5-72b"), (123, "mistral-large-123b"), (405, "llama-3.1-405b"),
        (400, "llama-3.1-405b"), (235, "qwen3-235b-a22b"), (671, "deepseek-v3"),
        (1000, "kimi-k2"),
    ])  # fmt: skip
def test_a_known_size_is_stood_for_by_a_published_model(
    params_b: float, model: str
) -> None:
    """Sizes that people name lead to the model that they usually mean."""
    assert model == reference().representative(params_b).id


@each([
        (235, 22, "qwen3-235b-a22b"), (30, 3.3, "qwen3-30b-a3b"),
        (671, 37, "deepseek-v3"), (47, 13, "mixtral-8x7b"),
        (120, 5, "gpt-oss-120b"), (1000, 32, "kimi-k2"), (106, 12, "glm-4.5-air"),
    ])  # fmt: skip
def test_a_mixture_of_known_sizes_is_the_published_one(
    params_b: float, active: float, model: str
) -> None:
    """Total and active size together lead to the mixture that has both."""
    assert model == reference().representative(params_b, active).id


@each([13, 20, 40, 55, 100, 180, 250])
def test_a_size_in_between_is_scaled_and_says_so(params_b: float) -> None:
    """The stand-in is called typical, and has grouped queries and a modern context."""
    spec = reference().representative(params_b)
    assert f"dense-{params_b}b" == spec.id
    assert "a typical" in spec.name
    assert "gqa" == spec.attention
    assert 131_072 == spec.context
    assert spec.kv_heads < spec.heads


@given(params_b=SIZES)
def test_every_size_gets_a_model_of_that_size(params_b: float) -> None:
    """The stand-in's size is within 6 % and its shape holds as many weights.

    A size that a published model is named after may round it: Llama 3.2 1B has 1.24.
    """
    spec = reference().representative(params_b)
    named = spec.representative_of == f"{params_b:g}b"
    assert params_b == pytest.approx(spec.params_b, rel=0.25 if named else 0.065)
    assert 0 == spec.heads % spec.kv_heads
    if spec.family == "generic":
        assert spec.params_b == pytest.approx(parameters_b(spec), rel=0.02)


@given(
    params_b=st.floats(min_value=10, max_value=2000),
    share=st.floats(min_value=0.02, max_value=0.5),
)
def test_every_mixture_gets_a_model_of_both_sizes(
    params_b: float, share: float
) -> None:
    """Total and active are within 6 %, and the experts hold the total."""
    spec = reference().representative(params_b, params_b * share)
    assert spec.is_moe
    assert params_b == pytest.approx(spec.params_b, rel=0.07)
    assert params_b * share == pytest.approx(spec.active_params_b, rel=0.07)
    if spec.family == "generic":
        assert spec.experts_per_token < spec.experts
        assert spec.params_b == pytest.approx(parameters_b(spec), rel=0.15)


def test_active_as_large_as_total_is_a_dense_model() -> None:
    """A model that activates everything is no mixture."""
    assert "llama-3.3-70b" == reference().representative(70, 70).id


@each([0.03, 0.05, 0.124, 0.3, 0.39])
def test_a_tiny_model_has_a_shape_that_can_exist(params_b: float) -> None:
    """Below half a billion the vocabulary shrinks, so that layers are left."""
    spec = reference().representative(params_b)

    assert spec.intermediate_size >= 64
    assert spec.layers >= 4
