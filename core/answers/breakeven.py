"""Self-host or API: what a load costs either way, and from which load on it turns."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from operator import itemgetter
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import SERVING, Answer, Rejection, Way, way_figures
from core.answers.capacity import carried_rate
from core.estimate.capacity import ReplicaCapacity
from core.market.api_market import ApiBook, usable_apis
from core.market.board import billed_gpus
from core.market.market import Market, Use, market_of
from core.market.pricing import rentable
from core.market.recommendation import FleetPlan, Option
from core.money.api import ApiPrice, ImpliedTokens, api_usd_per_request
from core.money.breakeven import BreakEven, Fleet, break_even
from core.money.costs import SECONDS_PER_HOUR, HourlyCost, exact
from core.money.scale_to_zero import rate_billed
from core.money.served import mix_of, served
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.sizing.fleet import Planned, plan_gpu
from core.sizing.pay_by_use import (
    ApiOption,
    ApiRange,
    ServerlessOption,
    api_range,
    serverless_options,
)
from core.sizing.picks import most_sensible
from core.sizing.serving import priced
from core.wording import say
from core.workload import InferenceSpec, Resolved

UNIT_SHAPES = 2
"""Replica shapes held against an API: the smallest that serve; larger ones start to
pay later."""
NEAR = Decimal("1.2")
"""Within a fifth of each other, neither way is called the cheaper: the estimate of
the fleet is no closer than that."""


Served = Option | ApiOption | ServerlessOption
"""Own GPUs by the hour, an API by the token, or GPUs by the second."""


class Unit(Struct, frozen=True):
    """Replicas at one offer, and the average rate whose peak they carry."""

    capacity: ReplicaCapacity
    offer: Offer
    gpu: str
    fleet: Fleet
    replicas: int = 1

    @property
    def usd_per_hour(self) -> float:
        """Dollars per hour, to compare by."""
        return float(self.fleet.usd_per_hour)

    @property
    def rate(self) -> float:
        """Average requests per second, to compare by."""
        return float(self.fleet.requests_per_second)

    @property
    def gpus(self) -> int:
        """GPUs that are billed."""
        return int(self.fleet.usd_per_hour / self.offer.usd_per_gpu_hour)


class Crossing(Struct, frozen=True):
    """The load from which own GPUs cost less than one API, if from any."""

    api: ApiPrice
    unit: Unit
    point: BreakEven
    full_utilisation: Decimal | None
    """Of their capacity around the clock at the break-even; None: never."""


class BreakEvenAnswer(Answer, frozen=True):
    """Every way to serve one workload, and where they cross."""

    resolved: Resolved
    spec: InferenceSpec
    fleet: Option | None
    """The cheapest fleet for the load; None: nothing that may be used carries it."""
    named: ApiRange | None
    """The APIs that the question names."""
    hosted: ApiRange | None
    """The same weights at the APIs that serve them."""
    serverless: ServerlessOption | None
    crossings: tuple[Crossing, ...]
    """One for each API, in the order named, then hosted."""
    load_stated: bool
    spend: Decimal | None = None
    """Dollars a month that the question says an API costs now."""
    implied: ImpliedTokens | None = None
    rejections: tuple[Rejection, ...] = ()
    similar: bool = False
    """The hosted prices are of a model of about the same size."""
    unpriced: tuple[str, ...] = ()
    """The APIs that are named and of which no price is known."""
    must_host: bool = False
    """No API may be used: its bill only tells what self-hosting costs beyond it."""
    as_named: InferenceSpec | None = None
    """The load as the named APIs serve it, where only one side thinks; None: alike."""

    applies: ClassVar = SERVING | {
        "compare_api", "api_spend_amount", "api_share", "api_usd_per_million",
    }  # fmt: skip
    watched: ClassVar = "load"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """What the verdict advises, then the other side; the API as it is named."""
        if not self.load_stated:
            return ()
        ways: list[Served | None] = [self.by_the_token or self.hurdle, self.fleet]
        if self.advised is not None:
            ways = [self.advised, *(one for one in ways if one is not self.advised)]
        load = served(self.spec)
        return tuple(
            one.way(load, say("assumptions.own_gpus"))
            if isinstance(one, Option)
            else one.way(load)
            for one in ways
            if one is not None
        )

    @property
    def status(self) -> str:
        """Whether one way is advised, and why not."""
        if self.hurdle is None:
            return "unpriced"
        if not self.load_stated:
            return "depends_on_load"
        return "ok" if self.advised else "too_close"

    @property
    def turns_at(self) -> Decimal | None:
        """Requests per second on average from which own GPUs cost less."""
        return self.crossing.point.requests_per_second if self.crossing else None

    def details(self) -> Mapping[str, object]:
        """Every way in full, and where each API is overtaken."""
        advised = next((way for way in self.ways if way.of is self.advised), None)
        return {
            "recommendation": way_figures(advised) if advised else None,
            "alternatives": [],
            "own_fleet": self.fleet,
            "serverless": self.serverless,
            "apis_named": self.named.options if self.named else (),
            "apis_of_the_same_weights": self.hosted.options if self.hosted else (),
            "break_evens": self.crossings,
            "self_hosting_saves_usd_per_month": self.self_hosting_saves
            if self.load_stated
            else None,
            "serverless_below_requests_per_second": self.serverless_below,
            "prices": [self.fleet.offer] if self.fleet else [],
        }

    def spec_at(self, api: ApiPrice) -> InferenceSpec:
        """The load as an API serves it: its model may think less, or more."""
        named = {option.api for option in self.named.options} if self.named else ()
        return self.as_named or self.spec if api in named else self.spec

    @property
    def other_models(self) -> tuple[ApiOption, ...]:
        """The named APIs that serve another model than the one compared."""
        hosted = {option.api for option in self.hosted.options} if self.hosted else ()
        options = self.named.options if self.named else ()
        own = self.spec.model.id
        return tuple(
            option
            for option in options
            if option.api not in hosted and option.api.model != own
        )

    @property
    def serverless_below(self) -> float | None:
        """Average requests per second under which serverless beats the fleet.

        None: no such offer, or it is the cheaper at this load too.
        """
        one, fleet = self.serverless, self.fleet
        if one is None or fleet is None or one.usd_per_month < fleet.usd_per_month:
            return None
        hourly = one.offer.usd_per_gpu_hour * one.gpus
        affordable = float(fleet.usd_per_hour / hourly)
        if affordable >= 1:
            return None
        return rate_billed(affordable, one.capacity.e2e_ms / 1000, one.cold_start_s)

    @property
    def hurdle(self) -> ApiOption | None:
        """The API that self-hosting is held against: the named one, else the going
        price of the same weights."""
        if self.named is not None:
            return self.named.cheapest
        if self.hosted is None:
            return None
        return self.hosted.going

    @property
    def by_the_token(self) -> ApiOption | None:
        """The going price of the same weights, where a closed API is named."""
        if not self.other_models or self.hosted is None:
            return None
        return self.hosted.going

    @property
    def crossing(self) -> Crossing | None:
        """Where self-hosting meets the hurdle."""
        hurdle = self.hurdle
        if hurdle is None:
            return None
        return next((c for c in self.crossings if c.api == hurdle.api), None)

    @property
    def self_hosting_saves(self) -> Decimal | None:
        """Dollars a month against the hurdle at this load; negative: it costs more."""
        if self.fleet is None or self.hurdle is None:
            return None
        return self.hurdle.usd_per_month - self.fleet.usd_per_month

    @property
    def near(self) -> bool:
        """Whether the two bills are too close to call."""
        if self.fleet is None or self.hurdle is None:
            return False
        bills = sorted((self.fleet.usd_per_month, self.hurdle.usd_per_month))
        return bills[1] < bills[0] * NEAR

    @property
    def advised(self) -> Served | None:
        """The cheapest way at this load; None: not stated, unknown, or too close.

        A price far below all others is worth a look, and never what is advised.
        """
        if not self.load_stated:
            return None
        if self.must_host:
            return self.fleet
        if self.hurdle is None:
            own = [way for way in (self.fleet, self.serverless) if way is not None]
            return min(own, key=lambda way: way.usd_per_month, default=None)
        if self.fleet is None:
            return self.hurdle
        ways: list[Served] = [self.fleet, self.hurdle]
        if self.hosted is not None and not self.hosted.odd:
            ways.append(self.hosted.cheapest)
        ways += [one for one in (self.by_the_token, self.serverless) if one]
        best = min(ways, key=lambda way: way.usd_per_month)
        return None if self.near and best in ways[:2] else best

    @property
    def undercut(self) -> ApiOption | ServerlessOption | None:
        """A way that is cheaper than own GPUs and the hurdle both, where one is."""
        best = self.advised
        if best is None or isinstance(best, Option) or best == self.hurdle:
            return None
        return best


def answer_breakeven(
    resolved: Resolved,
    spec: InferenceSpec,
    apis: ApiBook,
    load_stated: bool,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    spend: Decimal | None = None,
    implied: ImpliedTokens | None = None,
    must_host: bool = False,
    as_named: InferenceSpec | None = None,
) -> BreakEvenAnswer:
    """Price a workload every way, and find the load at which self-hosting pays."""
    use = Use(spec.constraints, live=True, now=now)
    market = market_of(catalog, use, reference)
    planned = {gpu: plan_gpu(spec, reference.gpus[gpu]) for gpu in market.by_gpu}
    units = list(_units(spec, planned, market))
    serverless = serverless_options(spec, catalog, reference, now, planned)
    sold = usable_apis(apis.hosted, spec, reference)
    at_named = as_named or spec
    named, hosted = api_range(at_named, apis.named), api_range(spec, sold)
    fleet = _cheapest_fleet(spec, planned, market, reference)
    own = _whole(spec, fleet) if fleet and load_stated else None
    return BreakEvenAnswer(
        resolved=resolved,
        spec=spec,
        fleet=fleet,
        named=named,
        hosted=hosted,
        serverless=serverless[0] if serverless else None,
        crossings=tuple(
            _crossing(at_named if api in apis.named else spec, units, api, own)
            for api in _worth_crossing(named, hosted)
            if units
        ),
        load_stated=load_stated,
        spend=spend,
        implied=implied,
        rejections=tuple(p.rejection for p in planned.values() if p.rejection),
        similar=apis.similar,
        unpriced=apis.unpriced,
        must_host=must_host,
        as_named=as_named,
    )


def _units(
    spec: InferenceSpec, planned: dict[str, Planned], market: Market
) -> Iterable[Unit]:
    """Each replica shape at the offer that rents it for the least, whole machines.

    A replica carries an average load only as far as its peak: the rate with headroom
    times the average over the peak.
    """
    for gpu, found in planned.items():
        for plan in found.plans[:UNIT_SHAPES]:
            offers = (o for o in market.boxes(gpu) if rentable(plan, o))
            costs = [(_hourly(plan, offer).per_hour, offer) for offer in offers]
            if costs:
                hourly, offer = min(costs, key=itemgetter(0))
                yield _unit(spec, plan, offer, hourly, 1)


def _whole(spec: InferenceSpec, fleet: Option) -> Unit:
    """The fleet that the load takes, as it is listed."""
    hourly, replicas = fleet.usd_per_hour, fleet.plan.replicas
    return _unit(spec, fleet.plan, fleet.offer, hourly, replicas)


def _unit(
    spec: InferenceSpec, plan: FleetPlan, offer: Offer, hourly: Decimal, replicas: int
) -> Unit:
    full = plan.capacity.requests_per_second.likely
    rate = carried_rate(plan.capacity, replicas, spec.targets.ttft_ms, full)
    average = max(round(rate * spec.load.average_share, 9), 1e-9)
    fleet = Fleet.of(hourly, average)
    return Unit(plan.capacity, offer, plan.gpu.id, fleet, replicas)


def _hourly(plan: FleetPlan, offer: Offer) -> HourlyCost:
    """What one replica costs an hour, in whole machines."""
    return HourlyCost(offer.usd_per_gpu_hour, billed_gpus(offer, plan.replica_gpus))


def _cheapest_fleet(
    spec: InferenceSpec,
    planned: dict[str, Planned],
    market: Market,
    reference: Reference,
) -> Option | None:
    options = list(priced(spec, planned, market, reference))
    sound = [option for option in options if not option.doubt]
    return most_sensible(sound or options)


def _crossing(
    spec: InferenceSpec, units: Sequence[Unit], api: ApiPrice, own: Unit | None
) -> Crossing:
    """Where the listed fleet pays for itself, else the first replica that does.

    Where none does, the nearest.
    """
    mix = mix_of(spec)
    per_hour = float(api_usd_per_request(api, mix)) * SECONDS_PER_HOUR
    listed = (own,) if own else ()
    pays = [u for u in (*listed, *units) if u.usd_per_hour <= per_hour * u.rate]
    if pays:  # the listed one leads, where it pays at all
        unit = min(pays, key=lambda one: (one is not own, one.usd_per_hour))
    else:
        unit = min(units, key=lambda one: one.usd_per_hour / one.rate)
    point = break_even(unit.fleet, api, mix)
    rate = point.requests_per_second
    full = exact(unit.capacity.requests_per_second.likely * unit.replicas)
    return Crossing(api, unit, point, None if rate is None else rate / full)


def _worth_crossing(named: ApiRange | None, hosted: ApiRange | None) -> list[ApiPrice]:
    """Every API that was named; of the others the cheapest, the middle, the dearest."""
    apis = [option.api for option in named.options] if named else []
    if hosted is not None:
        chosen = (hosted.cheapest, hosted.going, hosted.middle, hosted.options[-1])
        apis += [option.api for option in chosen if option.api not in apis]
    return apis
