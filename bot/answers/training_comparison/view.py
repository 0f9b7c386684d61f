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
from bot.render.words import say
from core.answers.training_comparison import TrainedOn
from core.hardware import GpuSpec
from core.jobs.options import JobOption
from core.reference.catalogue import Reference
from core.wording import dollars

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
        return say("training_comparison.we_know_no_offer", missing=missing)
    if found.speed is None or found.price is None:
        return say("training_comparison.please_name_two_gpus")
    one, other = (_name(way.plan.gpu) for way in found.each[:2])
    gain = found.speed / found.price
    worth = (
        say("training_comparison.about_as_good_as")
        if abs(gain - 1) < SAME
        else say("training_comparison.worth_it_over")
        if gain > 1
        else say("training_comparison.not_worth_it_over")
    )
    return say(
        "training_comparison.is_for_this_training",
        one=one,
        worth=worth,
        other=other,
        speed=found.speed,
        price=found.price,
        bill=_bill(found.each[0]),
        bill_2=_bill(found.each[1]),
    )


def _name(gpu: GpuSpec) -> str:
    return gpu_name(gpu)


def _bill(way: JobOption) -> str:
    return dollars(way.usd)


def _why(found: TrainedOn) -> str:
    run = work_begun(found.spec)
    speeds = ", ".join(
        say(
            "training_comparison.tokens_s_a_gpu",
            gpu_name=gpu_name(way.plan.gpu),
            likely=round(rate.likely / way.plan.gpus),
        )
        for way in found.each
        if (rate := way.plan.tokens_per_second) is not None
    )
    return say("training_comparison.on_the_same_number", run=run, speeds=speeds)


def _table(found: TrainedOn, reference: Reference, now: datetime) -> Table:
    ordered = sorted(found.each, key=lambda way: way.usd)
    return Table(
        caption=say("training_comparison.each_gpu"),
        columns=(
            "Offer",
            "GPUs",
            "$/GPU-h",
            say("training_comparison.column_tokens_s_a_gpu"),
            "$/1B",
            say("training_comparison.price_age"),
        ),
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
    turn = (
        say("training_comparison.stops_being_worth_it")
        if way == "above"
        else say("training_comparison.becomes_worth_it")
    )
    text = say(
        "training_comparison.per_gpu_hour",
        gpu_name=gpu_name(one.plan.gpu),
        turn=turn,
        way=way,
        even=even,
    )
    return (
        Lever(
            text=text,
            difference=say("training_comparison.price_now", now=now),
            note=say("training_comparison.break_even_price"),
        ),
    )
