"""Prices: one observation, one offer, and the catalogue an answer is made from."""

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import asdict

from core.frozen import Frozen

Pricing = Literal["on_demand", "spot", "reserved"]
Tier = Literal["standard", "secure", "community", "serverless"]
Includes = Literal["host", "gpu_only", "unknown"]
SellerKind = Literal[
    "hyperscaler",
    "direct",
    "reseller",
    "marketplace",
    "community",
    "serverless",
    "unknown",
]
"""Who is paid: a hyperscaler, a cloud for its own machines (direct), somebody who sells
another's, a market of hosts, private hosts, or a platform that bills by use."""
Stock = Literal["in_stock", "waitlist", "out", "unknown"]
Evidence = Literal[
    "api", "price_list", "price_page", "own", "from", "article", "unknown"
]
"""What a price rests on: an API that also rents, a published list, a page of prices,
the team's own word, a "from" price without a machine, or an article. A price that
ships with the package keeps the evidence of what it was taken from."""
Count = Annotated[int, Meta(ge=1)]
Instant = Annotated[datetime, Meta(tz=True)]
MICRO = 1_000_000
STATED = "stated"
"""The seller of a price that a question states and names nobody for."""


@lru_cache(maxsize=8192)
def _usd(micro: int) -> Decimal:
    return Decimal(micro) / MICRO


class PricePoint(Frozen, frozen=True, kw_only=True, gc=False):
    """What one source said of one offer at one moment.

    The raw total, the count it was for and the price per GPU-hour that follows are
    three fields. `micro_usd_per_gpu_hour` is in millionths of a dollar, so that money
    is exact in storage.
    """

    provider: str
    gpu: str
    """A `GpuSpec.id`, or the source's own name where no table knows it."""
    gpu_count: Count
    instance: str = ""
    region: str = ""
    pricing: Pricing
    term_months: Annotated[int, Meta(ge=0)] = 0
    """Of a commitment; 0 of a reserved price: its term is not published."""
    upfront: bool = False
    tier: Tier = "standard"
    includes: Includes = "unknown"
    seller_kind: SellerKind = "unknown"
    stock: Stock = "unknown"
    evidence: Evidence = "unknown"
    min_gpus: Count | None = None
    """The smallest number of GPUs that can be ordered at this price; None: not said."""
    raw_total: Decimal
    """As published, for `gpu_count` GPUs and one hour, in `currency`."""
    currency: str = "USD"
    micro_usd_per_gpu_hour: Count
    observed_at: Instant
    source: str
    source_url: str

    @property
    def key(self) -> tuple[str | int | bool, ...]:
        """What makes two observations the same offer of the same source."""
        return (
            self.source,
            self.provider,
            self.gpu,
            self.gpu_count,
            self.instance,
            self.region,
            self.pricing,
            self.term_months,
            self.upfront,
            self.tier,
            self.includes,
        )

    def observed(self) -> "PricePoint":
        """The observation alone, without what a catalogue adds."""
        values = asdict(self)
        return PricePoint(**{n: values[n] for n in PricePoint.__struct_fields__})

    @property
    def usd_per_gpu_hour(self) -> Decimal:
        """Dollars per GPU-hour, exact."""
        return _usd(self.micro_usd_per_gpu_hour)


class Offer(PricePoint, frozen=True, kw_only=True, gc=False):
    """A price that stands in the catalogue now."""

    valid_until: Instant | None = None
    negotiated: bool = False
    """From the team's own price book."""
    doubt: str = ""
    """Why it cannot be ordered as listed, or not for this use; empty: it can."""
    read_at: Instant | None = None
    """When its source was last read; None: it never was read regularly."""


class Catalog:
    """Every offer that stands at one instant; immutable, indexed by GPU.

    `could_be` lists, for a GPU name that leaves the form factor open, the ids that it
    may turn out to be.
    """

    def __init__(
        self,
        offers: Iterable[Offer],
        as_of: datetime,
        version: str,
        could_be: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.offers = tuple(offers)
        self.kept: dict[object, object] = {}
        """What was worked out from these very offers, for whoever asks again; copies
        as of another instant share it."""
        self.as_of = as_of
        self.version = version
        by_gpu: dict[str, list[Offer]] = {}
        for offer in self.offers:
            by_gpu.setdefault(offer.gpu, []).append(offer)
        self._by_gpu = {gpu: tuple(found) for gpu, found in by_gpu.items()}
        self.providers = frozenset(offer.provider for offer in self.offers)
        """The providers with at least one price."""
        self._could_be = {name: tuple(ids) for name, ids in (could_be or {}).items()}
        self._perhaps: dict[str, tuple[Offer, ...]] = {}
        for name, ids in self._could_be.items():
            for gpu in ids:
                before = self._perhaps.get(gpu, ())
                self._perhaps[gpu] = before + self._by_gpu.get(name, ())

    def of_gpu(self, gpu: str) -> tuple[Offer, ...]:
        """The offers of one GPU id, none where it is not sold."""
        return self._by_gpu.get(gpu, ())

    def perhaps_of_gpu(self, gpu: str) -> tuple[Offer, ...]:
        """The offers that may be of this GPU: their source does not say which form."""
        return self._perhaps.get(gpu, ())

    def could_be(self, name: str) -> tuple[str, ...]:
        """The GPU ids that a name of unsaid form may turn out to be; none for an id."""
        return self._could_be.get(name, ())

    def joined(self, offers: Iterable[Offer], mark: str) -> "Catalog":
        """The same catalogue with a team's own offers; `mark` tells its version."""
        found = tuple(offers)
        joined = copy(self)
        joined.offers = self.offers + found
        joined.kept = {}
        joined.version = f"{self.version}+{mark}"
        joined._by_gpu = dict(self._by_gpu)
        joined.providers = self.providers.union(offer.provider for offer in found)
        for offer in found:
            joined._by_gpu[offer.gpu] = (*joined._by_gpu.get(offer.gpu, ()), offer)
        return joined

    @property
    def gpus(self) -> frozenset[str]:
        """The GPU ids that somebody sells."""
        return frozenset(self._by_gpu)
