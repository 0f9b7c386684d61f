"""Plans at offers: whole machines, interruptions, a fast network, dollars exact."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from operator import itemgetter
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import Rejection
from core.estimate.jobs import on_spot, plan
from core.jobs.options import (
    RENTED_NODE,
    SHORT_HOURS,
    JobOption,
    JobPlan,
    SpotTerms,
    hours_range,
)
from core.jobs.runs import FAST_LINK_GB_S, as_plan
from core.market.board import billed_gpus
from core.market.uptime import uptime
from core.money.costs import exact
from core.money.spot import Interruptions
from core.offers import Offer
from core.reference.catalogue import Reference
from core.reference.training import training_constants
from core.wording import say
from core.workload import Constraints

QUEUE_LOSS_HOURS = Decimal("0.05")
"""Work of a batch that an interruption throws away: the requests in flight."""
ABOUT = Decimal("1.05")
"""Within this the same price: more GPUs must save more to be worth asking for."""
ABOUT_SHORT = Decimal("1.5")
ABOUT_SHARED = Decimal("1.2")
LATE = Decimal("1.1")
"""Of an assumed time to be done: "about a month" is a tenth more at the most."""
HOUR_PLACES = Decimal("1e-6")


class Priced(Struct, frozen=True):
    """What came of one GPU's plans at the offers of it."""

    options: tuple[JobOption, ...]
    refused: tuple[Rejection, ...] = ()


class Stops(Struct, frozen=True):
    """How often spot capacity is taken away and work is saved, as somebody said."""

    hours: float | None
    of_machine: bool
    """Else of the whole job."""
    saved_every: float | None = None
    """Hours between checkpoints of a run."""


def price_plans(
    plans: Sequence[JobPlan],
    offers: Iterable[Offer],
    reference: Reference,
    deadline: float | None,
    stops: Stops | None = None,
    horizon: float | None = None,
    spread: bool = True,
) -> Priced:
    """The cheapest way to run one GPU's plans at each offer; why an offer has none.

    `horizon`: the hours that nobody stated; interruptions may not stretch a way
    beyond it where another one ends about then. `spread`: whether a pile is worked on
    by all GPUs that are paid for.
    """
    timed: dict[tuple[int, bool], Timed | None] = {}
    machines = _Machines(spread)
    doing: dict[tuple[bool, tuple[int, ...]], tuple[list[Timed], bool]] = {}

    def ending(ways: Sequence[JobPlan], taken: bool) -> tuple[list[Timed], bool]:
        """The ways to choose from, on spot or not, and whether any of them ends."""
        for way in ways:
            if (id(way), taken) not in timed:
                timed[id(way), taken] = _timed(way, taken, stops)
        found = [one for way in ways if (one := timed[id(way), taken])]
        ended = [one for one in found if _in_time(one, deadline)]
        safe = [one for one in ended if safely_in_time(one, deadline)]
        return about_then(safe or ended, horizon), bool(found)

    options: list[JobOption] = []
    refused: list[Rejection] = []
    for offer in offers:
        taken = offer.pricing == "spot"
        ways, alone = _rentable_there(plans, offer, reference)
        if alone and not ways:
            refused.append(_no_network(offer))
        ways = machines.filled(ways, offer)
        key = taken, tuple([id(way) for way in ways])
        if key not in doing:  # what all offers of such machines share
            doing[key] = ending(ways, taken)
        kept, ends = doing[key]
        if kept:
            options.append(_fewest_gpus(kept, offer, reference, spread))
        elif ways:
            refused.append(_late_or_endless(offer, ends))
    return Priced(tuple(options), tuple(refused))


def _rentable_there(
    plans: Sequence[JobPlan], offer: Offer, reference: Reference
) -> tuple[list[JobPlan], bool]:
    """The plans that an offer's machines hold; whether no network joins these."""
    box = machine_gpus(offer)
    ways = [way for way in plans if rentable(way, box)]
    box = _sold_singly(ways, offer) or box
    if not ways or _networked(ways, box, offer, reference):
        return ways, False
    return [way for way in ways if way.together <= box], True


class _Machines:
    """Runs on all GPUs that are paid for, each worked out once."""

    def __init__(self, spread: bool) -> None:
        self._spread = spread
        self._wider: dict[tuple[int, int], JobPlan] = {}

    def filled(self, ways: Sequence[JobPlan], offer: Offer) -> list[JobPlan]:
        """The ways as an offer's whole machines take them."""
        return [self._filled(way, billed_gpus(offer, way.gpus)) for way in ways]

    def _filled(self, way: JobPlan, gpus: int) -> JobPlan:
        if not self._spread or way.run is None or gpus <= way.gpus:
            return way
        if way.gpu.link_gb_s < FAST_LINK_GB_S:  # cards that PCIe joins
            return way
        if (id(way), gpus) not in self._wider:
            wider = plan(replace(way.run.request, gpus=gpus))
            self._wider[id(way), gpus] = as_plan(wider) if wider.fits else way
        return self._wider[id(way), gpus]


class Timed(NamedTuple):
    """A way with its wall hours, whoever sells it: likely, in the best, the worst case.

    `hours_range` is as estimated, not as billed.
    """

    plan: JobPlan
    spot: SpotTerms | None
    hours: Decimal
    low: Decimal
    high: Decimal
    hours_range: tuple[float, float]


def _timed(way: JobPlan, taken: bool, stops: Stops | None) -> Timed | None:
    """How long a way takes; None: on spot it would never end."""
    terms = spot_terms(way, stops) if taken else None
    if taken and terms is None:
        return None
    factor = terms.time_factor if terms else Decimal(1)
    low, likely, high = (
        (exact(each) * factor).quantize(HOUR_PLACES)
        for each in (way.hours.low, way.hours.likely, way.hours.high)
    )
    return Timed(way, terms, likely, low, high, hours_range(way, terms))


def _fewest_gpus(
    ways: Sequence[Timed], offer: Offer, reference: Reference, spread: bool
) -> JobOption:
    """The way with the fewest GPUs among those that cost about the least.

    Of short work, among those that cost half as much again: it is little money.
    """
    each = offer.usd_per_gpu_hour
    priced = []
    for way in ways:
        gpus = billed_gpus(offer, way.plan.gpus)
        done = _on_all(way, gpus) if spread else way
        priced.append((gpus, each * gpus * done.hours, done))
    least = min([usd for _, usd, _ in priced])
    gpus, usd, way = min(
        [
            (gpus, usd, way)
            for gpus, usd, way in priced
            if usd <= least * (ABOUT_SHORT if way.hours < SHORT_HOURS else ABOUT)
        ],
        key=lambda one: (one[0], one[1], one[2].hours),
    )
    return JobOption(
        plan=way.plan,
        offer=offer,
        gpus=gpus,
        hours=way.hours,
        usd=usd,
        usd_low=each * gpus * way.low,
        usd_high=each * gpus * way.high,
        spot=way.spot,
        sla_percent=uptime(offer, 1, reference).percent,
    )


def _on_all(way: Timed, gpus: int) -> Timed:
    """A pile on every replica that the paid GPUs hold; a run stays as it is planned."""
    plan = way.plan
    servers, more = (each // plan.together for each in (plan.gpus, gpus))
    if plan.run is not None or not 0 < servers < more:
        return way
    share, rate = servers / more, plan.tokens_per_second
    plan = replace(
        plan,
        gpus=more * plan.together,
        hours=plan.hours.scaled(share),
        tokens_per_second=rate and rate.scaled(1 / share),
    )
    low, likely, high = (
        (each * servers / more).quantize(HOUR_PLACES)
        for each in (way.low, way.hours, way.high)
    )
    return Timed(plan, way.spot, likely, low, high, hours_range(plan, way.spot))


W = TypeVar("W", JobOption, Timed)


def about_then(ways: Sequence[W], horizon: float | None) -> list[W]:
    """The ways that end about when a job is assumed to; all, where none does."""
    if horizon is None:
        return list(ways)
    latest = exact(horizon) * LATE
    return [way for way in ways if way.hours <= latest] or list(ways)


def _in_time(option: Timed, deadline: float | None) -> bool:
    return deadline is None or option.hours <= exact(deadline)


def safely_in_time(option: JobOption | Timed, deadline: float | None) -> bool:
    """Whether it ends in time at the slow end of the estimate too."""
    return deadline is None or option.hours_range[1] <= deadline


def _late_or_endless(offer: Offer, ends: bool) -> Rejection:
    if ends:
        return Rejection(offer.provider, "deadline", say("rejections.too_late"))
    return Rejection(
        offer.provider, "spot-training", say("rejections.interrupted_too_often")
    )


def _no_network(offer: Offer) -> Rejection:
    why = say("rejections.no_fast_network")
    return Rejection(offer.provider, "infiniband", why)


def spot_terms(way: JobPlan, stops: Stops | None = None) -> SpotTerms | None:
    """What interruptions add; None: on spot the job would never end."""
    one = _machine_hours(way, stops)
    if way.run is None:
        return _batch_terms(way, one)
    found = on_spot(way.run, one, stops.saved_every if stops else None)
    factor = found.stops.time_factor
    if factor is None:
        return None
    return SpotTerms(found.stops, factor, found.expected_stops)


def _machine_hours(way: JobPlan, stops: Stops | None) -> float:
    """Hours until one machine is lost: a job on several is stopped by any of them."""
    if stops is None or stops.hours is None:
        return training_constants().values["spot_mtbf_hours"]
    return stops.hours * (1 if stops.of_machine else way.machines)


def _batch_terms(way: JobPlan, one: float) -> SpotTerms | None:
    """Replicas stop one by one, and lose only what they were answering."""
    values = training_constants().values
    stops = Interruptions.of(
        mtbf_hours=one,
        checkpoint_every_hours=QUEUE_LOSS_HOURS,
        restart_hours=values["restart_hours"],
    )
    factor = stops.time_factor
    if factor is None:
        return None
    each = way.hours.likely * float(factor) / one
    return SpotTerms(stops, factor, each * way.machines)


def rentable(way: JobPlan, box: int) -> bool:
    """Whether what must sit together fits a machine of so many GPUs."""
    node = min(way.gpu.gpus_per_node, RENTED_NODE)
    return way.together <= box or node <= box


def machine_gpus(offer: Offer) -> int:
    """GPUs of one machine; a price per GPU without one is taken for a node's.

    Community hosts are the machines of private owners: as large as they are listed.
    """
    if offer.instance or offer.tier == "community":
        return offer.gpu_count
    return max(RENTED_NODE, offer.gpu_count)


def _sold_singly(ways: Sequence[JobPlan], offer: Offer) -> int:
    """The GPUs of a machine of one-GPU nodes, which no network joins; 0: of others."""
    return offer.gpu_count if ways and ways[0].gpu.gpus_per_node == 1 else 0


def _networked(
    ways: Sequence[JobPlan], box: int, offer: Offer, reference: Reference
) -> bool:
    """Whether several machines of the provider can work on one job."""
    if max([way.together for way in ways]) <= box:
        return True
    if ways[0].gpu.gpus_per_node == 1:
        return False
    provider = reference.provider(offer.provider)
    return provider is not None and bool(provider.infiniband or provider.interconnect)


def rank_jobs(
    options: Iterable[JobOption],
    *,
    limits: Constraints | None = None,
    deadline: float | None = None,
) -> list[JobOption]:
    """The best way of each provider, GPU and pricing; cheapest job first.

    A crowd of spot machines is hardly ever free at once, and an old spot price is
    none: they come last where nobody asks for spot. So does what ends in time only if
    all goes well.
    """

    def order(option: JobOption) -> tuple[object, ...]:
        return (
            limits is not None and option.chancy(limits),
            not safely_in_time(option, deadline),
            *option_order(option),
        )

    best: dict[tuple[str, str, str], tuple[tuple[object, ...], JobOption]] = {}
    for option in options:
        key = (option.offer.provider, option.plan.gpu.id, option.offer.pricing)
        place, kept = order(option), best.get(key)
        if kept is None or place < kept[0]:
            best[key] = place, option
    return [option for _, option in sorted(best.values(), key=itemgetter(0))]


def option_order(option: JobOption) -> tuple[object, ...]:
    """What a company can rent first; then the cheapest job, sooner, fewer GPUs, name.

    Workers by the second come behind machines: nobody rents them for days.
    Several machines for a short stretch must save a third to be worth setting up, and
    several cards that only PCIe joins a sixth.
    Private hosts are the cheapest of all, hold no confidential data and may leave.
    """
    return (
        not option.dependable,
        option.offer.tier == "serverless",
        option.usd * _bother(option),
        option.hours,
        option.gpus,
        -option.offer.observed_at.timestamp(),
        option.offer.provider,
        option.offer.gpu,
        option.offer.region,
    )


def _bother(option: JobOption) -> Decimal:
    """By what a price is multiplied for what it takes to run it."""
    if option.hasty:
        return ABOUT_SHORT
    gpu, run = option.plan.gpu, option.plan.run
    shared = run is not None and option.gpus > 1 and gpu.link_gb_s < FAST_LINK_GB_S
    return ABOUT_SHARED if shared else Decimal(1)
