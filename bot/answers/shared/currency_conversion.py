"""Sums in another currency beside the GPUs: salaries, power, purchases, in dollars."""

from dataclasses import replace

from bot.question.question import Answered, Question
from core.money.costs import exact
from core.money.currency import ExchangeRate, NoRate, rate_for
from core.money.exchange import exchange_rates
from core.query import Query

SUMS = ("engineering_usd_per_hour", "usd_per_kwh", "purchase_usd")


def in_dollars(question: Question) -> Question:
    """The same question with its sums in dollars; without a rate, without them."""
    query, rate = question.query, rate_of(question)
    if rate is None:
        return question
    update: dict[str, object] = {}
    if query.beside is not None:
        stated = {name: getattr(query.beside, name) for name in SUMS}
        sums = {k: _dollars(v, rate) for k, v in stated.items() if v is not None}
        update["beside"] = query.beside.model_copy(update=sums)
    if query.gpu_prices is not None:
        found = ((slug, _dollars(usd, rate)) for slug, usd in query.gpu_prices)
        update["gpu_prices"] = tuple((s, usd) for s, usd in found if usd) or None
    return replace(question, query=query.model_copy(update=update))


def _dollars(amount: float, rate: ExchangeRate | NoRate) -> float | None:
    if isinstance(rate, NoRate):
        return None
    return float(rate.to_usd(exact(amount)))


def rate_of(question: Question) -> ExchangeRate | NoRate | None:
    """The rate of the stated sums; None: they are dollars, or there are none."""
    query: Query = question.query
    if query.sums_currency is None:
        return None
    return rate_for(query.sums_currency, exchange_rates(), question.now.date())


def with_rate(answered: Answered, question: Question) -> Answered:
    """The same answer, saying at which rate its stated sums became dollars."""
    rate = rate_of(question)
    if rate is None:
        return answered
    said = rate.reason if isinstance(rate, NoRate) else rate.shown
    unused = "Sums that are stated are not used: " if isinstance(rate, NoRate) else ""
    notes = (*answered.view.notes, f"{unused}{said}.")
    return replace(answered, view=answered.view.model_copy(update={"notes": notes}))
