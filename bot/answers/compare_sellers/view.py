"""The same hardware at several sellers, or several machines: the bill side by side."""

from datetime import datetime

from bot.answers.compare_loads.view import contender_name
from bot.answers.shared.figures import (
    age,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
    sla_words,
    sold_gpu,
)
from bot.answers.shared.page import Page
from bot.answers.shared.workload import rented_hours
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.compare import AtSize, OfferComparison
from core.market.board import Bill
from core.market.hours import paid_hours
from core.market.uptime import uptime
from core.money.costs import exact
from core.offers import Offer
from core.provider import ProviderSpec
from core.query import Query
from core.reference.catalogue import Reference
from core.wording import dollars, duration

COLUMNS = (
    "Alternative", "GPUs", "$/GPU-h", "$/h", "$/month", "SLA", "Network", "Price age",
)  # fmt: skip


def offers_view(found: OfferComparison, page: Page) -> AnswerView:
    """The cheapest seller, what the next one costs more, and what that buys."""
    known = found.priced
    offers = [bill.offer for _, bill in known]
    hours = found.constraints.billed_hours_per_month
    return page.answer(
        kind="answer" if known else "no",
        verdict=_verdict(found, page.reference),
        why=_why(found, page.reference),
        table=_table(found, page.reference, page.now) if known else None,
        levers=_flip(found, page.reference),
        notes=(
            *_rented(page.question.query, found, page.reference),
            *_notes(found, page.reference),
        ),
        small_print=(price_sources(offers), f"A month is {hours:,.0f} h.")
        if known
        else (),
    )


def _notes(found: OfferComparison, reference: Reference) -> tuple[str, ...]:
    unpriced = (e for e in found.entries if e.bill is None)
    notes = tuple(_unpriced(entry, reference) for entry in unpriced)
    if not found.any_pricing:
        return notes
    asked = " or ".join(p.replace("_", "-") for p in found.constraints.pricing)
    return (f"No {asked} price is known for these, so we use on-demand.", *notes)


def _verdict(found: OfferComparison, reference: Reference) -> str:
    if not found.priced:
        return "We know no price for any of these"
    entry, best = found.priced[0]
    verdict = f"{_named(entry, best, reference)} · {_rate(best, found)}"
    if len(found.priced) < 2:
        return f"Only one has a known price: {verdict}"
    other, second = found.priced[1]
    flip = found.flip
    named = contender_name(other.contender, reference)
    if flip is None or flip.price_ratio == 1:
        return f"Same price: {verdict}, the same as {named}"
    less = 1 - (
        flip.price_ratio if found.per_gpu else best.usd_per_month / second.usd_per_month
    )
    return f"{verdict}, {less:.0%} less than {named} ({_rate(second, found)})"


def _rate(bill: Bill, found: OfferComparison) -> str:
    """What is compared: the whole machine's hour, or one GPU's."""
    if found.per_gpu:
        return f"{dollars(bill.offer.usd_per_gpu_hour)}/GPU-h"
    return f"{dollars(bill.usd_per_hour)}/h"


def _named(entry: AtSize, bill: Bill, reference: Reference) -> str:
    one, offer = entry.contender, bill.offer
    seller = f"{provider_name(offer.provider, reference)} {pricing_words(offer)}"
    machine = f" ({one.instance})" if one.instance else ""
    return f"{bill.gpus} × {sold_gpu(offer.gpu, reference)}{machine} at {seller}"


def _why(found: OfferComparison, reference: Reference) -> str:
    if len(found.priced) < 2:
        return ""
    (_, first), (_, second) = found.priced[:2]
    more, gained = _more(first, second, found), _gained(found, reference)
    return f"The difference is {more}; it buys {gained}."


def _more(first: Bill, second: Bill, found: OfferComparison) -> str:
    """What the second costs more, in the unit that is compared."""
    if found.per_gpu:
        apart = second.offer.usd_per_gpu_hour - first.offer.usd_per_gpu_hour
        return f"{dollars(apart)} per GPU-hour"
    return f"{dollars(second.usd_per_month - first.usd_per_month)}/month"


def _gained(found: OfferComparison, reference: Reference) -> str:
    """What the dearer of the first two has that the cheaper has not."""
    (_, first), (_, second) = found.priced[:2]
    if first.offer.pricing == "spot" and second.offer.pricing != "spot":
        return "GPUs that do not stop at short notice"
    if second.offer.pricing == "spot" and first.offer.pricing != "spot":
        return "less: spot may stop at short notice"
    if first.offer.pricing == "reserved" and second.offer.pricing != "reserved":
        return f"no commitment for {first.offer.term_months} months"
    one, other = (reference.provider(b.offer.provider) for b in (first, second))
    gained = []
    better, worse = (sla_words(b.offer, reference) for b in (second, first))
    if _uptime(second.offer, reference) > _uptime(first.offer, reference):
        gained.append(f"an SLA of {better} instead of {worse}")
    if _joined(other) > _joined(one):
        gained.append(f"its network ({_network(other)})")
    return " and ".join(gained) or "no better published SLA or network"


def _uptime(offer: Offer, reference: Reference) -> float:
    return uptime(offer, 1, reference).percent or 0.0


def _table(found: OfferComparison, reference: Reference, now: datetime) -> Table:
    return Table(
        caption="Each seller's smallest machine, cheapest GPU-hour first"
        if found.per_gpu
        else "The same GPUs, cheapest month first",
        columns=COLUMNS,
        rows=tuple(_row(e, bill, reference, now) for e, bill in found.priced),
        winner=0,
    )


def _row(
    entry: AtSize, bill: Bill, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    offer = bill.offer
    seller = reference.provider(offer.provider)
    region = f", {offer.region}" if offer.region else ""
    return (
        Cell(text=_seller(entry, bill, reference) + region),
        number(bill.gpus),
        money(offer.usd_per_gpu_hour),
        money(bill.usd_per_hour),
        money(bill.usd_per_month),
        Cell(text=sla_words(offer, reference)),
        Cell(text=_network(seller)),
        age(offer, now),
    )


def _seller(entry: AtSize, bill: Bill, reference: Reference) -> str:
    offer = bill.offer
    what = entry.contender.instance or sold_gpu(offer.gpu, reference)
    name = provider_name(offer.provider, reference)
    return f"{name} {what} {pricing_words(offer)}"


def _joined(seller: ProviderSpec | None) -> int:
    """How well machines are joined: InfiniBand before any network that is published."""
    said = seller.interconnect.lower() if seller and seller.interconnect else ""
    return 2 if "infiniband" in said else int(bool(said))


def _network(seller: ProviderSpec | None) -> str:
    """The first thing that a provider says of its network."""
    said = seller.interconnect if seller else ""
    return said.split(";")[0].split(",")[0] or "not published"


def _flip(found: OfferComparison, reference: Reference) -> tuple[Lever, ...]:
    flip = found.flip
    if flip is None or flip.price_ratio == 1:
        return ()
    (_, first), (other, second) = found.priced[:2]
    named = contender_name(other.contender, reference)
    text = f"{named} becomes cheaper below {dollars(flip.break_even_usd_y)}/GPU-h"
    return (Lever(text=text, difference=f"now +{_more(first, second, found)}"),)


def _unpriced(entry: AtSize, reference: Reference) -> str:
    """An alternative that nobody prices, with the nearest of the same seller."""
    text = f"No price is known for {contender_name(entry.contender, reference)}."
    old, near = entry.expired, entry.nearby
    if old is not None:
        return (
            f"{contender_name(entry.contender, reference)} was last seen at "
            f"{dollars(old.offer.usd_per_gpu_hour)}/GPU-h {pricing_words(old.offer)} "
            f"on {old.offer.observed_at:%Y-%m-%d}: too old to rank."
        )
    if near is None:
        return text
    offer = near.offer
    return (
        f"{text} Nearest there: {sold_gpu(offer.gpu, reference)} at "
        f"{dollars(offer.usd_per_gpu_hour)}/GPU-h {pricing_words(offer)}."
    )


def explain_offers(found: OfferComparison, page: Page) -> AnswerView:
    """GPUs × price × hours for each seller."""
    limits = found.constraints
    steps = [
        f"{_named(entry, bill, page.reference)}: {bill.gpus} × "
        f"{dollars(bill.offer.usd_per_gpu_hour)} = {dollars(bill.usd_per_hour)}/h × "
        f"{paid_hours(bill.offer, limits):,.0f} h = "
        f"{dollars(bill.usd_per_month)}/month ({bill.offer.source}, "
        f"{bill.offer.observed_at:%Y-%m-%d})."
        for entry, bill in found.priced
    ]
    steps += [_unpriced(e, page.reference) for e in found.entries if e.bill is None]
    return page.explained(steps, (), ["break-even-price-ratio"])


def _rented(
    query: Query, found: OfferComparison, reference: Reference
) -> tuple[str, ...]:
    """What each alternative costs for the days that are asked about."""
    hours = rented_hours(query)
    if hours is None:
        return ()
    each = (
        f"{contender_name(entry.contender, reference)} "
        f"{dollars(bill.usd_per_hour * exact(hours))}"
        for entry, bill in found.priced
    )
    return (f"For {duration(hours)}: {', '.join(each)}.",)
