"""Spot or not: the best way to run a job by each, and where they cost the same."""

import math
from collections.abc import Callable
from decimal import Decimal

from msgspec import Struct

from core.jobs.options import JobAnswer, JobOption
from core.jobs.pricing import Stops, spot_terms
from core.workload import Constraints

SHORTEST_HOURS, LONGEST_HOURS = 1e-3, 1e5
HALVINGS = 40


class BothWays(Struct, frozen=True):
    """A job on spot and without interruptions, each at its cheapest."""

    spot: JobOption
    steady: JobOption
    alike: JobOption | None
    """Without interruptions on the GPUs that spot would be."""
    pays_from_hours: float | None
    """Between interruptions, spot costs less than `alike`; None: never, or no such."""


def asks_for_both(limits: Constraints) -> bool:
    """Whether spot is named beside another way to pay."""
    return "spot" in limits.pricing and len(limits.pricing) > 1


def both_ways(found: JobAnswer) -> BothWays | None:
    """Hold spot against the rest; None: one of them cannot do the job."""
    spot = _first(found, lambda option: option.spot is not None)
    steady = found.on_demand
    if spot is None or steady is None or spot.spot is None:
        return None
    alike = _first(found, lambda option: _same_gpus(option, spot))
    saved = found.resolved.spec.constraints.checkpoint_hours
    pays = None if alike is None else pays_from(spot, alike, saved)
    return BothWays(spot, steady, alike, pays)


def pays_from(
    spot: JobOption, alike: JobOption, saved: float | None = None
) -> float | None:
    """Hours between interruptions from which spot costs less; None: always costlier.

    Checkpoints are `saved` hours apart, else as far as is best for each.
    """
    allowed = alike.usd_per_hour / spot.usd_per_hour
    low, high = SHORTEST_HOURS, LONGEST_HOURS
    if not _within(spot, Stops(high, of_machine=False, saved_every=saved), allowed):
        return None
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        pays = _within(
            spot, Stops(middle, of_machine=False, saved_every=saved), allowed
        )
        low, high = (low, middle) if pays else (middle, high)
    return high


def _within(spot: JobOption, stops: Stops, allowed: Decimal) -> bool:
    terms = spot_terms(spot.plan, stops)
    return terms is not None and terms.time_factor <= allowed


def _first(found: JobAnswer, is_it: Callable[[JobOption], bool]) -> JobOption | None:
    return next((option for option in found.options if is_it(option)), None)


def _same_gpus(option: JobOption, spot: JobOption) -> bool:
    same = option.plan.gpu == spot.plan.gpu and option.gpus == spot.gpus
    return same and option.spot is None
