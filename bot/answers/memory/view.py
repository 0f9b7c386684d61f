"""How much memory a model takes: one sum per format, and the cheapest that holds it."""

from bot.answers.fit.view import memory_assumptions
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    price_sources,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.fit import Fit
from core.answers.memory_need import MemoryAnswer, Need
from core.reference.catalogue import Reference
from core.wording import significant

COLUMNS = (
    say("memory.served_in"),
    say("memory.total_gb"),
    say("memory.cheapest_that_holds_it"),
    "$/month",
    say("memory.weights_gb"),
    say("memory.kv_cache_gb"),
    say("memory.engine_gb"),
)


def memory_view(found: MemoryAnswer, page: Page) -> AnswerView:
    """Gigabytes first, then the sum, then what holds them."""
    offers = [n.holder.bill.offer for n in found.needs if n.holder and n.holder.bill]
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        table=Table(
            caption=say("memory.memory_view"),
            columns=COLUMNS,
            rows=tuple(_row(need, page.reference) for need in found.needs),
        ),
        chips=chips(memory_assumptions(found.resolved.assumptions)),
        notes=found.resolved.notes,
        small_print=(price_sources(offers),) if offers else (),
    )


def _verdict(found: MemoryAnswer) -> str:
    totals = ", ".join(
        say("memory.gb_in", total_gb=need.total_gb, weights=need.weights.upper())
        + _halved(need)
        for need in found.needs
    )
    return say(
        "memory.needs_for",
        name=found.spec.model.name,
        totals=totals,
        requests=_requests(found),
    )


def _halved(need: Need) -> str:
    """What FP8 weights take with a cache of as many bits, where that is much less."""
    cache = need.requests * need.kv_per_request_gb
    much = need.weights == "fp8" and cache > WORTH_HALVING * need.total_gb
    return say("memory.halved", total_gb=need.total_gb - cache / 2) if much else ""


def _requests(found: MemoryAnswer) -> str:
    number = found.needs[0].requests
    each = say("memory.context_tokens", context=found.context)
    if number == 1:
        return say("memory.one_request_of", each=each)
    return say("memory.requests_of_at_once", number=number, each=each)


def _why(found: MemoryAnswer) -> str:
    need = found.needs[0]
    cache = need.requests * need.kv_per_request_gb / need.total_gb
    return say(
        "memory.why",
        weights_gb=need.weights_gb,
        weights=need.weights.upper(),
        requests=need.requests,
        kv_per_request_gb=need.kv_per_request_gb,
        overhead_gb=need.overhead_gb,
        cache=say("memory.smaller_cache") if cache > WORTH_HALVING else "",
    )


WORTH_HALVING = 0.1
"""Of all memory, from which a smaller KV cache makes a difference."""


def _row(need: Need, reference: Reference) -> tuple[Cell, ...]:
    cache = need.kv_per_request_gb * need.requests
    amounts = (need.weights_gb, cache, need.overhead_gb)
    holder = need.holder
    bill = holder.bill if holder else None
    return (
        Cell(text=need.weights.upper()),
        Cell(text=significant(need.total_gb), value=need.total_gb),
        Cell(text=_holder(holder, reference)),
        money(bill.usd_per_month) if bill else Cell(text="unpriced"),
        *(Cell(text=significant(gb), value=gb) for gb in amounts),
    )


def _holder(holder: Fit | None, reference: Reference) -> str:
    if holder is None:
        return say("memory.holder")
    name = f"{holder.gpus} × {gpu_name(holder.gpu)}"
    if holder.bill is None:
        return name
    offer = holder.bill.offer
    seller = provider_name(offer.provider, reference)
    return f"{name}, {seller} {pricing_words(offer)}"


def explain_memory(found: MemoryAnswer, page: Page) -> AnswerView:
    """The sum of each format, part by part."""
    model = found.spec.model
    steps = [
        say(
            "memory.explain_memory",
            weights=need.weights.upper(),
            params_b=model.params_b,
            weights_gb=need.weights_gb,
            kv_per_request_gb=need.kv_per_request_gb * 1000000.0 / found.context,
            context=found.context,
            requests=need.requests,
            kv_per_request_gb_2=need.kv_per_request_gb * need.requests,
            overhead_gb=need.overhead_gb,
            total_gb=need.total_gb,
            held=_held(need),
        )
        for need in found.needs
    ]
    return page.explained(steps, found.resolved.assumptions, ("fits",))


def _held(need: Need) -> str:
    if need.holder is None or need.holder.bill is None:
        return ""
    fit, usd = need.holder, need.holder.bill.usd_per_month
    return say(
        "memory.held",
        gpus=fit.gpus,
        gpu_name=gpu_name(fit.gpu),
        sequences=fit.sequences,
        usd=usd,
    )
