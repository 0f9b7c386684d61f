"""Which models given GPUs hold: the largest first, with the room beside each."""

import math
from collections.abc import Iterator

from msgspec.structs import replace

from bot.answers.shared.api_book import hosted_prices
from bot.answers.shared.figures import (
    gpu_name,
    number,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.ownership import answer_energy
from core.answers.runs_on import Held, RunsOn, Tuned, answer_runs_on
from core.llm import ModelSpec
from core.market.named_gpus import offers_of
from core.resolve.constraints import resolve_constraints
from core.sizing.fleet import AGED
from core.workload import TuningMethod

COLUMNS = (
    "Model",
    say("fit.served_as"),
    say("fit.requests_at_once"),
    say("fit.longest_context"),
)
EIGHT = 8
METHOD: dict[TuningMethod, str] = {
    "full": say("tunable.full"), "lora": "LoRA", "qlora": "QLoRA",
}  # fmt: skip
TUNED = (
    "GPUs", say("tunable.method"), say("tunable.largest"), say("tunable.such_as"),
    say("tunable.lean"),
)  # fmt: skip
NEARLY = 1.04
"""A model of 32.8B is one of 32B."""


def runs_on(question: Question) -> Answered | None:
    """What fits on the named GPUs; None: none is named."""
    known = question.market

    def sellers(model: ModelSpec) -> int:
        return len({one.provider for one in hosted_prices(model, question.now)})

    query = question.query
    found = answer_runs_on(query, *known, sellers)
    if found is None:
        return None
    told = Page(question).drawn(found, _view, _explained)
    if not (query.owned and found.held):
        return told
    gpu = found.held[0].fit.gpu
    dated = say("runs_on.dated", name=gpu_name(gpu))
    aged = (dated,) if gpu.architecture in DATED else ()
    return told.noted(*_kept(found, question), *aged)


DATED = (*AGED, "turing")
"""Architectures without BF16 and FP8."""
LEAST_GB = 40
"""Of a card that is named in their place: nobody rents 28 small ones."""


def _kept(found: RunsOn, question: Question) -> Iterator[str]:
    """What keeping the cards costs, and what would be rented in their place."""
    limits = resolve_constraints(question.query, question.reference)
    gpu = found.held[0].fit.gpu
    counted = limits.model_copy(update={"count": found.gpus})
    power = answer_energy(question.query, gpu, counted, 1.0)
    width = found.gpus * gpu.bandwidth_gb_s
    free = limits.model_copy(update={"gpus": (), "count": None})
    rivals = (
        (other, math.ceil(width / other.bandwidth_gb_s), offer)
        for other in question.reference.gpus.values()
        if other.architecture not in DATED and other.memory_gb >= LEAST_GB
        for offer in offers_of(other, free, *question.market)[:1]
        if offer.pricing == "on_demand"
    )
    best = min(rivals, key=lambda one: one[1] * one[2].usd_per_gpu_hour, default=None)
    if power is None or best is None:
        return
    other, count, offer = best
    hours = limits.billed_hours_per_month
    yield say(
        "runs_on.kept",
        power=power.usd_per_month,
        kilowatts=power.kilowatts,
        count=count,
        name=gpu_name(other),
        seller=provider_name(offer.provider, question.reference),
        rent=offer.usd_per_gpu_hour * count * hours,
    )


def _view(found: RunsOn, page: Page) -> AnswerView:
    bills = [one.fit.bill.offer for one in found.held[:1] if one.fit.bill]
    return page.answer(
        kind="answer" if found.status == "ok" else "no",
        verdict=_verdict(found, owned=bool(page.question.query.owned)),
        why=_why(found),
        table=_tuned_table(found, page) if found.tuned else _table(found),
        notes=(say("tunable.mixtures"),) if found.tuned else (),
        small_print=(price_sources(bills),) if bills else (),
    )


def _table(found: RunsOn) -> Table | None:
    """The models of a stated number of cards, or the largest of each number."""
    if found.more:
        return Table(
            caption=say("runs_on.by_number"),
            columns=("GPUs", say("runs_on.any_bits"), say("runs_on.eight_bits")),
            rows=tuple(
                (
                    Cell(text=str(one.gpus)),
                    *(Cell(text=_named(one.largest(bits))) for bits in (0, EIGHT)),
                )
                for one in (found, *found.more)
            ),
            whole=True,
        )
    rows = tuple(_row(one) for one in found.held)
    caption = say("runs_on.largest_first")
    return Table(caption=caption, columns=COLUMNS, rows=rows) if rows else None


def _tuned_table(found: RunsOn, page: Page) -> Table:
    """Each method with a published model of its size, and the leaner optimiser's."""
    every = page.reference.models.values()
    dense = [m for m in every if m.representative_of and not m.is_moe]
    rows = []
    for one in found.tuned:
        known = (
            (m.params_b, m.name) for m in dense if m.params_b <= one.size_b * NEARLY
        )
        told = (
            str(one.gpus), METHOD[one.method], _in_billions(one.size_b),
            max(known, default=(0, "–"))[1], _in_billions(one.lean_b),
        )  # fmt: skip
        rows.append(tuple(Cell(text=text) for text in told))
    caption = say("tunable.caption")
    return Table(caption=caption, columns=TUNED, rows=tuple(rows), whole=True)


def _in_billions(size: float) -> str:
    return say("tunable.billions", size=size) if size else say("tunable.none")


def _size(one: Tuned) -> str:
    size = _in_billions(one.size_b)
    if one.method == "full" and one.lean_b > one.size_b:
        size += say("tunable.or_lean", lean=one.lean_b)
    return say("tunable.size", method=METHOD[one.method], size=size)


def _tunes(found: RunsOn) -> str:
    """What the stated cards tune; of no stated number, one card and the most."""
    ends = dict.fromkeys((found.gpus, found.tuned[-1].gpus))
    sizes = {n: [_size(one) for one in found.tuned if one.gpus == n] for n in ends}
    name = gpu_name(found.gpu)
    return ". ".join(f"{n} × {name}: {', '.join(told)}" for n, told in sizes.items())


def _verdict(found: RunsOn, *, owned: bool) -> str:
    if found.tuned:
        return _tunes(found)
    if found.more and found.status == "ok":
        held = [replace(one, more=()) for one in (found, *found.more) if one.held]
        ends = [_verdict(one, owned=True) for one in (held[0], held[-1])]
        return ". ".join(dict.fromkeys(ends))
    if not found.held:
        return say("runs_on.nothing", requests=found.requests, context=found.context)
    best = found.held[0]
    exact = found.largest(EIGHT)
    told = say("runs_on.up_to", where=_where(found, owned), named=_named(best))
    if exact is None or exact is best:
        return told
    return say("runs_on.in_more_bits", told=told, named=_named(exact))


def _where(found: RunsOn, owned: bool) -> str:
    fit = found.held[0].fit
    price = say("fit.monthly", usd_per_month=fit.bill.usd_per_month) if fit.bill else ""
    price = "" if owned else price
    return f"{found.gpus} × {gpu_name(fit.gpu)}{price.replace(': ', ', ')}"


def _named(one: Held | None) -> str:
    if one is None:
        return "–"
    weights = one.fit.weights.upper()
    return say("fit.model_in_weights", name=one.model.name, weights=weights)


def _why(found: RunsOn) -> str:
    if found.tuned:
        return say("tunable.why", sequence=found.context)
    return say("runs_on.why", requests=found.requests, context=found.context)


def _explained(found: RunsOn, page: Page) -> AnswerView:
    owned = bool(page.question.query.owned)
    return page.explained((_verdict(found, owned=owned), _why(found)), (), ("fits",))


def _row(one: Held) -> tuple[Cell, ...]:
    return (
        Cell(text=one.model.name),
        Cell(text=one.fit.weights.upper()),
        number(one.fit.sequences),
        number(one.fit.longest),
    )
