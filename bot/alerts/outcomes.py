"""What an answer comes down to, so that two answers can be compared."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from bot.question.asking import AskContext
from bot.question.question import Answered
from core.alerts.subscription import Subscription
from core.alerts.workloads import Outcome, Unit
from core.answers.answer import Way
from core.offers import Offer
from core.query import Query


class Runner(Protocol):
    """Answers a query that was asked before."""

    def again(
        self, query: Query, context: AskContext, at: datetime | None = None
    ) -> Answered:
        """Answer from the prices of an instant, or of now."""
        ...


def context_of(subscription: Subscription) -> AskContext:
    """Return where a watched question is asked from."""
    return AskContext(
        surface="command",
        team_id=subscription.team_id,
        channel_id=subscription.channel_id,
        user_id=subscription.user_id,
    )


def outcome_of(answered: Answered) -> Outcome | None:
    """Return what an answer comes down to; None: to no one figure."""
    found, words = answered.figures, answered.view.verdict
    if found is None or not found.watched:
        return None
    monthly = not found.ways or found.ways[0].money.month is not None
    bills = [(_name(way), way.money.month if monthly else way.money.run,
              way.offer is not None and way.offer.negotiated)
             for way in found.ways]  # fmt: skip
    cheapest = _cheapest(bills, "$/month" if monthly else "$/run", words)
    if found.watched == "load":
        update = {"unit": "requests/s", "amount": found.turns_at}
        return cheapest.model_copy(update=update)
    return cheapest


def _name(way: Way) -> str:
    return winner_of(way.offer) if way.offer is not None else way.name


def winner_of(offer: Offer) -> str:
    """Name a winner: two offers under one name are the same answer."""
    parts = (offer.provider, offer.gpu, offer.pricing, str(offer.term_months))
    return " ".join((*parts, offer.tier))


def _cheapest(
    bills: Iterable[tuple[str, Decimal | None, bool]], unit: Unit, words: str
) -> Outcome:
    """Return the first of what is ranked, and what every other one costs."""
    priced = [(name, usd, own) for name, usd, own in bills if usd is not None]
    if not priced:
        return Outcome(unit=unit, amount=None, words=words)
    lowest: dict[str, tuple[Decimal, bool]] = {}
    for name, usd, own in priced:
        lowest[name] = min((usd, own), lowest.get(name, (usd, own)))
    winner, usd, _ = priced[0]
    return Outcome(
        unit=unit,
        amount=usd,
        winner=winner,
        words=words,
        bills={name: usd for name, (usd, _) in lowest.items()},
        own=frozenset(name for name, (_, own) in lowest.items() if own),
    )
