"""A fleet in hand against newer GPUs: what better use saves, then what buying would."""

from decimal import Decimal

from bot.answers.fit.view import LATENCY_FIELDS, LOAD_FIELDS
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.idle import WELL_USED, AtUse
from core.answers.upgrade import Replacement, Upgrade
from core.market.board import Bill
from core.money.costs import idle_per_month
from core.reference.catalogue import Reference
from core.wording import dollars, significant
from core.workload import Assumption

COLUMNS = ("Fleet", "GPUs", "Used", "$/GPU-h", "$/month", "Idle $/month")


def upgrade_view(found: Upgrade, page: Page) -> AnswerView:
    """Not yet, or yes or no by price; every fleet that does the same work."""
    idle = found.idle
    offers = [idle.today.bill.offer]
    offers += [one.bill.offer for one in found.replacements if one.bill is not None]
    return page.answer(
        verdict=_verdict(found),
        why=_why(found, page.reference),
        table=_table(found),
        levers=tuple(_flip(found, one) for one in found.replacements if one.worth),
        chips=chips(_assumed(found)),
        small_print=(
            price_sources(offers),
            "Figures use the cheapest rent. If you own the GPUs, count what you could "
            "sell them for.",
        ),
    )


def _assumed(found: Upgrade) -> list[Assumption]:
    own = list(found.idle.assumptions)
    if found.resolved is not None:
        own += [a for a in found.resolved.assumptions if a.field not in LOAD_FIELDS]
    return own


def _verdict(found: Upgrade) -> str:
    today, gpu = found.idle.today, gpu_name(found.idle.gpu)
    newer = [one for one in found.replacements if one.bill is not None]
    if found.raise_first and found.idle.others:
        first = found.idle.others[0]
        return (
            f"Not yet: run the work on {first.gpus} of your {today.gpus} × {gpu} and "
            f"save {dollars(found.idle.saves)}/month{_then(found, first.bill)}"
        )
    if found.raise_first:
        fleet = f"one {gpu}" if today.gpus == 1 else f"{today.gpus} × {gpu}"
        has = "has" if today.gpus == 1 else "have"
        room = significant(WELL_USED / today.used, 2)
        return (
            f"Not yet: {fleet} at {today.used:.0%} {has} room for {room} × the load"
            f"{_for_today(found)}"
        )
    best = max(newer, key=lambda one: found.saves(one) or 0, default=None)
    if best is None:
        return f"We know no price for a replacement of {today.gpus} × {gpu}"
    saves = found.saves(best) or Decimal(0)
    name = f"{best.gpus} × {gpu_name(best.gpu)}"
    if saves > 0:
        return f"Yes: {name} do the same work for {dollars(saves)}/month less"
    return f"No: {name} do the same work for {dollars(-saves)}/month more"


def _then(found: Upgrade, better_used: Bill) -> str:
    """What replacing the well-used fleet would save beyond that; empty: nothing."""
    bills = [(one.bill, one.gpu) for one in found.replacements if one.bill is not None]
    if not bills:
        return ""
    bill, gpu = min(bills, key=lambda pair: pair[0].usd_per_month)
    more = better_used.usd_per_month - bill.usd_per_month
    if more <= 0:
        return ""
    return f". {bill.gpus} × {gpu_name(gpu)} would save {dollars(more)} more"


def _for_today(found: Upgrade) -> str:
    """What the load of today would cost less elsewhere, if it does."""
    best = max(found.replacements, key=lambda r: found.saves(r) or 0, default=None)
    saves = found.saves(best) if best else None
    if best is None or saves is None or saves <= 0:
        return ""
    name = f"{best.gpus} × {gpu_name(best.gpu)}"
    return f". At today's load {name} cost {dollars(saves)}/month less"


def _why(found: Upgrade, reference: Reference) -> str:
    today = found.idle.today
    offer = today.bill.offer
    work = today.gpus * today.used
    speeds = ", ".join(
        f"one {gpu_name(one.gpu)} does the work of {significant(one.speed, 2)}"
        for one in found.replacements
    )
    basis = "under this load" if found.resolved else "by memory bandwidth"
    return (
        f"{today.gpus} × {today.used:.0%} = {significant(work)} GPUs of work. "
        f"{dollars(today.idle_usd_per_month)} of {dollars(today.bill.usd_per_month)} "
        f"a month pays for idle time ({dollars(offer.usd_per_gpu_hour)}/GPU-h at "
        f"{provider_name(offer.provider, reference)}). "
        f"{speeds[:1].upper()}{speeds[1:]} {basis}."
    )


def _table(found: Upgrade) -> Table:
    idle = found.idle
    name = gpu_name(idle.gpu)
    rows = [_row(f"{name}, today", idle.today)]
    rows += [_row(f"{name}, better used", one) for one in idle.others]
    rows += [_newer(one) for one in found.replacements]
    return Table(
        caption="Fleets that do today's work",
        columns=COLUMNS,
        rows=tuple(rows),
        winner=1 if found.raise_first and idle.others else None,
    )


def _row(name: str, one: AtUse) -> tuple[Cell, ...]:
    return (
        Cell(text=name),
        number(one.gpus),
        Cell(text=f"{one.used:.0%}", value=one.used),
        money(one.bill.offer.usd_per_gpu_hour),
        money(one.bill.usd_per_month),
        money(one.idle_usd_per_month),
    )


def _newer(one: Replacement) -> tuple[Cell, ...]:
    name, bill = gpu_name(one.gpu), one.bill
    if bill is None:
        unknown = Cell(text="unpriced")
        used = Cell(text=f"{one.used:.0%}", value=one.used)
        return (Cell(text=name), number(one.gpus), used, unknown, unknown, unknown)
    idle = idle_per_month(bill.usd_per_month, min(one.used, 1))
    return (
        Cell(text=name),
        number(one.gpus),
        Cell(text=f"{one.used:.0%}", value=one.used),
        money(bill.offer.usd_per_gpu_hour),
        money(bill.usd_per_month),
        money(idle),
    )


def _flip(found: Upgrade, one: Replacement) -> Lever:
    """The price of the newer GPU at which it beats the old ones as well used."""
    saves = found.saves(one)
    worth = one.worth
    if worth is None or saves is None:
        return Lever(text=gpu_name(one.gpu), difference="unpriced")
    text = (
        f"{gpu_name(one.gpu)} becomes cheaper below "
        f"{dollars(worth.break_even_usd_x)} per GPU-hour (now "
        f"{dollars(worth.break_even_usd_x * worth.cost_ratio)})"
    )
    sign = "−" if saves > 0 else "+"
    return Lever(text=text, difference=f"{sign}{dollars(abs(saves))}/month")


def explain_upgrade(found: Upgrade, page: Page) -> AnswerView:
    """The work, the fleets that do it, and the price ratio that decides."""
    today = found.idle.today
    steps = [_why(found, page.reference)]
    steps += [
        f"{one.gpus} × {gpu_name(found.idle.gpu)} are {one.used:.0%} used: "
        f"{dollars(one.bill.usd_per_month)}/month, "
        f"{dollars(today.bill.usd_per_month - one.bill.usd_per_month)} less than today."
        for one in found.idle.others
    ]
    for one in found.replacements:
        steps.append(_replaced(found, one))
        if one.worth is not None:
            steps.append(
                f"Price ratio {significant(float(one.worth.price_ratio))} against a "
                f"work ratio of {significant(float(one.worth.speed_ratio))}."
            )
    fired = ["raise-utilisation-first", "break-even-price-ratio"]
    assumed = [a for a in _assumed(found) if a.field not in LATENCY_FIELDS]
    return page.explained(steps, assumed, fired)


def _replaced(found: Upgrade, one: Replacement) -> str:
    """The work over the speed, in whole replicas, and its bill."""
    work = found.idle.today.gpus * found.idle.today.used
    text = (
        f"{gpu_name(one.gpu)}: {significant(work)} ÷ {significant(one.speed)} ÷ "
        f"{WELL_USED:.0%}, in whole replicas, = {one.gpus}, {one.used:.0%} used"
    )
    saves = found.saves(one)
    if one.bill is None or saves is None:
        return f"{text}."
    against = found.held_against
    words = "less" if saves >= 0 else "more"
    return (
        f"{text}: {one.gpus} × {dollars(one.bill.offer.usd_per_gpu_hour)}/GPU-h = "
        f"{dollars(one.bill.usd_per_month)}/month, {dollars(abs(saves))} {words} than "
        f"{against.gpus} × {gpu_name(found.idle.gpu)}."
    )
