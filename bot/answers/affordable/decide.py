"""What a sum of money serves, where no model is named: one row a usual size."""

from bot.answers.shared.arithmetic import explanation
from bot.answers.shared.figures import (
    gpu_name,
    money,
    number,
    provider_name,
    share_action,
    why_action,
)
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Table
from core.answers.affordable import Affordable, affordable
from core.answers.capacity import Carried
from core.reference.catalogue import Reference
from core.wording import count, dollars, significant
from core.workload import InferenceSpec

COLUMNS = ("Model", "Fleet", "GPUs", "$/month", "Requests/s", "Requests a day")
SECONDS_PER_DAY = 86_400


def what_it_buys(question: Question) -> Answered | None:
    """The most that a budget serves; None: none is stated."""
    query, reference = question.query, question.reference
    found = affordable(
        query, question.catalog, reference, question.defaults, question.now
    )
    if found is None:
        return None
    view = AnswerView(
        kind="answer" if found.served else "no",
        id=question.answer_id,
        question=query.text,
        verdict=_verdict(found),
        why=_why(found),
        table=Table(
            caption="What the money serves, by model",
            columns=COLUMNS,
            rows=tuple(_row(spec, one, reference) for spec, one in found.best),
        ),
        actions=(share_action(question.answer_id), why_action(question.answer_id)),
    )
    why = explanation(
        question.answer_id, query.text, question.now, [view.why], (), ("budget",)
    )
    return Answered(view, why, found)


def _verdict(found: Affordable) -> str:
    budget = f"{dollars(found.usd_per_month)} a month"
    if not found.served:
        return f"{budget} rents no GPU that serves a usual model"
    said = [
        f"{significant(one.requests_per_second.likely)} requests/s of {spec.model.name}"
        for spec, one in found.best
    ]
    return f"{budget} serves about {' or '.join(said)}"


def _why(found: Affordable) -> str:
    if not found.served:
        return "The smallest machine that can be ordered costs more."
    spec, one = found.best[-1]
    daily = one.requests_per_second.likely * SECONDS_PER_DAY * HALF
    return (
        f"At chat lengths ({count(spec.input_tokens)} tokens in, "
        f"{count(spec.output_tokens)} out) and within the usual latency. At half load "
        f"on average, the last is about {count(round(daily))} requests a day. Name a "
        "model and a load for a plan."
    )


HALF = 0.5
"""Serving fleets average about half of their peak (S0-015)."""


def _row(spec: InferenceSpec, one: Carried, reference: Reference) -> tuple[Cell, ...]:
    seller = provider_name(one.bill.offer.provider, reference) if one.bill else ""
    rate = one.requests_per_second.likely
    return (
        Cell(text=spec.model.name),
        Cell(text=f"{gpu_name(one.gpu)}, {seller}"),
        number(one.gpus),
        money(one.bill.usd_per_month) if one.bill else Cell(text=""),
        Cell(text=significant(rate), value=rate),
        number(round(rate * SECONDS_PER_DAY * HALF)),
    )
