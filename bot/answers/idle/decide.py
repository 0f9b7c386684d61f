"""What the idle part of given GPUs costs."""

from msgspec.structs import replace

from bot.answers.idle.view import explain_idle, idle_view
from bot.answers.pay_by_use.decide import small_load
from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.problems import price_unknown
from bot.answers.shared.workload import has_model, load_stated, spec_of, usual_use
from bot.question.question import Answered, Question
from core.answers.capacity import gpu_capacities
from core.answers.idle import WELL_USED, answer_idle
from core.hardware import GpuSpec
from core.market.named_gpus import named_gpus
from core.query import Query
from core.resolve.constraints import days_of_use, resolve_constraints
from core.wording import say
from core.workload import Assumption, Resolved

HOURS_PER_WEEK = 168
MONTHS = 12
NIGHT = 12
"""Hours of a night in which nobody works, where no hours are named."""
WEEKEND = 2
_STAYS_ON = Assumption(
    field="hours_per_day",
    label=say("idle.gpus_stay_on"),
    value=say("idle.around_the_clock"),
    why=say("idle.why_on"),
)

_NIGHT_HOURS = Assumption(
    field="idle_times",
    label=say("idle.night"),
    value=say("idle.hours_of_a_night", hours=NIGHT),
    why=say("idle.why_night"),
)


def idle(question: Question) -> Answered:
    """What the idle part of given GPUs costs; without GPUs, what a small load does."""
    query, reference = question.query, question.reference
    gpus = named_gpus(query, reference)
    if not gpus:
        return small_load(question)
    limits = resolve_constraints(query, reference)
    limits = limits.model_copy(update={"serverless": False})  # what is idle is not
    market = question.market
    hours = hours_in_use(query)
    if hours is None:
        used, assumed = _used(question, gpus[0])
    else:
        used, assumed = hours / HOURS_PER_WEEK, (_STAYS_ON,)
        if "nights" in (query.idle_times or ()) and not query.hours_per_day:
            assumed = (_NIGHT_HOURS, *assumed)
        limits = limits.model_copy(update={"hours_per_day": 24, "days_per_week": 7})
    found = answer_idle(gpus[0], used, limits, assumed, *market, hours_a_week=hours)
    if found is None:
        anywhere = limits.model_copy(update={"providers": (), "pricing": ()})
        found = answer_idle(
            gpus[0], used, anywhere, assumed, *market, hours_a_week=hours
        )
        if found is None:
            return price_unknown(Page(question), gpus[0])
        found = replace(found, elsewhere=True)
    grows = query.growth_per_month or 0
    if grows > 0 and used * (1 + grows) ** MONTHS > WELL_USED:
        found = replace(found, others=(), grows=True)
    return Page(question).drawn(found, idle_view, explain_idle)


def hours_in_use(query: Query) -> float | None:
    """Hours a week in which the GPUs work, where only those are said: "busy 4 h a day".

    With a use beside them they are the hours that are paid for.
    """
    if query.utilization is not None or load_stated(query):
        return None
    idle = query.idle_times or ()
    day = query.hours_per_day or 24 - NIGHT * ("nights" in idle)
    weekly = any(
        "week" in query.text[a:b] for a, b in query.spans.get("hours_per_day", ())
    )
    rest = WEEKEND if "weekends" in idle and not weekly else 0
    hours = day * (days_of_use(query) or 7 - rest)
    return hours if hours < HOURS_PER_WEEK else None


def _used(question: Question, gpu: GpuSpec) -> tuple[float, tuple[Assumption, ...]]:
    """How busy the GPUs are: as stated, as the load makes them, or the usual half."""
    query = question.query
    if query.utilization is not None:
        return query.utilization, ()
    if has_model(query) and load_stated(query):
        resolved = serving(question)
        if isinstance(resolved, Resolved):
            carried, _ = gpu_capacities(spec_of(resolved), gpu, query.count or 1, None)
            if carried:
                rate = carried[0].requests_per_second.likely
                share = spec_of(resolved).load.average_rps / rate
                return min(share, 1.0), resolved.assumptions
    return usual_use(question)
