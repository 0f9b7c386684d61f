"""LLM API prices out of the data that the genai-prices package carries.

The package and its 2,400 models take about 0.1 s to import, so what it says of prices
is kept as plain values; it is imported where newer data stands in. Its HTTP client, as
long again, never is.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from core.llm import ModelSpec
from core.money.api import ApiPrice, TokenPrice
from core.reference.catalogue import Reference
from core.reference.names import whole
from core.reference.tables import read_table, worked_out
from core.wording import say

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, Provider

PACKAGE = "genai_prices"
SOURCE = "genai-prices 0.2.3"
SOURCE_URL = "https://github.com/pydantic/genai-prices"
DATA_AS_OF = "2026-11-09"
"""The latest price change in force that the packaged data records."""

PROMPT_TOKENS = 1000
"""Prompts above a threshold, 128,000 tokens or more, are billed at a costlier tier."""

_BATCH = {"processing": "batch"}
_RATES = ("input_mtok", "output_mtok", "cache_read_mtok", "requests_kcount")
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
    "mistral": "mistral large",
}
_RELEASE = re.compile(r"^(?:[^/]*/)?[a-z]+-(?:large|medium|small)-(\d{4})\b")
"""A release that is known by its date alone, without a size: mistral-large-2512."""
_DATED = re.compile(r"-(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=[-:]|$)")
"""A date without dashes, which is looked for with them as well."""
_PLAIN = frozenset({"v", "preview", "latest"})

When = int | list[int] | None
"""When a price holds: from a day on, between two seconds of each day (UTC), always."""
Rate = str | list[Any] | None
"""Dollars per 1M; or those below the first tier, then each tier's start and rate."""


class _Entry(NamedTuple):
    """What the package says of one model at one provider, in plain values."""

    id: str
    name: str
    context: int | None
    listed: bool
    """Else it is withdrawn, or hearsay."""
    prices: list[tuple[When, list[Rate]]]
    """The last that holds counts; the first where none does."""
    batch: list[tuple[When, list[Rate]]]
    """What a batch pays otherwise; of each rate the first that holds."""

    @property
    def by_hour(self) -> bool:
        """Whether the price depends on the time of day."""
        return any(isinstance(when, list) for when, _ in self.prices)

    def rates(self, moment: datetime, batch: bool = False) -> list[Rate]:
        """The rates at a moment, in the order of their names."""
        now = moment.astimezone(UTC) if moment.tzinfo else moment
        held = (rates for when, rates in reversed(self.prices) if _holds(when, now))
        found = [*next(held, self.prices[0][1] if self.prices else [None] * 4)]
        others = [rates for when, rates in self.batch if batch and _holds(when, now)]
        for rates in reversed(others):
            found = [new or old for new, old in zip(rates, found, strict=True)]
        return found


def _holds(when: When, now: datetime) -> bool:
    if when is None or isinstance(when, int):
        return when is None or now.toordinal() >= when
    (start, end), second = when, now.hour * 3600 + now.minute * 60 + now.second
    if end < start:
        return second >= start or second < end
    return start <= second < end


def _entry(info: "ModelInfo") -> _Entry:
    """Take from the package's entry what a price is made of."""
    from genai_prices.types import ModelPrice

    listed, prices = info.prices, list[tuple[When, list[Rate]]]()
    if isinstance(listed, ModelPrice):
        prices.append((None, _plain(listed)))
    else:
        prices += [(_when(part.constraint), _plain(part.prices)) for part in listed]
    return _Entry(
        info.id,
        info.name or info.id,
        info.context_window,
        not info.deprecated
        and not (info.price_comments or "").startswith(_SECOND_HAND),
        prices,
        [
            (_when(part.constraint), _plain(part.prices))
            for part in info.price_variants or ()
            if part.when == _BATCH
        ],
    )


def _when(constraint: Any) -> When:
    if constraint is None:
        return None
    if start := getattr(constraint, "start_date", None):
        return int(start.toordinal())
    return [_second(constraint.start_time), _second(constraint.end_time)]


def _second(told: time) -> int:
    """The second of the UTC day that a time of day is; one of no zone is UTC's."""
    second = told.hour * 3600 + told.minute * 60 + told.second
    shift = told.utcoffset() or timedelta()
    return (second - int(shift.total_seconds())) % 86_400


def _plain(prices: Any) -> list[Rate]:
    """The rates as text: exact, and what is kept as bytecode can hold them."""

    def text(rate: Any) -> Rate:
        if rate is None or isinstance(rate, Decimal):
            return None if rate is None else str(rate)
        return [str(rate.base), *([one.start, str(one.price)] for one in rate.tiers)]

    return [text(getattr(prices, name, None)) for name in _RATES]


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
    for seller, entry in _serving(model, reference):
        price = _price(seller, entry, now, prompt_tokens)
        if price is not None and not _shut_down(price.provider, model.id, now):
            best[seller.id] = min(best.get(seller.id, price), price, key=_total)
    kept = [
        price
        for listed_as, price in best.items()
        if listed_as == price.provider or price.provider not in best
    ]
    return tuple(sorted(kept, key=lambda price: price.provider))


def sellers() -> dict[str, str]:
    """Whoever is known to sell tokens, by name; those behind a router as well."""
    fetched_at = edition()
    listed = _own() if fetched_at is None else _of_edition(fetched_at)
    return dict(_behind(_Seller(*each)) for each, _ in reversed(listed))


def _shut_down(provider: str, model: str, now: datetime) -> bool:
    """Whether a provider serves the model no more (api_ended.toml)."""
    known = _ended().get(provider)
    day = known["on"].get(model) if known else None
    return day is not None and now.date() >= day


@lru_cache(maxsize=1)
def _ended() -> dict[str, Any]:
    return read_table("prices.sources", "api_ended.toml")


def _total(price: ApiPrice) -> Decimal:
    return price.live.input_usd_per_million + price.live.output_usd_per_million


class _Seller(NamedTuple):
    id: str
    name: str
    url: str


Listed = list[tuple[tuple[str, ...], list[tuple[Any, ...]]]]
"""Providers, each with its entries, as plain values."""


def _serving(
    model: ModelSpec, reference: Reference
) -> Iterator[tuple[_Seller, _Entry]]:
    """Yield the entries that the reference reads as this model."""
    family = re.match(r"[a-z]+", model.id)
    word = family[0] if family else model.id
    told_by = reference.pieces_of(model.id)
    fetched_at = edition()
    for seller, entries in _own() if fetched_at is None else _of_edition(fetched_at):
        for entry in entries:
            # Reading 2,400 names costs 90 ms; few hold what this model's are made of.
            if (
                word in entry[0].lower()
                and _holds_any(f"{entry[0]} {entry[1]}", told_by)
                and _is_model(entry[0], entry[1], model, reference)
            ):
                yield _Seller(*seller), _Entry(*entry)


def _holds_any(text: str, names: Iterable[frozenset[str]]) -> bool:
    text = whole(text)
    return any(all(piece in text for piece in name) for name in names)


def _is_model(entry: str, name: str, model: ModelSpec, reference: Reference) -> bool:
    released = _RELEASE.search(entry)
    if released and released[1] not in f"{model.repository} {model.aliases}":
        return False
    names = (entry, name, _SERVICE_WORDS.sub("", entry))
    found = next((spec for name in names if (spec := reference.model(name))), None)
    return found is not None and found.id == model.id


@lru_cache(maxsize=1)
def _own() -> Listed:
    """Return what the package itself lists; worked out once of each version."""
    listed: Listed = worked_out(_packaged, __file__, _files())
    return listed


def _files() -> list[Path]:
    load_data()
    parts = (find_spec(f"{PACKAGE}.{name}") for name in ("data", "types"))
    return [Path(part.origin) for part in parts if part and part.origin]


def _packaged() -> Listed:
    return _listed(_shipped())


def _shipped() -> list["Provider"]:
    """Return the package's own providers, which nothing holds but whoever asks.

    One thread at a time: another would find the module half gone.
    """
    with _LOADING:
        load_data()
        from genai_prices.data import providers

        sys.modules.pop(f"{PACKAGE}.data", None)
        return providers


_LOADING = Lock()


@lru_cache(maxsize=1)
def _of_edition(_fetched_at: datetime) -> Listed:
    return _listed(_fetched())


def _listed(providers: list["Provider"]) -> Listed:
    return [
        (
            tuple(_seller(each)),
            [tuple(one) for one in map(_entry, each.models) if one.listed],
        )
        for each in providers
        if each.id not in _NOT_APIS
    ]


def _seller(provider: "Provider") -> _Seller:
    url = (provider.pricing_urls or [SOURCE_URL])[0]
    return _Seller(provider.id, provider.name, url)


class _Named(NamedTuple):
    """A maker's model, and how it is known by its name."""

    entry: tuple[Any, ...]
    deprecated: bool
    rule: list[Any]


class _Maker(NamedTuple):
    """Who makes models, and which names are theirs."""

    seller: tuple[str, ...]
    rule: list[Any] | None
    models: list[tuple[Any, ...]]
    """Each a `_Named`."""


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
        for entry in _by_name(maker, name):
            if price := _price(_Seller(*maker.seller), entry, now, prompt_tokens):
                return price
    return None


def _makers(name: str) -> list[_Maker]:
    """Return the makers, those first whose models go by such a name."""
    return sorted(
        [_Maker(*each) for each in _all_makers()],
        key=lambda each: (
            not (each.rule and _fits(each.rule, name)),
            _MAKERS.index(each.seller[0]),
        ),
    )


def _all_makers() -> list[tuple[Any, ...]]:
    fetched_at = edition()
    return _own_makers() if fetched_at is None else _makers_of_edition(fetched_at)


@lru_cache(maxsize=1)
def _own_makers() -> list[tuple[Any, ...]]:
    """Return the makers whom the package lists; worked out once of each version."""
    found: list[tuple[Any, ...]] = worked_out(_packaged_makers, __file__, _files())
    return found


def _packaged_makers() -> list[tuple[Any, ...]]:
    return _told(_shipped())


@lru_cache(maxsize=1)
def _makers_of_edition(_fetched_at: datetime) -> list[tuple[Any, ...]]:
    return _told(_fetched())


def _told(providers: Iterable["Provider"]) -> list[tuple[Any, ...]]:
    """Take from the package's entries what a name is looked up in, as plain values."""
    return [
        (
            tuple(_seller(each)),
            _rule(each.model_match),
            [
                (tuple(_entry(one)), bool(one.deprecated), _rule(one.match))
                for one in each.models
            ],
        )
        for each in providers
        if each.id in _MAKERS
    ]


def _rule(clause: Any) -> list[Any] | None:
    """Write down which names fit: a kind of comparison, and with what."""
    if clause is None:
        return None
    ((kind, wanted),) = vars(clause).items()
    many = isinstance(wanted, list)
    return [kind.rstrip("_"), [_rule(one) for one in wanted] if many else wanted]


def _fits(rule: list[Any], name: str) -> bool:
    """Tell whether a name fits, as the package would."""
    kind, wanted = rule
    if kind in ("or", "and"):
        return (any if kind == "or" else all)(_fits(one, name) for one in wanted)
    if kind == "regex":
        return bool(re.search(wanted, name))
    low, wanted = name.lower(), wanted.lower()
    if kind == "equals":
        return bool(low == wanted)
    if kind == "contains":
        return wanted in low
    return low.startswith(wanted) if kind == "starts_with" else low.endswith(wanted)


def _by_name(maker: _Maker, name: str) -> list[_Entry]:
    """Return the model of that name, or those of the family, plainest, newest first.

    A name without a version means the newest, though an old model may bear it.
    """
    models = [_Named(*each) for each in maker.models]
    spelt = dict.fromkeys((name, _DATED.sub(r"-\1-\2-\3", name)))
    fit = (one for said in spelt for one in models if _fits(one.rule, said))
    exact = next((_Entry(*one.entry) for one in fit), None)
    if exact and any(letter.isdigit() for letter in name):
        return [exact]
    wanted = set(_words(name))
    known = [_Entry(*one.entry) for one in models if not one.deprecated]
    family = [
        one
        for one in known
        if wanted <= set(_words(one.id)) and _version(name) in _version(one.id)
    ]
    newest = sorted(family, key=lambda one: _plainness(one.id, wanted))
    return newest or ([exact] if exact else [])


def _plainness(model_id: str, wanted: set[str]) -> tuple[int, ...]:
    """Return what sorts "claude-sonnet-5-5" before "claude-sonnet-5" and "…-tts"."""
    extra = {w for w in _words(model_id) if not w.isdigit()} - wanted - _PLAIN
    version = [int(w) for w in _words(model_id) if w.isdigit() and len(w) < 4]
    return len(extra), *(-part for part in [*version, 0, 0, 0][:3])


def _version(name: str) -> str:
    """The numbers of a name in their order: 3.5 is not 5.3."""
    return "".join(f"{number}." for number in re.findall(r"\d+", name))


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
    if "genai_prices.data_snapshot" not in sys.modules:
        return None  # loading it takes a while, and nothing else can have replaced it
    from genai_prices.data_snapshot import get_snapshot

    snapshot = get_snapshot()
    return snapshot.timestamp if snapshot.from_auto_update else None


def version() -> str:
    """Return what tells the data in use apart; empty: it is the package's own."""
    fetched_at = edition()
    return "" if fetched_at is None else f"|api {fetched_at:%Y-%m-%dT%H:%M:%S}"


def _origin() -> tuple[str, str]:
    """Return where the data in use is from, and the day to which it knows prices."""
    fetched_at = edition()
    if fetched_at is None:
        return SOURCE, DATA_AS_OF
    return "genai-prices, its published data", f"{fetched_at:%Y-%m-%d}"


def _fetched() -> list["Provider"]:
    """Return the providers of the data in use, where it is not the package's own."""
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot().providers


def _price(
    seller: _Seller, entry: _Entry, now: datetime, prompt_tokens: int
) -> ApiPrice | None:
    """Return an entry as a price; None: unpriced, withdrawn, or hearsay."""
    live = _mean_rates(entry, now, prompt_tokens) if entry.listed else None
    if live is None:
        return None
    batch = _mean_rates(entry, now, prompt_tokens, batch=True)
    provider, name = _behind(seller)
    source, as_of = _origin()
    return ApiPrice(
        provider=provider,
        provider_name=name,
        model=entry.id,
        live=live,
        context=entry.context,
        batch=None if batch == live else batch,
        note=_note(entry, now),
        as_of=as_of,
        source=source,
        source_url=seller.url,
    )


def _behind(seller: _Seller) -> tuple[str, str]:
    """Return who serves the tokens, and the name that says through whom."""
    if not seller.id.startswith(_ROUTED):
        return seller.id, seller.name
    behind = seller.id.removeprefix(_ROUTED).removesuffix("-ai")
    return behind, say("feeds.through_hugging_face", seller=behind.capitalize())


def _mean_rates(
    entry: _Entry, now: datetime, prompt_tokens: int, batch: bool = False
) -> TokenPrice | None:
    """Return the mean rates of the day; None where a token has no price of its own."""
    hours = range(24 if entry.by_hour else 1)
    prices = [entry.rates(now + timedelta(hours=h), batch) for h in hours]
    read, written, cached, requests = zip(*prices, strict=True)
    live = _mean(read, prompt_tokens), _mean(written, prompt_tokens)
    if not live[0] or not live[1] or any(_of_tier(one, 0) for one in requests):
        return None
    return TokenPrice(
        input_usd_per_million=live[0],
        output_usd_per_million=live[1],
        cached_input_usd_per_million=_mean(cached, prompt_tokens),
    )


def _mean(prices: tuple[Rate, ...], prompt_tokens: int) -> Decimal | None:
    found = [_of_tier(price, prompt_tokens) for price in prices]
    known = [price for price in found if price is not None]
    if len(known) < len(found):
        return None
    mean = sum(known, Decimal(0)) / len(known)
    # Some entries carry a float's tail: 1.0399999999999998.
    return mean if round(mean, 6) == mean else round(mean, 6)


def _of_tier(price: Rate, prompt_tokens: int) -> Decimal | None:
    """Return the rate of the highest tier that the prompt passes, for every token."""
    if price is None or isinstance(price, str):
        return None if price is None else Decimal(price)
    base, *tiers = price
    passed = [rate for start, rate in tiers if prompt_tokens > start]
    return Decimal(passed[-1] if passed else base)


def _note(entry: _Entry, now: datetime) -> str:
    notes = [say("feeds.mean_over_hours")] if entry.by_hour else []
    read = entry.rates(now)[0]
    if isinstance(read, list):
        notes.append(say("feeds.long_prompts_cost_more", start=read[1][0]))
    return "; ".join(notes)
