"""Prices alone: one line, and the offers behind it."""

from collections.abc import Iterable
from datetime import datetime

from bot.present.figures import (
    age,
    gpu_name,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
    share_action,
    sla_words,
)
from bot.views import AnswerView, Cell, Table
from core.recommend.board import Bill, PriceBoard
from core.reference.catalogue import Reference
from core.wording import dollars

PRICE_COLUMNS = ("Offer", "$/GPU-h", "From GPUs", "Region", "SLA", "Price age")
BILL_COLUMNS = ("Offer", "GPUs", "$/GPU-h", "$/h", "$/month", "SLA", "Price age")


def price_view(
    board: PriceBoard,
    answer_id: str,
    question: str,
    reference: Reference,
    now: datetime,
) -> AnswerView:
    """The cheapest offer in a line, the best of each provider in a table."""
    if not board.bills:
        return _nothing_sold(board, answer_id, question, reference)
    by_rate = sorted(board.bills, key=lambda bill: bill.offer.usd_per_gpu_hour)
    rows = tuple(
        (
            Cell(text=_offer_name(bill, reference)),
            money(bill.offer.usd_per_gpu_hour),
            number(bill.offer.gpu_count),
            Cell(text=bill.offer.region or "any"),
            Cell(text=sla_words(reference.provider(bill.offer.provider))),
            age(bill.offer, now),
        )
        for bill in by_rate
    )
    return AnswerView(
        kind="answer",
        id=answer_id,
        question=question,
        verdict=_cheapest_each_pricing(by_rate, reference),
        table=Table(
            caption="Best price of each provider, per GPU-hour",
            columns=PRICE_COLUMNS,
            rows=rows,
            winner=0,
            note=_left_out(board),
        ),
        small_print=(price_sources(bill.offer for bill in by_rate[:7]),),
        actions=(share_action(answer_id),),
    )


def bill_view(
    board: PriceBoard,
    answer_id: str,
    question: str,
    reference: Reference,
    now: datetime,
) -> AnswerView:
    """What so many GPUs cost a month, cheapest first."""
    if not board.bills:
        return _nothing_sold(board, answer_id, question, reference)
    best = board.bills[0]
    hours = board.constraints.billed_hours_per_month
    rows = tuple(_bill_row(bill, reference, now) for bill in board.bills)
    return AnswerView(
        kind="answer",
        id=answer_id,
        question=question,
        verdict=(
            f"{best.gpus} × {_gpu(best, reference)} · "
            f"{provider_name(best.offer.provider, reference)} "
            f"{pricing_words(best.offer)} · {dollars(best.usd_per_month)}/month · "
            f"{dollars(best.usd_per_hour)}/h"
        ),
        why=(
            f"{best.gpus} × {dollars(best.offer.usd_per_gpu_hour)} × {hours:,.0f} h "
            f"= {dollars(best.usd_per_month)} a month."
        ),
        table=Table(
            caption="What it costs at each offer, cheapest month first",
            columns=BILL_COLUMNS,
            rows=rows,
            winner=0,
            note=_left_out(board),
        ),
        small_print=(price_sources(bill.offer for bill in board.bills[:7]),),
        actions=(share_action(answer_id),),
    )


def _bill_row(bill: Bill, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    return (
        Cell(text=_offer_name(bill, reference)),
        number(bill.gpus),
        money(bill.offer.usd_per_gpu_hour),
        money(bill.usd_per_hour),
        money(bill.usd_per_month),
        Cell(text=sla_words(reference.provider(bill.offer.provider))),
        age(bill.offer, now),
    )


def _cheapest_each_pricing(bills: Iterable[Bill], reference: Reference) -> str:
    """The lowest price of each way to pay: on-demand first, then spot and terms."""
    best: dict[str, Bill] = {}
    for bill in bills:
        best.setdefault(bill.offer.pricing, bill)
    order = [best[kind] for kind in ("on_demand", "spot", "reserved") if kind in best]
    parts = [
        f"{dollars(bill.offer.usd_per_gpu_hour)} {pricing_words(bill.offer)} "
        f"({provider_name(bill.offer.provider, reference)})"
        for bill in order
    ]
    return f"{_gpu(order[0], reference)} from " + " · ".join(parts) + " per GPU-hour"


def _gpu(bill: Bill, reference: Reference) -> str:
    known = reference.gpus.get(bill.offer.gpu)
    return gpu_name(known) if known else bill.offer.gpu


def _offer_name(bill: Bill, reference: Reference) -> str:
    return (
        f"{provider_name(bill.offer.provider, reference)} {_gpu(bill, reference)} "
        f"{pricing_words(bill.offer)}"
    )


def _left_out(board: PriceBoard) -> str:
    parts = [f"{entry.subject}: {entry.why}" for entry in board.rejections]
    return "Left out: " + "; ".join(parts) if parts else ""


def _nothing_sold(
    board: PriceBoard, answer_id: str, question: str, reference: Reference
) -> AnswerView:
    names = [gpu_name(reference.gpus[gpu]) for gpu in board.constraints.gpus]
    what = " or ".join(names) if names else "such a GPU"
    return AnswerView(
        kind="no",
        id=answer_id,
        question=question,
        verdict=f"No price is known for {what} under these conditions.",
        why=_left_out(board) or "No provider in the catalogue sells it.",
    )
