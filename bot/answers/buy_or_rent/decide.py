"""Buying against renting the same GPUs."""

import math
from decimal import Decimal

from msgspec.structs import replace

from bot.answers.buy_or_rent.view import explain_owning, owning_view
from bot.answers.served import fleets
from bot.answers.shared.figures import gpu_name, provider_name
from bot.answers.shared.page import Page
from bot.answers.shared.problems import not_known
from bot.answers.shared.workload import load_stated, usual_use
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.ownership import Hired, Owning, OwningFleet, answer_owning
from core.estimate.steps import is_switched
from core.hardware import GpuSpec
from core.market.named_gpus import cheapest_bill, named_gpus
from core.market.recommendation import Option
from core.query import Query
from core.reference.ownership import ownership
from core.resolve.constraints import resolve_constraints
from core.workload import Assumption, Constraints, Resolved

HOURS = 24
NO_LONGER_MADE = ("volta", "turing", "ampere")
OFFICE_SHARE = 8 * 5 / (24 * 7)
"""Of all hours, those in which people are in the office."""


def buy_or_rent(question: Question) -> Answered | None:
    """Buying against renting: the GPUs that are named, or those that a load takes.

    Where a sum for hardware is stated, what that buys. None: no GPU is named, and
    nothing that they would serve.
    """
    query, reference, page = question.query, question.reference, Page(question)
    bought, other = _named(question)
    sized = _fleet(question, bought)
    gpu = sized[0].plan.gpu if sized else bought
    if gpu is None:
        from bot.answers.to_buy.decide import bought_for

        return bought_for(question)
    used, assumed = _use(question, sized is not None)
    limits = resolve_constraints(query, reference)
    limits = limits.model_copy(update={"pricing": (), "term_months": None})
    limits, used, assumed = _of_a_lease(query, limits, used, assumed)
    if sized is not None:
        fleet = {"count": sized[0].gpus, "gpus": (gpu.id,)}
        limits = limits.model_copy(update=fleet)
    hired, elsewhere = None, ""
    if other is not None and sized is not None:
        hired = _fleet_of(question, other)
    elif sized is not None and _for_office(query):
        hired = _cheapest_fleet(question, gpu)
    elif other is not None:
        count, hired, same_work = _counted(question, gpu, other)
        limits = limits.model_copy(update={"count": count, "gpus": (gpu.id,)})
        assumed = (*assumed, *same_work)
    market = question.market
    kind = Owning if sized is None else OwningFleet
    found = answer_owning(query, gpu, limits, used, assumed, *market, kind, hired)
    if found is None and limits.providers:
        free = limits.model_copy(update={"providers": ()})
        found = answer_owning(query, gpu, free, used, assumed, *market, kind, hired)
        elsewhere = say(
            "buy_or_rent.not_sold_there", name=gpu_name(hired.gpu if hired else gpu)
        )
    if found is None:
        return _unknown(question, gpu, limits, hired)
    if sized is None or not isinstance(found, OwningFleet):
        told = page.drawn(found, owning_view, explain_owning)
        return told.noted(elsewhere) if elsewhere else told
    option, resolved = sized
    whole = replace(found, resolved=resolved)
    told = page.drawn(whole, owning_view, explain_owning).noted(
        _sized_for(option, query, found.purchase.usd / found.gpus)
    )
    sites = query.regions_count or 1
    return told.noted(say("buy_or_rent.sites", sites=sites)) if sites > 1 else told


def _for_office(query: Query) -> bool:
    return bool(query.beside and query.beside.office)


def _use(question: Question, serves: bool) -> tuple[float, tuple[Assumption, ...]]:
    """The share of the time in which the GPUs work, and what of it is assumed."""
    query = question.query
    if query.utilization and not serves:
        return query.utilization, ()
    if _for_office(query) and not query.hours_per_day:
        why, label = say("buy_or_rent.office_hours"), say("buy_or_rent.use")
        shown = f"{OFFICE_SHARE:.0%}"
        entry = Assumption(field="utilization", label=label, value=shown, why=why)
        return OFFICE_SHARE, (entry,)
    if serves or query.hours_per_day == HOURS:
        return 1.0, ()  # a service is up at any hour; "needed around the clock"
    return usual_use(question)


def _cheapest_fleet(question: Question, bought: GpuSpec) -> Hired | None:
    """What is rented at the least cost, where that is another GPU."""
    sized = fleets(question, question.query)
    best = sized.options[0] if sized else None
    if best is None or best.plan.gpu == bought:
        return None
    return Hired(best.plan.gpu, best.gpus)


def _of_a_lease(
    query: Query, limits: Constraints, used: float, assumed: tuple[Assumption, ...]
) -> tuple[Constraints, float, tuple[Assumption, ...]]:
    """A lease is paid for all hours: those of a day in use are a share of them."""
    if not (query.beside and query.beside.lease_usd):
        return limits, used, assumed
    share = float(limits.billed_hours_per_month) / limits.hours_per_month
    if share < 1:
        used, assumed = share * (query.utilization or 1), ()
    whole = {"hours_per_day": 24.0, "days_per_week": 7.0}
    return limits.model_copy(update=whole), used, assumed


def _unknown(
    question: Question, gpu: GpuSpec, limits: Constraints, hired: Hired | None
) -> Answered:
    """A purchase or a rent has no price: the rent that is known stands there."""
    other, count = (hired.gpu, hired.gpus) if hired else (gpu, limits.count or 1)
    market = question.market
    bill = cheapest_bill(other, count, limits, *market)
    told = not_known(
        Page(question),
        say("buy_or_rent.no_purchase_price_rent", name=gpu_name(gpu)),
        say("buy_or_rent.state_a_price"),
    )
    if bill is None:
        return told
    return told.noted(
        say(
            "buy_or_rent.rent_alone",
            what=f"{bill.gpus} × {gpu_name(other)}",
            seller=provider_name(bill.offer.provider, question.reference),
            usd=bill.usd_per_month,
        )
    )


def _named(question: Question) -> tuple[GpuSpec | None, GpuSpec | None]:
    """The GPU that would be bought, and another that would be rented instead."""
    query, reference = question.query, question.reference
    named = named_gpus(query, reference)
    renting = query.model_copy(update={"gpu": query.rented_gpus})
    to_rent = named_gpus(renting, reference)
    bought = next((one for one in named if one not in to_rent), None)
    gpu = bought or next(iter(named), None)
    return gpu, next((one for one in to_rent if one != gpu), None)


def _counted(
    question: Question, gpu: GpuSpec, other: GpuSpec
) -> tuple[int, Hired, tuple[Assumption, ...]]:
    """How many of each: as stated, else as many as do the work of the others."""
    bought, rented = _stated_counts(question.query)
    speed = other.bandwidth_gb_s / gpu.bandwidth_gb_s
    if bought is None:
        bought = 1 if rented is None else max(1, round(rented * speed))
    if rented is not None:
        work = rented * speed / bought
        return bought, Hired(other, rented, work), ()
    rented = max(1, round(bought / speed))
    assumed = Assumption(
        field="count",
        label=say("buy_or_rent.rented_for_same_work"),
        value=f"{rented} × {gpu_name(other)}",
        why=say("buy_or_rent.same_work_why"),
    )
    return bought, Hired(other, rented, rented * speed / bought), (assumed,)


def _stated_counts(query: Query) -> tuple[int | None, int | None]:
    """How many to buy and how many to rent, as far as either is stated."""
    if query.gpu_counts and len(query.gpu_counts) == 2:
        first, second = query.gpu_counts
        rented_first = (query.gpu or ())[:1] == query.rented_gpus
        return (second, first) if rented_first else (first, second)
    places, rents = query.spans.get("count", ()), query.spans.get("rented_gpus", ())
    if len(places) != 1 or "system" in query.spans:
        return query.count, query.count
    (start, end), (first, last) = places[0], (rents or ((0, 0),))[0]
    return (None, query.count) if first < end and start < last else (query.count, None)


def _fleet_of(question: Question, gpu: GpuSpec) -> Hired | None:
    """What the load takes of another GPU."""
    query = question.query.model_copy(update={"gpu": (gpu.id,)})
    sized = fleets(question, query)
    return Hired(gpu, sized.options[0].gpus) if sized else None


def _fleet(question: Question, gpu: GpuSpec | None) -> tuple[Option, Resolved] | None:
    """The best fleet for a stated load whose GPUs have a purchase price; or None."""
    query = question.query
    if gpu is not None:
        if query.count or query.gpu_counts:
            return None
        query = query.model_copy(update={"gpu": (gpu.id,)})
    query = query.model_copy(update={"regions_count": None})  # each site has its own
    sold = ownership().purchase
    sized = None
    if gpu is None and _for_office(query):
        cards = (name for name in sold if question.reference.gpus[name].workstation)
        sized = fleets(question, query.model_copy(update={"gpu": tuple(cards)}))
    if gpu is None and not load_stated(query):
        usual = question.defaults["concurrency"].value
        query = query.model_copy(update={"concurrency": usual})
    sized = sized or fleets(question, query)
    if sized is None:
        return None
    bought = [option for option in sized.options if option.plan.gpu.id in sold]
    rooms = question.query.beside and question.query.beside.on_premises
    if rooms:  # what it costs to buy decides, not who rents it out
        bought.sort(key=lambda one: one.gpus * sold[one.plan.gpu.id].usd)
        bought.sort(key=lambda one: _ordered(one) * sold[one.plan.gpu.id].usd)
    if gpu is None:
        bought.sort(key=lambda one: one.plan.gpu.architecture in NO_LONGER_MADE)
    sites = question.query.regions_count or 1
    return (_at_each(bought[0], sites), sized.resolved) if bought else None


def _ordered(one: Option) -> int:
    """How many GPUs must be ordered: those behind a switch are sold by the server."""
    gpu = one.plan.gpu
    board = gpu.gpus_per_node if is_switched(gpu) else 1
    return math.ceil(one.gpus / board) * board


def _at_each(one: Option, sites: int) -> Option:
    """The same at each of several sites: every one carries the load alone."""
    return replace(one, gpus=one.gpus * sites) if sites > 1 else one


def _sized_for(sized: Option, query: Query, usd_each: Decimal) -> str:
    """Where the GPUs come from: the load, sized as any other."""
    plan, whole = sized.plan, ""
    sites = query.regions_count or 1
    each = replace(sized, gpus=sized.gpus // sites)
    if (gpus := _ordered(each) * sites) > sized.gpus:
        board, usd = plan.gpu.gpus_per_node, usd_each * gpus
        whole = say("buy_or_rent.sold_whole", board=board, gpus=gpus, usd=usd)
    your, usual = say("buy_or_rent.your_load"), say("buy_or_rent.usual_load")
    return whole + say(
        "buy_or_rent.sized_for_model",
        load=your if load_stated(query) else usual,
        gpus=sized.gpus,
        gpu_name=gpu_name(plan.gpu),
        model=plan.capacity.model_name,
        weights=plan.weights.upper(),
        busy="" if _for_office(query) else say("buy_or_rent.busy_always"),
    )
