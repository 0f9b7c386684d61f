"""A load that grows: what it takes at the end of the span, and all its months."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from bot.answers.shared.figures import gpu_name, provider_name
from bot.question.question import Answered, Question
from core.market.recommendation import Option, Recommendation
from core.query import Query
from core.resolve import Unresolved, resolve
from core.sizing.serving import recommend_serving
from core.wording import dollars, significant
from core.workload import InferenceSpec, Resolved

MONTHS = 12
MOST_MONTHS = 24
LOADS = (
    "rps", "peak_rps", "concurrency", "users", "requests_per_day", "requests_per_month",
    "tokens_per_second", "tokens_per_day", "tokens_per_month",
)  # fmt: skip


def with_growth(answered: Answered, question: Question) -> Answered:
    """The same answer with the fleet of the last month and the sum of all."""
    query, found = question.query, answered.figures
    monthly = query.growth_per_month
    if monthly is None or not isinstance(found, Recommendation) or not found.options:
        return answered
    if not any(getattr(query, name) for name in LOADS):
        return answered
    months = min(max(query.growth_months or MONTHS, 2), MOST_MONTHS)
    bests = list(_months(question, monthly, months))
    note = _note(question, monthly, bests, months)
    notes = (note, *answered.view.notes)
    return replace(answered, view=answered.view.model_copy(update={"notes": notes}))


def _months(question: Question, monthly: float, months: int) -> Iterator[Option | None]:
    """The cheapest fleet of each month, the first at the load of today."""
    for month in range(months):
        query = _grown(question.query, (1 + monthly) ** month)
        resolved = resolve(query, question.reference, question.defaults)
        yield None if isinstance(resolved, Unresolved) else _best(question, resolved)


def _best(question: Question, resolved: Resolved) -> Option | None:
    if not isinstance(resolved.spec, InferenceSpec):
        return None
    market = (question.catalog, question.reference, question.now)
    options = recommend_serving(resolved, resolved.spec, *market).options
    return options[0] if options else None


def _grown(query: Query, times: float) -> Query:
    stated = {name: getattr(query, name) for name in LOADS}
    grown = {name: value * times for name, value in stated.items() if value}
    return query.model_copy(update=grown)


def _note(
    question: Question, monthly: float, bests: list[Option | None], months: int
) -> str:
    times = (1 + monthly) ** (months - 1)
    said = (
        f"Growing {significant(monthly * 100)} % a month the load is "
        f"{significant(times)} × today's in month {months}"
    )
    last = bests[-1]
    if last is None or any(best is None for best in bests):
        return f"{said}: no fleet is known for every month of it."
    total = sum((best.usd_per_month for best in bests if best), Decimal(0))
    seller = provider_name(last.offer.provider, question.reference)
    return (
        f"{said}: {last.gpus:,} × {gpu_name(last.plan.gpu)} at {seller}, "
        f"{dollars(last.usd_per_month)}/month; the {months} months together "
        f"{dollars(total)}, each at its cheapest fleet."
    )
