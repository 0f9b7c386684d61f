"""What stands behind a serving answer beyond its verdict: regimes, engines, money."""

from collections.abc import Mapping
from decimal import Decimal

from msgspec import Struct

from core.estimate.results import Range
from core.estimate.serving import ServingRequest, by_regime
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


class Details(Struct, frozen=True):
    """Everything that a reader may ask of the winner; money in dollars."""

    regimes: Mapping[str, Range]
    """Output tokens/s of one replica: alone, interactive, saturated."""
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
