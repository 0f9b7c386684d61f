"""Read `setprice lambda h100 1.85 reserved 12m until 2027-03`."""

import calendar
import re
from datetime import date, datetime
from decimal import Decimal

from msgspec import Struct

from core.hardware import GpuSpec
from core.money.pricebook import NegotiatedPrice
from core.offers import Pricing
from core.patterns import regex
from core.provider import ProviderSpec
from core.reference.catalogue import Reference
from core.wording import say

EXAMPLE = say("own_prices.setprice_lambda_reserved")
MAX_USD_PER_GPU_HOUR = 100
"""Above this it is the price of a whole instance, a day or a month."""

_COMMAND = regex(r"^\s*(/?gpucost\s+)?(set[-_ ]?price\s+)?", re.IGNORECASE)
_PRICE = regex(
    r"(?P<sign>[$€£¥])?(?P<amount>\d+(?:\.\d+)?)(?:usd)?"
    r"(?:/(?:gpu[-/]?)?(?:h|hr|hour))?$"
)
_TERM = regex(r"(\d+)-?(m|mo|mos|months?|y|yrs?|years?)$")
_PRICING: dict[str, Pricing] = {
    **dict.fromkeys(("ondemand", "on-demand", "on_demand", "payg"), "on_demand"),
    **dict.fromkeys(("spot", "preemptible", "interruptible"), "spot"),
    **dict.fromkeys(("reserved", "reserve", "committed", "commitment"), "reserved"),
}
_UNTIL = {"until", "till", "through", "expires", "exp"}
_NOISE = {
    "per", "gpu", "gpu-hour", "hour", "h", "hr", "/h", "/hr", "/hour", "usd", "for",
    "at", "a", "an", "term", "@",
}  # fmt: skip
_MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name}


class PriceSet(Struct, frozen=True):
    """A price as understood, with what had to be taken for granted."""

    price: NegotiatedPrice
    note: str = ""


class PriceRefused(Struct, frozen=True):
    """Why a line of the price book could not be read, and one that can."""

    reason: str
    nearest: tuple[str, ...] = ()
    example: str = EXAMPLE


class _Terms(Struct):
    """What stands behind the price, as it is read."""

    pricing: Pricing | None = None
    months: int = 0
    until: date | None = None
    problem: str = ""


def parse_setprice(
    text: str, reference: Reference, set_by: str, now: datetime
) -> PriceSet | PriceRefused:
    """Return the negotiated price that a line states, or what is wrong with it."""
    words = _COMMAND.sub("", text, count=1).lower().replace("on demand", "on-demand")
    tokens = words.replace(",", " ").split()
    candidates = [at for at, token in enumerate(tokens) if _PRICE.match(token)]
    if not candidates:
        return PriceRefused(say("own_prices.no_price_given"))
    # "rtx 4090 0.40" holds two numbers: the price is the one that leaves a GPU's name.
    found = [_read(tokens, at, reference, set_by, now) for at in candidates]
    understood = [result for result in found if isinstance(result, PriceSet)]
    if understood:
        return understood[0]
    return found[_likeliest(tokens, candidates)]


def _likeliest(tokens: list[str], candidates: list[int]) -> int:
    """Return which candidate looks most like money: with a sign, a point, or late."""
    marked = [n for n, at in enumerate(candidates) if re.search(r"[$€£¥.]", tokens[at])]
    return marked[0] if marked else len(candidates) - 1


def _read(
    tokens: list[str], at: int, reference: Reference, set_by: str, now: datetime
) -> PriceSet | PriceRefused:
    named = _names(tokens[:at], reference)
    if isinstance(named, PriceRefused):
        return named
    price = _price(tokens[at])
    if isinstance(price, PriceRefused):
        return price
    terms = _terms(tokens[at + 1 :], now.date())
    if terms.problem:
        return PriceRefused(terms.problem)
    provider, gpu, note = named
    return PriceSet(
        NegotiatedPrice(
            provider=provider.id,
            gpu=gpu.id,
            usd_per_gpu_hour=price,
            pricing=terms.pricing or "on_demand",
            term_months=terms.months,
            until=terms.until,
            set_by=set_by,
            set_at=now,
        ),
        note,
    )


def _names(
    words: list[str], reference: Reference
) -> tuple[ProviderSpec, GpuSpec, str] | PriceRefused:
    """Return the provider and the GPU before the price; either may be two words."""
    if len(words) < 2:
        return PriceRefused(say("own_prices.name_the_provider"))
    splits = [
        (provider, " ".join(words[cut:]))
        for cut in range(len(words) - 1, 0, -1)
        if (provider := reference.provider(" ".join(words[:cut])))
    ]
    if not splits:
        near = reference.nearest("provider", words[0])
        return PriceRefused(say("own_prices.unknown_provider", words=words[0]), near)
    for provider, slug in splits:
        variants = reference.gpus_named(slug)
        if variants:
            return provider, variants[0], _variant_note(slug, variants)
    slug = splits[0][1]
    return PriceRefused(
        say("own_prices.unknown_gpu", slug=slug), reference.nearest("gpu", slug)
    )


def _variant_note(slug: str, variants: tuple[GpuSpec, ...]) -> str:
    others = ", ".join(spec.id for spec in variants[1:4])
    taken = variants[0]
    if not others or slug == taken.id:
        return ""
    return say(
        "own_prices.read_as_variant", slug=slug, taken_name=taken.name, others=others
    )


def _price(token: str) -> Decimal | PriceRefused:
    match = _PRICE.match(token)
    if match is None or match["sign"] not in (None, "$"):
        return PriceRefused(say("own_prices.unit_of_prices"))
    amount = Decimal(match["amount"])
    if not 0 < amount <= MAX_USD_PER_GPU_HOUR:
        return PriceRefused(say("own_prices.is_not_price", amount=amount))
    if amount != round(amount, 6):
        return PriceRefused(say("own_prices.too_many_decimals"))
    return amount


def _terms(tokens: list[str], today: date) -> _Terms:
    terms = _Terms()
    rest = [token for token in tokens if token not in _NOISE]
    while rest and not terms.problem:
        rest = _take(rest, terms)
    if terms.months and terms.pricing is None:
        terms.pricing = "reserved"
    terms.problem = terms.problem or _disagreement(terms, today)
    return terms


def _take(rest: list[str], terms: _Terms) -> list[str]:
    """Note what the first words say and return the words after them."""
    word, after = rest[0], rest[1:]
    if word in _PRICING:
        terms.pricing = _PRICING[word]
        return after
    if word in _UNTIL:
        return _take_until(after, terms)
    for taken in (1, 2):
        if term := _TERM.match("".join(rest[:taken])):
            terms.months = int(term[1]) * (12 if term[2].startswith("y") else 1)
            return rest[taken:]
    terms.problem = say("own_prices.is_not_pricing", word=word)
    return []


def _take_until(rest: list[str], terms: _Terms) -> list[str]:
    for taken in (2, 1):
        if len(rest) >= taken and (day := last_day(" ".join(rest[:taken]))):
            terms.until = day
            return rest[taken:]
    terms.problem = say("own_prices.the_date_after")
    return []


def _disagreement(terms: _Terms, today: date) -> str:
    if terms.pricing == "reserved" and not terms.months:
        return say("own_prices.reserved_price_needs")
    if terms.pricing != "reserved" and terms.months:
        return say("own_prices.only_reserved_price")
    if terms.until and terms.until < today:
        return say("own_prices.is_over", until=terms.until)
    return ""


def last_day(text: str) -> date | None:
    """Return the last day of 2027-03-31, 2027-03, 2027 or "march 2027", else None."""
    if match := re.fullmatch(r"([a-z]{3})[a-z]* (\d{4})", text):
        month = _MONTHS.get(match[1])
        return _end_of(int(match[2]), month) if month else None
    match = re.fullmatch(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", text)
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    return _end_of(year or 0, month or 12, day if month else None)


def _end_of(year: int, month: int, day: int | None = None) -> date | None:
    try:
        return date(year, month, day or calendar.monthrange(year, month)[1])
    except ValueError:  # 2027-13, 2027-02-30
        return None
