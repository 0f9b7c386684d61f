"""Why a job costs what it does: work, memory, speed, hours, interruptions, money."""

from collections.abc import Iterator
from decimal import Decimal

from bot.answers.jobs.phrases import (
    hours_words,
    paid_words,
    per_million,
    plain_gpu,
    work_words,
)
from bot.answers.jobs.view import spot_assumptions
from bot.answers.shared.figures import gpu_name, provider_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from core.jobs.options import JobAnswer, JobOption, JobSpec, runs_per_month
from core.jobs.spot_vs_on_demand import pays_from
from core.reference.catalogue import Reference
from core.wording import count, dollars, significant
from core.workload import BatchSpec, FineTuneSpec, WorkloadSpec


def explain_job(found: JobAnswer, page: Page) -> AnswerView:
    """Every step from the question to the bill, with its numbers."""
    spec = found.spec
    steps = [_work(spec)]
    if found.best is not None:
        steps += list(_arithmetic(found, found.best, page.reference))
    assumed = (*found.resolved.assumptions, *spot_assumptions(found, spec))
    fired = tuple(_fired(found, spec))
    return page.explained(steps, assumed, fired)


def _work(spec: JobSpec) -> str:
    if isinstance(spec, FineTuneSpec) and spec.samples is not None:
        return (
            f"Work: {count(spec.samples)} samples × {count(spec.tokens_per_sample)} "
            f"tokens × {spec.epochs:g} epochs = {count(spec.tokens)} tokens."
        )
    if isinstance(spec, BatchSpec):
        written = count(spec.requests * max(spec.output_tokens, 1))
        return f"Work: {work_words(spec)} = {written} output tokens."
    return f"Work: {work_words(spec)}."


def _arithmetic(
    found: JobAnswer, best: JobOption, reference: Reference
) -> Iterator[str]:
    way = best.plan
    if way.run is not None:
        yield _memory(best)
    yield f"Estimate: {plain_gpu(way.why)}."
    rate = way.tokens_per_second
    if rate is not None:
        yield (
            f"Speed: {count(round(rate.likely))} tokens/s on {way.gpus} × "
            f"{gpu_name(way.gpu)} ({count(round(rate.low))}–{count(round(rate.high))})"
            f" = {hours_words(way.hours.likely)} of work, "
            f"{significant(way.gpu_hours)} GPU-hours."
        )
    yield from _interruptions(found, best)
    provider = provider_name(best.offer.provider, reference)
    yield (
        f"{best.gpus} GPUs × {dollars(best.offer.usd_per_gpu_hour)} ({provider}, "
        f"{paid_words(best)}) × {significant(float(best.hours), 4)} h = "
        f"{dollars(best.usd)}."
    )
    yield from _in_other_units(best, found.resolved.spec)
    yield from _steady(found, best, reference)
    yield from _faster_is_cheaper(found)


def _in_other_units(best: JobOption, spec: WorkloadSpec) -> Iterator[str]:
    if not isinstance(spec, BatchSpec):
        return
    written = spec.requests * max(spec.output_tokens, 1)
    yield (
        f"{dollars(best.usd)} ÷ {count(written)} × 10⁶ = "
        f"{dollars(per_million(best, spec))} per 1M output tokens."
    )
    often = runs_per_month(spec)
    if often is not None and often > 1:
        yield f"× {float(often):g} a month = {dollars(best.usd * often)}/month."


def _steady(found: JobAnswer, best: JobOption, reference: Reference) -> Iterator[str]:
    """The bill without interruptions that stands beside a spot verdict."""
    steady = found.on_demand
    if best.spot is None or steady is None:
        return
    yield (
        f"On demand: {steady.gpus} × {gpu_name(steady.plan.gpu)} × "
        f"{dollars(steady.offer.usd_per_gpu_hour)} "
        f"({provider_name(steady.offer.provider, reference)}) × "
        f"{significant(float(steady.hours), 4)} h = {dollars(steady.usd)}, "
        f"{dollars(steady.usd - best.usd)} more."
    )


def _memory(best: JobOption) -> str:
    run = best.plan.run
    parts = run.estimate.memory_parts_gb if run else {}
    total = best.plan.memory_gb or 0.0
    summed = " + ".join(f"{size:.1f} {name}" for name, size in parts.items())
    return (
        f"Memory per {gpu_name(best.plan.gpu)}: {summed}, plus 5 % for the allocator "
        f"= {total:.1f} GB."
    )


def _interruptions(found: JobAnswer, best: JobOption) -> Iterator[str]:
    spot = best.spot
    if spot is None:
        return
    stops = spot.stops
    yield (
        f"Interruptions: one every {significant(float(stops.mtbf_hours))} h, a "
        f"checkpoint every {hours_words(stops.checkpoint_every_hours)}, "
        f"{hours_words(stops.restart_hours)} to restart: "
        f"× {float(spot.time_factor):.3f} time (Daly 2006)."
    )
    steady = next((o for o in found.options if _same_steady(o, best)), None)
    if steady is None:
        return
    limit = pays_from(best, steady, found.resolved.spec.constraints.checkpoint_hours)
    if limit is None:
        yield f"Spot is never cheaper than {dollars(steady.usd_per_hour)}/h on demand."
        return
    yield (
        f"Spot is cheaper if the job runs at least {significant(limit)} h between "
        f"interruptions ({dollars(best.usd_per_hour)}/h against "
        f"{dollars(steady.usd_per_hour)}/h on demand)."
    )


def _same_steady(option: JobOption, best: JobOption) -> bool:
    same = option.plan.gpu == best.plan.gpu and option.gpus == best.gpus
    return same and option.offer.pricing == "on_demand"


def _faster_is_cheaper(found: JobAnswer) -> Iterator[str]:
    """H100 against A100: dearer by the hour, cheaper by the run, or not."""
    new, old = (_cheapest_of(found, family) for family in ("h100", "a100"))
    if new is None or old is None:
        return
    dearer = new.offer.usd_per_gpu_hour / old.offer.usd_per_gpu_hour
    faster = Decimal(str(old.plan.gpu_hours)) / Decimal(str(new.plan.gpu_hours))
    ends = "cheaper" if new.usd < old.usd else "more expensive"
    yield (
        f"{gpu_name(new.plan.gpu)} against {gpu_name(old.plan.gpu)}: "
        f"{dearer:.2f} × the price per hour, {faster:.2f} × the work per hour: "
        f"{dollars(new.usd)} against {dollars(old.usd)}, the {ends} run."
    )


def _cheapest_of(found: JobAnswer, family: str) -> JobOption | None:
    same = (o for o in found.options if o.plan.gpu.family == family)
    return next((o for o in same if o.offer.pricing == "on_demand"), None)


def _fired(found: JobAnswer, spec: JobSpec) -> Iterator[str]:
    """The rules of this answer, in the order in which they apply."""
    yield "cost-per-job" if isinstance(spec, BatchSpec) else "cost-per-run"
    if isinstance(spec, BatchSpec):
        yield from ["spot-batch"] if found.best and found.best.spot else []
    else:
        yield from ["full-state"] if found.status == "nothing_fits" else []
        yield from ["spot-training"] if found.best and found.best.spot else []
        if spec.model.params_b > 7 and _cheapest_of(found, "h100"):
            yield "h100-above-7b"
        if found.status == "nothing_fits" and spec.constraints.count != 1:
            yield "fsdp-offload"
    yield from (lever.rule for lever in found.levers)
    yield from (entry.rule for entry in found.rejections)
