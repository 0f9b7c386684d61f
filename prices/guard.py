"""Which prices of a poll are believed, and why the others are not.

Rules look at one price at a time: bounds by GPU, spot against on-demand, totals taken
for prices per GPU, steps from the last price of the same source. Of several prices of
one offer the lowest that is within bounds counts. A provider of which half is missing
keeps the rest unconfirmed. What is kept back holds the place of its offer in the
catalogue, with the price that stood; only another publication or a person lets it go.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from core.offers import Offer, PricePoint
from prices.bounds import bound_of, bounds
from prices.exchanged import by_one_factor, passed_on
from prices.ingest import Key, key_of
from prices.market import Market, dollars_of
from prices.quarantine import Entry, Kind, Suspect
from prices.sources.rows import subject_of
from prices.sources.source import Reading, Refused

EXACT_MICRO = 60
"""A price that its source rounds to four digits is this near to a share of another."""
NEARLY = 0.999
"""A spot price so near to the on-demand price is that price, rounded or shaved."""
NOT_VOUCHED = frozenset({"spot", "reserved"})
"""A placeholder repeated elsewhere is still a placeholder."""

Rule = Callable[[PricePoint, Market], str]


@dataclass(slots=True)
class Verdict:
    """What of a poll enters, and what is kept back."""

    points: list[PricePoint] = field(default_factory=list)
    suspects: list[Suspect] = field(default_factory=list)
    held: list[Offer] = field(default_factory=list)
    """Standing offers whose place is kept though the poll does not confirm them."""
    vouched: list[tuple[Suspect, str]] = field(default_factory=list)
    """What would be kept back, had not another source said the same."""
    duplicates: int = 0
    complete: bool = True
    """Whether what the poll does not name is no longer sold."""


class Permits:
    """What was let go before and may pass again."""

    def __init__(self, released: Iterable[Entry], last_poll: float = 0) -> None:
        self._prices: dict[tuple[str, str], list[int]] = {}
        self._shrunk: set[str] = set()
        for entry in released:
            if entry.kind == "shrunk":
                if entry.closed_at and entry.closed_at.timestamp() >= last_poll:
                    self._shrunk.add(entry.subject)
            elif entry.micro_usd is not None:
                place = (entry.kind, entry.seat)
                self._prices.setdefault(place, []).append(entry.micro_usd)

    def allows(self, suspect: Suspect) -> bool:
        """Whether a price near this one was let go for the same offer and reason."""
        if suspect.point is None:
            return suspect.kind == "shrunk" and suspect.subject in self._shrunk
        micro = suspect.point.micro_usd_per_gpu_hour
        limit = bounds().limits.vouch
        released = self._prices.get((suspect.kind, suspect.seat), ())
        return any(abs(micro / each - 1) <= limit for each in released)


def judge(reading: Reading, source: str, market: Market, permits: Permits) -> Verdict:
    """Judge what a poll of one source says."""
    verdict = Verdict(suspects=[_refused(row) for row in reading.refused])
    within = list(_passing(reading.points, _BOUNDS, market, permits, verdict))
    best = _cheapest_of_each(within)
    verdict.duplicates = len(within) - len(best)
    market.take(best)
    standing = market.standing(source)
    said = {key_of(point): point for point in (*reading.points, *best)}
    rules = _rules(said.values(), standing)
    # Others are held against on-demand prices that passed.
    for is_on_demand in (True, False):
        some = [each for each in best if (each.pricing == "on_demand") == is_on_demand]
        verdict.points += _passing(some, rules, market, permits, verdict)
        market.doubt(suspect.point for suspect in verdict.suspects if suspect.point)
    verdict.held = _places(verdict, standing)
    # A row that cannot be read may be any of the offers that are missing.
    verdict.complete = reading.complete and all(row.key for row in reading.refused)
    if verdict.complete:
        _keep_missing_halves(reading, standing, permits, verdict)
    return verdict


def _rules(
    points: Collection[PricePoint], standing: Mapping[Key, Offer]
) -> dict[Kind, Rule]:
    """Return the rules, with what only the whole of a poll gives away."""
    together: dict[Kind, dict[Key, str]] = {
        "swapped": passed_on(points, standing),
        "jump": by_one_factor(points, standing),
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
        return f"spot is no lower than on-demand, {dollars_of(on_demand)}"
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
    before = market.standing(point.source).get(key_of(point))
    if spot is None or before is None or _moved(before, point) == 1:
        return ""
    if spot.micro_usd_per_gpu_hour <= point.micro_usd_per_gpu_hour:
        return ""
    said = dollars_of(spot.micro_usd_per_gpu_hour)
    return f"on-demand went below the spot price beside it, {said}"


def _dearer_than_on_demand(point: PricePoint, market: Market) -> str:
    """Find a commitment that costs more than none."""
    if point.pricing != "reserved":
        return ""
    free = market.beside(point, pricing="on_demand", term_months=0, upfront=False)
    if free is None or point.micro_usd_per_gpu_hour <= free.micro_usd_per_gpu_hour:
        return ""
    said = dollars_of(free.micro_usd_per_gpu_hour)
    return f"dearer than {said} on demand, of the same machine"


def _another_machine(point: PricePoint, market: Market) -> str:
    """Find a machine that held other GPUs until now, or has lost its name."""
    held = market.held_until_now(point)
    if held is None:
        return market.misplaced(point)
    return f"“{point.instance}” held {held[1]} of {held[0]} until now"


def _total_for_one(point: PricePoint, market: Market) -> str:
    """Find a total where a price per GPU belongs, or the other way round."""
    count, usual = point.gpu_count, market.usual(point)
    if count < 2 or usual is None:
        return ""
    # Sizes of two or three GPUs differ by such factors in earnest.
    slack = 0.005 if count < 4 else 0.03
    ratio = point.micro_usd_per_gpu_hour / usual
    if abs(ratio / count - 1) <= slack:
        return f"{count} times the usual {dollars_of(usual)}: totals multiplied"
    if abs(ratio * count - 1) <= slack:
        return f"1/{count} of the usual {dollars_of(usual)}: one GPU's for {count}"
    return ""


def _too_far_at_once(point: PricePoint, market: Market) -> str:
    """Find a price that moved further in one poll than prices do."""
    before = market.standing(point.source).get(key_of(point))
    if before is None:
        return ""
    if before.currency != point.currency and before.raw_total == point.raw_total:
        return f"the same {point.raw_total:f}, in {before.currency} before"
    ratio = _moved(before, point)
    if abs(ratio - 1) <= Decimal(str(bounds().limits.step)):
        return ""
    said = f"{dollars_of(before.micro_usd_per_gpu_hour)} before"
    if point.gpu_count > 1 and round(max(ratio, 1 / ratio)) == point.gpu_count:
        return f"{ratio - 1:+.0%} at once, {said}: the factor is the number of GPUs"
    return f"{ratio - 1:+.0%} at once, {said}"


def _moved(before: Offer, now: PricePoint) -> Decimal:
    """Return the new price over the old, in the source's own currency."""
    if before.currency == now.currency:
        return now.raw_total / before.raw_total
    return Decimal(now.micro_usd_per_gpu_hour) / before.micro_usd_per_gpu_hour


_BOUNDS: dict[Kind, Rule] = {"bounds": _out_of_bounds}
_RULES: dict[Kind, Rule] = {
    "spot": _spot_is_none,
    "total": _total_for_one,
    "jump": _too_far_at_once,
    "swapped": _perhaps_swapped,
    "reserved": _dearer_than_on_demand,
    "machine": _another_machine,
}


def _places(verdict: Verdict, standing: Mapping[Key, Offer]) -> list[Offer]:
    """Return the offers that keep their old price; one that is itself suspect goes.

    A suspect may be any offer of its machine that the poll does not name: what it says
    of the GPUs, their number or the terms may be what is wrong.
    """
    keys = {suspect.key: suspect for suspect in verdict.suspects if suspect.key}
    named = {key_of(point) for point in verdict.points} | keys.keys()
    machines = {each for key in keys for each in _may_be(key)}
    held = []
    for key, offer in standing.items():
        suspect = keys.get(key)
        if suspect:
            if not (suspect.point and _moved(offer, suspect.point) == 1):
                held.append(offer)
        elif key not in named and machines.intersection(_may_be(key)):
            held.append(offer)
    return held


def _may_be(key: Key) -> Iterator[tuple[object, ...]]:
    """Yield what tells an offer's machine: its name, its GPUs, its price's place.

    Any of them may be what a corrupted row no longer says.
    """
    provider, gpu, count, instance, region, *_ = key
    yield provider, instance or bound_of(str(gpu)).prefix, region
    yield provider, bound_of(str(gpu)).prefix, count
    if not instance:
        yield provider, region


def _keep_missing_halves(
    reading: Reading, standing: Mapping[Key, Offer], permits: Permits, verdict: Verdict
) -> None:
    """Keep the offers of a provider of which too much is missing at once."""
    limits = bounds().limits
    named = {key_of(point) for point in verdict.points}
    named |= {suspect.key for suspect in verdict.suspects if suspect.key}
    before = Counter(offer.provider for offer in standing.values())
    now = Counter(str(key[0]) for key in named)
    for provider, count in before.items():
        if reading.providers is not None and provider not in reading.providers:
            continue
        if count < limits.fewest or now[provider] >= count * limits.halves:
            continue
        suspect = Suspect(
            "shrunk", provider, f"{now[provider]} offers where {count} stood"
        )
        if not permits.allows(suspect):
            verdict.suspects.append(suspect)
            verdict.held += [
                offer
                for key, offer in standing.items()
                if offer.provider == provider and key not in named
            ]
