"""The lowest latency there is, what it costs, and what is hardly slower."""

from collections.abc import Iterator
from datetime import datetime

from bot.answers.fit.view import LOAD_FIELDS
from bot.answers.shared.figures import (
    age,
    at_seller,
    chips,
    gpu_name,
    money,
    number,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.left_out import left_out
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.quickest import Quick, QuickAnswer
from core.reference.catalogue import Reference
from core.wording import dollars, milliseconds

COLUMNS = (
    "Offer",
    "GPUs",
    "TTFT",
    "TPOT",
    say("latency.tokens_s_a_reader"),
    say("latency.whole_answer"),
    "$/month",
    say("latency.price_age"),
)
LISTED = 15


def quickest_view(found: QuickAnswer, page: Page) -> AnswerView:
    """The quickest first; the money it takes beside the time it saves."""
    if not found.quick:
        return page.answer(
            kind="no",
            verdict=say("latency.no_offer_holds_within", name=found.spec.model.name),
            why=left_out(found.rejections),
            buttons=("why",),
        )
    best, shown = found.quick[0], found.quick[:LISTED]
    unused = LOAD_FIELDS | {"ttft_ms", "tpot_ms", "e2e_ms"}
    assumed = [a for a in found.resolved.assumptions if a.field not in unused]
    return page.answer(
        verdict=_verdict(best, page),
        why=_why(found),
        table=Table(
            caption=say("latency.one_request_alone_quickest"),
            columns=COLUMNS,
            rows=tuple(_row(one, page.reference, page.now) for one in shown),
            winner=0,
            note=left_out(found.rejections, len(found.quick) - len(shown)),
        ),
        levers=tuple(_levers(found, best)),
        chips=chips(assumed),
        notes=found.resolved.notes,
        small_print=(price_sources(one.bill.offer for one in shown),),
    )


def _verdict(best: Quick, page: Page) -> str:
    told = say(
        "latency.verdict",
        gpus=best.alone.gpus,
        gpu_name=gpu_name(best.gpu),
        at_seller=at_seller(best.bill.offer, page.reference),
        ttft_ms=best.alone.ttft_ms,
        tpot_ms=best.alone.tpot_ms,
        usd_per_month=best.bill.usd_per_month,
    )
    if page.question.query.wanted != "one_stream":
        return told
    rate = round(1000 / best.alone.tpot_ms)
    return say("latency.one_stream", rate=rate, told=told)


def _why(found: QuickAnswer) -> str:
    spec = found.spec
    return say(
        "latency.why",
        input_tokens=spec.input_tokens,
        output_tokens=spec.output_tokens,
        name=spec.model.name,
        weights=found.quick[0].alone.weights.upper(),
        answer_ms=found.quick[0].answer_ms,
        found=len(found.quick),
    )


def _row(one: Quick, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    offer, alone = one.bill.offer, one.alone
    seller = provider_name(offer.provider, reference)
    name = f"{gpu_name(one.gpu)} {alone.weights.upper()}"
    return (
        Cell(text=f"{name}, {seller} {pricing_words(offer)}"),
        number(alone.gpus),
        Cell(text=milliseconds(alone.ttft_ms), value=alone.ttft_ms),
        Cell(text=milliseconds(alone.tpot_ms), value=alone.tpot_ms),
        number(round(1000 / alone.tpot_ms)),
        Cell(text=milliseconds(one.answer_ms), value=one.answer_ms),
        money(one.bill.usd_per_month),
        age(offer, now),
    )


def _levers(found: QuickAnswer, best: Quick) -> Iterator[Lever]:
    near = found.thrifty
    if near is None:
        return
    slower = near.answer_ms / best.answer_ms - 1
    saved = best.bill.usd_per_month - near.bill.usd_per_month
    yield Lever(
        text=say(
            "latency.levers",
            gpus=near.alone.gpus,
            gpu_name=gpu_name(near.gpu),
            slower=slower,
            answer_ms=near.answer_ms,
        ),
        difference=f"−{dollars(saved)}/month",
    )


def explain_quickest(found: QuickAnswer, page: Page) -> AnswerView:
    """Where the time of an answer goes on the quickest of each GPU."""
    tokens = found.spec.output_tokens
    steps = [
        say(
            "latency.explain_quickest",
            gpus=one.alone.gpus,
            gpu_name=gpu_name(one.gpu),
            weights=one.alone.weights.upper(),
            ttft_ms=one.alone.ttft_ms,
            tokens=tokens - 1,
            tpot_ms=one.alone.tpot_ms,
            answer_ms=one.answer_ms,
            gpus_2=one.bill.gpus,
            usd_per_gpu_hour=one.bill.offer.usd_per_gpu_hour,
        )
        for one in found.quick[:LISTED]
    ]
    steps = steps or [left_out(found.rejections)]
    return page.explained(steps, found.resolved.assumptions, ("fits",))
