"""Answers about what stands beside rent: power, buying, the whole bill of a month."""

from dataclasses import replace
from decimal import Decimal

from bot.answers.owning.terms import explain_terms, terms_view
from bot.answers.owning.view import (
    energy_view,
    explain_energy,
    explain_owning,
    owning_view,
)
from bot.answers.owning.whole_bill import (
    explained_all_in,
    with_all_in,
    with_beside_alone,
)
from bot.answers.prices.view import marked
from bot.answers.shared.figures import gpu_name
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from core.answers.ownership import answer_energy, answer_owning
from core.answers.tco import all_in, asked_for
from core.answers.terms import answer_terms
from core.market.board import PriceBoard
from core.market.named_gpus import named_gpus
from core.market.recommendation import Recommendation
from core.query import Query
from core.resolve.constraints import resolve_constraints
from core.workload import Assumption, InferenceSpec


def energy(question: Question) -> Answered | None:
    """What the power of owned GPUs costs; None: no GPU is named."""
    query = question.query
    gpus = named_gpus(query, question.reference)
    if not gpus:
        return None
    limits = resolve_constraints(query, question.reference)
    used = query.utilization if query.utilization is not None else 1.0
    found = answer_energy(query, gpus[0], limits, used)
    if found is None:
        why = f"The power draw of {gpu_name(gpus[0])} is not known"
        return _unknown(question, why, "State the price of power and the watts.")
    view = energy_view(found, question.answer_id, query.text)
    why_view = explain_energy(found, question.answer_id, query.text, question.now)
    return Answered(view, why_view, found)


def buy_or_rent(question: Question) -> Answered | None:
    """Buying against renting the same GPUs; None: no GPU is named."""
    query, reference = question.query, question.reference
    gpus = named_gpus(query, reference)
    if not gpus:
        return None
    used, assumed = _used(question)
    limits = resolve_constraints(query, reference)
    limits = limits.model_copy(update={"pricing": (), "term_months": None})
    market = (question.catalog, reference, question.now)
    found = answer_owning(query, gpus[0], limits, used, assumed, *market)
    if found is None:
        name = gpu_name(gpus[0])
        return _unknown(
            question,
            f"No purchase price, rent or power draw of {name} is known",
            "State the price of one, as in “buy or rent 8 h100 at $30k each”.",
        )
    place = (question.answer_id, query.text)
    view = owning_view(found, *place, reference)
    return Answered(view, explain_owning(found, *place, question.now), found)


def terms(question: Question) -> Answered | None:
    """Whether a reservation pays; None: no GPU is named, or no term is known."""
    query, reference = question.query, question.reference
    gpus = named_gpus(query, reference)
    if not gpus:
        return None
    limits = resolve_constraints(query, reference)
    found = answer_terms(gpus[0], limits, question.catalog, reference, question.now)
    if found is None:
        return None
    place = (question.answer_id, query.text, reference, question.now)
    return Answered(terms_view(found, *place), explain_terms(found, *place), found)


def _used(question: Question) -> tuple[float, tuple[Assumption, ...]]:
    stated = question.query.utilization
    if stated is not None and stated > 0:
        return stated, ()
    usual = question.defaults["utilization"]
    assumed = Assumption(
        field="utilization",
        label="average load",
        value=f"{usual.value:.0%}",
        why=usual.why,
    )
    return usual.value, (assumed,)


def _unknown(question: Question, verdict: str, why: str) -> Answered:
    view = AnswerView(
        kind="no",
        id=question.answer_id,
        question=question.query.text,
        verdict=verdict,
        why=why,
    )
    return Answered(view, view)


def whole_bill(answered: Answered, question: Question) -> Answered:
    """The same answer with what was asked for beside its GPUs, if anything was."""
    query = question.query
    if not asked_for(query):
        return answered
    billed = _billed(answered.figures, question)
    if billed is None:
        return _beside_alone(answered, query)
    found = all_in(query, *billed)
    return replace(
        answered,
        view=with_all_in(answered.view, found),
        explanation=explained_all_in(answered.explanation, found),
        beside=found,
    )


def _beside_alone(answered: Answered, query: Query) -> Answered:
    """An answer without one monthly bill: what was named is said, and not added."""
    found = answered.figures
    if found is None or query.beside is None:
        return answered
    view = with_beside_alone(answered.view, all_in(query, "", Decimal(0), 1.0))
    return replace(answered, view=view)


def _billed(found: object, question: Question) -> tuple[str, Decimal, float] | None:
    """The provider, the month and the use of what a verdict names."""
    if isinstance(found, Recommendation) and found.options:
        spec = found.resolved.spec
        used = spec.load.average_share if isinstance(spec, InferenceSpec) else 1.0
        best = found.options[0]
        return best.offer.provider, best.usd_per_month, used
    if isinstance(found, PriceBoard) and found.bills:
        bill = marked(found)
        stated = question.query.utilization
        return bill.offer.provider, bill.usd_per_month, stated or 1.0
    return None
