"""A stated budget, and a limit on 1M tokens, held against every way of an answer."""

from decimal import Decimal

from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.answers.shared.figures import way_name
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.answer import Way
from core.market.spending import Ceiling, ceiling, converted, per_million_words
from core.resolve.constraints import resolve_constraints
from core.wording import dollars
from core.workload import Budget, Constraints

SHOWN = 4
"""Ways that one line names."""


def within_budget(found: Answered, question: Question) -> Answered:
    """Say which ways a budget pays for; where it pays for none the answer is a no.

    Answers that are made within it (`budget_rule` "kept") say so themselves.
    """
    limits = resolve_constraints(question.query, question.reference)
    answer, budget = found.figures, limits.budget
    if budget is None or answer is None or _kept_and_said(found, question):
        return found
    ways = [way for way in answer.ways if _spent(way, budget, limits) is not None]
    if not ways:
        return found.without("budget_amount")
    if budget.period == "total":  # a sum for hardware is no month of rent
        ways = [way for way in ways if way.money.total or way.money.run] or ways
    if answer.budget_rule != "verdict" and not ways[0].name:
        ways = ways[:1]
    rates = converted(budget, question.now)
    most = ceiling(_of_runs(budget, question, ways[0]), question.now)
    if most is None:
        return found.noted(*rates)
    kept = [way for way in ways if (_spent(way, most.budget, limits) or 0) <= most.usd]
    said = _said(ways, kept, most, limits, question)
    if kept or answer.budget_rule != "verdict":
        return found.noted(said, *rates)
    several = len({way_name(way, question.reference) for way in ways}) > 1
    verdict = say("service.within_budget", words=most.words, verdict=found.view.verdict)
    notes = (said, *rates) if several else rates
    return found.redrawn(kind="no", verdict=verdict).noted(*notes)


def _kept_and_said(found: Answered, question: Question) -> bool:
    """Whether an answer is made within the budget, and reads otherwise without it."""
    if found.figures is None or found.figures.budget_rule != "kept":
        return False
    free = question.query.model_copy(update={"budget_amount": None})
    return decide(replace(question, query=free)).view != found.decided


def _of_runs(budget: Budget, question: Question, leading: Way) -> Budget:
    """A budget without a period is for the whole of a job that is done once."""
    once = leading.money.month is None and leading.money.run is not None
    if question.query.budget_period is None and once:
        return budget.model_copy(update={"period": "total"})
    return budget


def _spent(way: Way, budget: Budget, limits: Constraints) -> Decimal | None:
    """Dollars of a way in the budget's period; None: it has no bill of that kind."""
    money = way.money
    if budget.period == "total":
        return money.total or money.run or money.month
    if money.month is None:
        return money.run
    match budget.period:
        case "hour":
            return money.hour or money.month / limits.billed_hours_per_month
        case "day":
            days = limits.billed_hours_per_month / Decimal(str(limits.hours_per_day))
            return money.month / days
        case "year":
            return money.year
    return money.month


def _said(
    ways: list[Way],
    kept: list[Way],
    most: Ceiling,
    limits: Constraints,
    question: Question,
) -> str:
    if len(ways) == 1 and not ways[0].name:
        usd = dollars(_spent(ways[0], most.budget, limits) or Decimal(0))
        where = "within" if kept else "over"
        return say(
            "service.it_costs_your_budget", usd=usd, where=where, words=most.words
        )
    over = [way for way in ways if way not in kept]
    parts = [
        say(
            "service.within_your_budget_of",
            words=most.words,
            named=_named(kept, question) or "none",
        )
    ]
    parts += [say("service.over_it", named=_named(over, question))] if over else []
    return " ".join(parts)


def _named(ways: list[Way], question: Question) -> str:
    each: dict[str, None] = {}
    for way in ways:
        usd, per = way.money.headline
        said = f"{way_name(way, question.reference)} {dollars(usd or Decimal(0))}{per}"
        each[said] = None
    more = (
        [say("service.number_more", number_of_each=len(each) - SHOWN)]
        if len(each) > SHOWN
        else []
    )
    return ", ".join([*each][:SHOWN] + more)


def within_token_price(found: Answered, question: Question) -> Answered:
    """Say how a limit on 1M tokens is kept, where the answer is not made within it."""
    limits = resolve_constraints(question.query, question.reference)
    words, answer = per_million_words(limits, question.now), found.figures
    if not words or answer is None or "most_per_million" in answer.applies:
        return found
    most = ceiling(limits.per_million, question.now)
    usd = answer.ways[0].money.million_output if answer.ways else None
    if most is None or usd is None:
        return found.without("most_per_million")
    where = "Within" if usd <= most.usd else "Over"
    rates = converted(limits.per_million, question.now)
    return found.noted(
        say("service.within_token_price", where=where, words=words, usd=usd), *rates
    )
