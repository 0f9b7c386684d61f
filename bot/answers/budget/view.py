"""What a budget serves at most, where the question states no load."""

from datetime import datetime

from bot.answers.capacity.view import targets_words
from bot.answers.fit.view import LOAD_FIELDS
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.budget import BudgetAnswer
from core.answers.capacity import Carried
from core.market.spending import ceiling
from core.money.costs import exact
from core.reference.catalogue import Reference
from core.wording import count, dollars, significant

COLUMNS = (
    "Offer",
    "GPUs",
    "$/month",
    say("budget.in_flight"),
    "Requests/s",
    "Tokens/s",
    "$/1M full",
)


def budget_view(found: BudgetAnswer, page: Page) -> AnswerView:
    """The most people that the budget answers, and what each GPU makes of it."""
    assumed = found.resolved.assumptions
    return page.answer(
        verdict=_verdict(found, page.reference, page.now),
        why=_why(found),
        table=_table(found, page.reference),
        levers=_levers(found),
        chips=chips(one for one in assumed if one.field not in LOAD_FIELDS),
        notes=found.resolved.notes,
        small_print=_small_print(found),
    )


def _verdict(found: BudgetAnswer, reference: Reference, now: datetime) -> str:
    most = ceiling(found.spec.constraints.budget, now)
    limit = (
        most.words if most else say("budget.a_month", usd_per_month=found.usd_per_month)
    )
    best = found.carried[0]
    return say(
        "budget.for_at_serve_about",
        limit=limit,
        gpus=best.gpus,
        gpu_name=gpu_name(best.gpu),
        seller=_seller(best, reference),
        likely=round(best.in_flight.likely),
        low=round(best.in_flight.low),
        high=round(best.in_flight.high),
        name=found.spec.model.name,
        weights=best.weights.upper(),
    )


def _seller(one: Carried, reference: Reference) -> str:
    if one.bill is None:
        return "unpriced"
    offer = one.bill.offer
    name = provider_name(offer.provider, reference)
    words = pricing_words(offer)
    return say(
        "budget.seller", name=name, words=words, usd_per_month=one.bill.usd_per_month
    )


def _why(found: BudgetAnswer) -> str:
    best, spec = found.carried[0], found.spec
    rate = best.requests_per_second
    return say(
        "budget.why",
        found=len(found.carried),
        likely=rate.likely,
        likely_2=round(rate.likely * spec.output_tokens),
        targets_words=targets_words(spec.targets),
    )


def _table(found: BudgetAnswer, reference: Reference) -> Table:
    return Table(
        caption=say("budget.table"),
        columns=COLUMNS,
        rows=tuple(_row(one, found, reference) for one in found.carried),
        winner=0,
    )


def _row(one: Carried, found: BudgetAnswer, reference: Reference) -> tuple[Cell, ...]:
    rate, answer = one.requests_per_second.likely, found.spec.output_tokens
    million, bill = one.usd_per_million(answer, 1), one.bill
    seller = provider_name(bill.offer.provider, reference) if bill else ""
    return (
        Cell(text=f"{seller} {gpu_name(one.gpu)} {one.weights.upper()}".strip()),
        number(one.gpus),
        money(bill.usd_per_month) if bill else Cell(text="unpriced"),
        number(round(one.in_flight.likely)),
        Cell(text=significant(rate), value=rate),
        number(round(rate * answer)),
        money(million) if million is not None else Cell(text="–"),
    )


def _levers(found: BudgetAnswer) -> tuple[Lever, ...]:
    """What answers the most people per dollar, where fewer of them may do."""
    each = [
        (one.bill.usd_per_month / exact(one.in_flight.likely), one)
        for one in found.carried
        if one.bill is not None and one.in_flight.likely > 0
    ]
    if not each:
        return ()
    usd, least = min(each, key=lambda pair: pair[0])
    most, saved = found.carried[0], found.carried[0].bill
    if least is most or least.bill is None or saved is None:
        return ()
    people = count(round(least.in_flight.likely))
    text = say(
        "budget.for_people_at_once",
        gpus=least.gpus,
        gpu_name=gpu_name(least.gpu),
        people=people,
    )
    difference = dollars(least.bill.usd_per_month - saved.usd_per_month)
    note = say("budget.per_person_the_lowest", usd=usd)
    return (Lever(text=text, difference=f"{difference}/month", note=note),)


def _small_print(found: BudgetAnswer) -> tuple[str, ...]:
    offers = [one.bill.offer for one in found.carried[:7] if one.bill is not None]
    prices = (price_sources(offers),) if offers else ()
    return (*prices, f"{found.rate}.") if found.rate else prices


def explain_budget(found: BudgetAnswer, page: Page) -> AnswerView:
    """How many GPUs the budget rents, and what that many carry."""
    steps = [
        say(
            "budget.explain_budget",
            usd_per_month=found.usd_per_month,
            usd_per_gpu_hour=one.bill.offer.usd_per_gpu_hour,
            seller=_seller(one, page.reference),
            gpus=one.gpus,
            gpu_name=gpu_name(one.gpu),
            likely=one.requests_per_second.likely,
        )
        for one in found.carried
        if one.bill is not None
    ]
    fired = ["budget", "latency", *(entry.rule for entry in found.rejections)]
    assumed = found.resolved.assumptions
    return page.explained(steps, assumed, fired)
