"""GPUs side by side: the datasheet, the price, and one estimate, in plain words."""

from collections.abc import Callable
from decimal import Decimal

from bot.answers.shared.figures import (
    gpu_name,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.question.asks import asks
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.specs import SpecComparison, SpecEntry
from core.reference.catalogue import Reference
from core.units import HOURS_PER_MONTH
from core.wording import count, dollars


def specs_view(found: SpecComparison, page: Page) -> AnswerView:
    """Ratios first, then one row a property, then the price at which it flips."""
    offers = [entry.offer for entry in found.entries if entry.offer is not None]
    return page.answer(
        verdict=_more_for_its_price(found, page) + _verdict(found),
        why=_why(found),
        table=_table(found, page.reference),
        levers=_flip(found),
        small_print=(
            *((price_sources(offers),) if offers else ()),
            say("compare_specs.specs_view") + _sheets(found),
        ),
    )


def _verdict(found: SpecComparison) -> str:
    ratios = found.ratios
    if ratios is None:
        return gpu_name(found.entries[0].gpu)
    one, other = found.entries[:2]
    memory = ratios["memory"]
    parts = [
        say("compare_specs.bandwidth_times", times=_times(ratios["bandwidth"])),
        say(
            "compare_specs.compute_first_token_full",
            times=_times(ratios["compute"]),
            formats=_formats(one, other),
        ),
        say("compare_specs.memory_model_and_context", times=_times(memory)),
    ]
    verdict = say(
        "compare_specs.against",
        name=_name(one, found),
        name_2=_name(other, found),
        parts=", ".join(parts),
    )
    price = found.price_ratio
    return (
        say("compare_specs.at_the_price", verdict=verdict, price=price)
        if price
        else verdict
    )


def _more_for_its_price(found: SpecComparison, page: Page) -> str:
    """Which of two writes more for its price, where one is to be chosen."""
    price, (one, other) = found.price_ratio, found.entries[:2]
    rates = [_rate(entry, found) for entry in (one, other)]
    weighed = asks(page.question.query, "gain", "choice")
    if not (weighed and price and rates[0] and rates[1]):
        return ""
    times = rates[0] / rates[1]
    return say(
        "compare_specs.more_for_its_price", times=times, price=price,
        better=_name(one if times > price else other, found), name=_name(one, found),
        name_2=_name(other, found), model=found.yardstick.model.name,
    )  # fmt: skip


def _name(entry: SpecEntry, found: SpecComparison) -> str:
    """The GPU, with how many of it where fleets are compared."""
    name = gpu_name(entry.gpu)
    return f"{entry.gpus} × {name}" if found.counted else name


def _times(ratio: float) -> str:
    return (
        say("compare_specs.the_same")
        if round(ratio, 2) == 1
        else say("compare_specs.the", ratio=ratio)
    )


def _formats(one: SpecEntry, other: SpecEntry) -> str:
    """The formats whose rates are compared: each GPU's own 8-bit one."""
    names = dict.fromkeys((one.weights.upper(), other.weights.upper()))
    return "/".join(names)


def _why(found: SpecComparison) -> str:
    speeds = [_rate(entry, found) for entry in found.entries[:2]]
    basics = say("compare_specs.bandwidth_sets_the_speed")
    if not speeds[0] or not speeds[1]:
        return basics
    return say(
        "compare_specs.serving_within_chat_latency",
        basics=basics,
        name=found.yardstick.model.name,
        speeds=speeds[0] / speeds[1],
        ending="" if found.counted else say("compare_specs.why"),
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
        caption=say("compare_specs.table"),
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
        "Memory": lambda e: say(
            "compare_specs.gb", memory_gb=e.gpu.memory_gb, memory_type=e.gpu.memory_type
        ),
        "Bandwidth": lambda e: say(
            "compare_specs.tb_s", bandwidth_gb_s=e.gpu.bandwidth_gb_s / 1000
        ),
        "16-bit dense": lambda e: say(
            "compare_specs.tflops", sixteen_bit=e.sixteen_bit
        ),
        "8-bit dense": lambda e: say(
            "compare_specs.tflops_of_format", tflops=e.tflops, weights=e.weights.upper()
        ),
        "GPU-to-GPU link": lambda e: _link(e),
        "Power": lambda e: f"{e.gpu.tdp_w:,.0f} W" if e.gpu.tdp_w else "unknown",
        "Cheapest": lambda e: _price(e, reference),
        say("compare_specs.price_of_memory"): lambda e: _dollars(e.per_gb()),
        say("compare_specs.price_of_bandwidth"): lambda e: _dollars(e.per_tb_s()),
        say("compare_specs.kv_room_beside_model", model=model): lambda e: _room(e),
        say("compare_specs.tokens_s_a_gpu", model=model): lambda e: _speed(e, answer),
    }


def _whole(
    found: SpecComparison, reference: Reference
) -> dict[str, Callable[[SpecEntry], str]]:
    """What all of the GPUs have and cost together, before what each has."""
    model = found.yardstick.model.name
    return {
        say("compare_specs.memory_of_all"): lambda e: say(
            "compare_specs.memory_of_all_gb", gpus=e.gpus * e.gpu.memory_gb
        ),
        say("compare_specs.bandwidth_of_all"): lambda e: say(
            "compare_specs.bandwidth_of_all_tb_s",
            gpus=e.gpus * e.gpu.bandwidth_gb_s / 1000,
        ),
        say("compare_specs.sixteen_bit_of_all"): lambda e: say(
            "compare_specs.tflops_of_all", gpus=e.gpus * e.sixteen_bit
        ),
        "$/month of all": lambda e: _monthly(e),
        say("compare_specs.tokens_s_of_all", model=model): lambda e: count(
            round(_rate(e, found) or 0)
        ),
    }


def _monthly(entry: SpecEntry) -> str:
    hourly = entry.usd_per_hour
    return "unpriced" if hourly is None else dollars(hourly * HOURS_PER_MONTH)


def _link(entry: SpecEntry) -> str:
    if not entry.gpu.link_gb_s:
        return say(
            "compare_specs.pcie_only",
            which=f" Gen{entry.gpu.pcie_gen}" if entry.gpu.pcie_gen else "",
        )
    return say("compare_specs.gb_s", link=entry.gpu.link, link_gb_s=entry.gpu.link_gb_s)


def _room(entry: SpecEntry) -> str:
    return (
        say("compare_specs.kv_tokens", kv_tokens=entry.kv_tokens)
        if entry.kv_tokens
        else say("compare_specs.none_on_one_gpu")
    )


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
        return say("compare_specs.speed")
    shape = f"{entry.carried.gpus} × {entry.carried.weights.upper()}"
    return f"{count(round(rate))} ({shape})"


def _flip(found: SpecComparison) -> tuple[Lever, ...]:
    """How many times the other's price the first is worth, by what limits the work."""
    ratios = found.ratios
    if ratios is None:
        return ()
    first, second = found.entries[:2]
    one, other = _name(first, found), _name(second, found)
    worth = say(
        "compare_specs.up_to_for_bandwidth",
        ratios=ratios["bandwidth"],
        ratios_2=ratios["compute"],
        ratios_3=ratios["memory"],
    )
    price = found.price_ratio
    now = (
        say("compare_specs.costs", price=price)
        if price
        else say("compare_specs.no_price_to_compare")
    )
    single = "" if found.counted else "One "
    whose = (
        say("compare_specs.of_the_other", other=other)
        if found.counted
        else say("compare_specs.of_one", other=other)
    )
    verb = "are" if first.gpus > 1 else "is"
    text = say(
        "compare_specs.worth_the_price",
        single=single,
        one=one,
        verb=verb,
        worth=worth,
        whose=whose,
    )
    return (Lever(text=text, difference=now),)


def _sheets(found: SpecComparison) -> str:
    urls = dict.fromkeys(entry.gpu.sources[0].url for entry in found.entries)
    return ", ".join(urls)


def explain_specs(found: SpecComparison, page: Page) -> AnswerView:
    """Where each figure comes from, and how a ratio of prices is read."""
    steps = [
        say(
            "compare_specs.gb_gb_s_dense",
            gpu_name=gpu_name(e.gpu),
            memory_gb=e.gpu.memory_gb,
            bandwidth_gb_s=e.gpu.bandwidth_gb_s,
            tflops=e.tflops,
            weights=e.weights.upper(),
            url=e.gpu.sources[0].url,
            checked=e.gpu.sources[0].checked,
        )
        for e in found.entries
    ]
    steps += [
        say(
            "compare_specs.gpu_h_at",
            gpu_name=gpu_name(e.gpu),
            usd_per_gpu_hour=e.offer.usd_per_gpu_hour,
            provider_name=provider_name(e.offer.provider, page.reference),
            source=e.offer.source,
            observed_at=e.offer.observed_at,
        )
        for e in found.entries
        if e.offer is not None
    ]
    return page.explained(steps, (), ["break-even-price-ratio"])
