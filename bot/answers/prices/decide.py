"""Answers about prices: who sells a GPU for how much, and what so many cost."""

import math
from collections.abc import Iterator

from msgspec.structs import replace

from bot.answers.prices.gap import asks_gap, gap_view
from bot.answers.prices.view import (
    bill_view,
    nothing_sold_view,
    price_view,
)
from bot.answers.prices.why import explain_bill
from bot.answers.shared.figures import gpu_name, provider_name
from bot.answers.shared.page import Page
from bot.answers.shared.problems import unresolved_view
from bot.answers.shared.workload import has_model, rented_hours
from bot.answers.terms.view import quoted_terms
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.by_size import tokens_for
from core.answers.compare import AT_ANY_AGE
from core.market.board import PriceBoard, headline, price_board
from core.market.current import is_plain
from core.market.market import Use, market_of
from core.market.named_gpus import named_gpus
from core.money.costs import exact
from core.money.spot import Interruptions
from core.offers import Catalog, Offer
from core.query import Query
from core.reference.training import training_constants
from core.resolve import Unresolved, resolve
from core.resolve.constraints import resolve_constraints


def price(question: Question) -> Answered:
    """Who sells a GPU for how much; several GPUs are a bill."""
    if (question.query.count or 1) > 1 or rented_hours(question.query):
        return bill(question)
    found = _board(question)
    if isinstance(found, Answered):
        return _with_quotes(found, question)
    page, board = Page(question), replace(found, by_rate=True)
    view = gap_view if asks_gap(page) else price_view
    told = page.drawn(board, view, explain_bill)
    return _with_quotes(_beside_spot(told, board, question), question)


def bill(question: Question) -> Answered:
    """What so many GPUs cost a month, offer by offer."""
    found = _board(question)
    if isinstance(found, Answered):
        return _with_quotes(found, question)
    told = Page(question).drawn(found, bill_view, explain_bill)
    run = tuple(_on_spot(question, found))
    if not run:
        return _with_quotes(_beside_spot(told, found, question), question)
    why = " ".join((*run, told.view.why))
    return _with_quotes(told.redrawn(why=why), question)


def _beside_spot(told: Answered, board: PriceBoard, question: Question) -> Answered:
    """What spot saves at its own seller, and what is known of how often it stops."""
    asked = "spot" in board.constraints.pricing
    offers = [board.marked.offer, *(bill.offer for bill in board.leading if asked)]
    spot = next((o for o in offers if o.pricing == "spot" and is_plain(o)), None)
    if spot is None or spot.gpu not in question.reference.gpus:
        return told
    saved = [
        say(
            "prices.spot_saves",
            share=float(1 - spot.usd_per_gpu_hour / one.usd_per_gpu_hour),
            usd=one.usd_per_gpu_hour,
            seller=provider_name(one.provider, question.reference),
        )
        for one in (
            _by_the_hour(board, spot, question, spot.provider),
            _by_the_hour(board, spot, question),
        )
        if one is not None and one.usd_per_gpu_hour > spot.usd_per_gpu_hour
    ]
    against = " and ".join(dict.fromkeys(saved))
    told_first = say("prices.spot_saves_all", against=against) if saved else ""
    why = " ".join(filter(None, (told_first, told.view.why)))
    return told.redrawn(why=why, notes=(say("prices.spot_stops"), *told.view.notes))


def _by_the_hour(
    board: PriceBoard, spot: Offer, question: Question, *sellers: str
) -> Offer | None:
    """A regular cloud's lowest on-demand price of a GPU on spot, or these sellers'."""
    asked = {"pricing": ("on_demand",), "gpus": (spot.gpu,)}
    named = {"providers": sellers} if sellers else {}
    plain = board.constraints.model_copy(update={**asked, **named})
    use = Use(plain, live=False, now=question.now)
    market = market_of(question.catalog, use, question.reference)
    return next((one for one in market.boxes(spot.gpu) if is_plain(one)), None)


def _with_quotes(told: Answered, question: Question) -> Answered:
    """Where a term is asked for: who sells one at a price that is not known."""
    board, gpus = told.figures, named_gpus(question.query, question.reference)
    terms = question.query.pricing == ("reserved",)
    if not terms or len(gpus) != 1 or not isinstance(board, PriceBoard):
        return told
    limits = resolve_constraints(question.query, question.reference)
    known = [one.offer for one in board.bills if one.offer.pricing == "reserved"]
    below = (board.hourly or board.marked).offer.usd_per_gpu_hour
    return told.noted(*quoted_terms(gpus[0], limits, known, below, Page(question)))


def rented_for_a_run(question: Question) -> Answered:
    """What GPUs cost for the time that they train, and how much they do in it."""
    query = question.query
    hours = query.duration_hours or 0
    joined = _joined(question)
    told = bill(replace(question, catalog=joined or question.catalog))
    free = query.model_copy(update={"duration_hours": None, "pricing": None})
    whole = exact(hours)
    found = tokens_for(free, whole, question.shop, question.defaults, "hours")
    if found is None or told.figures is None:
        return told
    tokens = found.tokens * hours / float(found.option.hours)
    trains = say(
        "prices.trains_in_that_time",
        gpus=found.option.gpus,
        gpu_name=gpu_name(found.option.plan.gpu),
        size=found.params_b,
        tokens=float(f"{tokens:.2g}"),
    )
    return told.noted(trains, *([say("prices.joined_machines")] if joined else []))


def _joined(question: Question) -> Catalog | None:
    """The offers whose machines work on one run; None: one machine is enough."""
    query, reference, catalog = question.query, question.reference, question.catalog
    gpus = named_gpus(query, reference)
    if not gpus or (query.count or 1) <= gpus[0].gpus_per_node:
        return None
    sellers = {name: reference.provider(name) for name in catalog.providers}
    offers = [
        offer
        for offer in catalog.offers
        if (seller := sellers[offer.provider]) is not None
        and (seller.infiniband or seller.interconnect)
    ]
    return Catalog(offers, catalog.as_of, catalog.version)


def measured(question: Question) -> Answered | None:
    """What carries a rate, by the asker's own measurement of one GPU; None: none."""
    query = question.query
    each, rate = query.measured_tokens_per_second, query.tokens_per_second
    one_kind = len(query.gpu or ()) == 1 and not has_model(query)
    if not (each and rate and one_kind) or query.count not in (None, 1):
        return None
    count = math.ceil(rate / each)
    asked = query.model_copy(update={"count": count, "clarify": None})
    found = bill(replace(question, query=asked))
    said = say(
        "prices.measured", rate=rate, each=each, count=count, busy=rate / each / count
    )
    return found.redrawn(why=f"{said} {found.view.why}")


def _on_spot(question: Question, board: PriceBoard) -> Iterator[str]:
    """What a run of stated days comes to on spot, stopped and resumed, and hourly."""
    query, spot = question.query, board.marked
    hours = query.duration_hours
    runs = query.kind in ("training", "finetune") and hours
    if not runs or spot.offer.pricing != "spot":
        return
    plain = board.constraints.model_copy(update={"pricing": ("on_demand",)})
    hourly = price_board(plain, question.catalog, question.reference, question.now)
    machines = -(
        -spot.gpus // max(1, question.reference.gpus[spot.offer.gpu].gpus_per_node)
    )
    values = training_constants().values
    stops = Interruptions.of(
        mtbf_hours=(query.interrupted_hours or values["spot_mtbf_hours"]) / machines,
        checkpoint_every_hours=query.checkpoint_hours or CHECKPOINTS,
        restart_hours=values["restart_hours"],
    )
    factor = stops.time_factor
    if factor is None:
        yield say("prices.never_ends_on_spot", machines=machines)
        return
    usd = spot.usd_per_hour * exact(hours or 0) * factor
    if not hourly.bills:
        return
    whole = hourly.marked.usd_per_hour * exact(hours or 0)
    yield say(
        "prices.stopped_and_resumed",
        longer=factor - 1,
        hours=float(exact(hours or 0) * factor),
        every=float(stops.checkpoint_every_hours),
        usd=usd,
        whole=whole,
        saved=1 - usd / whole,
    )


CHECKPOINTS = 1.0
"""Hours between checkpoints where nobody says."""


def _board(question: Question) -> PriceBoard | Answered:
    """The offers that are asked for, or the answer that says there are none."""
    query, reference = question.query, question.reference
    limits = resolve_constraints(query, reference)
    named = query.gpu or query.memory_gb
    if query.unknown or (named and not limits.gpus):
        problem = resolve(query, reference, question.defaults)
        if isinstance(problem, Unresolved) and (problem.unknown or not query.gpu):
            return Answered(unresolved_view(query, problem))
    catalog = _of_machines(question.catalog, query)
    hours = rented_hours(query)
    board = price_board(
        limits,
        catalog,
        reference,
        question.now,
        None if hours is None else exact(hours),
    )
    if not board.bills:
        return _nothing(question, board)
    paid = board.marked.offer.pricing
    if paid == "reserved" or (
        paid == "spot" and _costs_less_on_demand(board, question)
    ):
        plain = limits.model_copy(
            update={"pricing": ("on_demand",), "term_months": None}
        )
        hourly = price_board(plain, catalog, reference, question.now)
        board = replace(board, hourly=hourly.marked if hourly.bills else None)
    nameless = query.memory_gb is not None and not query.gpu
    return _cheapest_first(board) if nameless else board


def _costs_less_on_demand(board: PriceBoard, question: Question) -> bool:
    """Whether the marked GPUs are cheaper on demand than what is marked."""
    spot, limits = board.marked.offer, board.constraints
    if limits.count is not None and board.marked.gpus > limits.count:
        return True  # a machine of more GPUs than are asked for: bills tell
    plain = _by_the_hour(board, spot, question)
    return plain is not None and plain.usd_per_gpu_hour < spot.usd_per_gpu_hour


def _cheapest_first(board: PriceBoard) -> PriceBoard:
    """Lead with the cheapest GPU of so much memory, where none is named."""
    named = [bill for bill in board.bills if bill.offer.gpu in board.constraints.gpus]
    if not named:
        return board
    first = headline(named).offer.gpu
    gpus = dict.fromkeys((first, *board.constraints.gpus))
    limits = board.constraints.model_copy(update={"gpus": tuple(gpus)})
    return replace(board, constraints=limits)


def _of_machines(catalog: Catalog, query: Query) -> Catalog:
    """The offers of the machine types that are named, where any of them is sold."""
    named = {name.lower() for name in query.instance or ()}
    offers = [offer for offer in catalog.offers if offer.instance.lower() in named]
    return Catalog(offers, catalog.as_of, catalog.version) if offers else catalog


def _nothing(question: Question, board: PriceBoard) -> Answered:
    """Loosen the conditions as little as it takes until somebody sells."""
    page, loosened = Page(question), say("prices.nothing")
    catalog = _of_machines(question.catalog, question.query)
    found = price_board(board.constraints, catalog, question.reference, AT_ANY_AGE)
    machine = bool(question.query.instance)  # its cloud alone has it
    wider = iter(sorted(LOOSER, key=lambda one: machine and "providers" in one[1]))
    while not found.bills and (next_try := next(wider, None)) is not None:
        loosened, update = next_try
        limits = board.constraints.model_copy(update=update)
        found = price_board(limits, catalog, question.reference, question.now)
    if not found.bills:
        view = nothing_sold_view(board, None, page)
        return Answered(view, view, board)
    found = replace(found, loosened=loosened)
    view = nothing_sold_view(board, found, page)
    return Answered(view, explain_bill(found, page), found)


_TERM: dict[str, object] = {"term_months": None}
_PRICING: dict[str, object] = {"pricing": (), "term_months": None}
_PROVIDERS: dict[str, object] = {"providers": (), "providers_excluded": ()}
_REGION: dict[str, object] = {"region": None}
LOOSER: tuple[tuple[str, dict[str, object]], ...] = (
    (say("prices.for_another_term"), _TERM),
    ("in another region", _REGION),
    (say("prices.at_another_provider"), _PROVIDERS),
    (say("prices.at_another_pricing"), _PRICING),
    (say("prices.other_term_and_region"), _TERM | _REGION),
    (say("prices.other_pricing_and_region"), _PRICING | _REGION),
    (say("prices.other_pricing_and_provider"), _PRICING | _PROVIDERS),
    (say("prices.anywhere_at_any_pricing"), _PRICING | _PROVIDERS | _REGION),
)
"""Conditions to give up, the least first, until somebody sells."""
