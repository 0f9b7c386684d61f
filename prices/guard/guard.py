"""Which prices of a poll are believed, and why the others are not.

Rules look at one price at a time: bounds by GPU, spot against on-demand, totals taken
for prices per GPU, steps from the last price of the same source. Of several prices of
one offer the lowest that is within bounds counts. A provider of which half is missing
keeps the rest unconfirmed. What is kept back holds the place of its offer in the
catalogue, with the price that stood; only another publication or a person lets it go.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import timedelta
from decimal import Decimal

from core.offers import Offer, PricePoint
from core.reference.freshness import is_market
from core.wording import say
from prices.guard.market import Market, dollars_of
from prices.guard.missing import keep_missing_halves, moved, overlooked, places
from prices.guard.price_swaps import by_one_factor, passed_on, recent, renamed
from prices.guard.quarantine import Kind, Suspect
from prices.guard.verdict import Permits, Verdict
from prices.history.ingest import Key, key_of
from prices.naming.bounds import bound_of, bounds
from prices.sources.rows import is_price, subject_of
from prices.sources.source import Reading, Refused

EXACT_MICRO = 60
"""A price that its source rounds to four digits is this near to a share of another."""
WRONG = 4
"""Rows below which some that are wrong say nothing of the others."""
NEARLY = 0.999
"""A spot price so near to the on-demand price is that price, rounded or shaved."""
NOT_VOUCHED = frozenset({"spot", "reserved"})
"""A placeholder repeated elsewhere is still a placeholder."""

TERMS = (1, 3, 6, 12, 24)
NO_LESS = 1.001
"""A whole term rounded to the hour and back."""

Rule = Callable[[PricePoint, Market], str]


def judge(reading: Reading, source: str, market: Market, permits: Permits) -> Verdict:
    """Judge what a poll of one source says."""
    verdict = Verdict(suspects=[_refused(row) for row in reading.refused])
    within = list(_passing(reading.points, _BOUNDS, market, permits, verdict))
    best = _cheapest_of_each(within)
    verdict.duplicates = len(within) - len(best)
    market.take(best)
    open_offers = market.open_offers(source)
    said = {key_of(point): point for point in (*reading.points, *best)}
    rules = _rules(said.values(), open_offers, recent(open_offers, market.now))
    # Others are held against on-demand prices that passed.
    for is_on_demand in (True, False):
        some = [each for each in best if (each.pricing == "on_demand") == is_on_demand]
        verdict.points += _passing(some, rules, market, permits, verdict)
        market.doubt(suspect.point for suspect in verdict.suspects if suspect.point)
    verdict.suspects += overlooked(reading, verdict, open_offers)
    doubted = _is_doubtful(verdict, open_offers)
    if doubted:
        rules = {"swapped": _moved_among_wrong(open_offers)}
        points, verdict.points = verdict.points, []
        verdict.points += _passing(points, rules, market, permits, verdict)
    verdict.held = places(verdict, open_offers)
    # A row that cannot be read may be any of the offers that its provider misses.
    unreadable = [row for row in reading.refused if not row.key]
    verdict.incomplete = frozenset(row.provider for row in unreadable if row.provider)
    readable = all(row.provider for row in unreadable)
    verdict.complete = reading.complete and readable and not doubted
    if verdict.complete:
        keep_missing_halves(reading, open_offers, permits, verdict)
    return verdict


def _rules(
    points: Collection[PricePoint],
    open_offers: Mapping[Key, Offer],
    lately: Mapping[Key, Offer],
) -> dict[Kind, Rule]:
    """Return the rules, with what only the whole of a poll gives away."""
    together: dict[Kind, dict[Key, str]] = {
        "swapped": passed_on(points, lately),
        "jump": by_one_factor(points, lately),
        "machine": renamed(points, open_offers),
    }

    def with_all(kind: Kind, rule: Rule) -> Rule:
        found = together.get(kind, {})
        if not found:
            return rule
        return lambda point, market: rule(point, market) or found.get(key_of(point), "")

    return {kind: with_all(kind, rule) for kind, rule in _RULES.items()}


def _passing(
    points: Iterable[PricePoint],
    rules: dict[Kind, Rule],
    market: Market,
    permits: Permits,
    verdict: Verdict,
) -> Iterable[PricePoint]:
    """Yield what no rule is against, or what is let pass all the same."""
    for point in points:
        for suspect in _suspicions(point, rules, market):
            if permits.allows(suspect):
                continue
            voucher = None if suspect.kind in NOT_VOUCHED else market.voucher(point)
            if voucher is None:
                verdict.suspects.append(suspect)
                break
            verdict.vouched.append((suspect, voucher))
        else:
            yield point


def _suspicions(
    point: PricePoint, rules: dict[Kind, Rule], market: Market
) -> Iterator[Suspect]:
    for kind, rule in rules.items():
        if reason := rule(point, market):
            raw = f"{point.raw_total:f} {point.currency}"
            yield Suspect(kind, subject_of(point), reason, raw, key_of(point), point)


def _refused(row: Refused) -> Suspect:
    kind: Kind = "not a price" if row.key else "shape"
    return Suspect(kind, row.subject, row.reason, row.raw, row.key)


def _cheapest_of_each(points: list[PricePoint]) -> list[PricePoint]:
    best: dict[Key, PricePoint] = {}
    for point in points:
        key = key_of(point)
        known = best.get(key)
        if known is None or (
            point.micro_usd_per_gpu_hour < known.micro_usd_per_gpu_hour
        ):
            best[key] = point
    return list(best.values())


def _out_of_bounds(point: PricePoint, _market: Market) -> str:
    return bound_of(point.gpu).breach(point.micro_usd_per_gpu_hour)


def _spot_is_none(point: PricePoint, market: Market) -> str:
    """Find a spot price that says nothing of a spot market."""
    on_demand = market.on_demand(point) if point.pricing == "spot" else None
    if on_demand is None:
        return ""
    micro = point.micro_usd_per_gpu_hour
    if micro >= on_demand * NEARLY:
        return say("guard.spot_not_lower", on_demand=dollars_of(on_demand))
    for sentinel in bounds().sentinel:
        if abs(micro - on_demand * sentinel.fraction) <= EXACT_MICRO:
            return sentinel.why
    return ""


def _perhaps_swapped(point: PricePoint, market: Market) -> str:
    """Find an on-demand price that moved below the spot price beside it.

    Which of the two is wrong nobody knows; one that stood where it was is right.
    """
    if point.pricing != "on_demand":
        return ""
    spot = market.beside(point, pricing="spot")
    before = market.open_offers(point.source).get(key_of(point))
    if spot is None or before is None or moved(before, point) == 1:
        return ""
    if spot.micro_usd_per_gpu_hour <= point.micro_usd_per_gpu_hour:
        return ""
    said = dollars_of(spot.micro_usd_per_gpu_hour)
    return say("guard.below_spot", spot=said)


def _costlier_than_on_demand(point: PricePoint, market: Market) -> str:
    """Find a commitment that costs more than none."""
    if point.pricing != "reserved":
        return ""
    free = market.beside(point, pricing="on_demand", term_months=0, upfront=False)
    if free and point.micro_usd_per_gpu_hour > free.micro_usd_per_gpu_hour:
        said = dollars_of(free.micro_usd_per_gpu_hour)
        return say("guard.term_above_on_demand", on_demand=said)
    whole = point.micro_usd_per_gpu_hour * point.term_months
    for months in (term for term in TERMS if term < point.term_months):
        shorter = market.beside(point, term_months=months)
        if shorter and whole <= shorter.micro_usd_per_gpu_hour * months * NO_LESS:
            return say(
                "guard.longer_for_the_same", months=point.term_months, shorter=months
            )
    return ""


def _another_machine(point: PricePoint, market: Market) -> str:
    """Find a machine that held other GPUs until now, or has lost its name."""
    held = market.held_until_now(point)
    if held is None:
        return market.misplaced(point)
    return say(
        "guard.machine_changed", instance=point.instance, gpus=held[1], gpu=held[0]
    )


def _total_for_one(point: PricePoint, market: Market) -> str:
    """Find a total where a price per GPU belongs, or the other way round."""
    count, usual = point.gpu_count, market.usual(point)
    if count < 2 or usual is None:
        return ""
    # Sizes of two or three GPUs differ by such factors in earnest.
    slack = 0.005 if count < 4 else 0.03
    ratio = point.micro_usd_per_gpu_hour / usual
    if abs(ratio / count - 1) <= slack:
        return say("guard.total_multiplied", count=count, usual=dollars_of(usual))
    if abs(ratio * count - 1) <= slack:
        return say("guard.one_for_all", count=count, usual=dollars_of(usual))
    return ""


def _too_far_at_once(point: PricePoint, market: Market) -> str:
    """Find a price that moved further in one poll than prices do."""
    before = market.open_offers(point.source).get(key_of(point))
    if before is None:
        return _unlike_elsewhere(point, market)
    if before.currency != point.currency and before.raw_total == point.raw_total:
        return say(
            "guard.other_currency", amount=point.raw_total, currency=before.currency
        )
    ratio = moved(before, point)
    if _is_believable(ratio, point, market.now - before.observed_at):
        return ""
    said = f"{dollars_of(before.micro_usd_per_gpu_hour)} before"
    if point.gpu_count > 1 and round(max(ratio, 1 / ratio)) == point.gpu_count:
        return say("guard.sudden_by_gpus", change=ratio - 1, before=said)
    return say("guard.sudden", change=ratio - 1, before=said)


def _unlike_elsewhere(point: PricePoint, market: Market) -> str:
    """Find a price never seen that is further from what others say than prices move.

    A cloud asks more for the GPU of a larger host: only its own machine is compared.
    """
    if not (found := market.elsewhere(point)):
        return ""
    low, high = found
    micro = Decimal(point.micro_usd_per_gpu_hour)

    def is_far(claim: PricePoint, ratio: Decimal) -> bool:
        return ratio > 1 / _falls_to(point, market.now - claim.observed_at)

    if is_far(low, low.micro_usd_per_gpu_hour / micro):
        return _far(low)
    larger = point.seller_kind == "hyperscaler" and point.instance not in (
        "", high.instance,
    )  # fmt: skip
    costlier = is_far(high, micro / high.micro_usd_per_gpu_hour)
    return _far(high) if costlier and not larger else ""


def _is_believable(ratio: Decimal, point: PricePoint, since: timedelta) -> bool:
    """Whether a price can have gone so far since it was last seen."""
    rises_to = Decimal(str(1 + bounds().limits.step)) * _room(point, since)
    return _falls_to(point, since) <= ratio <= rises_to


def _falls_to(point: PricePoint, since: timedelta) -> Decimal:
    return Decimal(str(1 - bounds().limits.step)) / _room(point, since)


def _room(point: PricePoint, since: timedelta) -> Decimal:
    """Return by which factor days widen a believable move; 1 within a day."""
    limits = bounds().limits
    daily = limits.market_day if is_market(point) else limits.list_day
    days = max(0.0, since / timedelta(days=1) - 1)
    return Decimal(str((1 + daily) ** days))


def _away_from_others(point: PricePoint, market: Market) -> str:
    """Find a price that small steps have led away from what everybody else says."""
    before = market.open_offers(point.source).get(key_of(point))
    if before is None or moved(before, point) == 1:
        return ""
    found = market.others(point)
    if found is None:
        return ""
    low, high = found
    step = Decimal(str(1 + bounds().limits.step))
    micro, was = point.micro_usd_per_gpu_hour, before.micro_usd_per_gpu_hour
    if micro > high.micro_usd_per_gpu_hour * step and micro > was:
        return _drifted(high)
    if micro * step < low.micro_usd_per_gpu_hour and micro < was:
        return _drifted(low)
    return ""


def _drifted(claim: PricePoint) -> str:
    said = dollars_of(claim.micro_usd_per_gpu_hour)
    return say(
        "guard.drifted", others=said, provider=claim.provider, source=claim.source
    )


def _far(claim: PricePoint) -> str:
    said = dollars_of(claim.micro_usd_per_gpu_hour)
    return say(
        "guard.new_and_far", usual=said, source=claim.source, observed=claim.observed_at
    )


_BOUNDS: dict[Kind, Rule] = {"bounds": _out_of_bounds}
_RULES: dict[Kind, Rule] = {
    "spot": _spot_is_none,
    "total": _total_for_one,
    "jump": _too_far_at_once,
    "swapped": _perhaps_swapped,
    "reserved": _costlier_than_on_demand,
    "machine": _another_machine,
    "drift": _away_from_others,
}


def _is_doubtful(verdict: Verdict, open_offers: Mapping[Key, Offer]) -> bool:
    """Whether so much of a poll is wrong that none of its news can be believed.

    A column that slipped by a row leaves some prices that look as if they were true.
    A row without a price may be so every day, and says nothing of the others.
    """
    stated = [each for each in verdict.suspects if each.point or is_price(each.raw)]
    renamed = [s for s in stated if s.kind == "machine" and s.key not in open_offers]
    listed = sum(key_of(point) not in open_offers for point in verdict.points)
    if len(renamed) >= max(WRONG, listed):
        return True
    wrong = [s for s in stated if s.kind == "not a price" or s.key in open_offers]
    rows = len(verdict.points) + len(wrong)
    return len(wrong) >= max(WRONG, bounds().limits.wrong * rows)


def _moved_among_wrong(open_offers: Mapping[Key, Offer]) -> Rule:
    def rule(point: PricePoint, _market: Market) -> str:
        before = open_offers.get(key_of(point))
        if before is not None and moved(before, point) == 1:
            return ""
        return say("guard.poll_distrusted")

    return rule if open_offers else lambda _point, _market: ""
