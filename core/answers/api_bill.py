"""What a load, or a million tokens, costs at the APIs that a question is about."""

from collections.abc import Collection, Iterable, Mapping
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import (
    HOURS,
    LENGTHS,
    LOADS,
    PEAKS,
    Answer,
    Money,
    Rejection,
    Way,
)
from core.market.api_market import kept_out_by
from core.money.api import ApiPrice, TokenMix
from core.money.costs import exact
from core.money.served import requests_per_month, served
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import (
    ApiOption,
    ApiRange,
    api_range,
    usd_batched,
    usd_half_cached,
)
from core.wording import say
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
    once: bool = False
    """A pile is billed, not a month: the sums are those of all its requests."""
    paid: Decimal | None = None
    """Dollars of a month that were billed for these tokens."""
    odd: tuple[ApiOption, ...] = ()
    """Far below what most ask, of a model that many host: told, and never led with."""
    hosted: bool = False
    """Whether anybody may host the model."""

    applies: ClassVar = LOADS | PEAKS | LENGTHS | HOURS | {
        "compare_api", "requests_total", "deadline_hours", "paid_a_month",
    }  # fmt: skip
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
            "requests_in_all" if self.once else "requests_per_month": self.requests,
            "recommendation": rows[0],
            "alternatives": rows[1:],
        }

    def parts(self, api: ApiPrice) -> tuple[Decimal, Decimal, Decimal]:
        """Dollars a month of new input, of what the cache gives, and of answers."""
        rates, million = api.live, 1_000_000
        read = self.requests * exact(self.spec.input_tokens)
        hits = read * exact(self.spec.cache_hit_rate)
        cached = rates.cached_input_usd_per_million or rates.input_usd_per_million
        written = self.requests * exact(self.spec.output_tokens)
        return (
            (read - hits) * rates.input_usd_per_million / million,
            hits * cached / million,
            written * rates.output_usd_per_million / million,
        )

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

    def lowest(self, option: ApiOption) -> Decimal:
        """Dollars in batches, where the seller has a rate for them."""
        batched = self.batched(option.api)
        return option.usd_per_month if batched is None else batched

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
    once: bool = False,
    paid: Decimal | None = None,
    hosted: bool = False,
) -> ApiBill | None:
    """The bill of a load at each named API; None: no price of them is known.

    A pile is ordered by what its batches cost, as nobody waits for it.
    """
    found = api_range(spec, named)
    if found is None:
        return None
    odd: tuple[ApiOption, ...] = ()
    if hosted:
        odd = found.options[: found.options.index(found.going)]
    kept = found.options[len(odd) :]
    bill = ApiBill(resolved, spec, kept, flow, once, paid, odd, hosted)
    if not once:
        return bill
    options = sorted(found.options, key=lambda one: bill.lowest(one))
    return replace(bill, options=tuple(options))


class Asked(Struct, frozen=True):
    """What one seller asks for the tokens of a model."""

    model: str
    api: ApiPrice
    usd_per_million: Decimal
    """Of prompts and answers together, in the usual mix."""
    odd: bool
    """Far below what most ask: it may serve fewer bits, or a shorter context."""


class PriceList(Struct, frozen=True):
    """What the sellers of one model ask for its tokens."""

    name: str
    sold: ApiRange
    """At every seller that may be used; where none may, at all of them."""
    named: tuple[ApiOption, ...] = ()
    """At the sellers whom the question names."""
    kept: bool = True
    """Whether these sellers are known to keep to what the question rules out."""
    instead_of: str = ""
    """The model that was asked about, and that no price is known of."""
    elsewhere: tuple[str, ...] = ()
    """Sellers who are named, and of whom no price of this model is known."""
    rejections: tuple[Rejection, ...] = ()

    @property
    def best(self) -> Asked:
        """The cheapest of those named, else the lowest price that is not odd."""
        return self._asked(self.named[0] if self.named else self.sold.going)

    @property
    def rows(self) -> tuple[Asked, ...]:
        """Those that are named, then every other; each the cheapest first."""
        rest = (one for one in self.sold.options if one not in self.named)
        return tuple(map(self._asked, (*self.named, *rest)))

    def _asked(self, one: ApiOption) -> Asked:
        odd = one.usd_per_million < self.sold.going.usd_per_million
        return Asked(self.name, one.api, one.usd_per_million, odd)


class ApiPrices(Answer, frozen=True):
    """The price of a model by the token, where no load is stated."""

    lists: tuple[PriceList, ...]
    unpriced: tuple[str, ...]
    """Models of which nobody's price is known, nor one of their family."""
    mix: TokenMix
    """What sellers are ranked by."""
    assumptions: tuple[Assumption, ...]

    applies: ClassVar = LENGTHS | {
        "compare_api", "provider", "provider_exclude", "region", "region_also",
        "region_exclude", "owners", "compliance", "sla",
    }  # fmt: skip

    @property
    def ways(self) -> tuple[Way, ...]:
        """The best price of each model, then all others."""
        best = [each.best for each in self.lists]
        rest = [one for each in self.lists for one in each.rows if one not in best]
        return tuple(
            Way(
                one,
                Money(million=one.usd_per_million),
                api=one.api,
                name=f"{one.api.provider_name} {one.api.model.rsplit('/', 1)[-1]}",
            )
            for one in (*best, *rest)
        )

    @property
    def left_out(self) -> tuple[Rejection, ...]:
        """The sellers that are not known to keep to what was asked."""
        return tuple(one for each in self.lists for one in each.rejections)

    def details(self) -> Mapping[str, object]:
        """What is known of no price, and the request that sellers are ranked by."""
        return {
            "status": "ok" if self.lists else "unpriced",
            "without_a_known_price": self.unpriced,
            "ranked_by": {
                "input_tokens": self.mix.input_tokens,
                "output_tokens": self.mix.output_tokens,
            },
        }


def price_list(
    name: str,
    prices: Iterable[ApiPrice],
    spec: InferenceSpec,
    reference: Reference,
    sellers: Collection[str] = (),
    instead_of: str = "",
) -> PriceList | None:
    """Every price of a model that may be used, those of named sellers apart."""
    known = tuple(prices)
    broken = {one: kept_out_by(one, spec, reference) for one in known}
    usable = [one for one in known if broken[one] is None]
    sold = api_range(spec, usable or known)
    if sold is None:
        return None
    there = tuple(one for one in sold.options if one.api.provider in sellers)
    found = {one.api.provider for one in there}
    return PriceList(
        name=name,
        sold=sold,
        named=there,
        kept=bool(usable),
        instead_of=instead_of,
        elsewhere=tuple(one for one in sellers if one not in found),
        rejections=tuple(
            Rejection(one.provider_name, rule, say("rejections.api_not_known_to_keep"))
            for one, rule in broken.items()
            if rule is not None
        ),
    )
