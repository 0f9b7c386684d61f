"""A word on GPUs that are paid for because they are sold together with others."""

from collections.abc import Iterable, Iterator

from bot.answers.shared.figures import gpu_name, provider_name
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import Way
from core.market.board import billed_gpus


def in_whole_machines(found: Answered, question: Question) -> Answered:
    """Say where more GPUs are billed than were asked for: machines are sold whole."""
    asked = question.query
    if found.figures is None or asked.owned or asked.count_is_most:
        return found
    ways, count = found.figures.ways, asked.count
    larger = tuple(_larger(ways, count, question))
    alone = _exactly(ways, count, question) if larger else []
    return found.noted(*(" ".join((one, *alone)) for one in larger))


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
        if way.gpus == billed_gpus(offer, asked):
            gpu = question.reference.gpus.get(offer.gpu)
            yield say(
                "service.in_machines",
                seller=provider_name(offer.provider, question.reference),
                gpu_count=offer.gpu_count,
                gpu=gpu_name(gpu) if gpu else offer.gpu,
                asked=asked,
                gpus=way.gpus,
            )
