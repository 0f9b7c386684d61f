"""A word on GPUs that are paid for because they are sold together with others."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import islice

from bot.answers.shared.figures import gpu_name, provider_name
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import Way
from core.market.board import billed_gpus
from core.offers import Offer


def in_whole_machines(found: Answered, question: Question) -> Answered:
    """Say where more GPUs are billed than were asked for: machines are sold whole."""
    asked = question.query
    if found.figures is None or asked.owned or asked.count_is_most:
        return found
    ways, count = found.figures.ways, asked.count
    larger = tuple(_larger(ways, count, question))
    alone = _exactly(ways, count, question) if larger else []
    return found.noted(
        *(" ".join((one, *alone)) for one in larger), *_dearer_than_one(ways, question)
    )


def _exactly(ways: Iterable[Way], asked: int | None, question: Question) -> list[str]:
    """Who rents no more than was asked for, for less, and why nobody leads with it."""
    fewer = [
        (way.money.month, way.offer)
        for way in ways
        if way.offer and way.gpus == asked and way.offer.pricing == "on_demand"
        if way.money.month is not None
    ]
    if not fewer:
        return []
    usd, offer = min(fewer, key=lambda one: one[0])
    why = offer.doubt or say("service.third_party_host")
    seller = provider_name(offer.provider, question.reference)
    return [say("service.exactly", count=asked, seller=seller, usd=usd, why=why)]


def _dearer_than_one(ways: Iterable[Way], question: Question) -> Iterator[str]:
    """Whose GPU costs more in the machine that is taken than in a smaller one.

    The same GPU has two prices then: the reader may have seen the other.
    """
    named = len(question.query.gpu or ()) or 1
    for way in islice((way for way in ways if way.offer is not None), named):
        taken, plan = way.offer, getattr(way.of, "plan", None)
        each = getattr(plan, "replica_gpus", 1)
        if taken is None or each < 2 or taken.gpu_count < 2:
            continue
        smaller = _asked_below(taken, min(each, taken.gpu_count), question)
        if smaller and min(smaller) < taken.usd_per_gpu_hour * PLAINLY:
            gpu = question.reference.gpus.get(taken.gpu)
            yield say(
                "service.dearer_than_one",
                seller=provider_name(taken.provider, question.reference),
                gpu=gpu_name(gpu) if gpu else taken.gpu,
                each=each,
                size=taken.gpu_count,
                rate=taken.usd_per_gpu_hour,
                single=min(smaller),
            )


def _asked_below(taken: Offer, size: int, question: Question) -> list[Decimal]:
    """What the same seller asks for the same GPU in machines of fewer, the same way."""
    same = taken.provider, taken.gpu, taken.pricing, taken.tier
    return [
        one.usd_per_gpu_hour
        for one in question.catalog.offers
        if (one.provider, one.gpu, one.pricing, one.tier) == same
        and one.gpu_count < size
    ]


PLAINLY = Decimal("0.95")
"""Prices that differ by less are told as one."""


def _larger(
    ways: Iterable[Way], asked: int | None, question: Question
) -> Iterator[str]:
    """One note for the first way of each GPU that is named, where it is billed for."""
    named = len(question.query.gpu or ()) or 1
    first: dict[str, Way] = {}
    for way in ways:
        if way.offer is not None:
            first.setdefault(way.offer.gpu, way)
    for way in list(first.values())[:named]:
        offer = way.offer
        if asked is None or offer is None or way.gpus <= asked:
            continue
        below = _asked_below(offer, offer.gpu_count, question)
        if way.gpus == billed_gpus(offer, asked) and not below:
            gpu = question.reference.gpus.get(offer.gpu)
            yield say(
                "service.in_machines",
                seller=provider_name(offer.provider, question.reference),
                gpu_count=offer.gpu_count,
                gpu=gpu_name(gpu) if gpu else offer.gpu,
                asked=asked,
                gpus=way.gpus,
            )
