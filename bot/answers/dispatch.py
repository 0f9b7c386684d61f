"""Which kind of answer a question gets: two tables, one function for each kind.

A kind is loaded when a question first asks for it: a terminal asks for one.
"""

from collections.abc import Callable
from importlib import import_module
from typing import cast

from msgspec.structs import replace

from bot.answers.help import help_view
from bot.answers.needed.decide import needed
from bot.answers.shared.problems import (
    clarify_view,
    out_of_scope_view,
    searched_view,
    unreadable_view,
    unresolved_view,
)
from bot.answers.shared.workload import api_asked, has_model, load_stated
from bot.question.asks import asks
from bot.question.question import Answered, Handler, Question
from core.market.named_gpus import named_gpus
from core.query import FEW_PEOPLE, RATES, Intent, Query
from core.resolve import Unresolved, impossible, resolve
from core.resolve.mixed import training_kind

Wished = Callable[[Question], Answered | None]
"""Answers for one figure; None: the question is another kind's after all."""


PLACES: dict[str, object] = {}
"""Where the kinds of answers stand, and what each of them answers with."""


def kind(place: str) -> Handler:
    """What answers for a kind, by its place: "idle.decide:idle"."""
    PLACES[place] = Answered
    return lambda question: cast(Handler, loaded(place))(question)


def figure(place: str) -> Wished:
    """The same for one that may leave a question to another kind."""
    PLACES[place] = Answered | None
    return lambda question: cast(Wished, loaded(place))(question)


def loaded(place: str) -> object:
    """Load a kind from its place."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"bot.answers.{module}"), name)


what_it_buys = figure("affordable.decide:what_it_buys")
billed_by_token = figure("api_bill.decide:billed_by_token")
priced_by_token = figure("api_bill.decide:priced_by_token")
bought_for = figure("to_buy.decide:bought_for")
batch_or_api = kind("batch_or_api.decide:batch_or_api")
breakeven = kind("breakeven.decide:breakeven")
capacity = kind("capacity.decide:capacity")
compared = figure("comparisons:compared")
sheet = figure("datasheet.decide:sheet")
fit = kind("fit.decide:fit")
held = figure("runs_on.decide:runs_on")
explained_outright = figure("glossary.decide:explained_outright")
meaning = figure("glossary.decide:meaning")
of_terms = figure("terms.decide:terms")
quickest = kind("latency.decide:quickest")
trainable = figure("trainable.decide:trainable")
unknown_word = kind("glossary.decide:unknown_word")
bill = kind("prices.decide:bill")
by_measurement = figure("prices.decide:measured")
price = kind("prices.decide:price")
rented_for_a_run = kind("prices.decide:rented_for_a_run")
refused_outright = figure("run_fit.decide:refused_outright")
run_fit = kind("run_fit.decide:run_fit")
idle = kind("idle.decide:idle")
mixed = kind("served:mixed")
priced_by_size = figure("by_size.decide:priced_by_size")
sized = kind("sizing.decide:size")
small_load = kind("pay_by_use.decide:small_load")
smallest_gpu = kind("smallest_gpu.decide:smallest_gpu")
published_training = figure("training_cost.decide:published_training")
trained_on_images = figure("training_cost.decide:trained_on_images")
promised = figure("uptime.decide:promised")
one_more_replica = figure("uptime.decide:one_more_replica")
standby = figure("uptime.standby:standby")


def size(question: Question) -> Answered:
    """What a load needs; of counted GPUs in hand, whether they carry it."""
    query = question.query
    served = query.kind in (None, "inference") and query.modality is None
    in_hand = query.owned and query.count and named_gpus(query, question.reference)
    fixed = in_hand and served and has_model(query) and query.wanted != "latency"
    ways = set(query.pricing or ())
    if served and has_model(query) and {"spot", "on_demand"} <= ways:
        found = compared(question)  # "spot or on demand?" weighs them
        return found or sized(question)
    busy = query.utilization is not None and query.count and not load_stated(query)
    if busy and in_hand:
        return idle(question)
    if load_stated(query) and _weighs_serverless(query):
        return small_load(question)
    return (capacity if fixed else sized)(question)


def _weighs_serverless(query: Query) -> bool:
    """Whether a model is served by the second or on a GPU of its own.

    "Serverless or a reserved L40S?".
    """
    ways = set(query.pricing or ())
    return (
        _serves(query)
        and len(query.gpu or ()) < 2
        and query.count in (None, 1)
        and "serverless" in ways
        and (len(ways) > 1 or bool(query.gpu))
    )


def decide(question: Question) -> Answered:
    """Answer by the figure that is wanted, else by intent, else size what can be."""
    query = question.query
    if (wrong := impossible(query)) is not None:
        return Answered(unresolved_view(query, wrong))
    told = one_more_replica(question) or figure_first(question)
    if told := told or _searched(query):
        return told
    if query.clarify is not None:
        told = told_outright(question) or priced_by_size(question)
        return told or Answered(clarify_view(query))
    if query.places_compared and query.gpu and not has_model(query):
        return _price(question)
    if query.seller_prices and not has_model(query):
        return compared(question) or bill(question)
    if query.wanted is not None and query.modality is None:
        wanted = WANTED.get(query.wanted)
        if wanted is not None and (found := wanted(question)) is not None:
            return found
    if query.count_today and _serves(query):
        return sized(question)
    if query.count_before and _serves(query):
        return capacity(question)
    return HANDLERS.get(query.intent, size)(question)


def _serves(query: Query) -> bool:
    """Whether a named model is served, and makes no pictures."""
    served = query.kind in (None, "inference") and query.modality is None
    return served and has_model(query)


def figure_first(question: Question) -> Answered | None:
    """A figure that needs no workload; None: something else is asked."""
    query = question.query
    if query.wanted in ("api_bill", "api_price"):
        priced = query.wanted == "api_price"
        told = billed_by_token(question)
        return told or (priced_by_token(question) if priced else None)
    if api_asked(query) and (told := billed_by_token(question)):
        return told
    if query.kind == "training" and query.modality == "image":
        return trained_on_images(question)
    if query.wanted == "uptime":
        return promised(question)
    if query.wanted in FIRST and (told := FIRST[query.wanted](question)):
        return told
    if query.wanted == "needed":
        return needed(question, decide)
    if query.wanted == "purchase" and query.kind == "finetune":
        return bought_for(question)
    if query.wanted == "training_cost" and not _sizes_a_run(query):
        return published_training(question)
    asks = query.wanted in MODELS_WANTED and not (query.model or query.params_b)
    return _largest(question) if asks or _lacks_a_model(query) else _to_own(question)


def _to_own(question: Question) -> Answered | None:
    """What to buy for a model "on our own hardware"; None: it is named, or unasked."""
    query = question.query
    other = query.wanted or query.intent == "breakeven" or query.compare_api
    if not query.owned or other or query.gpu or query.memory_gb or query.count:
        return None
    to_buy = query.model_copy(update={"wanted": "purchase"})
    return WANTED["purchase"](replace(question, query=to_buy))


def _lacks_a_model(query: Query) -> bool:
    """Whether only a model is missing: what GPUs in hand hold, or tune, is told."""
    asked = query.clarify is not None and query.clarify.about == ("model",)
    named = (query.gpu or query.memory_gb) and query.modality is None
    data = query.dataset_tokens or query.dataset_samples or query.steps
    tunes = query.kind == "finetune" and not data
    return bool(asked and named and (query.owned or tunes))


def _largest(question: Question) -> Answered | None:
    """The largest model that GPUs train, tune or hold, or that money serves."""
    query = question.query
    if query.wanted == "affordable" or not (query.gpu or query.memory_gb):
        return None if query.gpu else what_it_buys(question)
    trains = query.kind == "training"
    return (trainable(question) if trains else None) or held(question)


def _sizes_a_run(query: Query) -> bool:
    """Whether a run of one's own is told: so many GPUs, so much data or time."""
    told = query.count, query.dataset_tokens, query.dataset_samples, query.steps
    timed = query.duration_hours or query.deadline_hours
    return any(one is not None for one in told) or timed is not None


FIRST: dict[str, Wished] = {
    "standby": standby,
    "links": figure("links.decide:links"),
    "kept_on": figure("kept_on.decide:kept_on"),
    "desks": figure("kept_on.decide:for_each_person"),
    "spend_watch": figure("kept_on.decide:spend_watched"),
}
"""What is told whatever else a question leaves open."""
MODELS_WANTED = ("affordable", "runs_on")
"""Which models money buys the service of, or GPUs hold."""


def told_outright(question: Question) -> Answered | None:
    """What needs no asking back: a no whatever the rest is, or a word's meaning."""
    return (
        refused_outright(question)
        or by_measurement(question)
        or billed_by_token(question)
        or explained_outright(question)
    )


def _searched(query: Query) -> Answered | None:
    """What searching vectors takes; None: a model runs, or makes them."""
    if not asks(query, "searches") or has_model(query) or asks(query, "embeds"):
        return None
    return Answered(searched_view(query))


def _owned(answer: Callable[[Question], Answered | None]) -> Wished:
    """Answer about named GPUs; a word that names none we know gets a price's "no"."""

    def answered(question: Question) -> Answered | None:
        return (answer(question) or price(question)) if question.query.gpu else None

    return answered


def _alone(answer: Wished, *, counted: bool = False) -> Wished:
    """Answer where no load and no fleet is told: those have figures of their own.

    `counted`: of a figure that any number of GPUs have in service of a model.
    """

    def answered(question: Question) -> Answered | None:
        query: Query = question.query
        sized = any(getattr(query, name) not in (None, 1) for name in RATES)
        fixed = query.count is not None and not (counted and has_model(query))
        sized = sized or fixed or query.kind != "inference" or _hardly_used(query)
        return None if sized else answer(question)

    return answered


def _hardly_used(query: Query) -> bool:
    """Whether GPUs are compared for little traffic: the hour of one card decides."""
    return query.intent == "compare" and "low_traffic" in (query.degrees or ())


def _one_stream(question: Question) -> Answered | None:
    """How fast one request alone is answered; None: a load or a choice is told."""
    query: Query = question.query
    loaded = any(getattr(query, name) not in (None, 1) for name in RATES)
    if loaded or query.intent == "compare" or not _serves(query):
        return None
    if query.gpu and query.count is None:
        one = query.model_copy(update={"count": 1})
        found = quickest(replace(question, query=one))
        if found.figures and found.figures.status == "ok":
            return found
    return quickest(question)


def _term(question: Question) -> Answered | None:
    """Whether a commitment pays; GPUs without any price get their price's "no"."""
    query = question.query
    if len(query.provider or ()) > 1 and len(query.gpu or ()) == 1 and query.count:
        return compared(question)
    found = of_terms(question)
    return found or (price(question) if query.gpu else None)


def _sheet(question: Question) -> Answered:
    return sheet(question) or price(question)


def _carried(question: Question) -> Answered:
    """How much given GPUs serve; where none is named, how many GPUs it takes."""
    query = question.query
    named = named_gpus(query, question.reference)
    served = query.modality is None
    loaded = any(getattr(query, name) is not None for name in RATES)
    sizes = loaded and query.count is None and not query.instance
    return (capacity if named and served and not sizes else _sized)(question)


def _sized(question: Question) -> Answered:
    """What a load takes; for a few people at a machine that nobody rents, its speed."""
    query, catalog = question.query, question.market[0]
    named = named_gpus(query, question.reference)
    few = 0 < (query.users or query.concurrency or 0) <= FEW_PEOPLE
    asked = few and has_model(query) and query.modality is None and not query.owned
    unsold = named and not any(gpu.id in catalog.gpus for gpu in named)
    return (capacity if asked and unsold else size)(question)


def _fits(question: Question) -> Answered:
    """Whether a served model, or a training run, fits the named GPUs."""
    query = question.query
    trained = query.kind in ("finetune", "training")
    if trained and _is_rental(query):
        return bill(question)
    return (run_fit if trained else fit)(question)


def _is_rental(query: Query) -> bool:
    """Whether a run of no named model takes so many GPUs for so long: a bill does."""
    told = query.gpu and query.count and query.duration_hours
    sized = query.dataset_tokens or query.dataset_samples or query.modality
    return bool(told) and not has_model(query) and not sized


def _rents_for_a_run(query: Query) -> bool:
    """Whether GPUs are rented for a stated time, to train on data of no told size."""
    trains = query.kind in ("training", "finetune") and query.modality is None
    told = query.gpu and query.count and query.duration_hours and trains
    sized = (
        query.dataset_tokens, query.dataset_samples, query.steps, query.epochs,
        query.budget_amount, query.deadline_hours,
    )  # fmt: skip
    return bool(told) and has_model(query) and not any(sized)


def _compared(question: Question) -> Answered:
    if _weighs_serverless(question.query):
        return small_load(question)
    if _is_of_terms(question.query) and (found := WANTED["term"](question)):
        return found
    return compared(question) or size(question)


def _is_of_terms(query: Query) -> bool:
    """Whether the hour and a term are what is compared, of the same GPUs.

    Those that are named, or that a load takes.
    """
    ways = set(query.pricing or ())
    named = len(query.gpu or ())
    one_kind = named < 2 and len(query.provider or ()) < 2
    loaded = any(getattr(query, name) for name in RATES)
    told = not has_model(query) or (loaded if named == 0 else not loaded)
    weighed = {"on_demand", "reserved"} <= ways and (named or "spot" not in ways)
    return bool(one_kind and told and weighed)


def _self_or_api(question: Question) -> Answered:
    """Own GPUs or an API: for traffic, or for a pile that may wait."""
    if question.query.paid_seats:  # no token of a subscription has a price
        free = {"compare_api": None, "intent": "size"}
        return size(replace(question, query=question.query.model_copy(update=free)))
    piled = question.query.kind == "batch" and question.query.modality is None
    place = (
        "batch_or_api.decide:batch_or_api" if piled else "breakeven.decide:breakeven"
    )
    return kind(place)(question)


def _cost(question: Question) -> Answered:
    """What given hardware costs; a model without hardware is sized first."""
    query = question.query
    if has_model(query) or not query.gpu:
        return size(question)
    if query.utilization and query.count and not (query.pricing or query.term_months):
        return idle(question)
    return _at_each(question) or bill(question)


def _price(question: Question) -> Answered:
    return _at_each(question) or price(question)


def _at_each(question: Question) -> Answered | None:
    """So many GPUs "at azure, aws and google": each seller's bill, not the lowest."""
    query = question.query
    several = len(query.provider or ()) > 1 and len(query.gpu or ()) == 1
    several = several or len(query.instance or ()) > 1
    sized = query.count is not None or query.instance is not None
    counted = several and sized and query.duration_hours is None
    return compared(question) if counted else None


def _run_cost(question: Question) -> Answered:
    """What a run, a batch or a pile of media costs, and on what."""
    query = question.query
    if query.kind == "mixed":
        return mixed(question)
    if _is_rental(query):
        return bill(question)
    if _rents_for_a_run(query):
        return rented_for_a_run(question)
    if query.kind in (None, "inference") and query.modality is None:
        piled = query.requests_total or query.requests_per_day or query.tokens_total
        meant = "batch" if piled else training_kind(query)
        run = query.model_copy(update={"kind": meant})
        question = replace(question, query=run)
    resolved = resolve(question.query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(query, resolved))
    from bot.answers.served import bounded

    return bounded(question, resolved) or Answered(unreadable_view(query))


def _explained(question: Question) -> Answered:
    """What a word means; a question about a workload is answered with its figures."""
    query = question.query
    if query.gpu and len(query.pricing or ()) > 1 and not has_model(query):
        return price(question)
    if (told := meaning(question)) is not None:
        return told
    if has_model(query):
        return fit(question)
    if len(query.gpu or ()) > 1 and (found := compared(question)):
        return found
    return unknown_word(question)


def _helped(question: Question) -> Answered:
    return Answered(help_view())


def _refused(question: Question) -> Answered:
    return Answered(out_of_scope_view(question.query))


def _by_memory(question: Question) -> Answered | None:
    """A count or a length that memory alone decides; None: a rate is to be served."""
    query, held = question.query, {"concurrency", "users"}
    if query.intent == "breakeven":
        return None  # money is compared, and a load that it pays for
    served = any(getattr(query, name) for name in RATES if name not in held)
    fewest = query.wanted == "gpus_to_hold"
    fixed = query.count if fewest else query.context
    people = max(query.users or 0, query.concurrency or 0)
    if (people > FEW_PEOPLE or (fewest and _waits(query))) and not query.gpu:
        return None  # so many are a load to serve, and memory decides no wait
    if fewest and not (query.gpu or served or fixed) and has_model(query):
        return smallest_gpu(question)
    named = query.gpu and has_model(query) and query.kind in (None, "inference")
    return fit(question) if named and not (served or fixed) else None


def _waits(query: Query) -> bool:
    """Whether it is stated how fast an answer must be: memory alone does not decide."""
    waits = (query.ttft_ms, query.tpot_ms, query.e2e_ms, query.tok_s_per_user)
    return any(waits) and has_model(query)


def _cut_apart(question: Question) -> Answered | None:
    """Several models in slices of their own; None: it is about one."""
    return fit(question) if (question.query.model_count or 1) > 1 else None


WANTED: dict[str, Wished] = {
    "memory": kind("memory.decide:memory_needed"),
    "sheet": _sheet,
    "energy": _owned(figure("energy.decide:energy")),
    "buy_or_rent": figure("buy_or_rent.decide:buy_or_rent"),
    "purchase": figure("buy_or_rent.decide:buy_or_rent"),
    "price_history": lambda one: (
        of_terms(one) if "reserved" in (one.query.pricing or ()) else None
    ),
    "term": _term,
    "fair_price": figure("fair_price.decide:fair_price"),
    "usd_per_million": _alone(figure("unit_price.decide:unit_price"), counted=True),
    "latency": _alone(quickest),
    "one_stream": _one_stream,
    "usd_per_ttft_ms": kind("ttft_cost.view:ttft_cost"),
    "kv_cache": kind("memory_size.decide:memory_size"),
    "weights": kind("memory_size.decide:memory_size"),
    "gpus_to_hold": _by_memory,
    "longest_context": _by_memory,
    "smallest_gpu": lambda one: None if _waits(one.query) else smallest_gpu(one),
    "mig": _cut_apart,
    "fewer_larger": figure("comparisons:consolidated"),
    "downsize": figure("comparisons:consolidated"),
}
"""Who answers for a figure that is asked for; None: whoever has the intent."""
HANDLERS: dict[Intent | None, Handler] = {
    "size": _sized,
    "cost": _cost,
    "price": _price,
    "capacity": _carried,
    "fit": _fits,
    "run_cost": _run_cost,
    "lifecycle": kind("lifecycle.decide:lifecycle"),
    "compare": _compared,
    "breakeven": _self_or_api,
    "idle": idle,
    "explain": _explained,
    "help": _helped,
    "out_of_scope": _refused,
}
