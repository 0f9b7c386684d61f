"""What a served load comes to in requests and tokens, and a month of it by either."""

from decimal import Decimal

from msgspec import Struct

from core.answers.answer import Money
from core.money.api import TokenMix
from core.money.costs import MILLION, SECONDS_PER_HOUR, exact
from core.workload import InferenceSpec, WorkloadSpec


def mix_of(spec: InferenceSpec) -> TokenMix:
    """The tokens of one request of a workload."""
    return TokenMix.of(spec.input_tokens, spec.output_tokens, spec.cache_hit_rate)


def requests_per_month(spec: InferenceSpec) -> Decimal:
    """Requests of a month at the average rate, over the billed hours."""
    hours = spec.constraints.billed_hours_per_month
    return exact(spec.load.average_rps) * SECONDS_PER_HOUR * hours


def usd_per_million_tokens(usd_per_month: Decimal, spec: InferenceSpec) -> Decimal:
    """Dollars per 1M tokens, prompts and answers together, of a monthly bill."""
    tokens = requests_per_month(spec) * mix_of(spec).tokens
    return usd_per_month * MILLION / tokens


class Served(Struct, frozen=True):
    """A month of a served load, to divide bills by; None: it is no load of tokens."""

    requests: Decimal | None
    tokens_each: Decimal
    """Of a request, prompt and answer."""
    written_each: Decimal
    used: float
    """The average load over the peak that is paid for, 0–1."""

    def money(
        self,
        month: Decimal,
        hour: Decimal | None = None,
        million_output: Decimal | None = None,
    ) -> Money:
        """A month's bill, and what each request and token of it comes to."""
        if self.requests is None:
            return Money(hour=hour, month=month)
        each = month / self.requests
        if million_output is None and self.written_each:
            million_output = each * MILLION / self.written_each
        return Money(
            hour=hour,
            month=month,
            million_output=million_output,
            million=each * MILLION / self.tokens_each,
            request=each,
        )


def served(spec: WorkloadSpec) -> Served:
    """What a month of a workload's load is made of."""
    if not isinstance(spec, InferenceSpec):
        return Served(None, Decimal(0), Decimal(0), 1.0)
    tokens, written = mix_of(spec).tokens, exact(spec.output_tokens)
    share = spec.load.average_share
    return Served(requests_per_month(spec), exact(tokens), written, share)
