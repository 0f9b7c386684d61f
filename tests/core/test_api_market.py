"""APIs are held to the words that GPUs are held to."""

from decimal import Decimal
from typing import Any

import pytest

from core.market.api_market import usable_apis
from core.money.api import ApiPrice, TokenPrice
from core.reference.load import reference
from core.workload import Constraints, InferenceSpec, ServingLoad


def sold_by(provider: str, name: str = "") -> ApiPrice:
    """One model at one provider."""
    rate = TokenPrice(
        input_usd_per_million=Decimal("0.1"), output_usd_per_million=Decimal("0.4")
    )
    return ApiPrice(
        provider=provider,
        provider_name=name or provider,
        model="a-model",
        live=rate,
        as_of="2026-11-09",
        source="a test",
        source_url="https://example.com",
    )


def asked(limits: Constraints | None = None, tokens: float = 1000) -> InferenceSpec:
    """A load of such requests."""
    return InferenceSpec(
        model=reference().models["llama-3.1-70b"],
        input_tokens=tokens,
        output_tokens=200,
        load=ServingLoad(rps=1, average_share=1),
        constraints=limits or Constraints(),
    )


SOLD = (
    sold_by("aws", "AWS Bedrock"),
    sold_by("together", "Together AI"),
    sold_by("nebius", "Nebius through Hugging Face"),
    sold_by("openrouter", "OpenRouter"),
)


@pytest.mark.parametrize(
    ("limits", "left"),
    [
        ({}, {"aws", "together", "nebius", "openrouter"}),
        ({"certifications": ("hipaa",)}, {"aws", "together"}),
        ({"certifications": ("any",)}, {"aws", "together"}),
        ({"certifications": ("fedramp",)}, {"aws"}),
        ({"region": "eu"}, {"aws"}),
        ({"region": "germany"}, set()),
        ({"regions_excluded": ("us",)}, {"aws"}),
        ({"providers_excluded": ("aws",)}, {"together", "nebius", "openrouter"}),
        ({"providers_excluded": ("nebius",)}, {"aws", "together", "openrouter"}),
        ({"providers": ("lambda",)}, {"aws", "together", "nebius", "openrouter"}),
        ({"sla": 99.9}, set()),
    ],
)
def test_only_what_is_known_to_keep_a_limit_is_left(
    limits: dict[str, Any], left: set[str]
) -> None:
    """Nobody answers for a certificate, a place or an uptime that it does not name."""
    found = usable_apis(SOLD, asked(Constraints(**limits)), reference())

    assert left == {price.provider for price in found}


@pytest.mark.parametrize(
    ("window", "tokens", "left"),
    [(131_072, 100_000, 1), (98_304, 100_000, 0), (None, 100_000, 0), (None, 8000, 1)],
)
def test_an_api_takes_what_its_window_holds(
    window: int | None, tokens: float, left: int
) -> None:
    """An unpublished window is no long one."""
    price = sold_by("aws").model_copy(update={"context": window})

    assert left == len(usable_apis((price,), asked(tokens=tokens), reference()))
