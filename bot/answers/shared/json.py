"""Every figure of an answer as JSON, for programs; money as numbers in dollars."""

from collections.abc import Callable

from bot.answers.dispatch import Answered
from bot.answers.prices.decide import rented_hours
from bot.answers.prices.view import PRICE_COLUMNS, marked, quoted
from bot.answers.shared.json_decide import decide_figures
from bot.answers.shared.json_jobs import job_figures
from bot.answers.shared.json_owning import all_in_figures, owning_figures
from bot.answers.shared.json_parts import (
    Json,
    bill_figures,
    flip_figures,
    lever_figures,
    number,
    option_figures,
    plan_figures,
    price_figures,
    rejection_figures,
)
from bot.render.views import Table
from core.market.board import Bill, PriceBoard
from core.market.hours import rental_hours
from core.market.recommendation import Nearest, Recommendation
from core.money.costs import exact
from core.sizing.pay_by_use import requests_per_month, usd_per_million_tokens
from core.workload import InferenceSpec


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
        "table": _table(answered.view.table),
        "notes": list(answered.view.notes),
    }
    if answered.beside is not None:
        shape["all_in"] = all_in_figures(answered.beside)
    if isinstance(found, Recommendation):
        return shape | _sizing(found)
    if isinstance(found, PriceBoard):
        hours = rented_hours(query) if query else None
        shown = answered.view.table
        by_rate = shown is not None and shown.columns == PRICE_COLUMNS
        return shape | _board(found, hours, quoted if by_rate else marked)
    return shape | (
        job_figures(found) or decide_figures(found) or owning_figures(found) or {}
    )


def _table(shown: Table | None) -> Json | None:
    """What the blocks show, with every figure in full; no row is held back."""
    if shown is None:
        return None
    return {
        "caption": shown.caption,
        "columns": list(shown.columns),
        "rows": [
            [cell.text if cell.value is None else cell.value for cell in row]
            for row in shown.rows
        ],
        "winner": shown.winner,
    }


def _sizing(found: Recommendation) -> Json:
    options = [option_figures(option) for option in found.options]
    return {
        "status": found.status,
        "spec": found.resolved.spec.model_dump(mode="json", exclude_none=True),
        "assumptions": [a.model_dump() for a in found.resolved.assumptions],
        "recommendation": options[0] | _units(found) if options else None,
        "alternatives": options[1:],
        "nearest": _nearest(found.nearest) if found.nearest else None,
        "unpriced": [plan_figures(plan) for plan in found.unpriced],
        "rejections": rejection_figures(found.rejections),
        "levers": lever_figures(found.levers),
        "flips": flip_figures(found.flips),
        "prices": price_figures(option.offer for option in found.options),
    }


def _units(found: Recommendation) -> Json:
    """The winner's bill by other units than the month and the written token."""
    spec, monthly = found.resolved.spec, found.options[0].usd_per_month
    if not isinstance(spec, InferenceSpec):
        return {}
    return {
        "usd_per_million_tokens_blended": number(usd_per_million_tokens(monthly, spec)),
        "usd_per_thousand_requests": number(1000 * monthly / requests_per_month(spec)),
        "usd_per_year": number(12 * monthly),
    }


def _nearest(found: Nearest) -> Json:
    return {"change": found.words, "option": option_figures(found.option)}


def _board(
    found: PriceBoard,
    rented_hours: float | None,
    named: Callable[[PriceBoard], Bill],
) -> Json:
    best = named(found) if found.bills else None
    others = [
        _bill(bill, found, rented_hours) for bill in found.bills if bill is not best
    ]
    status = "over_budget" if found.over_budget else "ok"
    return {
        "status": status if best else "unpriced",
        "recommendation": _bill(best, found, rented_hours) if best else None,
        "alternatives": others,
        "form_factor_not_stated": sorted(
            {bill.offer.gpu for bill in found.of_unsaid_form}
        ),
        "rejections": rejection_figures(found.rejections),
        "prices": price_figures(bill.offer for bill in found.bills),
    }


def _bill(bill: Bill, found: PriceBoard, rented_hours: float | None) -> Json:
    """A bill, and what the whole rental costs where it has an end."""
    if rented_hours is None:
        return bill_figures(bill)
    hours = rental_hours(bill.offer, found.constraints, exact(rented_hours))
    usd = number(bill.usd_per_hour * hours)
    return {**bill_figures(bill), "usd_for_the_rental": usd}
