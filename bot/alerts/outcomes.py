"""What an answer comes down to, so that two answers can be compared."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from bot.question.asking import AskContext
from bot.question.question import Answered
from core.alerts.workloads import Outcome, Unit
from core.answers.breakeven import BreakEvenAnswer
from core.answers.compare import LoadComparison, OfferComparison
from core.answers.media import MediaAnswer
from core.jobs.options import JobAnswer
from core.market.recommendation import Recommendation
from core.offers import Offer
from core.query import Query

Bill = tuple[Offer, Decimal | None]


class Runner(Protocol):
    """Answers a query that was asked before."""

    def again(
        self, query: Query, context: AskContext, at: datetime | None = None
    ) -> Answered:
        """Answer from the prices of an instant, or of now."""
        ...


def outcome_of(answered: Answered) -> Outcome | None:
    """Return what an answer comes down to; None: to no one figure."""
    figures, words = answered.figures, answered.view.verdict
    match figures:
        case Recommendation():
            bills: Iterable[Bill] = (
                (o.offer, o.usd_per_month) for o in figures.options
            )
            return _cheapest(bills, "$/month", words)
        case JobAnswer():
            bills = ((o.offer, o.usd) for o in figures.options)
            return _cheapest(bills, "$/run", words)
        case MediaAnswer():
            monthly = ((o.offer, o.usd_per_month) for o in figures.options)
            runs = ((o.offer, o.usd) for o in figures.options)
            by_month = _cheapest(monthly, "$/month", words)
            return by_month if by_month.amount else _cheapest(runs, "$/run", words)
        case LoadComparison():
            bills = ((o.offer, o.usd_per_month) for _, o in figures.priced)
            return _cheapest(bills, "$/month", words)
        case OfferComparison():
            bills = ((b.offer, b.usd_per_month) for _, b in figures.priced)
            return _cheapest(bills, "$/month", words)
        case BreakEvenAnswer():
            return _break_even(figures, words)
    return None


def winner_of(offer: Offer) -> str:
    """Name a winner: two offers under one name are the same answer."""
    parts = (offer.provider, offer.gpu, offer.pricing, str(offer.term_months))
    return " ".join((*parts, offer.tier))


def _cheapest(bills: Iterable[Bill], unit: Unit, words: str) -> Outcome:
    """Return the first of what is ranked, and what every other one costs."""
    priced = [(winner_of(offer), usd) for offer, usd in bills if usd is not None]
    if not priced:
        return Outcome(unit=unit, amount=None, words=words)
    lowest: dict[str, Decimal] = {}
    for name, usd in priced:
        lowest[name] = min(usd, lowest.get(name, usd))
    winner, usd = priced[0]
    return Outcome(unit=unit, amount=usd, winner=winner, words=words, bills=lowest)


def _break_even(figures: BreakEvenAnswer, words: str) -> Outcome:
    crossing = figures.crossing
    load = None if crossing is None else crossing.point.requests_per_second
    return Outcome(unit="requests/s", amount=load, words=words)
