"""What is paid today, held against the way that would stand in its place."""

from decimal import Decimal

from bot.question.question import Answered, Question
from bot.render.words import say
from core.market.recommendation import Option
from core.money.costs import exact
from core.query import Query
from core.wording import dollars


def against_what_is_paid(found: Answered, question: Question) -> Answered:
    """Lead with the difference to what is paid today, in the same period."""
    query, answer = question.query, found.figures
    if not query.paid_a_month or answer is None:
        return found
    if "paid_a_month" in answer.applies:
        return found
    way = next((one for one in answer.ways if one.money.month is not None), None)
    if way is None or way.money.month is None:
        return found.without("paid_a_month")
    paid, usd = exact(query.paid_a_month), way.money.month
    apart, verdict = paid - usd, found.view.verdict
    said = (
        say("service.less_than_paid", apart=apart, paid=paid, share=apart / paid)
        if apart >= 0
        else say("service.more_than_paid", apart=-apart, paid=paid, share=-apart / paid)
    )
    return found.redrawn(verdict=f"{said} {verdict}").noted(
        *_notes(query, paid, way.of)
    )


def _notes(query: Query, paid: Decimal, way: object) -> list[str]:
    """How the sum is made up, and whether the worst case turns the result."""
    notes = []
    if query.paid_seats is not None:
        seats, each = query.paid_seats
        rest = paid - exact(seats) * exact(each)
        more = f" + {dollars(rest)}" if rest > 0 else ""
        total = dollars(paid)
        notes.append(
            say("service.seats", seats=seats, each=exact(each), more=more, total=total)
        )
    if isinstance(way, Option):
        most = way.usd_per_month_range[1]
        if way.usd_per_month <= paid < most:
            notes.append(say("service.worst_is_more", most=most, apart=most - paid))
    return notes
