"""The figures of break-even, pay-by-use and idle answers, as JSON for programs."""

from bot.answers.api_bill.view import assumed
from bot.answers.shared.json_parts import (
    Json,
    bill_figures,
    bill_prices,
    carried_figures,
    number,
    offer_figures,
    option_figures,
    price_figures,
    rejection_figures,
    resolved_figures,
)
from core.answers.api_bill import ApiBill
from core.answers.breakeven import BreakEvenAnswer, Crossing, Way
from core.answers.budget import BudgetAnswer
from core.answers.idle import AtUse, Idle
from core.sizing.pay_by_use import ApiOption, ApiRange, PayByUse, ServerlessOption


def money_figures(found: object) -> Json | None:
    """Figures of one of these answers; None: it is another's."""
    if isinstance(found, BreakEvenAnswer):
        return _breakeven(found)
    if isinstance(found, ApiBill):
        return _api_bill(found)
    if isinstance(found, PayByUse):
        return _by_use(found)
    if isinstance(found, BudgetAnswer):
        return _budget(found)
    return idle_figures(found) if isinstance(found, Idle) else None


def idle_figures(found: Idle) -> Json:
    """A fleet today, and the same work on fewer GPUs."""
    bills = (found.today.bill, *(one.bill for one in found.others))
    plan = found.scaled
    return {
        "status": "ok",
        "today": _at_use(found.today),
        "recommendation": _at_use(found.others[0]) if found.others else None,
        "alternatives": [_at_use(one) for one in found.others[1:]],
        "scaled_with_the_day_usd_per_month": number(plan.usd_per_month)
        if plan
        else None,
        "prices": bill_prices(bills),
    }


def _at_use(one: AtUse) -> Json:
    return {
        "used": one.used,
        "idle_usd_per_month": number(one.idle_usd_per_month),
        **bill_figures(one.bill),
    }


def _breakeven(found: BreakEvenAnswer) -> Json:
    fleet, one = found.fleet, found.serverless
    return {
        **resolved_figures(found.resolved),
        "status": _breakeven_status(found),
        "recommendation": _way(found.advised) if found.advised else None,
        "own_fleet": option_figures(fleet) if fleet else None,
        "serverless": _serverless(one) if one else None,
        "apis_named": _apis(found.named),
        "apis_of_the_same_weights": _apis(found.hosted),
        "break_evens": [_crossing(crossing) for crossing in found.crossings],
        "self_hosting_saves_usd_per_month": number(found.self_hosting_saves)
        if found.load_stated
        else None,
        "serverless_below_requests_per_second": found.serverless_below,
        "rejections": rejection_figures(found.rejections),
        "prices": price_figures([fleet.offer] if fleet else []),
    }


def _breakeven_status(found: BreakEvenAnswer) -> str:
    if found.hurdle is None:
        return "unpriced"
    if not found.load_stated:
        return "depends_on_load"
    return "ok" if found.advised else "too_close"


def _way(way: Way) -> Json:
    """The way that the verdict advises, whichever of the three kinds it is."""
    match way:
        case ApiOption():
            return {"way": "api", **_api(way)}
        case ServerlessOption():
            return {"way": "serverless", **_serverless(way)}
    return {"way": "own_gpus", **option_figures(way)}


def _apis(found: ApiRange | None) -> list[Json]:
    return [_api(option) for option in found.options] if found else []


def _api(option: ApiOption) -> Json:
    api = option.api
    return {
        "provider": api.provider,
        "model": api.model,
        "usd_per_million_input": number(api.live.input_usd_per_million),
        "usd_per_million_output": number(api.live.output_usd_per_million),
        "usd_per_million_of_this_mix": number(option.usd_per_million),
        "usd_per_month": number(option.usd_per_month),
        "source": api.source,
        "source_url": api.source_url,
        "as_of": api.as_of,
    }


def _crossing(crossing: Crossing) -> Json:
    point = crossing.point
    return {
        "api": {"provider": crossing.api.provider, "model": crossing.api.model},
        "gpu": crossing.unit.gpu,
        "count": crossing.unit.gpus,
        "never": point.never,
        "requests_per_second": number(point.requests_per_second),
        "tokens_per_day": number(point.tokens_per_day),
        "utilisation": number(crossing.full_utilisation),
        "fleet_usd_per_million_full": number(point.fleet_usd_per_million),
        "api_usd_per_million": number(point.api_usd_per_million),
    }


def _serverless(one: ServerlessOption) -> Json:
    return {
        **offer_figures(one.offer),
        "count": one.gpus,
        "billed_share": one.billed,
        "cold_start_s": one.cold_start_s,
        "usd_per_month": number(one.usd_per_month),
    }


def _api_bill(found: ApiBill) -> Json:
    rows = [
        {
            **_api(option),
            "usd_per_request": number(option.usd_per_month / found.requests),
            "usd_per_month_half_cached": number(found.cached(option.api)),
            "usd_per_month_batched": number(found.batched(option.api)),
        }
        for option in found.options
    ]
    return {
        "status": "ok",
        "requests_per_month": number(found.requests),
        "assumptions": [entry.model_dump() for entry in assumed(found)],
        "recommendation": rows[0],
        "alternatives": rows[1:],
    }


def _by_use(found: PayByUse) -> Json:
    own = found.dedicated
    return {
        **resolved_figures(found.resolved),
        "status": "ok",
        "recommendation": _api(found.api) if found.api else None,
        "apis_of_the_same_weights": _apis(found.hosted),
        "serverless": [_serverless(one) for one in found.serverless],
        "dedicated": option_figures(own) if own else None,
        "dedicated_used": found.used,
        "prices": price_figures(one.offer for one in found.serverless),
    }


def _budget(found: BudgetAnswer) -> Json:
    answer = found.spec.output_tokens
    rows = [carried_figures(one, answer) for one in found.carried]
    return {
        **resolved_figures(found.resolved),
        "status": "ok" if rows else "nothing_fits",
        "budget_usd_per_month": number(found.usd_per_month),
        "recommendation": rows[0] if rows else None,
        "alternatives": rows[1:],
        "rejections": rejection_figures(found.rejections),
        "prices": bill_prices(one.bill for one in found.carried),
    }
