"""Answers that weigh ways against each other, each way held against the budget."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from bot.answers.breakeven.table import api_name
from bot.answers.jobs.phrases import per_million
from bot.question.question import Answered
from core.answers.breakeven import BreakEvenAnswer
from core.answers.budget import BudgetAnswer
from core.answers.capacity import CapacityAnswer
from core.answers.compare import LoadComparison, OfferComparison
from core.answers.fit import FitAnswer
from core.answers.idle import Idle
from core.answers.lifecycle import LifecycleAnswer
from core.answers.media import MediaAnswer
from core.answers.mig import MigAnswer
from core.jobs.options import JobAnswer
from core.market.board import PriceBoard
from core.market.recommendation import Option, Recommendation
from core.market.spending import (
    Ceiling,
    ceiling,
    converted,
    per_million_words,
)
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import resolve_constraints
from core.sizing.pay_by_use import ApiOption, PayByUse
from core.wording import dollars
from core.workload import BatchSpec, Constraints

KEPT_ALREADY = (
    Recommendation, PriceBoard, BudgetAnswer, CapacityAnswer, LoadComparison,
    OfferComparison, FitAnswer, JobAnswer, MediaAnswer, LifecycleAnswer,
)  # fmt: skip
"""Answers that were made within the budget, or that say that nothing is."""

Way = tuple[str, Decimal]
"""What it is called, and its dollars a month."""


def held_to_budget(
    answered: Answered, query: Query, reference: Reference, now: datetime
) -> Answered:
    """Say which ways of an answer a stated budget pays for, where it does not yet."""
    limits = resolve_constraints(query, reference)
    answered = _held_per_million(answered, limits, now)
    found = answered.figures
    if limits.budget is None or found is None or isinstance(found, KEPT_ALREADY):
        return answered
    ways = list(_ways(found))
    # Without a period it is for a month where ways are by the month, else for all.
    whole = query.budget_period is None and not ways
    budget = limits.budget.model_copy(update={"period": "total"} if whole else {})
    most, hours = ceiling(budget, now), limits.billed_hours_per_month
    said = _said(most, [
        (name, usd, most.allows(usd / hours, limits)) for name, usd in ways
    ]) if most else ()  # fmt: skip
    notes = (*said, *converted(limits.budget, now), *answered.view.notes)
    return replace(answered, view=answered.view.model_copy(update={"notes": notes}))


def _held_per_million(
    answered: Answered, limits: Constraints, now: datetime
) -> Answered:
    """Say how an answer keeps a limit on 1M tokens, where it is not made within it."""
    found = answered.figures
    words = per_million_words(limits, now)
    if not words or found is None or isinstance(found, Recommendation):
        return answered
    said = f"The limit of {words} is not compared in this answer."
    if isinstance(found, JobAnswer) and isinstance(found.resolved.spec, BatchSpec):
        most = ceiling(limits.per_million, now)
        if found.options and most is not None:
            best = per_million(found.options[0], found.resolved.spec)
            kept = "Within" if best <= most.usd else "Over"
            said = f"{kept} the limit of {words}: {dollars(best)}."
    notes = (said, *converted(limits.per_million, now), *answered.view.notes)
    return replace(answered, view=answered.view.model_copy(update={"notes": notes}))


def _said(most: Ceiling, ways: list[tuple[str, Decimal, bool]]) -> tuple[str, ...]:
    if not ways:
        return (f"The budget of {most.words} is not compared in this answer.",)
    named = [(f"{name} {dollars(usd)}/month", kept) for name, usd, kept in ways]
    within = [name for name, kept in named if kept]
    over = [name for name, kept in named if not kept]
    parts = [f"Within the budget of {most.words}: {', '.join(within) or 'none'}"]
    parts += [f"over it: {', '.join(over)}"] if over else []
    return (f"{'; '.join(parts)}.",)


def _ways(found: object) -> Iterator[Way]:
    """The ways that an answer's verdict weighs, by the month."""
    match found:
        case BreakEvenAnswer():
            api = found.by_the_token or found.hurdle
            yield from _bought(api, found.fleet)
        case PayByUse():
            yield from _bought(found.api, found.dedicated)
            for one in found.serverless[:1]:
                yield "serverless", one.usd_per_month
        case MigAnswer() if found.best and found.best.fit.bill:
            yield "the slices", found.best.fit.bill.usd_per_month
        case Idle():
            yield "the fleet as it is", found.today.bill.usd_per_month
            for other in found.others[:1]:
                yield f"{other.gpus} GPUs, better used", other.bill.usd_per_month


def _bought(api: ApiOption | None, fleet: Option | None) -> Iterator[Way]:
    """By the token, and on rented GPUs."""
    if api is not None:
        yield api_name(api.api), api.usd_per_month
    if fleet is not None:
        yield "GPUs of one's own", fleet.usd_per_month
