"""X or Y under one load: who is cheaper, how fast each is, and where it flips."""

from datetime import datetime

from bot.answers.capacity.view import targets_words
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
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Lever, Table
from core.answers.compare import LoadComparison, UnderLoad
from core.market.contenders import Contender
from core.market.recommendation import Option
from core.money.ratio import Worth
from core.reference.catalogue import Reference
from core.resolve.serving import describe_load
from core.sizing.speed_gap import tokens_per_gpu
from core.sizing.techniques import QUALITY, gpus_words
from core.units import BITS
from core.wording import count, dollars, milliseconds, significant

COLUMNS = (
    "Alternative", "GPUs", "$/GPU-h", "$/month", "$/1M out", "p95 TTFT", "p95 TPOT",
    "Tokens/s a GPU", "Price age",
)  # fmt: skip
FEW = 8
"""Requests held at once below which somebody in a small group waits."""
COMPARABLE = 4
"""Below so many requests in flight, one more or less is half of a GPU's rate."""


def load_view(found: LoadComparison, page: Page) -> AnswerView:
    """The alternatives under one load: verdict, table, flip."""
    if not found.priced:
        return _none_carries(found, page)
    offers = [option.offer for _, option in found.priced]
    refused = found.refused
    verdict = _load_verdict(found, page.reference)
    if refused is not None:
        why_not = _missing(refused, page.reference)
        verdict = f"No: {why_not}. Nearest: {verdict}"
    return page.answer(
        kind="no" if refused or found.patient else "answer",
        verdict=verdict,
        why=_load_why(found),
        table=_load_table(found, page.reference, page.now),
        levers=_load_levers(found, page.reference),
        chips=chips(found.resolved.assumptions),
        notes=(
            *_one_side(found, page.reference),
            *_premium(found, page.reference),
            *_cautions(found),
            *found.resolved.notes,
        ),
        small_print=(price_sources(offers),),
    )


def _one_side(found: LoadComparison, reference: Reference) -> tuple[str, ...]:
    """The price of the only side that was understood, which stays priced."""
    mine = [o for entry, o in found.priced if entry.contender is found.alone]
    if not mine:
        return ()
    option = mine[0]
    return (
        f"We recognised one side only: {option.gpus} × {option_name(option)} at "
        f"{at_seller(option.offer, reference)}, {dollars(option.usd_per_month)}/month. "
        "The usual GPUs stand for the other.",
    )


def _load_verdict(found: LoadComparison, reference: Reference) -> str:
    _, best = found.priced[0]
    offer = best.offer
    verdict = (
        f"{best.gpus} × {option_name(best)} at {at_seller(offer, reference)}: about "
        f"{dollars(best.usd_per_month)}/month"
    )
    if len(found.priced) < 2:
        unpriced = any(entry.unpriced for entry in found.entries)
        said = "Only one has a known price" if unpriced else "Only one serves it"
        return f"{said}: {verdict}"
    _, second = found.priced[1]
    named = _other_name(second, best, reference)
    if second.usd_per_month == best.usd_per_month:
        return f"Same price: {verdict}, like {named}"
    less = 1 - best.usd_per_month / second.usd_per_month
    return (
        f"{verdict}, {less:.0%} less than {named} "
        f"({dollars(second.usd_per_month)}/month)"
    )


def _other_name(second: Option, best: Option, reference: Reference) -> str:
    """The runner-up by what sets it apart from the winner."""
    if option_name(second) != option_name(best):
        return f"{second.gpus} × {option_name(second)}"
    seller = provider_name(second.offer.provider, reference)
    return f"{seller} {pricing_words(second.offer)}"


def option_name(option: Option) -> str:
    """A GPU and the weight format that it serves in."""
    return f"{gpu_name(option.plan.gpu)} {option.plan.weights.upper()}"


def _load_why(found: LoadComparison) -> str:
    spec = found.spec
    loads = (
        f"{describe_load(spec.load)} of {count(spec.input_tokens)} in / "
        f"{count(spec.output_tokens)} out with {spec.model.name}, same latency limits"
    )
    if len(found.priced) < 2:
        return f"{loads}. Estimated, not measured."
    (_, first), (_, second) = found.priced[:2]
    ratio = tokens_per_gpu(first) / tokens_per_gpu(second)
    faster, slower = (first, second) if ratio >= 1 else (second, first)
    few = min(one.plan.capacity.batch for one in (first, second)) < COMPARABLE
    if few or option_name(faster) == option_name(slower):
        return f"{loads}. Estimated, not measured."
    return (
        f"{loads}. At full load one {option_name(faster)} makes "
        f"{significant(max(ratio, 1 / ratio), 2)} × the tokens of one "
        f"{option_name(slower)}{_gap_words(found)}. Estimate, not measured."
    )


def _gap_words(found: LoadComparison) -> str:
    """What of a wide gap is the format, and what the latency limit."""
    gap = found.gap
    if gap is None:
        return ""
    weights = gap.slower.plan.weights.upper()
    parts = []
    if gap.alike is not None:
        parts.append(f"{significant(gap.alike, 2)} × in {weights} alike")
    if gap.unhurried is not None:
        then = "then " if parts else ""
        free = f"{significant(gap.unhurried, 2)} × without a latency limit"
        parts.append(then + free)
    return f" ({', '.join(parts)})" if parts else ""


def _load_table(found: LoadComparison, reference: Reference, now: datetime) -> Table:
    rows = tuple(_load_row(option, reference, now) for _, option in found.priced)
    missing = [_missing(e, reference) for e in found.entries if e.option is None]
    return Table(
        caption="The same load on each option, cheapest month first",
        columns=COLUMNS,
        rows=rows,
        winner=0,
        note="Left out: " + "; ".join(missing) if missing else "",
    )


def _load_row(option: Option, reference: Reference, now: datetime) -> tuple[Cell, ...]:
    offer, capacity = option.offer, option.plan.capacity
    name = (
        f"{option_name(option)}, {provider_name(offer.provider, reference)} "
        f"{pricing_words(offer)}"
    )
    full = tokens_per_gpu(option)
    return (
        Cell(text=name),
        number(option.gpus),
        money(offer.usd_per_gpu_hour),
        money(option.usd_per_month),
        money(option.usd_per_million_output_tokens),
        Cell(text=milliseconds(capacity.ttft_p95_ms), value=capacity.ttft_p95_ms),
        Cell(text=milliseconds(capacity.tpot_p95_ms), value=capacity.tpot_p95_ms),
        number(round(full)),
        age(offer, now),
    )


def _missing(entry: UnderLoad, reference: Reference) -> str:
    name = contender_name(entry.contender, reference)
    if entry.unpriced is not None:
        plan = entry.unpriced
        return f"{name}: {plan.gpus} would be enough, price unknown"
    if entry.rejection is not None:
        return f"{name}: {entry.rejection.why}"
    return f"{name}: no offer meets your limits"


def contender_name(one: Contender, reference: Reference) -> str:
    """An alternative in the words of the question."""
    parts = [
        provider_name(one.provider, reference) if one.provider else "",
        one.instance or "",
        gpu_name(one.gpu) if one.gpu and not one.instance else "",
        one.precision.upper() if one.precision else "",
        one.pricing.replace("_", "-") if one.pricing else "",
    ]
    return " ".join(part for part in parts if part) or "any GPU"


def _load_levers(found: LoadComparison, reference: Reference) -> tuple[Lever, ...]:
    flip = found.flip
    if flip is None:
        return ()
    (_, first), (_, second) = found.priced[:2]
    other = _other_name(second, first, reference)
    levers = [
        Lever(
            text=flip_words(flip, other),
            difference=f"now {dollars(second.offer.usd_per_gpu_hour)}",
        )
    ]
    if found.overtaken_at is not None:
        rate = significant(found.overtaken_at, 2)
        text = f"{option_name(second)} becomes cheaper above {rate} requests/s"
        now = f"now {significant(found.spec.load.rps, 2)}"
        levers.append(Lever(text=text, difference=now))
    return tuple(levers)


def flip_words(flip: Worth, other: str) -> str:
    """The price below which the runner-up wins, and the ratio behind it."""
    return (
        f"{other} becomes cheaper below {dollars(flip.break_even_usd_y)} per GPU-hour"
    )


def _premium(found: LoadComparison, reference: Reference) -> tuple[str, ...]:
    """What hyperscalers cost beyond anybody, where they alone are compared."""
    if found.elsewhere is None:
        return ()
    other, best = found.elsewhere, found.priced[0][1]
    times = significant(float(best.usd_per_month / other.usd_per_month), 2)
    return (
        f"Other sellers are cheaper: {dollars(other.usd_per_month)}/month "
        f"({other.gpus} × {option_name(other)} at "
        f"{provider_name(other.offer.provider, reference)}). A hyperscaler costs "
        f"{times} × that; pay it only for compliance, integration or managed serving.",
    )


def _cautions(found: LoadComparison) -> tuple[str, ...]:
    """What a price does not say: quality of fewer bits, pricing that is not sold."""
    formats = {option.plan.weights for _, option in found.priced}
    notes = [
        f"{weights.upper()}: {QUALITY[weights]}."
        for weights in sorted(formats, key=lambda each: BITS[each])
        if len(formats) > 1 and BITS[weights] < 16
    ]
    if found.patient is not None:
        asked, waited = targets_words(found.spec.targets), targets_words(found.patient)
        notes.insert(0, f"None reaches {asked}. These figures use {waited}.")
    if any(entry.fell_back and entry.option for entry in found.entries):
        notes.append(_stand_in(found))
    return (*notes, *_rooms(found))


def _rooms(found: LoadComparison) -> tuple[str, ...]:
    """How many requests each alternative's memory holds, where that is only a few."""
    rooms = [(o.plan.capacity.room * o.plan.replicas, o) for _, o in found.priced]
    least = min((room for room, _ in rooms), default=FEW)
    if least >= FEW or all(room == least for room, _ in rooms):
        return ()
    each = ", ".join(f"{option_name(o)} {count(room)}" for room, o in rooms)
    length = count(found.spec.input_tokens + found.spec.output_tokens)
    return (f"Memory holds this many requests of {length} tokens: {each}.",)


def _stand_in(found: LoadComparison) -> str:
    """Which alternatives are not sold as asked, and what was taken instead."""
    pricings = found.spec.constraints.pricing
    asked = " or ".join(pricing.replace("_", "-") for pricing in pricings)
    named = [gpu_name(o.plan.gpu) for entry, o in found.priced if entry.fell_back]
    names = ", ".join(dict.fromkeys(named))
    return f"We know no {asked} price for {names}, so we use on-demand."


def _none_carries(found: LoadComparison, page: Page) -> AnswerView:
    missing = [_missing(entry, page.reference) for entry in found.entries]
    return page.answer(
        kind="no",
        verdict="None of these options meets your limits at a known price",
        why="; ".join(missing) + ".",
        chips=chips(found.resolved.assumptions),
        notes=found.resolved.notes,
    )


def explain_load(found: LoadComparison, page: Page) -> AnswerView:
    """Each alternative's replicas and bill, and the ratio that decides."""
    steps = [_step(option, page.reference) for _, option in found.priced]
    steps += [_missing(e, page.reference) + "." for e in found.entries if not e.option]
    if found.flip is not None:
        (_, first), (_, second) = found.priced[:2]
        other = _other_name(second, first, page.reference)
        steps.append(f"{flip_words(found.flip, other)}.")
    assumed = found.resolved.assumptions
    fired = ["cost-per-token", "break-even-price-ratio"]
    return page.explained(steps, assumed, fired)


def _step(option: Option, reference: Reference) -> str:
    plan, offer = option.plan, option.offer
    rate = plan.capacity.requests_per_second.likely
    seller = provider_name(offer.provider, reference)
    return (
        f"{option_name(option)}: a server of {gpus_words(plan.replica_gpus)} handles "
        f"{significant(rate)} requests/s. {plan.replicas} of them are "
        f"{plan.busy:.0%} busy at the peak. {option.gpus} GPUs × "
        f"{dollars(offer.usd_per_gpu_hour)} ({seller} {pricing_words(offer)}) = "
        f"{dollars(option.usd_per_hour)}/h, {dollars(option.usd_per_month)}/month."
    )
