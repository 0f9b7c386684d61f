"""What a million tokens costs on GPUs of one's own: full, and as used as they are."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from bot.answers.capacity.view import within
from bot.answers.fit.view import LOAD_FIELDS
from bot.answers.shared.arithmetic import replica_memory
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
from bot.answers.sizing.view import LISTED, limited_by
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.unit_price import USUAL_USES, UnitPrice, UnitPriceAnswer
from core.reference.catalogue import Reference

SAME_TOKEN = Decimal("0.1")
"""Below this share two prices per token are no difference: estimates err by more."""
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
            say("unit_price.unit_price_view", input_per_output=best.input_per_output),
            price_sources(one.offer for one in shown),
        ),
    )


def _verdict(found: UnitPriceAnswer, best: UnitPrice, reference: Reference) -> str:
    told = say(
        "unit_price.verdict",
        usd_per_million=best.usd_per_million(found.used),
        both=best.usd_per_million_blended(found.used),
        used=found.used,
        usd_per_million_2=best.usd_per_million(1),
        gpus=best.capacity.gpus,
        gpu_name=gpu_name(best.gpu),
        at_seller=at_seller(best.offer, reference),
    )
    others = tuple(_other_named(found, best))
    if not others:
        return told
    share = 1 - best.usd_per_million(1) / others[0].usd_per_million(1)
    names = gpu_name(best.gpu), gpu_name(others[0].gpu)
    lead = (
        say("unit_price.alike", one=names[0], other=names[1], share=share)
        if share < SAME_TOKEN
        else say("unit_price.cheaper", one=names[0], other=names[1], share=share)
    )
    against = (
        say(
            "unit_price.against",
            gpus=one.capacity.gpus,
            gpu_name=gpu_name(one.gpu),
            weights=one.capacity.weights.upper(),
            usd_per_million=one.usd_per_million(found.used),
        )
        for one in others
    )
    return ". ".join((lead, told, *against))


def _other_named(found: UnitPriceAnswer, best: UnitPrice) -> Iterator[UnitPrice]:
    """The cheapest of each other family of GPUs that was named."""
    seen = {best.gpu.family}
    for one in found.prices if found.spec.constraints.gpus else ():
        if one.gpu.family not in seen:
            seen.add(one.gpu.family)
            yield one


def _why(found: UnitPriceAnswer, best: UnitPrice) -> str:
    both, kinds = best.usd_per_million_blended(found.used), len(found.ways)
    return say(
        "unit_price.why",
        among=say("unit_price.among", found=kinds) if kinds > 1 else "",
        name=found.spec.model.name,
        weights=best.capacity.weights.upper(),
        tokens_per_second=round(best.tokens_per_second),
        usd_per_hour=best.usd_per_hour,
        within=within(found.spec.targets),
        binding_words=limited_by(best.capacity.binding),
        both=both,
    )


def _table(found: UnitPriceAnswer, reference: Reference, now: datetime) -> Table:
    uses = sorted({*USUAL_USES, found.used}, reverse=True)
    shares = tuple(say("unit_price.column_at_use", used=used) for used in uses)
    shown = found.prices[:LISTED]
    note = left_out(found.rejections, len(found.prices) - len(shown))
    return Table(
        caption=say("unit_price.each_gpu"),
        columns=(
            "Offer",
            *shares,
            "GPUs",
            "$/GPU-h",
            "Tokens/s",
            say("unit_price.price_age"),
        ),
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
        *(money(one.usd_per_million(used)) for used in uses),
        number(one.capacity.gpus),
        money(one.offer.usd_per_gpu_hour),
        number(round(one.tokens_per_second)),
        age(one.offer, now),
    )


def _levers(found: UnitPriceAnswer, best: UnitPrice) -> Iterator[Lever]:
    if found.api is None:
        return
    hosted = found.api.middle
    own = best.usd_per_million_blended(1)
    price = hosted.usd_per_million
    of = say("unit_price.model_at", model=hosted.api.model) if found.similar else ""
    yield Lever(
        text=say(
            "unit_price.api_in_and_out", of=of, provider_name=hosted.api.provider_name
        ),
        difference=say("unit_price.per_m", price=price),
    )
    share = own / price if price else Decimal(0)
    beaten = (
        say("unit_price.from_average_load", share=float(share))
        if 0 < share <= 1
        else say("unit_price.never")
    )
    yield Lever(text=say("unit_price.own_gpus_cheaper"), difference=beaten)


def _nowhere(found: UnitPriceAnswer, page: Page) -> AnswerView:
    return page.answer(
        kind="no",
        verdict=say("unit_price.nowhere", name=found.spec.model.name),
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
    yield replica_memory(best.gpu, one.weights, one)
    rate = one.requests_per_second
    yield (
        say(
            "unit_price.one_server",
            gpus=one.gpus,
            batch=one.batch,
            likely=rate.likely,
            low=rate.low,
            high=rate.high,
            output_tokens=best.output_tokens,
            tokens_per_second=round(best.tokens_per_second),
        )
    )
    for used in sorted({*USUAL_USES, found.used}, reverse=True):
        yield (
            say(
                "unit_price.h_tokens_s_s",
                usd_per_hour=best.usd_per_hour,
                tokens_per_second=round(best.tokens_per_second),
                used=used,
                usd_per_million=best.usd_per_million(used),
                usd_per_million_blended=best.usd_per_million_blended(used),
            )
        )
