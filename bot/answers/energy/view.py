"""Owned GPUs: what their power costs."""

from collections.abc import Iterator

from bot.answers.shared.figures import chips, gpu_name, money, number
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.ownership import Energy

BTU = 3412
"""British thermal units an hour that a kilowatt is."""


def energy_view(found: Energy, page: Page) -> AnswerView:
    """Dollars a month first, then the kilowatts behind them; each GPU in a line."""
    return page.answer(
        verdict=_bill(found) if not found.others else _bills(found),
        why=" ".join((*_pace(found), *map(energy_sum, found.sides))),
        table=_table(found) if found.others else None,
        chips=chips(found.assumptions),
        notes=(
            say("energy.heat", kilowatts=found.kilowatts, btu=found.kilowatts * BTU),
            say("energy.only_owned_gpus_pay"),
        ),
    )


def _bill(found: Energy) -> str:
    return say(
        "energy.electricity_bill",
        usd_per_month=found.usd_per_month,
        gpus=found.gpus,
        gpu_name=gpu_name(found.gpu),
        kilowatts=found.kilowatts,
        usd_per_gpu_hour=found.usd_per_gpu_hour,
    )


def _bills(found: Energy) -> str:
    """Each bill, and how far the first two are apart."""
    each = ", ".join(
        say("energy.side", side=_side(one), usd=one.usd_per_month)
        for one in found.sides
    )
    more, less = sorted(found.sides[:2], key=lambda one: -one.usd_per_month)
    apart = more.usd_per_month - less.usd_per_month
    if not apart or not less.usd_per_month:
        return say("energy.each_bill", each=each)
    return say(
        "energy.each_bill_apart",
        each=each,
        more=_side(more),
        usd=apart,
        year=apart * 12,
        times=more.usd_per_month / less.usd_per_month,
    )


def _pace(found: Energy) -> Iterator[str]:
    """What a token takes of the first two, where memory bandwidth sets the pace."""
    if not found.others:
        return
    one, other = found.sides[:2]
    faster = one.gpu.bandwidth_gb_s * one.gpus / (other.gpu.bandwidth_gb_s * other.gpus)
    drawn = float(one.kilowatts / other.kilowatts)
    yield say(
        "energy.pace",
        one=_side(one),
        other=_side(other),
        faster=faster,
        per_token=drawn / faster,
    )


def _side(one: Energy) -> str:
    return f"{one.gpus} × {gpu_name(one.gpu)}"


def _table(found: Energy) -> Table:
    """Watts beside what they do: a card that draws less may also do less."""
    return Table(
        caption=say("energy.table"),
        columns=(
            "GPUs",
            "Watts each",
            "kWh/month",
            "$/month",
            "$/year",
            "Bandwidth",
            "Memory",
        ),
        rows=tuple(
            (
                Cell(text=_side(one)),
                number(one.gpu.tdp_w or 0),
                number(round(one.kwh)),
                money(one.usd_per_month),
                money(one.usd_per_month * 12),
                Cell(text=f"{one.gpu.bandwidth_gb_s:,.0f} GB/s"),
                Cell(text=f"{one.gpu.memory_gb:g} GB"),
            )
            for one in found.sides
        ),
        shown=len(found.sides),
    )


def energy_sum(found: Energy) -> str:
    """TDP × PUE × hours × price, with its figures."""
    return say(
        "energy.energy_sum",
        gpus=found.gpus,
        tdp_w=found.gpu.tdp_w or 0,
        whole=say("energy.whole", system=found.system) if found.system > 1 else "",
        kilowatts=float(found.kilowatts),
        pue=found.pue,
        hours=found.hours,
        usd_per_kwh=found.usd_per_kwh,
        usd_per_month=found.usd_per_month,
        kwh=found.kwh,
    )


def explain_energy(found: Energy, page: Page) -> AnswerView:
    """The multiplication, and what it rests on."""
    return page.explained(map(energy_sum, found.sides), found.assumptions)
