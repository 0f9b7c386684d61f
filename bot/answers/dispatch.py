"""Which answer a question gets: one function per intent, each ending in a view."""

from bot.answers.api_bill.decide import billed_by_token
from bot.answers.batch_or_api.decide import batch_or_api
from bot.answers.breakeven.decide import (
    barely_used,
    breakeven,
    by_use,
    idle,
    most_for,
    weighed,
)
from bot.answers.compare.decide import compare, explain
from bot.answers.compare.decide_models import compare_models
from bot.answers.help import help_view
from bot.answers.jobs.decide import (
    bounded,
    fit_finetune,
    lifecycle,
    mixed,
    refused_outright,
    run_cost,
    weighed_for_training,
)
from bot.answers.owning.decide import whole_bill
from bot.answers.prices.decide import bill, price
from bot.answers.shared.currency_conversion import in_dollars, with_rate
from bot.answers.shared.load_growth import with_growth
from bot.answers.shared.price_overrides import at_stated_prices
from bot.answers.shared.problems import (
    out_of_scope_view,
    unreadable_view,
    unresolved_view,
)
from bot.answers.shared.serving import capacity, fit
from bot.answers.shared.units import in_units
from bot.answers.sizing.sensitivity import explained_sensitivity, with_sensitivity
from bot.answers.sizing.unfit import no_view
from bot.answers.sizing.view import sizing_view
from bot.answers.sizing.why import explain_sizing
from bot.answers.unit_price.decide import handler_of
from bot.question.question import Answered, Handler, Question
from core.answers.glossary import glossary
from core.market.named_gpus import named_gpus
from core.query import Intent, Query
from core.resolve import Unresolved, resolve
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec

__all__ = ["Answered", "Question", "answer_intent", "told_outright"]


WORDS_OF_A_TERM = {"intent", "kind", "pricing"}
"""What a question states that asks about "reserved" or "training", not for GPUs."""


def answer_intent(question: Question) -> Answered:
    """Answer by what is wanted, else by intent, else size what can be sized."""
    question = at_stated_prices(in_dollars(question))
    query = question.query
    handler = handler_of(query) or HANDLERS.get(query.intent, size)
    answered = whole_bill(in_units(handler(question), question), question)
    return with_growth(with_rate(answered, question), question)


def told_outright(question: Question) -> Answered | None:
    """What needs no asking back: a no whatever the rest is, or a word's meaning."""
    return (
        refused_outright(question)
        or billed_by_token(question)
        or explained_outright(question)
    )


def explained_outright(question: Question) -> Answered | None:
    """The meaning of a term, where a question states nothing but such; else None."""
    query = question.query
    if query.stated().keys() - WORDS_OF_A_TERM or not glossary().find(query.text):
        return None
    return explain(question)


def size(question: Question) -> Answered:
    """How many of which GPUs, where, for how much."""
    query = question.query
    if not query.stated().keys() - {"intent", "kind"} and not query.unknown:
        return Answered(unreadable_view(query))
    if query.kind == "mixed":
        return mixed(question)
    resolved = resolve(query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        about_a_term = explained_outright(question)
        return about_a_term or Answered(unresolved_view(query, resolved))
    spec = resolved.spec
    if not isinstance(spec, InferenceSpec):
        return bounded(question, resolved) or Answered(unreadable_view(query))
    if most := most_for(question, resolved):
        return most
    found = recommend_serving(
        resolved, spec, question.catalog, question.reference, question.now
    )
    if barely_used(query, found) and (small := by_use(question, found)):
        return small
    found = weighed(question, found)
    place = (question.answer_id, query.text, question.reference, question.now)
    view = (no_view if found.status != "ok" else sizing_view)(found, *place)
    why = explained_sensitivity(explain_sizing(found, *place), found)
    return Answered(with_sensitivity(view, found), why, found)


def carried(question: Question) -> Answered:
    """How much given GPUs serve; where none is named, how many GPUs it takes."""
    named = named_gpus(question.query, question.reference)
    served = question.query.modality is None
    return capacity(question) if named and served else size(question)


def fits(question: Question) -> Answered:
    """Whether a served model, or a training run, fits the named GPUs."""
    trained = question.query.kind in ("finetune", "training")
    return fit_finetune(question) if trained else fit(question)


def compared(question: Question) -> Answered:
    """X or Y; where nothing is named to choose from, the cheapest of all."""
    if weighs_for_training(question.query):
        return weighed_for_training(question)
    return compare_models(question) or compare(question) or size(question)


def weighs_for_training(query: Query) -> bool:
    """Whether GPUs are weighed for a run of which no data is told."""
    told = (query.dataset_tokens, query.dataset_samples, query.steps)
    runs = query.kind in ("training", "finetune") and query.modality is None
    return runs and len(query.gpu or ()) > 1 and not any(told)


def self_or_api(question: Question) -> Answered:
    """Own GPUs or an API: for traffic, or for a pile that may wait."""
    piled = question.query.kind == "batch" and question.query.modality is None
    return (batch_or_api if piled else breakeven)(question)


def cost(question: Question) -> Answered:
    """What given hardware costs; a model without hardware is sized first."""
    query = question.query
    if query.model is None and query.params_b is None and query.gpu:
        return bill(question)
    return size(question)


def helped(question: Question) -> Answered:
    """What can be asked."""
    return Answered(help_view())


def refused(question: Question) -> Answered:
    """Something that is none of this bot's business."""
    return Answered(out_of_scope_view(question.query))


HANDLERS: dict[Intent | None, Handler] = {
    "size": size,
    "cost": cost,
    "price": price,
    "capacity": carried,
    "fit": fits,
    "run_cost": run_cost,
    "lifecycle": lifecycle,
    "compare": compared,
    "breakeven": self_or_api,
    "idle": idle,
    "explain": explain,
    "help": helped,
    "out_of_scope": refused,
}
