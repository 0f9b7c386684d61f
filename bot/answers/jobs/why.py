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
from bot.render.words import say
from core.jobs.options import JobAnswer, JobOption, runs_per_month
from core.jobs.spot_vs_on_demand import pays_from
from core.reference.catalogue import Reference
from core.wording import count
from core.workload import BatchSpec, FineTuneSpec, JobSpec, WorkloadSpec


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
        return say(
            "jobs.work_samples_tokens_epochs",
            samples=spec.samples,
            tokens_per_sample=spec.tokens_per_sample,
            epochs=spec.epochs,
            tokens=spec.tokens,
        )
    if isinstance(spec, BatchSpec):
        written = count(spec.requests * max(spec.output_tokens, 1))
        return say(
            "jobs.work_output_tokens", work_words=work_words(spec), written=written
        )
    return say("jobs.work", work_words=work_words(spec))


def _arithmetic(
    found: JobAnswer, best: JobOption, reference: Reference
) -> Iterator[str]:
    way = best.plan
    if way.run is not None:
        yield _memory(best)
    yield say("jobs.estimate", plain_gpu=plain_gpu(way.why))
    rate = way.tokens_per_second
    if rate is not None:
        yield (
            say(
                "jobs.speed_line",
                likely=round(rate.likely),
                gpus=way.gpus,
                gpu_name=gpu_name(way.gpu),
                low=round(rate.low),
                high=round(rate.high),
                hours_words=hours_words(way.hours.likely),
                gpu_hours=way.gpu_hours,
            )
        )
    yield from _interruptions(found, best)
    provider = provider_name(best.offer.provider, reference)
    yield (
        say(
            "jobs.gpus_h",
            gpus=best.gpus,
            usd_per_gpu_hour=best.offer.usd_per_gpu_hour,
            provider=provider,
            paid_words=paid_words(best),
            hours=float(best.hours),
            usd=best.usd,
        )
    )
    yield from _in_other_units(best, found.resolved.spec)
    yield from _steady(found, best, reference)
    yield from _faster_is_cheaper(found)


def _in_other_units(best: JobOption, spec: WorkloadSpec) -> Iterator[str]:
    if not isinstance(spec, BatchSpec):
        return
    written = spec.requests * max(spec.output_tokens, 1)
    yield (
        say(
            "jobs.step_per_m_output_tokens",
            usd=best.usd,
            written=written,
            per_million=per_million(best, spec),
        )
    )
    often = runs_per_month(spec)
    if often is not None and often > 1:
        yield say("jobs.a_month_month", often=float(often), usd=best.usd * often)


def _steady(found: JobAnswer, best: JobOption, reference: Reference) -> Iterator[str]:
    """The bill without interruptions that stands beside a spot verdict."""
    steady = found.on_demand
    if best.spot is None or steady is None:
        return
    yield (
        say(
            "jobs.steady",
            gpus=steady.gpus,
            gpu_name=gpu_name(steady.plan.gpu),
            usd_per_gpu_hour=steady.offer.usd_per_gpu_hour,
            provider_name=provider_name(steady.offer.provider, reference),
            hours=float(steady.hours),
            usd=steady.usd,
            usd_2=steady.usd - best.usd,
        )
    )


def _memory(best: JobOption) -> str:
    run = best.plan.run
    parts = run.estimate.memory_parts_gb if run else {}
    total = best.plan.memory_gb or 0.0
    summed = " + ".join(f"{size:.1f} {name}" for name, size in parts.items())
    return say(
        "jobs.memory", gpu_name=gpu_name(best.plan.gpu), summed=summed, total=total
    )


def _interruptions(found: JobAnswer, best: JobOption) -> Iterator[str]:
    spot = best.spot
    if spot is None:
        return
    stops = spot.stops
    yield (
        say(
            "jobs.interruptions_one_every_h",
            mtbf_hours=float(stops.mtbf_hours),
            hours_words=hours_words(stops.checkpoint_every_hours),
            hours_words_2=hours_words(stops.restart_hours),
            time_factor=float(spot.time_factor),
        )
    )
    steady = next((o for o in found.options if _same_steady(o, best)), None)
    if steady is None:
        return
    limit = pays_from(best, steady, found.resolved.spec.constraints.checkpoint_hours)
    if limit is None:
        yield say("jobs.spot_is_never_cheaper", usd_per_hour=steady.usd_per_hour)
        return
    yield (
        say(
            "jobs.when_spot_is_cheaper",
            limit=limit,
            usd_per_hour=best.usd_per_hour,
            usd_per_hour_2=steady.usd_per_hour,
        )
    )


def _same_steady(option: JobOption, best: JobOption) -> bool:
    same = option.plan.gpu == best.plan.gpu and option.gpus == best.gpus
    return same and option.offer.pricing == "on_demand"


def _faster_is_cheaper(found: JobAnswer) -> Iterator[str]:
    """H100 against A100: more by the hour, less by the run, or not."""
    new, old = (_cheapest_of(found, family) for family in ("h100", "a100"))
    if new is None or old is None:
        return
    costlier = new.offer.usd_per_gpu_hour / old.offer.usd_per_gpu_hour
    faster = Decimal(str(old.plan.gpu_hours)) / Decimal(str(new.plan.gpu_hours))
    ends = "cheaper" if new.usd < old.usd else say("jobs.more_expensive")
    yield (
        say(
            "jobs.price_and_speed_ratio",
            gpu_name=gpu_name(new.plan.gpu),
            gpu_name_2=gpu_name(old.plan.gpu),
            costlier=costlier,
            faster=faster,
            usd=new.usd,
            usd_2=old.usd,
            ends=ends,
        )
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
