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
from bot.render.words import say
from core.answers.mig import MigAnswer, Slicing
from core.wording import dollars

COLUMNS = (
    "Slice",
    say("mig.per_gpu"),
    "Memory",
    "Weights",
    say("mig.free_for_kv"),
    say("mig.requests_at_once"),
    say("mig.gpus_needed"),
    "$/month",
)


def mig_view(found: MigAnswer, page: Page) -> AnswerView:
    """Yes or no, the slices, and the nearest that would do."""
    rows = (*found.slicings, *found.whole, *found.nearest)
    priced = [cut.fit.bill.offer for cut in rows if cut.fit.bill is not None]
    best = found.best
    return page.answer(
        kind="answer" if found.yes else "no",
        verdict=_verdict(found, page.question.query.wanted) + _against(found),
        why=_why(found),
        table=_table(rows, best, found),
        levers=tuple(_elsewhere(cut) for cut in found.nearest),
        chips=chips(memory_assumptions(found.resolved.assumptions)),
        notes=found.resolved.notes,
        small_print=(price_sources(priced),) if priced else (),
    )


def _verdict(found: MigAnswer, wanted: str | None) -> str:
    spec, best = found.spec, found.best
    models = f"{spec.model_count} × {spec.model.name}"
    if best is None:
        shared = found.shared
        if found.without and wanted != "mig" and shared is not None and shared.fits:
            name, free = gpu_name(found.without[0]), shared.memory.free_for_kv_gb
            return say(
                "mig.together", models=models, gpu_name=name, free_for_kv_gb=free
            )
        if found.without:
            return say("mig.no_has_no_mig", gpu_name=gpu_name(found.without[0]))
        named = found.slicings[0].gpu if found.slicings else None
        where = say("mig.of_gpu", gpu_name=gpu_name(named)) if named else ""
        return say("mig.no_one_is_larger", name=spec.model.name, where=where)
    weights = best.fit.weights.upper()
    if found.yes:
        yes = "Yes: " if best.gpus == 1 or found.gpus_named else ""
        return say(
            "mig.each_in_its_slice",
            yes=yes,
            models=models,
            weights=weights,
            gpus=best.gpus,
            gpu_name=gpu_name(best.gpu),
            size=_size(best),
            price=_price(best),
        )
    return say(
        "mig.no_in_need_slices",
        models=models,
        weights=weights,
        gpus=best.gpus,
        gpu_name=gpu_name(best.gpu),
        slices=best.slices,
        size=_size(best),
        gpus_named=found.gpus_named,
        price=_price(best),
    )


def _against(found: MigAnswer) -> str:
    """What the other named GPUs cost with one model on each; empty: none is named."""
    best = found.best
    bill = best.fit.bill if best else None
    told = []
    for one in found.whole if bill else ():
        other = one.fit.bill
        if bill is None or other is None:
            continue
        more = other.usd_per_month - bill.usd_per_month
        apart = say("mig.more") if more >= 0 else say("mig.less")
        told.append(
            say(
                "mig.whole_cost",
                gpus=one.gpus,
                gpu_name=gpu_name(one.gpu),
                usd_per_month=other.usd_per_month,
                usd=abs(more),
                apart=apart,
            )
        )
    return "".join(told)


def _size(cut: Slicing) -> str:
    return say("mig.size", memory_gb=cut.slice.memory_gb)


def _price(cut: Slicing) -> str:
    bill = cut.fit.bill
    return say("mig.price", usd_per_month=bill.usd_per_month) if bill else ""


def _why(found: MigAnswer) -> str:
    parts = []
    best = found.best
    if best is not None:
        memory = best.fit.memory
        parts.append(
            say(
                "mig.each_slice_has_gb",
                available_gb=memory.available_gb,
                weights_gb=memory.weights_gb,
                free_for_kv_gb=memory.free_for_kv_gb,
                sequences=best.fit.sequences,
                context=found.context,
            )
        )
        parts.append(_speed(best))
    if found.shared is not None and found.shared.fits:
        parts.append(
            say(
                "mig.without_isolation_all_fit",
                model_count=found.spec.model_count,
                free_for_kv_gb=found.shared.memory.free_for_kv_gb,
            )
        )
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def _speed(cut: Slicing) -> str:
    if cut.carried is None:
        return (
            say("mig.slow", split=cut.slow.split(": ", 1)[-1]) if cut.slow else "slow"
        )
    rate = cut.carried.requests_per_second.likely
    return say("mig.it_serves_requests_s", rate=rate)


def _table(
    rows: tuple[Slicing, ...], best: Slicing | None, found: MigAnswer
) -> Table | None:
    if not rows:
        return None
    compared = (best, *found.whole) if best and found.whole else ()
    return Table(
        caption=say("mig.table"),
        columns=COLUMNS,
        rows=tuple(_row(cut) for cut in rows),
        winner=rows.index(best) if found.yes and best else None,
        told=tuple(rows.index(one) for one in compared),
    )


def _row(cut: Slicing) -> tuple[Cell, ...]:
    memory, bill = cut.fit.memory, cut.fit.bill
    return (
        Cell(text=_name(cut)),
        number(cut.slices),
        Cell(text=f"{cut.slice.memory_gb:.1f}", value=cut.slice.memory_gb),
        Cell(text=f"{memory.weights_gb:.1f}", value=memory.weights_gb),
        Cell(text=signed(memory.free_for_kv_gb), value=memory.free_for_kv_gb),
        number(cut.fit.sequences),
        number(cut.gpus),
        money(bill.usd_per_month) if bill else Cell(text="unpriced"),
    )


def _name(cut: Slicing) -> str:
    if cut.slice is cut.gpu:
        return say("mig.whole", gpu_name=gpu_name(cut.gpu))
    return gpu_name(cut.slice)


def _elsewhere(cut: Slicing) -> Lever:
    bill = cut.fit.bill
    text = say(
        "mig.elsewhere",
        gpus=cut.gpus,
        gpu_name=gpu_name(cut.gpu),
        slices=cut.slices,
        size=_size(cut),
    )
    price = f"{dollars(bill.usd_per_month)}/month" if bill else "unpriced"
    return Lever(text=text, difference=price)


def explain_mig(found: MigAnswer, page: Page) -> AnswerView:
    """Each slice's memory as a sum, and how many of it one GPU yields."""
    steps = [
        memory_step(
            gpu_name(cut.slice),
            cut.fit.weights,
            cut.fit.memory,
            say(
                "mig.explain_mig",
                slices=cut.slices,
                model_count=found.spec.model_count,
                gpus=cut.gpus,
            ),
        )
        for cut in (*found.slicings, *found.nearest)
    ]
    assumed = memory_assumptions(found.resolved.assumptions)
    fired = ["multi-tenant-mig", "fits"]
    return page.explained(steps, assumed, fired)
