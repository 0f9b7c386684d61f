"""Why: the arithmetic of an answer and the rules that it went through."""

from bot.answers.shared.figures import gpu_name, provider_name
from bot.answers.shared.page import Page
from bot.answers.sizing.details import detail_notes
from bot.render.views import AnswerView
from core.market.hours import paid_hours, paid_per_used
from core.market.recommendation import Option, Recommendation
from core.reference.catalogue import Reference
from core.reference.rules import rules
from core.sizing.techniques import gpus_words
from core.wording import count, dollars, significant
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
        verdict=f"How the answer to “{page.text}” came about",
        notes=(*steps, *more, *found.advice, *_assumed(found), *_rules(found)),
        small_print=(f"Answer {page.id}, {page.now:%Y-%m-%d %H:%M} UTC.",),
    )


def _arithmetic(
    best: Option, found: Recommendation, reference: Reference
) -> tuple[str, ...]:
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return ()
    plan, carried, memory = best.plan, best.plan.capacity, best.plan.capacity.memory
    rate = carried.requests_per_second
    provider = provider_name(best.offer.provider, reference)
    hours = paid_hours(best.offer, spec.constraints)
    million = dollars(best.usd_per_million_output_tokens)
    return (
        f"Load: {significant(spec.load.rps)} requests/s × "
        f"{count(spec.output_tokens)} tokens = "
        f"{count(spec.output_tokens_per_second)} output tokens/s, after "
        f"{count(spec.load.rps * spec.input_tokens)} prompt tokens/s.",
        f"Memory per {gpu_name(plan.gpu)}: {memory.weights_gb:.1f} GB weights "
        f"({plan.weights.upper()}) + {memory.activations_gb + memory.runtime_gb:.1f} "
        f"GB activations and runtime of {memory.available_gb:.1f} GB usable leaves "
        f"{memory.free_for_kv_gb:.1f} GB for KV cache = {carried.room} requests.",
        f"One server of {gpus_words(plan.replica_gpus)} handles "
        f"{significant(rate.likely)} requests/s "
        f"({significant(rate.low)}–{significant(rate.high)}) with {carried.batch} at "
        f"once: {carried.latency}.",
        f"{significant(spec.load.rps)} ÷ {significant(rate.likely)} with room for "
        f"queueing = {plan.replicas} server{'' if plan.replicas == 1 else 's'}, "
        f"{plan.busy:.0%} busy at the peak.",
        f"{best.gpus} GPUs × {dollars(best.offer.usd_per_gpu_hour)} ({provider}) × "
        f"{hours:,.0f} h = {dollars(best.usd_per_month)}/month.",
        f"{_per_used_hour(best, spec)} ÷ ({count(spec.output_tokens_per_second)} "
        f"tokens/s × {spec.load.average_share:.0%} × 3,600 s) = {million} per 1M.",
    )


def _per_used_hour(best: Option, spec: InferenceSpec) -> str:
    """Dollars for an hour of use, which on a term may be paid several times over."""
    paid = paid_per_used(best.offer, spec.constraints)
    hourly = f"{dollars(best.usd_per_hour)}/h"
    if paid == 1:
        return hourly
    return f"{hourly} × {significant(float(paid))} hours paid per hour of use"


def _assumed(found: Recommendation) -> tuple[str, ...]:
    return tuple(
        f"Assumed {entry.label}: {entry.value} ({entry.why})."
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
        f"Rule {rule}: {known[rule].title}"
        + (f" — {', '.join(subjects[:4])}" if subjects else "")
        for rule, subjects in fired.items()
    )
