"""Whether to commit: from how much use on a term costs less than the hour."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from bot.answers.shared.figures import (
    age,
    gpu_name,
    money,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.terms import Term, TermsAnswer
from core.market.hours import paid_hours
from core.money.reserve import TermBreakEven
from core.offers import Offer
from core.reference.catalogue import Reference
from core.wording import dollars

COLUMNS = (
    "Offer", "$/GPU-h", "Commitment", "Cheaper above", "Against its on-demand",
    "Price age",
)  # fmt: skip


def terms_view(found: TermsAnswer, page: Page) -> AnswerView:
    """Yes above so much use, or no; then every known term."""
    offers = [found.on_demand, *(term.offer for term in found.terms)]
    offers += [found.spot] if found.spot else []
    return page.answer(
        verdict=_verdict(found, page.reference),
        why=_why(found, page.reference),
        table=_table(found, page.reference, page.now),
        levers=tuple(_levers(found, page.reference)),
        small_print=(price_sources(offers),),
    )


def _verdict(found: TermsAnswer, reference: Reference) -> str:
    what = f"{found.gpus} × {gpu_name(found.gpu)}"
    return f"{_committed(found, what, reference)}{_spot_words(found, reference)}"


def _spot_words(found: TermsAnswer, reference: Reference) -> str:
    """Spot beside them, with what it is worth."""
    if found.spot is None:
        return ""
    price = found.spot.usd_per_gpu_hour
    off = 1 - price / found.on_demand.usd_per_gpu_hour
    less = f"{off:.0%} below on-demand" if off > 0 else "not below on-demand"
    seller = provider_name(found.spot.provider, reference)
    return f". Spot costs {dollars(price)} ({seller}), {less}, and may stop any time"


def _committed(found: TermsAnswer, what: str, reference: Reference) -> str:
    best = found.best
    if not found.terms:
        return _to_ask_for(found, reference)
    if best is None:
        least = found.terms[0].offer
        return (
            f"No: {what} cost {dollars(found.on_demand.usd_per_gpu_hour)} per GPU-hour "
            f"{_at(found, reference)}. The cheapest term costs "
            f"{dollars(least.usd_per_gpu_hour)} "
            f"({provider_name(least.provider, reference)}, {pricing_words(least)})"
        )
    seller = provider_name(best.offer.provider, reference)
    term = f"{seller}, {pricing_words(best.offer)}"
    if found.use is None:
        return (
            f"Reserve {what} at {term} if you use them more than "
            f"{_use(best.compared)} of the time"
        )
    hours = found.limits.billed_hours_per_month
    hourly = f"{dollars(found.by_the_hour)}/month {_at(found, reference)}"
    committed = f"{dollars(found.on_term(best))} ({term})"
    if found.pays:
        return f"Yes: for {hours:,.0f} h a month {what} cost {committed}, not {hourly}"
    return (
        f"No: for {hours:,.0f} h a month {what} cost {hourly}, not {committed}. "
        f"Reserving is cheaper above {_use(best.compared)} use"
    )


def _to_ask_for(found: TermsAnswer, reference: Reference) -> str:
    hourly, use = found.on_demand.usd_per_gpu_hour, found.use
    asked = f"We know no reserved price for {gpu_name(found.gpu)}: ask for less than "
    price = f"{dollars(hourly)} per GPU-hour, the price {_at(found, reference)}"
    if use is None:
        return asked + price
    return f"{asked}{dollars(hourly * use)} per GPU-hour, {use:.0%} of {price}"


def _at(found: TermsAnswer, reference: Reference) -> str:
    seller = provider_name(found.on_demand.provider, reference)
    return f"by the hour at {seller}"


def _why(found: TermsAnswer, reference: Reference) -> str:
    rule = (
        "You pay a reserved GPU every hour, used or not. It is cheaper if your use is "
        "above reserved price ÷ on-demand price."
    )
    best = found.best
    if not found.terms:
        return f"{rule} At 20 % off that is 80 % use, at 40 % off 60 %."
    if best is None:
        return rule
    hourly, term = found.on_demand.usd_per_gpu_hour, best.offer.usd_per_gpu_hour
    months = best.compared.months_of_full_use or Decimal(0)
    return (
        f"{rule} {dollars(term)} ÷ {dollars(hourly)} {_at(found, reference)} = "
        f"{_use(best.compared)}. The whole term costs the same as {months:.1f} months "
        "of full use by the hour."
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
            Cell(text="any use"),
            Cell(text=""),
            age(hourly, now),
        )
    ]
    rows += [_row(term, found.gpus, reference, now) for term in found.terms]
    rows += [_spot_row(found.spot, reference, now)] if found.spot else []
    best = found.best
    winner = 0 if best is None or not found.pays else 1 + found.terms.index(best)
    return Table(
        caption="Each known term against the cheapest on-demand price",
        columns=COLUMNS,
        rows=tuple(rows),
        winner=winner,
    )


def _spot_row(spot: Offer, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    return (
        Cell(text=_name(spot, reference)),
        money(spot.usd_per_gpu_hour),
        Cell(text="none"),
        Cell(text="may stop any time"),
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
        Cell(text=f"−{home.saving:.0%}" if home and home.saving > 0 else "no saving"),
        age(term.offer, now),
    )


def _pays(compared: TermBreakEven) -> str:
    if compared.hours_per_month is None:
        return "never"
    return f"{_use(compared)} use ({compared.hours_per_month:,.0f} h/month)"


def _name(offer: Offer, reference: Reference) -> str:
    return f"{provider_name(offer.provider, reference)} {pricing_words(offer)}"


def _levers(found: TermsAnswer, reference: Reference) -> Iterator[Lever]:
    best = found.best
    if best is None:
        return
    saved = found.on_demand.usd_per_gpu_hour - best.offer.usd_per_gpu_hour
    hours = paid_hours(best.offer, found.limits)
    yield Lever(
        text="At full use, against renting by the hour",
        difference=f"−{dollars(saved * found.gpus * hours)}/month",
    )


def explain_terms(found: TermsAnswer, page: Page) -> AnswerView:
    """The division for each term."""
    hourly = found.on_demand.usd_per_gpu_hour
    steps = [
        f"{_name(term.offer, page.reference)}: "
        f"{dollars(term.offer.usd_per_gpu_hour)} ÷ {dollars(hourly)} = "
        f"{_use(term.compared)} of the hours; committed "
        f"{dollars(term.compared.commitment_usd * found.gpus)}."
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
            yield f"By the hour: {dollars(hourly)} per GPU-hour ({seller})."
        return
    hours = found.limits.billed_hours_per_month
    yield (
        f"By the hour: {found.gpus} × {dollars(hourly)} ({seller}) × {hours:,.0f} h = "
        f"{dollars(found.by_the_hour)}/month; the hours in use are {use:.0%} of all: "
        f"{dollars(hourly * use)} for each GPU-hour of a term."
    )
    for term in found.terms:
        price = term.offer.usd_per_gpu_hour
        yield (
            f"{_name(term.offer, reference)}: {found.gpus} × {dollars(price)} × "
            f"{paid_hours(term.offer, found.limits):,.0f} h = "
            f"{dollars(found.on_term(term))}/month, used or not."
        )
