"""How far the prices of named GPUs are apart: overall, and at each seller of both."""

from collections.abc import Sequence
from decimal import Decimal

from bot.answers.prices.view import board_notes
from bot.answers.shared.figures import gpu_name, money, price_sources, provider_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.hardware import GpuSpec
from core.market.board import Bill, PriceBoard
from core.market.current import is_plain
from core.market.named_gpus import named_gpus
from core.units import HOURS_PER_MONTH
from core.wording import dollars

Prices = dict[str, Bill]
"""A GPU's lowest bill at each seller."""
FEW = 5
"""Sellers of both that are told in words; all of them stand in the table."""


def asks_gap(page: Page) -> bool:
    """Whether the difference of prices is asked for, and between which GPUs."""
    query = page.question.query
    return bool(query.asks_difference) and len(_sides(page)) > 1


def _sides(page: Page) -> tuple[GpuSpec, ...]:
    return named_gpus(page.question.query, page.reference)


def gap_view(board: PriceBoard, page: Page) -> AnswerView:
    """Dollars apart first; then both prices of each seller side by side."""
    sides = _sides(page)
    each = {gpu.id: _at_sellers(gpu, board) for gpu in sides}
    sides = tuple(sorted(sides, key=lambda gpu: _dearest_first(each[gpu.id])))
    best = {
        gpu.id: min(each[gpu.id].values(), key=_rate) for gpu in sides if each[gpu.id]
    }
    return page.answer(
        verdict=_verdict(sides, best, page),
        why=" ".join(_at_one_seller(sides, each, page)),
        table=_table(sides, each, page),
        notes=board_notes(board, page.reference),
        small_print=(price_sources(bill.offer for bill in best.values()),),
        buttons=("share",),
    )


def _rate(bill: Bill) -> Decimal:
    return bill.offer.usd_per_gpu_hour


def _dearest_first(sold: Prices) -> Decimal:
    """What has no price stands last."""
    return -min(map(_rate, sold.values())) if sold else Decimal(0)


def _at_sellers(gpu: GpuSpec, board: PriceBoard) -> Prices:
    """What counts for a comparison: by the hour from sellers, or as was asked."""
    asked = board.constraints.pricing or ("on_demand",)
    found: Prices = {}
    for bill in board.ranked:
        offer = bill.offer
        counts = offer.gpu == gpu.id and offer.pricing in asked and not offer.doubt
        if counts and is_plain(offer):
            found.setdefault(offer.provider, bill)
    return found


def _verdict(sides: Sequence[GpuSpec], best: Prices, page: Page) -> str:
    known = [gpu for gpu in sides if gpu.id in best]
    unknown = [gpu_name(gpu) for gpu in sides if gpu.id not in best]
    parts = []
    if len(known) > 1:
        parts.append(_apart(known[0], known[1], best, page))
        known = known[2:]
    parts += [
        say(
            "prices.side",
            gpu=gpu_name(gpu),
            usd=_rate(best[gpu.id]),
            seller=_seller(best[gpu.id], page),
        )
        for gpu in known
    ]
    if unknown:
        parts.append(say("prices.side_unknown", gpus=" or ".join(unknown)))
    return ". ".join(parts)


def _apart(dear: GpuSpec, cheap: GpuSpec, best: Prices, page: Page) -> str:
    more, less = best[dear.id], best[cheap.id]
    apart = _rate(more) - _rate(less)
    return say(
        "prices.gap",
        dear=gpu_name(dear),
        cheap=gpu_name(cheap),
        apart=apart,
        share=float(apart / _rate(less)),
        usd=_rate(more),
        seller=_seller(more, page),
        usd_2=_rate(less),
        seller_2=_seller(less, page),
        month=apart * HOURS_PER_MONTH,
    )


def _seller(bill: Bill, page: Page) -> str:
    return provider_name(bill.offer.provider, page.reference)


def _both(sides: Sequence[GpuSpec], each: dict[str, Prices]) -> list[str]:
    """The sellers of the first two, the widest gap last."""
    one, other = (each[gpu.id] for gpu in sides[:2])
    return sorted(one.keys() & other.keys(), key=lambda name: _rate(one[name]))


def _at_one_seller(
    sides: Sequence[GpuSpec], each: dict[str, Prices], page: Page
) -> list[str]:
    """The gap where one seller has both: it is of the GPUs, not of the sellers."""
    both = _both(sides, each)
    if not both:
        sold = all(each[gpu.id] for gpu in sides[:2])
        return [say("prices.no_seller_of_both")] if sold else []
    one, other = (each[gpu.id] for gpu in sides[:2])
    said = ", ".join(
        say(
            "prices.gap_at_seller",
            seller=provider_name(name, page.reference),
            apart=f"{'−' if _rate(one[name]) < _rate(other[name]) else ''}"
            f"{dollars(abs(_rate(one[name]) - _rate(other[name])))}",
            share=float(_rate(one[name]) / _rate(other[name])) - 1,
        )
        for name in both[:FEW]
    )
    names = [gpu_name(gpu) for gpu in sides[:2]]
    return [say("prices.gap_of_sellers", one=names[0], other=names[1], each=said)]


def _table(
    sides: Sequence[GpuSpec], each: dict[str, Prices], page: Page
) -> Table | None:
    both = _both(sides, each)
    sold = {name: bill for found in each.values() for name, bill in found.items()}
    rest = [name for name in sold if name not in both]
    rest.sort(key=lambda name: _rate(sold[name]))
    if not sold:
        return None
    return Table(
        caption=say("prices.gap_table"),
        columns=("Seller", *(gpu_name(gpu) for gpu in sides)),
        rows=tuple(
            (
                Cell(text=provider_name(name, page.reference)),
                *(
                    money(_rate(each[gpu.id][name]))
                    if name in each[gpu.id]
                    else Cell(text="–")
                    for gpu in sides
                ),
            )
            for name in (*both, *rest)
        ),
        shown=7,
    )
