"""What is asked beside the answer: little or much traffic, a seller against others."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.answers.shared.figures import provider_name, way_words
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import Way

LITTLE, MUCH = 0.2, 3
"""Times the usual traffic between which it lies where nobody knows it."""


def from_low_to_high(found: Answered, question: Question) -> Answered:
    """Lead with what little and much traffic cost, where a range is asked for."""
    query, answer = question.query, found.figures
    if not query.asks_range or answer is None or not answer.ways:
        return found
    if answer.workload is None:
        return found.without("asks_range")
    usual = {one.field: one.value for one in answer.assumed}
    name = next((one for one in GUESSED if one in usual), None)
    if name is None or answer.status != "ok":
        return found  # the load is known: the fleet has a range of its own
    load = float(usual[name].split()[0].replace(",", ""))
    few, many = load * LITTLE, load * MUCH
    ways = [_best(question, asks_range=None, **{name: rate}) for rate in (few, many)]
    told = [_told(way, question) for way in (*ways, answer.ways[0]) if way]
    if len(told) < 3:
        return found.without("asks_range")
    (way, low, _), (way_2, high, per), (way_3, usd, _) = told
    traffic = (
        say("service.range_at_once", low=few, high=many)
        if name == "concurrency"
        else say("service.users_range", low=few, high=many)
    )
    verdict = say(
        "service.low_to_high",
        low=low, high=high, per=per, load=traffic, usual=load, usd=usd,
        way=way, way_2=way_2, way_3=way_3,
    )  # fmt: skip
    return found.redrawn(verdict=verdict)


GUESSED = ("requests_per_user_per_day", "concurrency")
"""What the traffic rests on where nobody states it."""


def with_sellers_beside(found: Answered, question: Question) -> Answered:
    """Say what the sellers ask that are to be held against all the others."""
    query, answer = question.query, found.figures
    if not query.sellers_beside or answer is None:
        return found
    if not answer.ways or "provider" not in answer.applies:
        return found.without("sellers_beside")
    return _first(found, tuple(_beside(found, question)))


def with_cheaper_elsewhere(found: Answered, question: Question) -> Answered:
    """Say what the best of all others costs, where a seller is only preferred."""
    query, answer = question.query, found.figures
    if not query.provider_preferred or answer is None:
        return found
    if not (answer.ways and query.provider and "provider" in answer.applies):
        return found.without("provider_preferred")
    found = replace(found, applied=found.applied | {"provider_preferred"})
    best = _best(question, provider=None, provider_preferred=None)
    here, usd = answer.ways[0].money.headline[0], best and best.money.headline[0]
    if best is None or not (here and usd) or usd >= here:
        return _first(found, (say("service.none_is_cheaper"),))
    way, usd, per = _told(best, question)
    less = float(1 - usd / here)
    note = say("service.cheaper_elsewhere", way=way, usd=usd, per=per, less=less)
    return _first(found, (note,))


def _beside(found: Answered, question: Question) -> Iterator[str]:
    leads = found.figures.ways[0].offer if found.figures else None
    for seller in question.query.sellers_beside or ():
        name = provider_name(seller, question.reference)
        if leads is not None and leads.provider == seller:
            yield say("service.named_seller_leads", seller=name)
            continue
        best = _best(question, provider=(seller,), sellers_beside=None)
        if best is None:
            yield say("service.named_seller_has_none", seller=name)
        else:
            way, usd, per = _told(best, question)
            yield say("service.named_seller", way=way, usd=usd, per=per)


def _best(question: Question, **changes: Any) -> Way | None:
    """What leads where the question is changed; None: nothing does."""
    query = question.query.model_copy(update=changes)
    answer = decide(replace(question, query=query)).figures
    if answer is None or answer.status not in ("ok", "over_budget", "too_close"):
        return None
    best = answer.ways[0] if answer.ways else None
    picked = (one.way for one in answer.picks if best and one.way)
    # a pick is told for the time that it is rented
    return next(
        (way for way in picked if way and best and way.offer == best.offer), best
    )


def _told(way: Way, question: Question) -> tuple[str, Decimal, str]:
    usd, per = way.money.headline
    return way_words(way, question.reference), usd or Decimal(0), per


def _first(found: Answered, notes: tuple[str, ...]) -> Answered:
    return found.redrawn(notes=(*notes, *found.view.notes))
