"""Owned GPUs: what their power costs, and buying against renting."""

from collections.abc import Iterator
from decimal import Decimal

from bot.answers.energy.view import energy_sum
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.ownership import Owning
from core.market.board import Bill
from core.reference.catalogue import Reference
from core.wording import dollars

COLUMNS = ("Way", "$/month", "$ per used GPU-hour", "Over the time", "Paid")


def owning_view(found: Owning, page: Page) -> AnswerView:
    """Buy or rent, in dollars a month, and from how much use on buying wins."""
    bills = [found.rent, *([found.reserved] if found.reserved else [])]
    return page.answer(
        verdict=_verdict(found, page.reference),
        why=_why(found),
        table=_table(found, page.reference),
        levers=tuple(_levers(found)),
        chips=chips(found.assumptions),
        notes=("Not counted: spares, support, interest and resale value.",),
        small_print=(price_sources(bill.offer for bill in bills),),
    )


def _verdict(found: Owning, reference: Reference) -> str:
    months = found.purchase.amortise_months
    own, rent = found.purchase.usd_per_month, found.rented_usd_per_month
    what = f"{found.gpus} × {gpu_name(found.gpu)}"
    seller = provider_name(found.rent.offer.provider, reference)
    owned = f"owning them costs {dollars(own)}/month over {months} months"
    rented = f"renting {what} at {seller} costs {dollars(rent)}/month"
    use = f" at {found.used:.0%} use"
    if found.compared.buy:
        return f"Buy {what}: {owned}, renting at {seller} {dollars(rent)}/month{use}"
    return f"Rent: {rented}{use}; {owned}"


def _why(found: Owning) -> str:
    purchase = found.purchase
    return (
        f"{dollars(purchase.usd)} to buy ÷ {purchase.amortise_months} months + "
        f"{_running(found)} = "
        f"{dollars(purchase.usd_per_month)} a month, used or not. Rented GPUs cost "
        f"{dollars(found.rent.offer.usd_per_gpu_hour)} per hour of use. "
        f"{_payback(found)}"
    )


def _running(found: Owning) -> str:
    """What is paid each month beside the purchase."""
    parts = (
        (found.energy.usd_per_month, "electricity"),
        (found.colocation_usd, "colocation"),
        (found.people_usd, "people"),
    )
    return " + ".join(f"{dollars(usd)} of {what}" for usd, what in parts if usd)


def _payback(found: Owning) -> str:
    months = found.compared.months_to_pay_back
    if months is None:
        return "At this use, buying does not pay back in its life."
    return f"At this use, buying pays back after {float(months):.0f} months."


def _table(found: Owning, reference: Reference) -> Table:
    months = found.purchase.amortise_months
    rows = [
        _row(
            f"Rent at {provider_name(found.rent.offer.provider, reference)} "
            f"{pricing_words(found.rent.offer)}",
            found.rented_usd_per_month, found, months, "hours in use",
        )
    ]  # fmt: skip
    if found.reserved is not None:
        rows.append(_reserved_row(found, found.reserved, reference))
    rows.append(_row("Buy", found.purchase.usd_per_month, found, months, "every hour"))
    costs = [float(row[1].value or 0) for row in rows]
    return Table(
        caption=f"The same GPUs over {months} months",
        columns=COLUMNS,
        rows=tuple(rows),
        winner=costs.index(min(costs)),
    )


def _reserved_row(
    found: Owning, reserved: Bill, reference: Reference
) -> tuple[Cell, ...]:
    seller = provider_name(reserved.offer.provider, reference)
    name = f"Rent at {seller} {pricing_words(reserved.offer)}"
    months = found.purchase.amortise_months
    return _row(name, reserved.usd_per_month, found, months, "every hour")


def _row(
    name: str, monthly: Decimal, found: Owning, months: int, paid: str
) -> tuple[Cell, ...]:
    each = monthly / (found.gpus * found.used_hours)
    return (
        Cell(text=name),
        money(monthly),
        money(each),
        money(monthly * months),
        Cell(text=paid),
    )


def _levers(found: Owning) -> Iterator[Lever]:
    needed = found.compared.used_hours_per_month
    name = gpu_name(found.gpu)
    if needed is None:
        yield Lever(text="Buying is cheaper", difference="never, not even at full use")
    else:
        share = needed / found.hours
        yield Lever(
            text=f"Buying is cheaper above {share:.0%} use",
            difference=f"{needed:,.0f} of {found.hours:,.0f} h a month",
        )
    owned = found.compared.owned_usd_per_gpu_hour
    yield Lever(
        text=f"Buying becomes cheaper above {dollars(owned)} per {name} hour",
        difference=f"now {dollars(found.rent.offer.usd_per_gpu_hour)}",
    )


def explain_owning(found: Owning, page: Page) -> AnswerView:
    """Amortisation, electricity, rent and where they meet."""
    purchase = found.purchase
    steps = [
        f"Bought: {found.gpus} GPUs with servers and network "
        f"{dollars(purchase.usd)} ÷ {purchase.amortise_months} months = "
        f"{dollars(purchase.usd / purchase.amortise_months)} a month.",
        f"Electricity: {energy_sum(found.energy)}",
        f"Owned, both: {dollars(purchase.usd_per_month)} a month.",
        f"Rented: {found.rent.gpus} × "
        f"{dollars(found.rent.offer.usd_per_gpu_hour)} × {found.used_hours:,.0f} h = "
        f"{dollars(found.rented_usd_per_month)} a month.",
        _payback(found),
    ]
    return page.explained(steps, found.assumptions)
