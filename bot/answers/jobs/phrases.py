"""What a bounded job is, what it costs and what limits it, in words."""

import math
from collections.abc import Iterator
from decimal import Decimal

from msgspec.structs import replace

from bot.answers.shared.figures import gpu_name, pricing_words, provider_name
from bot.render.words import say
from core.estimate.evidence import Measurement
from core.estimate.training import estimate
from core.estimate.training_memory import usable_bytes
from core.jobs.options import (
    TRIALS,
    JobAnswer,
    JobOption,
    JobPlan,
    SpotTerms,
    run_count,
    runs_per_month,
    with_trials,
)
from core.jobs.runs import least_bytes
from core.money.costs import exact
from core.money.lifecycle import SPANS, cadence_months
from core.money.spot import best_checkpoint_interval
from core.reference.catalogue import Reference
from core.reference.runs import PublishedRun
from core.resolve.jobs import METHOD_NAMES
from core.units import GB
from core.wording import count, dollars, duration, significant
from core.workload import BatchSpec, Constraints, FineTuneSpec, JobSpec


def plain_gpu(text: str) -> str:
    """A sentence of core with GPU names as people write them."""
    return text.replace("NVIDIA ", "").replace("AMD Instinct ", "")


def work_words(spec: JobSpec) -> str:
    """The job: model, method, and how much of it."""
    name = spec.model.name
    if isinstance(spec, BatchSpec):
        return say(
            "jobs.requests_of_in_out",
            name=name,
            requests=spec.requests,
            often=again(spec),
            input_tokens=spec.input_tokens,
            output_tokens=spec.output_tokens,
        )
    if isinstance(spec, FineTuneSpec):
        return say(
            "jobs.of_on_tokens",
            method_names=_method_words(spec),
            name=name,
            tokens=spec.tokens,
            written=_written_words(spec),
        )
    if spec.continued:
        return say("jobs.continued_on_tokens", name=name, tokens=spec.tokens)
    return say("jobs.training_of_on_tokens", name=name, tokens=spec.tokens)


def again(spec: JobSpec) -> str:
    """How often a batch comes back: " a day"; empty: it is done once."""
    often = spec.recurring if isinstance(spec, BatchSpec) else None
    return f" a {often}" if often else ""


def _written_words(spec: FineTuneSpec) -> str:
    """How the tokens come about that are written first and learnt from then."""
    one = spec.rollouts
    return (
        ""
        if one is None
        else say(
            "jobs.written",
            prompts=one.prompts,
            each=one.per_prompt,
            prompt=one.prompt_tokens,
            answer=one.answer_tokens,
        )
    )


def _method_words(spec: FineTuneSpec) -> str:
    name = METHOD_NAMES[spec.method]
    if spec.adapters is None:
        return name
    adapters = METHOD_NAMES[spec.adapters]
    return say("jobs.method_with_adapters", method=name, adapters=adapters)


def work_begun(spec: JobSpec) -> str:
    """The job where a sentence begins with it; a model's name stays as it is."""
    words = work_words(spec)
    return words if isinstance(spec, BatchSpec) else words[0].upper() + words[1:]


def budget_words(found: JobAnswer, spec: JobSpec) -> str:
    """The budget as it was stated, and in dollars where it was not."""
    budget, usd = spec.constraints.budget, found.budget_usd
    if budget is None or usd is None:
        return "that"
    period = "" if budget.period == "total" else f" a {budget.period}"
    if budget.currency == "USD":
        return dollars(usd) + period
    amount = count(float(budget.amount))
    return f"{amount} {budget.currency}{period} ({dollars(usd)})"


def again_words(best: JobOption, spec: JobSpec, asked: str | None = None) -> str:
    """What a run that is done again and again costs; empty: it is done once.

    `asked`: the span whose sum is asked for; a year where it is none.
    """
    if not isinstance(spec, FineTuneSpec):
        return ""
    each = Decimal(str(spec.runs))
    months = cadence_months(spec.cadence) if spec.cadence else None
    if months is None and not spec.more_runs:
        return ""
    span = asked if asked in SPANS else "year"
    again = each * SPANS[span] / months if months else each
    more = Decimal(str(spec.more_runs)) * SPANS[span] / SPANS["year"]
    usd = best.usd * (again + more)
    parts = say("jobs.and_more", again=float(again), more=float(more)) if more else ""
    return say(
        "jobs.again_words",
        runs=float(again + more),
        parts=parts,
        span=span,
        usd=usd,
        month=usd / SPANS[span],
    )


def hours_words(hours: Decimal | float) -> str:
    """Wall-clock time."""
    return duration(float(hours))


def per_run(spec: JobSpec) -> str:
    """The unit of the bill."""
    if isinstance(spec, BatchSpec):
        return (
            say("jobs.per", recurring=spec.recurring)
            if spec.recurring
            else say("jobs.per_job")
        )
    return say("jobs.per_run")


def verdict_words(
    best: JobOption, spec: JobSpec, reference: Reference, *, tried: bool = False
) -> str:
    """Count × GPU, seller, dollars a run, hours; of GPUs one owns the hours alone.

    `tried`: with what a team asks for, which tries a fine-tune before it keeps one.
    """
    limits = spec.constraints
    if limits.owned and best.plan.gpu.id not in limits.gpus_rented:
        return say(
            "jobs.on_your_own",
            gpus=best.plan.gpus,
            gpu_name=gpu_name(best.plan.gpu),
            hours_words=hours_words(best.plan.hours.likely),
            sold_by=sold_by(best, reference),
            usd=best.usd,
        )
    often, bill = runs_per_month(spec), f"{dollars(best.usd)} {per_run(spec)}"
    if often is not None and often > 1:
        bill = f"{dollars(best.usd * often)}/month ({bill})"
    elif isinstance(spec, BatchSpec):
        bill += say(
            "jobs.per_thousand_requests",
            per_thousand=best.way(spec).money.thousand_requests,
        )
    elif (runs := run_count(spec)) > 1:
        bill += say("jobs.all_runs", runs=runs, usd=best.usd * exact(runs))
    elif tried and (usd := with_trials(best, spec)):
        bill += say("jobs.with_trials", trials=TRIALS, usd=usd)
    return say(
        "jobs.at_about",
        gpus=best.gpus,
        gpu_name=gpu_name(best.plan.gpu),
        sold_by=sold_by(best, reference),
        bill=bill,
        hours_words=hours_words(best.hours) + again(spec) + _of_all(best),
    )


def _of_all(best: JobOption) -> str:
    """The hours of all GPUs together, where a run takes several."""
    if best.gpus == 1 or best.plan.run is None:
        return ""
    hours = count(round(float(best.hours) * best.gpus))
    return say("jobs.hours_of_all", hours=hours)


def sold_by(option: JobOption, reference: Reference) -> str:
    """Where it is rented, and how it is paid for unless by the hour."""
    seller, words = provider_name(option.offer.provider, reference), paid_words(option)
    return seller if words == "on-demand" else f"{seller} ({words})"


def paid_words(option: JobOption) -> str:
    """How the GPUs are paid for; spot runs with checkpoints."""
    words = pricing_words(option.offer)
    if option.spot is not None and option.plan.run is not None:
        words += say("jobs.paid_words")
    return words


def per_million(option: JobOption, spec: BatchSpec) -> Decimal:
    """Dollars per 1M output tokens of the job."""
    written = Decimal(str(spec.requests)) * Decimal(str(max(spec.output_tokens, 1)))
    return option.usd * 1_000_000 / written


NEARLY_FULL = 0.9
"""Of a GPU's memory, above which longer samples than expected may not fit."""
HALF_FULL = 0.5
"""Of a GPU's memory, from which it is memory that takes so many of them."""
QUARTER_FULL = 0.25
"""Of it, from which it is the model's state, and not what is worked out beside it."""


def memory_words(way: JobPlan) -> str:
    """How full several GPUs are: what makes it so many."""
    if way.run is None:
        return ""
    if way.lean:
        return say("jobs.leaner_recipe", recipe=_recipe(way))
    share, leanest = _share(way), _leanest(way)
    if way.gpus == 1 or share < HALF_FULL:
        return ""
    held = least_bytes(way.run.request) / GB
    if way.run.request.tuning == "qlora":  # its scales are smaller where they must be
        held = min(held, way.run.estimate.memory_parts_gb["weights"] * way.gpus)
    size = (
        say("jobs.gb", held=held) if held < 1000 else say("jobs.tb", held=held / 1000)
    )
    own = held * GB / way.gpus / usable_bytes(way.gpu)
    if own < QUARTER_FULL:
        return ""
    rest = say("jobs.or_recomputed", share=leanest) if leanest < share - 0.05 else ""
    return say("jobs.of_each_gpu", size=size, own=own, share=share, rest=rest)


def _share(way: JobPlan) -> float:
    """The share of each GPU's memory that a run is planned to fill."""
    return (way.memory_gb or 0) * GB / usable_bytes(way.gpu)


def _leanest(way: JobPlan) -> float:
    """The share that it fills where no layer's activations are kept."""
    if way.run is None:
        return 0
    least = estimate(replace(way.run.request, checkpointing=True))
    return least.memory_gb_per_gpu * GB / usable_bytes(way.gpu)


def tight_words(way: JobPlan) -> Iterator[str]:
    """For how long samples a run fits that would not fit with twice as long ones."""
    whole = usable_bytes(way.gpu) / GB
    if way.run is None or (way.memory_gb or 0) < NEARLY_FULL * whole:
        return
    sequence = way.run.request.sequence
    if not estimate(replace(way.run.request, sequence=2 * sequence)).fits:
        yield say("jobs.nearly_full", sequence=sequence)


def _recipe(way: JobPlan) -> str:
    """The leaner optimiser that the estimate names."""
    _, _, after = way.why.partition("only as ")
    return after.partition(" (")[0] or say("jobs.recipe")


def sure_words(found: JobAnswer, spec: JobSpec) -> str:
    """How sure: the range, and what was published nearby."""
    best = found.best
    if best is None:
        return ""
    if spec.constraints.owned:
        hours = best.plan.hours
        return say(
            "jobs.sure_hours",
            hours=(hours.low, hours.high),
            cited=cited(found.evidence, spec),
        )
    return say(
        "jobs.sure_words",
        hours=best.hours_range,
        often=again(spec),
        usd_low=best.usd_low,
        usd_high=best.usd_high,
        cited=cited(found.evidence, spec),
    )


def cited(evidence: PublishedRun | Measurement | None, spec: JobSpec) -> str:
    """What was measured or stated, else the published figure of nearly this job."""
    if (told := spec.measured) is not None and told.estimated:
        return say("jobs.scaled")
    if not isinstance(spec, BatchSpec) and spec.mfu is not None:
        return say("jobs.at_your_mfu", mfu=spec.mfu)
    if isinstance(evidence, PublishedRun):
        return say(
            "jobs.estimate_nearest_published_run",
            id=evidence.id,
            tokens_per_gpu_second=round(evidence.tokens_per_gpu_second),
            source=evidence.source,
        )
    if isinstance(evidence, Measurement):
        return say(
            "jobs.estimate_nearest_benchmark",
            source=evidence.source,
            date=evidence.date,
        )
    return ""


def speed_words(best: JobOption, spec: JobSpec) -> str:
    """Tokens per second of all GPUs."""
    rate = best.plan.tokens_per_second
    if rate is None:
        return ""
    kind = say("jobs.output_tokens_s") if isinstance(spec, BatchSpec) else "tokens/s"
    words = f"{count(round(rate.likely))} {kind}"
    if best.plan.weights is not None:
        words += say("jobs.in_weights", weights=best.plan.weights.upper())
    if best.plan.run is not None:
        words += say("jobs.mfu", mfu_pct=best.plan.run.estimate.mfu_pct)
    return say("jobs.gpu_hours", words=words, gpu_hours=_gpu_hours(best.plan))


def _gpu_hours(way: JobPlan) -> str:
    hours = way.gpu_hours
    return count(round(hours)) if hours >= 100 else significant(hours)


def spot_words(best: JobOption, limits: Constraints) -> str:
    """What interruptions add; empty where nothing is interrupted."""
    if best.spot is None:
        return ""
    words = stops_words(best.spot)
    if limits.interrupted_hours is not None:
        lost = (
            say("jobs.a_machine_is_lost") if limits.interrupted_machine else "stopped"
        )
        often = duration(limits.interrupted_hours)
        words += say("jobs.every_as_you_stated", lost=lost, often=often)
    return words + _saved_words(best.spot, limits) + "."


def _saved_words(spot: SpotTerms, limits: Constraints) -> str:
    """How often work is saved, where that is stated, beside what would be best."""
    if limits.checkpoint_hours is None or not spot.stops.write_hours:
        return ""
    best = best_checkpoint_interval(spot.stops.mtbf_hours, spot.stops.write_hours)
    return say(
        "jobs.saved_words", checkpoint_hours=limits.checkpoint_hours, best=float(best)
    )


def stops_words(spot: SpotTerms) -> str:
    """How many interruptions a run sees, and what they take."""
    slower = say("jobs.more_time", time_factor=float(spot.time_factor) - 1)
    stops = spot.expected_stops
    # Of runs with so many interruptions on average, e^−n see none.
    hit = round(1 / -math.expm1(-stops))
    if hit > 1:
        return say("jobs.includes_for_interruptions_one", slower=slower, hit=hit)
    number = max(round(stops), 1)
    return say("jobs.includes_for_about_interruptions", slower=slower, number=number)


def on_demand_words(found: JobAnswer, reference: Reference) -> str:
    """The price without interruptions, beside a spot verdict."""
    best, steady = found.best, found.on_demand
    if best is None or best.spot is None or steady is None:
        return ""
    where = provider_name(steady.offer.provider, reference)
    return say(
        "jobs.on_demand_words",
        usd=steady.usd,
        hours_words=hours_words(steady.hours),
        gpus=steady.gpus,
        gpu_name=gpu_name(steady.plan.gpu),
        where=where,
    )
