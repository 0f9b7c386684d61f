"""What a question states of money becomes dollars, and prices become offers."""

from calendar import month_name, monthrange
from datetime import datetime, timedelta
from decimal import Decimal

from msgspec.structs import replace

from bot.answers.dispatch import decide
from bot.answers.shared.figures import provider_name
from bot.answers.shared.workload import load_stated
from bot.language.days import WEEK
from bot.question.question import Answered, Question
from bot.render.words import say
from core.hardware import GpuSpec
from core.market.named_gpus import named_gpus, offers_of
from core.money.costs import exact
from core.money.currency import ExchangeRate, NoRate, rate_for
from core.money.exchange import exchange_rates
from core.money.pricebook import NegotiatedPrice
from core.offers import STATED, Catalog, Offer
from core.patterns import regex
from core.resolve.constraints import resolve_constraints
from core.resolve.model import sized_by_name

SUMS = (
    "engineering_usd_per_hour",
    "usd_per_kwh",
    "purchase_usd",
    "servers_usd",
    "server_usd",
    "colocation_usd",
    "lease_usd",
)
MACHINES = ("servers_usd", "server_usd")
SOURCE = say("service.the_question")


def in_dollars(question: Question) -> Question:
    """The same question with its sums in dollars; without a rate, without them."""
    query, rate = question.query, _rate_of(question)
    if rate is None:
        return question
    update: dict[str, object] = {}
    if query.beside is not None:
        kept = MACHINES if query.beside.servers_in_dollars else ()
        stated = {n: getattr(query.beside, n) for n in SUMS if n not in kept}
        sums = {k: _dollars(v, rate) for k, v in stated.items() if v is not None}
        update["beside"] = query.beside.model_copy(update=sums)
    if query.paid_a_month is not None:
        update["paid_a_month"] = _dollars(query.paid_a_month, rate)
    if query.paid_seats is not None:
        seats, each = query.paid_seats
        update["paid_seats"] = (seats, _dollars(each, rate) or each)
    if query.gpu_prices is not None:
        found = ((slug, _dollars(usd, rate)) for slug, usd in query.gpu_prices)
        update["gpu_prices"] = tuple((s, usd) for s, usd in found if usd) or None
    if query.seller_prices is not None:
        found = ((name, _dollars(usd, rate)) for name, usd in query.seller_prices)
        update["seller_prices"] = tuple((s, usd) for s, usd in found if usd) or None
    if query.term_prices is not None:
        found = ((way, _dollars(usd, rate)) for way, usd in query.term_prices)
        update["term_prices"] = tuple((way, usd) for way, usd in found if usd) or None
    return replace(question, query=query.model_copy(update=update))


def by_its_day(question: Question) -> Question:
    """The same question where the day on which work is due is a number of hours."""
    due, now = question.query.due, question.now
    if due is None:
        return question
    update = {"due": None, "deadline_hours": _hours_until(*due, now)}
    return replace(question, query=question.query.model_copy(update=update))


def _hours_until(day: str, hour: int, now: datetime) -> float:
    """Hours until the next such day, at an hour UTC; at least one."""
    if day in WEEK:
        days = (WEEK.index(day) - now.weekday()) % 7 or 7
    elif day == "month":
        days = monthrange(now.year, now.month)[1] - now.day
    else:
        days = int(day == "tomorrow")
    then = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    hours = (then + timedelta(days=days) - now).total_seconds() / 3600
    return max(round(hours), 1)


def with_its_day(found: Answered, question: Question) -> Answered:
    """Say how many hours from now the day on which work is due was counted as."""
    if found.query is None or found.query.due is None or found.figures is None:
        return found
    day, hour = found.query.due
    hours = question.query.deadline_hours
    when = say("service.due_month") if day == "month" else day.title()
    return found.noted(say("service.due", day=when, hour=hour, hours=hours))


_UNTIL = regex(
    r"\b(?:until|till) (?:the )?(?P<end>end of )?(?P<month>"
    + "|".join(month_name[1:]).lower()
    + r")\b"
)
_A_MONTH = 30.0


def _months_left(question: Question) -> float:
    """Months of 30 days until the month in which money runs out; 0: none is told."""
    query, now = question.query, question.now
    said = _UNTIL.search(query.text.lower())
    told = query.budget_period == "total" and query.kind in (None, "inference")
    if not (said and told and query.budget_amount):
        return 0.0
    month = list(month_name).index(said["month"].title()) + bool(said["end"])
    year = now.year + (month <= now.month) + month // 13
    month = (month - 1) % 12 + 1
    then = now.replace(year=year, month=month, day=1, hour=0, minute=0)
    return max((then - now).total_seconds() / 86400, 1.0) / _A_MONTH


def by_the_month(question: Question) -> Question:
    """The same question, money that lasts until a month counted for each of them."""
    if not (months := _months_left(question)):
        return question
    each = (question.query.budget_amount or 0) / months
    update = {"budget_amount": each, "budget_period": "month"}
    return replace(question, query=question.query.model_copy(update=update))


def with_its_months(found: Answered, question: Question) -> Answered:
    """Say how long the money has to last, and what that is a month."""
    asked = found.query and replace(question, query=found.query)
    if not asked or not (months := _months_left(asked)):
        return found
    days = round(months * _A_MONTH)
    return found.noted(say("service.has_to_last", days=days))


def by_stated_size(question: Question) -> Question:
    """The same question, a model that we do not know counted by its stated size."""
    query, _ = sized_by_name(question.query, question.reference)
    return replace(question, query=query)


OPEN_MODEL = "llama-3.3-70b"
"""What stands for an open model that nobody names."""


def with_an_open_model(question: Question) -> Question:
    """The same question with an open model, where an API's stated bill is weighed.

    "We pay OpenAI $14k for 3B tokens in and 400M out: is an open model cheaper?"
    """
    query = question.query
    asked = query.clarify is not None and query.clarify.about == ("model",)
    weighed = query.intent == "breakeven" and query.compare_api
    if not (asked and weighed and load_stated(query)):
        return question
    named = {"model": OPEN_MODEL, "clarify": None}
    return replace(question, query=query.model_copy(update=named))


def with_unknown_model(found: Answered, question: Question) -> Answered:
    """Say first that a model is not known or named, and what it is counted as."""
    asked = found.query or question.query
    if question.query.model == OPEN_MODEL and not (asked.model or asked.params_b):
        verdict = say("service.with_an_open_model", verdict=found.view.verdict)
        return found.redrawn(verdict=verdict)
    query, name = sized_by_name(asked, question.reference)
    assumed = found.figures.assumed if found.figures else ()
    known = asked.model and question.reference.model(asked.model)
    if asked.model and not known and any(one.field == "model" for one in assumed):
        name = asked.model  # of a known family as well, at a size of its own
    if not name or found.figures is None or query.params_b is None:
        return found
    active = query.active_params_b
    typical = question.reference.representative(query.params_b, active).name
    size = say("service.typical_size", size=query.params_b)
    stands = (
        typical if f"{query.params_b:g}B dense" in typical else f"{size} ({typical})"
    )
    return found.noted(say("service.unknown_model", name=name, stands=stands))


def _dollars(amount: float, rate: ExchangeRate | NoRate) -> float | None:
    return None if isinstance(rate, NoRate) else float(rate.to_usd(exact(amount)))


def _rate_of(question: Question) -> ExchangeRate | NoRate | None:
    """The rate of the stated sums; None: they are dollars, or there are none."""
    code = question.query.sums_currency
    if code is None:
        return None
    return rate_for(code, exchange_rates(), question.now.date())


def with_exchange_rate(found: Answered, question: Question) -> Answered:
    """Say at which rate the stated sums became dollars."""
    rate = _rate_of(question)
    if rate is None:
        return found
    said = rate.reason if isinstance(rate, NoRate) else rate.shown
    unused = say("service.with_exchange_rate") if isinstance(rate, NoRate) else ""
    return found.redrawn(notes=(*found.view.notes, f"{unused}{said}."))


def at_stated_prices(question: Question) -> Question:
    """The same question where each GPU with a stated price is sold at that alone."""
    stated = question.query.gpu_prices
    if not stated or question.query.wanted == "fair_price":
        return question  # what others ask is compared with it
    reference = question.reference
    named = {slug: reference.gpus_named(slug) for slug, _ in stated}
    covered = {gpu.id for gpus in named.values() for gpu in gpus} | set(named)
    own = [
        _offer(question, named[slug][0].id, usd) for slug, usd in stated if named[slug]
    ]
    kept = [one for one in question.catalog.offers if _stays(one, covered)]
    catalog = Catalog([*own, *kept], question.catalog.as_of, question.catalog.version)
    return replace(question, catalog=catalog)


def at_discounts(question: Question) -> Question:
    """The same question where a share off a seller's list price is a price of theirs.

    Of one offer alone it is asked whether that is a good price.
    """
    query, reference = question.query, question.reference
    named = named_gpus(query, reference) if query.seller_discounts else ()
    if not query.seller_discounts or not named:
        return question
    prices = dict(query.seller_prices or ())
    for seller, share in query.seller_discounts:
        listed = _listed(question, named[0], seller)
        if listed is not None:
            prices[seller] = float(listed.usd_per_gpu_hour) * (1 - share)
    update: dict[str, object] = {"seller_prices": tuple(prices.items()) or None}
    if len(prices) == 1:
        alone = ((str((query.gpu or ("",))[0]), *prices.values()),)
        update = {"gpu_prices": alone, "wanted": "fair_price"}
    return replace(question, query=query.model_copy(update=update))


def _listed(question: Question, gpu: GpuSpec, seller: str) -> Offer | None:
    """What a seller asks for an hour without any term, in the machine that is named."""
    limits = resolve_constraints(question.query, question.reference)
    free = {"providers": (seller,), "pricing": ("on_demand",), "term_months": None}
    market = question.market
    found = offers_of(gpu, limits.model_copy(update=free), *market)
    machines = question.query.instance or ()
    of_it = [one for one in found if one.instance in machines]
    return next(iter((*of_it, *found)), None)


def at_quoted_prices(question: Question) -> Question:
    """The same question where each quoted seller sells the named GPU at its quote."""
    stated, reference = question.query.seller_prices, question.reference
    named = named_gpus(question.query, reference) if stated else ()
    judged = question.query.wanted == "fair_price" and len(stated or ()) == 1
    if not stated or not named or judged:
        return question
    months, terms = question.query.term_months, dict(question.query.seller_terms or ())
    ways = question.query.pricing or ("on_demand",)

    def pay(seller: str) -> dict[str, object]:
        if term := int(terms.get(seller, months) or 0):
            return {"pricing": "reserved", "term_months": term}
        return {} if terms or ways[0] == "on_demand" else {"pricing": ways[0]}

    own = [
        _offer(question, named[0].id, usd, seller).model_copy(update=pay(seller))
        for seller, usd in stated
    ]
    sellers, gpus = {offer.provider for offer in own}, {gpu.id for gpu in named}
    kept = [
        one
        for one in question.catalog.offers
        if one.provider not in sellers or one.gpu not in gpus
    ]
    catalog = Catalog([*own, *kept], question.catalog.as_of, question.catalog.version)
    update: dict[str, object] = {"instance": None}
    update["provider"] = tuple(seller for seller, _ in stated)
    if terms:
        update |= {"pricing": None, "term_months": None, "wanted": None}
    query = question.query.model_copy(update=update)
    return replace(question, catalog=catalog, query=query)


def at_stated_terms(question: Question) -> Question:
    """The same question where the named GPU has the stated prices of a term alone."""
    stated, reference = question.query.term_prices, question.reference
    named = named_gpus(question.query, reference) if stated else ()
    if not stated or not named or question.query.wanted == "fair_price":
        return question
    months = int(question.query.term_months or DEFAULT_TERM)
    own = []
    for way, usd in stated:
        term = months if way == "reserved" else 0
        paid = {"pricing": way, "term_months": term}
        own.append(_offer(question, named[0].id, usd).model_copy(update=paid))
    ways = {offer.pricing for offer in own}
    kept = [
        one
        for one in question.catalog.offers
        if one.gpu != named[0].id or one.pricing not in ways
    ]
    catalog = Catalog([*own, *kept], question.catalog.as_of, question.catalog.version)
    return replace(question, catalog=catalog)


def by_the_hour(question: Question) -> Question:
    """The same question on demand, where named sellers publish no term that does."""
    query = question.query
    asks = query.wanted is None and query.intent in (None, "size", "cost", "price")
    if not (asks and query.provider and query.pricing == ("reserved",)):
        return question
    if any(_is_of_a_term(offer, question) for offer in question.catalog.offers):
        found = decide(question).figures
        if found is None or found.ways:
            return question
    hourly = {"pricing": ("on_demand",), "term_months": None}
    return replace(question, query=query.model_copy(update=hourly))


def _is_of_a_term(offer: Offer, question: Question) -> bool:
    """Whether an offer is what a named seller asks for a term as it is asked for."""
    query = question.query
    named = {gpu.id for gpu in named_gpus(query, question.reference)}
    sold = offer.provider in (query.provider or ()) and offer.pricing == "reserved"
    longest = query.term_months or offer.term_months
    in_time = 0 < offer.term_months <= longest
    return sold and in_time and (not named or offer.gpu in named)


def with_unknown_term(found: Answered, question: Question) -> Answered:
    """Say that an answer is by the hour, where a term was asked for."""
    asked, query = found.query, question.query
    if asked is None or asked.pricing == query.pricing or found.figures is None:
        return found
    if asked.seller_terms:
        return found  # each offer binds for its own
    if asked.pricing != ("reserved",) or not found.figures.ways:
        return found
    sellers = " or ".join(
        provider_name(one, question.reference) for one in query.provider or ()
    )
    months = asked.term_months
    term = say("service.term", months=months) if months else ""
    verdict = say("service.without_a_commitment", verdict=found.view.verdict)
    told = found.redrawn(verdict=verdict)
    return told.noted(say("service.no_price_of_a_term", sellers=sellers, term=term))


DEFAULT_TERM = 12
"""Months of a commitment that is priced and not said to be longer."""


def _stays(offer: Offer, covered: set[str]) -> bool:
    """Whether an offer is of another GPU, or of a term of the same."""
    return offer.gpu not in covered or offer.pricing != "on_demand"


def _offer(question: Question, gpu: str, usd: float, of: str = "") -> Offer:
    sellers = (of,) if of else question.query.provider or ()
    seller = question.reference.provider(sellers[0]) if len(sellers) == 1 else None
    stated = NegotiatedPrice(
        provider=seller.id if seller else STATED,
        gpu=gpu,
        usd_per_gpu_hour=Decimal(str(round(usd, 6))),
        set_by=SOURCE,
        set_at=question.now,
    )
    return stated.offer().model_copy(update={"source": SOURCE})
