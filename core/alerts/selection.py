"""Which offers a watch looks at."""

from typing import Literal

from core.checked import Checked
from core.market.current import is_plain
from core.market.market import region_matches
from core.offers import PricePoint, Pricing, Tier
from core.reference.catalogue import Reference

Measure = Literal["price", "spot_discount"]


class Selection(Checked):
    """The offers of some GPUs; an empty tuple and None leave a field open.

    `spot_discount` measures how far the cheapest spot price lies below the cheapest
    on-demand price, in millionths; the pricing is then left open.
    """

    label: str
    """The GPU as it was typed: "h100" watches the SXM, as a question about it does."""
    gpus: tuple[str, ...]
    """`GpuSpec` ids."""
    providers: tuple[str, ...] = ()
    pricing: Pricing | None = None
    term_months: int | None = None
    region: str | None = None
    tier: Tier | None = None
    """None: what anybody rents plainly; the hosts of a market only where it is named,
    and serverless, which is not rented by the hour, never."""
    measure: Measure = "price"

    def takes(self, point: PricePoint, reference: Reference) -> bool:
        """Tell whether an offer of one of the GPUs is looked at."""
        return (
            self._priced_so(point)
            and (not self.providers or point.provider in self.providers)
            and (self.region is None or region_matches(point, self.region, reference))
        )

    def _priced_so(self, point: PricePoint) -> bool:
        if self.measure == "spot_discount" and point.pricing == "reserved":
            return False
        return (
            self.pricing in (None, point.pricing)
            and self.term_months in (None, point.term_months)
            and self._sold_so(point)
        )

    def _sold_so(self, point: PricePoint) -> bool:
        if self.tier is not None:
            return point.tier == self.tier
        named = point.provider in self.providers and point.tier != "serverless"
        return named or is_plain(point)
