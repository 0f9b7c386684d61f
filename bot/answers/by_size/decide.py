"""The question which model, with what the load costs at each of the usual sizes."""

from bot.answers.shared.figures import gpu_name, money, price_sources, provider_name
from bot.answers.shared.problems import clarify_view
from bot.question.question import Answered, Question
from bot.render.views import Cell, Table
from bot.render.words import say
from core.answers.by_size import by_size
from core.market.recommendation import Recommendation
from core.reference.catalogue import Reference
from core.resolve.serving import describe_load
from core.workload import InferenceSpec

COLUMNS = ("Model", "Fleet", "$/month")
FEWEST = 2
"""Sizes without which there is nothing to choose from."""


def priced_by_size(question: Question) -> Answered | None:
    """Ask for the model beside what each size costs; None: something else is asked."""
    query = question.query
    asked = query.clarify
    served = query.kind in (None, "inference") and query.modality is None
    if asked is None or asked.about != ("model",) or query.wanted or query.unknown:
        return None
    if not served:
        return None
    if query.budget_amount is not None:
        from bot.answers.affordable.decide import what_it_buys

        return what_it_buys(question)
    known = (question.catalog, question.reference, question.defaults, question.now)
    found = by_size(query, *known)
    if len(found) < FEWEST:
        return None
    first, last = found[0], found[-1]
    least, most = first.options[0], last.options[0]
    view = clarify_view(query)
    verdict = say(
        "by_size.verdict",
        question=view.verdict,
        usd=least.usd_per_month,
        name=_model(first).model.name,
        usd_2=most.usd_per_month,
        name_2=_model(last).model.name,
    )
    spec = _model(first)
    told = view.model_copy(
        update={
            "verdict": verdict,
            "why": say(
                "by_size.the_load",
                load=describe_load(spec.load),
                input_tokens=spec.input_tokens,
                output_tokens=spec.output_tokens,
            ),
            "table": Table(
                caption=say("by_size.by_model"),
                columns=COLUMNS,
                rows=tuple(_row(one, question.reference) for one in found),
                whole=True,
            ),
            "small_print": (price_sources(one.options[0].offer for one in found),),
        }
    )
    return Answered(told)


def _model(found: Recommendation) -> InferenceSpec:
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        raise TypeError(spec)
    return spec


def _row(found: Recommendation, reference: Reference) -> tuple[Cell, ...]:
    best = found.options[0]
    seller = provider_name(best.offer.provider, reference)
    return (
        Cell(text=_model(found).model.name),
        Cell(text=f"{best.gpus} × {gpu_name(best.plan.gpu)}, {seller}"),
        money(best.usd_per_month),
    )
