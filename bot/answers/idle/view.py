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
from bot.render.words import say
from core.answers.idle import HIGHEST, WELL_USED, AtUse, Idle
from core.market.hours import paid_hours
from core.money.scale_to_zero import STARTUP_S
from core.reference.catalogue import Reference
from core.wording import dollars

COLUMNS = (
    "Fleet",
    "GPUs",
    "Used",
    "$/month",
    say("idle.idle_month"),
    say("idle.saves_month"),
)


def idle_view(found: Idle, page: Page) -> AnswerView:
    """The idle bill first, then what each remedy saves of it."""
    hours = paid_hours(found.today.bill.offer, found.constraints)
    return page.answer(
        verdict=_verdict(found, page.reference),
        why=_why(found),
        table=_table(found),
        levers=tuple(_levers(found, page.reference)),
        chips=chips(found.assumptions),
        notes=(
            *((say("idle.we_know_no_price"),) if found.elsewhere else ()),
            _to_zero(found, page.reference),
        ),
        small_print=(
            price_sources([found.today.bill.offer]),
            say("idle.a_month_is_h", hours=hours, range=_range(found, page.reference)),
        ),
    )


def _verdict(found: Idle, reference: Reference) -> str:
    today = found.today
    offer = today.bill.offer
    return say(
        "idle.verdict",
        idle_usd_per_month=today.idle_usd_per_month,
        gpus=today.gpus,
        gpu_name=gpu_name(found.gpu),
        at_seller=at_seller(offer, reference),
        usd_per_month=today.bill.usd_per_month,
        used=today.used,
    )


def _why(found: Idle) -> str:
    today = found.today
    if found.hours_a_week is not None:
        return say(
            "idle.off_outside",
            usd_per_month=today.bill.usd_per_month,
            used=today.used,
            idle_usd_per_month=today.idle_usd_per_month,
            hours=found.hours_a_week,
            left=today.bill.usd_per_month - today.idle_usd_per_month,
        )
    work = today.gpus * today.used
    sum_ = say(
        "idle.gpus_do_the_work",
        usd_per_month=today.bill.usd_per_month,
        used=today.used,
        idle_usd_per_month=today.idle_usd_per_month,
        gpus=today.gpus,
        work=work,
    )
    if found.well_used:
        return say("idle.above_gpus_are_well", sum=sum_, well_used=WELL_USED)
    if found.grows:
        return say("idle.growth_takes_the_rest", sum=sum_)
    if not found.others:
        return f"{sum_} {_unshrinkable(found)}"
    first = found.others[0]
    return say(
        "idle.fewer_are_enough",
        sum=sum_,
        gpus=first.gpus,
        used=first.used,
        saves=found.saves,
    )


def _unshrinkable(found: Idle) -> str:
    """Why fewer GPUs are no remedy, and what is one."""
    box = found.today.bill.offer.gpu_count
    if found.today.gpus > 1 and box > 1:
        return say("idle.sold_by_the_box", box=box, highest=HIGHEST)
    if found.today.gpus > 1:
        return say("idle.no_headroom")
    return say("idle.turn_the_gpu_off")


def _table(found: Idle) -> Table:
    today = found.today
    rows = [_row("Today", today, found)]
    for one in found.others:
        target = WELL_USED if one.used <= WELL_USED else HIGHEST
        rows.append(_row(say("idle.at_most_used", target=target), one, found))
    return Table(
        caption=say("idle.same_work_on_fewer"),
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
    if found.hours_a_week is not None:
        text = say("idle.turn_off_outside", hours=found.hours_a_week)
        off = dollars(found.today.idle_usd_per_month)
        levers.append(Lever(text=text, difference=f"−{off}/month"))
    if found.others and not found.well_used:
        first = found.others[0]
        text = say(
            "idle.run_the_same_work", gpus=first.gpus, gpu_name=gpu_name(found.gpu)
        )
        levers.append(Lever(text=text, difference=f"−{dollars(found.saves)}/month"))
    plan, reserved = found.scaled, found.reserved
    if plan is not None and plan.usd_per_month < found.today.bill.usd_per_month:
        saves = found.today.bill.usd_per_month - plan.usd_per_month
        base = ""
        if plan.reserved and reserved is not None:
            base = say(
                "idle.of_them_reserved_at",
                reserved=plan.reserved,
                provider_name=provider_name(reserved.provider, reference),
            )
        text = say("idle.autoscale", peak=plan.peak, base=base)
        levers.append(Lever(text=text, difference=f"−{dollars(saves)}/month"))
    return levers


def _to_zero(found: Idle, reference: Reference) -> str:
    """What the work costs on GPUs that are billed while they work."""
    name = gpu_name(found.gpu)
    if found.by_second is None:
        return say("idle.no_serverless", gpu_name=name)
    offer, usd = found.by_second
    return say(
        "idle.scale_to_zero",
        gpu_name=name,
        at_seller=at_seller(offer, reference),
        usd=usd,
        each=offer.usd_per_gpu_hour,
        start=STARTUP_S,
    )


def _range(found: Idle, reference: Reference) -> str:
    """What the same GPUs cost elsewhere, so that a reader finds the own bill."""
    if len(found.bills) < 2:
        return ""
    last = found.bills[-1]
    share = 1 - min(found.today.used, 1)
    return say(
        "idle.range",
        provider_name=provider_name(last.offer.provider, reference),
        number_of_bills=len(found.bills),
        usd_per_month=last.usd_per_month,
        share=share,
    )


def explain_idle(found: Idle, page: Page) -> AnswerView:
    """The bill, the idle share, and the fewest GPUs for the same work."""
    today = found.today
    offer = today.bill.offer
    hours = paid_hours(offer, found.constraints)
    work = today.gpus * today.used
    steps = [
        say(
            "idle.h_month",
            gpus=today.gpus,
            usd_per_gpu_hour=offer.usd_per_gpu_hour,
            provider_name=provider_name(offer.provider, page.reference),
            hours=hours,
            usd_per_month=today.bill.usd_per_month,
        ),
        _why(found),
    ]
    steps += [
        say(
            "idle.idle_sum",
            work=work,
            gpus=one.gpus,
            used=one.used,
            usd_per_month=one.bill.usd_per_month,
            idle_usd_per_month=one.idle_usd_per_month,
        )
        for one in found.others
    ]
    plan = found.scaled
    if plan is not None:
        steps.append(
            say(
                "idle.following_the_day",
                peak=plan.peak,
                used=today.used,
                reserved=plan.reserved,
                on_demand_gpu_hours=plan.on_demand_gpu_hours,
                usd_per_month=plan.usd_per_month,
            )
        )
    fired = ["raise-utilisation-first", "reserved-base"]
    return page.explained(steps, found.assumptions, fired)
