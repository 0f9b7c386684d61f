"""One model against others under one load: what each takes, and what it costs."""

from collections.abc import Iterable
from datetime import datetime

from bot.answers.compare_loads.view import bill_reason
from bot.answers.shared.figures import (
    age,
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.model_comparison import ModelRivals
from core.market.recommendation import Option, Recommendation
from core.reference.catalogue import Reference
from core.wording import dollars, milliseconds
from core.workload import Assumption, InferenceSpec

COLUMNS = (
    "Model",
    "GPUs",
    "On",
    "$/month",
    "$/1M out",
    "p95 TTFT",
    "p95 TPOT",
    say("compare_models.price_age"),
)
QUALITY = say("compare_models.models_differ_in_quality")


def rivals_view(found: ModelRivals, page: Page) -> AnswerView:
    """The cheaper model first, then what each of them takes."""
    served = found.served
    left = [
        say("compare_models.nothing_that_is_sold", name=name) for name in found.unserved
    ]
    return page.answer(
        kind="answer" if served else "no",
        verdict=_verdict(found, page.reference),
        why=(bill_reason(served[0][1], served[1][1]) if served[1:] else "") + QUALITY,
        table=Table(
            caption=say("compare_models.each_model"),
            columns=COLUMNS,
            rows=tuple(
                _row(spec, best, page.reference, page.now) for spec, best, _ in served
            ),
            winner=0,
        )
        if served
        else None,
        chips=chips(_shared(found.answers)),
        notes=tuple(left),
        small_print=(price_sources(best.offer for _, best, _ in served),)
        if served
        else (),
    )


def _verdict(found: ModelRivals, reference: Reference) -> str:
    if not found.served:
        return say(
            "compare_models.nothing_that_is_sold_serves",
            unserved=" or ".join(found.unserved),
        )
    (spec, best, _), *others = found.served
    seller = provider_name(best.offer.provider, reference)
    text = say(
        "compare_models.at_month",
        name=spec.model.name,
        gpus=best.gpus,
        gpu_name=gpu_name(best.plan.gpu),
        seller=seller,
        usd_per_month=best.usd_per_month,
    )
    for other, option, _ in others:
        less = 1 - best.usd_per_month / option.usd_per_month
        how = (
            say("compare_models.less_than", less=less)
            if less >= 0.005
            else say("compare_models.as_much_as")
        )
        text += f", {how} {other.model.name} ({dollars(option.usd_per_month)})"
    return text


def _row(
    spec: InferenceSpec, best: Option, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    plan, offer = best.plan, best.offer
    seller = provider_name(offer.provider, reference)
    return (
        Cell(text=f"{spec.model.name} {plan.weights.upper()}"),
        number(best.gpus),
        Cell(text=f"{gpu_name(plan.gpu)}, {seller} {pricing_words(offer)}"),
        money(best.usd_per_month),
        money(best.usd_per_million_output_tokens),
        Cell(
            text=milliseconds(plan.capacity.ttft_p95_ms),
            value=plan.capacity.ttft_p95_ms,
        ),
        Cell(
            text=milliseconds(plan.capacity.tpot_p95_ms),
            value=plan.capacity.tpot_p95_ms,
        ),
        age(offer, now),
    )


def _shared(answers: Iterable[Recommendation]) -> tuple[Assumption, ...]:
    """What was assumed for all of them, once; models apart."""
    found: dict[tuple[str, str], Assumption] = {}
    for answer in answers:
        for one in answer.resolved.assumptions:
            found.setdefault((one.field, one.value), one)
    return tuple(found.values())


def explain_rivals(found: ModelRivals, page: Page) -> AnswerView:
    """Each model's fleet in a line."""
    steps = [
        say(
            "compare_models.explain_rivals",
            name=spec.model.name,
            weights=best.plan.weights.upper(),
            replicas=best.plan.replicas,
            replica_gpus=best.plan.replica_gpus,
            rps=spec.load.rps,
            gpus=best.gpus,
            usd_per_gpu_hour=best.offer.usd_per_gpu_hour,
            usd_per_month=best.usd_per_month,
        )
        for spec, best, _ in found.served
    ]
    assumed = _shared(found.answers)
    return page.explained(steps, assumed, ("fits", "latency"))
