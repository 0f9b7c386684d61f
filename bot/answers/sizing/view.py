"""A sizing answer: verdict, why and how sure, offers, levers, small print."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from bot.answers.shared.figures import (
    age,
    chips,
    gpu_name,
    money,
    monthly,
    number,
    price_sources,
    pricing_words,
    provider_name,
    sla_words,
)
from bot.answers.shared.left_out import counted
from bot.answers.shared.levers import monthly
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from core.estimate.evidence import Measurement
from core.market.board import billed_gpus
from core.market.hours import paid_hours
from core.market.recommendation import Option, Recommendation
from core.reference.catalogue import Reference
from core.wording import count, dollars, significant
from core.workload import InferenceSpec

COLUMNS = (
    "Offer", "GPUs", "$/GPU-h", "$/h", "$/month", "$/1M out", "SLA", "Price age",
)  # fmt: skip

SHOWN = 7
CHECKED = 3
"""Cheaper offers that cannot be ordered as listed, shown for a look."""
LISTED = 25
"""Rows that a surface may page through; what costs more is counted."""
GPU_REASONS = {
    "fits": "too small",
    "count": "too few for the load",
    "latency": "too slow for the latency",
    "pcie-tensor-parallel": "without a fast link",
    "aged-architecture": "too old for current engines",
}
OFFER_REASONS = {
    "gpu": "other or unclear GPUs",
    "provider": "other providers",
    "pricing": "other pricing",
    "region": "elsewhere",
    "sla": "without the SLA",
    "compliance": "without the certificate",
    "commitment": "reserved terms",
    "spot-live": "spot",
    "serverless-apart": "serverless",
    "community-live": "community hosts",
    "tier": "of a kind ruled out",
    "seller": "of sellers ruled out",
    "consumer-card": "of consumer cards",
    "stale-price": "expired",
    "fresh-first": "stale",
}

BINDING_WORDS = {
    "weights": "the weights decide the count",
    "kv_cache": "KV cache binds",
    "throughput": "throughput binds",
    "ttft": "TTFT binds",
    "tpot": "TPOT binds",
    "none": "nothing binds: the smallest fleet has room to spare",
}


def sizing_view(found: Recommendation, page: Page) -> AnswerView:
    """The five parts of a serving answer."""
    best = found.options[0]
    spec = _serving(found)
    return page.answer(
        verdict=_asked(found, spec) or _verdict(best, spec, page.reference),
        why=_said(found, spec, best, page.reference),
        table=_table(found, page.reference, page.now),
        levers=tuple(monthly(lever) for lever in found.levers),
        chips=chips(found.resolved.assumptions),
        notes=(*found.notes, *found.resolved.notes),
        small_print=_small_print(best, found, spec, page),
    )


def _asked(found: Recommendation, spec: InferenceSpec) -> str:
    """What the techniques that were asked about do; empty: none was."""
    told = [monthly(lever) for lever in found.levers[: len(spec.techniques)]]
    return "; ".join(
        f"{one.text}, {one.difference}" if one.difference else one.text for one in told
    )


def _said(
    found: Recommendation, spec: InferenceSpec, best: Option, reference: Reference
) -> str:
    """The reasons; where a technique is asked about, the fleet without it first."""
    why = _why(best, spec, found)
    if not spec.techniques:
        return why
    return f"Without it: {_verdict(best, spec, reference)}. {why}"


def _serving(found: Recommendation) -> InferenceSpec:
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        raise TypeError(f"a sizing view draws serving answers, not {spec.kind}")
    return spec


def _verdict(best: Option, spec: InferenceSpec, reference: Reference) -> str:
    offer, plan = best.offer, best.plan
    return (
        f"{best.gpus} × {gpu_name(plan.gpu)} · "
        f"{provider_name(offer.provider, reference)} {pricing_words(offer)} · "
        f"{dollars(best.usd_per_month)}/month · "
        f"{dollars(best.usd_per_million_output_tokens)} per 1M output tokens at "
        f"{spec.load.average_share:.0%} average load · "
        f"{BINDING_WORDS[plan.capacity.binding]}"
    )


def _why(best: Option, spec: InferenceSpec, found: Recommendation) -> str:
    plan, capacity = best.plan, best.plan.capacity
    low, high = plan.replicas_range
    parts = [
        f"{spec.model.name} in {plan.weights.upper()}, {_replicas(best)} for "
        f"{_rate(spec.output_tokens_per_second)} output tokens/s at the peak",
        capacity.latency,
        _gpus_range(best, low * plan.replica_gpus, high * plan.replica_gpus),
    ]
    parts.append(f"estimated, {capacity.evidence.words}")
    if found.evidence is not None:
        parts.append(_cited(found.evidence))
    return "; ".join(parts) + "."


def _rate(tokens_per_second: float) -> str:
    """A rate in whole tokens, but for the slowest."""
    if tokens_per_second < 10:
        return significant(tokens_per_second, 2)
    return count(round(tokens_per_second))


def _replicas(best: Option) -> str:
    plan = best.plan
    if plan.replicas == 1:
        return "one replica" + (f" of {plan.replica_gpus}" if plan.gpus > 1 else "")
    return f"{plan.replicas} replicas of {plan.replica_gpus}"


def _gpus_range(best: Option, low: int, high: int) -> str:
    """How sure the count is: what the ends of the estimate would ask for."""
    gpus, needed = best.gpus, best.plan.gpus
    if high <= gpus:
        number = "1 GPU is" if gpus == 1 else f"{gpus} GPUs are"
        return f"{number} enough even in the pessimistic case"
    each = best.usd_per_month / best.gpus
    billed = billed_gpus(best.offer, high)
    more = dollars(each * (billed - gpus))
    number = f"{needed} GPU{'' if needed == 1 else 's'}"
    return (
        f"{number} ({low}–{high} depending on tuning): the pessimistic end takes "
        f"{billed}, {more}/month more"
    )


def _cited(measured: Measurement) -> str:
    """A published figure of this model on this GPU, with the load it was taken at."""
    load = (
        "every request queued at once"
        if measured.concurrency is None
        else f"{count(measured.concurrency)} in flight"
    )
    return (
        f"measured with {count(measured.input_tokens)} in, "
        f"{count(measured.output_tokens)} out, {load}: "
        f"{count(round(measured.tokens_per_second_per_gpu))} tokens/s per GPU "
        f"({measured.source}, {measured.date})"
    )


def _table(found: Recommendation, reference: Reference, now: datetime) -> Table:
    star, *others = found.options
    ordered = [star, *worth_a_look(others)]
    rows = tuple(_row(option, reference, now) for option in ordered[:LISTED])
    return Table(
        caption="Fleets that carry the load: the pick, then by price",
        columns=COLUMNS,
        rows=rows,
        winner=None if star.doubt else 0,
        shown=SHOWN,
        note=_table_note(found, reference, len(found.options) - len(rows)),
    )


def _table_note(found: Recommendation, reference: Reference, dearer: int) -> str:
    """What is worth checking, though it cannot be ordered; then what was left out."""
    checked = [
        f"{one.gpus} × {gpu_name(one.plan.gpu)} at "
        f"{provider_name(one.offer.provider, reference)}, "
        f"{dollars(one.usd_per_month)}/month ({one.doubt})"
        for one in found.worth_checking[:CHECKED]
    ]
    said = f"Worth checking: {'; '.join(checked)}" if checked else ""
    return ". ".join(filter(None, (said, rejected_note(found, dearer))))


def _row(option: Option, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    offer = option.offer
    name = (
        f"{provider_name(offer.provider, reference)} {gpu_name(option.plan.gpu)} "
        f"{pricing_words(offer)}"
    )
    return (
        Cell(text=name),
        number(option.gpus),
        money(offer.usd_per_gpu_hour),
        money(option.usd_per_hour),
        money(option.usd_per_month),
        money(option.usd_per_million_output_tokens),
        Cell(text=_sla(option, reference)),
        age(offer, now),
    )


def _sla(option: Option, reference: Reference) -> str:
    if option.sla_percent is None:
        return sla_words(option.offer, reference)
    return f"{option.sla_percent:g} %"


def worth_a_look(options: Sequence[Option]) -> list[Option]:
    """Put the rows that a reader sees first: cheap ones, and other GPUs than those.

    Half of the visible rows are the cheapest fleets, the other half the best fleet of
    each further GPU, all in order of price; what remains follows in the same order.
    """
    chosen = list(options[: SHOWN - SHOWN // 2])
    seen = {option.plan.gpu.id for option in chosen}
    for option in options:
        if len(chosen) < SHOWN and option.plan.gpu.id not in seen:
            seen.add(option.plan.gpu.id)
            chosen.append(option)
    picked = {id(option) for option in chosen}
    first = [option for option in options if id(option) in picked]
    rest = [option for option in options if id(option) not in picked]
    missing = SHOWN - len(first)
    first = sorted([*first, *rest[:missing]], key=lambda o: o.usd_per_month)
    return [*first, *rest[missing:]]


def rejected_note(found: Recommendation, dearer: int = 0) -> str:
    """What was considered and left out, counted by reason."""
    gpus = Counter(r.rule for r in found.rejections if r.rule in GPU_REASONS)
    offers: Counter[str] = Counter()
    for entry in found.rejections:
        if entry.rule in OFFER_REASONS:
            offers[OFFER_REASONS[entry.rule]] += entry.count
    parts = [f"{dearer} dearer fleets"] if dearer > 0 else []
    parts += counted(
        "GPUs", Counter({GPU_REASONS[rule]: n for rule, n in gpus.items()})
    )
    parts += counted("offers", offers)
    parts += [f"{r.subject} {r.why}" for r in found.rejections if r.rule == "budget"]
    return "Left out: " + "; ".join(parts) if parts else ""


def _small_print(
    best: Option, found: Recommendation, spec: InferenceSpec, page: Page
) -> tuple[str, ...]:
    idle = best.idle_usd_per_month
    hours = paid_hours(best.offer, spec.constraints)
    return (
        f"Answer {page.id}. Idle at {spec.load.average_share:.0%} average load: "
        f"{dollars(idle)}/month of the {dollars(best.usd_per_month)}; a month is "
        f"{float(hours):,.0f} h.",
        price_sources(option.offer for option in found.options[:7]),
    )
