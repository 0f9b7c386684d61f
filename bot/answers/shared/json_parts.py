"""The pieces that the JSON of every answer is made of."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from core.answers.capacity import Carried
from core.estimate.results import Range
from core.market.board import Bill
from core.market.recommendation import FleetPlan, Flip, Lever, Option, Rejection
from core.offers import Offer
from core.workload import Resolved

Json = dict[str, Any]


def offer_figures(offer: Offer) -> Json:
    """One price with its date and source."""
    return {
        "provider": offer.provider,
        "gpu": offer.gpu,
        "instance": offer.instance,
        "region": offer.region,
        "pricing": offer.pricing,
        "term_months": offer.term_months,
        "tier": offer.tier,
        "usd_per_gpu_hour": number(offer.usd_per_gpu_hour),
        "price_observed_at": offer.observed_at.isoformat(),
        "source": offer.source,
        "source_url": offer.source_url,
    }


def price_figures(offers: Iterable[Offer]) -> list[Json]:
    """The sources of prices, once each."""
    seen = {(o.source, o.observed_at.isoformat(), o.source_url) for o in offers}
    return [
        {"source": source, "observed_at": at, "url": url}
        for source, at, url in sorted(seen)
    ]


def number(amount: Decimal | None) -> float | None:
    """Money as a number, to a millionth of a dollar."""
    return None if amount is None else float(round(amount, 6))


def option_figures(option: Option) -> Json:
    """One fleet at one offer."""
    return {
        **offer_figures(option.offer),
        "count": option.gpus,
        "usd_per_hour": number(option.usd_per_hour),
        "usd_per_month": number(option.usd_per_month),
        "usd_per_million_output_tokens": number(option.usd_per_million_output_tokens),
        "idle_usd_per_month": number(option.idle_usd_per_month),
        "sla_percent": option.sla_percent,
        "fleet": plan_figures(option.plan),
    }


def plan_figures(plan: FleetPlan) -> Json:
    """One fleet, whoever rents it out."""
    carried = plan.capacity
    low, high = plan.replicas_range
    return {
        "gpu": plan.gpu.id,
        "weights": plan.weights,
        "kv": plan.kv,
        "gpus": plan.gpus,
        "replicas": plan.replicas,
        "gpus_per_replica": plan.replica_gpus,
        "gpus_range": [low * plan.replica_gpus, high * plan.replica_gpus],
        "busy_at_peak": round(plan.busy, 4),
        "binding": carried.binding,
        "tokens_per_second_per_replica": {
            "low": carried.tokens_per_second.low,
            "likely": carried.tokens_per_second.likely,
            "high": carried.tokens_per_second.high,
        },
        "batch": carried.batch,
        "ttft_p95_ms": carried.ttft_p95_ms,
        "tpot_p95_ms": carried.tpot_p95_ms,
        "memory_gb_per_gpu": {
            "weights": carried.memory.weights_gb,
            "free_for_kv": carried.memory.free_for_kv_gb,
        },
    }


def bill_figures(bill: Bill) -> Json:
    """So many GPUs at one offer."""
    return {
        **offer_figures(bill.offer),
        "count": bill.gpus,
        "usd_per_hour": number(bill.usd_per_hour),
        "usd_per_month": number(bill.usd_per_month),
    }


def rejection_figures(rejections: Iterable[Rejection]) -> list[Json]:
    """What was left out, by which rule, and why."""
    return [{"subject": r.subject, "rule": r.rule, "reason": r.why} for r in rejections]


def lever_figures(levers: Iterable[Lever]) -> list[Json]:
    """Each change with its difference in dollars a month; negative saves."""
    return [
        {
            "rule": lever.rule,
            "text": lever.text,
            "usd_per_month_difference": number(lever.usd_difference),
            "note": lever.note,
        }
        for lever in levers
    ]


def flip_figures(flips: Iterable[Flip]) -> list[Json]:
    """Where another GPU overtakes the winner."""
    return [
        {
            "field": flip.field,
            "value": flip.value,
            "direction": "above" if flip.above else "below",
            "rival": offer_figures(flip.rival.offer),
        }
        for flip in flips
    ]


def resolved_figures(resolved: Resolved) -> Json:
    """The workload as it was sized, and what was assumed."""
    return {
        "spec": resolved.spec.model_dump(mode="json", exclude_none=True),
        "assumptions": [entry.model_dump() for entry in resolved.assumptions],
    }


def bill_or_none(bill: Bill | None) -> Json | None:
    """A bill, or null where no price is known."""
    return bill_figures(bill) if bill is not None else None


def bill_prices(bills: Iterable[Bill | None]) -> list[Json]:
    """The sources of the prices behind bills, once each."""
    return price_figures(bill.offer for bill in bills if bill is not None)


def carried_figures(one: Carried, output_tokens: float) -> Json:
    """What so many GPUs carry in one weight format."""
    return {
        "gpu": one.gpu.id,
        "count": one.gpus,
        "weights": one.weights,
        "replicas": one.replicas,
        "binding": one.capacity.binding,
        "requests_per_second": _range(one.requests_per_second),
        "output_tokens_per_second": _range(
            one.requests_per_second.scaled(output_tokens)
        ),
        "in_flight": _range(one.in_flight),
        "memory_holds": one.room,
        "ttft_p95_ms": one.capacity.ttft_p95_ms,
        "tpot_p95_ms": one.capacity.tpot_p95_ms,
        "usd_per_million_output_tokens_full": number(
            one.usd_per_million(output_tokens, 1)
        ),
        "bill": bill_or_none(one.bill),
    }


def _range(one: Range) -> Json:
    return {"low": one.low, "likely": one.likely, "high": one.high}
