"""A team's own prices: what was negotiated, with whom, on which terms, until when."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Annotated

from msgspec import Meta

from core.frozen import Frozen
from core.offers import MICRO, Instant, Offer, Pricing

SOURCE = "price book"
_LEAST = Decimal(1) / MICRO
FAR_SOURCE = "price book, far from the market"
FAR_BELOW, FAR_ABOVE = Decimal("0.5"), Decimal(2)
"""Of the market's middle: beyond these a price is a slip, or a trick, until confirmed.
"""


class NegotiatedPrice(Frozen, frozen=True, kw_only=True):
    """One line of the price book, per GPU-hour in dollars."""

    provider: str
    gpu: str
    """A `GpuSpec.id`."""
    usd_per_gpu_hour: Decimal
    pricing: Pricing = "on_demand"
    term_months: Annotated[int, Meta(ge=0)] = 0
    until: date | None = None
    """The last day on which it holds; None: until it is changed."""
    set_by: str
    set_at: Instant
    far: bool = False
    """Whether it lay far from the market when somebody confirmed it."""

    def __post_init__(self) -> None:
        """Refuse what no line of a price book can be."""
        if self.usd_per_gpu_hour <= 0 or self.usd_per_gpu_hour % _LEAST:
            raise ValueError("a price is above zero and in millionths of a dollar")
        if (self.pricing == "reserved") != (self.term_months > 0):
            raise ValueError("a reserved price has a term, and only a reserved price")

    @property
    def key(self) -> tuple[str, str, Pricing, int]:
        """What a later price for the same thing replaces."""
        return (self.provider, self.gpu, self.pricing, self.term_months)

    @property
    def expires(self) -> datetime | None:
        """The last instant at which it holds: the end of its day in UTC."""
        if self.until is None:
            return None
        return datetime.combine(self.until, time.max, tzinfo=UTC)

    def holds(self, now: datetime) -> bool:
        """Whether the price may still be used."""
        return self.expires is None or now <= self.expires

    @property
    def command(self) -> str:
        """The line that sets this price."""
        words = ["setprice", self.provider, self.gpu, f"{self.usd_per_gpu_hour:f}"]
        words.append(self.pricing.replace("_", "-"))
        words += [f"{self.term_months}m"] if self.term_months else []
        words += ["until", self.until.isoformat()] if self.until else []
        return " ".join(words)

    def offer(self, machine: int = 1) -> Offer:
        """Return it as an offer, marked, that ranks by value beside list prices.

        `machine`: the GPUs of the smallest box that its seller lists for such a GPU;
        a price per GPU-hour does not make that box smaller.
        """
        return Offer(
            provider=self.provider,
            gpu=self.gpu,
            gpu_count=machine,
            pricing=self.pricing,
            term_months=self.term_months,
            raw_total=self.usd_per_gpu_hour * machine,
            micro_usd_per_gpu_hour=int(self.usd_per_gpu_hour * MICRO),
            observed_at=self.set_at,
            evidence="own",
            source=FAR_SOURCE if self.far else SOURCE,
            source_url="",
            valid_until=self.expires,
            negotiated=True,
        )


def middle(offers: Iterable[Offer], price: NegotiatedPrice) -> Decimal | None:
    """The market's middle of what a price is for, in dollars per GPU-hour.

    The median over sellers, each with its cheapest list price of the same GPU and
    pricing, else of the same GPU; None where nobody lists it. A seller with a row for
    each of thirty regions counts once.
    """
    listed = [o for o in offers if o.gpu == price.gpu and not o.negotiated]
    cheapest: dict[str, Decimal] = {}
    for offer in [o for o in listed if o.pricing == price.pricing] or listed:
        amount = offer.usd_per_gpu_hour
        cheapest[offer.provider] = min(amount, cheapest.get(offer.provider, amount))
    from statistics import median  # 6 ms that most answers do not need

    return median(cheapest.values()) if cheapest else None


def is_far(price: Decimal, market: Decimal) -> bool:
    """Tell whether a price lies below half or above twice the market's middle."""
    return not FAR_BELOW * market <= price <= FAR_ABOVE * market
