"""Whether a price that is paid is a good one."""

from decimal import Decimal

from bot.answers.fair_price.view import explain_fair_price, fair_price_view
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from core.answers.fair_price import answer_fair_price
from core.market.named_gpus import named_gpus
from core.resolve.constraints import resolve_constraints


def fair_price(question: Question) -> Answered | None:
    """Hold a price against the market; None: no price of one GPU is stated."""
    query, reference = question.query, question.reference
    stated = query.gpu_prices or query.term_prices or query.seller_prices or ()
    gpus = named_gpus(query, reference)
    limits, count = resolve_constraints(query, reference), query.count or 1
    if query.paid_a_month and query.count:
        hours = limits.billed_hours_per_month
        stated = (("", query.paid_a_month / count / float(hours)),)
    if len(stated) != 1 or len(gpus) != 1:
        return None
    paid = Decimal(str(round(stated[0][1], 4)))
    market = question.market
    machine = next(iter(query.instance or ()), None)
    found = answer_fair_price(gpus[0], count, paid, limits, *market, machine)
    if found is None:
        return None
    return Page(question).drawn(found, fair_price_view, explain_fair_price)
