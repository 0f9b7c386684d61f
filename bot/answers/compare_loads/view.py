"""X or Y under one load: who is cheaper, how fast each is, and where it flips."""

from datetime import datetime
from decimal import Decimal

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
from bot.render.words import say
from core.answers.compare import LoadComparison, UnderLoad
from core.market.board import billed_gpus
from core.market.contenders import Contender
from core.market.current import is_plain
from core.market.recommendation import Option
from core.money.costs import usd_per_million
from core.money.ratio import Worth
from core.patterns import regex
from core.reference.catalogue import Reference
from core.resolve.serving import describe_load
from core.sizing.techniques import QUALITY, gpus_words, unpacked_note
from core.units import BITS
from core.wording import count, milliseconds, significant

COLUMNS = (
    "Alternative", "GPUs", "$/GPU-h", "$/month", "$/1M out", "p95 TTFT", "p95 TPOT",
    say("compare_loads.tokens_s_a_gpu"), say("compare_loads.price_age"),
)  # fmt: skip
ABOUT_THE_SAME = 0.05
"""A difference of a price below this is none to choose by."""
FEW = 8
"""Requests held at once below which somebody in a small group waits."""
FEW_SIDES = 4
"""Sides without a bill that are told under the answer; the rest stand at the table."""
FAR_APART = Decimal("0.15")
"""Of a bill: how much less a saving is at full load than at the load assumed."""
COMPARABLE = 4
"""Below so many requests in flight, one more or less is half of a GPU's rate."""


def load_view(found: LoadComparison, page: Page) -> AnswerView:
    """The alternatives under one load: verdict, table, flip."""
    if not found.priced:
        return _none_carries(found, page)
    offers = [option.offer for _, option in found.priced]
    refused = found.refused
    verdict = _load_verdict(found, page.reference)
    if _turns(found):
        verdict = say(
            "compare_loads.at_more",
            verdict=verdict,
            option_name=option_name(found.priced[1][1]),
            rate=significant(found.overtaken_at or 0, 2),
        )
    elif _is_assumed(found):
        verdict += _when_busy(found)
    if page.question.query.asks_difference:
        verdict = _difference(found) + verdict
    verdict = _short(found) + _faster(found, page) + verdict
    if refused is not None:
        why_not = _missing(refused, page.reference)
        verdict = say("compare_loads.load_view", why_not=why_not, verdict=verdict)
    return page.answer(
        kind="no" if refused or found.patient else "answer",
        verdict=verdict,
        why=_load_why(found),
        table=_load_table(found, page.reference, page.now),
        levers=_load_levers(found, page.reference),
        chips=chips(found.resolved.assumptions),
        notes=(
            *_on_spot(found),
            *_on_equal_terms(found, page.reference),
            *_slower(found),
            *_at_more(found),
            *_beyond(found),
            *_one_side(found, page.reference),
            *_premium(found, page.reference),
            *_cautions(found, page.reference),
            *found.resolved.notes,
        ),
        small_print=(price_sources(offers),),
    )


def _difference(found: LoadComparison) -> str:
    """How far the two bills are apart, where that is asked; empty: they are not."""
    bills = [option.usd_per_month for _, option in found.priced[:2]]
    if len(bills) < 2 or bills[0] == bills[1]:
        return ""
    usd, times = abs(bills[1] - bills[0]), float(max(bills) / min(bills))
    return say("compare_loads.difference", usd=usd, year=usd * 12, times=times)


def _is_assumed(found: LoadComparison) -> bool:
    """Whether two are compared at a load that nobody stated."""
    assumed = {"concurrency", "rps"} & {o.field for o in found.resolved.assumptions}
    return bool(assumed) and len(found.priced) > 1


def _turns(found: LoadComparison) -> bool:
    """Whether the load was assumed, and from some load on the other one is cheaper."""
    turns = found.overtaken_at is not None and found.flip is not None
    return _is_assumed(found) and turns


def _at_more(found: LoadComparison) -> tuple[str, ...]:
    """Where the load was assumed: what each costs when it is busy all the time."""
    if not _is_assumed(found):
        return ()
    (name, usd), (name_2, usd_2) = _when_full(found)
    if name == name_2 or _turns(found) != (usd_2 < usd):
        return ()
    return (
        say("compare_loads.at_full", usd=usd, name=name, usd_2=usd_2, name_2=name_2),
    )


def _when_full(found: LoadComparison) -> list[tuple[str, Decimal]]:
    """What 1M output tokens cost on the first two, busy all the time."""
    return [
        (option_name(one), usd_per_million(one.offer.usd_per_gpu_hour, e.full_rate))
        for e, one in found.priced[:2]
    ]


def _when_busy(found: LoadComparison) -> str:
    """That the saving is far smaller at full load; empty: it is about the same."""
    (name, usd), (name_2, usd_2) = _when_full(found)
    bill, bill_2 = (option.usd_per_month for _, option in found.priced[:2])
    less, now = 1 - usd / usd_2, 1 - bill / bill_2
    if name == name_2 or less < 0 or now - less < FAR_APART:
        return ""
    return say("compare_loads.when_busy", now=now, less=less)


def _on_spot(found: LoadComparison) -> tuple[str, ...]:
    """What spot saves on the same GPUs of the same seller, and what a spare takes."""
    spot = next((o for e, o in found.priced if e.contender.pricing == "spot"), None)
    if spot is None:
        return ()
    gpus = billed_gpus(spot.offer, spot.gpus + spot.plan.replica_gpus)
    stops = say(
        "compare_loads.spot_is_taken_back", spare=spot.usd_per_month * gpus / spot.gpus
    )
    twin = found.alike
    if twin is None or twin.usd_per_month <= spot.usd_per_month:
        return (stops,)
    less = 1 - spot.usd_per_month / twin.usd_per_month
    return (say("compare_loads.spot_alike", less=less, stops=stops),)


def _on_equal_terms(found: LoadComparison, reference: Reference) -> tuple[str, ...]:
    """What each costs with all equal but what is compared, and what was held equal."""
    if not found.equal or found.alike is not None:
        return ()
    sides = [
        (
            gpu_name(one.plan.gpu),
            one.plan.weights.upper(),
            provider_name(one.offer.provider, reference),
        )
        for one in found.equal
    ]
    held = [each[0] for each in zip(*sides, strict=True) if len(set(each)) == 1]
    each = [
        say("compare_loads.equal_side", gpus=option.gpus, usd=option.usd_per_month,
            name=" ".join(one for one in side if one not in held))
        for option, side in zip(found.equal, sides, strict=True)
    ]  # fmt: skip
    return (say("compare_loads.equal", held=", ".join(held), each="; ".join(each)),)


def _beyond(found: LoadComparison) -> tuple[str, ...]:
    """How busy fleets of a stated size are, and what all of each can write."""
    limits = found.spec.constraints
    if limits.count is None and not any(e.contender.gpus for e, _ in found.priced):
        return ()
    load = found.spec.load.rps * found.spec.output_tokens
    each = ", ".join(
        say(
            "compare_loads.of_the_fleet",
            gpus=option.gpus,
            option_name=option_name(option),
            busy=load / written,
            tokens=round(written),
        )
        for option, written in _at_most(found)
    )
    return (say("compare_loads.beyond", each=each),) if each else ()


def _at_most(found: LoadComparison) -> list[tuple[Option, float]]:
    """Output tokens per second that each fleet writes when it is full."""
    return [(one, entry.full_rate * one.gpus) for entry, one in found.priced]


def _faster(found: LoadComparison, page: Page) -> str:
    """Which fleet writes more, where that is asked; empty: it is not."""
    rates = sorted(_at_most(found), key=lambda each: -each[1])[:2]
    if len(rates) < 2 or not _FASTER.search(page.question.query.text.lower()):
        return ""
    (one, most), (other, less) = rates
    return say(
        "compare_loads.faster",
        gpus=one.gpus,
        name=option_name(one),
        tokens=round(most),
        gpus_2=other.gpus,
        name_2=option_name(other),
        tokens_2=round(less),
        times=most / less,
    )


_FASTER = regex(
    r"\b(?:faster|fastest|quicker|quickest|throughput|more tokens|tokens per sec\w*|"
    r"tok(?:ens)?/s|schneller|plus rapide|mas rapido)\b"
)


def _short(found: LoadComparison) -> str:
    """Which of the named counts do not carry the load; they are priced with more."""
    short = [e.short for e, _ in found.priced if e.short]
    each = "; ".join(one.why for one in short)
    if len(short) == len(found.entries) > 1:
        return say("compare_loads.none_is_enough", each=each)
    return f"{each}. " if short else ""


def _one_side(found: LoadComparison, reference: Reference) -> tuple[str, ...]:
    """The only side that was understood, which stays priced; or why a side has none."""
    mine = [o for entry, o in found.priced if entry.contender is found.alone]
    if not mine:
        said = len(found.priced) < 2 and any(e.unpriced for e in found.entries)
        best = found.priced[0][1]
        return tuple(
            f"{_missing(one, reference, best)}."
            for one in [e for e in found.entries if not e.option][:FEW_SIDES]
            if not (said and one.unpriced)
        )
    option = mine[0]
    return (
        say(
            "compare_loads.one_side",
            gpus=option.gpus,
            name=option_name(option),
            seller=at_seller(option.offer, reference),
            usd=option.usd_per_month,
        ),
    )


def _load_verdict(found: LoadComparison, reference: Reference) -> str:
    _, best = found.priced[0]
    offer = best.offer
    verdict = say(
        "compare_loads.at_about_month",
        gpus=best.gpus,
        option_name=option_name(best),
        at_seller=at_seller(offer, reference),
        usd_per_month=best.usd_per_month,
    )
    if len(found.priced) < 2:
        unpriced = [e for e in found.entries if e.unpriced]
        said = (
            "; ".join(_missing(one, reference, best) for one in unpriced)
            if unpriced
            else say("compare_loads.only_one_serves", option_name=option_name(best))
        )
        return f"{said}. {verdict}"
    _, second = found.priced[1]
    named = _other_name(second, best, reference)
    if second.usd_per_month == best.usd_per_month:
        return say("compare_loads.same_price_like", verdict=verdict, named=named)
    if second.offer.pricing == "spot" and second.usd_per_month < best.usd_per_month:
        return say(
            "compare_loads.spot_costs_less",
            verdict=verdict,
            gpus=second.gpus,
            name=option_name(second),
            seller=at_seller(second.offer, reference),
            less=1 - second.usd_per_month / best.usd_per_month,
            usd=second.usd_per_month,
        )
    less = 1 - best.usd_per_month / second.usd_per_month
    if abs(less) < ABOUT_THE_SAME:
        return say(
            "compare_loads.about_the_same",
            verdict=verdict,
            named=named,
            usd=second.usd_per_month,
        )
    if less < 0:
        return say(
            "compare_loads.more_than_month",
            verdict=verdict,
            more=-less,
            named=named,
            usd_per_month=second.usd_per_month,
            why=_why_not_the_cheaper(best, second),
        )
    return say(
        "compare_loads.less_than_month",
        verdict=verdict,
        less=less,
        named=named,
        usd_per_month=second.usd_per_month,
    )


def _why_not_the_cheaper(best: Option, second: Option) -> str:
    """Why the cheaper of two is not the one to take."""
    if second.plan.gpu.consumer:
        return say("compare_loads.geforce")
    if not is_plain(second.offer):
        return say("compare_loads.of_a_host")
    if second.offer.doubt:
        doubt = second.offer.doubt.partition(":")[0]
        return say("compare_loads.doubted", doubt=doubt)
    fewer = best.gpus < second.gpus
    return say("compare_loads.fewer_gpus") if fewer else ""


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
    loads = say(
        "compare_loads.load_line",
        describe_load=describe_load(spec.load),
        input_tokens=spec.input_tokens,
        output_tokens=spec.output_tokens,
        name=spec.model.name,
    )
    if len(found.priced) < 2:
        return say("compare_loads.estimated_not_measured", reason="", loads=loads)
    (one, first), (other, second) = found.priced[:2]
    ratio = one.full_rate / other.full_rate
    faster, slower = (first, second) if ratio >= 1 else (second, first)
    few = min(each.plan.capacity.batch for each in (first, second)) < COMPARABLE
    few = few or first.plan.replica_gpus != second.plan.replica_gpus
    few = few or (faster is second and second.gpus >= first.gpus)
    times = float(faster.offer.usd_per_gpu_hour / slower.offer.usd_per_gpu_hour)
    few = few or abs(times - 1) < ABOUT_THE_SAME
    if few or option_name(faster) == option_name(slower):
        reason = bill_reason(first, second)
        return say("compare_loads.estimated_not_measured", reason=reason, loads=loads)
    alike = first.plan.weights == second.plan.weights
    name, name_2 = (
        gpu_name(one.plan.gpu) if alike else option_name(one)
        for one in (faster, slower)
    )
    return say(
        "compare_loads.at_full_load_one",
        loads=loads,
        option_name=name,
        max=max(ratio, 1 / ratio),
        times=times,
        option_name_2=name_2,
        gap_words=_gap_words(found),
    )


def bill_reason(first: Option, second: Option) -> str:
    """Why the first costs less: its GPUs and their price against the other's."""
    return say(
        "compare_loads.price_of_gpus",
        gpus=first.gpus,
        usd=first.offer.usd_per_gpu_hour,
        gpus_2=second.gpus,
        usd_2=second.offer.usd_per_gpu_hour,
    )


def _gap_words(found: LoadComparison) -> str:
    """What of a wide gap is the format, and what the latency limit."""
    gap = found.gap
    if gap is None:
        return ""
    weights = gap.slower.plan.weights.upper()
    parts = []
    if gap.alike is not None:
        parts.append(say("compare_loads.in_alike", alike=gap.alike, weights=weights))
    if gap.unhurried is not None:
        then = "then " if parts else ""
        free = say("compare_loads.without_a_latency_limit", unhurried=gap.unhurried)
        parts.append(then + free)
    return f" ({', '.join(parts)})" if parts else ""


def _load_table(found: LoadComparison, reference: Reference, now: datetime) -> Table:
    rows = [_load_row(e, option, reference, now) for e, option in found.priced]
    twin, best = found.alike, found.priced[0][1]
    if twin is not None and twin.offer.key != best.offer.key:
        spot = next(e for e in found.entries if e.contender.pricing == "spot")
        rows.append(_load_row(spot, twin, reference, now))
    missing = [_missing(e, reference) for e in found.entries if e.option is None]
    return Table(
        caption=say("compare_loads.each_option"),
        columns=COLUMNS,
        rows=tuple(rows),
        winner=0,
        note=say("compare_loads.left_out") + "; ".join(missing) if missing else "",
    )


def _load_row(
    entry: UnderLoad, option: Option, reference: Reference, now: datetime
) -> tuple[Cell, ...]:
    offer, capacity = option.offer, option.plan.capacity
    name = (
        f"{option_name(option)}, {provider_name(offer.provider, reference)} "
        f"{pricing_words(offer)}"
    )
    return (
        Cell(text=name),
        number(option.gpus),
        money(offer.usd_per_gpu_hour),
        money(option.usd_per_month),
        money(option.usd_per_million_output_tokens),
        Cell(text=milliseconds(capacity.ttft_p95_ms), value=capacity.ttft_p95_ms),
        Cell(text=milliseconds(capacity.tpot_p95_ms), value=capacity.tpot_p95_ms),
        number(round(entry.full_rate)),
        age(offer, now),
    )


def _missing(entry: UnderLoad, reference: Reference, best: Option | None = None) -> str:
    """Why an alternative has no bill; `best`: and the price at which it would win."""
    name = contender_name(entry.contender, reference)
    if not entry.rented:
        return say("compare_loads.not_rented", name=name)
    if entry.unpriced is not None:
        gpus = entry.unpriced.gpus
        said = say("compare_loads.would_be_enough_price", name=name, gpus=gpus)
        if best is None:
            return said
        worth = best.usd_per_hour / gpus
        return say("compare_loads.would_win_below", said=said, worth=worth)
    if entry.rejection is not None:
        return f"{name}: {entry.rejection.why}"
    return say("compare_loads.no_offer_within_limits", name=name)


def contender_name(one: Contender, reference: Reference) -> str:
    """An alternative in the words of the question."""
    parts = [
        provider_name(one.provider, reference) if one.provider else "",
        one.instance or "",
        gpu_name(one.gpu) if one.gpu and not one.instance else "",
        one.precision.upper() if one.precision else "",
        one.pricing.replace("_", "-") if one.pricing else "",
    ]
    return " ".join(part for part in parts if part) or say(
        "compare_loads.contender_name"
    )


def _load_levers(found: LoadComparison, reference: Reference) -> tuple[Lever, ...]:
    flip = found.flip
    if flip is None:
        return ()
    (_, first), (_, second) = found.priced[:2]
    other = _other_name(second, first, reference)
    levers = [
        Lever(
            text=flip_words(flip, other),
            difference=say(
                "compare_loads.price_now",
                usd_per_gpu_hour=second.offer.usd_per_gpu_hour,
            ),
        )
    ]
    if found.overtaken_at is not None:
        rate = significant(found.overtaken_at, 2)
        text = say(
            "compare_loads.becomes_cheaper_above_requests",
            option_name=option_name(second),
            rate=rate,
        )
        now = say("compare_loads.rate_now", rps=found.spec.load.rps)
        levers.append(Lever(text=text, difference=now))
    return tuple(levers)


def flip_words(flip: Worth, other: str) -> str:
    """The price below which the runner-up wins, and the ratio behind it."""
    return say(
        "compare_loads.flip_words", other=other, break_even_usd_y=flip.break_even_usd_y
    )


def _premium(found: LoadComparison, reference: Reference) -> tuple[str, ...]:
    """What hyperscalers cost beyond anybody, where they alone are compared."""
    if found.elsewhere is None:
        return ()
    other, best = found.elsewhere, found.priced[0][1]
    times = significant(float(best.usd_per_month / other.usd_per_month), 2)
    return (
        say(
            "compare_loads.premium",
            usd_per_month=other.usd_per_month,
            gpus=other.gpus,
            option_name=option_name(other),
            provider_name=provider_name(other.offer.provider, reference),
            times=times,
        ),
    )


def _cautions(found: LoadComparison, reference: Reference) -> tuple[str, ...]:
    """What a price does not say: quality of fewer bits, pricing that is not sold."""
    formats = dict.fromkeys(option.plan.weights for _, option in found.priced)
    notes = [
        f"{weights.upper()}: {QUALITY[weights]}."
        for weights in sorted(formats, key=lambda each: BITS[each])
        if len(formats) > 1 and BITS[weights] < 16
    ]
    gpus = {option.plan.gpu.id: option.plan.gpu for _, option in found.priced}
    if told := next(
        filter(None, (unpacked_note(g, formats) for g in gpus.values())), ""
    ):
        notes.insert(0, told)
    if found.patient is not None:
        asked, waited = targets_words(found.spec.targets), targets_words(found.patient)
        notes.insert(0, say("compare_loads.cautions", asked=asked, waited=waited))
    if any(entry.fell_back and entry.option for entry in found.entries):
        notes.append(_stand_in(found, reference))
    return (*notes, *_rooms(found))


def _slower(found: LoadComparison) -> tuple[str, ...]:
    """Which alternatives answer more slowly than is usual."""
    slow = [f"{option_name(o)}: {e.slower}" for e, o in found.priced if e.slower]
    return (" ".join(slow),) if slow else ()


def _rooms(found: LoadComparison) -> tuple[str, ...]:
    """How many requests each alternative's memory holds, where that is only a few."""
    rooms = [(o.plan.capacity.room * o.plan.replicas, o) for _, o in found.priced]
    least = min((room for room, _ in rooms), default=FEW)
    if least >= FEW or all(room == least for room, _ in rooms):
        return ()
    each = ", ".join(f"{option_name(o)} {count(room)}" for room, o in rooms)
    length = count(found.spec.input_tokens + found.spec.output_tokens)
    return (say("compare_loads.rooms", length=length, each=each),)


def _stand_in(found: LoadComparison, reference: Reference) -> str:
    """Which alternatives are not sold as asked, and what was taken instead."""
    pricings = found.spec.constraints.pricing
    asked = " or ".join(pricing.replace("_", "-") for pricing in pricings)
    named = [
        provider_name(o.offer.provider, reference)
        if entry.contender.gpu is None
        else gpu_name(o.plan.gpu)
        for entry, o in found.priced
        if entry.fell_back
    ]
    names = ", ".join(dict.fromkeys(named))
    return say("compare_loads.on_demand_instead", asked=asked, names=names)


def _none_carries(found: LoadComparison, page: Page) -> AnswerView:
    missing = [_missing(entry, page.reference) for entry in found.entries]
    return page.answer(
        kind="no",
        verdict=say("compare_loads.none_carries"),
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
    return say(
        "compare_loads.step",
        option_name=option_name(option),
        gpus_words=gpus_words(plan.replica_gpus),
        rate=rate,
        replicas=plan.replicas,
        busy=plan.busy,
        gpus=option.gpus,
        usd_per_gpu_hour=offer.usd_per_gpu_hour,
        seller=seller,
        pricing_words=pricing_words(offer),
        usd_per_hour=option.usd_per_hour,
        usd_per_month=option.usd_per_month,
    )
