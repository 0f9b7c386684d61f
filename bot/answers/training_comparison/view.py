"""Is one GPU worth it over another for training: speed against price, in a line."""

from datetime import datetime

from bot.answers.jobs.phrases import work_begun
from bot.answers.jobs.view import small_print
from bot.answers.shared.figures import (
    age,
    chips,
    gpu_name,
    money,
    number,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.training_comparison import TrainedOn
from core.hardware import GpuSpec
from core.jobs.options import JobOption
from core.reference.catalogue import Reference
from core.wording import count, dollars, significant

SAME = 0.02
"""Within this nobody calls one the cheaper."""


def trained_on_view(found: TrainedOn, page: Page) -> AnswerView:
    """Worth it or not, then every GPU by what a billion tokens cost on it."""
    return page.answer(
        kind="answer" if found.each else "no",
        verdict=_verdict(found, page.reference),
        why=_why(found),
        table=_table(found, page.reference, page.now),
        levers=_flip(found),
        chips=chips(found.answer.resolved.assumptions),
        notes=found.answer.notes,
        small_print=small_print(found.answer, page),
    )


def _verdict(found: TrainedOn, reference: Reference) -> str:
    if found.unsold:
        missing = " and ".join(_name(reference.gpus[gpu]) for gpu in found.unsold)
        return f"We know no offer of {missing} for this run"
    if found.speed is None or found.price is None:
        return "Please name two GPUs to compare"
    one, other = (_name(way.plan.gpu) for way in found.each[:2])
    gain = found.speed / found.price
    worth = (
        "about as good as"
        if abs(gain - 1) < SAME
        else "worth it over"
        if gain > 1
        else "not worth it over"
    )
    return (
        f"{one} is {worth} {other} for this training: {significant(found.speed)} × the "
        f"tokens at {significant(found.price)} × the price "
        f"({_bill(found.each[0])} against {_bill(found.each[1])} per 1B tokens)"
    )


def _name(gpu: GpuSpec) -> str:
    return gpu_name(gpu)


def _bill(way: JobOption) -> str:
    return dollars(way.usd)


def _why(found: TrainedOn) -> str:
    run = work_begun(found.spec)
    speeds = ", ".join(
        f"{gpu_name(way.plan.gpu)} {count(round(rate.likely / way.plan.gpus))} "
        "tokens/s a GPU"
        for way in found.each
        if (rate := way.plan.tokens_per_second) is not None
    )
    return (
        f"{run}, on the same number of GPUs: {speeds}. Training is limited by compute. "
        "More memory helps only if it saves GPUs. Estimate, not measured."
    )


def _table(found: TrainedOn, reference: Reference, now: datetime) -> Table:
    ordered = sorted(found.each, key=lambda way: way.usd)
    return Table(
        caption="The same run on each, the cheapest first",
        columns=("Offer", "GPUs", "$/GPU-h", "Tokens/s a GPU", "$/1B", "Price age"),
        rows=tuple(_row(way, reference, now) for way in ordered),
        winner=0 if ordered else None,
        shown=7,
    )


def _row(way: JobOption, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    rate = way.plan.tokens_per_second
    seller = provider_name(way.offer.provider, reference)
    return (
        Cell(text=f"{seller} {gpu_name(way.plan.gpu)} {pricing_words(way.offer)}"),
        number(way.gpus),
        money(way.offer.usd_per_gpu_hour),
        number(round(rate.likely / way.plan.gpus) if rate else 0),
        money(way.usd),
        age(way.offer, now),
    )


def _flip(found: TrainedOn) -> tuple[Lever, ...]:
    """The price at which both cost the same."""
    if found.speed is None:
        return ()
    one, other = found.each[:2]
    even = float(other.offer.usd_per_gpu_hour) * found.speed
    now = float(one.offer.usd_per_gpu_hour)
    way = "above" if now < even else "below"
    turn = "stops being worth it" if way == "above" else "becomes worth it"
    text = f"{gpu_name(one.plan.gpu)} {turn} {way} ${even:.2f} per GPU-hour"
    return (Lever(text=text, difference=f"now ${now:.2f}", note="break-even price"),)
