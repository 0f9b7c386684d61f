"""Paying by use: serverless GPUs and APIs beside a fleet that is rented by the hour."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import SERVING, Answer, Lever, Pick, Way, way_figures
from core.estimate.capacity import HIGHEST_UTILISATION, ReplicaCapacity
from core.hardware import GpuSpec
from core.market.api_market import usable_apis
from core.market.market import Shelf, Use, market_of
from core.market.recommendation import FleetPick, Option, picks_as_ways
from core.money.api import ApiPrice, TokenMix, api_usd_per_million, api_usd_per_request
from core.money.costs import exact
from core.money.scale_to_zero import billed_share, cold_start_s
from core.money.served import Served, mix_of, requests_per_month, served
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.sizing.fleet import (
    Planned,
    best_precision,
    replica_capacity,
    usable_layouts,
)
from core.wording import say
from core.workload import InferenceSpec, Resolved

LOW_USE = 0.05
"""A fleet whose GPUs are asked for less than this on average is idle (S4-009)."""
SHOWN = 4
"""Serverless offers that are listed."""
TRIED_HIT_RATE = Decimal("0.5")
"""Share of prompt tokens repeated: what a system prompt and a history often give."""
ODD_BELOW = Decimal("0.5")
"""A cheapest API below half of the middle one is shown as a range, not as the price:
it may serve fewer bits, a shorter context, or at a loss."""


class ServerlessOption(Struct, frozen=True):
    """One replica at a per-second price that scales to zero."""

    offer: Offer
    capacity: ReplicaCapacity
    billed: float
    """Workers billed on average: below 1, a share of the hours of one."""
    usd_per_month: Decimal
    cold_start_s: float

    @property
    def gpus(self) -> int:
        """GPUs of the replica."""
        return self.capacity.gpus

    def way(self, load: Served) -> Way:
        """The replica as a way to serve a load."""
        money = load.money(self.usd_per_month)
        return Way(self, money, self.offer, self.gpus, name="serverless")


class ApiOption(Struct, frozen=True):
    """The same requests at one API."""

    api: ApiPrice
    usd_per_month: Decimal
    usd_per_million: Decimal
    """Prompts and answers together."""

    def way(self, load: Served) -> Way:
        """The API as a way to serve a load: it takes what is sent, and no GPU."""
        name = f"{self.api.provider_name} {self.api.model.rsplit('/', 1)[-1]}"
        money = load.money(self.usd_per_month)
        return Way(self, money, api=self.api, name=name)


class ApiRange(Struct, frozen=True):
    """What the providers of one model charge for the same requests."""

    options: tuple[ApiOption, ...]
    """Cheapest first."""

    @property
    def cheapest(self) -> ApiOption:
        """The lowest price."""
        return self.options[0]

    @property
    def middle(self) -> ApiOption:
        """The median price; of an even number the cheaper of the two."""
        return self.options[(len(self.options) - 1) // 2]

    @property
    def going(self) -> ApiOption:
        """The going price: the lowest that does not stand far below the middle one."""
        limit = self.middle.usd_per_million * ODD_BELOW
        return next(one for one in self.options if one.usd_per_million >= limit)

    @property
    def odd(self) -> bool:
        """Whether the lowest price stands far below the middle one."""
        return self.cheapest != self.going


def api_range(spec: InferenceSpec, prices: Iterable[ApiPrice]) -> ApiRange | None:
    """The bill of a workload at each API, cheapest first; None: no API serves it."""
    mix, requests = mix_of(spec), requests_per_month(spec)
    options = [
        ApiOption(
            api,
            api_usd_per_request(api, mix) * requests,
            api_usd_per_million(api, mix),
        )
        for api in prices
    ]
    options.sort(key=lambda option: (option.usd_per_month, option.api.provider))
    return ApiRange(tuple(options)) if options else None


def usd_half_cached(api: ApiPrice, spec: InferenceSpec) -> Decimal | None:
    """Dollars a month at an API if half of each prompt repeats.

    None: no cheaper rate is published, or a share of hits is stated already.
    """
    live, mix = api.live, mix_of(spec)
    cached = live.cached_input_usd_per_million
    if cached is None or spec.cache_hit_rate or cached >= live.input_usd_per_million:
        return None
    hits = TokenMix.of(mix.input_tokens, mix.output_tokens, TRIED_HIT_RATE)
    return api_usd_per_request(api, hits) * requests_per_month(spec)


def usd_batched(api: ApiPrice, spec: InferenceSpec) -> Decimal | None:
    """Dollars a month for requests that may wait; None: no published rate."""
    if api.batch is None:
        return None
    each = api_usd_per_request(api, mix_of(spec), batch=True)
    return each * requests_per_month(spec)


def serverless_options(
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    planned: Mapping[str, Planned] | None = None,
) -> list[ServerlessOption]:
    """The serverless offers that serve a workload, cheapest per month first."""
    known = planned or {}
    limits = spec.constraints.model_copy(update={"serverless": True})
    if spec.constraints.serverless:
        # what is named beside it is how GPUs of one's own are paid
        limits = limits.model_copy(update={"pricing": (), "term_months": None})
    use = Use(limits, live=True, now=now)
    offers = (offer for offer in catalog.offers if offer.tier == "serverless")
    market = market_of(catalog, use, reference, Shelf("serverless", offers))
    found = []
    for name, sold in market.by_gpu.items():
        carried = _smallest(spec, reference.gpus[name], known.get(name))
        if carried is not None:
            found += [serverless_at(spec, carried, offer) for offer in sold]
    return sorted(found, key=lambda one: (one.usd_per_month, one.offer.provider))


def _smallest(
    spec: InferenceSpec, gpu: GpuSpec, planned: Planned | None
) -> ReplicaCapacity | None:
    """The replica with the fewest GPUs that meets the targets, if one does."""
    if planned is not None:
        plans = sorted(planned.plans, key=lambda plan: plan.replica_gpus)
        return plans[0].capacity if plans else None
    weights = best_precision(spec, gpu)
    if weights is None:
        return None
    shapes = (
        replica_capacity(spec, gpu, layout, weights)
        for layout in usable_layouts(spec, gpu)
    )
    return next((carried for carried in shapes if carried.met), None)


def serverless_at(
    spec: InferenceSpec, carried: ReplicaCapacity, offer: Offer
) -> ServerlessOption:
    """The bill of a workload at one serverless offer.

    Beyond what one worker carries, workers are billed in proportion to the load.
    """
    start = cold_start_s(carried.memory.weights_gb * carried.gpus)
    # an answer takes at most as long as when the worker is full
    rate, seconds = spec.load.average_rps, carried.e2e_ms / 1000
    workers = rate / (carried.requests_per_second.likely * HIGHEST_UTILISATION)
    held = (spec.load.concurrency or 0) * spec.load.average_share / carried.room
    billed = max(billed_share(rate, seconds, start), workers, held)
    hours = spec.constraints.billed_hours_per_month
    hourly = offer.usd_per_gpu_hour * carried.gpus
    return ServerlessOption(
        offer, carried, billed, hourly * hours * exact(round(billed, 9)), start
    )


class PayByUse(Answer, frozen=True):
    """A small load every way: by the token, by the second, by the month."""

    resolved: Resolved
    spec: InferenceSpec
    dedicated: Option | None
    """The cheapest fleet; None: nothing that may be used carries the load."""
    hosted: ApiRange | None
    serverless: tuple[ServerlessOption, ...]
    similar: bool = False
    """The hosted prices are of a model of about the same size."""
    fleet_picks: tuple[FleetPick, ...] = ()
    """The fleets that would be named, were they rented."""
    levers: tuple[Lever, ...] = ()
    """What would make the dedicated fleet smaller."""

    applies: ClassVar = SERVING
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """By the token, by the second, and on rented GPUs: the cheapest first."""
        load = served(self.spec)
        ways = [self.api.way(load)] if self.api else []
        ways += [one.way(load) for one in self.serverless[:1]]
        own = self.dedicated
        ways += [own.way(load, say("assumptions.own_gpus"))] if own else []
        return tuple(sorted(ways, key=lambda way: way.money.month or 0))

    @property
    def picks(self) -> tuple[Pick, ...]:
        """GPUs of one's own: best price, with an SLA, at a hyperscaler."""
        return picks_as_ways(self.fleet_picks, self.spec)

    @property
    def status(self) -> str:
        """Something is always sold by use where this is answered."""
        return "ok"

    def details(self) -> Mapping[str, object]:
        """Every API and serverless offer beside the dedicated fleet."""
        return {
            "recommendation": way_figures(self.ways[0]) if self.ways else None,
            "alternatives": [way_figures(way) for way in self.ways[1:]],
            "apis_of_the_same_weights": self.hosted.options if self.hosted else (),
            "serverless": self.serverless,
            "dedicated": self.dedicated,
            "dedicated_used": self.used,
        }

    @property
    def used(self) -> float | None:
        """Share of the dedicated fleet that the average load asks for."""
        return average_use(self.spec, self.dedicated) if self.dedicated else None

    @property
    def api(self) -> ApiOption | None:
        """The going price of the same weights by the token."""
        if self.hosted is None:
            return None
        return self.hosted.going

    @property
    def pays(self) -> bool:
        """Whether paying by use costs less than the dedicated fleet."""
        if self.dedicated is None:
            return bool(self.api or self.serverless)
        bills = [self.api.usd_per_month] if self.api else []
        bills += [one.usd_per_month for one in self.serverless[:1]]
        return any(usd < self.dedicated.usd_per_month for usd in bills)


def average_use(spec: InferenceSpec, fleet: Option) -> float:
    """Share of a fleet's capacity that the average load asks for."""
    plan = fleet.plan
    carried = plan.capacity.requests_per_second.likely * plan.replicas
    return spec.load.average_rps * spec.model_count / carried


def pay_by_use(
    resolved: Resolved,
    spec: InferenceSpec,
    dedicated: Option | None,
    prices: Iterable[ApiPrice],
    similar: bool,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> PayByUse:
    """Price a load by the token and by the second beside its dedicated fleet."""
    found = serverless_options(spec, catalog, reference, now)
    hosted = api_range(spec, usable_apis(prices, spec, reference))
    shown = tuple(found[:SHOWN])
    return PayByUse(resolved, spec, dedicated, hosted, shown, similar)
