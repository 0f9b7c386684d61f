"""Hosted APIs alone: a bill or a price by the token, where nobody asked for GPUs."""

import re

from msgspec.structs import replace

from bot.answers.api_bill.view import (
    api_bill_view,
    api_prices_view,
    explain_api_bill,
    explain_api_prices,
)
from bot.answers.compare_models.decide import fields_of_rival
from bot.answers.served import serving
from bot.answers.shared.api_book import (
    api_book,
    hosted_prices,
    makers_price,
    prices_instead,
    seller_named,
)
from bot.answers.shared.page import Page
from bot.answers.shared.workload import (
    api_asked,
    has_model,
    load_stated,
    spec_of,
    with_model,
)
from bot.question.question import Answered, Question
from core.answers.api_bill import ApiPrices, PriceList, api_bill, price_list
from core.llm import ModelSpec
from core.market.api_market import usable_apis
from core.money.costs import exact
from core.money.served import mix_of
from core.workload import InferenceSpec

BILLED = ("cost", "size")
"""Intents that a bill answers where the weights are nobody's to host."""
BILLED_ONCE = (*BILLED, "run_cost", "compare")
"""The same, of a pile of requests."""


def billed_by_token(question: Question) -> Answered | None:
    """The bill of a named API for a stated load; None: something else is asked.

    Which open model would stand in its place need not be known for it.
    """
    query = question.query
    api = api_asked(query)
    hardware = query.gpu or query.instance or (has_model(query) and not api)
    once = query.requests_total is not None and not load_stated(query)
    asked = query.intent in (BILLED_ONCE if once else BILLED)
    asked = asked or query.wanted == "api_bill"
    sold = api or query.compare_api
    if hardware or not (sold and asked and (once or load_stated(query))):
        return None
    if once:
        pile = {"kind": "inference", "requests_per_month": query.requests_total}
        question = replace(question, query=query.model_copy(update=pile))
    if query.wanted == "api_bill":  # "Bedrock bill: Claude Sonnet": the model's rates
        models = [n for n in query.compare_api or () if seller_named(n) is None]
        query = query.model_copy(update={"compare_api": tuple(models) or None})
        query = query if models else question.query
    # The model that stands in gives the bill nothing but a shape for the load.
    resolved = serving(with_model(question))
    if isinstance(resolved, Answered):
        return None
    spec = spec_of(resolved)
    flow = query.tokens_per_day is not None or query.tokens_per_month is not None
    book = api_book(query, spec.model, question.now)
    named = book.named
    if api and not named:
        named = () if book.similar else book.hosted
        named = usable_apis(named, spec, question.reference)
    paid = None if query.paid_a_month is None else exact(query.paid_a_month)
    found = api_bill(resolved, spec, named, flow, once, paid, hosted=api)
    if found is None:
        return None
    return Page(question).drawn(found, api_bill_view, explain_api_bill)


LENGTHS = ("input_tokens", "output_tokens")


def priced_by_token(question: Question) -> Answered | None:
    """What named models cost by the token; None: none is named, or none is known."""
    query = question.query
    # One mix for all: a model that thinks is held to the same lengths.
    fields = {**_ANY_MODEL, "use": query.use or "chat"}
    barred = {name: seller_named(name) for name in query.provider_exclude or ()}
    known = question.reference.provider
    # Some sell nothing but tokens.
    rented = [name for name, sold in barred.items() if known(name) or not sold]
    fields["provider_exclude"] = tuple(rented) or None
    alike = replace(question, query=query.model_copy(update=fields))
    resolved = serving(with_model(alike))
    if isinstance(resolved, Answered):
        return resolved
    spec = _without(spec_of(resolved), [name for name in barred.values() if name])
    names, sellers = _names(question)
    found = {name: _list(name, question, spec, sellers) for name in names}
    lists = [each for each in found.values() if each is not None]
    lists.sort(key=lambda each: each.best.usd_per_million)
    if query.clarify is not None and not lists:
        return None
    answer = ApiPrices(
        lists=tuple(lists),
        unpriced=tuple(name for name, each in found.items() if each is None),
        mix=mix_of(spec),
        assumptions=tuple(a for a in resolved.assumptions if a.field in LENGTHS),
    )
    return Page(question).drawn(answer, api_prices_view, explain_api_prices)


def _without(spec: InferenceSpec, sellers: list[str]) -> InferenceSpec:
    limits = spec.constraints
    out = (*limits.providers_excluded, *sellers)
    limits = limits.model_copy(update={"providers_excluded": out})
    return spec.model_copy(update={"constraints": limits})


_ANY_MODEL: dict[str, object] = {
    "kind": "inference", "provider": None, "model": None, "params_b": None,
    "active_params_b": None, "rivals": None, "compare_api": None, "wanted": None,
    "unknown": (),
}  # fmt: skip


def _names(question: Question) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The models that are named, and the sellers.

    "OpenAI" alone is its newest model; beside a model it is who sells that. A maker of
    whom none of the models is stands for its newest beside them.
    """
    query = question.query
    size = f"{query.params_b:g}b" if query.params_b else None
    own = [name for name in (query.model or size, *(query.rivals or ())) if name]
    said = query.compare_api or ()
    models = [*own, *(name for name in said if seller_named(name) is None)]
    sellers = [name for name in said if name not in models]
    if not models:
        return tuple(sellers), tuple(query.provider or ())
    makers = {p.provider for m in models if (p := makers_price(m, question.now))}
    apart = [
        name
        for name in sellers
        if not own
        and makers_price(name, question.now)
        and seller_named(name) not in makers
    ]
    there = (name for name in (*sellers, *(query.provider or ())) if name not in apart)
    return (*models, *apart), tuple(seller_named(name) or name for name in there)


def _list(
    name: str, question: Question, spec: InferenceSpec, sellers: tuple[str, ...]
) -> PriceList | None:
    """The prices of a model, else of what is nearest to it: in name, or in size."""
    now, market = question.now, (spec, question.reference, sellers)
    maker = seller_named(name) is not None  # "mistral api": no 7B of that name
    model = None if maker else _open_model(name, question)
    hosted = hosted_prices(model, now) if model else ()
    if model and hosted:
        return price_list(model.name, hosted, *market)
    if (price := makers_price(name, now)) is not None:
        return price_list(price.model.rsplit("/", 1)[-1], (price,), *market)
    near = prices_instead(model, now) if model else ()
    if model and near:
        return price_list(near[0].model.rsplit("/", 1)[-1], near, *market, model.name)
    # "gpt-9": the newest of the family that there is
    family = re.sub(r"[-\s]*\d[\w.]*", "", name)
    newest = makers_price(family, now) if family and family != name else None
    return price_list(newest.model, (newest,), *market, name) if newest else None


def _open_model(name: str, question: Question) -> ModelSpec | None:
    """The model of published weights that a name or a size means."""
    query = question.query
    fields = {**_ANY_MODEL, "provider_exclude": None, **fields_of_rival(name)}
    if name == query.model:
        fields |= {"params_b": query.params_b}
    known = question.reference.model(name) or fields["params_b"]
    if not known:
        return None
    asked = replace(question, query=query.model_copy(update=fields))
    resolved = serving(asked)
    return None if isinstance(resolved, Answered) else spec_of(resolved).model
