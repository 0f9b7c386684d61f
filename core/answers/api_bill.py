"""What a load costs by the token at the APIs that a question names, and no GPU."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import ClassVar

from core.answers.answer import HOURS, LENGTHS, LOADS, PEAKS, Answer, Way
from core.money.api import ApiPrice
from core.money.costs import exact
from core.money.served import requests_per_month, served
from core.sizing.pay_by_use import ApiOption, api_range, usd_batched, usd_half_cached
from core.workload import Assumption, InferenceSpec, Resolved

OF_THE_LOAD = (
    "input_tokens", "output_tokens", "cache_hit_rate", "utilization",
    "active_hours_per_day", "requests_per_user_per_day", "rps",
)  # fmt: skip
"""The assumptions that a bill by the token rests on."""


class ApiBill(Answer, frozen=True):
    """One month at each API, as asked, with cached prompts, and in batches."""

    resolved: Resolved
    spec: InferenceSpec
    options: tuple[ApiOption, ...]
    """Cheapest first."""
    flow: bool = False
    """Tokens a day or month are stated, and not how they are split."""

    applies: ClassVar = LOADS | PEAKS | LENGTHS | HOURS | {"compare_api"}
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every API, the cheapest first."""
        load = served(self.spec)
        return tuple(option.way(load) for option in self.options)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What the bill rests on: nothing of GPUs, formats or latency."""
        every = self.resolved.assumptions
        return tuple(one for one in every if one.field in OF_THE_LOAD)

    def details(self) -> Mapping[str, object]:
        """Each API with a request's price, and what caching and batches come to."""
        rows = [
            {
                "*": option,
                "usd_per_month_input_alone": self.input_alone(option.api),
                "usd_per_request": option.usd_per_month / self.requests,
                "usd_per_month_half_cached": self.cached(option.api),
                "usd_per_month_batched": self.batched(option.api),
            }
            for option in self.options
        ]
        return {
            "spec": None,
            "requests_per_month": self.requests,
            "recommendation": rows[0],
            "alternatives": rows[1:],
        }

    @property
    def requests(self) -> Decimal:
        """Requests of a month."""
        return requests_per_month(self.spec)

    @property
    def answers_assumed(self) -> bool:
        """Whether nobody said how long the answers are."""
        return any(one.field == "output_tokens" for one in self.resolved.assumptions)

    def input_alone(self, api: ApiPrice) -> Decimal:
        """Dollars a month for the prompts; for a flow that is not split, all of it."""
        return self.prompt_tokens * api.live.input_usd_per_million / 1_000_000

    @property
    def prompt_tokens(self) -> Decimal:
        """Tokens of a month that are read: a flow that nobody split is taken whole."""
        each = exact(self.spec.input_tokens)
        whole = any(one.field == "input_tokens" for one in self.resolved.assumptions)
        if self.flow and whole and self.answers_assumed:
            each += exact(self.spec.output_tokens)
        return self.requests * each

    def cached(self, api: ApiPrice) -> Decimal | None:
        """Dollars a month if half of each prompt repeats; None: no rate, or stated."""
        return usd_half_cached(api, self.spec)

    def batched(self, api: ApiPrice) -> Decimal | None:
        """Dollars a month for requests that may wait; None: no published rate."""
        return usd_batched(api, self.spec)


def api_bill(
    resolved: Resolved,
    spec: InferenceSpec,
    named: Iterable[ApiPrice],
    flow: bool = False,
) -> ApiBill | None:
    """The bill of a load at each named API; None: no price of them is known."""
    found = api_range(spec, named)
    return ApiBill(resolved, spec, found.options, flow) if found else None
