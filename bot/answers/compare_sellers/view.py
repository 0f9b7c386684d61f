"""The same hardware at several sellers, or several machines: the bill side by side."""

from datetime import datetime
from decimal import Decimal

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
from bot.render.words import say
from core.answers.compare import AtSize, OfferComparison
from core.market.board import Bill
from core.market.hours import paid_hours
from core.market.uptime import uptime
from core.money.costs import exact
from core.offers import Offer
from core.provider import ProviderSpec
from core.query import Query
from core.reference.catalogue import Reference
from core.units import HOURS_PER_MONTH
from core.wording import dollars, unit_price

COLUMNS = (
    "Alternative",
    "GPUs",
    "$/GPU-h",
    "$/h",
    "$/month",
    "SLA",
    "Network",
    say("compare_sellers.price_age"),
)


def offers_view(found: OfferComparison, page: Page) -> AnswerView:
    """The cheapest seller, what the next one costs more, and what that buys."""
    known = found.priced
    offers = [bill.offer for _, bill in known]
    hours = found.constraints.billed_hours_per_month
    return page.answer(
        kind="answer" if known else "no",
        verdict=_verdict(found, page.reference) + _unknown(found, page.reference),
        why=_why(found, page.reference, rented_hours(page.question.query)),
        table=_table(found, page.reference, page.now) if known else None,
        levers=_flip(found, page.reference),
        notes=(
            *_bound(found, page.reference),
            *_over_a_term(found, page.reference),
            *_rented(page.question.query, found, page.reference),
            *_notes(found, page.reference),
        ),
        small_print=(
            price_sources(offers),
            say("compare_sellers.offers_view", hours=hours),
        )
        if known
        else (),
    )


def _bound(found: OfferComparison, reference: Reference) -> tuple[str, ...]:
    """What each stated offer commits to over its term, where the terms differ."""
    bills = [bill for _, bill in found.priced if bill.offer.negotiated]
    if found.per_gpu or len({bill.offer.term_months for bill in bills}) < 2:
        return ()
    each = (
        say(
            "compare_sellers.commits",
            seller=provider_name(bill.offer.provider, reference),
            usd=bill.usd_per_month * bill.offer.term_months,
            months=bill.offer.term_months,
        )
        for bill in bills
        if bill.offer.term_months
    )
    return (" ".join((*each, say("compare_sellers.shorter_term"))),)


def _unknown(found: OfferComparison, reference: Reference) -> str:
    """What no row tells: sides without a price, and a form sold in the number asked."""
    each = [entry for entry in found.entries if entry.bill is None]
    if len(found.priced) < 2 or len(each) > MANY:
        each = []
    said = [_unpriced(entry, reference).rstrip(".") for entry in each]
    said += [
        say(
            "compare_sellers.other_form",
            seller=provider_name(bill.offer.provider, reference),
            gpus=bill.gpus,
            gpu=sold_gpu(bill.offer.gpu, reference),
            usd=bill.usd_per_month,
        )
        for entry in found.entries
        if not found.per_gpu and (bill := entry.other_form)
    ]
    return "".join(f". {one}" for one in said)


def _over_a_term(found: OfferComparison, reference: Reference) -> tuple[str, ...]:
    """What each costs for the months that are asked about, all of them."""
    months = found.constraints.term_months
    if not months or not found.priced:
        return ()
    each = (
        f"{contender_name(entry.contender, reference)} "
        f"{dollars(bill.usd_per_month * months)}"
        for entry, bill in found.priced
    )
    return (say("compare_sellers.term", months=months, each="; ".join(each)),)


def _notes(found: OfferComparison, reference: Reference) -> tuple[str, ...]:
    said = len(found.priced) == 1
    unpriced = (
        e for e in found.entries if len(found.priced) < 2
        if e.bill is None and not (said and e.expired is e.nearby is None)
    )  # fmt: skip
    notes = tuple(_unpriced(entry, reference) for entry in unpriced)
    if not found.any_pricing:
        return notes
    asked = " or ".join(p.replace("_", "-") for p in found.constraints.pricing)
    return (say("compare_sellers.notes", asked=asked), *notes)


def _verdict(found: OfferComparison, reference: Reference) -> str:
    if not found.priced:
        return say("compare_sellers.we_know_no_price")
    entry, best = found.priced[0]
    verdict = f"{_named(entry, best, reference)} · {_rate(best, found)}"
    tied = _tied(found)
    if tied and FEW < len(found.priced) <= MANY:
        verdict = say(
            "compare_sellers.same_price",
            named=_named(entry, best, reference),
            others=" or ".join(
                contender_name(one.contender, reference) for one in tied
            ),
            rate=_rate(best, found),
        )
    if len(found.priced) < 2:
        unknown = (e.contender for e in found.entries if e.bill is None)
        others = " or ".join(contender_name(one, reference) for one in unknown)
        return say("compare_sellers.only_one_priced", verdict=verdict, others=others)
    other, second = found.priced[1]
    if second is found.spot_below:
        spot = _spot(second, found, reference)
        return say("compare_sellers.for_live_traffic", verdict=verdict, spot=spot)
    if FEW < len(found.priced) <= MANY:
        return ". ".join(filter(None, (verdict, _others(found, reference))))
    flip = found.flip
    named = contender_name(other.contender, reference)
    if flip is None or flip.price_ratio == 1:
        return say("compare_sellers.same_price_the_same", verdict=verdict, named=named)
    rate = _rate(second, found)
    if best.gpus != second.gpus and not found.per_gpu:
        apart = _share(1 - flip.price_ratio)
        return say(
            "compare_sellers.less_of_more",
            verdict=verdict,
            apart=apart,
            usd=_each(best),
            named=named,
            usd_2=_each(second),
            gpus=second.gpus,
            rate=rate,
        )
    ratio = flip.price_ratio
    if not found.per_gpu:
        ratio = best.usd_per_month / second.usd_per_month
    apart = _share(1 - ratio)
    told = say(
        "compare_sellers.less_than", verdict=verdict, apart=apart, named=named,
        rate=rate,
    )  # fmt: skip
    return told + _at_home(best, second.offer, found, reference)


def _share(less: Decimal) -> str:
    """How much less or more the first of two costs."""
    if less < 0:
        return say("compare_sellers.more_per_gpu", more=-less)
    return say("compare_sellers.less_per_gpu", less=less)


def _at_home(
    spot: Bill, other: Offer, found: OfferComparison, reference: Reference
) -> str:
    """What spot costs less than the hour of its own seller; another's stands beside."""
    same, usd = found.uninterrupted, spot.offer.usd_per_gpu_hour
    spot_only = spot.offer.pricing == "spot"
    if same is None or not spot_only or same.offer.provider == other.provider:
        return ""
    hour = same.offer.usd_per_gpu_hour
    seller = provider_name(spot.offer.provider, reference)
    return say(
        "compare_sellers.spot_at_home", seller=seller, less=1 - usd / hour, usd=hour
    )


def _spot(spot: Bill, found: OfferComparison, reference: Reference) -> str:
    """What spot costs less than what leads, and than its own seller's hour."""
    usd, first = spot.offer.usd_per_gpu_hour, found.priced[0][1].offer
    own = _at_home(spot, first, found, reference)
    less = 1 - usd / first.usd_per_gpu_hour
    apart = say("compare_sellers.spot_less", less=less)
    if less < 0:
        apart = say("compare_sellers.spot_more", more=-less)
    seller = provider_name(spot.offer.provider, reference)
    return say("compare_sellers.spot_beside", usd=usd, seller=seller, apart=apart) + own


FEW, MANY = 2, 5
"""Between so many sellers a headline says what each of the others costs more."""


def _others(found: OfferComparison, reference: Reference) -> str:
    """What each of the others costs beyond the first, the nearest first."""
    (_, first), *rest = found.priced
    said = []
    for entry, bill in rest:
        named = contender_name(entry.contender, reference)
        more = _more(first, bill, found)
        if _apart(first, bill, found) > 0:
            said.append(say("compare_sellers.costs_more", named=named, more=more))
    return "; ".join(said)


def _tied(found: OfferComparison) -> list[AtSize]:
    """The others that cost what the first costs: none of them is the one to take."""
    (_, first), *rest = found.priced
    return [entry for entry, bill in rest if _apart(first, bill, found) == 0]


def _rate(bill: Bill, found: OfferComparison) -> str:
    """What is compared: the whole machine's month, or one GPU's hour."""
    if found.per_gpu:
        return f"{dollars(bill.offer.usd_per_gpu_hour)}/GPU-h"
    return f"{dollars(bill.usd_per_month)}/month"


def _named(entry: AtSize, bill: Bill, reference: Reference) -> str:
    one, offer = entry.contender, bill.offer
    seller = f"{provider_name(offer.provider, reference)} {pricing_words(offer)}"
    machine = f" ({one.instance})" if one.instance else ""
    return say(
        "compare_sellers.gpus_at_seller",
        gpus=bill.gpus,
        sold_gpu=sold_gpu(offer.gpu, reference),
        machine=machine,
        seller=seller,
    )


def _why(found: OfferComparison, reference: Reference, hours: float | None) -> str:
    if found.spot_below is not None:
        return say("compare_sellers.spot_is_no_way")
    if len(found.priced) < 2:
        return ""
    (_, first), (_, second) = found.priced[:2]
    if not _apart(first, second, found):
        return say("compare_sellers.price_decides_nothing")
    if _apart(first, second, found) < 0 and (doubt := second.offer.doubt):
        name = provider_name(second.offer.provider, reference)
        return say("compare_sellers.doubtful", name=name, doubt=doubt)
    more, gained = _more(first, second, found), _gained(found, reference)
    if not found.per_gpu and hours is None:
        more = f"{more} ({dollars(12 * _apart(first, second, found))} a year)"
    if first.gpus < second.gpus and not found.per_gpu:
        machine = second.gpus - first.gpus
        gained = say("compare_sellers.more_gpus", more=machine, gained=gained)
    why = say("compare_sellers.why", more=more, gained=gained)
    if found.per_gpu and found.constraints.count and first.gpus > second.gpus:
        share = second.gpus / first.gpus
        told = say("compare_sellers.on_more_gpus", gpus=first.gpus, share=share)
        return f"{why} {told}"
    return why


def _more(first: Bill, second: Bill, found: OfferComparison) -> str:
    """What the second costs more, in the unit that is compared."""
    apart = _apart(first, second, found)
    if found.per_gpu:
        return say("compare_sellers.more", apart=apart)
    return f"{dollars(apart)}/month"


def _apart(first: Bill, second: Bill, found: OfferComparison) -> Decimal:
    """Dollars that the second costs more: a month, or an hour of one GPU."""
    if found.per_gpu:
        return second.offer.usd_per_gpu_hour - first.offer.usd_per_gpu_hour
    return second.usd_per_month - first.usd_per_month


def _gained(found: OfferComparison, reference: Reference) -> str:
    """What the more expensive of the first two has that the other has not."""
    (_, first), (_, second) = found.priced[:2]
    if first.offer.pricing == "spot" and second.offer.pricing != "spot":
        restarts = "" if found.live else say("compare_sellers.may_restart")
        return say("compare_sellers.uninterrupted_gpus") + restarts
    if second.offer.pricing == "spot" and first.offer.pricing != "spot":
        return say("compare_sellers.less_spot_may_stop")
    if first.offer.pricing == "reserved" and second.offer.pricing != "reserved":
        return say(
            "compare_sellers.no_commitment_for_months",
            term_months=first.offer.term_months,
        )
    one, other = (reference.provider(b.offer.provider) for b in (first, second))
    gained = []
    better, worse = (sla_words(b.offer, reference) for b in (second, first))
    if _uptime(second.offer, reference) > _uptime(first.offer, reference):
        gained.append(
            say("compare_sellers.an_sla_of_instead", better=better, worse=worse)
        )
    if _joined(other) > _joined(one):
        gained.append(say("compare_sellers.its_network", network=_network(other)))
    return " and ".join(gained) or say("compare_sellers.no_better_published_sla")


def _uptime(offer: Offer, reference: Reference) -> float:
    return uptime(offer, 1, reference).percent or 0.0


def _table(found: OfferComparison, reference: Reference, now: datetime) -> Table:
    return Table(
        caption=say("compare_sellers.each_seller_s_smallest")
        if found.per_gpu
        else say("compare_sellers.the_same_gpus_cheapest"),
        columns=COLUMNS,
        rows=tuple(_row(e, bill, reference, now) for e, bill in found.priced),
        winner=None if _tied(found) else 0,
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
        money(offer.usd_per_gpu_hour, _each(bill)),
        money(bill.usd_per_hour),
        money(bill.usd_per_month),
        Cell(text=sla_words(offer, reference)),
        Cell(text=_network(seller)),
        age(offer, now),
    )


def _each(bill: Bill) -> str:
    """What an hour of one GPU costs, with the digits that the machine's hour takes."""
    return unit_price(bill.offer.usd_per_gpu_hour, Decimal(bill.gpus))


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
    return said.split(";")[0].split(",")[0] or say("compare_sellers.network")


def _flip(found: OfferComparison, reference: Reference) -> tuple[Lever, ...]:
    flip = found.flip
    if flip is None or flip.price_ratio == 1:
        return ()
    (_, first), (other, second) = found.priced[:2]
    named = contender_name(other.contender, reference)
    text = say(
        "compare_sellers.becomes_cheaper_below_gpu",
        named=named,
        break_even_usd_y=flip.break_even_usd_y,
    )
    return (
        Lever(
            text=text,
            difference=say(
                "compare_sellers.difference_now", more=_more(first, second, found)
            ),
        ),
    )


def _unpriced(entry: AtSize, reference: Reference) -> str:
    """An alternative that nobody prices, with the nearest of the same seller."""
    text = say(
        "compare_sellers.no_price_is_known",
        contender_name=contender_name(entry.contender, reference),
    )
    old, near = entry.expired, entry.nearby
    if old is not None:
        return say(
            "compare_sellers.last_seen",
            contender_name=contender_name(entry.contender, reference),
            usd_per_gpu_hour=old.offer.usd_per_gpu_hour,
            pricing_words=pricing_words(old.offer),
            observed_at=old.offer.observed_at,
        )
    if near is None:
        return text
    offer = near.offer
    return say(
        "compare_sellers.nearest_there_at_gpu",
        text=text,
        sold_gpu=sold_gpu(offer.gpu, reference),
        usd_per_gpu_hour=offer.usd_per_gpu_hour,
        pricing_words=pricing_words(offer),
    )


def explain_offers(found: OfferComparison, page: Page) -> AnswerView:
    """GPUs × price × hours for each seller."""
    limits = found.constraints
    steps = [
        say(
            "compare_sellers.explain_offers",
            named=_named(entry, bill, page.reference),
            gpus=bill.gpus,
            usd_per_gpu_hour=bill.offer.usd_per_gpu_hour,
            usd_per_hour=bill.usd_per_hour,
            paid_hours=paid_hours(bill.offer, limits),
            usd_per_month=bill.usd_per_month,
            source=bill.offer.source,
            observed_at=bill.offer.observed_at,
        )
        for entry, bill in found.priced
    ]
    if len(found.priced) > FEW:
        steps.append(f"{_others(found, page.reference)}.")
    steps += [_unpriced(e, page.reference) for e in found.entries if e.bill is None]
    return page.explained(steps, (), ["break-even-price-ratio"])


def _rented(
    query: Query, found: OfferComparison, reference: Reference
) -> tuple[str, ...]:
    """What each alternative costs for the days that are asked about."""
    hours = rented_hours(query)
    if hours is None or not found.priced:
        return ()
    each = (
        f"{contender_name(entry.contender, reference)} "
        f"{dollars(bill.usd_per_hour * exact(hours))}"
        for entry, bill in found.priced
    )
    said = say("compare_sellers.rented", hours=hours, each=", ".join(each))
    if hours < HOURS_PER_MONTH or query.pricing:
        return (said,)
    return (f"{said} {_reserved(found, reference)}",)


def _reserved(found: OfferComparison, reference: Reference) -> str:
    """What a commitment for that long costs, where a seller publishes it."""
    each = [
        say(
            "compare_sellers.reserved_price",
            named=contender_name(entry.contender, reference),
            usd=bill.offer.usd_per_gpu_hour,
            months=bill.offer.term_months,
        )
        for entry, bill in found.reserved
    ]
    if not each:
        return say("compare_sellers.reserved_unknown")
    return say("compare_sellers.reserved", each=", ".join(each))
