"""Answers about money alone: self-host or API, and what idle GPUs cost."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from bot.answers.breakeven.view import breakeven_view
from bot.answers.breakeven.why import explain_breakeven
from bot.answers.budget.view import budget_view, explain_budget
from bot.answers.idle.view import explain_idle, idle_view
from bot.answers.pay_by_use.view import explain_paybyuse, paybyuse_view
from bot.answers.shared.api_book import api_book
from bot.answers.shared.problems import unreadable_view
from bot.answers.shared.serving import (
    has_model,
    price_unknown,
    said_so,
    serving,
    spec_of,
    with_model,
)
from bot.question.question import Answered, Question
from core.answers.breakeven import ApiBook, answer_breakeven
from core.answers.budget import answer_budget, monthly_budget
from core.answers.capacity import LOAD_FIELDS, gpu_capacities
from core.answers.idle import answer_idle
from core.hardware import GpuSpec
from core.market.api_market import usable_apis
from core.market.named_gpus import named_gpus
from core.market.recommendation import Lever, Recommendation
from core.money.api import ImpliedTokens, cheapest_api, implied_tokens
from core.money.currency import NoRate, rate_for
from core.money.exchange import exchange_rates
from core.query import Query
from core.resolve import resolve
from core.resolve.constraints import resolve_constraints
from core.sizing.pay_by_use import (
    LOW_USE,
    api_range,
    average_use,
    mix_of,
    pay_by_use,
)
from core.sizing.sensitivity import flips
from core.sizing.serving import recommend_serving
from core.sizing.use_levers import SELDOM, api_lever
from core.workload import Assumption, InferenceSpec, LatencyTargets, Resolved

SMALLER_B = 8.0
"""Taken where no model is named and the usual size does not run on what is."""
MONTHS_OF = {
    "hour": Decimal(720),
    "day": Decimal(30),
    "year": Decimal(1) / 12,
}
"""Months' worth of one period's spend."""


def breakeven(question: Question) -> Answered:
    """Self-host or API: at the stated load or spend, or from which load on."""
    query, reference = question.query, question.reference
    counted = query.model_copy(update={"count": None})
    asked = with_model(replace(question, query=counted))
    resolved = serving(asked)
    if isinstance(resolved, Answered):
        return resolved
    book = api_book(query, spec_of(resolved).model, question.now)
    implied = _implied(query, spec_of(resolved), book, question.now)
    if implied is not None:
        monthly = float(implied[1].requests)
        spent = asked.query.model_copy(update={"requests_per_month": monthly})
        again = serving(replace(asked, query=spent))
        resolved = again if isinstance(again, Resolved) else resolved
    resolved = resolved if has_model(query) else said_so(question, resolved)
    found = answer_breakeven(
        resolved,
        spec_of(resolved),
        book,
        implied is not None or load_stated(query),
        question.catalog,
        reference,
        question.now,
        *(implied or (None, None)),
    )
    if found.fleet is None and not has_model(query):
        smaller = query.model_copy(update={"params_b": SMALLER_B})
        return breakeven(replace(question, query=smaller))
    place = (question.answer_id, query.text, reference, question.now)
    view = breakeven_view(found, *place, query.count)
    told = (
        *_rate_note(query, question.now),
        *_share_note(query),
        *_unpriced_note(book),
    )
    notes = (*told, *view.notes)
    view = view.model_copy(update={"notes": notes})
    return Answered(view, explain_breakeven(found, *place), found)


def load_stated(query: Query) -> bool:
    """Whether a question says how much traffic there is."""
    return any(getattr(query, name) is not None for name in LOAD_FIELDS)


def _spend_a_month(query: Query, now: datetime) -> Decimal | None:
    """A stated API spend in dollars a month; None: no dated rate of its currency."""
    rate = rate_for(query.api_spend_currency or "USD", exchange_rates(), now.date())
    if isinstance(rate, NoRate):
        return None
    per = MONTHS_OF.get(query.api_spend_period or "month", Decimal(1))
    moved = Decimal(str(query.api_share or 1))
    return rate.to_usd(Decimal(str(query.api_spend_amount))) * per * moved


def _share_note(query: Query) -> tuple[str, ...]:
    """What of a stated spend is weighed, where only a part is to move."""
    if query.api_share is None or query.api_spend_amount is None:
        return ()
    return (f"{query.api_share:.0%} of the stated spend is weighed: the rest stays.",)


def _unpriced_note(book: ApiBook) -> tuple[str, ...]:
    """Which of the APIs that were named stand in no figure."""
    if not book.unpriced or book.named:
        return ()
    names = " and ".join(
        name if "-" in name else name.capitalize() for name in book.unpriced
    )
    return (f"No price of {names} is known for this: the going price stands in.",)


def _rate_note(query: Query, now: datetime) -> tuple[str, ...]:
    """The rate that a spend was turned into dollars at, or that there is none."""
    code = query.api_spend_currency or "USD"
    if query.api_spend_amount is None or code == "USD":
        return ()
    rate = rate_for(code, exchange_rates(), now.date())
    if isinstance(rate, NoRate):
        return (f"The spend is not compared: {rate.reason}.",)
    return (f"{rate.shown}.",)


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


def idle(question: Question) -> Answered:
    """What the idle part of given GPUs costs; without GPUs, what a small load does."""
    query, reference = question.query, question.reference
    gpus = named_gpus(query, reference)
    if not gpus:
        return small_load(question)
    used, assumed = _used(question, gpus[0])
    limits = resolve_constraints(query, reference)
    market = (question.catalog, reference, question.now)
    found = answer_idle(gpus[0], used, limits, assumed, *market)
    if found is None:
        anywhere = limits.model_copy(update={"providers": (), "pricing": ()})
        found = answer_idle(gpus[0], used, anywhere, assumed, *market)
        if found is None:
            return price_unknown(question, gpus[0])
        found = replace(found, elsewhere=True)
    place = (question.answer_id, query.text, reference, question.now)
    return Answered(idle_view(found, *place), explain_idle(found, *place), found)


def _used(question: Question, gpu: GpuSpec) -> tuple[float, tuple[Assumption, ...]]:
    """How busy the GPUs are: as stated, as the load makes them, or the usual half."""
    query = question.query
    if query.utilization is not None:
        return query.utilization, ()
    if has_model(query) and load_stated(query):
        resolved = serving(question)
        if isinstance(resolved, Resolved):
            carried, _ = gpu_capacities(spec_of(resolved), gpu, query.count or 1, None)
            if carried:
                rate = carried[0].requests_per_second.likely
                share = spec_of(resolved).load.average_rps / rate
                return min(share, 1.0), resolved.assumptions
    usual = question.defaults["utilization"]
    assumed = Assumption(
        field="utilization",
        label="average load",
        value=f"{usual.value:.0%}",
        why=usual.why,
    )
    return usual.value, (assumed,)


def small_load(question: Question) -> Answered:
    """A load by the token, by the second, and on a GPU of its own."""
    if not has_model(question.query):
        return Answered(unreadable_view(question.query))
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    free = spec_of(resolved)
    market = (question.catalog, question.reference, question.now)
    sized = recommend_serving(resolved, free, *market)
    return by_use(question, sized) or Answered(unreadable_view(question.query))


def by_use(question: Question, sized: Recommendation) -> Answered | None:
    """The pay-by-use answer to a sized load; None: nobody sells it by use."""
    query, reference = question.query, question.reference
    spec = spec_of(sized.resolved)
    best = sized.options[0] if sized.status == "ok" else None
    book = api_book(query, spec.model, question.now)
    market = (question.catalog, reference, question.now)
    found = pay_by_use(sized.resolved, spec, best, book.hosted, book.similar, *market)
    if found.api is None and not found.serverless:
        return None
    place = (question.answer_id, query.text, reference, question.now)
    view = paybyuse_view(found, *place)
    return Answered(view, explain_paybyuse(found, *place), found)


def barely_used(query: Query, sized: Recommendation) -> bool:
    """Whether a sized load would leave its GPUs idle nearly always.

    Only where the question leaves the way of renting open: a GPU, a provider, a
    pricing or a commitment that is named is what is asked for.
    """
    named = (query.gpu, query.count, query.provider, query.instance, query.sla,
             query.audience, query.region)  # fmt: skip
    carried = sized.status in ("ok", "over_budget")
    if not carried or not load_stated(query) or any(named):
        return False
    if query.pricing is not None:
        return query.pricing == ("serverless",)
    spec = sized.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return False
    return average_use(spec, sized.options[0]) < LOW_USE


def weighed(question: Question, sized: Recommendation) -> Recommendation:
    """The same recommendation with what would flip it, and an API among its levers."""
    spec = sized.resolved.spec
    if not isinstance(spec, InferenceSpec):
        return sized
    turns = flips(spec, sized.options, _targets_at(question, spec))
    return replace(sized, flips=turns, levers=_with_api(question, sized))


def _targets_at(
    question: Question, spec: InferenceSpec
) -> Callable[[float], LatencyTargets]:
    """The limits that the same question has with another prompt length."""

    def targets(prompt: float) -> LatencyTargets:
        query = question.query.model_copy(update={"input_tokens": prompt})
        again = resolve(query, question.reference, question.defaults)
        if isinstance(again, Resolved) and isinstance(again.spec, InferenceSpec):
            return again.spec.targets
        return spec.targets

    return targets


def _with_api(question: Question, sized: Recommendation) -> tuple[Lever, ...]:
    """The levers of a sized load, with an API where its GPUs would mostly idle."""
    spec = sized.resolved.spec
    best = sized.options[0] if sized.options else None
    if best is None or not isinstance(spec, InferenceSpec):
        return sized.levers
    if average_use(spec, best) >= SELDOM or not load_stated(question.query):
        return sized.levers
    if spec.constraints.providers:
        return sized.levers  # whoever is named is the only one used
    book = api_book(question.query, spec.model, question.now)
    sold = usable_apis(book.hosted, spec.constraints, question.reference)
    found = [*sized.levers, *api_lever(spec, best, api_range(spec, sold))]
    found.sort(key=lambda lever: lever.usd_difference or Decimal(0))
    return tuple(found[:3])


def most_for(question: Question, resolved: Resolved) -> Answered | None:
    """What a budget serves at most; None: a load is stated, or nothing fits in it."""
    query, reference = question.query, question.reference
    spec = spec_of(resolved)
    budget = spec.constraints.budget
    if budget is None or load_stated(query) or query.count is not None:
        return None
    monthly = monthly_budget(budget, spec, question.now)
    if monthly is None:
        return None
    market = (question.catalog, reference, question.now)
    usd, rate = monthly
    found = answer_budget(resolved, spec, usd, rate, *market)
    if not found.carried:
        return None
    place = (question.answer_id, query.text, reference, question.now)
    return Answered(budget_view(found, *place), explain_budget(found, *place), found)
