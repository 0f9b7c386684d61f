"""Prices that a poll moved from one offer to another, or all by the same factor.

One price at a time each looks as if it could be true: a column one row lower, the
price on demand in the place of the spot price, a whole list in another currency. What
gives it away is where else the same figures stood a poll ago.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from decimal import Decimal

from core.offers import Offer, PricePoint
from core.reference.freshness import is_market
from core.wording import say
from prices.history.ingest import Key, key_of

RECENT = timedelta(days=14)
"""A list that stood longer ago has moved since: an equal figure is chance."""
FEWEST = 5
"""Offers below which a common factor may be chance."""
SAME = Decimal("0.002")
LARGE = Decimal("0.15")
"""From here on no provider moves its whole list at once; lists follow no currency."""

_NAMES = ("provider", "tier", "instance", "region")
_SEAT = (*_NAMES, "gpu", "gpu_count", "pricing", "term_months", "upfront", "includes")
_Figure = tuple[str, Decimal]
Moves = dict[Key, tuple[Offer, PricePoint]]


def recent(open_offers: Mapping[Key, Offer], now: datetime) -> dict[Key, Offer]:
    """Return the offers that were seen lately."""
    return {
        k: each for k, each in open_offers.items() if now - each.observed_at <= RECENT
    }


def passed_on(
    points: Collection[PricePoint], open_offers: Mapping[Key, Offer]
) -> dict[Key, str]:
    """Return the offers that ask what another asked before, which asks it no more.

    Among the terms of one machine one such price is enough, where the other's offer
    moved or is gone. Between machines two lists' prices have to have changed places.
    """
    moves = _moves(points, open_offers)
    named = {key_of(point) for point in points}
    left = {key: offer for key, offer in open_offers.items() if key not in named}
    left |= {key: before for key, (before, _) in moves.items()}
    owners: dict[_Figure, list[Offer]] = defaultdict(list)
    for offer in left.values():
        for figure in figures(offer):
            owners[figure].append(offer)
    takers = {figure for _, now in moves.values() for figure in figures(now)}
    found: dict[Key, str] = {}
    for key, (before, now) in moves.items():
        passed = not takers.isdisjoint(figures(before))
        for other in (each for figure in figures(now) for each in owners[figure]):
            if _is_sibling(other, now) or (passed and _are_lists(other, now)):
                found[key] = say("guard.swapped_price", other=_seat(other))
    return found


def renamed(
    points: Collection[PricePoint], open_offers: Mapping[Key, Offer]
) -> dict[Key, str]:
    """Return new offers that are old ones but for one name, at the same price.

    Feeds do correct the names of GPUs, regions and machines; a machine whose name or
    region is lost may be anything.
    """
    fresh = {key: p for p in points if (key := key_of(p)) not in open_offers}
    if not fresh:
        return {}
    named = {key_of(point): point.raw_total for point in points}
    twins = {
        (name, _but(offer, name)): offer
        for key, offer in open_offers.items()
        if named.get(key) != offer.raw_total
        for name in _NAMES
    }
    found: dict[Key, str] = {}
    for key, point in fresh.items():
        for name in _NAMES:
            twin = twins.get((name, _but(point, name)))
            if twin is not None and _is_another(name, point):
                found[key] = say("guard.renamed", name=getattr(twin, name))
    return found


def by_one_factor(
    points: Collection[PricePoint], open_offers: Mapping[Key, Offer]
) -> dict[Key, str]:
    """Return the offers of providers whose every price moved as far as the others."""
    groups: dict[str, Moves] = defaultdict(dict)
    for key, move in _moves(points, open_offers).items():
        groups[move[1].provider][key] = move
    known = [point for point in points if key_of(point) in open_offers]
    found: dict[Key, str] = {}
    for provider, moves in groups.items():
        ratios = [now.raw_total / before.raw_total for before, now in moves.values()]
        all_of_it = len(moves) == sum(point.provider == provider for point in known)
        kinds = {before.raw_total for before, _ in moves.values()}
        if not all_of_it or len(kinds) < FEWEST or abs(ratios[0] - 1) < LARGE:
            continue
        if max(ratios) / min(ratios) - 1 <= SAME:
            said = say("guard.all_moved", count=len(moves), change=ratios[0] - 1)
            found |= dict.fromkeys(moves, said)
    return found


def _but(point: PricePoint, name: str) -> tuple[object, ...]:
    """Return all that tells an offer and its price apart, but one name."""
    seat = tuple(getattr(point, each) for each in _SEAT if each != name)
    return (*seat, point.raw_total, point.currency)


def _is_another(name: str, point: PricePoint) -> bool:
    """Whether an offer that differs in this name is not the one that stood."""
    return name in ("provider", "tier") or not getattr(point, name)


def figures(point: PricePoint) -> set[_Figure]:
    """Return what a list may print of a price: for the machine, for one GPU."""
    totals = {point.raw_total, point.raw_total / point.gpu_count}
    return {(point.provider, total) for total in totals}


def _moves(points: Collection[PricePoint], open_offers: Mapping[Key, Offer]) -> Moves:
    pairs = ((key_of(point), point) for point in points)
    return {
        key: (before, point)
        for key, point in pairs
        if (before := open_offers.get(key)) and before.raw_total != point.raw_total
    }


def _is_sibling(one: PricePoint, other: PricePoint) -> bool:
    """Whether two offers are terms of one machine."""
    return _machine(one) == _machine(other) and key_of(one) != key_of(other)


def _are_lists(one: PricePoint, other: PricePoint) -> bool:
    return key_of(one) != key_of(other) and not (is_market(one) or is_market(other))


def _machine(point: PricePoint) -> tuple[object, ...]:
    count = point.gpu_count
    return point.provider, point.gpu, count, point.instance, point.region


def _seat(offer: PricePoint) -> str:
    name = offer.instance or f"{offer.gpu} ×{offer.gpu_count}"
    parts = (name, offer.region, offer.pricing.replace("_", "-"), offer.tier)
    return " ".join(filter(None, parts))
