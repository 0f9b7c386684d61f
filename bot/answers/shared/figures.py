"""The small pieces that every answer is made of."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache

from bot.render.views import Action, Cell, Chip, Lever
from bot.render.words import say
from core.answers.answer import Lever as CostLever
from core.answers.answer import Way
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.market.uptime import uptime
from core.money.pricebook import FAR_SOURCE
from core.offers import STATED, Offer
from core.reference.catalogue import Reference
from core.reference.freshness import freshness, stopped
from core.units import Precision
from core.wording import count, dollars
from core.workload import Assumption

CLOCKS_DIFFER = timedelta(hours=1)
"""By how much a source's clock may be ahead of ours."""
PRICING_WORDS = {"on_demand": "on-demand", "spot": "spot", "reserved": "reserved"}


@lru_cache(maxsize=2048)
def money(amount: Decimal, text: str = "") -> Cell:
    """A money cell that sorts by its amount."""
    return Cell(text=text or dollars(amount), value=float(amount))


@lru_cache(maxsize=512)
def number(value: float) -> Cell:
    """A count that sorts by its value."""
    return Cell(text=count(value), value=value)


def format_name(model: ModelSpec, weights: Precision) -> str:
    """A weight format; four bits of a model published in FP4 are its own weights."""
    own = weights == "int4" and model.native_precision == "fp4"
    return "FP4" if own else weights.upper()


def pricing_words(offer: Offer) -> str:
    """How the GPU is paid for: on-demand, spot, 12-month reserved …"""
    words = PRICING_WORDS[offer.pricing]
    if offer.pricing == "reserved" and offer.term_months:
        words = say("shared.reserved", term=_term(offer.term_months))
    if offer.negotiated:
        far = say("shared.far_from_the_market") if offer.source == FAR_SOURCE else ""
        words += say("shared.your_price", far=far)
    if offer.tier in ("community", "serverless"):
        words += f", {offer.tier}"
    return words


def sold_whole(offer: Offer) -> str:
    """The machine that a price per GPU is of, where it is of several; else empty."""
    if offer.gpu_count == 1:
        return ""
    return say(
        "shared.sold_whole",
        gpus=offer.gpu_count,
        usd=offer.usd_per_gpu_hour * offer.gpu_count,
    )


def _term(months: int) -> str:
    return f"{months // 12}-year" if months % 12 == 0 else f"{months}-month"


def provider_name(provider: str, reference: Reference) -> str:
    """The provider's own spelling."""
    known = reference.provider(provider)
    if provider == STATED:
        return say("shared.your_seller")
    return known.name if known else provider


def at_seller(offer: Offer, reference: Reference) -> str:
    """Where it is rented, and how it is paid for unless by the hour."""
    seller, words = provider_name(offer.provider, reference), pricing_words(offer)
    special = words.removeprefix("on-demand").strip(" ,()").replace(" (", ", ")
    return f"{seller} ({special})" if special else seller


def way_name(way: Way, reference: Reference) -> str:
    """What sets a way apart: its own name, else its seller, GPU and pricing."""
    if way.name or way.offer is None:
        return way.name
    offer = way.offer
    seller = provider_name(offer.provider, reference)
    return f"{seller} {sold_gpu(offer.gpu, reference)} {pricing_words(offer)}"


def way_words(way: Way, reference: Reference) -> str:
    """What a way rents, and where; an API by its name."""
    if way.offer is None:
        return way.name
    seller = provider_name(way.offer.provider, reference)
    return say(
        "shared.way_words",
        gpus=way.gpus,
        sold_gpu=sold_gpu(way.offer.gpu, reference),
        seller=seller,
    )


def sla_words(offer: Offer, reference: Reference) -> str:
    """The uptime that a seller commits to for one machine of an offer."""
    return uptime(offer, 1, reference).words


def age(offer: Offer, now: datetime, told: bool = True) -> Cell:
    """How long ago the price was last seen; `told`: and the word where that is long."""
    days = max((now - offer.observed_at).days, 0)
    word, parts = freshness(offer, now), [_ago(days, now, offer)]
    parts += [word] if told and word != "fresh" else []
    parts += [say("shared.age")] if stopped(offer, now) else []
    return Cell(text=", ".join(parts), value=float(days))


def _ago(days: int, now: datetime, offer: Offer) -> str:
    if days >= 1:
        return say("shared.ago", days=days, ending="" if days == 1 else "s")
    if offer.observed_at - now > CLOCKS_DIFFER:
        return "in the future"
    hours = max(now - offer.observed_at, timedelta()).seconds // 3600
    return f"{hours} h" if hours else "under 1 h"


def chips(assumptions: Iterable[Assumption]) -> tuple[Chip, ...]:
    """Every assumption as a chip that opens the form on its field."""
    return tuple(
        Chip(field=a.field, label=a.label, value=a.value, why=a.why)
        for a in assumptions
    )


def price_sources(offers: Iterable[Offer]) -> str:
    """Which sources the prices were read from, and on which days."""
    seen: dict[str, set[str]] = {}
    for offer in offers:
        seen.setdefault(offer.source, set()).add(f"{offer.observed_at:%Y-%m-%d}")
    parts = [f"{source} ({_days(days)})" for source, days in sorted(seen.items())]
    return "Prices: " + ", ".join(parts)


def _days(days: set[str]) -> str:
    first, last = min(days), max(days)
    return first if first == last else f"{first} … {last}"


def share_action(answer_id: str) -> Action:
    """The button that shows an answer to the channel."""
    return Action(id="share", label="Share", value=answer_id)


def why_action(answer_id: str) -> Action:
    """The button that prints the arithmetic."""
    return Action(id="why", label="Why?", value=answer_id)


def gpu_name(gpu: GpuSpec) -> str:
    """A GPU as people write it, without its vendor."""
    return gpu.short


def sold_gpu(name: str, reference: Reference) -> str:
    """What an offer rents; where its source leaves the form factor open, that."""
    known = reference.gpus.get(name)
    if known is not None:
        return gpu_name(known)
    kin = [gpu_name(gpu).split() for gpu in reference.gpus_named(name)]
    shared = [words[0] for words in zip(*kin, strict=False) if len(set(words)) == 1]
    return say("shared.sold_gpu", shared=" ".join(shared)) if shared else name


def monthly(lever: CostLever) -> Lever:
    """A lever with what it does to the month; none of it where that is nothing."""
    amount = lever.usd_difference
    if amount is None:
        return Lever(text=lever.text, difference=lever.note)
    sign = "+" if amount > 0 else ""
    text = f"{sign}{dollars(amount)}/month" if amount else ""
    return Lever(text=lever.text, difference=text, note=lever.note)
