"""Prices of a GPU-hour that a question states: they stand in for those on offer."""

from dataclasses import replace
from decimal import Decimal

from bot.question.question import Question
from core.money.pricebook import NegotiatedPrice
from core.offers import Catalog, Offer

YOURS = "stated"
SOURCE = "the question"


def at_stated_prices(question: Question) -> Question:
    """The same question where each GPU with a stated price is sold at that alone."""
    stated = question.query.gpu_prices
    if not stated:
        return question
    reference = question.reference
    named = {slug: reference.gpus_named(slug) for slug, _ in stated}
    covered = {gpu.id for gpus in named.values() for gpu in gpus}
    covered |= set(named)
    own = [
        _offer(question, named[slug][0].id, usd) for slug, usd in stated if named[slug]
    ]
    kept = [one for one in question.catalog.offers if _stays(one, covered)]
    catalog = Catalog([*own, *kept], question.catalog.as_of, question.catalog.version)
    return replace(question, catalog=catalog)


def _stays(offer: Offer, covered: set[str]) -> bool:
    """Whether an offer is of another GPU, or of a term of the same."""
    return offer.gpu not in covered or offer.pricing != "on_demand"


def _offer(question: Question, gpu: str, usd: float) -> Offer:
    sellers = question.query.provider or ()
    seller = question.reference.provider(sellers[0]) if len(sellers) == 1 else None
    stated = NegotiatedPrice(
        provider=seller.id if seller else YOURS,
        gpu=gpu,
        usd_per_gpu_hour=Decimal(str(round(usd, 6))),
        set_by=SOURCE,
        set_at=question.now,
    )
    return stated.offer().model_copy(update={"source": SOURCE})
