"""Answers about bounded work and media: runs, batches, images, a model's life."""

from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from bot.answers.day_night.view import day_night_view, explain_day_night
from bot.answers.fit.run_fit import run_fit_view
from bot.answers.jobs.unfit import job_no_view
from bot.answers.jobs.view import job_view
from bot.answers.jobs.why import explain_job
from bot.answers.lifecycle.cost_crossover import explain_passing, passing_view
from bot.answers.lifecycle.view import explain_lifecycle, lifecycle_view
from bot.answers.media.view import media_view
from bot.answers.media.why import explain_media
from bot.answers.shared.problems import unreadable_view, unresolved_view
from bot.answers.training_comparison.view import trained_on_view
from bot.question.question import Answered, Question
from core.answers.cost_crossover import answer_passing
from core.answers.day_night import recommend_day_night
from core.answers.lifecycle import recommend_lifecycle
from core.answers.media import recommend_media
from core.answers.training_comparison import weigh_for_training
from core.jobs.answer import answer_job
from core.jobs.recommend import JobSpec, Shop, is_job
from core.llm import ModelSpec
from core.market.named_gpus import named_gpus
from core.money.api import ApiPrice
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.resolve.mixed import training_kind, training_part
from core.workload import BatchSpec, MediaSpec, Resolved
from prices.sources.api_prices import api_prices


def run_cost(question: Question) -> Answered:
    """What a run, a batch or a pile of media costs, and on what."""
    query = question.query
    if query.kind == "mixed":
        return mixed(question)
    if query.kind in (None, "inference") and query.modality is None:
        question = replace(question, query=_as_run(query))
    resolved = resolve(question.query, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(query, resolved))
    answered = bounded(question, resolved)
    return answered or Answered(unreadable_view(query))


def _as_run(query: Query) -> Query:
    """A cost of a run whose kind is left open: what its numbers entail."""
    piled = query.requests_total or query.requests_per_day or query.tokens_total
    kind = "batch" if piled else training_kind(query)
    return query.model_copy(update={"kind": kind})


def bounded(question: Question, resolved: Resolved) -> Answered | None:
    """The answer to a resolved workload that is not live serving; None: it is."""
    spec = resolved.spec
    if isinstance(spec, MediaSpec):
        return _media(question, resolved, spec)
    return _job(question, resolved, spec) if is_job(spec) else None


def mixed(question: Question) -> Answered:
    """Two kinds of work: live and a pile at night, else a run and its service."""
    return (day_night if question.query.day_and_night else lifecycle)(question)


def day_night(question: Question) -> Answered:
    """Live by day, a pile at night: one fleet for both, or each apart."""
    found = recommend_day_night(question.query, question.defaults, _shop(question))
    if isinstance(found, Unresolved):
        return Answered(unresolved_view(question.query, found))
    place = _place(question)
    view = day_night_view(found, *place)
    return Answered(view, explain_day_night(found, *place), found.serving)


def lifecycle(question: Question) -> Answered:
    """Train once and serve for months; of two stated sums only the day is asked."""
    if (even := answer_passing(question.query, question.now)) is not None:
        told = question.answer_id, question.query.text
        why = explain_passing(even, *told, question.now)
        return Answered(passing_view(even, *told), why, even)
    found = recommend_lifecycle(question.query, question.defaults, _shop(question))
    if isinstance(found, Unresolved):
        return Answered(unresolved_view(question.query, found))
    place = _place(question)
    view = lifecycle_view(found, *place)
    return Answered(view, explain_lifecycle(found, *place), found)


def weighed_for_training(question: Question) -> Answered:
    """Whether one GPU is worth it over another for training, whatever the data."""
    query = question.query
    gpus = [gpu.id for gpu in named_gpus(query, question.reference)]
    found = weigh_for_training(query, gpus, question.defaults, _shop(question))
    if isinstance(found, Unresolved):
        return Answered(unresolved_view(query, found))
    place = _place(question)
    view = trained_on_view(found, *place)
    return Answered(view, explain_job(found.answer, found.spec, *place), found.answer)


def fit_finetune(question: Question) -> Answered:
    """Whether a run fits the named GPUs, with its memory as a sum."""
    run = training_part(question.query)
    resolved = resolve(run, question.reference, question.defaults)
    if isinstance(resolved, Unresolved):
        return Answered(unresolved_view(question.query, resolved))
    spec = resolved.spec
    if not is_job(spec) or isinstance(spec, BatchSpec):
        return Answered(unreadable_view(question.query))
    found = answer_job(resolved, spec, _shop(question))
    place = _place(question)
    view = run_fit_view(found, spec, *place)
    return Answered(view, explain_job(found, spec, *place), found)


def refused_outright(question: Question) -> Answered | None:
    """A run that cannot fit whatever is still unsaid; None: that has to be asked."""
    query = question.query
    if query.kind not in ("finetune", "training") or not (query.gpu and query.count):
        return None
    whole = replace(question, query=query.model_copy(update={"clarify": None}))
    answered = fit_finetune(whole)
    return answered if answered.view.kind == "no" else None


def _job(question: Question, resolved: Resolved, spec: JobSpec) -> Answered:
    apis: tuple[ApiPrice, ...] = ()
    if isinstance(spec, BatchSpec) and not spec.constraints.gpus:
        apis = _same_weights(spec.model, question)
    found = answer_job(resolved, spec, _shop(question), apis)
    place = _place(question)
    draw = job_view if found.status == "ok" else job_no_view
    view = draw(found, spec, *place)
    return Answered(view, explain_job(found, spec, *place), found)


def _media(question: Question, resolved: Resolved, spec: MediaSpec) -> Answered:
    found = recommend_media(resolved, spec, _shop(question))
    place = _place(question)
    return Answered(media_view(found, *place), explain_media(found, *place), found)


def _shop(question: Question) -> Shop:
    return Shop(question.catalog, question.reference, question.now)


def _place(question: Question) -> tuple[str, str, Reference, datetime]:
    return (
        question.answer_id,
        question.query.text,
        question.reference,
        question.now,
    )


def _same_weights(model: ModelSpec, question: Question) -> tuple[ApiPrice, ...]:
    midnight = question.now.replace(hour=0, minute=0, second=0, microsecond=0)
    return _apis(model.id, midnight)


@lru_cache(maxsize=64)
def _apis(model_id: str, day: datetime) -> tuple[ApiPrice, ...]:
    known = reference()
    model = known.models.get(model_id)
    return api_prices(model, known, day) if model else ()
