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
from core.answers.fit import Fit
from core.answers.memory_need import MemoryAnswer, Need
from core.reference.catalogue import Reference
from core.wording import count, dollars, significant

COLUMNS = (
    "Served in", "Weights GB", "KV cache GB", "Engine GB", "Total GB",
    "Cheapest that holds it", "$/month",
)  # fmt: skip


def memory_view(found: MemoryAnswer, page: Page) -> AnswerView:
    """Gigabytes first, then the sum, then what holds them."""
    offers = [n.holder.bill.offer for n in found.needs if n.holder and n.holder.bill]
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        table=Table(
            caption="Memory for weights, KV cache and engine",
            columns=COLUMNS,
            rows=tuple(_row(need, page.reference) for need in found.needs),
        ),
        chips=chips(memory_assumptions(found.resolved.assumptions)),
        notes=found.resolved.notes,
        small_print=(price_sources(offers),) if offers else (),
    )


def _verdict(found: MemoryAnswer) -> str:
    totals = ", ".join(
        f"{significant(need.total_gb)} GB in {need.weights.upper()}"
        for need in found.needs
    )
    return f"{found.spec.model.name} needs {totals}, for {_requests(found)}"


def _requests(found: MemoryAnswer) -> str:
    number = found.needs[0].requests
    each = f"{count(found.context)} tokens"
    if number == 1:
        return f"one request of {each}"
    return f"{count(number)} requests of {each} at once"


def _why(found: MemoryAnswer) -> str:
    need = found.needs[0]
    return (
        f"{significant(need.weights_gb)} GB {need.weights.upper()} weights + "
        f"{count(need.requests)} × {significant(need.kv_per_request_gb, 2)} GB KV "
        f"cache + {significant(need.overhead_gb, 2)} GB for the engine. An FP8 cache "
        "halves the KV cache. Each further GPU adds its own engine memory."
    )


def _row(need: Need, reference: Reference) -> tuple[Cell, ...]:
    cache = need.kv_per_request_gb * need.requests
    amounts = (need.weights_gb, cache, need.overhead_gb, need.total_gb)
    holder = need.holder
    bill = holder.bill if holder else None
    return (
        Cell(text=need.weights.upper()),
        *(Cell(text=significant(gb), value=gb) for gb in amounts),
        Cell(text=_holder(holder, reference)),
        money(bill.usd_per_month) if bill else Cell(text="unpriced"),
    )


def _holder(holder: Fit | None, reference: Reference) -> str:
    if holder is None:
        return "no offer with up to 8 GPUs"
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
        f"{need.weights.upper()}: {significant(model.params_b)}B parameters = "
        f"{significant(need.weights_gb)} GB (embeddings stay in 16 bit); KV cache "
        f"{significant(need.kv_per_request_gb * 1e6 / found.context)} kB a token × "
        f"{count(found.context)} tokens × {count(need.requests)} = "
        f"{significant(need.kv_per_request_gb * need.requests)} GB; engine "
        f"{significant(need.overhead_gb, 2)} GB; together "
        f"{significant(need.total_gb)} GB{_held(need)}."
        for need in found.needs
    ]
    return page.explained(steps, found.resolved.assumptions, ("fits",))


def _held(need: Need) -> str:
    if need.holder is None or need.holder.bill is None:
        return ""
    fit, usd = need.holder, need.holder.bill.usd_per_month
    return (
        f"; {fit.gpus} × {gpu_name(fit.gpu)} hold {count(fit.sequences)} such requests "
        f"for {dollars(usd)}/month"
    )
