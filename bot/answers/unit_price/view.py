"""What a million tokens costs on GPUs of one's own: full, and as used as they are."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from bot.answers.capacity.view import within
from bot.answers.fit.view import LOAD_FIELDS
from bot.answers.shared.arithmetic import memory_step
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
from bot.answers.sizing.view import BINDING_WORDS, LISTED
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.unit_price import USUAL_USES, UnitPrice, UnitPriceAnswer
from core.reference.catalogue import Reference
from core.wording import count, dollars, significant

UNUSED = LOAD_FIELDS - {"utilization"}
"""Assumptions about a load, which a price per token does not rest on."""


def unit_price_view(found: UnitPriceAnswer, page: Page) -> AnswerView:
    """The cheapest token first; what an API takes for the same mix among the levers."""
    best = found.best
    if best is None:
        return _nowhere(found, page)
    shown = found.prices[:LISTED]
    assumed = [a for a in found.resolved.assumptions if a.field not in UNUSED]
    return page.answer(
        verdict=_verdict(found, best, page.reference),
        why=_why(found, best),
        table=_table(found, page.reference, page.now),
        levers=tuple(_levers(found, best)),
        chips=chips(assumed),
        notes=found.resolved.notes,
        small_print=(
            f"The price of 1M output tokens includes "
            f"{significant(best.input_per_output)}M prompt tokens.",
            price_sources(one.offer for one in shown),
        ),
    )


def _verdict(found: UnitPriceAnswer, best: UnitPrice, reference: Reference) -> str:
    return (
        f"{dollars(best.usd_per_million(found.used))} per 1M output tokens at "
        f"{found.used:.0%} average load, {dollars(best.usd_per_million(1))} at full "
        f"load: {best.capacity.gpus} × {gpu_name(best.gpu)} at "
        f"{at_seller(best.offer, reference)}"
    )


def _why(found: UnitPriceAnswer, best: UnitPrice) -> str:
    both = best.usd_per_million_blended(found.used)
    return (
        f"{found.spec.model.name} in {best.capacity.weights.upper()} writes "
        f"{count(round(best.tokens_per_second))} tokens/s for "
        f"{dollars(best.usd_per_hour)} an hour, {within(found.spec.targets)}. "
        f"{BINDING_WORDS[best.capacity.binding]}. Input and output together cost "
        f"{dollars(both)} per 1M tokens. You pay idle hours too. Estimate only."
    )


def _table(found: UnitPriceAnswer, reference: Reference, now: datetime) -> Table:
    uses = sorted({*USUAL_USES, found.used}, reverse=True)
    shares = tuple(f"$/1M at {used:.0%}" for used in uses)
    shown = found.prices[:LISTED]
    note = left_out(found.rejections, len(found.prices) - len(shown))
    return Table(
        caption="The same request on each GPU, cheapest token first",
        columns=("Offer", "GPUs", "$/GPU-h", "Tokens/s", *shares, "Price age"),
        rows=tuple(_row(one, uses, reference, now) for one in shown),
        winner=0,
        note=note,
    )


def _row(
    one: UnitPrice, uses: list[float], reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    seller = provider_name(one.offer.provider, reference)
    name = f"{gpu_name(one.gpu)} {one.capacity.weights.upper()}"
    return (
        Cell(text=f"{name}, {seller} {pricing_words(one.offer)}"),
        number(one.capacity.gpus),
        money(one.offer.usd_per_gpu_hour),
        number(round(one.tokens_per_second)),
        *(money(one.usd_per_million(used)) for used in uses),
        age(one.offer, now),
    )


def _levers(found: UnitPriceAnswer, best: UnitPrice) -> Iterator[Lever]:
    if found.api is None:
        return
    hosted = found.api.middle
    own = best.usd_per_million_blended(1)
    price = hosted.usd_per_million
    of = f"{hosted.api.model} at " if found.similar else ""
    yield Lever(
        text=f"API: {of}{hosted.api.provider_name}, in and out together",
        difference=f"{dollars(price)} per 1M",
    )
    share = own / price if price else Decimal(0)
    beaten = (
        f"from {float(share):.0%} average load"
        if 0 < share <= 1
        else "never, not even at full load"
    )
    yield Lever(text="Your own GPUs are cheaper than that API", difference=beaten)


def _nowhere(found: UnitPriceAnswer, page: Page) -> AnswerView:
    return page.answer(
        kind="no",
        verdict=f"No offer serves {found.spec.model.name} within your limits",
        why=left_out(found.rejections),
        chips=chips(found.resolved.assumptions),
        notes=found.resolved.notes,
    )


def explain_unit_price(found: UnitPriceAnswer, page: Page) -> AnswerView:
    """The division behind the price, at each share of use."""
    steps = list(_steps(found)) if found.best else [left_out(found.rejections)]
    fired = ("fits", "latency", "commitment", "spot-live", "serverless-apart")
    return page.explained(steps, found.resolved.assumptions, fired)


def _steps(found: UnitPriceAnswer) -> Iterator[str]:
    best = found.best
    if best is None:
        return
    one = best.capacity
    room = f"{one.memory.kv_per_sequence_gb:.2f} GB a request = {one.room} at once"
    yield memory_step(gpu_name(best.gpu), one.weights, one.memory, room)
    rate = one.requests_per_second
    yield (
        f"One server of {one.gpus} with {one.batch} requests at once does "
        f"{significant(rate.likely)} requests/s ({significant(rate.low)}–"
        f"{significant(rate.high)}). At most 90 % busy and with "
        f"{count(best.output_tokens)} tokens per answer: "
        f"{count(round(best.tokens_per_second))} output tokens/s."
    )
    for used in sorted({*USUAL_USES, found.used}, reverse=True):
        yield (
            f"{dollars(best.usd_per_hour)}/h ÷ ({count(round(best.tokens_per_second))} "
            f"tokens/s × 3,600 s × {used:.0%}) × 10⁶ = "
            f"{dollars(best.usd_per_million(used))} per 1M output tokens, "
            f"{dollars(best.usd_per_million_blended(used))} in and out together."
        )
