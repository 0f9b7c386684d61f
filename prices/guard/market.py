"""What is known of prices beside the poll that is being judged."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from operator import attrgetter
from statistics import median_low

from core.offers import MICRO, Offer, PricePoint
from core.reference.freshness import longest
from core.wording import say
from prices.history.ingest import Key, key_of
from prices.naming.bounds import bound_of, bounds
from prices.naming.gpu_names import could_be

FRESH = timedelta(days=30)
"""An older on-demand price says nothing of a spot price of today."""

RIVALS = 3
"""Other sellers from whom on their range says something."""

_Claims = dict[tuple[str, Key], PricePoint]
"""The points of an index, by the source and the offer that they speak of."""
_Place = tuple[str | int, ...]


class Market:
    """Every source's prices: what stood when the refresh began, and what came since.

    `labels` says which publication a source reads; sources of one label repeat each
    other and vouch for nothing. `witnesses` are the sources that publish what a
    provider asks of everybody: not the owner's own.
    """

    def __init__(
        self,
        offers: Iterable[Offer],
        now: datetime,
        labels: Mapping[str, str],
        witnesses: Collection[str] = (),
    ) -> None:
        self.now = now
        self._witnesses = witnesses
        self._labels = labels
        self._standing: dict[str, dict[Key, Offer]] = defaultdict(dict)
        self._terms: dict[_Place, _Claims] = defaultdict(dict)
        self._gpus: dict[_Place, _Claims] = defaultdict(dict)
        self._machines: dict[_Place, _Claims] = defaultdict(dict)
        self._everywhere: dict[_Place, _Claims] = defaultdict(dict)
        self._stood: dict[_Place, list[Offer]] = defaultdict(list)
        self._ranges: dict[_Place, tuple[PricePoint, PricePoint] | None] = {}
        self._elsewhere: dict[tuple[str, _Place], int | None] = {}
        self._hardware: dict[tuple[str, str], dict[str, tuple[str, str, int]]] = {}
        self._names: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
        for offer in offers:
            self._standing[offer.source][key_of(offer)] = offer
            self._claim(offer)
            if offer.source in self._witnesses:
                for gpu in _could_be(offer):
                    self._stood[*_term(offer), gpu].append(offer)

    def open_offers(self, source: str) -> Mapping[Key, Offer]:
        """Return what stood of a source when the refresh began."""
        return self._standing[source]

    def take(self, points: Iterable[PricePoint]) -> None:
        """Take in what a source says now."""
        self._elsewhere.clear()
        for point in points:
            self._claim(point)

    def hear(self, points: Iterable[PricePoint]) -> None:
        """Take in what nobody believes yet: it can only vouch for another."""
        for point in points:
            self._terms[_term(point)][_name(point)] = point

    def doubt(self, points: Iterable[PricePoint]) -> None:
        """Compare nothing with what is kept back, but with what stood before it."""
        self._elsewhere.clear()
        for point in points:
            before = self._standing[point.source].get(key_of(point))
            for claims in (
                self._gpus[_gpu(point)],
                self._gpus[_gpu(point, point.region)],
                self._machines[_machine(point, point.pricing)],
            ):
                claims.pop(_name(point), None)
                if before is not None:
                    claims[_name(point)] = before

    def beside(self, point: PricePoint, **terms: object) -> PricePoint | None:
        """Return the offer of the same source that differs in its terms alone."""
        other = point.model_copy(update=terms)
        claims = self._machines.get(_machine(point, other.pricing), {})
        return claims.get(_name(other))

    def held_until_now(self, point: PricePoint) -> tuple[str, int] | None:
        """Return what a machine held that holds other GPUs now, and how many.

        Only of providers whose machines have held one kind and number of GPUs each.
        """
        seat = (point.source, point.provider)
        if seat not in self._hardware:
            self._hardware[seat] = self._fixed(*seat)
        held = self._hardware[seat].get(point.instance)
        if held is None or (held[2] == point.gpu_count and _may_hold(held[1], point)):
            return None
        return held[1], held[2]

    def misplaced(self, point: PricePoint) -> str:
        """Say which name of a machine's is missing, or stands in another's place.

        Only of providers whose offers all have named their machine, or region.
        """
        seat = (point.source, point.provider)
        if seat not in self._names:
            mine = self._standing[point.source].values()
            offers = [offer for offer in mine if offer.provider == point.provider]
            machines = {offer.instance for offer in offers}
            self._names[seat] = (machines, {offer.region for offer in offers})
        machines, regions = self._names[seat]
        if not point.instance and machines and "" not in machines:
            return say("guard.machine_name_lost")
        if not point.region and regions and "" not in regions:
            return say("guard.region_lost")
        if {point.instance} & regions - machines - {""}:
            return say("guard.region_as_machine", instance=point.instance)
        return ""

    def _fixed(self, source: str, provider: str) -> dict[str, tuple[str, str, int]]:
        found: dict[str, tuple[str, str, int]] = {}
        for offer in self._standing[source].values():
            if offer.provider != provider or not offer.instance:
                continue
            held = (_family(offer), offer.gpu, offer.gpu_count)
            before = found.setdefault(offer.instance, held)
            if (before[0], before[2]) != (held[0], held[2]):
                return {}
        return found

    def on_demand(self, spot: PricePoint) -> int | None:
        """Return what the same machine costs on demand, None where nobody says.

        The word of the source itself counts before that of others.
        """
        found = [
            claim
            for claim in self._machines.get(_machine(spot, "on_demand"), {}).values()
            if self.now - claim.observed_at <= FRESH and claim.gpu == spot.gpu
        ]
        own = [claim for claim in found if claim.source == spot.source]
        prices = [claim.micro_usd_per_gpu_hour for claim in own or found]
        return min(prices, default=None)

    def usual(self, point: PricePoint) -> int | None:
        """Return what the GPU costs in other sizes of the feed, else in other feeds.

        It is a median, of the same provider, pricing and term. A feed whose own sizes
        agree is not doubted for what others say.
        """
        sizes = [
            claim.micro_usd_per_gpu_hour
            for claim in self._gpus.get(_gpu(point, point.region), {}).values()
            if claim.source == point.source and claim.gpu_count != point.gpu_count
        ]
        return median_low(sizes) if sizes else self._in_other_feeds(point)

    def elsewhere(self, point: PricePoint) -> tuple[PricePoint, PricePoint] | None:
        """Return the lowest and the highest that stood of the GPU at this provider.

        Whatever its machine, region or source; what the package ships with counts too.
        """
        if point.source not in self._witnesses:
            return None
        place = (point.source, *_gpu(point))
        if place not in self._ranges:
            self._ranges[place] = self._range(point)
        return self._ranges[place]

    def others(self, point: PricePoint) -> tuple[PricePoint, PricePoint] | None:
        """Return the lowest and the highest that others say now, None where few do.

        What another publication says of this provider counts before what other
        sellers of its kind ask.
        """
        claims = [
            claim
            for claim in self._everywhere.get(_kind(point), {}).values()
            if self._label(claim) != self._label(point)
            or claim.provider != point.provider
            if self.now - claim.observed_at <= FRESH and _same_tier(claim, point)
        ]
        own = [claim for claim in claims if claim.provider == point.provider]
        rivals = {claim.provider for claim in claims} - {point.provider}
        if not own and len(rivals) < RIVALS:
            return None
        by_price = attrgetter("micro_usd_per_gpu_hour")
        return min(own or claims, key=by_price), max(own or claims, key=by_price)

    def voucher(self, point: PricePoint) -> str | None:
        """Return a source, of another publication, that asks about the same."""
        for claim in self._terms.get(_term(point), {}).values():
            if self._label(claim) != self._label(point) and self._vouches(claim, point):
                return claim.source
        return None

    def disputed(self, witness: PricePoint) -> Iterator[PricePoint]:
        """Yield the fresh prices of the same machine that a witness contradicts."""
        limit = 1 + bounds().limits.differ
        claims = self._machines.get(_machine(witness, witness.pricing), {})
        for claim in claims.values():
            if (
                claim.instance
                and claim.term_months == witness.term_months
                and self.now - claim.observed_at <= FRESH
                and not 1 / limit <= _ratio(claim, witness) <= limit
            ):
                yield claim

    def _range(self, point: PricePoint) -> tuple[PricePoint, PricePoint] | None:
        claims = [
            claim
            for gpu in _could_be(point)
            for claim in self._stood.get((*_term(point), gpu), ())
            if self.now - claim.observed_at <= longest() and _same_tier(claim, point)
        ]
        if not claims:
            return None
        by_price = attrgetter("micro_usd_per_gpu_hour")
        return min(claims, key=by_price), max(claims, key=by_price)

    def _claim(self, point: PricePoint) -> None:
        name = _name(point)
        self._terms[_term(point)][name] = point
        self._gpus[_gpu(point)][name] = point
        self._gpus[_gpu(point, point.region)][name] = point
        self._machines[_machine(point, point.pricing)][name] = point
        self._everywhere[_kind(point)][name] = point

    def _in_other_feeds(self, point: PricePoint) -> int | None:
        place = (point.source, _gpu(point))
        if place not in self._elsewhere:
            found = [
                claim.micro_usd_per_gpu_hour
                for claim in self._gpus.get(_gpu(point), {}).values()
                if claim.source != point.source
            ]
            self._elsewhere[place] = median_low(found) if found else None
        return self._elsewhere[place]

    def _label(self, point: PricePoint) -> str:
        return self._labels.get(point.source, point.source)

    def _vouches(self, claim: PricePoint, point: PricePoint) -> bool:
        limits = bounds().limits
        return (
            abs(_ratio(claim, point) - 1) <= limits.vouch
            and self.now - claim.observed_at <= timedelta(days=limits.vouch_days)
            and bool(_could_be(claim) & _could_be(point))
            and (not claim.region or not point.region or claim.region == point.region)
            and (claim.tier == point.tier or "standard" in (claim.tier, point.tier))
        )


def dollars_of(micro_usd: int) -> str:
    """Write a price in a reason."""
    return f"${micro_usd / MICRO:.4g}"


def _could_be(point: PricePoint) -> set[str]:
    return {point.gpu, *could_be(point.gpu)}


def _same_tier(one: PricePoint, other: PricePoint) -> bool:
    tiers = {one.tier, other.tier}
    return len(tiers) == 1 or ("standard" in tiers and "serverless" not in tiers)


def _name(point: PricePoint) -> tuple[str, Key]:
    return point.source, key_of(point)


def _term(point: PricePoint) -> _Place:
    return point.provider, point.pricing, point.term_months


def _kind(point: PricePoint) -> _Place:
    """Return what tells comparable offers of all sellers: a cloud's cost more."""
    is_cloud = point.seller_kind == "hyperscaler"
    return point.pricing, point.term_months, point.gpu, is_cloud


def _family(point: PricePoint) -> str:
    """Return the kind of a GPU; a form or a memory may become known later."""
    return bound_of(point.gpu).prefix


def _may_hold(before: str, point: PricePoint) -> bool:
    """Whether a name may mean the GPU that another name meant."""
    known = {before, *could_be(before)}
    if known & _could_be(point):
        return True
    return not could_be(before) and bound_of(before).prefix == _family(point)


def _gpu(point: PricePoint, region: str = "*") -> _Place:
    return (*_term(point), point.gpu, point.tier, region)


def _machine(point: PricePoint, pricing: str) -> _Place:
    return point.provider, point.instance or point.gpu, point.region, pricing


def _ratio(one: PricePoint, other: PricePoint) -> float:
    return one.micro_usd_per_gpu_hour / other.micro_usd_per_gpu_hour
