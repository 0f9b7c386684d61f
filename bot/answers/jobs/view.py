"""A batch, a fine-tune or a training run: dollars a run, hours, what memory forces."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.answers.jobs.phrases import (
    again_words,
    budget_words,
    hours_words,
    memory_words,
    on_demand_words,
    per_million,
    per_run,
    plain_gpu,
    speed_words,
    spot_words,
    sure_words,
    tight_words,
    verdict_words,
    work_begun,
)
from bot.answers.jobs.spot_vs_on_demand import beside_words, paying_notes
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
from bot.answers.shared.left_out import left_out
from bot.answers.shared.page import Page
from bot.answers.shared.workload import asks_if_more, asks_openly, sentence
from bot.question.asks import asks
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.answer import Lever as CostLever
from core.jobs.options import JobAnswer, JobOption, runs_per_month
from core.jobs.pricing import safely_in_time
from core.jobs.recommend import cost_for_budget
from core.jobs.spot_vs_on_demand import asks_for_both
from core.market.named_gpus import named_gpus
from core.money.costs import exact
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.training import training_constants
from core.wording import dollars, durations
from core.workload import Assumption, BatchSpec, FineTuneSpec, JobSpec

MANY_TIMES = 50
"""A budget that pays for more than this is no limit worth a clause."""
SHOWN = 7
LISTED = 25


def job_view(found: JobAnswer, page: Page) -> AnswerView:
    """The five parts of an answer about a job that can be done."""
    spec = found.spec
    best = found.options[0]
    return page.answer(
        verdict=_yes(found, spec, page.question.query)
        + _verdict(found, spec, page)
        + beside_words(found, spec),
        why=_why(found, spec, best, page.reference),
        table=job_table(found, spec, page.reference, page.now),
        levers=tuple(shown_lever(lever, spec) for lever in found.levers),
        chips=chips((*found.resolved.assumptions, *spot_assumptions(found, spec))),
        notes=(
            *_with_margin(found, page),
            *_as_measured(found, spec, page.reference),
            *_rivals(found, spec, page),
            *paying_notes(found, spec, page.reference),
            *filter(None, (again_words(best, spec, page.question.query.asked_unit),)),
            *tight_words(best.plan),
            *_four_bits(found, spec),
            *found.notes,
            *found.resolved.notes,
            *_half_as_long(found, spec, page.question.query),
        ),
        small_print=small_print(found, page),
    )


def _verdict(found: JobAnswer, spec: JobSpec, page: Page) -> str:
    """The bill, or first the time where that is asked for."""
    best = found.options[0]
    told = verdict_words(best, spec, page.reference, tried=True)
    query = page.question.query
    if not (query.asks_time or asks(query, "first")) or spec.constraints.owned:
        return told
    hours = durations(best.hours_range)
    if asks(query, "days") and "days" not in hours:
        hours = say("jobs.in_days", hours=hours, days=float(best.hours) / 24)
    return say("jobs.takes", hours=hours, told=told)


def _half_as_long(found: JobAnswer, spec: JobSpec, query: Query) -> Iterator[str]:
    """What a batch of known work costs with shorter texts: their length is a guess.

    Of so many words or tokens, shorter texts are only more.
    """
    taken = {one.field for one in found.resolved.assumptions}
    if query.words_total or query.tokens_total or query.tokens_per_day:
        return
    if isinstance(spec, BatchSpec) and taken >= {"use", "input_tokens"}:
        yield say("jobs.half_as_long", usd=found.options[0].usd / 2)


def _four_bits(found: JobAnswer, spec: JobSpec) -> Iterator[str]:
    """What 4-bit training rests on where it does not run on NVIDIA."""
    method = spec.method if isinstance(spec, FineTuneSpec) else None
    if method == "qlora" and found.options[0].plan.gpu.vendor != "nvidia":
        others = (o.usd for o in found.options if o.plan.gpu.vendor == "nvidia")
        usd = next(others, None)
        usual = say("jobs.on_nvidia", usd=usd) if usd else ""
        yield say("jobs.four_bits", usual=usual)


def _with_margin(found: JobAnswer, page: Page) -> Iterator[str]:
    """What a run comes to with the share that is to be kept for restarts."""
    if share := page.question.query.headroom:
        best, times = found.options[0], 1 + share
        yield say(
            "jobs.with_margin",
            share=share,
            usd=best.usd * exact(times),
            hours=hours_words(float(best.hours) * times),
        )


FAR_APART = 1.25
"""Times by which a measurement differs from our estimate before both are told."""


def _as_measured(
    found: JobAnswer, spec: JobSpec, reference: Reference
) -> Iterator[str]:
    """What the times are scaled from, and the same GPUs in time where others lead."""
    told = spec.measured
    if told is None:
        return
    name = gpu_name(reference.gpus[told.gpus[0]])
    if told.estimated is None:
        yield say("jobs.measured_elsewhere", gpus=told.count, name=name)
        return
    apart = max(told.pace, 1 / told.pace) >= FAR_APART
    ours = say("jobs.our_estimate", hours=hours_words(told.estimated)) if apart else ""
    limits, best = spec.constraints, found.options[0].plan.gpu.id
    same = [
        one
        for one in found.options
        if one.plan.gpu.id in told.gpus and one.dependable and not one.chancy(limits)
        if one.offer.pricing == "on_demand"
    ]
    if same and best not in told.gpus:
        words = verdict_words(min(same, key=lambda one: one.usd), spec, reference)
        ours += say("jobs.on_the_same", words=words)
    yield say(
        "jobs.measured",
        hours=hours_words(told.hours),
        gpus=told.count,
        name=name,
        gpu_hours=told.hours * told.count,
        rest=ours,
    )


def _rivals(found: JobAnswer, spec: JobSpec, page: Page) -> Iterator[str]:
    """The cheapest way with each other GPU that is named."""
    query, reference = page.question.query, page.reference
    words = query.gpu or ()
    for word in words if len(words) > 1 else ():
        alone = query.model_copy(update={"gpu": (word,)})
        gpus = {gpu.id for gpu in named_gpus(alone, reference)}
        if found.options[0].plan.gpu.id in gpus:
            continue
        ways = (one for one in found.options if one.plan.gpu.id in gpus)
        if way := next(ways, None):
            yield say("jobs.rival", words=verdict_words(way, spec, reference))
        elif gpus:
            names = " or ".join(gpu_name(reference.gpus[gpu]) for gpu in sorted(gpus))
            yield say("jobs.no_rival", names=names)


def _yes(found: JobAnswer, spec: JobSpec, query: Query) -> str:
    """Say yes where the question sets a limit that is kept."""
    limits, best = [], found.options[0]
    safe = safely_in_time(best, spec.deadline_hours)
    if found.budget_usd is not None:
        often = best.usd_high / best.usd if best.usd else 1
        safe = safe and cost_for_budget(spec, best) * often <= found.budget_usd
        limits.append(say("jobs.for_under", budget_words=budget_words(found, spec)))
    if spec.deadline_hours is not None:
        limits.append(say("jobs.within", hours_words=hours_words(spec.deadline_hours)))
    if asks(query, "able") and query.count and query.count == best.gpus:
        limits.append(say("jobs.with_so_many", gpus=query.count))
    if query.one_machine:
        if best.plan.machines > 1:
            single = (one for one in found.options if one.plan.machines == 1)
            return say("jobs.more_machines") if next(single, None) is None else ""
        limits.append(say("jobs.on_one_machine", gpus=best.gpus))
    if not limits:
        return ""
    told = " and ".join(limits)
    if asks_if_more(query) and safe and found.budget_usd is not None:
        return say("jobs.no_less", budget=budget_words(found, spec))
    if safe and asks_openly(query):
        return sentence(told) + " "
    if safe and (best.plan.lean or any(tight_words(best.plan))):
        return say("jobs.tight", limits=told)
    return say("jobs.yes", limits=told) if safe else say("jobs.probably", limits=told)


def _why(found: JobAnswer, spec: JobSpec, best: JobOption, reference: Reference) -> str:
    parts = [
        f"{work_begun(spec)}.",
        sure_words(found, spec),
        "" if isinstance(spec, BatchSpec) else memory_words(best.plan),
        spot_words(best, spec.constraints),
        "" if asks_for_both(spec.constraints) else on_demand_words(found, reference),
        _buys(found),
    ]
    return " ".join(part for part in parts if part)


def _buys(found: JobAnswer) -> str:
    """How far the budget would go."""
    if found.affordable is None or not 1.5 <= found.affordable <= MANY_TIMES:
        return ""
    return say("jobs.buys", affordable=found.affordable)


def job_table(
    found: JobAnswer, spec: JobSpec, reference: Reference, now: datetime
) -> Table:
    """The best way of each provider and GPU, the cheapest first."""
    ordered = varied(found.options)
    rows = tuple(_row(o, spec, reference, now) for o in ordered[:LISTED])
    last = "$/1M out" if isinstance(spec, BatchSpec) else say("jobs.gb_per_gpu")
    bill = f"${per_run(spec).replace('per ', '/')}"
    return Table(
        caption=say("jobs.offers_for_this_job", first=_first(found)),
        columns=("Offer", "GPUs", "$/GPU-h", "Time", bill, last, say("jobs.price_age")),
        rows=rows,
        winner=0 if rows and found.advises else None,
        shown=SHOWN,
        note=left_out(
            found.rejections, len(found.options) - len(rows), found.unpriced_providers
        ),
    )


def _first(found: JobAnswer) -> str:
    return "quickest" if found.status == "too_late" else "cheapest"


def _row(
    option: JobOption, spec: JobSpec, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    offer = option.offer
    name = (
        f"{provider_name(offer.provider, reference)} {gpu_name(option.plan.gpu)} "
        f"{pricing_words(offer)}"
    )
    if isinstance(spec, BatchSpec):
        last = money(per_million(option, spec))
    else:
        last = number(round(option.plan.memory_gb or 0, 1))
    return (
        Cell(text=name),
        number(option.gpus),
        money(offer.usd_per_gpu_hour),
        Cell(text=hours_words(option.hours), value=float(option.hours)),
        money(option.usd),
        last,
        age(offer, now),
    )


def varied(options: Sequence[JobOption]) -> list[JobOption]:
    """Put first what a reader wants to see: cheap ways, and other GPUs than those."""
    cheap = SHOWN - SHOWN // 2
    seen = {option.plan.gpu.id for option in options[:cheap]}
    others = []
    for index, option in enumerate(options[cheap:], start=cheap):
        if option.plan.gpu.id not in seen:
            seen.add(option.plan.gpu.id)
            others.append(index)
    chosen = dict.fromkeys([*range(min(cheap, len(options))), *others[: SHOWN - cheap]])
    filled = dict.fromkeys([*chosen, *range(len(options))])
    first = sorted(list(filled)[:SHOWN])
    rest = [index for index in range(len(options)) if index not in first]
    return [options[index] for index in (*first, *rest)]


def shown_lever(lever: CostLever, spec: JobSpec) -> Lever:
    """A lever as a difference a run, or a month where the run comes back."""
    amount, often = lever.usd_difference, runs_per_month(spec)
    if amount is None:
        return Lever(text=plain_gpu(lever.text), difference=lever.note)
    sign = "+" if amount > 0 else ""
    text = f"{sign}{dollars(amount * (often or 1))}{'/month' if often else ''}"
    text = text if amount else say("jobs.shown_lever")
    return Lever(text=plain_gpu(lever.text), difference=text, note=lever.note)


def spot_assumptions(found: JobAnswer, spec: JobSpec) -> Iterator[Assumption]:
    """What is assumed of interruptions, where the verdict is on spot."""
    if found.best is None or found.best.spot is None:
        return
    if spec.constraints.interrupted_hours is not None:
        return
    hours = training_constants().values["spot_mtbf_hours"]
    yield Assumption(
        field="spot_mtbf_hours",
        label="spot",
        value=say("jobs.a_machine_is_lost_every", hours=hours),
        why=say("jobs.a_cautious_value_sellers"),
    )


def small_print(found: JobAnswer, page: Page) -> tuple[str, ...]:
    """The id, and where the prices are from."""
    shown = found.options[:SHOWN] or [
        yes.option for yes in found.nearest if yes.option is not None
    ]
    offers = [option.offer for option in shown]
    lines = [say("jobs.answer_you_pay_gpus", id=page.id)]
    if found.best is not None and (speed := speed_words(found.best, found.spec)):
        lines.insert(0, say("jobs.speed", speed=speed))
    return (*lines, price_sources(offers)) if offers else tuple(lines)
