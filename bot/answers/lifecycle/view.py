"""A model's life: the run, the service, and the month when serving has cost more."""

import math
from collections.abc import Iterator
from decimal import Decimal

from bot.answers.jobs.phrases import hours_words, memory_words, work_begun
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Chart, Series, Table
from bot.render.words import say
from core.answers.lifecycle import LifecycleAnswer
from core.jobs.options import JobOption
from core.market.hours import paid_hours
from core.money.lifecycle import Lifecycle
from core.reference.catalogue import Reference
from core.resolve.serving import describe_load
from core.wording import dollars, significant
from core.workload import BatchSpec, InferenceSpec, JobSpec

POINTS = 12
"""Months drawn at most; a longer life is drawn at whole steps."""
COLUMNS = ("Part", "GPUs", "Offer", "Time", "Cost", say("lifecycle.in_all"))


def lifecycle_view(found: LifecycleAnswer, page: Page) -> AnswerView:
    """Total first, then each part for itself."""
    life = found.life
    return page.answer(
        kind="no" if life is None or found.over_budget else "answer",
        verdict=_verdict(found, life),
        why=_why(found, life),
        table=_table(found, life, page.reference),
        charts=(life_chart(life),) if life is not None and found.months > 1 else (),
        chips=chips(found.assumed),
        notes=(*found.notes, *found.training.notes, *found.serving.notes),
        small_print=_small_print(found, page),
    )


def _verdict(found: LifecycleAnswer, life: Lifecycle | None) -> str:
    if life is None:
        return _missing(found)
    passing = say("lifecycle.serving_passes", passes_in_month=life.passes_in_month)
    if life.passes_in_month is None:
        passing = say("lifecycle.training_costs_more", months=found.months)
        passing += _then(found)
    words = say(
        "lifecycle.over_months_to_train",
        total=life.total,
        months=found.months,
        training=life.months[-1].training,
        serving=life.months[-1].serving,
        passing=passing,
    )
    if found.budget is None:
        return words
    budget = found.budget.words
    return (
        say("lifecycle.not_for", budget=budget, words=words)
        if found.over_budget
        else say("lifecycle.yes", words=words)
    )


def _then(found: LifecycleAnswer) -> str:
    """When serving would pass after all, or that it never does."""
    if found.passes_later is None:
        return say("lifecycle.serving_never_costs_more")
    return say("lifecycle.serving_passes_later", passes_later=found.passes_later)


def _missing(found: LifecycleAnswer) -> str:
    """Which of the two parts has no answer."""
    if found.training.best is None and found.trained is None:
        return say("lifecycle.no_total_no_run")
    again = found.retraining
    if found.serving.options and again is not None and again.best is None:
        return say("lifecycle.no_total_no_retraining")
    return say("lifecycle.no_total_no_serving")


def _why(found: LifecycleAnswer, life: Lifecycle | None) -> str:
    parts = [_first(found)]
    spec = found.serving.resolved.spec
    if isinstance(spec, InferenceSpec):
        parts.append(say("lifecycle.served_at", describe_load=describe_load(spec.load)))
    if found.growth_per_month:
        grows = significant(found.growth_per_month * 100)
        parts.append(say("lifecycle.bill_grows", grows=grows))
    if found.retrain_every is not None:
        data = found.retraining_spec
        on = "" if data is None else say("lifecycle.on_tokens", tokens=_tokens(data))
        parts.append(
            say(
                "lifecycle.retrained_for_each_time",
                cadence=found.cadence,
                on=on,
                retrain_usd=found.retrain_usd,
            )
        )
    if life is not None:
        parts.append(say("lifecycle.serving_share", serving_share=life.serving_share))
    parts.append(
        say("lifecycle.serving_is_an_estimate")
        if found.trained or found.training_spec.measured
        else say("lifecycle.both_parts_are_estimates")
    )
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def _first(found: LifecycleAnswer) -> str:
    """The run, or what it cost already where that is stated."""
    spec = found.training_spec
    name, timed = spec.model.name, spec.measured
    if timed and found.trained is None:
        return say("lifecycle.timed", name=name, gpus=timed.count, hours=timed.hours)
    if found.trained is None:
        return work_begun(spec)
    return say("lifecycle.first", name=name, words=found.trained.words)


def _tokens(spec: JobSpec) -> float:
    return 0.0 if isinstance(spec, BatchSpec) else spec.tokens


def _table(
    found: LifecycleAnswer, life: Lifecycle | None, reference: Reference
) -> Table:
    rows = [*_training_rows(found, life, reference)]
    rows += _serving_row(found, life, reference)
    return Table(
        caption=say("lifecycle.training_and_serving"),
        columns=COLUMNS,
        rows=tuple(rows),
        note="" if rows else say("lifecycle.both_prices_are_unknown"),
    )


def _training_rows(
    found: LifecycleAnswer, life: Lifecycle | None, reference: Reference
) -> Iterator[tuple[Cell, ...]]:
    """The first run; a retraining that is a run of its own stands below it."""
    trained = life.months[-1].training if life else None
    if found.trained is not None:
        yield _stated_row(found.trained.usd, found, trained)
    again = found.retraining.best if found.retraining else None
    best = found.training.best
    if best is not None:
        over = best.usd if trained is None or again is not None else trained
        yield _run_row("Training", best, over, reference)
    if again is not None:
        first = found.trained.usd if found.trained else best.usd if best else None
        over = again.usd if trained is None or first is None else trained - first
        yield _run_row("Retraining", again, over, reference)


def _stated_row(
    paid: Decimal, found: LifecycleAnswer, trained: Decimal | None
) -> tuple[Cell, ...]:
    """What was paid for training, without any hardware."""
    alone = trained is None or found.retraining is not None
    over = paid if alone or trained is None else trained
    nothing = Cell(text="")
    asis = Cell(text=say("lifecycle.stated_row"))
    return Cell(text="Training"), nothing, asis, nothing, money(paid), money(over)


def _run_row(
    part: str, best: JobOption, over: Decimal, reference: Reference
) -> tuple[Cell, ...]:
    return (
        Cell(text=part),
        number(best.gpus),
        Cell(
            text=f"{provider_name(best.offer.provider, reference)} "
            f"{gpu_name(best.plan.gpu)} {pricing_words(best.offer)}"
        ),
        Cell(text=hours_words(best.hours), value=float(best.hours)),
        money(best.usd, say("lifecycle.run_row", usd=best.usd)),
        money(over),
    )


def _serving_row(
    found: LifecycleAnswer, life: Lifecycle | None, reference: Reference
) -> Iterator[tuple[Cell, ...]]:
    if not found.serving.options:
        return
    best = found.serving.options[0]
    total = life.months[-1].serving if life else best.usd_per_month * found.months
    yield (
        Cell(text="Serving"),
        number(best.gpus),
        Cell(
            text=f"{provider_name(best.offer.provider, reference)} "
            f"{gpu_name(best.plan.gpu)} {pricing_words(best.offer)}"
        ),
        Cell(text=f"{found.months} months", value=found.months * 720),
        money(
            best.usd_per_month,
            say("lifecycle.serving_row", usd_per_month=best.usd_per_month),
        ),
        money(total),
    )


def life_chart(life: Lifecycle) -> Chart:
    """Running totals of both parts."""
    step = math.ceil(len(life.months) / POINTS)
    drawn = life.months[step - 1 :: step]
    return Chart(
        kind="line",
        title=say("lifecycle.life_chart"),
        categories=tuple(str(row.month) for row in drawn),
        series=(
            Series(name="training", values=tuple(float(r.training) for r in drawn)),
            Series(name="serving", values=tuple(float(r.serving) for r in drawn)),
        ),
        x_label="month",
        y_label="USD",
    )


def _small_print(found: LifecycleAnswer, page: Page) -> tuple[str, ...]:
    offers = [option.offer for option in found.training.options[:3]]
    if found.retraining is not None:
        offers += [option.offer for option in found.retraining.options[:3]]
    offers += [option.offer for option in found.serving.options[:3]]
    hours = _served_hours(found)
    lines = (say("lifecycle.small_print", id=page.id, hours=hours),)
    return (*lines, price_sources(offers)) if offers else lines


def explain_lifecycle(found: LifecycleAnswer, page: Page) -> AnswerView:
    """The sums of both parts, and the months."""
    steps = list(_steps(found))
    fired = ["mixed-apart", "lifecycle", "cost-per-run", "cost-per-token"]
    return page.explained(steps, found.assumed, fired)


def _steps(found: LifecycleAnswer) -> Iterator[str]:
    best, life = found.training.best, found.life
    if found.trained is not None:
        yield say("lifecycle.training_as_stated", words=found.trained.words)
    if best is not None:
        yield _run_step("Training", best)
    if found.retraining is not None and found.retraining.best is not None:
        yield _run_step(say("lifecycle.a_retraining"), found.retraining.best)
    if found.retrain_every is not None and life is not None:
        trained = dollars(life.months[-1].training)
        yield say(
            "lifecycle.with_every_retraining_at",
            retrain_usd=found.retrain_usd,
            trained=trained,
        )
    if found.serving.options:
        served = found.serving.options[0]
        yield (
            say(
                "lifecycle.serving_gpus_h_month",
                gpus=served.gpus,
                usd_per_gpu_hour=served.offer.usd_per_gpu_hour,
                served_hours=_served_hours(found),
                usd_per_month=served.usd_per_month,
                months=found.months,
            )
        )
    if life is not None:
        end = life.months[-1]
        yield (
            say(
                "lifecycle.step_in_all",
                training=end.training,
                serving=end.serving,
                total=life.total,
            )
        )


def _run_step(part: str, best: JobOption) -> str:
    return say(
        "lifecycle.run_step",
        part=part,
        gpus=best.gpus,
        usd_per_gpu_hour=best.offer.usd_per_gpu_hour,
        hours=float(best.hours),
        usd=best.usd,
        memory_words=memory_words(best.plan),
    )


def _served_hours(found: LifecycleAnswer) -> str:
    """Hours a month that serving is billed for."""
    limits = found.serving.resolved.spec.constraints
    best = next(iter(found.serving.options), None)
    hours = paid_hours(best.offer, limits) if best else limits.billed_hours_per_month
    return f"{hours:,.0f}"
