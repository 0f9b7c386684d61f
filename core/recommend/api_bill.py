"""What a load costs by the token at the APIs that a question names, and no GPU."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from core.money.api import ApiPrice, TokenMix, api_usd_per_request
from core.recommend.paybyuse import ApiOption, api_range, mix_of, requests_per_month
from core.workload import InferenceSpec, Resolved

TRIED_HIT_RATE = Decimal("0.5")
"""Share of prompt tokens repeated: what a system prompt and a history often give."""


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
        live = api.live
        rate = live.cached_input_usd_per_million
        if rate is None or rate >= live.input_usd_per_million:
            return None
        if self.spec.cache_hit_rate:
            return None
        mix = mix_of(self.spec)
        hits = TokenMix.of(mix.input_tokens, mix.output_tokens, TRIED_HIT_RATE)
        return api_usd_per_request(api, hits) * self.requests

    def batched(self, api: ApiPrice) -> Decimal | None:
        """Dollars a month for requests that may wait; None: no published rate."""
        if api.batch is None:
            return None
        return api_usd_per_request(api, mix_of(self.spec), batch=True) * self.requests


def api_bill(
    resolved: Resolved, spec: InferenceSpec, named: Iterable[ApiPrice]
) -> ApiBill | None:
    """The bill of a load at each named API; None: no price of them is known."""
    found = api_range(spec, named)
    return ApiBill(resolved, spec, found.options) if found else None
