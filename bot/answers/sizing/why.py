"""Why: the arithmetic of an answer and the rules that it went through."""

from bot.answers.shared.figures import gpu_name, provider_name
from bot.answers.shared.page import Page
from bot.answers.sizing.details import detail_notes
from bot.render.views import AnswerView
from bot.render.words import say
from core.market.hours import paid_hours, paid_per_used
from core.market.recommendation import Option, Recommendation
from core.reference.catalogue import Reference
from core.reference.rules import rules
from core.sizing.techniques import gpus_words
from core.wording import dollars
from core.workload import InferenceSpec


def explain_sizing(found: Recommendation, page: Page) -> AnswerView:
    """Every step from the question to the bill, with its numbers."""
    best = found.options[0] if found.options else None
    steps = _arithmetic(best, found, page.reference) if best else ()
    more = detail_notes(best, found) if best else ()
    return AnswerView(
        kind="answer",
        id=page.id,
        question=f"why {page.id}",
        verdict=say("sizing.heading_why", text=page.text),
        notes=(*steps, *more, *found.advice, *_assumed(found), *_rules(found)),
        small_print=(say("sizing.answer_utc", id=page.id, now=page.now),),
    )


def _arithmetic(
    best: Option, found: Recommendation, reference: Reference
) -> tuple[str, ...]:
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return ()
    plan, carried, memory = best.plan, best.plan.capacity, best.plan.capacity.memory
    rate = carried.requests_per_second
    million = dollars(best.usd_per_million_output_tokens)
    return (
        say(
            "sizing.load_requests_s_tokens",
            rps=spec.load.rps,
            output_tokens=spec.output_tokens,
            output_tokens_per_second=spec.output_tokens_per_second,
            rps_2=spec.load.rps * spec.input_tokens,
        ),
        say(
            "sizing.memory_per_gb_weights",
            gpu_name=gpu_name(plan.gpu),
            weights_gb=memory.weights_gb,
            weights=plan.weights.upper(),
            activations_gb=memory.activations_gb + memory.runtime_gb,
            available_gb=memory.available_gb,
            free_for_kv_gb=memory.free_for_kv_gb,
            room=carried.room,
        ),
        say(
            "sizing.one_server_of_handles",
            gpus_words=gpus_words(plan.replica_gpus),
            likely=rate.likely,
            low=rate.low,
            high=rate.high,
            batch=carried.batch,
            latency=carried.latency,
        ),
        say(
            "sizing.with_room_for_queueing",
            rps=spec.load.rps,
            likely=rate.likely,
            replicas=plan.replicas,
            ending="" if plan.replicas == 1 else "s",
            busy=plan.busy,
        ),
        _bill(best, spec, reference),
        *(_bill(one, spec, reference) for one in _by_the_hour(found)),
        say(
            "sizing.step_of_the_unit_price",
            per_used_hour=_per_used_hour(best, spec),
            output_tokens_per_second=spec.output_tokens_per_second,
            average_share=spec.load.average_share,
            million=million,
        ),
    )


def _by_the_hour(found: Recommendation) -> tuple[Option, ...]:
    """What the verdict holds against a term that costs more, if it does."""
    return () if found.term_loses is None else (found.term_loses,)


def _bill(option: Option, spec: InferenceSpec, reference: Reference) -> str:
    return say(
        "sizing.gpus_h_month",
        gpus=option.gpus,
        usd_per_gpu_hour=option.offer.usd_per_gpu_hour,
        provider=provider_name(option.offer.provider, reference),
        hours=paid_hours(option.offer, spec.constraints),
        usd_per_month=option.usd_per_month,
    )


def _per_used_hour(best: Option, spec: InferenceSpec) -> str:
    """Dollars for an hour of use, which on a term may be paid several times over."""
    paid = paid_per_used(best.offer, spec.constraints)
    hourly = f"{dollars(best.usd_per_hour)}/h"
    if paid == 1:
        return hourly
    return say("sizing.per_used_hour", hourly=hourly, paid=float(paid))


def _assumed(found: Recommendation) -> tuple[str, ...]:
    return tuple(
        say("sizing.assumed", label=entry.label, value=entry.value, why=entry.why)
        for entry in found.resolved.assumptions
    )


def _rules(found: Recommendation) -> tuple[str, ...]:
    fired: dict[str, list[str]] = {"cost-per-token": []}
    for rejection in found.rejections:
        fired.setdefault(rejection.rule, []).append(rejection.subject)
    for lever in found.levers:
        fired.setdefault(lever.rule, [])
    for rule in found.rules_fired:
        fired.setdefault(rule, [])
    known = rules()
    return tuple(
        say("sizing.rules", rule=rule, title=known[rule].title)
        + (f" — {', '.join(subjects[:4])}" if subjects else "")
        for rule, subjects in fired.items()
    )
