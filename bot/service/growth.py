"""A load that grows: what it takes at the end of the span, and all its months."""

from decimal import Decimal

from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.answers.shared.figures import way_words
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import LOADS, Way
from core.query import Query
from core.wording import dollars

MONTHS = 12
MOST_MONTHS = 24
GROWS = ("growth_per_month", "growth_months", "growth_times")


def as_it_grows(found: Answered, question: Question) -> Answered:
    """Decide the same question at the load of each month, and say what it adds up to.

    Any kind that takes the load into account grows with it; one that does not says so.
    """
    query, answer = question.query, found.figures
    monthly, times = query.growth_per_month, query.growth_times
    grows = monthly is not None or times is not None
    if not grows or answer is None or "growth_per_month" in answer.applies:
        return found
    loads = {name for name in LOADS if getattr(query, name)}
    if not loads & answer.applies or not answer.ways:
        return found.without(*GROWS)
    if monthly is None:
        return found.noted(_later(question, times or 1))
    months = min(query.growth_months or MONTHS, MOST_MONTHS)
    bests = [_best(question, (1 + monthly) ** month) for month in range(months + 1)]
    note = _note(question, monthly, bests)
    if query.part_reserved:  # what to reserve is the question: it stands first
        return found.redrawn(notes=(*found.view.notes, note))
    return found.noted(note)


PEAKED = 3
"""Times the usual load from which a peak is one of its own."""


def base_and_burst(found: Answered, question: Question) -> Answered:
    """Say what the usual load needs of the GPUs that the peak takes, and the rest."""
    query, answer = question.query, found.figures
    usual, peak = query.rps, query.peak_rps
    if not query.base_and_burst or answer is None or not answer.ways:
        return found
    best = answer.ways[0]
    hour = best.money.hour
    if not usual or not peak or peak < PEAKED * usual or best.offer is None or not hour:
        return found
    offer = best.offer
    only = {"gpu": (offer.gpu,), "provider": (offer.provider,), "peak_rps": None}
    base = decide(replace(question, query=query.model_copy(update=only))).figures
    way = base.ways[0] if base and base.ways and base.status == "ok" else None
    if way is None or way.money.month is None or not 0 < way.gpus < best.gpus:
        return found
    each = hour / best.gpus
    note = say(
        "service.base_and_burst",
        rps=usual,
        base=way_words(way, question.reference),
        month=way.money.month,
        more=best.gpus - way.gpus,
        hour=each * (best.gpus - way.gpus),
    )
    return found.noted(note)


def _best(question: Question, times: float) -> Way | None:
    """What leads at so many times the load; None: nothing carries it."""
    answer = decide(replace(question, query=_grown(question.query, times))).figures
    if answer is None or answer.status not in ("ok", "over_budget", "too_close"):
        return None
    return answer.ways[0] if answer.ways else None


def _grown(query: Query, times: float) -> Query:
    stated = {name: getattr(query, name) for name in LOADS}
    grown = {name: value * times for name, value in stated.items() if value}
    return query.model_copy(update=grown)


def _later(question: Question, times: float) -> str:
    """What leads once the load has grown."""
    best = _best(question, times)
    if best is None:
        return say("service.nothing_carries_times", times=times)
    usd, per = best.money.headline
    return say(
        "service.at_times_the_load",
        times=times,
        way=way_words(best, question.reference),
        usd=usd or Decimal(0),
        per=per,
    )


def _note(question: Question, monthly: float, bests: list[Way | None]) -> str:
    """What leads after the months, and what they cost together from today on."""
    months = len(bests) - 1
    times = (1 + monthly) ** months
    said = say(
        "service.with_growth_a_month", monthly=monthly * 100, months=months, times=times
    )
    first = next((n for n, best in enumerate(bests, 1) if best is None), None)
    if first is not None:
        return say("service.from_month_on_nothing", said=said, first=first)
    ways = [best for best in bests if best is not None]
    sums = [way.money.headline[0] or Decimal(0) for way in ways]
    last, per = ways[-1], ways[-1].money.headline[1]
    each = f"{way_words(last, question.reference)}, {dollars(sums[-1])}{per}"
    if per != "/month":
        return f"{said}: {each}."
    total = dollars(sum(sums[:-1], Decimal(0)))
    return say(
        "service.the_months_together_cost",
        said=said,
        each=each,
        months=months,
        total=total,
    )
