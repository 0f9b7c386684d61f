"""Whether a price that is paid is a good one: theirs, and what others ask."""

from decimal import Decimal

from bot.answers.shared.figures import (
    gpu_name,
    money,
    price_sources,
    pricing_words,
    provider_name,
    sla_words,
)
from bot.answers.shared.page import Page
from bot.answers.shared.workload import asks_openly
from bot.question.asks import asks
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.fair_price import FAIR, FairPrice, Rival
from core.reference.catalogue import Reference
from core.wording import unit_price

KINDS = {
    "hour": say("fair_price.by_the_hour"),
    "term": say("fair_price.by_the_term"),
    "seller": say("fair_price.same_seller"),
    "with_sla": say("service.with_an_sla"),
}


def fair_price_view(found: FairPrice, page: Page) -> AnswerView:
    """A verdict, then their price beside the cheapest of each kind."""
    offers = [rival.offer for rival in found.rivals]
    managed = asks(page.question.query, "managed")
    return page.answer(
        verdict=_verdict(found, page),
        why=_why(found, page.reference),
        table=_table(found, page.reference),
        notes=(
            *((say("fair_price.managed"),) if managed else ()),
            *_bound(page),
        ),
        small_print=(price_sources(offers),),
    )


def _bound(page: Page) -> tuple[str, ...]:
    """That a contract binds to its end, whatever others ask."""
    return (say("fair_price.bound"),) if page.question.query.bound else ()


def _judged(found: FairPrice, page: Page) -> str:
    """Whether what is paid is right, as it is asked: "too much?" hears yes of a no."""
    query, home, told = page.question.query, found.home, say("fair_price.you_pay")
    if asks_openly(query):
        return told
    no = say("fair_price.no_you_pay")
    high = say("fair_price.yes_you_pay") if asks(query, "bad") else no
    if found.gpus == 1 or home is None:
        return high
    if found.usd_per_month > found.month_at(home) * (1 + FAIR):
        return high
    if found.above <= FAIR:
        return say("fair_price.good_bill", told=told)
    seller = provider_name(home.offer.provider, page.reference)
    return say("fair_price.fair_there", seller=seller, told=told)


def _verdict(found: FairPrice, page: Page) -> str:
    name, reference = gpu_name(found.gpu), page.reference
    you_pay = _judged(found, page)
    if found.gpus > 1 and (home := found.home) is not None:
        return _beside_the_list(found, home, reference, you_pay)
    named = f"{found.gpus} × {name}" if found.gpus > 1 else name
    best = found.best.offer
    seller, pricing = provider_name(best.provider, reference), pricing_words(best)
    if found.above > FAIR:
        return say(
            "fair_price.too_much",
            you_pay=you_pay,
            above=found.above,
            paid=found.paid,
            named=named,
            seller=seller,
            usd=best.usd_per_gpu_hour,
            pricing=pricing,
            saving=found.saving,
        )
    if found.above < -FAIR:
        return say(
            "fair_price.good",
            below=-found.above,
            paid=found.paid,
            named=named,
            seller=seller,
            usd=best.usd_per_gpu_hour,
            pricing=pricing,
        )
    return say(
        "fair_price.usual",
        paid=found.paid,
        named=named,
        seller=seller,
        usd=best.usd_per_gpu_hour,
        pricing=pricing,
    )


def _beside_the_list(
    found: FairPrice, home: Rival, reference: Reference, you_pay: str
) -> str:
    """A bill, and what the same GPUs cost there by the price list, and elsewhere."""
    month, more = found.month_at(home), found.usd_per_month - found.month_at(home)
    told = say(
        "fair_price.beside_the_list",
        you_pay=you_pay,
        paid=found.usd_per_month,
        named=f"{found.gpus} × {gpu_name(found.gpu)}",
        seller=provider_name(home.offer.provider, reference),
        pricing=pricing_words(home.offer),
        usd=month,
        apart=say("fair_price.more", usd=more, share=more / month)
        if more >= 0
        else say("fair_price.less", usd=-more, share=-more / month),
    )
    best = found.best
    if best is home or found.month_at(best) >= month:
        return told
    return told + say(
        "fair_price.elsewhere",
        seller=provider_name(best.offer.provider, reference),
        usd=found.month_at(best),
    )


def _why(found: FairPrice, reference: Reference) -> str:
    return say(
        "fair_price.monthly_sum",
        gpus=found.gpus,
        paid=unit_price(found.paid, Decimal(found.gpus)),
        hours=found.constraints.billed_hours_per_month,
        usd_per_month=found.usd_per_month,
    )


def _table(found: FairPrice, reference: Reference) -> Table:
    own = (
        Cell(text=say("fair_price.yours")),
        money(found.paid),
        money(found.usd_per_month),
        Cell(text=""),
    )
    return Table(
        caption=say("fair_price.caption"),
        columns=("Price", "$/GPU-h", "$/month", "SLA"),
        rows=(own, *(_row(rival, found, reference) for rival in found.rivals)),
    )


def _row(rival: Rival, found: FairPrice, reference: Reference) -> tuple[Cell, ...]:
    offer = rival.offer
    name = say(
        "fair_price.kind_and_seller",
        kind=KINDS[rival.kind],
        seller=provider_name(offer.provider, reference),
        pricing=pricing_words(offer),
    )
    return (
        Cell(text=name),
        money(offer.usd_per_gpu_hour),
        money(found.month_at(rival)),
        Cell(text=sla_words(offer, reference)),
    )


def explain_fair_price(found: FairPrice, page: Page) -> AnswerView:
    """Both prices a month, and the difference."""
    best = found.best.offer
    steps = [
        _why(found, page.reference),
        say(
            "fair_price.difference",
            seller=provider_name(best.provider, page.reference),
            usd=best.usd_per_gpu_hour,
            above=found.above,
            saving=found.saving,
        ),
    ]
    return page.explained(steps)
