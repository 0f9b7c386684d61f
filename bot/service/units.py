"""The figure that was asked for beside the usual ones, and a month's whole bill."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from msgspec.structs import replace

from bot.answers.shared.figures import chips, sold_gpu
from bot.question.asks import asks
from bot.question.question import Answered, Question
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.answer import Answer, Money, Way
from core.answers.tco import AllIn, all_in, asked_for
from core.market.spending import ceiling
from core.money.costs import exact
from core.money.lifecycle import SPANS, cadence_months
from core.query import Query
from core.wording import count, dollars
from core.workload import Budget

Said = tuple[str, str]
"""The figure for the verdict, and its arithmetic for the notes where it needs any."""
LED = "lasts", "minute", "second"
"""Units beside months that are told first."""
LEAST_EACH = Decimal("0.001")
"""Dollars; less than this is told for 1,000."""
NEVER = say("service.not_counted")


def in_asked_unit(found: Answered, question: Question) -> Answered:
    """The same answer with the unit that was asked for in its verdict."""
    query, answer = question.query, found.figures
    million = query.wanted == "usd_per_million"
    one = query.asked_item and asks(query, "one") and not asks(query, "which")
    if answer is None or not (million or query.asked_unit):
        return found
    money = answer.ways[0].money if answer.ways else Money()
    told = []
    if unit := query.asked_unit:
        grows = query.growth_per_month or query.growth_from_month
        whole = money.total and query.term_months in (None, 12)
        if unit == "year" and (whole or (grows and money.month is not None)):
            return found  # told with what its months add up to
        said = (
            _lasting(money, query, question.now)
            if unit == "lasts"
            else _unit(money, query, unit, _calls_assumed(answer))
        )
        told = [said] if said else []
        found = found if said else found.without("asked_unit")
    elif money.million_output is None and query.most_per_million is None:
        found = found.without("wanted")
    elif money.million_output is not None and query.most_per_million is None:
        # with a limit per million the unit is the limit's: nothing more is asked
        each = _per_million(answer.ways, question, found.view.verdict)
        told = [(each, "")] if each else []
    leads = bool(one) or query.asked_unit in {*SPANS, *LED}
    leads = leads and answer.status == "ok"
    return _told(found, told, by_year=leads)


def _per_million(ways: Sequence[Way], question: Question, shown: str) -> str:
    """What 1M output tokens cost: of a comparison for each GPU, if not shown yet."""
    each = {
        sold_gpu(way.offer.gpu, question.reference): way.money.million_output
        for way in ways
        if way.offer is not None and way.money.million_output is not None
    }
    if question.query.intent != "compare" or not 1 < len(each) == len(ways):
        return say("service.in_asked_unit", million_output=ways[0].money.million_output)
    if sum(dollars(usd) in shown for usd in each.values()) > 1:
        return ""
    said = ", ".join(f"{gpu} {dollars(usd)}" for gpu, usd in each.items())
    return say("service.each_in_asked_unit", each=said)


def _told(found: Answered, told: list[Said], *, by_year: bool) -> Answered:
    shown = found.view.verdict
    told = [(said, how) for said, how in told if said.split()[0] not in shown.split()]
    if not told:
        return found
    verdict = " · ".join((found.view.verdict, *(said for said, _ in told)))
    if by_year:  # whoever plans a year reads its sum first
        verdict = say("service.year_first", year=told[0][0], verdict=shown)
    sums = tuple(how for _, how in told if how)
    why = found.explanation
    if why is not None:
        why = why.model_copy(update={"notes": (*why.notes, *sums)})
    # a warning is read before arithmetic
    notes = (*found.view.notes, *sums)
    return replace(found.redrawn(verdict=verdict, notes=notes), explanation=why)


def _lasting(money: Money, query: Query, now: datetime) -> Said | None:
    """How long a sum in hand pays for the leading way; None: no month is known."""
    amount, currency = exact(query.budget_amount or 0), query.budget_currency or "USD"
    held = ceiling(Budget(amount=amount, period="total", currency=currency), now)
    if held is None or not money.month:
        return None
    months = float(held.usd / money.month)
    if money.hour and (held.usd < 2 * money.month or (query.gpu and not query.count)):
        hours = float(held.usd / money.hour)
        said = say("service.sum_lasts_hours", words=held.words, hours=hours)
        return said, f"{dollars(held.usd)} ÷ {dollars(money.hour)} = {hours:,.0f} h."
    said = say("service.sum_lasts", words=held.words, months=months)
    return said, f"{dollars(held.usd)} ÷ {dollars(money.month)} = {months:.2g}."


def _unit(money: Money, query: Query, unit: str, calls: float = 1) -> Said | None:
    """The leading way's money by what was asked for; None: it has no such unit.

    `calls`: requests that each of what is counted is assumed to take.
    """
    month, output = money.month, money.million_output
    match unit:
        case "blended" if money.million is not None:
            how = say("service.counts_both")
            return say("service.price_per_million", million=money.million), how
        case "thousand" if output is not None:
            said = say("service.per_output_tokens", output=output / 1000)
            return said, f"{dollars(output)} ÷ 1,000 = {said}."
        case "user" if month is not None and query.users:
            said = say("service.per_user_and_month", month=month / exact(query.users))
            return said, say("service.users", month=month, users=query.users, said=said)
        case "request" if money.request is not None:
            each = money.request * exact(query.item_calls or calls)
            said = _by_items(each, query.asked_item)
            bill = money.month or money.run
            if bill is None:
                return said, ""
            number = count(float(bill / each))
            per = "a month" if money.month is not None else "in all"
            return said, f"{dollars(bill)} ÷ {number} {per} = {said}."
        case "minute" | "second" if money.minute is not None:
            each = money.minute / (60 if unit == "second" else 1)
            return say("service.per_length", value=each, unit=unit), ""
        case "hour" if money.hour is not None:
            return say("service.an_hour", hour=money.hour), ""
        case span if span in SPANS and money.run is not None and _comes_back(query):
            return _of_runs(money.run, query, unit)
        case span if span in SPANS and month is not None:
            whole = money.whole_year if unit == "year" else None
            usd = SPANS[unit] * month if whole is None else whole
            said = say("service.a_span", value=usd, span=unit)
            said += say("service.of_teaching") if span == "semester" else ""
            said += say("service.of_today") if query.growth_times else ""
            return said, "" if whole else f"{SPANS[unit]} × {dollars(month)} = {said}."
    return None


def _calls_assumed(answer: Answer) -> float:
    """Requests of each task, where the load counts tasks whose calls are not said."""
    assumed = answer.workload.assumptions if answer.workload else ()
    return next((float(a.value) for a in assumed if a.field == "calls_per_task"), 1.0)


def _by_items(each: Decimal, items: str | None) -> str:
    """Dollars by the unit that is counted in, by 1,000 where one is too little."""
    if items and each >= LEAST_EACH:
        item = items[:-3] + "y" if items.endswith("ies") else items[:-1]
        return say("service.per_item", each=each, item=item, value=1000 * each)
    if items:
        return say("service.per_items", value=1000 * each, items=items)
    return say("service.per_requests", value=1000 * each)


def _comes_back(query: Query) -> bool:
    """Whether a run is done again and again, or others beside it."""
    return query.cadence is not None or query.more_runs is not None


def _of_runs(run: Decimal, query: Query, unit: str) -> Said | None:
    """What the runs of a span cost together, where it is known how many they are."""
    apart = cadence_months(query.cadence) if query.cadence else None
    more = exact(query.more_runs or 0) * SPANS[unit] / SPANS["year"]
    if apart is None and not more:
        return None
    each = exact(query.runs or query.adapters or 1)
    again = each * SPANS[unit] / apart if apart else each
    return say("service.a_span", value=(again + more) * run, span=unit), ""


def with_extra_costs(found: Answered, question: Question) -> Answered:
    """The same answer with what was asked for beside its GPUs, if anything was."""
    query, answer = question.query, found.figures
    if not asked_for(query) or answer is None:
        return found
    leading = answer.ways[0] if answer.ways else None
    if query.intent == "breakeven" and len(answer.ways) > 1:
        return _of_own_side(found, query)
    if leading is None or leading.money.month is None:
        return _beside_alone(found, query)
    seller = leading.offer.provider if leading.offer else ""
    seller = leading.api.provider if leading.api else seller
    used = query.utilization if query.utilization and leading.used == 1 else None
    whole = all_in(query, seller, leading.money.month, used or leading.used)
    by_year = query.asked_unit == "year"
    if not (_extras(whole) or by_year):
        free = " + ".join(line.name for line in whole.total.lines[1:])
        note = say("service.adds_nothing", free=free)
        shown = (*found.view.chips, *chips(whole.assumptions))
        return replace(found.noted(note).redrawn(chips=shown), beside=whole)
    return replace(
        found.redrawn(**_with_sum(found.view, whole, leading, by_year=by_year)),
        explanation=_explained(found.explanation, whole, leading),
        beside=whole,
    )


def _of_own_side(found: Answered, query: Query) -> Answered:
    """Own GPUs with what stands beside them: an API's price holds all that."""
    ways = found.figures.ways if found.figures else ()
    own = next((way for way in ways if _is_own(way)), None)
    if own is None or own.money.month is None or own.offer is None:
        return _beside_alone(found, query)
    whole = all_in(query, own.offer.provider, own.money.month, own.used)
    assumed = say("service.assumed") if query.beside and query.beside.people else ""
    extras = _extras(whole) + assumed
    note = say("service.own_side", extras=extras, usd=whole.total.usd)
    rival = next((way for way in ways if not _is_own(way)), None)
    bill = rival.money.month if rival else None
    if bill is not None and own.money.month < bill < whole.total.usd:
        note = f"{note} {say('service.then_the_api', usd=bill)}"
    shown = (*found.view.chips, *chips(whole.assumptions))
    return replace(found.noted(note).redrawn(chips=shown), beside=whole)


def _is_own(way: Way) -> bool:
    """Whether machines are rented whole, and run by whoever rents them."""
    return not way.api and way.offer is not None and way.offer.tier != "serverless"


def _beside_alone(found: Answered, query: Query) -> Answered:
    """An answer without one monthly bill: what was named is said, and not added."""
    if query.beside is None:
        return found.without("wanted")
    whole = all_in(query, "", Decimal(0), 1.0)
    shown = (*found.view.chips, *chips(whole.assumptions))
    note = say("service.beside_alone", extras=_extras(whole))
    return found.noted(note).redrawn(chips=shown)


def _with_sum(
    view: AnswerView, whole: AllIn, leading: Way, *, by_year: bool
) -> dict[str, object]:
    return {
        "verdict": say("service.with_sum", verdict=view.verdict, usd=whole.total.usd)
        + (say("service.and_a_year", usd=12 * whole.total.usd) if by_year else ""),
        "notes": (_parts(whole, leading), *view.notes),
        "chips": (*view.chips, *chips(whole.assumptions)),
    }


def _extras(whole: AllIn) -> str:
    return " + ".join(
        f"{line.name} {dollars(line.usd)} ({line.formula})"
        for line in whole.total.lines[1:]
        if line.usd
    )


def _parts(whole: AllIn, leading: Way) -> str:
    """The sum: "All in $17,077/month: GPUs $15,077 + egress $180 (2000 GB × $0.09)"."""
    bill, idle = whole.total.lines[0], whole.total.idle
    name = leading.name if leading.api else bill.name
    text = say(
        "service.all_in_month",
        usd=whole.total.usd,
        name=name,
        usd_2=bill.usd,
        extras=_extras(whole),
    )
    return say("service.with_idle_hours", text=text, idle=idle) if idle else text


def _explained(why: AnswerView | None, whole: AllIn, leading: Way) -> AnswerView | None:
    """The same arithmetic with the parts and what they rest on."""
    if why is None:
        return None
    assumed = (
        say("service.explained", label=a.label, value=a.value, why=a.why)
        for a in whole.assumptions
    )
    notes = (*why.notes, _parts(whole, leading), NEVER, *assumed)
    return why.model_copy(update={"notes": notes})
