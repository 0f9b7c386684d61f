"""A load that grows: what it takes at the end of the span, and all its months."""

import math
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.answers.shared.figures import way_words
from bot.question.asks import asks
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import LOADS, Money, Way
from core.answers.capacity import CapacityAnswer
from core.answers.idle import WELL_USED, Idle
from core.market.board import PriceBoard
from core.money.costs import exact
from core.query import Query
from core.wording import dollars

MONTHS = 12
MOST_MONTHS = 36
MOST_STEPS = 6
"""Fleets, one after the other, that one sentence tells."""
GROWS = (
    "growth_per_month", "growth_months", "growth_times", "growth_from_month",
    "growth_until",
)  # fmt: skip


def as_it_grows(found: Answered, question: Question) -> Answered:
    """Decide the same question at the load of each month, and say what it adds up to.

    Any kind that takes the load into account grows with it; one that does not says so.
    """
    query, answer = question.query, found.figures
    monthly, times = query.growth_per_month, query.growth_times
    grows = monthly is not None or times is not None
    if not grows or answer is None or "growth_per_month" in answer.applies:
        return found
    if isinstance(answer, Idle) and monthly and 0 < (query.utilization or 0) < 1:
        return _filled(found, answer, query.utilization or 0, monthly)
    loads = {name for name in LOADS if getattr(query, name)}
    rented = isinstance(answer, PriceBoard) and query.duration_hours is None
    if not (loads & answer.applies or (rented and query.count)) or not answer.ways:
        return found.without(*GROWS)
    if rented:
        found = found.noted(say("service.gpus_grow_as_load"))
    if monthly is None:
        told = (
            *_stepped(question, times or 1, answer.ways[0]),
            found.view.verdict.rstrip("."),
            _later(question, times or 1, answer.ways[0]),
        )
        return found.redrawn(verdict=" · ".join(told))
    months = min(query.growth_months or _months_until(question) or MONTHS, MOST_MONTHS)
    if isinstance(answer, CapacityAnswer) and answer.load_stated:
        return _outgrown(found, question, answer, months)
    loads_to_come = [(1 + monthly) ** month for month in range(months + 1)]
    bests = [_best(question, times, answer.ways[0]) for times in loads_to_come]
    note = _note(question, monthly, bests)
    if rented and asks(query, "first") and (due := _due(bests)):
        verdict = say("service.due_then", due=due, verdict=found.view.verdict)
        found = found.redrawn(verdict=verdict)
    today = found.view.verdict.rstrip(".")
    whole = _whole(question, bests) if query.growth_until is not None else ""
    verdict = f"{whole}. Today: {today}" if whole else today + _then(question, bests)
    found = found.redrawn(verdict=verdict)
    if (
        query.asked_unit == "year"
        and query.growth_until is None
        and (year := _first_year(bests))
    ):
        shown = found.view.verdict
        found = found.redrawn(
            verdict=say("service.year_first", year=year, verdict=shown)
        )
    if query.part_reserved or {"reserved", "on_demand"} <= set(query.pricing or ()):
        # what to reserve is the question: it stands first
        return found.redrawn(notes=(*found.view.notes, note))
    return found.noted(note)


def by_its_fleet(question: Question) -> Question:
    """GPUs that carry a load grow with it, whatever the model is that nobody names."""
    query = question.query
    named = query.model or query.params_b or query.modality or query.unknown
    if named or not (query.growth_per_month and query.count and query.gpu):
        return question
    bare = dict.fromkeys(LOADS) | {"intent": "cost", "kind": None, "clarify": None}
    return replace(question, query=query.model_copy(update=bare))


def _months_until(question: Question) -> int:
    """Months from now until the one that is named; zero: none is, or it is over."""
    until, now = question.query.growth_until, question.now
    if until is None:
        return 0
    year, month = divmod(until, 100)
    if year < MOST_MONTHS:  # so many years from now; of this year's months the next
        year += now.year + (not year and month < now.month)
    return max((year - now.year) * MONTHS + month - now.month, 0)


def _outgrown(
    found: Answered, question: Question, answer: CapacityAnswer, months: int
) -> Answered:
    """Say when the load passes what the named GPUs carry, and what it takes then."""
    query, monthly = question.query, question.query.growth_per_month or 0
    if answer.best is None or answer.share <= 0 or monthly <= 0:
        return found
    if answer.share > 1:
        verdict = say("service.outgrown_now", verdict=found.view.verdict)
    else:
        month = math.floor(math.log(1 / answer.share) / math.log(1 + monthly)) + 1
        verdict = say("service.outgrown", month=month, verdict=found.view.verdict)
    free = {"count": None, "owned": None, "intent": "size", "wanted": None}
    grown = _grown(query.model_copy(update=free), (1 + monthly) ** months)
    sized = decide(replace(question, query=grown)).figures
    best = sized.ways[0] if sized and sized.ways and sized.status == "ok" else None
    usd, per = best.money.headline if best else (None, "")
    times = (1 + monthly) ** months
    note = say(
        "service.with_growth_a_month", monthly=monthly * 100, months=months, times=times
    )
    if best is not None and usd is not None:
        way = way_words(best, question.reference)
        then = say("service.takes_then", way=way, usd=usd, per=per)
        return found.redrawn(verdict=verdict).noted(f"{note}. {then}")
    return found.redrawn(verdict=verdict).noted(f"{note}.")


def _filled(found: Answered, answer: Idle, used: float, monthly: float) -> Answered:
    """Say first when GPUs of a stated use are full, and when more should be ordered."""

    def months_to(share: float) -> float:
        return max(math.log(share / used) / math.log(1 + monthly), 0)

    told, full, verdict = "", months_to(1), found.view.verdict
    if used >= WELL_USED:
        told = say("service.filling", share=used, months=full, verdict=verdict)
    verdict = told or say(
        "service.filled",
        months=full,
        share=WELL_USED,
        earlier=months_to(WELL_USED),
        keep=say("service.keep_all") if answer.grows else "",
        verdict=verdict,
    )
    found = found.redrawn(verdict=verdict)
    return replace(found, applied=found.applied | set(GROWS))


def _whole(question: Question, bests: list[Way | None]) -> str:
    """What a named month takes, and all months until then; empty: one has no bill."""
    sums = [best.money.month for best in bests if best is not None]
    known = [usd for usd in sums if usd is not None]
    if len(known) < len(bests) or bests[-1] is None:
        return ""
    months = question.now.year * MONTHS + question.now.month + len(bests) - 2
    return say(
        "service.until_month",
        until=date(months // MONTHS, months % MONTHS + 1, 1),
        way=way_words(bests[-1], question.reference),
        usd=known[-1],
        total=sum(known[:-1], Decimal(0)),
    )


def _first_year(bests: list[Way | None]) -> str:
    """What the first twelve months cost; empty: not every one has a bill."""
    sums = [best.money.month for best in bests if best is not None]
    known = [usd for usd in sums if usd is not None]
    if len(known) < len(bests):
        return ""
    year = [known[min(month, len(known) - 1)] for month in range(MONTHS)]
    return say("service.first_year", usd=sum(year, Decimal(0)))


def _due(bests: list[Way | None]) -> str:
    """From which month on more GPUs are rented, the next few times; empty: never."""
    steps = enumerate(pairwise([best.gpus for best in bests if best is not None]), 1)
    due = [(then, month) for month, (now, then) in steps if then > now]
    told = (say("service.due_in_month", gpus=n, month=month) for n, month in due[:3])
    return ", ".join(told)


DAY = 24
PEAKED = 3
"""Times the usual load from which a peak is one of its own."""


def base_and_burst(found: Answered, question: Question) -> Answered:
    """Say what the usual load needs of the GPUs that the peak takes, and the rest."""
    query, answer = question.query, found.figures
    usual, peak, quiet = query.rps, query.peak_rps, query.quiet_rps
    doubts = asks(query, "peak")
    scales = asks(query, "scales")
    apart = query.base_and_burst or quiet or doubts or scales
    if not apart or answer is None or not answer.ways:
        return found
    best, usual = answer.ways[0], quiet or usual
    hour, apart = (
        best.money.hour,
        quiet or (usual or 0) * (1 if doubts or scales else PEAKED),
    )
    if not usual or not peak or peak < apart or best.offer is None or not hour:
        return found
    offer = best.offer
    only = {"gpu": (offer.gpu,), "provider": (offer.provider,), "peak_rps": None}
    base = query.model_copy(update={**only, "rps": usual, "quiet_rps": None})
    sized = decide(replace(question, query=base)).figures
    way = sized.ways[0] if sized and sized.ways and sized.status == "ok" else None
    if way is None or way.money.month is None or not 0 < way.gpus < best.gpus:
        return found
    if quiet:
        share = exact(((query.rps or 0) - quiet) / (peak - quiet))
        whole = best.money.month or Decimal(0)
        usd = whole * share + way.money.month * (1 - share)
        idle = float(24 * (1 - share))
        told = say(
            "service.at_quiet_times", rps=quiet, gpus=way.gpus, usd=usd, idle=idle
        )
        guess = say("levers.autoscale", gpus=best.gpus)  # that is this sum, by guess
        levers = tuple(one for one in found.view.levers if one.text != guess)
        verdict = f"{found.view.verdict}. {told}"
        if scales:
            verdict = say("service.autoscale_daily", verdict=verdict)
        return found.redrawn(verdict=verdict, levers=levers)
    each = hour / best.gpus
    note = say(
        "service.base_and_burst",
        rps=usual,
        base=way_words(way, question.reference),
        month=way.money.month,
        more=best.gpus - way.gpus,
        hour=each * (best.gpus - way.gpus),
        verdict=found.view.verdict,
    )
    note = say("service.for_the_peak", note=note) if doubts else note
    if scales:
        day = each * (best.gpus - way.gpus) * DAY
        told = say("service.autoscale", month=way.money.month, day=day)
        note = f"{told} {note}"
    return found.redrawn(verdict=note)


def _best(question: Question, times: float, today: Way, told: float = 1) -> Way | None:
    """What leads at so many times the load; None: nothing carries it.

    An API that leads today takes any load, and its bill grows with it. `told`: how
    many times today's load the question has already.
    """
    grown = _grown(question.query, times)
    if today.api is None and today.offer is not None:
        grown = grown.model_copy(update={"self_hosted": True})
    answer = decide(replace(question, query=grown)).figures
    found: list[Way] = []
    if answer is not None and answer.status in ("ok", "over_budget", "too_close"):
        found = list(answer.ways[:1])
    if today.api is not None and today.money.month is not None:
        bill = today.money.month * exact(times)
        found.append(replace(today, money=Money(month=bill)))
    return min(found, key=lambda way: way.money.headline[0] or 0, default=None)


def _grown(query: Query, times: float) -> Query:
    stated = {name: getattr(query, name) for name in LOADS}
    grown = {name: value * times for name, value in stated.items() if value}
    if not grown and query.count:
        grown["count"] = math.ceil(round(query.count * times, 6))
    if query.measured_hours:
        grown["measured_hours"] = query.measured_hours * times
    return query.model_copy(update=grown)


def _stepped(question: Question, times: float, today: Way) -> Iterator[str]:
    """A calendar year of which the first months are at today's load, if it is asked."""
    first = question.query.growth_from_month
    if first is None or question.query.asked_unit != "year":
        return
    then = _best(question, times, today)
    if then is None or then.money.month is None or today.money.month is None:
        return
    before, after = first - 1, MONTHS + 1 - first
    usd = today.money.month * before + then.money.month * after
    yield say("service.stepped_year", usd=usd, before=before, after=after, times=times)


def _later(question: Question, times: float, today: Way) -> str:
    """What leads once the load has grown."""
    best = _best(question, times, today)
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


def _then(question: Question, bests: list[Way | None]) -> str:
    """What leads after the months, behind what leads today; empty: nothing does."""
    last, first = bests[-1], bests[0]
    if last is None:
        return ""
    way = way_words(last, question.reference)
    same = first is not None and way == way_words(first, question.reference)
    usd, per = last.money.headline
    return say(
        "service.cost_after_months",
        months=len(bests) - 1,
        way="" if same else f"{way}, ",
        usd=usd or Decimal(0),
        per=per,
    )


def _on_the_way(question: Question, ways: list[Way]) -> str:
    """Which fleet is paid from which month on; empty: it never changes, or often."""
    turns = [0]
    for month, way in enumerate(ways[:-1]):
        if way.money.headline != ways[turns[-1]].money.headline:
            turns.append(month)
    if not 1 < len(turns) <= MOST_STEPS:
        return ""
    steps = []
    for first, end in pairwise((*turns, len(ways) - 1)):
        usd = ways[first].money.headline[0] or Decimal(0)
        words = way_words(ways[first], question.reference)
        steps.append(say("service.step", n=end - first, way=words, usd=usd))
    return say("service.on_the_way", steps=", ".join(steps))


def _by_year(months: list[Decimal]) -> str:
    """What each of several years costs; empty: it is one, or none is whole."""
    if len(months) <= MONTHS:
        return ""
    firsts = range(0, len(months), MONTHS)
    years = [sum(months[n : n + MONTHS], Decimal(0)) for n in firsts]
    told = (
        say("service.year_costs", year=n, usd=usd) for n, usd in enumerate(years, 1)
    )
    return say("service.by_year", years=", ".join(told))


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
    if ways[-1].money.headline[1] != "/month":
        return f"{said}."
    total = dollars(sum(sums[:-1], Decimal(0)))
    return say(
        "service.the_months_together_cost",
        said=said,
        steps=_on_the_way(question, ways) + _by_year(sums[:-1]),
        months=months,
        total=total,
    )
