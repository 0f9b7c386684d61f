"""GPUs × price × hours of every offer: what stands behind a bill."""

from bot.answers.prices.view import offer_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from bot.render.words import say
from core.market.board import Bill, PriceBoard
from core.market.hours import paid_hours, rental_hours
from core.wording import dollars

EXPLAINED = 15


def explain_bill(board: PriceBoard, page: Page) -> AnswerView:
    """GPUs × price × hours of every offer, with the source of each price."""
    limits = board.constraints
    # The verdict's own offer first: cheaper spot prices may fill the list.
    bills = sorted(board.bills, key=lambda bill: bill != board.marked)
    steps = [
        f"{offer_name(bill, page.reference)}: {bill.gpus} × "
        f"{dollars(bill.offer.usd_per_gpu_hour)} = {dollars(bill.usd_per_hour)}/h × "
        f"{paid_hours(bill.offer, limits):,.0f} h = {dollars(bill.usd_per_month)}"
        f"{_in_all(bill, board)} ({bill.offer.source}, "
        f"{bill.offer.observed_at:%Y-%m-%d}, {bill.offer.source_url})."
        for bill in bills[:EXPLAINED]
    ]
    fired = [entry.rule for entry in board.rejections]
    return page.explained(steps, (), fired)


def _in_all(bill: Bill, board: PriceBoard) -> str:
    """The whole rental as a product, where it has an end."""
    usd, span = board.for_the_rental(bill), board.rented_hours
    if usd is None or span is None:
        return ""
    hours = rental_hours(bill.offer, board.constraints, span)
    return say("prices.in_all", hours=hours, usd=usd)
