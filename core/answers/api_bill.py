"""What a load costs by the token at the APIs that a question names, and no GPU."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from core.money.api import ApiPrice
from core.sizing.pay_by_use import (
    ApiOption,
    api_range,
    requests_per_month,
    usd_batched,
    usd_half_cached,
)
from core.workload import InferenceSpec, Resolved


@dataclass(frozen=True, slots=True)
class ApiBill:
    """One month at each API, as asked, with cached prompts, and in batches."""

    resolved: Resolved
    spec: InferenceSpec
    options: tuple[ApiOption, ...]
    """Cheapest first."""

    @property
    def requests(self) -> Decimal:
        """Requests of a month."""
        return requests_per_month(self.spec)

    def cached(self, api: ApiPrice) -> Decimal | None:
        """Dollars a month if half of each prompt repeats; None: no rate, or stated."""
        return usd_half_cached(api, self.spec)

    def batched(self, api: ApiPrice) -> Decimal | None:
        """Dollars a month for requests that may wait; None: no published rate."""
        return usd_batched(api, self.spec)


def api_bill(
    resolved: Resolved, spec: InferenceSpec, named: Iterable[ApiPrice]
) -> ApiBill | None:
    """The bill of a load at each named API; None: no price of them is known."""
    found = api_range(spec, named)
    return ApiBill(resolved, spec, found.options) if found else None
