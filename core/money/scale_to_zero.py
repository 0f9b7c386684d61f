"""Serverless GPUs that scale to zero: which part of the hours is billed."""

import math

from core.money.costs import positive

IDLE_TIMEOUT_S = 60.0
"""Seconds that a worker stays up after its last request: Modal's default is 60,
Runpod's 5 (modal.com/docs/guide/cold-start, docs.runpod.io/pricing/serverless)."""
STARTUP_S = 15.0
"""Container, CUDA context and graph capture: 12 s for an 8B model, 30 s for a 70B one
(spheron.network/blog/gpu-cold-start-llm-inference-2026, May 2026)."""
LOAD_GB_PER_S = 2.0
"""Weights from a warm disk: 8 s for 16 GB, 40–45 s for 140 GB on the same page."""


def cold_start_s(weights_gb: float) -> float:
    """Return the seconds from nothing to the first token, billed as they pass."""
    return STARTUP_S + weights_gb / LOAD_GB_PER_S


def billed_share(
    rps: float,
    seconds_per_request: float,
    start_s: float,
    idle_timeout_s: float = IDLE_TIMEOUT_S,
) -> float:
    """Return the share of the hours that one scale-to-zero worker is billed for, ≤ 1.

    An M/G/∞ queue whose customers stay for request and idle timeout is empty with
    probability e^(−λ(s + idle)); each time it fills again a cold start is billed.
    """
    rate = float(positive(rps, "requests per second"))
    empty = math.exp(-rate * (seconds_per_request + idle_timeout_s))
    return min(1.0, 1 - empty + rate * empty * start_s)


def rate_billed(
    share: float,
    seconds_per_request: float,
    start_s: float,
    idle_timeout_s: float = IDLE_TIMEOUT_S,
) -> float:
    """Return the requests per second at which so large a share is billed, share < 1."""
    low, high = 1e-9, 1.0
    for _ in range(60):
        middle = math.sqrt(low * high)
        if billed_share(middle, seconds_per_request, start_s, idle_timeout_s) < share:
            low = middle
        else:
            high = middle
    return low
