"""Which kind of answer a question gets: two tables, one function for each kind."""

from collections.abc import Callable
from dataclasses import replace

from bot.answers.affordable.decide import what_it_buys
from bot.answers.api_bill.decide import billed_by_token
from bot.answers.batch_or_api.decide import batch_or_api
from bot.answers.breakeven.decide import breakeven
from bot.answers.buy_or_rent.decide import buy_or_rent
from bot.answers.capacity.decide import capacity
from bot.answers.comparisons import compared
from bot.answers.datasheet.decide import sheet
from bot.answers.energy.decide import energy
from bot.answers.fit.decide import fit
from bot.answers.glossary.decide import explained_outright, meaning
from bot.answers.glossary.view import unknown_word_view
from bot.answers.help import help_view
from bot.answers.idle.decide import idle
from bot.answers.latency.decide import quickest
from bot.answers.lifecycle.decide import lifecycle
from bot.answers.memory.decide import memory_needed
from bot.answers.memory_size.decide import memory_size
from bot.answers.prices.decide import bill, price
from bot.answers.run_fit.decide import refused_outright, run_fit
from bot.answers.served import bounded, mixed
from bot.answers.shared.problems import (
    clarify_view,
    out_of_scope_view,
    unreadable_view,
    unresolved_view,
)
from bot.answers.shared.workload import has_model
from bot.answers.sizing.decide import size
from bot.answers.smallest_gpu.decide import smallest_gpu
from bot.answers.terms.decide import terms
from bot.answers.training_cost.decide import published_training
from bot.answers.ttft_cost.view import ttft_cost
from bot.answers.unit_price.decide import unit_price
from bot.question.question import Answered, Handler, Question
from core.answers.glossary import glossary
from core.market.named_gpus import named_gpus
from core.query import RATES, Intent, Query
from core.resolve import Unresolved, impossible, resolve
from core.resolve.mixed import training_kind

Wished = Callable[[Question], Answered | None]
"""Answers for one figure; None: the question is another kind's after all."""


def decide(question: Question) -> Answered:
    """Answer by the figure that is wanted, else by intent, else size what can be."""
    query = question.query
    if (wrong := impossible(query)) is not None:
        return Answered(unresolved_view(query, wrong))
    if told := figure_first(question):
        return told
    if query.clarify is not None:
        return told_outright(question) or Answered(clarify_view(query))
    if query.wanted is not None and query.modality is None:
        wanted = WANTED.get(query.wanted)
        if wanted is not None and (found := wanted(question)) is not None:
            return found
    return HANDLERS.get(query.intent, size)(question)


def figure_first(question: Question) -> Answered | None:
    """A figure that needs neither a model nor a load; None: something else is asked."""
    query = question.query
    if query.wanted == "training_cost" and not query.gpu:
        return published_training(question)
    if query.wanted == "affordable" and not (query.model or query.params_b):
        return None if query.gpu else what_it_buys(question)
    return None


def told_outright(question: Question) -> Answered | None:
    """What needs no asking back: a no whatever the rest is, or a word's meaning."""
    return (
        refused_outright(question)
        or billed_by_token(question)
        or explained_outright(question)
    )


def _owned(answer: Callable[[Question], Answered | None]) -> Wished:
    """Answer about named GPUs; a word that names none we know gets a price's "no"."""

    def answered(question: Question) -> Answered | None:
        return (answer(question) or price(question)) if question.query.gpu else None

    return answered


def _alone(answer: Handler) -> Wished:
    """Answer where no load and no fleet is told: those have figures of their own."""

    def answered(question: Question) -> Answered | None:
        query: Query = question.query
        sized = any(getattr(query, name) is not None for name in RATES)
        sized = sized or query.count is not None or query.kind != "inference"
        return None if sized else answer(question)

    return answered


def _sheet(question: Question) -> Answered:
    return sheet(question) or price(question)


def _carried(question: Question) -> Answered:
    """How much given GPUs serve; where none is named, how many GPUs it takes."""
    named = named_gpus(question.query, question.reference)
    served = question.query.modality is None
    return capacity(question) if named and served else size(question)


def _fits(question: Question) -> Answered:
    """Whether a served model, or a training run, fits the named GPUs."""
    trained = question.query.kind in ("finetune", "training")
    return run_fit(question) if trained else fit(question)


def _compared(question: Question) -> Answered:
    return compared(question) or size(question)


def _self_or_api(question: Question) -> Answered:
    """Own GPUs or an API: for traffic, or for a pile that may wait."""
    piled = question.query.kind == "batch" and question.query.modality is None
    return (batch_or_api if piled else breakeven)(question)


def _cost(question: Question) -> Answered:
    """What given hardware costs; a model without hardware is sized first."""
    hardware = not has_model(question.query) and question.query.gpu
    return (bill if hardware else size)(question)


def _run_cost(question: Question) -> Answered:
    """What a run, a batch or a pile of media costs, and on what."""
    query = question.query
    if query.kind == "mixed":
        return mixed(question)
    if query.kind in (None, "inference") and query.modality is None:
        piled = query.requests_total or query.requests_per_day or query.tokens_total
        kind = "batch" if piled else training_kind(query)
        run = query.model_copy(update={"kind": kind})
        question = replace(question, query=run)
    resolved = resolve(question.query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(query, resolved))
    return bounded(question, resolved) or Answered(unreadable_view(query))


def _explained(question: Question) -> Answered:
    """What a word means; a question about a workload is answered with its figures."""
    if (told := meaning(question)) is not None:
        return told
    if has_model(question.query):
        return fit(question)
    if len(question.query.gpu or ()) > 1 and (found := compared(question)):
        return found
    return Answered(unknown_word_view(glossary(), question.query.text))


def _helped(question: Question) -> Answered:
    return Answered(help_view())


def _refused(question: Question) -> Answered:
    return Answered(out_of_scope_view(question.query))


def _cut_apart(question: Question) -> Answered | None:
    """Several models in slices of their own; None: it is about one."""
    return fit(question) if (question.query.model_count or 1) > 1 else None


WANTED: dict[str, Wished] = {
    "memory": memory_needed,
    "sheet": _sheet,
    "energy": _owned(energy),
    "buy_or_rent": _owned(buy_or_rent),
    "term": _owned(terms),
    "usd_per_million": _alone(unit_price),
    "latency": _alone(quickest),
    "usd_per_ttft_ms": ttft_cost,
    "kv_cache": memory_size,
    "weights": memory_size,
    "smallest_gpu": smallest_gpu,
    "mig": _cut_apart,
}
"""Who answers for a figure that is asked for; None: whoever has the intent."""
HANDLERS: dict[Intent | None, Handler] = {
    "size": size,
    "cost": _cost,
    "price": price,
    "capacity": _carried,
    "fit": _fits,
    "run_cost": _run_cost,
    "lifecycle": lifecycle,
    "compare": _compared,
    "breakeven": _self_or_api,
    "idle": idle,
    "explain": _explained,
    "help": _helped,
    "out_of_scope": _refused,
}
