"""What stands behind a serving answer beyond its verdict: regimes, engines, money."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from core.estimate.levers import LeverEffect, lever_effects
from core.estimate.results import Range
from core.estimate.serving import ServingRequest, by_regime
from core.market.board import billed_gpus
from core.market.hours import paid_per_used
from core.market.recommendation import Option
from core.money.costs import (
    AtUtilisation,
    at_utilisations,
    usd_per_million_blended,
    usd_per_request,
)
from core.workload import InferenceSpec

ALWAYS_SHOWN = (1.0, 0.6, 0.3)
"""Full use, and the ends of what serving fleets see (S0-015)."""


@dataclass(frozen=True, slots=True)
class EngineLever:
    """A change of the serving engine on the same GPUs, as GPUs and dollars."""

    effect: LeverEffect
    gpus: int
    """Billed: whole machines of what the offer sells."""
    instead_of: int
    usd_difference: Decimal
    """Per month; negative saves."""


@dataclass(frozen=True, slots=True)
class Details:
    """Everything that a reader may ask of the winner; money in dollars."""

    regimes: Mapping[str, Range]
    """Output tokens/s of one replica: alone, interactive, saturated."""
    engine: tuple[EngineLever, ...]
    utilisations: tuple[AtUtilisation, ...]
    usd_per_twelve_months: Decimal
    usd_per_request: Decimal
    usd_per_million_blended: Decimal
    """Prompt and answer tokens counted alike, at the average load."""


def details_of(best: Option, spec: InferenceSpec) -> Details:
    """Compute the details of the winner."""
    share = spec.load.average_share
    shares = dict.fromkeys((1.0, share, *ALWAYS_SHOWN[1:]))
    hours = spec.constraints.billed_hours_per_month
    paid = paid_per_used(best.offer, spec.constraints)
    used_hour = best.usd_per_hour * paid
    return Details(
        regimes=_regimes(best, spec),
        engine=_engine(best, spec),
        utilisations=at_utilisations(
            best.usd_per_month,
            spec.output_tokens_per_second,
            tuple(shares),
            hours,
            paid,
        ),
        usd_per_twelve_months=best.usd_per_month * 12,
        usd_per_request=usd_per_request(used_hour, spec.load.rps, share),
        usd_per_million_blended=usd_per_million_blended(
            used_hour,
            spec.output_tokens_per_second,
            spec.input_tokens / spec.output_tokens,
            share,
        ),
    )


def _regimes(best: Option, spec: InferenceSpec) -> Mapping[str, Range]:
    plan, layout = best.plan, best.plan.capacity.layout
    replica = ServingRequest(
        model=spec.model,
        gpu=plan.gpu,
        gpus=plan.replica_gpus,
        weights=plan.weights,
        kv=plan.kv,
        input_tokens=spec.input_tokens,
        output_tokens=spec.output_tokens,
        tp=layout.tp,
        pp=layout.pp,
        dp=layout.stated_dp,
        ep=layout.stated_ep,
    )
    return by_regime(replica)


def _engine(best: Option, spec: InferenceSpec) -> tuple[EngineLever, ...]:
    """Engine levers; the peak is carried by fewer replicas where each carries more."""
    plan = best.plan
    found = lever_effects(
        spec.model, plan.gpu, plan.capacity, spec.input_tokens, spec.output_tokens,
        spec.targets, spec.cache_hit_rate,
    )  # fmt: skip
    each = best.usd_per_month / best.gpus
    today = billed_gpus(best.offer, plan.gpus)
    levers = []
    for effect in found:
        replicas = plan.replicas
        if effect.saves:
            replicas = max(1, math.ceil(plan.replicas / effect.rate_factor))
        gpus = min(today, billed_gpus(best.offer, replicas * plan.replica_gpus))
        levers.append(EngineLever(effect, gpus, today, each * (gpus - today)))
    return tuple(levers)
