"""Answers about hardware in hand: what it carries, and what fits on it."""

from dataclasses import replace

from bot.answers.capacity.view import capacity_view, explain_capacity
from bot.answers.fit.mig import explain_mig, mig_view
from bot.answers.fit.view import explain_fit, fit_view
from bot.answers.jobs.decide import bounded
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.answers.shared.spending import beside_budget, held_to_budget
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from core.answers.capacity import answer_capacity
from core.answers.fit import answer_fit
from core.answers.mig import answer_mig
from core.hardware import GpuSpec
from core.query import Query
from core.resolve import Unresolved, resolve
from core.workload import InferenceSpec, Resolved


def capacity(question: Question) -> Answered:
    """What the named GPUs carry within the latency limits."""
    query, reference = question.query, question.reference
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    spec = spec_of(resolved)
    found = answer_capacity(
        query, resolved, spec, question.catalog, reference, question.now
    )
    place = (question.answer_id, query.text, reference, question.now)
    view = capacity_view(found, *place, question.defaults)
    hourly = found.best.bill.usd_per_hour if found.best and found.best.bill else None
    view = held_to_budget(view, spec.constraints, hourly, question.now)
    return Answered(view, explain_capacity(found, *place), found)


def fit(question: Question) -> Answered:
    """Whether a model, or several in slices of their own, fit the named GPUs."""
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    query, reference, spec = question.query, question.reference, spec_of(resolved)
    market = (question.catalog, reference, question.now)
    place = (question.answer_id, query.text, reference, question.now)
    if spec.model_count > 1:
        cut = answer_mig(query, resolved, spec, *market)
        return Answered(mig_view(cut, *place), explain_mig(cut, *place), cut)
    found = answer_fit(query, resolved, spec, *market)
    asked = found.asked
    hourly = asked.bill.usd_per_hour if asked and asked.bill else None
    view = fit_view(found, *place)
    view = beside_budget(view, spec.constraints, hourly, question.now)
    return Answered(view, explain_fit(found, *place), found)


def serving(question: Question) -> Resolved | Answered:
    """The served workload of a question, or the answer that says why there is none."""
    query = question.query
    resolved = resolve(query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(query, resolved))
    if not isinstance(resolved.spec, InferenceSpec):
        return bounded(question, resolved) or Answered(unreadable_view(query))
    return resolved


def spec_of(resolved: Resolved) -> InferenceSpec:
    """The served workload that `serving` made sure of."""
    if not isinstance(resolved.spec, InferenceSpec):
        raise TypeError(f"not a served workload: {resolved.spec.kind}")
    return resolved.spec


def has_model(query: Query) -> bool:
    """Whether a question says what is served."""
    return query.model is not None or query.params_b is not None


def with_model(question: Question) -> Question:
    """The same question about the default size where no model is named."""
    if has_model(question.query):
        return question
    size = question.defaults["params_b"].value
    query = question.query.model_copy(update={"params_b": size})
    return replace(question, query=query)


def said_so(question: Question, resolved: Resolved) -> Resolved:
    """The same workload, its model marked as nobody's word but ours."""
    why = question.defaults["params_b"].why
    assumed = tuple(
        one.model_copy(update={"why": why}) if one.field == "model" else one
        for one in resolved.assumptions
    )
    return resolved.model_copy(update={"assumptions": assumed})


def price_unknown(question: Question, gpu: GpuSpec) -> Answered:
    """Hardware in hand that nobody in the catalogue sells under the conditions."""
    view = AnswerView(
        kind="no",
        id=question.answer_id,
        question=question.query.text,
        verdict=f"No price is known for {gpu_name(gpu)} under these conditions",
        why="Without a price there is no bill to compare.",
    )
    return Answered(view, view)
