"""What an LLM API charges, and what a stream of requests costs there."""

from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

from core.frozen import Frozen
from core.money.costs import MILLION, Number, exact, positive, share


class TokenPrice(Frozen, frozen=True):
    """Dollars per 1M tokens read, read again from the cache, and written."""

    input_usd_per_million: Decimal
    output_usd_per_million: Decimal
    cached_input_usd_per_million: Decimal | None = None
    """None: the provider publishes no cheaper rate for repeated prompts."""

    def times(self, factor: Decimal) -> "TokenPrice":
        """Every rate at another level."""
        cached = self.cached_input_usd_per_million
        return TokenPrice(
            input_usd_per_million=self.input_usd_per_million * factor,
            output_usd_per_million=self.output_usd_per_million * factor,
            cached_input_usd_per_million=None if cached is None else cached * factor,
        )


class ApiPrice(Frozen, frozen=True, kw_only=True):
    """One model at one provider; the same weights cost ten times as much elsewhere."""

    provider: str
    provider_name: str
    model: str
    live: TokenPrice
    context: int | None = None
    """Tokens that a request may have, its answer included; None: not published."""
    batch: TokenPrice | None = None
    """Requests that may wait, usually a day; None: no published rate."""
    note: str = ""
    """What the two rates leave out: costlier long prompts, cheaper hours of the day."""
    as_of: str
    """ISO date up to which the price is known to hold."""
    source: str
    source_url: str

    def rates(self, batch: bool = False) -> TokenPrice:
        """Return the batch rates where asked for and published, else the live ones."""
        return self.batch if batch and self.batch else self.live

    def times(self, factor: Decimal) -> "ApiPrice":
        """The same API at another level of its prices."""
        batch = self.batch.times(factor) if self.batch else None
        return self.model_copy(update={"live": self.live.times(factor), "batch": batch})

    @property
    def batch_discount(self) -> Decimal | None:
        """What batching saves of the output price, 0–1."""
        full = self.live.output_usd_per_million
        if self.batch is None or not full:
            return None
        return 1 - self.batch.output_usd_per_million / full


class TokenMix(Struct, frozen=True):
    """The tokens of one request, and the share of its prompt that is a cache hit."""

    input_tokens: Decimal
    output_tokens: Decimal
    cache_hit_rate: Decimal = Decimal(0)

    @classmethod
    def of(
        cls, input_tokens: Number, output_tokens: Number, cache_hit_rate: Number = 0
    ) -> "TokenMix":
        """Return the mix of a request of so many tokens in and out."""
        mix = cls(
            exact(input_tokens),
            exact(output_tokens),
            share(cache_hit_rate, "cache hit rate"),
        )
        positive(mix.tokens, "tokens per request")
        return mix

    @property
    def tokens(self) -> Decimal:
        """Tokens read and written per request."""
        return self.input_tokens + self.output_tokens

    @property
    def input_share(self) -> Decimal:
        """Prompt tokens over all tokens, 0–1."""
        return self.input_tokens / self.tokens


def api_usd_per_request(api: ApiPrice, mix: TokenMix, batch: bool = False) -> Decimal:
    """Return $ per request: tokens × rate, cache hits at the cached rate."""
    rates = api.rates(batch)
    full = rates.input_usd_per_million
    cached = rates.cached_input_usd_per_million
    repeated = mix.input_tokens * mix.cache_hit_rate
    fresh = mix.input_tokens - repeated
    read = fresh * full + repeated * (full if cached is None else cached)
    return (read + mix.output_tokens * rates.output_usd_per_million) / MILLION


def api_usd_per_million(api: ApiPrice, mix: TokenMix, batch: bool = False) -> Decimal:
    """Return $ per 1M tokens of this mix, prompts and answers together."""
    return api_usd_per_request(api, mix, batch) * MILLION / mix.tokens


def cheapest_api(
    prices: Iterable[ApiPrice], mix: TokenMix, batch: bool = False
) -> tuple[ApiPrice, ...]:
    """Return the prices, cheapest for this mix first, then by provider."""
    return tuple(
        sorted(
            prices,
            key=lambda api: (api_usd_per_request(api, mix, batch), api.provider),
        )
    )


class ImpliedTokens(Struct, frozen=True):
    """What a bill says of the load behind it."""

    tokens: Decimal
    input_tokens: Decimal
    output_tokens: Decimal
    requests: Decimal


def implied_tokens(
    usd: Number, api: ApiPrice, mix: TokenMix, batch: bool = False
) -> ImpliedTokens:
    """Return the tokens that a spend buys at these rates and this mix."""
    price = positive(api_usd_per_request(api, mix, batch), "the API price")
    requests = positive(usd, "the spend") / price
    return ImpliedTokens(
        tokens=requests * mix.tokens,
        input_tokens=requests * mix.input_tokens,
        output_tokens=requests * mix.output_tokens,
        requests=requests,
    )
