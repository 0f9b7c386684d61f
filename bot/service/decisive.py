"""What a bill is if an assumption that decides it turns out otherwise."""

from decimal import Decimal

from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.answers.shared.figures import way_words
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import Money, Way
from core.answers.capacity import CapacityAnswer
from core.query import Query
from core.reference.assumed import profile_name
from core.reference.thinking import always_thinks
from core.workload import InferenceSpec, Resolved

MORE = 3
"""Times the requests that are assumed of a person, at which a bill is told as well."""
LONG_S, LONG_BY_RATE_S = 60, 180
"""Seconds from which on an answer takes long: for people, and for a program."""
QUICK_MS = 40.0
"""Of a token, at which a long answer is priced as well: 25 tokens a second."""


def at_more_requests(found: Answered, question: Question) -> Answered:
    """Say what more requests would cost, where nobody said how many a person sends."""
    field = "requests_per_user_per_day"
    asked, workload = question.query, _served(found)
    told = workload.assumptions if workload else ()
    each = next((one.value for one in told if one.field == field), "")
    # Requests at once make the peak, whatever the day; a load that grows is told so.
    other = asked.growth_per_month or asked.growth_times or asked.concurrency
    if not each or other or (way := _leading(found)) is None:
        return found
    number = float(each.replace(",", ""))
    then = _leads(question, asked.model_copy(update={field: number * MORE}), way)
    if way.api and way.money.month is not None:
        linear = replace(way, money=Money(month=way.money.month * MORE))
        rented = [then] if then and not then.api else []
        then = min([linear, *rented], key=lambda one: one.money.month or 0)
    if then is None or then.money.headline == way.money.headline:
        return found
    note = say(
        "service.more_requests",
        each=number,
        assumed=say("service.requests_assumed"),
        more=number * MORE,
        costs=_costs(then, way, question),
    )
    return found.redrawn(notes=(*found.view.notes, note))


def at_its_pace(found: Answered, question: Question) -> Answered:
    """Say how long an answer takes that thinks or is long, and what a short one costs.

    Where the pace is stated, or nobody waits, it is as it was asked for.
    """
    asked, workload = question.query, _served(found)
    if workload is None:
        return found
    spec = workload.spec
    assumed = {one.field: one.value for one in workload.assumptions}
    if not isinstance(spec, InferenceSpec) or "tpot_ms" not in assumed:
        return found
    limits = spec.targets
    seconds = ((limits.ttft_ms or 0) + (limits.tpot_ms or 0) * spec.output_tokens) / 1e3
    people = asked.users or asked.concurrency
    if seconds < (LONG_S if people else LONG_BY_RATE_S):
        return found
    if (way := _leading(found)) is None or way.api:
        return found
    thinks = assumed.get("use") == profile_name("reasoning") != asked.use
    thinks = thinks and asked.output_tokens is None and not always_thinks(spec.model)
    change: dict[str, object] = {"thinks": False} if thinks else {"tpot_ms": QUICK_MS}
    if asked.concurrency and not asked.users:  # shorter answers are no more of them
        change |= {"rps": spec.load.rps, "concurrency": None}
    then = _leads(question, asked.model_copy(update=change), way)
    if then is None:
        return found
    takes, costs = say("service.answer_takes"), _costs(then, way, question)
    told = (
        say("service.without_thinking", costs=costs)
        if thinks
        else say("service.at_a_pace", pace=1000 / QUICK_MS, costs=costs)
    )
    if (then.money.month or 0) > MORE * (way.money.month or 0):
        told = ""  # so much more that nobody would
    note = say("service.long_answer", takes=takes, seconds=seconds, told=told)
    return found.redrawn(notes=(*found.view.notes, note))


def at_lower_prices(found: Answered, question: Question) -> Answered:
    """Say what leads would cost after a fall of prices that is expected."""
    share = question.query.prices_fall
    if not share:
        return found
    if (way := _leading(found)) is None or way.offer is None:
        return found.without("prices_fall")
    usd, per = way.money.headline
    then = (usd or Decimal(0)) * (100 - share) / 100
    words = way_words(way, question.reference)
    note = say("service.lower_prices", share=share, way=words, usd=then, per=per)
    return found.noted(note)


def _leading(found: Answered) -> Way | None:
    """The way that a priced answer names first; what GPUs carry is no bill."""
    answer = found.figures
    if answer is None or isinstance(answer, CapacityAnswer) or not answer.ways:
        return None
    way = answer.ways[0]
    return way if way.money.month is not None else None


def _served(found: Answered) -> Resolved | None:
    return found.figures.workload if found.figures else None


def _leads(question: Question, query: Query, today: Way) -> Way | None:
    """What leads if the question is another, paid for as today's is."""
    if today.api is None and today.offer is not None:
        query = query.model_copy(update={"self_hosted": True})
    answer = decide(replace(question, query=query)).figures
    carried = answer and answer.status in ("ok", "over_budget", "too_close")
    way = answer.ways[0] if answer and carried and answer.ways else None
    return way if way and way.money.month is not None else None


def _costs(then: Way, today: Way, question: Question) -> str:
    """A bill, and who for where that is another than today."""
    words, (usd, per) = way_words(then, question.reference), then.money.headline
    if (usd, per) == today.money.headline:
        return say("service.same_cost")
    same = words == way_words(today, question.reference)
    way = "" if same else f"{words}, "
    return say("service.costs", way=way, usd=usd or Decimal(0), per=per)
