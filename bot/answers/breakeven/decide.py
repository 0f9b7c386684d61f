"""Self-host or API: at the stated load or spend, or from which load on."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal

from msgspec.structs import replace

from bot.answers.breakeven.view import breakeven_view
from bot.answers.breakeven.why import explain_breakeven
from bot.answers.served import serving
from bot.answers.shared.api_book import api_book
from bot.answers.shared.page import Page
from bot.answers.shared.workload import (
    has_model,
    load_stated,
    said_so,
    spec_of,
    with_model,
)
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.breakeven import BreakEvenAnswer, answer_breakeven
from core.market.api_market import ApiBook
from core.money.api import ImpliedTokens, cheapest_api, implied_tokens
from core.money.currency import NoRate, rate_for
from core.money.exchange import exchange_rates
from core.money.served import mix_of
from core.query import Query
from core.reference.thinking import sold_thinking, thinks
from core.sizing.patience import looser, missed
from core.sizing.pay_by_use import api_range
from core.workload import InferenceSpec, Resolved

SMALLER_B = 8.0
"""Taken where no model is named and the usual size does not run on what is."""
MONTHS_OF = {
    "hour": Decimal(720),
    "day": Decimal(30),
    "year": Decimal(1) / 12,
}
"""Months' worth of one period's spend."""
SAME_BILL = Decimal("0.03")
"""A bill this near to the list price is the list price."""
ALIKE = 2
"""Times that a bill and the list may differ by: discounts, caching, a bad month."""


def breakeven(question: Question) -> Answered:
    """Self-host or API: at the stated load or spend, or from which load on."""
    query, reference = question.query, question.reference
    counted = query.model_copy(update={"count": None})
    asked = with_model(replace(question, query=counted))
    resolved = serving(asked)
    if isinstance(resolved, Answered):
        return resolved
    book = api_book(query, spec_of(resolved).model, question.now)
    as_named = _as_named(asked, spec_of(resolved), book)
    sold = as_named or spec_of(resolved)
    implied = _implied(query, sold, book, question.now)
    book, paid = _as_paid(query, sold, book, question.now)
    if implied is not None:
        monthly = float(implied[1].requests)
        spent = asked.query.model_copy(update={"requests_per_month": monthly})
        again = serving(replace(asked, query=spent))
        resolved = again if isinstance(again, Resolved) else resolved
    if as_named is not None:  # the same requests, of other lengths
        load = spec_of(resolved).load
        as_named = as_named.model_copy(update={"load": load})
    resolved = resolved if has_model(query) else said_so(question, resolved)
    spend, tokens = implied or (None, None)

    def weighed(load: Resolved) -> BreakEvenAnswer:
        return answer_breakeven(
            load,
            spec_of(load),
            book,
            implied is not None or load_stated(query),
            question.catalog,
            reference,
            question.now,
            spend=spend,
            implied=tokens,
            must_host=bool(query.no_api),
            as_named=as_named,
        )

    found, slow = _on_as_many(query.count, weighed(resolved), weighed)
    if found.fleet is None and not has_model(query):
        smaller = query.model_copy(update={"params_b": SMALLER_B})
        return breakeven(replace(question, query=smaller))
    drawn = Page(question).drawn(found, breakeven_view, explain_breakeven)
    unlike = _spent_otherwise(query, found, question.now) if implied is None else ""
    own = say("breakeven.own_weights") if query.own_weights else ""
    return drawn.noted(*filter(None, (slow, own, paid or unlike)))


def _on_as_many(
    count: int | None,
    found: BreakEvenAnswer,
    weighed: Callable[[Resolved], BreakEvenAnswer],
) -> tuple[BreakEvenAnswer, str]:
    """The same on the GPUs that were counted, if only our own limits refuse them."""
    spec = spec_of(found.resolved)
    if count is None or found.fleet is None or found.fleet.gpus <= count:
        return found, ""
    for later in looser(found.resolved, spec):
        again = weighed(later)
        if again.fleet is not None and again.fleet.gpus <= count:
            return again, missed(spec.targets, again.fleet.plan.capacity)
    return found, ""


_LENGTHS = (
    "use", "thinks", "output_tokens", "answer_words", "total_tokens_per_request",
    "input_share", "tokens_per_day", "tokens_per_month",
)  # fmt: skip
"""What of a question tells how long answers are, or counts tokens of either side."""


def _as_named(
    question: Question, spec: InferenceSpec, book: ApiBook
) -> InferenceSpec | None:
    """The load with answers as long as the named APIs write them; None: as spec's.

    Where only one of two models thinks, the other's bill has no thinking in it.
    """
    query, thinking = question.query, {sold_thinking(api.model) for api in book.named}
    told = any(getattr(query, name) is not None for name in _LENGTHS)
    if told or thinking != {not thinks(spec.model)}:
        return None
    other = {"use": "reasoning"} if thinking == {True} else {"thinks": False}
    found = serving(replace(question, query=query.model_copy(update=other)))
    if isinstance(found, Answered):
        return None
    each = spec_of(found)
    lengths = {"input_tokens": each.input_tokens, "output_tokens": each.output_tokens}
    return spec.model_copy(update=lengths)


def _as_paid(
    query: Query, spec: InferenceSpec, book: ApiBook, now: datetime
) -> tuple[ApiBook, str]:
    """The named API at what is paid for the load that is told, and a note of it.

    A bill near the list price is what self-hosting must beat; one far from it is of
    another load, and the list price stands.
    """
    if not load_stated(query) or len(book.named) != 1:
        return book, ""
    paid, listed = _spend_a_month(query, now), api_range(spec, book.named)
    if paid is None or listed is None or not listed.cheapest.usd_per_month:
        return book, ""
    times = paid / listed.cheapest.usd_per_month
    if not 1 / ALIKE < times < ALIKE or abs(times - 1) < SAME_BILL:
        return book, ""
    usd = listed.cheapest.usd_per_month
    told = say("breakeven.at_your_bill", paid=paid, listed=usd)
    return replace(book, named=(book.named[0].times(times),)), told


def _spent_otherwise(query: Query, found: BreakEvenAnswer, now: datetime) -> str:
    """That what is paid today and the price list are far apart; empty: they are not."""
    if found.hurdle is None:
        return ""
    paid, listed = _spend_a_month(query, now), found.hurdle.usd_per_month
    if paid is None or not listed or 1 / ALIKE < paid / listed < ALIKE:
        return ""
    times = float(max(paid, listed) / min(paid, listed))
    return say("breakeven.you_pay_otherwise", paid=paid, listed=listed, times=times)


def _implied(
    query: Query, spec: InferenceSpec, book: ApiBook, now: datetime
) -> tuple[Decimal, ImpliedTokens] | None:
    """What a stated API spend buys a month, at the named API or the going price."""
    if query.api_spend_amount is None or load_stated(query):
        return None
    prices = book.named or book.hosted
    if not prices:
        return None
    mix = mix_of(spec)
    ranked = cheapest_api(prices, mix)
    api = ranked[0] if book.named else ranked[(len(ranked) - 1) // 2]
    monthly = _spend_a_month(query, now)
    if monthly is None:
        return None
    return monthly, implied_tokens(monthly, api, mix)


def spent_on(
    query: Query, spec: InferenceSpec, now: datetime
) -> tuple[Decimal, ImpliedTokens] | None:
    """What a spend on a named API buys a month by its list price; None: none is."""
    book = api_book(query, spec.model, now)
    return _implied(query, spec, book, now) if book.named else None


def _spend_a_month(query: Query, now: datetime) -> Decimal | None:
    """A stated API spend in dollars a month; None: none, or no rate of its currency."""
    if query.api_spend_amount is None:
        return None
    rate = rate_for(query.api_spend_currency or "USD", exchange_rates(), now.date())
    if isinstance(rate, NoRate):
        return None
    per = MONTHS_OF.get(query.api_spend_period or "month", Decimal(1))
    moved = Decimal(str(query.api_share or 1))
    return rate.to_usd(Decimal(str(query.api_spend_amount))) * per * moved
