"""Why one GPU does several times the work of another: format, latency, the rest."""

from msgspec import Struct

from core.hardware import GpuSpec
from core.market.pricing import rentable
from core.market.recommendation import FleetPlan, Option
from core.sizing.fleet import plan_gpu
from core.units import Precision
from core.workload import InferenceSpec, LatencyTargets

WIDE = 3.0
"""From here on a reader asks why: bandwidth and FLOPS of neighbouring generations lie
within about two and three."""
STEPS_APART = 1.15
"""A part that changes the ratio by less explains nothing."""


class SpeedGap(Struct, frozen=True):
    """How many times the tokens of the slower GPU, step by step to like with like."""

    faster: Option
    slower: Option
    in_all: float
    alike: float | None
    """With the slower one's weight format on both; None: that explains nothing."""
    unhurried: float | None
    """The same without a latency limit; None: that explains nothing."""


def full_rate(spec: InferenceSpec, option: Option, most: int | None = None) -> float:
    """Output tokens per second of one GPU of the replica shape that a full load takes.

    `most`: GPUs of a stated fleet, which such a replica may not exceed.
    """
    plans = plan_gpu(spec, option.plan.gpu, option.plan.weights).plans
    kept = (plan for plan in plans if rentable(plan, option.offer))
    held = (plan for plan in kept if not most or plan.replica_gpus <= most)
    return max(map(_rate, (option.plan, *held)))


def _rate(plan: FleetPlan) -> float:
    return plan.capacity.tokens_per_second.likely / plan.replica_gpus


def speed_gap(spec: InferenceSpec, one: Option, other: Option) -> SpeedGap | None:
    """Take a wide gap between two GPUs apart; None: it is narrow, or one GPU's own."""
    rates = {id(option): full_rate(spec, option) for option in (one, other)}
    slower, faster = sorted((one, other), key=lambda option: rates[id(option)])
    if one.plan.gpu.id == other.plan.gpu.id or not rates[id(slower)]:
        return None
    in_all = rates[id(faster)] / rates[id(slower)]
    if in_all < WIDE:
        return None
    free = spec.model_copy(update={"targets": LatencyTargets()})
    weights = slower.plan.weights
    alike = _ratio(spec, faster.plan.gpu, slower.plan.gpu, weights)
    unhurried = _ratio(free, faster.plan.gpu, slower.plan.gpu, weights)
    if alike is None or in_all / alike < STEPS_APART:
        alike = None
    if unhurried is None or (alike or in_all) / unhurried < STEPS_APART:
        unhurried = None
    return SpeedGap(faster, slower, in_all, alike, unhurried)


def _ratio(
    spec: InferenceSpec, faster: GpuSpec, slower: GpuSpec, weights: Precision
) -> float | None:
    """Tokens per second and GPU over each other, both in one format, at their best."""
    best = [_best(spec, gpu, weights) for gpu in (faster, slower)]
    return best[0] / best[1] if all(best) else None


def _best(spec: InferenceSpec, gpu: GpuSpec, weights: Precision) -> float:
    return max(map(_rate, plan_gpu(spec, gpu, weights).plans), default=0)
