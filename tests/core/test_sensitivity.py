"""What would flip a sizing answer, and what the sources would have answered."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from market import USUAL, offer, recommend

from core.market.recommendation import Flip, Recommendation
from core.offers import Offer
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.sizing.claims import throughput_claim
from core.sizing.sensitivity import flips, rivals_of
from core.workload import InferenceSpec

DUEL = (offer("lambda", "l4", "0.40"), offer("lambda", "h100-80gb-sxm", "1.99"))
"""A small GPU that wins little loads, a large one that wins great ones."""


def flips_of(found: Recommendation) -> tuple[Flip, ...]:
    """Where another GPU overtakes a recommendation's winner."""
    spec = found.resolved.spec
    assert isinstance(spec, InferenceSpec)
    size, rps = spec.model.params_b, spec.load.rps
    return flips(
        spec,
        found.options,
        lambda prompt: spec_of(params_b=size, rps=rps, input_tokens=prompt).targets,
    )


def spec_of(**stated: Any) -> InferenceSpec:
    """A served workload, its gaps filled."""
    found = resolve(Query(**stated), reference(), defaults())
    assert not isinstance(found, Unresolved), found
    assert isinstance(found.spec, InferenceSpec)
    return found.spec


def winner(*offers: Offer, **stated: Any) -> str:
    """The GPU that a question is answered with."""
    return recommend(*offers, **stated).options[0].plan.gpu.id


def test_a_flip_in_load_is_where_sizing_turns() -> None:
    """Just beyond the flip the rival wins; at the load asked for it does not."""
    found = recommend(*DUEL, params_b=8, rps=0.2)
    flip = next(f for f in flips_of(found) if f.field == "rps" and f.above)

    assert "l4" == found.options[0].plan.gpu.id
    assert "h100-80gb-sxm" == flip.rival.plan.gpu.id
    assert "h100-80gb-sxm" == winner(*DUEL, params_b=8, rps=flip.value * 1.05)


def test_a_flip_in_prompt_length_is_where_sizing_turns() -> None:
    """Prompts that fill the small GPU's time make the large one win."""
    found = recommend(*DUEL, params_b=8, rps=0.4)
    flip = next(f for f in flips_of(found) if f.field == "input_tokens" and f.above)

    longer = flip.value * 1.1
    assert "l4" == found.options[0].plan.gpu.id
    assert "h100-80gb-sxm" == winner(*DUEL, params_b=8, rps=0.4, input_tokens=longer)


def test_the_price_flip_makes_both_fleets_cost_the_same() -> None:
    """At the rival's break-even price its month equals the winner's."""
    found = recommend(*DUEL, params_b=8, rps=0.4)
    flip = next(f for f in flips_of(found) if f.field == "usd_per_gpu_hour")

    month = Decimal(str(flip.value)) * flip.rival.gpus * 720
    assert pytest.approx(float(found.options[0].usd_per_month)) == float(month)
    assert flip.value < float(flip.rival.offer.usd_per_gpu_hour)


def test_without_another_gpu_nothing_flips() -> None:
    """One GPU on offer has no rival."""
    found = recommend(offer("lambda", "h100-80gb-sxm", "2.49"), params_b=8, rps=5)

    assert [] == rivals_of(found.options)
    assert () == flips_of(found)


@settings(max_examples=15, deadline=None)
@given(rps=st.floats(min_value=0.2, max_value=40), size=st.sampled_from([8, 32, 70]))
def test_flips_lie_on_the_side_they_name(rps: float, size: int) -> None:
    """Above is above the value asked about, below is below it; the rival is another."""
    found = recommend(*USUAL, params_b=size, rps=rps)
    spec = found.resolved.spec
    assert isinstance(spec, InferenceSpec)
    now = {
        "rps": spec.load.rps,
        "input_tokens": spec.input_tokens,
        "tpot_ms": spec.targets.tpot_ms,
    }

    for flip in flips_of(found):
        assert flip.rival.plan.gpu.id != found.options[0].plan.gpu.id
        asked = now.get(flip.field)
        if asked is not None:
            assert flip.above == (flip.value > asked)


def test_the_flagship_claim_is_the_sources_range() -> None:
    """10,000 tokens/s ÷ 3,000 and ÷ 2,000 at $2.49: 4–5 GPUs, $7,171.20–$8,964.00."""
    claim = throughput_claim(spec_of(params_b=70, rps=50))
    assert claim is not None

    assert (4, 5) == claim.gpus
    assert (Decimal("7171.20"), Decimal("8964.00")) == claim.usd_per_month


@pytest.mark.parametrize(
    "stated", [{"params_b": 8}, {"model": "mixtral-8x22b"}, {"params_b": 70, "rps": 5}]
)
def test_the_claim_is_made_for_no_other_model_or_load(stated: dict[str, Any]) -> None:
    """A dense model of 60–80B, from two GPUs up; others have no such figure."""
    assert None is throughput_claim(spec_of(**{"rps": 50} | stated))
