"""What idle GPUs cost, and what fewer, fuller ones would save."""

from bot.answers.shared.figures import (
    at_seller,
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.idle import HIGHEST, WELL_USED, AtUse, Idle
from core.market.hours import paid_hours
from core.reference.catalogue import Reference
from core.wording import dollars

COLUMNS = ("Fleet", "GPUs", "Used", "$/month", "Idle $/month", "Saves $/month")


def idle_view(found: Idle, page: Page) -> AnswerView:
    """The idle bill first, then what each remedy saves of it."""
    hours = paid_hours(found.today.bill.offer, found.constraints)
    return page.answer(
        verdict=_verdict(found, page.reference),
        why=_why(found),
        table=_table(found),
        levers=tuple(_levers(found, page.reference)),
        chips=chips(found.assumptions),
        notes=("We know no price that meets your limits, so we use the cheapest.",)
        if found.elsewhere
        else (),
        small_print=(
            price_sources([found.today.bill.offer]),
            f"A month is {hours:,.0f} h. {_range(found, page.reference)}",
        ),
    )


def _verdict(found: Idle, reference: Reference) -> str:
    today = found.today
    offer = today.bill.offer
    return (
        f"Idle time costs {dollars(today.idle_usd_per_month)}/month: {today.gpus} × "
        f"{gpu_name(found.gpu)} at {at_seller(offer, reference)} cost "
        f"{dollars(today.bill.usd_per_month)} and are {today.used:.0%} used"
    )


def _why(found: Idle) -> str:
    today = found.today
    work = today.gpus * today.used
    sum_ = (
        f"{dollars(today.bill.usd_per_month)} × (1 − {today.used:.0%}) = "
        f"{dollars(today.idle_usd_per_month)}. {today.gpus} GPUs do the work of "
        f"{work:.3g}."
    )
    if found.well_used:
        return f"{sum_} Above {WELL_USED:.0%} GPUs are well used: the rest is headroom."
    if not found.others:
        return f"{sum_} {_unshrinkable(found)}"
    first = found.others[0]
    return (
        f"{sum_} {first.gpus} would do it at {first.used:.0%} and save "
        f"{dollars(found.saves)}."
    )


def _unshrinkable(found: Idle) -> str:
    """Why fewer GPUs are no remedy, and what is one."""
    box = found.today.bill.offer.gpu_count
    if found.today.gpus > 1 and box > 1:
        return (
            f"The seller rents {box} at a time, and fewer would be over "
            f"{HIGHEST:.0%} used. Turn some off when the load is low."
        )
    if found.today.gpus > 1:
        return "Fewer GPUs leave no headroom. Turn some off when the load is low."
    return "Turn the GPU off when it is idle, or pay by use."


def _table(found: Idle) -> Table:
    today = found.today
    rows = [_row("Today", today, found)]
    for one, target in zip(found.others, (WELL_USED, HIGHEST), strict=False):
        rows.append(_row(f"At most {target:.0%} used", one, found))
    return Table(
        caption="The same work on fewer GPUs",
        columns=COLUMNS,
        rows=tuple(rows),
        winner=1 if found.others and not found.well_used else None,
    )


def _row(name: str, one: AtUse, found: Idle) -> tuple[Cell, ...]:
    saves = found.today.bill.usd_per_month - one.bill.usd_per_month
    return (
        Cell(text=name),
        number(one.gpus),
        Cell(text=f"{one.used:.0%}", value=one.used),
        money(one.bill.usd_per_month),
        money(one.idle_usd_per_month),
        money(saves) if saves else Cell(text="–"),
    )


def _levers(found: Idle, reference: Reference) -> list[Lever]:
    levers = []
    if found.others and not found.well_used:
        first = found.others[0]
        text = f"Run the same work on {first.gpus} × {gpu_name(found.gpu)}"
        levers.append(Lever(text=text, difference=f"−{dollars(found.saves)}/month"))
    plan, reserved = found.scaled, found.reserved
    if plan is not None and plan.usd_per_month < found.today.bill.usd_per_month:
        saves = found.today.bill.usd_per_month - plan.usd_per_month
        base = ""
        if plan.reserved and reserved is not None:
            base = (
                f", {plan.reserved} of them reserved at "
                f"{provider_name(reserved.provider, reference)}"
            )
        text = f"Autoscale, {plan.peak} GPUs at the peak only{base}"
        levers.append(Lever(text=text, difference=f"−{dollars(saves)}/month"))
    return levers


def _range(found: Idle, reference: Reference) -> str:
    """What the same GPUs cost elsewhere, so that a reader finds the own bill."""
    if len(found.bills) < 2:
        return ""
    last = found.bills[-1]
    share = 1 - min(found.today.used, 1)
    return (
        f"At {provider_name(last.offer.provider, reference)}, the most expensive of "
        f"{len(found.bills)}, they cost {dollars(last.usd_per_month)}/month, and "
        f"{share:.0%} of it pays for idle time."
    )


def explain_idle(found: Idle, page: Page) -> AnswerView:
    """The bill, the idle share, and the fewest GPUs for the same work."""
    today = found.today
    offer = today.bill.offer
    hours = paid_hours(offer, found.constraints)
    work = today.gpus * today.used
    steps = [
        f"{today.gpus} × {dollars(offer.usd_per_gpu_hour)} "
        f"({provider_name(offer.provider, page.reference)}) × {hours:,.0f} h = "
        f"{dollars(today.bill.usd_per_month)}/month.",
        _why(found),
    ]
    steps += [
        f"{work:.3g} GPUs of work on {one.gpus} is {one.used:.0%} used: "
        f"{dollars(one.bill.usd_per_month)}/month, "
        f"{dollars(one.idle_usd_per_month)} of it idle."
        for one in found.others
    ]
    plan = found.scaled
    if plan is not None:
        steps.append(
            f"Following a day that peaks at {plan.peak} GPUs and averages "
            f"{today.used:.0%}: {plan.reserved} reserved all month and "
            f"{plan.on_demand_gpu_hours:,.0f} GPU-hours on demand = "
            f"{dollars(plan.usd_per_month)}/month."
        )
    fired = ["raise-utilisation-first", "reserved-base"]
    return page.explained(steps, found.assumptions, fired)
