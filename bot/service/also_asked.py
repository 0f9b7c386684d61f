"""What is asked beside the answer: little or much traffic, a seller against others."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.answers.shared.figures import provider_name, sold_gpu, way_words
from bot.question.asks import asks
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import Way
from core.market.board import PriceBoard, price_board
from core.market.current import is_plain
from core.offers import Offer
from core.reference.places import said
from core.resolve.constraints import resolve_constraints

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


MUCH_LESS = 0.25
"""Of a price: so much less elsewhere stands in the first line."""


def with_cheaper_elsewhere(found: Answered, question: Question) -> Answered:
    """Say what the best of all others costs, where a seller or a place is a wish."""
    query, answer = question.query, found.figures
    wishes = [
        one for one in ("provider", "region") if getattr(query, f"{one}_preferred")
    ]
    for one in wishes if answer is not None else ():
        if not (
            answer and answer.ways and getattr(query, one) and one in answer.applies
        ):
            found = found.without(f"{one}_preferred")
            continue
        found = replace(found, applied=found.applied | {f"{one}_preferred"})
        best = _best(question, **{one: None, f"{one}_preferred": None})
        here, usd = answer.ways[0].money.headline[0], best and best.money.headline[0]
        if best is None or not (here and usd) or usd >= here:
            found = _first(found, (say("service.none_is_cheaper"),))
            continue
        way, usd, per = _told(best, question)
        less = float(1 - usd / here)
        told = say("service.cheaper_elsewhere", way=way, usd=usd, per=per, less=less)
        if less < MUCH_LESS:
            found = _first(found, (told,))
        else:
            found = found.redrawn(verdict=f"{found.view.verdict.rstrip('.')}. {told}")
    return found


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


def with_places_compared(found: Answered, question: Question) -> Answered:
    """Lead with what the same costs in each of the places that are compared.

    A seller with a price in several of them stands below: there all else is equal.
    """
    places, answer = question.query.places_compared, found.figures
    if not places or answer is None:
        return found
    gpu = _form(answer, question) if isinstance(answer, PriceBoard) else ""
    costs = {one: _cost_in(one, gpu, question) for one in places}
    sums = [cost.usd for cost in costs.values() if cost is not None]
    if "region" not in answer.applies or not sums:
        return found.without("places_compared")
    told = [_at_place(one, costs[one], min(sums)) for one in costs]
    first = costs[places[0]]
    if first and asks(question.query, "gain"):
        dear = first.usd > min(sums) * Decimal(1 + ALIKE)
        yes = dear == asks(question.query, "bad")
        told[0] = (say("service.yes") if yes else say("service.no")) + told[0]
    found = replace(found, applied=found.applied | {"places_compared"})
    found = found.redrawn(verdict=" · ".join(told))
    return _first(found, tuple(_of_sellers(gpu, question)))


class _Cost(Struct, frozen=True):
    usd: Decimal
    per: str
    way: str


def _cost_in(
    place: str, gpu: str, question: Question, seller: str = ""
) -> _Cost | None:
    """What leads in one place, of one seller if it is named; None: nothing is known.

    `gpu`: the form whose hour is compared; empty: a load is, whatever serves it.
    """
    changes = _only_in(place) | ({"provider": (seller,)} if seller else {})
    if not gpu:
        best = _best(question, **changes)
        usd, per = best.money.headline if best else (None, "")
        way = way_words(best, question.reference) if best else ""
        return None if usd is None else _Cost(usd, per, way)
    hourly = _hourly(question, changes)
    offer = next((one for one in hourly if one.gpu == gpu), None)
    if offer is None:
        return None
    name = provider_name(offer.provider, question.reference)
    way = say("service.gpu_at", gpu=sold_gpu(gpu, question.reference), seller=name)
    return _Cost(offer.usd_per_gpu_hour, say("service.a_gpu_hour"), way)


def _form(answer: PriceBoard, question: Question) -> str:
    """The form of the GPU to compare: the one meant, else one that each place has."""
    own, places = answer.marked.offer.gpu, question.query.places_compared or ()
    each = [[one.gpu for one in _hourly(question, _only_in(p))] for p in places]
    shared = set(each[0]).intersection(*each) & question.reference.gpus.keys()
    everywhere = (gpu for gpu in each[0] if gpu in shared)
    return own if own in shared else next(everywhere, own)


def _hourly(question: Question, changes: dict[str, Any]) -> list[Offer]:
    """What regular sellers ask for an hour of the GPU, the cheapest first."""
    asked = question.query.model_copy(update=changes)
    limits = resolve_constraints(asked, question.reference)
    ways = limits.pricing or ("on_demand",)
    board = price_board(limits.model_copy(update={"pricing": ways}), *question.market)
    plain = [b.offer for b in board.bills if is_plain(b.offer) or limits.pricing]
    return sorted(plain, key=lambda one: (bool(one.doubt), one.usd_per_gpu_hour))


def _at_place(place: str, cost: _Cost | None, least: Decimal) -> str:
    if cost is None:
        return say("service.no_price_at_place", place=said((place,)))
    more = float(cost.usd / least - 1) if least else 0.0
    return say(
        "service.price_at_place",
        place=said((place,)),
        usd=cost.usd,
        per=cost.per,
        more=say("service.more_at_place", more=more) if more >= ALIKE else "",
        way=cost.way,
    )


ALIKE = 0.005
"""Of a price: a smaller difference between two places is none."""
FEW_SELLERS = 3


def _of_sellers(gpu: str, question: Question) -> Iterator[str]:
    """What each seller with a price in several of the places asks in each."""
    query, told = question.query, 0
    places = query.places_compared or ()
    for seller in query.provider or _sellers_of(question):
        if told == FEW_SELLERS:
            return
        each = {one: _cost_in(one, gpu, question, seller) for one in places}
        known = {one: cost for one, cost in each.items() if cost is not None}
        if len(known) < 2 and not query.provider:
            continue
        asks = [
            say("service.asks_at_place", place=said((one,)), usd=cost.usd, per=cost.per)
            for one, cost in known.items()
        ]
        none = said(tuple(one for one in places if one not in known))
        asks += [say("service.asks_no_price", places=none)] if none else []
        name = provider_name(seller, question.reference)
        yield say("service.seller_asks", seller=name, each=", ".join(asks))
        told += 1


def _only_in(place: str) -> dict[str, Any]:
    return {"region": place, "region_also": None, "places_compared": None}


def _sellers_of(question: Question) -> list[str]:
    """Regular sellers with a price of a named place, the cheapest first."""
    regional = (one for one in _hourly(question, {}) if one.region)
    return list(dict.fromkeys(one.provider for one in regional))


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
