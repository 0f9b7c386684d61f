"""From a feed's rows to price points; what is no price is refused with its reason."""

from collections.abc import Callable, Iterable, Sized
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from re import ASCII, compile, sub
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, ValidationError

from core.money.currency import NoRate, rate_for
from core.offers import (
    Evidence,
    Includes,
    PricePoint,
    Pricing,
    SellerKind,
    Stock,
    Tier,
)
from core.reference.load import reference
from core.wording import say
from prices.history.ingest import key_of
from prices.history.poll import micro_per_gpu
from prices.naming.gpu_names import another_product, gpu_name, unlikely_memory
from prices.sources.payload import check_rows
from prices.sources.source import Aside, Moment, PayloadError, Reading, Refused

HIGHEST_TOTAL = Decimal(1_000_000)
"""No machine costs a million dollars an hour; it also keeps 1e999999 from becoming an
integer of a million digits."""
MOST_GPUS = 1024
MACHINE = "machine"
"""The smallest order is the machine, where the row names one."""
LONGEST_NAME = 120
LONGEST_URL = 500
LONGEST_TERM = 120
"""Months of a reservation."""
AHEAD = timedelta(days=1)
"""A day without a time zone may begin elsewhere before it does here."""
_NUMBER = compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,9})?", ASCII)
_COUNTED = compile(r"(gpu_)?(?P<count>\d{1,4})x([_ ]|(?=[A-Z]))", ASCII)
"""As in 8xH100_SXM, gpu_8x_h100_sxm5 and "8x H100"; AWS's 48xlarge says nothing."""
_COUNTRY = compile("[A-Z]{2}", ASCII)
_ROW_FAULTS = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError)
_named = lru_cache(maxsize=4096)(gpu_name)


@lru_cache(maxsize=1024)
def _seller_kind(provider: str, tier: Tier) -> SellerKind:
    return reference().seller_kind(provider, tier)


class Quote(Struct):
    """What a row says of one offer, before anyone has judged it."""

    price: Any
    """For `count` GPUs and one hour."""
    gpu: str
    provider: str
    gpu_id: str | None = None
    """Where the machine is known; else `gpu` is looked up as a name."""
    memory_gb: float | None = None
    hints: tuple[str, ...] = ()
    alias: Any = None
    """Another name of the same GPU, where a row has two."""
    count: Any = 1
    instance: str = ""
    region: str = ""
    pricing: Pricing = "on_demand"
    term_months: int | None = 0
    """None: a commitment whose term is not published."""
    upfront: bool = False
    tier: Tier = "standard"
    includes: Includes = "unknown"
    seller_kind: SellerKind | None = None
    """None: as the registry of providers says."""
    stock: Stock = "unknown"
    evidence: Evidence | None = None
    """None: what the source rests on."""
    min_gpus: Any = MACHINE
    """The smallest order; None: not said."""
    currency: str = "USD"
    observed_at: datetime | None = None
    url: str = ""
    optional: bool = False
    """Whether no price at all says that it is not sold."""
    doubt: str = ""
    """What the row itself says against its price."""


class Rows:
    """The offers of one payload of one source."""

    def __init__(
        self, source: str, url: str, moment: Moment, evidence: Evidence = "unknown"
    ) -> None:
        self.reading = Reading()
        self._source = source
        self._url = url
        self._moment = moment
        self._evidence = evidence

    def each(
        self,
        items: Iterable[Any],
        read: Callable[[Any], None],
        seller: Callable[[Any], str] | None = None,
    ) -> Reading:
        """Read every item; one whose shape is unknown is refused, not the rest.

        Where that is most of them the feed has changed its shape, which is an error.
        `seller` says of a feed with many providers whose row it is, so that a row
        that cannot be read makes one of them incomplete and not all.
        """
        check_rows(len(items) if isinstance(items, Sized) else 0)
        count = broken = 0
        for item in items:
            count += 1
            check_rows(count)
            try:
                read(item)
            except _ROW_FAULTS as fault:
                broken += 1
                said = f"{type(fault).__name__}: {fault}"
                reason = say("feeds.row_shape", fields=said)[:200]
                whose = _whose(item, seller) if seller else ""
                self.reading.refused.append(
                    Refused("a row", reason, str(item)[:500], provider=whose)
                )
        self.reading.rows += count
        if 2 * broken > count:
            raise PayloadError(say("feeds.rows_broken", broken=broken, count=count))
        return self.reading

    def add(self, quote: Quote) -> None:
        """Take one offer, or refuse what it asks as no price."""
        blank = quote.price is None or quote.price == ""
        if blank and quote.optional:
            if quote.price is None:
                self.leave_out(say("feeds.no_price"))
                return
            seat = (quote.provider, quote.instance, quote.region, quote.pricing)
            self.aside(*seat, reason=say("feeds.price_blank"))
            return
        values = self.values(quote)
        total = number(quote.price)
        reason = "no price" if blank else _refusal(total) or self.unlikely(quote)
        usd = Decimal(1)
        if not reason:
            reason, usd = self._usd_per_unit(values["currency"])
        micro = 0 if reason else micro_per_gpu(total, values["gpu_count"], usd)
        if not reason and micro == 0:
            reason = say("feeds.price_tiny")
        if reason:
            self._refuse(values, quote.price, reason)
            return
        try:
            price = {"raw_total": total, "micro_usd_per_gpu_hour": micro}
            point = PricePoint.model_validate(values | price)
        except ValidationError as fault:
            raise ValueError(str(fault)) from fault
        self.reading.points.append(point)

    def aside(
        self,
        provider: str,
        instance: str,
        region: str = "",
        *pricing: str,
        reason: str,
        gpu: str = "",
    ) -> None:
        """Leave out a row that on most days says nothing of an offer of ours."""
        said = Aside(provider, instance, region, pricing, reason, gpu)
        self.reading.aside.append(said)
        self.leave_out(reason)

    def leave_out(self, reason: str) -> None:
        """Count a row, or a price of one, that is no offer of ours."""
        self.reading.left_out[reason] += 1

    def gpu_of(self, quote: Quote) -> str:
        """Return our name of the GPU that a quote is of."""
        return quote.gpu_id or _named(
            _name(quote.gpu),
            quote.memory_gb,
            provider=quote.provider,
            hints=quote.hints,
        )

    def values(self, quote: Quote) -> dict[str, Any]:
        """Return the offer that a quote is of, or say what is wrong with its words."""
        provider, name = _name(quote.provider), _name(quote.gpu)
        if not provider or not name:
            raise ValueError(say("feeds.row_without_offer"))
        terms = (None, *range(1, LONGEST_TERM + 1))
        if quote.term_months not in (terms if quote.pricing == "reserved" else (0,)):
            raise ValueError(
                say(
                    "feeds.odd_pricing",
                    pricing=quote.pricing,
                    term_months=quote.term_months,
                )
            )
        count, instance = _count(quote.count), _name(quote.instance)
        smallest = quote.min_gpus
        if smallest == MACHINE:
            smallest = count if instance else None
        return {
            "provider": provider,
            "gpu": self.gpu_of(quote),
            "gpu_count": count,
            "instance": instance,
            "region": _name(quote.region),
            "pricing": quote.pricing,
            "term_months": quote.term_months or 0,
            "upfront": quote.upfront,
            "tier": quote.tier,
            "includes": quote.includes,
            "seller_kind": quote.seller_kind or _seller_kind(provider, quote.tier),
            "stock": quote.stock,
            "evidence": quote.evidence or self._evidence,
            "min_gpus": None if smallest is None else _count(smallest),
            "currency": quote.currency.upper(),
            "observed_at": min(quote.observed_at or self._moment.at, self._moment.at),
            "source": self._source,
            "source_url": quote.url if _is_link(quote.url) else self._url,
        }

    def unlikely(self, quote: Quote) -> str:
        """Say what of a row beside its price cannot be, nothing where all can."""
        if quote.doubt:
            return quote.doubt
        if quote.observed_at and quote.observed_at > self._moment.at + AHEAD:
            return say("feeds.observed_in_future", observed=quote.observed_at)
        if isinstance(quote.alias, str) and (
            said := another_product(quote.gpu, quote.alias)
        ):
            return said
        for name in (quote.instance, quote.gpu):
            stated = _COUNTED.match(name)
            if stated and int(stated["count"]) != _count(quote.count):
                return say("feeds.odd_count_quoted", count=quote.count, name=name[:40])
        if quote.memory_gb is None or quote.gpu_id:
            return ""
        return unlikely_memory(quote.gpu, quote.memory_gb, quote.hints)

    def _usd_per_unit(self, currency: str) -> tuple[str, Decimal]:
        """Return why a currency cannot be turned into dollars, and what one unit is."""
        rate = rate_for(currency, self._moment.rates, self._moment.at.date())
        if isinstance(rate, NoRate):
            return rate.reason, Decimal(0)
        return "", rate.to_usd(Decimal(1))

    def _refuse(self, values: dict[str, Any], price: Any, reason: str) -> None:
        point = PricePoint(**values, raw_total=Decimal(0), micro_usd_per_gpu_hour=0)
        self.reading.refused.append(
            Refused(subject_of(point), reason, str(price)[:80], key_of(point))
        )


def _whose(item: Any, seller: Callable[[Any], str]) -> str:
    try:
        return str(seller(item))
    except _ROW_FAULTS:
        return ""


def subject_of(point: PricePoint) -> str:
    """Name an offer in one line."""
    term = f"{point.term_months} months" if point.term_months else ""
    pricing = point.pricing.replace("_", "-")
    parts = (point.provider, f"{point.gpu} ×{point.gpu_count}", point.instance)
    return " ".join(filter(None, (*parts, point.region, pricing, term)))


def is_price(price: Any) -> bool:
    """Whether a row's figure can be a price at all."""
    return price is not None and not _refusal(number(price))


def number(value: Any) -> Decimal:
    """Return what a row says as a number; NaN where it says none."""
    text = str(value).strip().removeprefix("$").lower()
    is_number = _NUMBER.fullmatch(text) and not isinstance(value, bool)
    return Decimal(text if is_number else "NaN")


def whole(value: Any) -> Any:
    """Return a whole number that a feed writes as text; all else stays as it is."""
    is_whole = isinstance(value, str) and value.isascii() and value.isdigit()
    return int(value) if is_whole and len(value) <= len(str(MOST_GPUS)) else value


def total_of(per_gpu: Any, count: Any) -> Any:
    """Return what some GPUs ask together; a figure that is no price stays as it is."""
    return number(per_gpu) * _count(count) if is_price(per_gpu) else per_gpu


def dollars(cents: Any) -> Any:
    """Return cents as dollars; a figure that is no number stays as it is."""
    stated = number(cents)
    return stated / 100 if stated.is_finite() else cents


def flag(value: Any) -> bool:
    """Return a yes or no; texts and numbers are neither, the text "false" too."""
    if isinstance(value, bool):
        return value
    raise ValueError(say("feeds.not_true_or_false", value=repr(value)))


def gigabytes(value: Any, gpus: Any = 1) -> float | None:
    """Return the memory of one of some GPUs; None where it is not said."""
    return float(value) / _count(gpus) if value not in (None, "", 0) else None


def listed(value: Any) -> list[Any]:
    """Return a list; a text in its place would be taken letter by letter."""
    if not isinstance(value, list):
        raise TypeError(f"{str(value)[:40]!r} is no list")
    return value


def country(code: str) -> str:
    """Return the two letters of a country, nothing where none are stated."""
    if code and not _COUNTRY.fullmatch(code):
        raise ValueError(say("feeds.bad_country", code=code[:40]))
    return code


_STOCK: dict[str, Stock] = {
    **dict.fromkeys(("in-stock", "available", "high", "medium", "low"), "in_stock"),
    **dict.fromkeys(("limited", "limited-stock", "low-stock"), "in_stock"),
    **dict.fromkeys(("waitlist", "waitlisted"), "waitlist"),
    **dict.fromkeys(("out-of-stock", "sold-out", "unavailable"), "out"),
}


def word(said: Any) -> str:
    """Return a word of a feed's own list, however it is hyphenated: In_Stock."""
    return sub(r"[\s_]+", "-", said.strip().lower()) if isinstance(said, str) else ""


def stock_of(said: Any) -> Stock:
    """Return whether an offer can be had, as a feed's word for it says."""
    return _STOCK.get(word(said), "unknown")


def _is_link(url: Any) -> bool:
    return (
        isinstance(url, str)
        and urlsplit(url).scheme in ("https", "http")
        and len(url) <= LONGEST_URL
        and url.isprintable()
        and " " not in url
    )


def _refusal(total: Decimal) -> str:
    """Return why a total is no price, nothing where it is one."""
    if not total.is_finite():
        return "not a number"
    if total == 0:
        return say("feeds.price_zero")
    if total < 0:
        return "a negative price"
    if total > HIGHEST_TOTAL:
        return say("feeds.price_absurd")
    return ""


def _count(value: Any) -> int:
    value = whole(value)
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    if not is_number or value != int(value):
        raise ValueError(say("feeds.no_gpu_number", value=repr(value)))
    count = int(value)
    if not 1 <= count <= MOST_GPUS:
        raise ValueError(say("feeds.too_many_gpus", count=count))
    return count


def _name(value: Any) -> str:
    """Return a name as the source wrote it, on one line and of a sane length."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no name")
    name = " ".join(value.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise ValueError(say("feeds.bad_name"))
    if "<" in name or ">" in name:
        raise ValueError(say("feeds.markup", name=name[:40]))
    return name
