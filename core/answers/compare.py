"""X or Y: each alternative under the same load, or at the same size, and the flip."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from itertools import product
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import HOURS, OFFERS, SERVING, Answer, Rejection, Way
from core.answers.capacity import PATIENT
from core.market.board import (
    Bill,
    asked_offers,
    bill_for,
    bill_order,
    perhaps_asked,
)
from core.market.contenders import Contender
from core.market.market import Shelf, Use, market_of, open_market
from core.market.recommendation import FleetPlan, Option
from core.money.ratio import Worth, worth
from core.money.served import served
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.sizing.advice import MOSTLY_IDLE
from core.sizing.fleet import plan_gpu
from core.sizing.patience import looser, missed
from core.sizing.picks import SAME_PRICE, most_sensible
from core.sizing.sensitivity import overtaken_at
from core.sizing.serving import (
    MODEST_GPUS,
    TWICE_AS_LONG,
    option_order,
    priced,
)
from core.sizing.speed_gap import SpeedGap, full_rate, speed_gap
from core.workload import Constraints, InferenceSpec, LatencyTargets, Resolved

AT_ANY_AGE = datetime(2000, 1, 1, tzinfo=UTC)
"""Seen from then, no price is too old."""


class UnderLoad(Struct, frozen=True):
    """One alternative carrying the load; without an option, why not."""

    contender: Contender
    option: Option | None
    rejection: Rejection | None = None
    unpriced: FleetPlan | None = None
    """A fleet that would do, where no price is known."""
    rented: bool = True
    """Whether the seller is known to rent the GPU at all."""
    fell_back: bool = False
    """Whether the pricing asked for is not sold, and on-demand stands in."""
    slower: str = ""
    """What takes longer than usual, where only unstated limits refused it."""
    short: Rejection | None = None
    """Why as many as were named do not carry it, where more of them are priced."""
    full_rate: float = 0.0
    """Output tokens per second of one GPU of a fleet that is full."""


class LoadComparison(Answer, frozen=True):
    """The alternatives under one load, the cheapest month first."""

    resolved: Resolved
    spec: InferenceSpec
    entries: tuple[UnderLoad, ...]
    overtaken_at: float | None = None
    """Requests per second from which the runner-up is the cheaper; None: nowhere."""
    alone: Contender | None = None
    """The one alternative that is named, where the others are the usual ones."""
    patient: LatencyTargets | None = None
    """The looser limits under which alone anything serves; None: as asked."""
    gap: SpeedGap | None = None
    """Why the first two are far apart in speed; None: they are not."""
    elsewhere: Option | None = None
    """The cheapest fleet of anybody, where hyperscalers alone are compared."""
    equal: tuple[Option, ...] = ()
    """All with the rest held equal; empty: they differ in what is compared alone."""

    applies: ClassVar = SERVING
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """The alternatives that carry the load, the cheapest month first."""
        load = served(self.spec)
        return tuple(option.way(load) for _, option in self.priced)

    @property
    def status(self) -> str:
        """Whether any of them carries it at a known price."""
        return "ok" if self.priced else "nothing_fits"

    def details(self) -> Mapping[str, object]:
        """Every alternative, priced or not, and where the runner-up wins."""
        first = 1 if self.priced else 0
        return {
            "recommendation": self.entries[0] if self.priced else None,
            "alternatives": self.entries[first:],
            "flip": self.flip,
            "overtaken_at_requests_per_second": self.overtaken_at,
            "elsewhere": self.elsewhere,
        }

    @property
    def refused(self) -> UnderLoad | None:
        """The one named alternative, where it does not carry the load."""
        mine = (e for e in self.entries if e.contender is self.alone)
        return next((e for e in mine if e.option is None), None)

    @property
    def priced(self) -> tuple[tuple[UnderLoad, Option], ...]:
        """The alternatives that carry the load at a known price."""
        return tuple((e, e.option) for e in self.entries if e.option is not None)

    @property
    def alike(self) -> Option | None:
        """What the seller of the spot fleet asks for the same GPUs on demand."""
        spot = any(option.offer.pricing == "spot" for option in self.equal)
        steady = (one for one in self.equal if one.offer.pricing != "spot")
        return next(steady, None) if spot else None

    @property
    def flip(self) -> Worth | None:
        """The winner against the next: the price ratio at which they cost the same.

        The work per hour of a GPU is one over the GPUs that this load takes.
        """
        if len(self.priced) < 2:
            return None
        (_, first), (_, second) = self.priced[:2]
        if second.usd_per_month < first.usd_per_month:
            return None  # it leads for its fewer GPUs, or for not being spot
        return worth(
            first.offer.usd_per_gpu_hour,
            second.offer.usd_per_gpu_hour,
            second.gpus,
            first.gpus,
        )


class AtSize(Struct, frozen=True):
    """One alternative at a stated size; without a bill, no price is known.

    Where a seller states the form factor of none of its GPUs, the bill is for what
    may be the GPU asked for, by the name that its source gives it.
    """

    contender: Contender
    bill: Bill | None
    nearby: Bill | None = None
    """The same provider's cheapest other GPU of the family, where it has one."""
    expired: Bill | None = None
    """The last known price, where it is too old to rank."""
    other_form: Bill | None = None
    """The same memory in the number asked for, where the GPU itself is sold in more."""


class OfferComparison(Answer, frozen=True):
    """The same hardware at several sellers, or several machines, by the month."""

    entries: tuple[AtSize, ...]
    constraints: Constraints
    any_pricing: bool = False
    """Whether nothing is sold as asked, and any pricing stands in."""
    per_gpu: bool = False
    """Whether a GPU-hour is compared: no size was stated, or spot has another."""
    live: bool = False
    """Whether they serve live traffic, which spot may stop: it stands last."""
    reserved: tuple[tuple[AtSize, Bill], ...] = ()
    """What a commitment costs for as long as is asked, at those that publish it."""
    uninterrupted: Bill | None = None
    """The GPU of `spot_below`, or of spot that leads, on demand at the same seller."""

    applies: ClassVar = OFFERS | HOURS | {"duration_hours"}
    subject: ClassVar = frozenset(("term_months",))
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """The alternatives with a known price, cheapest first."""
        return tuple(bill.way() for _, bill in self.priced)

    @property
    def status(self) -> str:
        """Whether any has a known price."""
        return "ok" if self.priced else "unpriced"

    def details(self) -> Mapping[str, object]:
        """Every alternative, priced or not, and the price at which it flips."""
        first = 1 if self.priced else 0
        return {
            "recommendation": self.entries[0] if self.priced else None,
            "alternatives": self.entries[first:],
            "flip": self.flip,
        }

    @property
    def priced(self) -> tuple[tuple[AtSize, Bill], ...]:
        """The alternatives with a known price, cheapest first."""
        return tuple((e, e.bill) for e in self.entries if e.bill is not None)

    @property
    def spot_below(self) -> Bill | None:
        """Spot that costs less than what leads, where it does not do."""
        spot = [bill for _, bill in self.priced[1:] if bill.offer.pricing == "spot"]
        return spot[0] if self.live and spot else None

    @property
    def flip(self) -> Worth | None:
        """The cheapest against the next, GPU for GPU."""
        if len(self.priced) < 2 or self.priced[1][1] is self.spot_below:
            return None
        (_, first), (_, second) = self.priced[:2]
        return worth(first.offer.usd_per_gpu_hour, second.offer.usd_per_gpu_hour, 1, 1)


def compare_under_load(
    alternatives: Iterable[Contender],
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> LoadComparison:
    """Size and price each alternative for the same load.

    Where none of them serves within the limits, those of a patient reader are tried.
    """
    named = tuple(alternatives)
    found = _each(named, spec, catalog, reference, now)
    patient: LatencyTargets | None = None
    for limits in PATIENT if all(map(_slow, found)) else ():
        if not any(entry.option for entry in found):
            patient = limits
            looser = spec.model_copy(update={"targets": limits})
            found = _each(named, looser, catalog, reference, now)
    eased = spec
    if patient is None:
        found, eased = _unhurried(found, resolved, spec, catalog, reference, now)
    turns = _overtaken(spec, found)
    served = spec if patient is None else spec.model_copy(update={"targets": patient})
    eased = eased if patient is None else served
    count = spec.constraints.count
    found = [
        replace(e, full_rate=full_rate(served, e.option, e.contender.gpus or count))
        if e.option
        else e
        for e in found
    ]
    options = [entry.option for entry in found if entry.option is not None]
    gap = speed_gap(served, *options[:2]) if len(options) > 1 else None
    equal = _equal(found, eased, catalog, reference, now)
    return LoadComparison(
        resolved, spec, tuple(found), turns, None, patient, gap, equal=equal
    )


def _equal(
    found: Sequence[UnderLoad],
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> tuple[Option, ...]:
    """The alternatives with all equal but what is compared; nothing: they are."""
    sides = [(entry.contender, entry.option) for entry in found if entry.option]
    one = sides[0][0] if 1 < len(sides) == len(found) <= MOST_EQUAL else None
    varied = [
        name for name in HELD if len({str(getattr(c, name)) for c, _ in sides}) > 1
    ]
    if one is None or len(varied) != 1:
        return ()
    own = [_as_found(option) for _, option in sides]
    if varied == ["pricing"]:  # what spot saves: on the fleet that is on spot
        own = [side for side in own if side["pricing"] == "spot"] or own
    names = [name for name in HELD if name not in (*varied, "pricing")]
    values = [[*dict.fromkeys(side[name] for side in own)] for name in names]
    if names[0] == "precision" and len(values[0]) > 1:
        values[0].append("int8")  # what each GPU can run, whether or not it has FP8
    fleets = []
    for each in product(*values):
        held = dict(zip(names, each, strict=True))
        entries = (
            _under_load(replace(side, **held), spec, catalog, reference, now)
            for side, _ in sides
        )
        fleet = tuple(entry.option for entry in entries if entry.option)
        if len(fleet) == len(sides):
            fleets.append(fleet)
    best = min(fleets, key=lambda f: sum(o.usd_per_month for o in f), default=())
    return best if [_as_found(option) for option in best] != own else ()


MOST_EQUAL = 4
"""Alternatives that are held equal in all else; of more, none is."""
HELD = ("precision", "gpu", "provider", "pricing")
"""What sets alternatives apart: all but what a question varies is held equal."""


def _as_found(option: Option) -> dict[str, object]:
    """What an alternative came to, by the names of what it left open."""
    plan, offer = option.plan, option.offer
    return {
        "precision": plan.weights, "gpu": plan.gpu, "provider": offer.provider,
        "pricing": offer.pricing,
    }  # fmt: skip


def _unhurried(
    found: list[UnderLoad],
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> tuple[list[UnderLoad], InferenceSpec]:
    """All alternatives with more patience, where one needs it and nobody set a limit.

    It is worth it where it prices one more of them, or halves what one costs.
    """
    named = [entry.contender for entry in found]
    waits = any(_slow(entry) or _crowd(entry) or _idle(entry) for entry in found)
    eased = spec
    for step, later in enumerate(looser(resolved, spec) if waits else ()):
        if step >= TWICE_AS_LONG and not any(map(_slow, found)):
            break
        if not isinstance(later.spec, InferenceSpec):
            continue
        again = _each(named, later.spec, catalog, reference, now)
        bills, before = _bills(again), _bills(found)
        halved = any(2 * bills.get(side, usd) <= usd for side, usd in before.items())
        if len(bills) > len(before) or (len(bills) == len(before) and halved):
            kept = {id(e.contender): e for e in found if e.option}
            eased = later.spec
            found = [
                replace(e, slower=missed(spec.targets, e.option.plan.capacity))
                if e.option and bills[id(e.contender)] != before.get(id(e.contender))
                else kept.get(id(e.contender), e)  # it needs no patience
                for e in again
            ]
    return found, eased


def _crowd(entry: UnderLoad) -> bool:
    """Whether an alternative takes more GPUs than a team would like to operate."""
    return entry.option is not None and entry.option.gpus > MODEST_GPUS


def _idle(entry: UnderLoad) -> bool:
    """Whether several GPUs are taken that the load hardly uses."""
    return (
        entry.option is not None
        and entry.option.gpus > 1
        and entry.option.plan.busy < MOSTLY_IDLE
    )


def _bills(found: Sequence[UnderLoad]) -> dict[int, Decimal]:
    """What each alternative that has a price costs a month."""
    return {id(e.contender): e.option.usd_per_month for e in found if e.option}


def _slow(entry: UnderLoad) -> bool:
    """Whether an alternative fails by the latency alone."""
    return entry.rejection is not None and entry.rejection.rule == "latency"


def _each(
    alternatives: Iterable[Contender],
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> list[UnderLoad]:
    found = [_under_load(one, spec, catalog, reference, now) for one in alternatives]
    found = _fewer_first(sorted(found, key=_load_order))
    # live traffic cannot stop at minutes' notice: spot never leads what does not
    return sorted(found, key=_is_spot)


def _is_spot(entry: UnderLoad) -> bool:
    return entry.option is not None and entry.option.offer.pricing == "spot"


def _fewer_first(entries: list[UnderLoad]) -> list[UnderLoad]:
    """Of two that cost about the same, the one with fewer GPUs to operate leads."""
    if len(entries) < 2:
        return entries
    first, second = entries[0].option, entries[1].option
    if first is None or second is None or second.gpus >= first.gpus:
        return entries
    if second.usd_per_month > first.usd_per_month * SAME_PRICE:
        return entries
    return [entries[1], entries[0], *entries[2:]]


def _overtaken(spec: InferenceSpec, entries: Sequence[UnderLoad]) -> float | None:
    """Where another of the alternatives overtakes the cheapest, as the load grows.

    None where fleets of a stated size are compared too: their bills do not grow.
    """
    options = [entry.option for entry in entries if entry.option is not None]
    stated = any(entry.contender.gpus for entry in entries)
    if len(options) < 2 or stated:
        return None
    return overtaken_at(spec, options[0], options[1])


def _under_load(
    one: Contender,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> UnderLoad:
    formats = (one.precision,) if one.precision else spec.precisions
    limits = one.narrowed(spec.constraints)
    narrowed = spec.model_copy(update={"constraints": limits, "precisions": formats})
    entry = _cheapest(one, narrowed, catalog, reference, now)
    if entry.option is None and limits.pricing and not entry.rejection:
        free = narrowed.constraints.model_copy(update={"pricing": ("on_demand",)})
        on_demand = narrowed.model_copy(update={"constraints": free})
        again = _cheapest(one, on_demand, catalog, reference, now)
        entry = UnderLoad(one, again.option, again.rejection, again.unpriced)
        entry = replace(entry, fell_back=True)
    if one.gpu and one.provider and entry.unpriced:
        kept = {offer.gpu for offer in catalog.offers if offer.provider == one.provider}
        entry = replace(entry, rented=one.gpu.id in kept or not kept)
    counted = one.gpus or spec.constraints.count
    if entry.option is None and entry.rejection and counted and not _slow(entry):
        return _with_more(entry, spec, catalog, reference, now)
    return entry


def _with_more(
    entry: UnderLoad,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> UnderLoad:
    """As many as the load takes, where those that were named do not carry it."""
    uncounted = replace(entry.contender, gpus=None)
    limits = spec.constraints.model_copy(update={"count": None})
    free = spec.model_copy(update={"constraints": limits})
    more = _under_load(uncounted, free, catalog, reference, now)
    if more.option is None:
        return entry
    return replace(more, contender=entry.contender, short=entry.rejection)


def _cheapest(
    one: Contender,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> UnderLoad:
    use = Use(spec.constraints, live=True, now=now)
    offers = _of_machine(asked_offers(spec.constraints, catalog), one)
    market = market_of(catalog, use, reference, Shelf(one.instance or "", offers))
    wanted = (one.gpu.id,) if one.gpu else tuple(market.by_gpu)
    planned = {gpu: plan_gpu(spec, reference.gpus[gpu]) for gpu in wanted}
    options = priced(spec, planned, market, reference)
    if best := _to_operate(list(options), one):
        return UnderLoad(one, best)
    plans = [plan for found in planned.values() for plan in found.plans]
    refused = [p.rejection for p in planned.values() if p.rejection is not None]
    return UnderLoad(
        one,
        None,
        refused[0] if refused else None,
        min(plans, key=lambda plan: plan.gpus, default=None),
    )


def _to_operate(options: Sequence[Option], one: Contender) -> Option | None:
    """The cheapest of a named GPU; where any will do, none of many small cards."""
    if one.gpu is not None or one.provider is not None:
        return min(options, key=option_order, default=None)
    return most_sensible([option for option in options if not option.doubt] or options)


def _of_machine(offers: Iterable[Offer], one: Contender) -> Iterable[Offer]:
    """The offers of a machine type, where the alternative is one."""
    if one.instance is None:
        return offers
    name = one.instance.lower()
    return (offer for offer in offers if offer.instance.lower() == name)


def _load_order(entry: UnderLoad) -> tuple[bool, tuple[object, ...]]:
    if entry.option is None:
        return True, ()
    return False, option_order(entry.option)


def compare_offers(
    alternatives: Sequence[Contender],
    limits: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    live: bool = False,
) -> OfferComparison:
    """Price each alternative at the stated size, a single GPU where none is stated."""
    market = (catalog, reference, now)
    entries = [_at_size(one, limits, *market) for one in alternatives]
    if any_gpu := _spot_of_any(entries, reference):
        held = [replace(any_gpu, pricing=one.pricing) for one in alternatives]
        entries = [_at_size(one, limits, *market) for one in held]
    fell_back = bool(limits.pricing) and not any(entry.bill for entry in entries)
    if fell_back:
        free = limits.model_copy(update={"pricing": ()})
        entries = [_at_size(c, free, catalog, reference, now) for c in alternatives]
    per_gpu = limits.count is None and not any(e.contender.gpus for e in entries)
    per_gpu = per_gpu or (not live and _spot_by_the_machine(entries))
    entries.sort(key=_rate_order if per_gpu else _size_order)
    if live:
        entries.sort(
            key=lambda e: e.bill is not None and e.bill.offer.pricing == "spot"
        )
    found = OfferComparison(tuple(entries), limits, fell_back, per_gpu, live)
    leads = (bill for _, bill in found.priced[:1] if bill.offer.pricing == "spot")
    spot = found.spot_below or next(leads, None)
    if spot is None or spot.offer.gpu not in reference.gpus:
        return found
    gpu, seller = reference.gpus[spot.offer.gpu], spot.offer.provider
    twin = Contender(gpu, provider=seller, pricing="on_demand")
    at_home = _at_size(twin, limits, catalog, reference, now).bill
    return replace(found, uninterrupted=at_home)


def _spot_of_any(entries: Sequence[AtSize], reference: Reference) -> Contender | None:
    """What spot is cheapest of, where ways to pay are compared and no GPU is named."""
    open_to_any = all(
        e.contender.gpu is None and e.contender.provider is None for e in entries
    )
    spot = [e.bill.offer for e in entries if e.bill and e.bill.offer.pricing == "spot"]
    if not (open_to_any and spot and spot[0].gpu in reference.gpus):
        return None
    return Contender(reference.gpus[spot[0].gpu], provider=spot[0].provider)


def _spot_by_the_machine(entries: Iterable[AtSize]) -> bool:
    """Whether spot is sold in other numbers: the same work takes other hours there."""
    bills = [entry.bill for entry in entries if entry.bill is not None]
    spot = any(bill.offer.pricing == "spot" for bill in bills)
    return spot and len({bill.gpus for bill in bills}) > 1


def _at_size(
    one: Contender,
    limits: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> AtSize:
    narrowed = one.narrowed(limits)
    for asked in (asked_offers(narrowed, catalog), perhaps_asked(narrowed, catalog)):
        bill = _cheapest_bill(_of_machine(asked, one), narrowed, reference, now)
        if bill is not None:
            other = _other_form(bill, narrowed, catalog, reference, now)
            return AtSize(one, bill, other_form=other)
    offers = _of_machine(asked_offers(narrowed, catalog), one)
    expired = _cheapest_bill(offers, narrowed, reference, AT_ANY_AGE)
    nearby = _nearby(one, narrowed, catalog, reference, now)
    return AtSize(one, None, nearby, expired)


def _cheapest_bill(
    offers: Iterable[Offer], limits: Constraints, reference: Reference, now: datetime
) -> Bill | None:
    asked = tuple(offers)
    unsaid = frozenset(o.gpu for o in asked if o.gpu not in reference.gpus)
    use = Use(limits, live=True, now=now, unsaid=unsaid if limits.gpus else frozenset())
    market = open_market(asked, use, reference)
    found = [offer for sold in market.by_gpu.values() for offer in sold]
    if limits.count is None:
        offer = min(found, key=lambda one: one.micro_usd_per_gpu_hour, default=None)
        return bill_for(offer, 1, limits) if offer else None
    bills = [bill_for(offer, limits.count, limits) for offer in found]
    return min(bills, key=bill_order, default=None)


def _other_form(
    bill: Bill,
    limits: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Bill | None:
    """The seller's other form of a GPU that it sells only in more than is asked for."""
    gpu = reference.gpus.get(bill.offer.gpu)
    if gpu is None or limits.count is None or bill.gpus <= limits.count:
        return None
    kin = [
        one.id
        for one in reference.gpus.values()
        if (one.family, one.memory_gb) == (gpu.family, gpu.memory_gb)
    ]
    update = {"gpus": tuple(kin), "providers": (bill.offer.provider,)}
    wider = limits.model_copy(update=update)
    found = _cheapest_bill(asked_offers(wider, catalog), wider, reference, now)
    less = found is not None and found.usd_per_month < bill.usd_per_month
    return found if less else None


def _nearby(
    one: Contender,
    limits: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Bill | None:
    """The nearest that the provider does sell: the hour, or a GPU of the family."""
    if one.gpu is None or one.provider is None:
        return None
    kin = [g.id for g in reference.gpus.values() if g.family == one.gpu.family]
    by_the_hour = {"pricing": ("on_demand",), "term_months": None}
    for update in (by_the_hour, {"gpus": tuple(kin)}):
        wider = limits.model_copy(update=update)
        asked = asked_offers(wider, catalog)
        if bill := _cheapest_bill(asked, wider, reference, now):
            return bill
    return None


def _size_order(entry: AtSize) -> tuple[bool, tuple[object, ...]]:
    if entry.bill is None:
        return True, ()
    return False, bill_order(entry.bill)


def _rate_order(entry: AtSize) -> tuple[bool, int]:
    if entry.bill is None:
        return True, 0
    return False, entry.bill.offer.micro_usd_per_gpu_hour
