"""Notes beside a serving answer: who speaks, about what, and when nobody does."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from market import offer, recommend

from core.market.recommendation import Recommendation
from core.reference.load import reference
from core.reference.rules import rules
from core.reference.thinking import thinking_models
from core.sizing.advice import ADVICE, SHOWN
from core.wording import dollars

SINGLES = (
    offer("lambda", "h100-80gb-sxm", "2.49"),
    offer("hyperstack", "l40s", "0.86"),
)


def note(found: Recommendation, words: str) -> str:
    """The one note, shown or told on asking why, that holds these words."""
    (text,) = (text for text in (*found.notes, *found.advice) if words in text)
    return text


def test_advice_is_for_the_why_view_and_warnings_are_few() -> None:
    """The reader is warned once; the why view says the rest, each rule by name."""
    found = recommend(rps=50, provider=("aws",))

    assert not found.notes
    assert SHOWN >= len(recommend(pricing=("spot",), precision=("fp4",)).notes)
    assert len(found.rules_fired) == len(found.advice)
    assert (
        "hyperscaler-premium", "measure-first", "tiered-pools",
    ) == found.rules_fired  # fmt: skip


def test_spot_for_live_traffic_is_told_to_have_a_fallback() -> None:
    """Spot is used where it is asked for, and the risk is said first."""
    found = recommend(pricing=("spot",))

    assert "on-demand machines" in found.notes[0]
    assert "spot-fallback" == found.rules_fired[0]


@pytest.mark.parametrize(
    ("precision", "model", "speaks"),
    [("fp4", None, True), ("int4", None, True), ("fp8", None, False),
     ("fp4", "gpt-oss-120b", False)],
)  # fmt: skip
def test_four_bits_are_to_be_validated(
    precision: str, model: str | None, speaks: bool
) -> None:
    """Four-bit weights carry the caveat, unless the model is published in them."""
    size = {"params_b": None, "model": model} if model else {}
    found = recommend(rps=5, precision=(precision,), gpu=("b200",), **size)

    assert found.options
    assert speaks == ("validate-format" in found.rules_fired)


def test_thinking_counts_as_output() -> None:
    """A named reasoning model's assumed length is questioned; nothing else is."""
    assumed = recommend(params_b=None, model="qwen3-32b", rps=2, use="rag")
    thought = recommend(params_b=None, model="qwen3-32b", rps=2)
    stated = recommend(params_b=None, model="qwen3-32b", rps=2, output_tokens=3000)
    bare = recommend(params_b=32, rps=2)

    assert "ten times as long costs $" in note(assumed, "writes thinking tokens too")
    assert "thinking-output" not in thought.rules_fired
    assert "thinking-output" not in {*stated.rules_fired, *bare.rules_fired}


def test_a_training_gpu_for_a_small_load_is_doubted() -> None:
    """An H100 that is named and idles; not one that the ranking chose."""
    named = recommend(params_b=8, rps=1, gpu=("h100",))
    chosen = recommend(*SINGLES[:1], params_b=8, rps=1)

    assert note(named, "without a GPU name")
    assert "training-gpu-for-serving" in named.rules_fired
    assert "training-gpu-for-serving" not in chosen.rules_fired


def test_a_busy_named_gpu_is_not_doubted() -> None:
    """A named H100 that the load needs is the right one."""
    found = recommend(params_b=8, rps=25, gpu=("h100",))

    assert found.options[0].plan.busy > 0.3
    assert "training-gpu-for-serving" not in found.rules_fired


def test_a_hyperscaler_is_held_against_the_cheapest_elsewhere() -> None:
    """AWS asked for: the same GPU's price at the cheapest that would do (S0-059)."""
    found = recommend(rps=5, provider=("aws",), gpu=("h100",))

    text = note(found, "managed serving")
    assert "$3.90 per GPU-hour here and $2.49 at Lambda" in text


def test_other_providers_are_no_hyperscalers() -> None:
    """A neocloud that is asked for is nobody's premium."""
    found = recommend(rps=5, provider=("coreweave",))

    assert "hyperscaler-premium" not in found.rules_fired


def test_several_small_models_may_share_a_gpu_in_slices() -> None:
    """Five idle 8B in INT4: slices of one H100 cost less than five GPUs (S1-076)."""
    small = {"params_b": 8, "precision": ("int4",), "model_count": 5}
    short = {"input_tokens": 500}
    found = recommend(*SINGLES, rps=0.2, **small, **short)

    assert 5 == found.options[0].gpus
    text = note(found, "MIG")
    assert "each of the 5 models its own MIG slice on 1 × H100 SXM" in text


def test_slices_are_not_advised_where_they_are_too_slow() -> None:
    """Five models that keep their GPUs busy do not fit a seventh of one each."""
    small = {"params_b": 8, "precision": ("int4",), "model_count": 5}
    found = recommend(*SINGLES, rps=8, **small)

    assert "multi-tenant-mig" not in found.rules_fired


def test_one_replica_measured_for_an_hour_is_a_price() -> None:
    """A whole instance is rented to measure, as it would be to serve (S1-089)."""
    found = recommend(params_b=32, rps=40, provider=("aws",), gpu=("h100",))

    text = note(found, "Test first")
    assert "8 × H100 SXM for $31.20 an hour" in text
    assert Decimal("31.20") == 8 * found.options[0].offer.usd_per_gpu_hour


def test_a_single_small_replica_needs_no_rehearsal() -> None:
    """One GPU is its own test: the note is of its risk alone, with its price."""
    found = recommend(*SINGLES, params_b=8, rps=1)

    (note,) = found.notes
    second = next(one for one in found.levers if one.rule == "n-plus-one")
    assert note.startswith("One server: its failure stops the service")
    both = found.options[0].usd_per_month + (second.usd_difference or Decimal(0))
    assert f"Two: {dollars(both)}/month" in note


def test_nothing_fits_says_nothing_more() -> None:
    """Without an option there is nothing to advise on."""
    found = recommend(gpu=("h100-sxm",), count=1)

    assert not found.options
    assert () == found.notes


def test_every_advice_is_a_rule_with_reasons() -> None:
    """The why view looks each of them up."""
    assert all("advise" == rules()[advice.rule].stage for advice in ADVICE)


def test_every_pattern_names_a_model() -> None:
    """A pattern that names nothing is a slip of the pen."""
    models = reference().models.values()
    for entry in thinking_models():
        assert any(entry.names(model) for model in models), entry
        assert entry.source.startswith("https://")


QUESTIONS = st.fixed_dictionaries(
    {
        "params_b": st.sampled_from([1.0, 8.0, 32.0, 70.0, 180.0]),
        "rps": st.floats(0.01, 200),
    },
    optional={
        "precision": st.sampled_from([("fp8",), ("fp4",), ("int4",), ("bf16",)]),
        "provider": st.sampled_from([("aws",), ("lambda",), ("aws", "spheron")]),
        "gpu": st.sampled_from([("h100",), ("l40s",), ("b200", "h200")]),
        "model_count": st.integers(1, 9),
        "pricing": st.sampled_from([("spot",), ("on_demand",)]),
        "audience": st.sampled_from(["internal", "external"]),
        "output_tokens": st.floats(1, 4000),
    },
)


@settings(max_examples=60, deadline=None)
@given(QUESTIONS)
def test_notes_are_short_and_few_whatever_is_asked(stated: dict[str, Any]) -> None:
    """One warning beside the facts of this fleet, each readable on a phone."""
    found = recommend(**stated)

    facts = (
        "ask for a quote", "Slower than chat usually is", "The big cloud",
        "its failure stops the service",
    )  # fmt: skip
    warnings = [n for n in found.notes if not any(fact in n for fact in facts)]
    assert len(warnings) <= SHOWN
    assert len(found.rules_fired) >= len(warnings)
    assert set(found.rules_fired) <= rules().keys()
    assert all(len(text) <= 330 for text in found.notes), found.notes


def test_a_machine_of_strangers_is_said_to_be_one() -> None:
    """Whoever names such a seller is served there, and told what does not belong."""
    found = recommend(
        offer("salad", "rtx4090", "0.16", tier="community"),
        params_b=8, rps=1, provider=("salad",), consumer_gpus=True,
    )  # fmt: skip

    assert "third-party hosts" in found.notes[0]
    assert "community-host" in found.rules_fired
