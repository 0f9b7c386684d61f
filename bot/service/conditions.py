"""Where it may run and which papers it takes: who meets that, beside the answer."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from bot.answers.shared.figures import provider_name, sold_gpu
from bot.question.question import Question
from bot.render.field_words import said_of
from bot.render.words import say
from core.answers.answer import Answer
from core.market.board import price_board
from core.market.current import is_plain
from core.market.recommendation import Option
from core.offers import Offer
from core.reference.places import said
from core.resolve.constraints import UNCHECKED, known_papers, resolve_constraints

FEW = 3
"""Sellers of a place that are named; where more are known nobody has to be told."""
FORMS = 3
"""GPUs of a seller whose prices are told."""


def conditions(answer: Answer, question: Question) -> Iterator[str]:
    """Who is known to rent in the place that is asked for, and who names the papers."""
    query = question.query
    asked = {*known_papers(query)} - {"any"}
    if unheard(question):
        papers = said_of(query, "compliance")
        yield say("service.unheard_papers", papers=papers)
    elif asked and answer.ways:
        yield from _certified(answer, question, asked)
    told = query.users_there or "region" in answer.subject
    if query.region and not query.provider and not told:
        yield from _in_place(answer, question)


def unheard(question: Question) -> bool:
    """Whether a certificate is asked for that was looked up at no seller."""
    return not UNCHECKED.isdisjoint(question.query.compliance or ())


def _in_place(answer: Answer, question: Question) -> Iterator[str]:
    """The few sellers with a price there, by the hour."""
    reference = question.reference
    limits = resolve_constraints(question.query, reference)
    anyhow: dict[str, object] = {
        "count": None, "sla": None, "certifications": (), "pricing": ("on_demand",),
        "term_months": None,
    }  # fmt: skip
    board = price_board(
        limits.model_copy(update=anyhow), question.catalog, reference, question.now
    )
    sold: dict[str, list[Offer]] = defaultdict(list)
    for bill in board.bills:
        if is_plain(bill.offer):
            sold[bill.offer.provider].append(bill.offer)
    if not 0 < len(sold) <= FEW:
        return
    sure = {name: one for name, one in sold.items() if not all(o.doubt for o in one)}
    names = [_unsure(name, answer, question) for name in sold if name not in sure]
    each = [_seller(*one, bool(limits.gpus), question) for one in sure.items()]
    each += [say("service.perhaps_there", names=", ".join(names))] if names else []
    place = said(limits.regions)
    told = "; ".join(each)
    yield (
        say("service.one_seller_there", place=place, each=told)
        if len(sold) == 1
        else say("service.few_sellers_there", place=place, each=told)
    )


def _unsure(provider: str, answer: Answer, question: Question) -> str:
    """A seller whose price names no region, with the fleet that it would be."""
    name = provider_name(provider, question.reference)
    options: Sequence[Option] = getattr(answer, "worth_checking", ())
    fleet = next((one for one in options if one.offer.provider == provider), None)
    if fleet is None:
        return name
    gpu = sold_gpu(fleet.offer.gpu, question.reference)
    usd = fleet.usd_per_month
    return say("service.fleet_there", name=name, gpus=fleet.gpus, gpu=gpu, usd=usd)


def _seller(provider: str, offers: list[Offer], named: bool, question: Question) -> str:
    """A seller, with its prices where GPUs are named: else there are too many."""
    reference = question.reference
    name = provider_name(provider, reference)
    if not named:
        return name
    cheapest = sorted(offers, key=lambda offer: offer.usd_per_gpu_hour)
    prices = ", ".join(
        say(
            "service.price_there",
            gpu=sold_gpu(offer.gpu, reference),
            usd=offer.usd_per_gpu_hour,
        )
        for offer in cheapest[:FORMS]
    )
    return say("service.seller_there", name=name, prices=prices)


def _certified(answer: Answer, question: Question, asked: set[str]) -> Iterator[str]:
    """Which of the sellers that are named here say that they have the papers."""
    ways = (answer.ways[0], *(pick.way for pick in answer.picks if pick.way))
    sellers = dict.fromkeys(way.offer.provider for way in ways if way.offer)
    known = [
        seller.name
        for name in sellers
        if (seller := question.reference.provider(name)) is not None
        and asked <= {*seller.certifications}
    ]
    words = said_of(question.query, "compliance")
    if known and words:
        yield say(
            "service.certified_sellers", sellers=" and ".join(known), papers=words
        )
