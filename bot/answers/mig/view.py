"""Several isolated models on one GPU: which slice holds one, and how many there are."""

from bot.answers.fit.view import memory_assumptions
from bot.answers.shared.arithmetic import memory_step, signed
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    number,
    price_sources,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.mig import MigAnswer, Slicing
from core.wording import count, dollars, significant

COLUMNS = (
    "Slice", "Per GPU", "Memory", "Weights", "Free for KV", "Requests at once",
    "GPUs needed", "$/month",
)  # fmt: skip


def mig_view(found: MigAnswer, page: Page) -> AnswerView:
    """Yes or no, the slices, and the nearest that would do."""
    rows = (*found.slicings, *found.nearest)
    priced = [cut.fit.bill.offer for cut in rows if cut.fit.bill is not None]
    best = found.best
    return page.answer(
        kind="answer" if found.yes else "no",
        verdict=_verdict(found),
        why=_why(found),
        table=_table(rows, rows.index(best) if found.yes and best else None),
        levers=tuple(_elsewhere(cut) for cut in found.nearest),
        chips=chips(memory_assumptions(found.resolved.assumptions)),
        notes=found.resolved.notes,
        small_print=(price_sources(priced),) if priced else (),
    )


def _verdict(found: MigAnswer) -> str:
    spec, best = found.spec, found.best
    models = f"{spec.model_count} × {spec.model.name}"
    if best is None:
        if found.without:
            return f"No: {gpu_name(found.without[0])} has no MIG, so no isolated slices"
        named = found.slicings[0].gpu if found.slicings else None
        where = f" of {gpu_name(named)}" if named else ""
        return f"No: one {spec.model.name} is larger than any MIG slice{where}"
    weights = best.fit.weights.upper()
    if found.yes:
        yes = "Yes: " if best.gpus == 1 or found.gpus_named else ""
        return (
            f"{yes}{models} in {weights} on {best.gpus} × {gpu_name(best.gpu)}, each "
            f"in its own {_size(best)} MIG slice{_price(best)}"
        )
    return (
        f"No: {models} in {weights} need {best.gpus} × {gpu_name(best.gpu)} "
        f"({best.slices} slices of {_size(best)} each), not {found.gpus_named}"
        f"{_price(best)}"
    )


def _size(cut: Slicing) -> str:
    return f"{cut.slice.memory_gb:.0f} GB"


def _price(cut: Slicing) -> str:
    bill = cut.fit.bill
    return f": {dollars(bill.usd_per_month)}/month" if bill else ""


def _why(found: MigAnswer) -> str:
    parts = []
    best = found.best
    if best is not None:
        memory = best.fit.memory
        parts.append(
            f"each slice has {memory.available_gb:.1f} GB: {memory.weights_gb:.1f} GB "
            f"for weights and {memory.free_for_kv_gb:.1f} GB for "
            f"{count(best.fit.sequences)} requests of {count(found.context)} tokens"
        )
        parts.append(_speed(best))
    if found.shared is not None and found.shared.fits:
        parts.append(
            f"without isolation all {found.spec.model_count} fit on one GPU and share "
            f"{found.shared.memory.free_for_kv_gb:.1f} GB for KV cache"
        )
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def _speed(cut: Slicing) -> str:
    if cut.carried is None:
        return f"slow: {cut.slow.split(': ', 1)[-1]}" if cut.slow else "slow"
    rate = cut.carried.requests_per_second.likely
    return f"it serves {significant(rate)} requests/s within the latency limit"


def _table(rows: tuple[Slicing, ...], winner: int | None) -> Table | None:
    if not rows:
        return None
    return Table(
        caption="One model a slice, GB per slice",
        columns=COLUMNS,
        rows=tuple(_row(cut) for cut in rows),
        winner=winner,
    )


def _row(cut: Slicing) -> tuple[Cell, ...]:
    memory, bill = cut.fit.memory, cut.fit.bill
    return (
        Cell(text=gpu_name(cut.slice)),
        number(cut.slices),
        Cell(text=f"{cut.slice.memory_gb:.1f}", value=cut.slice.memory_gb),
        Cell(text=f"{memory.weights_gb:.1f}", value=memory.weights_gb),
        Cell(text=signed(memory.free_for_kv_gb), value=memory.free_for_kv_gb),
        number(cut.fit.sequences),
        number(cut.gpus),
        money(bill.usd_per_month) if bill else Cell(text="unpriced"),
    )


def _elsewhere(cut: Slicing) -> Lever:
    bill = cut.fit.bill
    text = f"{cut.gpus} × {gpu_name(cut.gpu)}, {cut.slices} slices of {_size(cut)} each"
    price = f"{dollars(bill.usd_per_month)}/month" if bill else "unpriced"
    return Lever(text=text, difference=price)


def explain_mig(found: MigAnswer, page: Page) -> AnswerView:
    """Each slice's memory as a sum, and how many of it one GPU yields."""
    steps = [
        memory_step(
            gpu_name(cut.slice),
            cut.fit.weights,
            cut.fit.memory,
            f"{cut.slices} slices a GPU, {found.spec.model_count} models need "
            f"{cut.gpus} GPUs",
        )
        for cut in (*found.slicings, *found.nearest)
    ]
    assumed = memory_assumptions(found.resolved.assumptions)
    fired = ["multi-tenant-mig", "fits"]
    return page.explained(steps, assumed, fired)
