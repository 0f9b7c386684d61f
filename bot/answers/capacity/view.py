"""How much given GPUs serve: people, requests and tokens, and what binds."""

from bot.answers.fit.view import LOAD_FIELDS
from bot.answers.shared.arithmetic import memory_step
from bot.answers.shared.figures import (
    at_seller,
    chips,
    gpu_name,
    money,
    number,
    price_sources,
)
from bot.answers.shared.page import Page
from bot.answers.sizing.view import BINDING_WORDS
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.capacity import CapacityAnswer, Carried
from core.defaults import Defaults
from core.estimate.results import Range
from core.reference.catalogue import Reference
from core.wording import count, dollars, milliseconds, significant
from core.workload import Assumption, LatencyTargets

COLUMNS = (
    "Served as", "In flight", "Requests/s", "Tokens/s", "Memory holds",
    "p95 TTFT", "p95 TPOT", "$/1M full",
)  # fmt: skip


def capacity_view(found: CapacityAnswer, page: Page) -> AnswerView:
    """What the GPUs carry, or why they serve nothing, and the nearest that would."""
    best = found.best
    if best is None:
        return _nothing(found, page)
    return page.answer(
        kind="no" if found.patient or _too_much(found) else "answer",
        verdict=_verdict(found, best, page.reference),
        why=_why(found, best, page.question.defaults),
        table=_table(found),
        levers=tuple(_levers(found, best)),
        chips=chips(_assumed(found)),
        notes=found.resolved.notes,
        small_print=_small_print(best),
    )


def _assumed(found: CapacityAnswer) -> list[Assumption]:
    """What the answer rests on: a load only where one was stated."""
    every = found.resolved.assumptions
    unused = frozenset() if found.load_stated else LOAD_FIELDS
    return [one for one in every if one.field not in unused]


def _too_much(found: CapacityAnswer) -> bool:
    return found.load_stated and found.share > 1


def _verdict(found: CapacityAnswer, best: Carried, reference: Reference) -> str:
    flight = best.in_flight
    served = (
        f"{_hardware(found, best)} {_answers(found)} about {_people(flight)} "
        f"{'per model ' if best.models > 1 else ''}with {found.spec.model.name} in "
        f"{best.weights.upper()}"
    )
    price = ""
    if best.bill is not None:
        seller = at_seller(best.bill.offer, reference)
        price = f", {dollars(best.bill.usd_per_month)}/month at {seller}"
    said = [_yes_or_no(found) + served + price, *_others(found, best)]
    return ". ".join(said)


def _others(found: CapacityAnswer, best: Carried) -> list[str]:
    """The other named GPUs against the first, by people and by money."""
    first_of: dict[str, Carried] = {}
    for one in found.carried:
        first_of.setdefault(one.gpu.id, one)
    return [_against(one, best, found) for one in list(first_of.values())[1:]]


def _against(one: Carried, best: Carried, found: CapacityAnswer) -> str:
    more = one.in_flight.likely / best.in_flight.likely
    text = (
        f"{one.gpus} × {gpu_name(one.gpu)}: {significant(more, 2)} × that "
        f"({count(round(one.in_flight.likely))})"
    )
    cost, own = (e.usd_per_million(found.spec.output_tokens, 1) for e in (one, best))
    if one.bill is None or cost is None or own is None:
        return text
    return (
        f"{text} for {dollars(one.bill.usd_per_month)}/month. At full load 1M tokens "
        f"cost {dollars(cost)}, not {dollars(own)}"
    )


def _hardware(found: CapacityAnswer, best: Carried) -> str:
    """The named GPUs, and each model's part where several share them."""
    gpus = found.spec.constraints.count or 1
    models = found.spec.model_count
    text = f"{gpus} × {gpu_name(best.gpu)}"
    return f"{text} shared by {models} models" if models > 1 else text


def _people(flight: Range) -> str:
    """A count of people with its range, in words that read well for one."""
    people = max(round(flight.likely), 1)
    noun = "person" if people == 1 else "people"
    low, high = max(round(flight.low), 1), max(round(flight.high), 1)
    return f"{count(people)} {noun} at once ({count(low)}–{count(high)})"


def _answers(found: CapacityAnswer) -> str:
    return "answer" if (found.spec.constraints.count or 1) > 1 else "answers"


def _yes_or_no(found: CapacityAnswer) -> str:
    """What a stated load comes to."""
    if found.patient:
        return f"Not within {targets_words(found.spec.targets)}. With longer waits: "
    if not found.load_stated:
        return ""
    if found.share > 1:
        return f"No, your load is {significant(found.share, 2)} × that: "
    used = f"{found.share:.0%}" if found.share >= 0.01 else "under 1%"
    return f"Yes, {used} in use: "


def within(targets: LatencyTargets) -> str:
    """Under which latency a rate holds."""
    limited = any((targets.ttft_ms, targets.tpot_ms, targets.e2e_ms))
    return f"within {targets_words(targets)}" if limited else "without a latency limit"


def targets_words(targets: LatencyTargets) -> str:
    """The latency limits as they are asked for."""
    parts = [
        f"{name} ≤ {milliseconds(limit)}"
        for name, limit in (
            ("TTFT", targets.ttft_ms),
            ("TPOT", targets.tpot_ms),
            ("whole answer", targets.e2e_ms),
        )
        if limit is not None
    ]
    return f"{targets.percentile} " + ", ".join(parts) if parts else "no latency limit"


def _why(found: CapacityAnswer, best: Carried, defaults: Defaults) -> str:
    spec, rate = found.spec, best.requests_per_second
    limits = found.patient or spec.targets
    each = defaults["requests_per_user_per_day"].value
    hours, factor = (defaults[n].value for n in ("active_hours_per_day", "peak_factor"))
    people = best.daily_users(each, hours, factor)
    tokens = rate.scaled(spec.output_tokens)
    return (
        f"{significant(rate.likely)} requests/s and {count(round(tokens.likely))} "
        f"output tokens/s ({count(round(tokens.low))}–{count(round(tokens.high))}) "
        f"{within(limits)}. {BINDING_WORDS[best.capacity.binding]}. Enough for about "
        f"{count(round(people, -2))} people with {each:g} requests each in {hours:g} "
        f"hours. {_load_words(found)}Estimate, not measured."
    )


def _load_words(found: CapacityAnswer) -> str:
    load = found.spec.load
    if not found.load_stated or load.concurrency is not None:
        return ""
    return f"Your load peaks at {significant(load.rps)} requests/s. "


def _table(found: CapacityAnswer) -> Table:
    several = len({one.gpu.id for one in found.carried}) > 1
    rows = tuple(_row(one, found, several) for one in found.carried)
    left = [f"{r.subject}: {r.why.split(': ', 1)[-1]}" for r in found.rejections]
    return Table(
        caption="What each weight format serves, in the likely case",
        columns=COLUMNS,
        rows=rows,
        winner=0,
        note="Left out: " + "; ".join(left) if left else "",
    )


def _row(one: Carried, found: CapacityAnswer, several: bool) -> tuple[Cell, ...]:
    name = f"{gpu_name(one.gpu)} {one.weights.upper()}" if several else ""
    spec, capacity = found.spec, one.capacity
    rate = one.requests_per_second.likely
    million = one.usd_per_million(spec.output_tokens, 1)
    shape = f", {one.replicas} × {capacity.gpus} GPUs" if one.gpus > 1 else ""
    return (
        Cell(text=(name or one.weights.upper()) + shape),
        number(round(one.in_flight.likely)),
        Cell(text=significant(rate), value=rate),
        number(round(rate * spec.output_tokens)),
        number(one.room),
        Cell(text=milliseconds(capacity.ttft_p95_ms), value=capacity.ttft_p95_ms),
        Cell(text=milliseconds(capacity.tpot_p95_ms), value=capacity.tpot_p95_ms),
        money(million) if million is not None else Cell(text="unpriced"),
    )


def _levers(found: CapacityAnswer, best: Carried) -> list[Lever]:
    spec, levers = found.spec, []
    if found.needed is not None:
        plan = found.needed
        text = f"{plan.gpus} × {gpu_name(plan.gpu)} {plan.weights.upper()} are enough"
        levers.append(
            Lever(text=text, difference=f"within {targets_words(spec.targets)}")
        )
    full, part = (best.usd_per_million(spec.output_tokens, used) for used in (1, 0.5))
    if full is not None and part is not None:
        text = f"1M output tokens cost {dollars(full)} at full load; at half load"
        levers.append(Lever(text=text, difference=dollars(part)))
    others = [one for one in found.carried[1:] if one.gpu.id == best.gpu.id]
    gains = [one for one in others if one.in_flight.likely > best.in_flight.likely]
    if gains:
        most = max(gains, key=lambda one: one.in_flight.likely)
        more = most.in_flight.likely / best.in_flight.likely
        levers.append(
            Lever(
                text=f"In {most.weights.upper()}", difference=f"{more:.1f} × the people"
            )
        )
    return levers


def _small_print(best: Carried) -> tuple[str, ...]:
    if best.bill is None:
        return (f"We know no price for {gpu_name(best.gpu)} that meets your limits.",)
    return (price_sources([best.bill.offer]),)


def _nothing(found: CapacityAnswer, page: Page) -> AnswerView:
    """A no: what is in the way, and the fewest GPUs of the kind that do serve it."""
    reasons = [r.why for r in found.rejections]
    spec, plan = found.spec, found.needed
    nearest = (
        f" Nearest: {plan.gpus} × {gpu_name(plan.gpu)} in {plan.weights.upper()}."
        if plan
        else " More of these GPUs do not help."
    )
    return page.answer(
        kind="no",
        verdict=f"No: {spec.model.name} does not fit there.{nearest}",
        why="; ".join(reasons) + "." if reasons else "",
        chips=chips(found.resolved.assumptions),
        notes=found.resolved.notes,
    )


def explain_capacity(found: CapacityAnswer, page: Page) -> AnswerView:
    """The memory, the batch and the rate behind a capacity, with the limits."""
    best = found.best
    steps = [r.why + "." for r in found.rejections]
    if best is not None:
        steps = [*_steps(found, best), *steps]
    fired = ["fits", "latency"]
    return page.explained(steps, found.resolved.assumptions, fired)


def _steps(found: CapacityAnswer, best: Carried) -> list[str]:
    one, spec = best.capacity, found.spec
    rate, carried = one.requests_per_second, best.requests_per_second
    return [
        memory_step(
            gpu_name(best.gpu),
            best.weights,
            one.memory,
            f"{one.memory.kv_per_sequence_gb:.2f} GB a request = {one.room} at once",
        ),
        f"One server of {one.gpus} with {one.batch} requests at once does "
        f"{significant(rate.likely)} requests/s "
        f"({significant(rate.low)}–{significant(rate.high)}) at {one.latency}.",
        f"{best.replicas} servers, at most 90 % busy with short queues, handle "
        f"{significant(carried.likely)} requests/s of {count(spec.output_tokens)} "
        "tokens.",
        f"{significant(carried.likely)} requests/s × {milliseconds(one.e2e_ms)} "
        f"per answer = {best.in_flight.likely:.0f} at once.",
    ]
