"""Figures of answers that lead with gigabytes, dollars a million tokens, or time."""

from bot.answers.shared.json_parts import (
    Json,
    bill_figures,
    bill_or_none,
    bill_prices,
    number,
    offer_figures,
    price_figures,
    rejection_figures,
    resolved_figures,
)
from core.answers.memory_need import MemoryAnswer, Need
from core.answers.quickest import Quick, QuickAnswer
from core.answers.unit_price import USUAL_USES, UnitPrice, UnitPriceAnswer


def wanted_figures(found: MemoryAnswer | UnitPriceAnswer | QuickAnswer) -> Json:
    """Every row with its parts; the first is what the verdict names."""
    match found:
        case MemoryAnswer():
            return _memory(found)
        case UnitPriceAnswer():
            return _unit_price(found)
        case QuickAnswer():
            return _quickest(found)


def _memory(found: MemoryAnswer) -> Json:
    rows = [_need(need) for need in found.needs]
    held = [need.holder.bill for need in found.needs if need.holder]
    return {
        **resolved_figures(found.resolved),
        "status": "ok",
        "recommendation": rows[0],
        "alternatives": rows[1:],
        "context": found.context,
        "prices": bill_prices(held),
    }


def _need(need: Need) -> Json:
    holder = need.holder
    return {
        "weights": need.weights,
        "weights_gb": need.weights_gb,
        "kv_cache_gb_per_request": need.kv_per_request_gb,
        "requests": need.requests,
        "engine_gb": need.overhead_gb,
        "total_gb": need.total_gb,
        "held_by": holder and {
            "gpu": holder.gpu.id,
            "count": holder.gpus,
            "bill": bill_or_none(holder.bill),
        },
    }  # fmt: skip


def _unit_price(found: UnitPriceAnswer) -> Json:
    rows = [_token(one, found.used) for one in found.prices]
    return {
        **resolved_figures(found.resolved),
        "status": "ok" if rows else "nothing_serves",
        "recommendation": rows[0] if rows else None,
        "alternatives": rows[1:],
        "rejections": rejection_figures(found.rejections),
        "prices": price_figures(one.offer for one in found.prices),
    }


def _token(one: UnitPrice, used: float) -> Json:
    shares = sorted({*USUAL_USES, used}, reverse=True)
    return {
        "gpu": one.gpu.id,
        "count": one.capacity.gpus,
        "weights": one.capacity.weights,
        "output_tokens_per_second": one.tokens_per_second,
        "usd_per_million_output_tokens": {
            f"{share:g}": number(one.usd_per_million(share)) for share in shares
        },
        "usd_per_million_tokens_blended": {
            f"{share:g}": number(one.usd_per_million_blended(share)) for share in shares
        },
        "offer": offer_figures(one.offer),
    }


def _quickest(found: QuickAnswer) -> Json:
    rows = [_quick(one) for one in found.quick]
    return {
        **resolved_figures(found.resolved),
        "status": "ok" if rows else "nothing_serves",
        "recommendation": rows[0] if rows else None,
        "alternatives": rows[1:],
        "rejections": rejection_figures(found.rejections),
        "prices": bill_prices(one.bill for one in found.quick),
    }


def _quick(one: Quick) -> Json:
    return {
        "gpu": one.gpu.id,
        "count": one.alone.gpus,
        "weights": one.alone.weights,
        "ttft_ms": one.alone.ttft_ms,
        "tpot_ms": one.alone.tpot_ms,
        "answer_ms": one.answer_ms,
        "bill": bill_figures(one.bill),
    }
