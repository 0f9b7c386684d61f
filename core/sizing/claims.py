"""What the source articles would answer, beside our estimate, and why they differ."""

import math
from decimal import Decimal

from msgspec import Struct

from core.money.costs import HourlyCost
from core.workload import InferenceSpec

LIKE_70B = (60.0, 80.0)
"""Billions of parameters of the dense models that the figure was given for."""
TOKENS_PER_H100 = (2000, 3000)
"""Output tokens per second of one H100 "in production" (S0-036)."""
HELD_BY = 2
"""H100s that hold a 70B in 8 bit (X-002): no fleet is smaller."""
LAMBDA_APRIL_2026 = Decimal("2.49")
"""Lambda's on-demand price of the H100 SXM in April 2026 (S0-038)."""
SOURCE_URL = "https://ozmarx.com/training-vs-inference"


class ThroughputClaim(Struct, frozen=True):
    """Output tokens per second ÷ a published rate per GPU, at a published price."""

    tokens_per_second: float
    gpus: tuple[int, int]
    usd_per_month: tuple[Decimal, Decimal]


def throughput_claim(spec: InferenceSpec) -> ThroughputClaim | None:
    """Return what 2,000–3,000 tokens/s per H100 would come to for a 70B-class model.

    None for other models, and where that would be one GPU, which does not hold one.
    """
    low, high = LIKE_70B
    if spec.model.is_moe or not low <= spec.model.params_b <= high:
        return None
    rate = spec.output_tokens_per_second
    slow, fast = (math.ceil(rate / each) for each in TOKENS_PER_H100)
    if slow < HELD_BY:
        return None
    fast = max(fast, HELD_BY)
    hours = spec.constraints.billed_hours_per_month
    few, many = (
        HourlyCost(LAMBDA_APRIL_2026, gpus).per_month(hours) for gpus in (fast, slow)
    )
    return ThroughputClaim(rate, (fast, slow), (few, many))
