"""LLM API prices out of the data that the genai-prices package carries.

The package and its 2,400 models take about 0.1 s to import, so they are imported
when an answer first asks for an API price; its HTTP client, as long again, never.
"""

import re
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from importlib.util import find_spec, module_from_spec
from typing import TYPE_CHECKING

from core.llm import ModelSpec
from core.money.api import ApiPrice, TokenPrice
from core.reference.catalogue import Reference

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice, Provider, TieredPrices

PACKAGE = "genai_prices"
SOURCE = "genai-prices 0.2.3"
SOURCE_URL = "https://github.com/pydantic/genai-prices"
DATA_AS_OF = "2026-11-09"
"""The latest price change in force that the packaged data records."""

PROMPT_TOKENS = 1000
"""Prompts above a threshold, 128,000 tokens or more, are billed at a dearer tier."""

_BATCH = {"processing": "batch"}
_NOT_APIS = frozenset({"cursor", "github-copilot"})
_ROUTED = "huggingface_"
_SECOND_HAND = "Imported from OpenRouter"
_SERVICE_WORDS = re.compile(
    r"[-_](?:turbo|versatile|instant|fast|lite|maas)\b", re.IGNORECASE
)
_MAKERS = (
    "anthropic", "openai", "google", "x-ai", "mistral", "deepseek", "cohere",
    "moonshotai", "zai", "minimax",
)  # fmt: skip
_BRANDS = {
    "claude": "claude sonnet",
    "anthropic": "claude sonnet",
    "openai": "gpt",
    "chatgpt": "gpt",
    "gemini": "gemini flash",
    "google": "gemini flash",
}
_RELEASE = re.compile(r"^(?:[^/]*/)?[a-z]+-(?:large|medium|small)-(\d{4})\b")
"""A release that is known by its date alone, without a size: mistral-large-2512."""
_PLAIN = frozenset({"v", "preview", "latest"})


def api_prices(
    model: ModelSpec,
    reference: Reference,
    now: datetime,
    prompt_tokens: int = PROMPT_TOKENS,
) -> tuple[ApiPrice, ...]:
    """Return the price of these weights at every provider known to serve them.

    One a provider, its cheapest; a router's price is left out where the provider
    behind it is listed itself.
    """
    best: dict[str, ApiPrice] = {}
    for provider, info in _serving(model, reference):
        if price := _price(provider, info, now, prompt_tokens):
            best[provider.id] = min(best.get(provider.id, price), price, key=_total)
    kept = [
        price
        for entry, price in best.items()
        if entry == price.provider or price.provider not in best
    ]
    return tuple(sorted(kept, key=lambda price: price.provider))


def _total(price: ApiPrice) -> Decimal:
    return price.live.input_usd_per_million + price.live.output_usd_per_million


def _serving(
    model: ModelSpec, reference: Reference
) -> Iterator[tuple["Provider", "ModelInfo"]]:
    """Yield the entries that the reference reads as this model."""
    family = re.match(r"[a-z]+", model.id)
    word = family[0] if family else model.id
    for provider in _providers():
        for info in provider.models:
            # Reading 2,400 names costs 90 ms; the first word leaves about a tenth.
            if word in info.id.lower() and _is_model(info, model, reference):
                yield provider, info


def _is_model(info: "ModelInfo", model: ModelSpec, reference: Reference) -> bool:
    released = _RELEASE.search(info.id)
    if released and released[1] not in f"{model.repository} {model.aliases}":
        return False
    names = (info.id, info.name or info.id, _SERVICE_WORDS.sub("", info.id))
    found = next((spec for name in names if (spec := reference.model(name))), None)
    return found is not None and found.id == model.id


def api_price_named(
    text: str, now: datetime, prompt_tokens: int = PROMPT_TOKENS
) -> ApiPrice | None:
    """Return a maker's own price for "gpt-4o", or its newest "claude sonnet".

    None where no maker sells a model of that name.
    """
    said = _BRANDS.get(text.strip().lower(), text)
    name = re.sub(r"[\s_]+", "-", said.strip().lower())
    name = re.sub(r"^(gpt)(?=\d)", r"\1-", name)
    for maker in _makers(name):
        for info in _by_name(maker, name):
            if price := _price(maker, info, now, prompt_tokens):
                return price
    return None


def _makers(name: str) -> list["Provider"]:
    """Return the makers, those first whose models go by such a name."""
    makers = [provider for provider in _providers() if provider.id in _MAKERS]
    return sorted(
        makers,
        key=lambda each: (
            not (each.model_match and each.model_match.is_match(name)),
            _MAKERS.index(each.id),
        ),
    )


def _by_name(maker: "Provider", name: str) -> list["ModelInfo"]:
    """Return the model of that name, or those of the family, plainest, newest first.

    A name without a version means the newest, though an old model may bear it.
    """
    exact = maker.find_model(name)
    if exact and any(letter.isdigit() for letter in name):
        return [exact]
    wanted = set(_words(name))
    family = [
        info
        for info in maker.models
        if wanted <= set(_words(info.id)) and not info.deprecated
    ]
    newest = sorted(family, key=lambda info: _plainness(info.id, wanted))
    return newest or ([exact] if exact else [])


def _plainness(model_id: str, wanted: set[str]) -> tuple[int, ...]:
    """Return what sorts "claude-sonnet-5-5" before "claude-sonnet-5" and "…-tts"."""
    extra = {w for w in _words(model_id) if not w.isdigit()} - wanted - _PLAIN
    version = [int(w) for w in _words(model_id) if w.isdigit() and len(w) < 4]
    return len(extra), *(-part for part in [*version, 0, 0, 0][:3])


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z]+|\d+", name.lower())


def load_data() -> None:
    """Make the package's data importable without its own front, an HTTP client.

    The front is loaded when somebody first asks for a name of it.
    """
    if PACKAGE in sys.modules or (spec := find_spec(PACKAGE)) is None:
        return
    package = module_from_spec(spec)

    def front(name: str) -> object:
        loader = spec.loader
        if name.startswith("__") or loader is None or find_spec(f"{PACKAGE}.{name}"):
            raise AttributeError(name)
        del package.__dict__["__getattr__"]
        loader.exec_module(package)
        return getattr(package, name)

    package.__dict__["__getattr__"] = front
    sys.modules[PACKAGE] = package


def edition() -> datetime | None:
    """Return when the data in use was fetched; None: it is the package's own."""
    load_data()
    from genai_prices.data_snapshot import get_snapshot

    snapshot = get_snapshot()
    return snapshot.timestamp if snapshot.from_auto_update else None


def version() -> str:
    """Return what tells the data in use apart; empty: it is the package's own."""
    if "genai_prices.data_snapshot" not in sys.modules:
        return ""  # loading it takes a while, and nothing else can have replaced it
    fetched_at = edition()
    return "" if fetched_at is None else f"|api {fetched_at:%Y-%m-%dT%H:%M:%S}"


def _origin() -> tuple[str, str]:
    """Return where the data in use is from, and the day to which it knows prices."""
    fetched_at = edition()
    if fetched_at is None:
        return SOURCE, DATA_AS_OF
    return "genai-prices, its published data", f"{fetched_at:%Y-%m-%d}"


def _providers() -> list["Provider"]:
    load_data()
    from genai_prices.data_snapshot import get_snapshot

    found = get_snapshot().providers
    return [provider for provider in found if provider.id not in _NOT_APIS]


def _price(
    provider: "Provider", info: "ModelInfo", now: datetime, prompt_tokens: int
) -> ApiPrice | None:
    """Return an entry as a price; None: unpriced, withdrawn, or hearsay."""
    if info.deprecated or (info.price_comments or "").startswith(_SECOND_HAND):
        return None
    live = _rates(info, now, prompt_tokens)
    if live is None:
        return None
    batch = _rates(info, now, prompt_tokens, _BATCH)
    seller, name = _seller(provider)
    source, as_of = _origin()
    return ApiPrice(
        provider=seller,
        provider_name=name,
        model=info.id,
        live=live,
        context=info.context_window,
        batch=None if batch == live else batch,
        note=_note(info, now),
        as_of=as_of,
        source=source,
        source_url=(provider.pricing_urls or [SOURCE_URL])[0],
    )


def _seller(provider: "Provider") -> tuple[str, str]:
    """Return who serves the tokens, and the name that says through whom."""
    if not provider.id.startswith(_ROUTED):
        return provider.id, provider.name
    behind = provider.id.removeprefix(_ROUTED).removesuffix("-ai")
    return behind, f"{behind.capitalize()} through Hugging Face"


def _rates(
    info: "ModelInfo",
    now: datetime,
    prompt_tokens: int,
    context: dict[str, str] | None = None,
) -> TokenPrice | None:
    """Return the mean rates of the day; None where a token has no price of its own."""
    moments = [now + timedelta(hours=h) for h in range(24)] if _by_hour(info) else [now]
    prices = [info.get_prices(moment, context) for moment in moments]
    read = _mean(prices, "input_mtok", prompt_tokens)
    written = _mean(prices, "output_mtok", prompt_tokens)
    if not read or not written or any(each.requests_kcount for each in prices):
        return None
    return TokenPrice(
        input_usd_per_million=read,
        output_usd_per_million=written,
        cached_input_usd_per_million=_mean(prices, "cache_read_mtok", prompt_tokens),
    )


def _by_hour(info: "ModelInfo") -> bool:
    """Whether the price depends on the time of day."""
    from genai_prices.types import TimeOfDateConstraint

    return isinstance(info.prices, list) and any(
        isinstance(part.constraint, TimeOfDateConstraint) for part in info.prices
    )


def _mean(prices: list["ModelPrice"], key: str, prompt_tokens: int) -> Decimal | None:
    found = [_of_tier(getattr(price, key), prompt_tokens) for price in prices]
    known = [price for price in found if price is not None]
    if len(known) < len(found):
        return None
    mean = sum(known, Decimal(0)) / len(known)
    # Some entries carry a float's tail: 1.0399999999999998.
    return mean if round(mean, 6) == mean else round(mean, 6)


def _of_tier(
    price: "Decimal | TieredPrices | None", prompt_tokens: int
) -> Decimal | None:
    """Return the rate of the highest tier that the prompt passes, for every token."""
    if price is None or isinstance(price, Decimal):
        return price
    passed = [tier.price for tier in price.tiers if prompt_tokens > tier.start]
    return passed[-1] if passed else price.base


def _note(info: "ModelInfo", now: datetime) -> str:
    notes = ["mean over the hours of a day"] if _by_hour(info) else []
    read = info.get_prices(now).input_mtok
    if read is not None and not isinstance(read, Decimal):
        notes.append(f"prompts over {read.tiers[0].start:,} tokens cost more")
    return "; ".join(notes)
