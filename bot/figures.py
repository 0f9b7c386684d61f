"""Every figure of an answer as JSON, for programs; money as numbers in dollars."""

from bot.figures_jobs import job_figures
from bot.figures_parts import Json, number, offer_figures, price_figures
from bot.intents import Answered
from core.recommend.board import Bill, PriceBoard
from core.recommend.recommendation import FleetPlan, Option, Recommendation


def figures(answered: Answered) -> Json:
    """The whole answer: what was read, assumed, recommended and left out."""
    query = answered.query
    found = answered.figures
    shape: Json = {
        "id": answered.view.id,
        "kind": answered.view.kind,
        "verdict": answered.view.verdict,
        "query": query.model_dump(exclude_none=True, mode="json") if query else None,
        "spec": None,
        "assumptions": [],
        "recommendation": None,
        "alternatives": [],
        "rejections": [],
        "levers": [],
        "prices": [],
    }
    if isinstance(found, Recommendation):
        return shape | _sizing(found)
    if isinstance(found, PriceBoard):
        return shape | _board(found)
    return shape | (job_figures(found) or {})


def _sizing(found: Recommendation) -> Json:
    options = [option_figures(option) for option in found.options]
    return {
        "status": found.status,
        "spec": found.resolved.spec.model_dump(mode="json", exclude_none=True),
        "assumptions": [a.model_dump() for a in found.resolved.assumptions],
        "recommendation": options[0] if options else None,
        "alternatives": options[1:],
        "unpriced": [plan_figures(plan) for plan in found.unpriced],
        "rejections": _rejections(found),
        "levers": [
            {
                "rule": lever.rule,
                "text": lever.text,
                "usd_per_month_difference": number(lever.usd_difference),
                "note": lever.note,
            }
            for lever in found.levers
        ],
        "prices": price_figures(option.offer for option in found.options),
    }


def _board(found: PriceBoard) -> Json:
    bills = [bill_figures(bill) for bill in found.bills]
    return {
        "status": "ok" if bills else "unpriced",
        "recommendation": bills[0] if bills else None,
        "alternatives": bills[1:],
        "rejections": _rejections(found),
        "prices": price_figures(bill.offer for bill in found.bills),
    }


def _rejections(found: Recommendation | PriceBoard) -> list[Json]:
    return [
        {"subject": r.subject, "rule": r.rule, "reason": r.why}
        for r in found.rejections
    ]


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
