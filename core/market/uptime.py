"""The uptime that a seller commits to for a deployment of a given shape."""

from functools import lru_cache

from msgspec import Struct

from core.offers import PricePoint
from core.reference.catalogue import Reference
from core.reference.service_levels import ServiceLevel, Shape, service_levels

SPREAD: tuple[Shape, ...] = ("machines", "zones", "regions")
"""What two or more machines can be, the nearest together first."""


class Uptime(Struct, frozen=True):
    """What holds for the machines as they are rented, and what spreading them adds."""

    level: ServiceLevel | None
    """For one machine, or an endpoint; None: nothing is known of the seller."""
    outside: bool = False
    """Spot and community hosts stand under no agreement."""
    spread: tuple[ServiceLevel, ...] = ()
    """Higher levels that two machines reach, if they are placed as these ask."""

    @property
    def percent(self) -> float | None:
        """Monthly uptime without any placing; None: none is published, or unknown."""
        return self.level.percent if self.level else None

    @property
    def best_percent(self) -> float | None:
        """The highest that this many machines can have."""
        known = [one.percent for one in self.spread if one.percent is not None]
        return max([*known, *([self.percent] if self.percent else [])], default=None)

    def keeping(self, wanted: float, placed: Shape | None) -> ServiceLevel | None:
        """The least spread level of at least so many per cent; None: there is none.

        `placed`: how the machines are asked to stand; None: as the agreement wants.
        """
        apart = [one for one in self.spread if placed in (None, one.shape)]
        levels = (self.level, *apart)
        kept = (one for one in levels if one is not None)
        return next((one for one in kept if (one.percent or 0) >= wanted), None)

    @property
    def words(self) -> str:
        """The commitment in a few words: a percentage, none, or unknown."""
        if self.percent is not None:
            return f"{self.percent:g} %"
        if self.outside or (self.level is not None and self.level.status == "none"):
            return "none"
        return "unknown"


def uptime(offer: PricePoint, machines: int, reference: Reference) -> Uptime:
    """What the seller of an offer commits to for so many of its machines.

    Spot can be taken away, and a community host stands under no agreement.
    """
    if offer.pricing == "spot" or offer.tier == "community":
        return Uptime(None, outside=True)
    shape: Shape = "endpoint" if offer.tier == "serverless" else "machine"
    gpu = reference.gpus.get(offer.gpu)
    return commitment(offer.provider, gpu.family if gpu else offer.gpu, shape, machines)


@lru_cache(maxsize=4096)
def commitment(provider: str, family: str, shape: Shape, machines: int) -> Uptime:
    """What a seller commits to for a GPU family; a market asks it of every offer."""
    levels = service_levels().get(provider, ())
    open_to = [level for level in levels if family not in level.gpus_excluded]
    own = next((level for level in open_to if level.shape == shape), None)
    if own is None and shape == "machine":
        # A platform that sells endpoints says of these what it says of anything.
        own = next((one for one in open_to if one.status != "published"), None)
    if machines < 2 or shape == "endpoint":
        return Uptime(own)
    floor = own.percent if own and own.percent else 0.0
    spread = [
        level
        for wanted in SPREAD
        for level in open_to
        if level.shape == wanted and (level.percent or 0) > floor
    ]
    return Uptime(own, spread=tuple(spread))


def endpoint_level(provider: str) -> ServiceLevel | None:
    """The commitment to a seller's API; None: nothing is known of it."""
    levels = service_levels().get(provider, ())
    return next((level for level in levels if level.shape == "endpoint"), None)
