"""The API prices that a question is about: those it names, those of its model."""

from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from bot.answers.shared.figures import provider_name
from bot.render.words import say
from core.llm import ModelSpec
from core.market.api_market import ApiBook
from core.money.api import ApiPrice, TokenPrice
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.load import reference
from prices.sources.api_prices import api_price_named, api_prices, edition, sellers

STATED = "stated"
"""The provider of an API of which only the price is told."""
SIMILAR_SIZE = 1.25
SIMILAR_TRIED = 8


def api_book(query: Query, model: ModelSpec, now: datetime) -> ApiBook:
    """Return the prices of the named APIs, and of the model wherever it is served.

    The first question of a day about a model reads 2,400 entries; the others do not.
    """
    day = _day(now)
    own = _hosted(model.id, day, edition())
    hosted = own or _similar(model.params_b, model.is_moe, day, edition())
    named: dict[str, ApiPrice] = {}
    if query.api_usd_per_million:
        named[STATED] = _stated(query.api_usd_per_million, model, now)
    unpriced: list[str] = []
    for name in sorted(query.compare_api or (), key=_vagueness):
        price = _sold_by(name, hosted) or _named(name, day, edition())
        if price is None:
            unpriced.append(name)
        elif price.provider not in named:
            named[price.provider] = price
    if query.own_weights:
        hosted = ()  # a public API serves the weights as published
    similar = bool(hosted) and not own
    return ApiBook(tuple(named.values()), hosted, similar, tuple(unpriced))


def _stated(usd_per_million: float, model: ModelSpec, now: datetime) -> ApiPrice:
    """An API at the price that the question states, for tokens in and out alike."""
    usd = Decimal(str(usd_per_million))
    return ApiPrice(
        provider=STATED,
        provider_name=say("breakeven.stated_api", usd=usd),
        model=model.id,
        live=TokenPrice(input_usd_per_million=usd, output_usd_per_million=usd),
        as_of=now.date().isoformat(),
        source=say("breakeven.your_price"),
        source_url="",
    )


def _day(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def hosted_prices(model: ModelSpec, now: datetime) -> tuple[ApiPrice, ...]:
    """The prices of a model wherever it is served by the token."""
    return _hosted(model.id, _day(now), edition())


def prices_instead(model: ModelSpec, now: datetime) -> tuple[ApiPrice, ...]:
    """Where nobody sells a model: the prices of the one nearest in size."""
    return _similar(model.params_b, model.is_moe, _day(now), edition())


def makers_price(name: str, now: datetime) -> ApiPrice | None:
    """What the maker of a model asks for it."""
    return _named(name, _day(now), edition())


def seller_named(name: str) -> str | None:
    """Who sells tokens under a name; None: nobody whom the prices know."""
    found = _seller_id(name)
    return found if found in sellers() else None


def seller_name(seller: str, reference: Reference) -> str:
    """The own spelling of whoever sells tokens, or was said to."""
    return sellers().get(seller) or provider_name(seller, reference)


def _vagueness(name: str) -> bool:
    """Sort "gpt-4o" before "openai": a maker alone adds nothing to its model."""
    return not any(letter.isdigit() or letter == "-" for letter in name)


_SERVICES = {
    "bedrock": "aws",
    "vertex": "google",
    "vertexai": "google",
    "gcp": "google",
    "azureopenai": "azure",
}
"""Clouds by the names of what they sell models under."""


def _seller_id(name: str) -> str:
    wanted = name.lower().replace("-", "").replace(" ", "")
    return _SERVICES.get(wanted, wanted)


def _sold_by(name: str, hosted: tuple[ApiPrice, ...]) -> ApiPrice | None:
    """The model's own price at a provider that is named instead of a model."""
    wanted = _seller_id(name)
    return next((price for price in hosted if price.provider == wanted), None)


@lru_cache(maxsize=256)
def _named(name: str, day: datetime, _edition: datetime | None) -> ApiPrice | None:
    return api_price_named(name, day)


@lru_cache(maxsize=512)
def _hosted(
    model_id: str, day: datetime, _edition: datetime | None
) -> tuple[ApiPrice, ...]:
    known = reference()
    model = known.models.get(model_id)
    return api_prices(model, known, day) if model else ()


@lru_cache(maxsize=64)
def _similar(
    params_b: float, moe: bool, day: datetime, edition: datetime | None
) -> tuple[ApiPrice, ...]:
    """Where nobody sells a model: the one nearest in size that somebody does."""
    near = sorted(
        (max(spec.params_b / params_b, params_b / spec.params_b), spec.id)
        for spec in reference().models.values()
        if spec.is_moe == moe
    )
    close = [model_id for apart, model_id in near if apart <= SIMILAR_SIZE]
    found = (_hosted(model_id, day, edition) for model_id in close[:SIMILAR_TRIED])
    return next((prices for prices in found if prices), ())
