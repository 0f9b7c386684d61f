"""What is known of prices beside the poll that is being judged."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from statistics import median_low

from core.offers import MICRO, Offer, PricePoint
from prices.bounds import bounds
from prices.gpu_names import could_be
from prices.ingest import Key, key_of

_Machine = tuple[str, str, str]
_Kind = tuple[str, str, int]
FRESH = timedelta(days=30)
"""An older on-demand price says nothing of a spot price of today."""


class Market:
    """Every source's prices: what stood when the refresh began, and what came since."""

    def __init__(
        self, offers: Iterable[Offer], now: datetime, labels: Mapping[str, str]
    ) -> None:
        self.now = now
        self._labels = labels
        self._standing: dict[str, dict[Key, Offer]] = defaultdict(dict)
        self._claims: dict[_Kind, dict[tuple[str, Key], PricePoint]] = defaultdict(dict)
        self._on_demand: dict[_Machine, dict[tuple[str, Key], PricePoint]]
        self._on_demand = defaultdict(dict)
        for offer in offers:
            self._standing[offer.source][key_of(offer)] = offer
            self._claim(offer)

    def standing(self, source: str) -> Mapping[Key, Offer]:
        """Return what stood of a source when the refresh began."""
        return self._standing[source]

    def take(self, points: Iterable[PricePoint]) -> None:
        """Take in what a source says now, believed or not."""
        for point in points:
            self._claim(point)

    def on_demand(self, spot: PricePoint) -> int | None:
        """Return what the same machine costs on demand, None where nobody says."""
        fresh = [
            point.micro_usd_per_gpu_hour
            for point in self._on_demand.get(_machine(spot), {}).values()
            if self.now - point.observed_at <= FRESH and point.gpu == spot.gpu
        ]
        return min(fresh, default=None)

    def usual(self, point: PricePoint) -> int | None:
        """Return what the GPU costs elsewhere: the median of what others ask for it.

        "Elsewhere" is another source, or another machine size of the same one. Both are
        of the same provider, pricing and term.
        """
        found = [
            claim.micro_usd_per_gpu_hour
            for claim in self._claims.get(_kind(point), {}).values()
            if claim.gpu == point.gpu
            and claim.tier == point.tier
            and (
                claim.source != point.source
                or (claim.gpu_count != point.gpu_count and claim.region == point.region)
            )
        ]
        return median_low(found) if found else None

    def voucher(self, point: PricePoint) -> str | None:
        """Return a source, of another publication, that asks about the same."""
        for claim in self._claims.get(_kind(point), {}).values():
            if self._label(claim) != self._label(point) and self._vouches(claim, point):
                return claim.source
        return None

    def disputes(self, witness: PricePoint) -> list[PricePoint]:
        """Return the prices of others that a witness contradicts."""
        limit = 1 + bounds().limits.differ
        return [
            claim
            for claim in self._claims.get(_kind(witness), {}).values()
            if (claim.instance, claim.region) == (witness.instance, witness.region)
            and claim.instance
            and self.now - claim.observed_at <= FRESH
            and not 1 / limit <= _ratio(claim, witness) <= limit
        ]

    def _claim(self, point: PricePoint) -> None:
        name = (point.source, key_of(point))
        self._claims[_kind(point)][name] = point
        if point.pricing == "on_demand":
            self._on_demand[_machine(point)][name] = point

    def _label(self, point: PricePoint) -> str:
        return self._labels.get(point.source, point.source)

    def _vouches(self, claim: PricePoint, point: PricePoint) -> bool:
        limits = bounds().limits
        return (
            abs(_ratio(claim, point) - 1) <= limits.vouch
            and self.now - claim.observed_at <= timedelta(days=limits.vouch_days)
            and bool(_gpus(claim.gpu) & _gpus(point.gpu))
            and (not claim.region or not point.region or claim.region == point.region)
            and (claim.tier == point.tier or "standard" in (claim.tier, point.tier))
        )


def dollars_of(micro_usd: int) -> str:
    """Write a price in a reason."""
    return f"${micro_usd / MICRO:.4g}"


def _gpus(gpu: str) -> set[str]:
    return {gpu, *could_be(gpu)}


def _kind(point: PricePoint) -> _Kind:
    return point.provider, point.pricing, point.term_months


def _machine(point: PricePoint) -> _Machine:
    return point.provider, point.instance or point.gpu, point.region


def _ratio(one: PricePoint, other: PricePoint) -> float:
    return one.micro_usd_per_gpu_hour / other.micro_usd_per_gpu_hour
