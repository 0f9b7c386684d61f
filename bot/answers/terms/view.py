"""Whether to commit: from how much use on a term costs less than the hour."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal

from bot.answers.shared.figures import (
    age,
    gpu_name,
    money,
    price_sources,
    pricing_words,
    provider_name,
    sold_whole,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.terms import Term, TermsAnswer
from core.hardware import GpuSpec
from core.market.board import billed_gpus
from core.market.hours import paid_hours
from core.market.named_gpus import offers_of
from core.money.costs import exact
from core.money.reserve import TermBreakEven
from core.offers import Offer
from core.reference.catalogue import Reference
from core.units import HOURS_PER_MONTH
from core.wording import dollars
from core.workload import Constraints

COLUMNS = (
    "Offer",
    "$/GPU-h",
    "Commitment",
    say("terms.cheaper_above"),
    say("terms.against_its_on_demand"),
    say("terms.price_age"),
)


def terms_view(found: TermsAnswer, page: Page) -> AnswerView:
    """Yes above so much use, or no; then every known term."""
    offers = [found.on_demand, *(term.offer for term in found.terms), *found.longer]
    offers += [found.spot] if found.spot else []
    return page.answer(
        verdict=_difference(found, page) + _verdict(found, page.reference),
        why=_why(found, page.reference),
        table=_table(found, page.reference, page.now),
        levers=tuple(_levers(found, page.reference)),
        notes=(
            *_in_machines(found, page.reference),
            *_base(found, page.reference),
            *_by_quote(found, page),
        ),
        small_print=(price_sources(offers),),
    )


def _verdict(found: TermsAnswer, reference: Reference) -> str:
    what = f"{found.gpus} × {gpu_name(found.gpu)}"
    return f"{_committed(found, what, reference)}{_spot_words(found, reference)}"


def _difference(found: TermsAnswer, page: Page) -> str:
    """How far the hour and the term are apart, where that is asked; else empty."""
    best = found.best
    if best is None or not page.question.query.asks_difference:
        return ""
    both = found.on_demand.usd_per_gpu_hour, best.offer.usd_per_gpu_hour
    hourly, term = (round(usd, 2) for usd in both)  # as they are shown
    return say(
        "terms.difference",
        apart=hourly - term,
        share=1 - term / hourly,
        hourly=hourly,
        term=term,
        pricing_words=pricing_words(best.offer),
        saved=found.by_the_hour - found.on_term(best),
    )


def _spot_words(found: TermsAnswer, reference: Reference) -> str:
    """Spot beside them, with what it is worth."""
    if found.spot is None:
        return ""
    price = found.spot.usd_per_gpu_hour
    off = 1 - price / found.on_demand.usd_per_gpu_hour
    less = (
        say("terms.below_on_demand", off=off)
        if off > 0
        else say("terms.not_below_on_demand")
    )
    seller = provider_name(found.spot.provider, reference)
    return say("terms.spot_costs", price=price, seller=seller, less=less)


def _committed(found: TermsAnswer, what: str, reference: Reference) -> str:
    best = found.best
    if not found.terms:
        return (_too_long if found.longer else _to_ask_for)(found, reference)
    if best is None:
        least = found.terms[0].offer
        in_use = ""
        if found.use is not None:
            in_use = say("terms.hours_a_month", hours=found.hours)
        return say(
            "terms.no_cost_per_gpu",
            what=what,
            hourly=found.on_demand.usd_per_gpu_hour,
            month=found.by_the_hour,
            month_2=found.committed(least) / exact(least.term_months),
            at=_at(found, reference),
            all_hours=found.by_the_hour * exact(least.term_months),
            months=least.term_months,
            in_use=in_use,
            term=least.usd_per_gpu_hour,
            committed=found.committed(least),
            provider_name=provider_name(least.provider, reference),
            pricing_words=pricing_words(least),
            at_home=_at_home(found.terms[0], found, reference),
        )
    seller = provider_name(best.offer.provider, reference)
    term = f"{seller}, {pricing_words(best.offer)}"
    if found.use is None:
        saved = found.by_the_hour - found.on_term(best)
        return say(
            "terms.reserve_if_used",
            what=what,
            term=term,
            commitment=best.compared.commitment_usd * found.gpus,
            use=_use(best.compared),
            saved=saved,
            at_home=_at_home(best, found, reference),
        )
    hours = found.hours
    hourly = say(
        "terms.by_the_hour_month",
        by_the_hour=found.by_the_hour,
        at=_at(found, reference),
    )
    committed = f"{dollars(found.on_term(best))} ({term})"
    if found.pays:
        return say(
            "terms.yes_reserving_is_cheaper",
            hours=hours,
            what=what,
            committed=committed,
            hourly=hourly,
        )
    return say(
        "terms.no_by_the_hour_is_cheaper",
        hours=hours,
        what=what,
        hourly=hourly,
        committed=committed,
        use=_use(best.compared),
    )


def _in_machines(found: TermsAnswer, reference: Reference) -> Iterator[str]:
    """Whose terms are sold in machines only, and how many GPUs are compared for it."""
    term = found.best or (found.terms[0] if found.terms else None)
    told = found.limits.count and found.gpus > found.limits.count
    if term is None or told or term.offer.gpu_count <= (found.limits.count or 1):
        return
    yield say(
        "terms.in_machines",
        seller=provider_name(term.offer.provider, reference),
        gpu_name=gpu_name(found.gpu),
        gpu_count=term.offer.gpu_count,
        committed=found.committed(term.offer)
        / found.gpus
        * billed_gpus(term.offer, found.gpus),
    )


def _base(found: TermsAnswer, reference: Reference) -> Iterator[str]:
    """What to reserve of GPUs some of which never rest, and what that saves."""
    least, hour = found.least, found.on_demand.usd_per_gpu_hour
    if least is None or not 0 < least < found.gpus:
        return
    rest = found.gpus - least
    best = found.best.offer if found.best else None
    if best is None or best.usd_per_gpu_hour >= hour:
        yield say("terms.base_waits", least=least, gpus=found.gpus, hour=hour)
        return
    saved = (hour - best.usd_per_gpu_hour) * least * exact(HOURS_PER_MONTH)
    seller = f"{provider_name(best.provider, reference)}, {pricing_words(best)}"
    yield say("terms.base_reserved", least=least, term=seller, saved=saved, rest=rest)


def _by_quote(found: TermsAnswer, page: Page) -> Iterator[str]:
    """Who sells terms of this GPU beside those whose prices are known."""
    published = [term.offer for term in found.terms] + list(found.longer)
    below = found.on_demand.usd_per_gpu_hour
    return quoted_terms(found.gpu, found.limits, published, below, page)


def quoted_terms(
    gpu: GpuSpec,
    limits: Constraints,
    published: Iterable[Offer],
    below: Decimal,
    page: Page,
) -> Iterator[str]:
    """Who sells terms of a GPU without a price that is known: one may cost less."""
    reference = page.reference
    by_hour = limits.model_copy(
        update={"pricing": ("on_demand",), "term_months": None, "count": None}
    )
    known = {offer.provider for offer in published}
    elsewhere = {  # at another place, or for another span
        offer.provider
        for offer in page.question.catalog.offers
        if offer.gpu == gpu.id and offer.pricing == "reserved"
    }
    quoted = [
        seller.name
        for name in dict.fromkeys(
            offer.provider for offer in offers_of(gpu, by_hour, *page.question.market)
        )
        if name not in known | elsewhere
        and (seller := reference.provider(name)) is not None
        and seller.reserved_terms_months
    ]
    if not quoted:
        return
    sellers = ", ".join(quoted[:QUOTED])
    if not known:
        yield say("terms.all_by_quote", sellers=sellers, below=below)
        return
    names = " and ".join(sorted(provider_name(one, reference) for one in known))
    yield say("terms.others_by_quote", names=names, sellers=sellers, below=below)


QUOTED = 5
"""Sellers to ask that are named, the cheapest by the hour first."""


def _at_home(term: Term, found: TermsAnswer, reference: Reference) -> str:
    """What a term takes off the hour of its own seller, where another's is cheaper."""
    saved, home = found.saved_at_home(term), term.at_home
    if home is None or not saved or term.offer.provider == found.on_demand.provider:
        return ""
    return say(
        "terms.at_the_same_seller",
        saved=saved,
        off=home.saving,
        seller=provider_name(term.offer.provider, reference),
        hour=term.hour_at_home,
        above=1 - home.saving,
        months=home.months_of_full_use,
        yours="" if found.use is None else say("terms.at_your_use", use=found.use),
    )


def _too_long(found: TermsAnswer, reference: Reference) -> str:
    """What the months cost by the hour, and the shortest term that is known."""
    term = found.longer[0]
    return say(
        "terms.only_longer",
        what=f"{found.gpus} × {gpu_name(found.gpu)}",
        months=found.limits.term_months,
        by_the_hour=found.whole_hours,
        hourly=found.on_demand.usd_per_gpu_hour,
        at=_at(found, reference),
        seller=provider_name(term.provider, reference),
        term=term.term_months,
        committed=found.committed(term),
    )


def _to_ask_for(found: TermsAnswer, reference: Reference) -> str:
    hourly, use = found.on_demand.usd_per_gpu_hour, found.use
    billed = billed_gpus(found.on_demand, found.gpus)
    asked = say("terms.we_know_no_reserved", gpu_name=gpu_name(found.gpu))
    price = say(
        "terms.price_by_the_hour",
        hourly=hourly,
        at=_at(found, reference),
        whole=sold_whole(found.on_demand),
        by_the_hour=found.by_the_hour / found.gpus * billed,
    )
    if use is None:
        return asked + price
    return say(
        "terms.per_gpu_hour_of", asked=asked, hourly=hourly * use, use=use, price=price
    )


def _at(found: TermsAnswer, reference: Reference) -> str:
    seller = provider_name(found.on_demand.provider, reference)
    return say("terms.by_the_hour_at", seller=seller)


def _why(found: TermsAnswer, reference: Reference) -> str:
    rule = say("terms.you_pay_a_reserved")
    best = found.best
    if found.longer:
        hourly = found.on_demand.usd_per_gpu_hour
        return say("terms.ask_for_less", months=found.limits.term_months, hourly=hourly)
    if not found.terms:
        return say("terms.rule_of_discounts", rule=rule)
    if best is None and found.use is not None:
        return say(
            "terms.in_use",
            rule=rule,
            use=found.use,
            by_the_hour=found.by_the_hour,
            committed=found.on_term(found.terms[0]),
        )
    if best is None:
        return rule
    both = found.on_demand.usd_per_gpu_hour, best.offer.usd_per_gpu_hour
    hourly, term = (round(usd, 2) for usd in both)  # as they are shown
    months = found.committed(best.offer) / found.by_the_hour
    used = say("terms.at_full_use")
    if found.use is not None:
        used = say("terms.at_this_use", use=found.use)
    return say(
        "terms.the_whole_term_costs",
        rule=rule,
        term=term,
        hourly=hourly,
        at=_at(found, reference),
        use=_use(best.compared),
        months=months,
        used=used,
    )


def _use(compared: TermBreakEven) -> str:
    return f"{1 - compared.saving:.0%}"


def _table(found: TermsAnswer, reference: Reference, now: datetime) -> Table:
    hourly = found.on_demand
    rows: list[tuple[Cell, ...]] = [
        (
            Cell(text=_name(hourly, reference)),
            money(hourly.usd_per_gpu_hour),
            Cell(text="none"),
            Cell(text=say("terms.any_use")),
            Cell(text=""),
            age(hourly, now),
        )
    ]
    rows += [_row(term, found.gpus, reference, now) for term in found.terms]
    rows += [_longer_row(offer, found, reference, now) for offer in found.longer]
    rows += [_spot_row(found.spot, reference, now)] if found.spot else []
    best = found.best
    winner = 0 if best is None or not found.pays else 1 + found.terms.index(best)
    return Table(
        caption=say("terms.each_known_term_against"),
        columns=COLUMNS,
        rows=tuple(rows),
        winner=winner,
    )


def _longer_row(
    offer: Offer, found: TermsAnswer, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    return (
        Cell(text=_name(offer, reference)),
        money(offer.usd_per_gpu_hour),
        money(found.committed(offer)),
        Cell(text=say("terms.longer_row")),
        Cell(text=""),
        age(offer, now),
    )


def _spot_row(spot: Offer, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    return (
        Cell(text=_name(spot, reference)),
        money(spot.usd_per_gpu_hour),
        Cell(text="none"),
        Cell(text=say("terms.spot_row")),
        Cell(text=""),
        age(spot, now),
    )


def _row(
    term: Term, gpus: int, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    home = term.at_home
    return (
        Cell(text=_name(term.offer, reference)),
        money(term.offer.usd_per_gpu_hour),
        money(term.compared.commitment_usd * gpus),
        Cell(text=_pays(term.compared)),
        Cell(
            text=f"−{home.saving:.0%}"
            if home and home.saving > 0
            else say("terms.no_saving")
        ),
        age(term.offer, now),
    )


def _pays(compared: TermBreakEven) -> str:
    if compared.hours_per_month is None:
        return "never"
    return say(
        "terms.pays", use=_use(compared), hours_per_month=compared.hours_per_month
    )


def _name(offer: Offer, reference: Reference) -> str:
    return f"{provider_name(offer.provider, reference)} {pricing_words(offer)}"


def _levers(found: TermsAnswer, reference: Reference) -> Iterator[Lever]:
    best = found.best
    if best is None:
        return
    saved = found.on_demand.usd_per_gpu_hour - best.offer.usd_per_gpu_hour
    hours = paid_hours(best.offer, found.limits)
    yield Lever(
        text=say("terms.levers"),
        difference=f"−{dollars(saved * found.gpus * hours)}/month",
    )


def explain_terms(found: TermsAnswer, page: Page) -> AnswerView:
    """The division for each term."""
    hourly = found.on_demand.usd_per_gpu_hour
    steps = [
        say(
            "terms.explain_terms",
            name=_name(term.offer, page.reference),
            usd_per_gpu_hour=term.offer.usd_per_gpu_hour,
            hourly=hourly,
            use=_use(term.compared),
            commitment_usd=term.compared.commitment_usd * found.gpus,
        )
        for term in found.terms
    ]
    steps += _in_use(found, page.reference)
    return page.explained(steps, (), ("reserved-base",))


def _in_use(found: TermsAnswer, reference: Reference) -> Iterator[str]:
    """The hours that are worked, at either price; without a term what to ask for."""
    hourly, use = found.on_demand.usd_per_gpu_hour, found.use
    seller = provider_name(found.on_demand.provider, reference)
    if use is None:
        if not found.terms:
            yield say("terms.hourly_price", hourly=hourly, seller=seller)
        return
    billed = found.gpus if found.terms else billed_gpus(found.on_demand, found.gpus)
    yield (
        say(
            "terms.by_the_hour_h",
            gpus=billed,
            hourly=hourly,
            machine=hourly * billed,
            seller=seller,
            hours=found.hours,
            by_the_hour=found.by_the_hour / found.gpus * billed,
            use=use,
            hourly_2=hourly * use,
        )
    )
    for term in found.terms:
        price = term.offer.usd_per_gpu_hour
        yield (
            say(
                "terms.step_of_a_term",
                name=_name(term.offer, reference),
                gpus=found.gpus,
                price=price,
                paid_hours=paid_hours(term.offer, found.limits),
                on_term=found.on_term(term),
            )
        )
