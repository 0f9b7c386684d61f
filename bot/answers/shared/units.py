"""The figure that was asked for beside the usual ones: a user, a request, a year."""

from dataclasses import replace
from decimal import Decimal

from bot.answers.prices.view import marked
from bot.question.question import Answered, Question
from core.answers.unit_price import UnitPriceAnswer
from core.market.board import PriceBoard
from core.market.recommendation import Recommendation
from core.money.costs import usd_per_user
from core.query import Query
from core.sizing.pay_by_use import requests_per_month, usd_per_million_tokens
from core.wording import count, dollars
from core.workload import InferenceSpec

Said = tuple[str, str]
"""The figure for the verdict, and its arithmetic for the notes where it needs any."""


def in_units(answered: Answered, question: Question) -> Answered:
    """The same answer with the unit that was asked for in its verdict."""
    told = [*_of_tokens(answered.figures, question.query)]
    told += [*_of_a_month(answered.figures, question.query)]
    told += [*_of_a_year(answered.figures, question.query)]
    if not told:
        return answered
    view = answered.view
    verdict = " · ".join((view.verdict, *(said for said, _ in told)))
    sums = tuple(how for _, how in told if how)
    shown = view.model_copy(update={"verdict": verdict, "notes": (*sums, *view.notes)})
    why = answered.explanation
    if why is not None:
        why = why.model_copy(update={"notes": (*why.notes, *sums)})
    return replace(answered, view=shown, explanation=why)


def _of_a_month(found: object, query: Query) -> list[Said]:
    """A month's bill by user, by request or by the year."""
    if not isinstance(found, Recommendation) or not found.options:
        return []
    spec = found.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return []
    monthly = found.options[0].usd_per_month
    if query.wanted == "usd_per_user" and query.users:
        each = dollars(usd_per_user(monthly, query.users))
        said = f"{each} per user and month"
        return [(said, f"{dollars(monthly)} ÷ {count(query.users)} users = {said}.")]
    if query.wanted == "usd_per_request":
        requests = requests_per_month(spec)
        said = f"{dollars(1000 * monthly / requests)} per 1,000 requests"
        how = f"{dollars(monthly)} ÷ {count(float(requests))} a month = {said}."
        return [(said, how)]
    if query.wanted == "usd_per_year":
        said = f"{dollars(12 * monthly)} a year"
        return [(said, f"12 × {dollars(monthly)} = {said}.")]
    return []


def _of_a_year(found: object, query: Query) -> list[Said]:
    """Twelve months of counted GPUs; the bill has the sum beside it already."""
    if not isinstance(found, PriceBoard) or query.wanted != "usd_per_year":
        return []
    if not found.bills or found.constraints.count is None:
        return []
    return [(f"{dollars(12 * marked(found).usd_per_month)} a year", "")]


def _of_tokens(found: object, query: Query) -> list[Said]:
    """Prompts and answers together, or a thousand tokens instead of a million."""
    output, both = _prices(found)
    if output is None or both is None:
        return []
    if query.asked_unit == "blended":
        said = f"{dollars(both)} per 1M tokens in and out"
        return [(said, "In and out: the same bill over prompts and answers together.")]
    if query.asked_unit == "thousand":
        said = f"{dollars(output / 1000)} per 1,000 output tokens"
        return [(said, f"{dollars(output)} ÷ 1,000 = {said}.")]
    return []


def _prices(found: object) -> tuple[Decimal | None, Decimal | None]:
    """Dollars per 1M tokens of what a verdict names: written, and read and written."""
    if isinstance(found, UnitPriceAnswer) and found.best is not None:
        best, used = found.best, found.used
        return best.usd_per_million(used), best.usd_per_million_blended(used)
    if isinstance(found, Recommendation) and found.options:
        spec, best_fleet = found.resolved.spec, found.options[0]
        if isinstance(spec, InferenceSpec):
            both = usd_per_million_tokens(best_fleet.usd_per_month, spec)
            return best_fleet.usd_per_million_output_tokens, both
    return None, None
