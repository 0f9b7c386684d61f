"""GPUs × price × hours of every offer: what stands behind a bill."""

from datetime import datetime

from bot.answers.prices.view import offer_name
from bot.answers.shared.arithmetic import explanation
from bot.render.views import AnswerView
from core.market.board import Bill, PriceBoard
from core.market.hours import paid_hours, rental_hours
from core.money.costs import exact
from core.reference.catalogue import Reference
from core.wording import dollars
from core.workload import Constraints

EXPLAINED = 15


def explain_bill(
    board: PriceBoard,
    answer_id: str,
    question: str,
    reference: Reference,
    now: datetime,
    rented_hours: float | None = None,
) -> AnswerView:
    """GPUs × price × hours of every offer, with the source of each price."""
    limits = board.constraints
    steps = [
        f"{offer_name(bill, reference)}: {bill.gpus} × "
        f"{dollars(bill.offer.usd_per_gpu_hour)} = {dollars(bill.usd_per_hour)}/h × "
        f"{paid_hours(bill.offer, limits):,.0f} h = {dollars(bill.usd_per_month)}"
        f"{_in_all(bill, limits, rented_hours)} ({bill.offer.source}, "
        f"{bill.offer.observed_at:%Y-%m-%d}, {bill.offer.source_url})."
        for bill in board.bills[:EXPLAINED]
    ]
    fired = [entry.rule for entry in board.rejections]
    return explanation(answer_id, question, now, steps, (), fired)


def _in_all(bill: Bill, limits: Constraints, span: float | None) -> str:
    """The whole rental as a product, where it has an end."""
    if span is None:
        return ""
    hours = rental_hours(bill.offer, limits, exact(span))
    return f" a month, × {hours:,.0f} h in all = {dollars(bill.usd_per_hour * hours)}"
