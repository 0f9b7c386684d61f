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
from bot.render.words import say
from core.answers.idle import WELL_USED, AtUse
from core.answers.upgrade import Replacement, Upgrade
from core.market.board import Bill
from core.money.costs import idle_per_month
from core.reference.catalogue import Reference
from core.wording import dollars, significant
from core.workload import Assumption

COLUMNS = ("Fleet", "GPUs", "Used", "$/GPU-h", "$/month", say("upgrade.idle_month"))


def upgrade_view(found: Upgrade, page: Page) -> AnswerView:
    """Not yet, or yes or no by price; every fleet that does the same work."""
    idle = found.idle
    offers = [idle.today.bill.offer]
    offers += [one.bill.offer for one in found.replacements if one.bill is not None]
    fewest = _fewest(found, page)
    alone = fewest is not None and fewest[0].gpus == 1
    spare = fewest[1].usd_per_month * 2 if fewest and alone else None
    return page.answer(
        verdict=_equivalent(found, fewest) if fewest else _verdict(found),
        why=_why(found, page.reference),
        table=_table(found, fewest[0] if fewest else None),
        notes=(say("advice.one_server", both=spare),) if spare else (),
        levers=tuple(_flip(found, one) for one in found.replacements if one.worth),
        chips=chips(_assumed(found)),
        small_print=(
            price_sources(offers),
            say("upgrade.upgrade_view"),
        ),
    )


def _assumed(found: Upgrade) -> list[Assumption]:
    own = list(found.idle.assumptions)
    if found.resolved is not None:
        own += [a for a in found.resolved.assumptions if a.field not in LOAD_FIELDS]
    return own


def _fewest(found: Upgrade, page: Page) -> tuple[AtUse | Replacement, Bill] | None:
    """The cheapest other GPUs that do the same work, where those are asked for.

    Of fewer, larger ones those that are fewer; to downsize, of the same as well.
    """
    wanted, count = page.question.query.wanted, found.idle.today.gpus
    fleets: list[AtUse | Replacement] = list(found.replacements)
    if wanted == "downsize":
        fleets += (one for one in found.idle.others if one.used <= WELL_USED)
    elif wanted == "fewer_larger":
        fleets = [one for one in fleets if one.gpus < count]
    else:
        return None
    bills = [(one, one.bill) for one in fleets if one.bill is not None]
    best = min(bills, key=lambda pair: pair[1].usd_per_month, default=None)
    if best is None or wanted != "downsize":
        return best
    close = [
        pair for pair in bills if pair[1].usd_per_month <= best[1].usd_per_month * MUCH
    ]
    best = min(close, key=lambda pair: (pair[0].gpus, pair[1].usd_per_month))
    saves = best[1].usd_per_month < found.idle.today.bill.usd_per_month
    return best if saves else None


MUCH = Decimal("1.15")
"""Up to this part of the least cost, fewer GPUs are worth more than the difference."""


def _equivalent(found: Upgrade, fewest: tuple[AtUse | Replacement, Bill]) -> str:
    """What those are, and what they save of the fleet as it is."""
    (best, bill), today = fewest, found.idle.today
    saves = today.bill.usd_per_month - bill.usd_per_month
    told = say(
        "upgrade.equivalent",
        gpus=best.gpus,
        gpu_name=gpu_name(
            best.gpu if isinstance(best, Replacement) else found.idle.gpu
        ),
        usd=bill.usd_per_month,
        today=today.gpus,
        own=gpu_name(found.idle.gpu),
        used=today.used,
        paid=today.bill.usd_per_month,
    )
    if saves > 0:
        return told + say("upgrade.saves", saves=saves)
    return told + say("upgrade.saves_nothing", more=-saves)


def _verdict(found: Upgrade) -> str:
    today, gpu = found.idle.today, gpu_name(found.idle.gpu)
    newer = [one for one in found.replacements if one.bill is not None]
    if found.raise_first and found.idle.others:
        first = found.idle.others[0]
        return say(
            "upgrade.not_yet_use_fewer",
            gpus=first.gpus,
            gpus_2=today.gpus,
            gpu=gpu,
            saves=found.idle.saves,
            then=_then(found, first.bill),
        )
    if found.raise_first:
        fleet = (
            say("upgrade.one_gpu", gpu=gpu)
            if today.gpus == 1
            else f"{today.gpus} × {gpu}"
        )
        has = "has" if today.gpus == 1 else "have"
        room = significant(WELL_USED / today.used, 2)
        return say(
            "upgrade.not_yet_at_room",
            fleet=fleet,
            used=today.used,
            has=has,
            room=room,
            for_today=_for_today(found),
        )
    best = max(newer, key=lambda one: found.saves(one) or 0, default=None)
    if best is None:
        return say("upgrade.we_know_no_price", gpus=today.gpus, gpu=gpu)
    saves = found.saves(best) or Decimal(0)
    name = f"{best.gpus} × {gpu_name(best.gpu)}"
    if saves > 0:
        return say("upgrade.yes_do_the_same", name=name, saves=saves)
    return say("upgrade.no_do_the_same", name=name, saves=-saves)


def _then(found: Upgrade, better_used: Bill) -> str:
    """What replacing the well-used fleet would save beyond that; empty: nothing."""
    bills = [(one.bill, one.gpu) for one in found.replacements if one.bill is not None]
    if not bills:
        return ""
    bill, gpu = min(bills, key=lambda pair: pair[0].usd_per_month)
    more = better_used.usd_per_month - bill.usd_per_month
    if more <= 0:
        return ""
    return say(
        "upgrade.then_save_more", gpus=bill.gpus, gpu_name=gpu_name(gpu), more=more
    )


def _for_today(found: Upgrade) -> str:
    """What the load of today would cost less elsewhere, if it does."""
    best = max(found.replacements, key=lambda r: found.saves(r) or 0, default=None)
    saves = found.saves(best) if best else None
    if best is None or saves is None or saves <= 0:
        return ""
    name = f"{best.gpus} × {gpu_name(best.gpu)}"
    return say("upgrade.for_today", name=name, saves=saves)


def _why(found: Upgrade, reference: Reference) -> str:
    today = found.idle.today
    offer = today.bill.offer
    work = today.gpus * today.used
    speeds = ", ".join(
        say("upgrade.one_does_the_work", gpu_name=gpu_name(one.gpu), speed=one.speed)
        for one in found.replacements
    )
    basis = (
        say("upgrade.under_this_load")
        if found.resolved
        else say("upgrade.by_memory_bandwidth")
    )
    return say(
        "upgrade.step_of_the_work",
        gpus=today.gpus,
        used=today.used,
        work=work,
        idle_usd_per_month=today.idle_usd_per_month,
        usd_per_month=today.bill.usd_per_month,
        usd_per_gpu_hour=offer.usd_per_gpu_hour,
        provider_name=provider_name(offer.provider, reference),
        speeds=speeds[:1].upper(),
        speeds_2=speeds[1:],
        basis=basis,
    )


def _table(found: Upgrade, best: AtUse | Replacement | None) -> Table:
    idle = found.idle
    name = gpu_name(idle.gpu)
    rows = [_row(say("upgrade.today", name=name), idle.today)]
    rows += [_row(say("upgrade.better_used", name=name), one) for one in idle.others]
    winner = 1 if found.raise_first and idle.others else None
    if isinstance(best, Replacement):
        winner = len(rows) + found.replacements.index(best)
    elif best is not None:
        winner = 1 + idle.others.index(best)
    rows += [_newer(one) for one in found.replacements]
    return Table(
        caption=say("upgrade.fleets_that_do_today"),
        columns=COLUMNS,
        rows=tuple(rows),
        winner=winner,
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
    text = say(
        "upgrade.flip",
        gpu_name=gpu_name(one.gpu),
        break_even_usd_x=worth.break_even_usd_x,
        break_even_usd_x_2=worth.break_even_usd_x * worth.cost_ratio,
    )
    sign = "−" if saves > 0 else "+"
    return Lever(text=text, difference=f"{sign}{dollars(abs(saves))}/month")


def explain_upgrade(found: Upgrade, page: Page) -> AnswerView:
    """The work, the fleets that do it, and the price ratio that decides."""
    today = found.idle.today
    steps = [_why(found, page.reference)]
    steps += [
        say(
            "upgrade.are_used_month_less",
            gpus=one.gpus,
            gpu_name=gpu_name(found.idle.gpu),
            used=one.used,
            usd_per_month=one.bill.usd_per_month,
            usd_per_month_2=today.bill.usd_per_month - one.bill.usd_per_month,
        )
        for one in found.idle.others
    ]
    for one in found.replacements:
        steps.append(_replaced(found, one))
        if one.worth is not None:
            steps.append(
                say(
                    "upgrade.price_and_work_ratio",
                    price_ratio=float(one.worth.price_ratio),
                    speed_ratio=float(one.worth.speed_ratio),
                )
            )
    fired = ["raise-utilisation-first", "break-even-price-ratio"]
    assumed = [a for a in _assumed(found) if a.field not in LATENCY_FIELDS]
    return page.explained(steps, assumed, fired)


def _replaced(found: Upgrade, one: Replacement) -> str:
    """The work over the speed, in whole replicas, and its bill."""
    work = found.idle.today.gpus * found.idle.today.used
    text = say(
        "upgrade.in_whole_replicas_used",
        gpu_name=gpu_name(one.gpu),
        work=work,
        speed=one.speed,
        well_used=WELL_USED,
        gpus=one.gpus,
        used=one.used,
    )
    saves = found.saves(one)
    if one.bill is None or saves is None:
        return f"{text}."
    against = found.held_against
    words = "less" if saves >= 0 else "more"
    return say(
        "upgrade.step_of_an_upgrade",
        text=text,
        gpus=one.gpus,
        usd_per_gpu_hour=one.bill.offer.usd_per_gpu_hour,
        usd_per_month=one.bill.usd_per_month,
        saves=abs(saves),
        words=words,
        gpus_2=against.gpus,
        gpu_name=gpu_name(found.idle.gpu),
    )
