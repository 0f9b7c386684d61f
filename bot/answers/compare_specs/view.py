"""GPUs side by side: the datasheet, the price, and one estimate, in plain words."""

from collections.abc import Callable
from decimal import Decimal

from bot.answers.shared.figures import (
    gpu_name,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.specs import SpecComparison, SpecEntry
from core.reference.catalogue import Reference
from core.units import HOURS_PER_MONTH
from core.wording import count, dollars, significant


def specs_view(found: SpecComparison, page: Page) -> AnswerView:
    """Ratios first, then one row a property, then the price at which it flips."""
    offers = [entry.offer for entry in found.entries if entry.offer is not None]
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        table=_table(found, page.reference),
        levers=_flip(found),
        small_print=(
            *((price_sources(offers),) if offers else ()),
            "TFLOPS are dense. Datasheets: " + _sheets(found),
        ),
    )


def _verdict(found: SpecComparison) -> str:
    ratios = found.ratios
    if ratios is None:
        return gpu_name(found.entries[0].gpu)
    one, other = found.entries[:2]
    memory = ratios["memory"]
    parts = [
        f"{_times(ratios['bandwidth'])} memory bandwidth (pace of answers)",
        f"{_times(ratios['compute'])} {_formats(one, other)} compute "
        "(first token, full batches)",
        f"{_times(memory)} memory (model and context)",
    ]
    verdict = f"{_name(one, found)} against {_name(other, found)}: {', '.join(parts)}"
    price = found.price_ratio
    return f"{verdict}, at {significant(price)} × the price" if price else verdict


def _name(entry: SpecEntry, found: SpecComparison) -> str:
    """The GPU, with how many of it where fleets are compared."""
    name = gpu_name(entry.gpu)
    return f"{entry.gpus} × {name}" if found.counted else name


def _times(ratio: float) -> str:
    return "the same" if round(ratio, 2) == 1 else f"{significant(ratio)} × the"


def _formats(one: SpecEntry, other: SpecEntry) -> str:
    """The formats whose rates are compared: each GPU's own 8-bit one."""
    names = dict.fromkeys((one.weights.upper(), other.weights.upper()))
    return "/".join(names)


def _why(found: SpecComparison) -> str:
    speeds = [_rate(entry, found) for entry in found.entries[:2]]
    basics = (
        "Bandwidth sets the speed of answers. Compute sets the first token and full "
        "batches. Memory decides what fits."
    )
    if not speeds[0] or not speeds[1]:
        return basics
    return (
        f"{basics} Serving {found.yardstick.model.name} within chat latency, "
        f"{significant(speeds[0] / speeds[1], 2)} × the tokens"
        f"{'' if found.counted else ' per GPU'} (estimated)."
    )


def _rate(entry: SpecEntry, found: SpecComparison) -> float | None:
    each = entry.tokens_per_gpu(found.yardstick.output_tokens)
    return each * entry.gpus if each else None


def _table(found: SpecComparison, reference: Reference) -> Table:
    entries = found.entries
    rows = [
        _row(name, entries, text)
        for name, text in _properties(found, reference).items()
    ]
    return Table(
        caption="Published figures, cheapest price, and one estimate",
        columns=("Property", *(_name(entry, found) for entry in entries)),
        rows=tuple(rows),
        shown=len(rows),
    )


def _row(
    name: str, entries: tuple[SpecEntry, ...], text: Callable[[SpecEntry], str]
) -> tuple[Cell, ...]:
    return (Cell(text=name), *(Cell(text=text(entry)) for entry in entries))


def _properties(
    found: SpecComparison, reference: Reference
) -> dict[str, Callable[[SpecEntry], str]]:
    model, answer = found.yardstick.model.name, found.yardstick.output_tokens
    whole = _whole(found, reference) if found.counted else {}
    return whole | {
        "Memory": lambda e: f"{e.gpu.memory_gb:g} GB {e.gpu.memory_type}",
        "Bandwidth": lambda e: f"{e.gpu.bandwidth_gb_s / 1000:.3g} TB/s",
        "16-bit dense": lambda e: f"{e.sixteen_bit:,.0f} TFLOPS",
        "8-bit dense": lambda e: f"{e.tflops:,.0f} TFLOPS {e.weights.upper()}",
        "GPU-to-GPU link": lambda e: _link(e),
        "Power": lambda e: f"{e.gpu.tdp_w:,.0f} W" if e.gpu.tdp_w else "unknown",
        "Cheapest": lambda e: _price(e, reference),
        "$ per GB and hour": lambda e: _dollars(e.per_gb()),
        "$ per TB/s and hour": lambda e: _dollars(e.per_tb_s()),
        f"KV room beside {model} in 8 bit": lambda e: _room(e),
        f"{model}, tokens/s a GPU": lambda e: _speed(e, answer),
    }


def _whole(
    found: SpecComparison, reference: Reference
) -> dict[str, Callable[[SpecEntry], str]]:
    """What all of the GPUs have and cost together, before what each has."""
    model = found.yardstick.model.name
    return {
        "Memory of all": lambda e: f"{e.gpus * e.gpu.memory_gb:,.0f} GB",
        "Bandwidth of all": lambda e: (
            f"{e.gpus * e.gpu.bandwidth_gb_s / 1000:.3g} TB/s"
        ),
        "16-bit dense of all": lambda e: f"{e.gpus * e.sixteen_bit:,.0f} TFLOPS",
        "$/month of all": lambda e: _monthly(e),
        f"{model}, tokens/s of all": lambda e: count(round(_rate(e, found) or 0)),
    }


def _monthly(entry: SpecEntry) -> str:
    hourly = entry.usd_per_hour
    return "unpriced" if hourly is None else dollars(hourly * HOURS_PER_MONTH)


def _link(entry: SpecEntry) -> str:
    if not entry.gpu.link_gb_s:
        return f"PCIe{f' Gen{entry.gpu.pcie_gen}' if entry.gpu.pcie_gen else ''} only"
    return f"{entry.gpu.link} {entry.gpu.link_gb_s:,.0f} GB/s"


def _room(entry: SpecEntry) -> str:
    return f"{count(entry.kv_tokens)} tokens" if entry.kv_tokens else "none on one GPU"


def _price(entry: SpecEntry, reference: Reference) -> str:
    if entry.offer is None:
        return "unpriced"
    seller = provider_name(entry.offer.provider, reference)
    return f"{dollars(entry.offer.usd_per_gpu_hour)}/h {seller}"


def _dollars(amount: Decimal | None) -> str:
    return "–" if amount is None else dollars(amount)


def _speed(entry: SpecEntry, output_tokens: float) -> str:
    rate = entry.tokens_per_gpu(output_tokens)
    if rate is None or entry.carried is None:
        return "does not serve it"
    shape = f"{entry.carried.gpus} × {entry.carried.weights.upper()}"
    return f"{count(round(rate))} ({shape})"


def _flip(found: SpecComparison) -> tuple[Lever, ...]:
    """How many times the other's price the first is worth, by what binds."""
    ratios = found.ratios
    if ratios is None:
        return ()
    first, second = found.entries[:2]
    one, other = _name(first, found), _name(second, found)
    worth = (
        f"up to {significant(ratios['bandwidth'])} × for bandwidth, "
        f"{significant(ratios['compute'])} × for compute and "
        f"{significant(ratios['memory'])} × for memory"
    )
    price = found.price_ratio
    now = f"costs {significant(price)} ×" if price else "no price to compare"
    single = "" if found.counted else "One "
    whose = f"of {other}" if found.counted else f"of one {other}"
    verb = "are" if first.gpus > 1 else "is"
    text = f"{single}{one} {verb} worth {worth} the price {whose}"
    return (Lever(text=text, difference=now),)


def _sheets(found: SpecComparison) -> str:
    urls = dict.fromkeys(entry.gpu.sources[0].url for entry in found.entries)
    return ", ".join(urls)


def explain_specs(found: SpecComparison, page: Page) -> AnswerView:
    """Where each figure comes from, and how a ratio of prices is read."""
    steps = [
        f"{gpu_name(e.gpu)}: {e.gpu.memory_gb:g} GB, {e.gpu.bandwidth_gb_s:,.0f} GB/s, "
        f"{e.tflops:,.0f} dense TFLOPS in {e.weights.upper()} "
        f"({e.gpu.sources[0].url}, checked {e.gpu.sources[0].checked})."
        for e in found.entries
    ]
    steps += [
        f"{gpu_name(e.gpu)}: {dollars(e.offer.usd_per_gpu_hour)}/GPU-h at "
        f"{provider_name(e.offer.provider, page.reference)} ({e.offer.source}, "
        f"{e.offer.observed_at:%Y-%m-%d})."
        for e in found.entries
        if e.offer is not None
    ]
    return page.explained(steps, (), ["break-even-price-ratio"])
