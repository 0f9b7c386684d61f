"""Whether a price that is paid is a good one: theirs, and what others ask."""

from bot.answers.shared.figures import (
    gpu_name,
    money,
    price_sources,
    pricing_words,
    provider_name,
    sla_words,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.fair_price import FAIR, FairPrice, Rival
from core.reference.catalogue import Reference

KINDS = {
    "hour": say("fair_price.by_the_hour"),
    "term": say("fair_price.by_the_term"),
    "seller": say("fair_price.same_seller"),
    "with_sla": say("service.with_an_sla"),
}


def fair_price_view(found: FairPrice, page: Page) -> AnswerView:
    """A verdict, then their price beside the cheapest of each kind."""
    offers = [rival.offer for rival in found.rivals]
    return page.answer(
        verdict=_verdict(found, page.reference),
        why=_why(found, page.reference),
        table=_table(found, page.reference),
        small_print=(price_sources(offers),),
    )


def _verdict(found: FairPrice, reference: Reference) -> str:
    name = gpu_name(found.gpu)
    named = f"{found.gpus} × {name}" if found.gpus > 1 else name
    best = found.best.offer
    seller, pricing = provider_name(best.provider, reference), pricing_words(best)
    if found.above > FAIR:
        return say(
            "fair_price.too_much",
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


def _why(found: FairPrice, reference: Reference) -> str:
    return say(
        "fair_price.monthly_sum",
        gpus=found.gpus,
        paid=found.paid,
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
    month = (
        offer.usd_per_gpu_hour * found.gpus * found.constraints.billed_hours_per_month
    )
    name = say(
        "fair_price.kind_and_seller",
        kind=KINDS[rival.kind],
        seller=provider_name(offer.provider, reference),
        pricing=pricing_words(offer),
    )
    return (
        Cell(text=name),
        money(offer.usd_per_gpu_hour),
        money(month),
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
