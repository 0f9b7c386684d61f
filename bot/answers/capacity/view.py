"""How much given GPUs serve: people, requests and tokens, and what limits them."""

import math
from collections.abc import Iterator

from bot.answers.fit.view import LOAD_FIELDS
from bot.answers.shared.arithmetic import replica_memory
from bot.answers.shared.figures import (
    at_seller,
    chips,
    gpu_name,
    money,
    number,
    price_sources,
)
from bot.answers.shared.page import Page
from bot.answers.shared.workload import asks_openly, rate_asked
from bot.answers.sizing.view import limited_by
from bot.render.views import AnswerView, Cell, Lever, Table
from bot.render.words import say
from core.answers.capacity import CapacityAnswer, Carried
from core.answers.states import at_batch
from core.estimate.results import Range
from core.market.board import Bill
from core.money.costs import exact
from core.query import FEW_PEOPLE
from core.reference.catalogue import Reference
from core.resolve.serving import seconds_between, sees
from core.sizing.techniques import QUALITY, unpacked_note
from core.units import BITS
from core.wording import dollars, milliseconds, significant
from core.workload import Assumption, LatencyTargets

COLUMNS = (
    say("capacity.how_it_runs"),
    say("capacity.in_flight"),
    say("capacity.tokens_s_each"),
    "Requests/s",
    "Tokens/s",
    say("capacity.memory_holds"),
    "p95 TTFT",
    "p95 TPOT",
    "$/1M full",
)


def capacity_view(found: CapacityAnswer, page: Page) -> AnswerView:
    """What the GPUs carry, or why they serve nothing, and the nearest that would."""
    best = found.best
    if best is None:
        return _nothing(found, page)
    before, peak = page.question.query.count_before, _base_and_peak(found, best, page)
    return page.answer(
        kind="no" if not peak and (found.patient or _too_much(found)) else "answer",
        verdict=peak or _verdict(found, best, page) + _fewer(found, best, before),
        why=_why(found, best),
        table=_table(found),
        levers=tuple(_levers(found, best)),
        chips=chips(_assumed(found)),
        notes=(*_formats_note(found, best), *found.resolved.notes),
        small_print=() if found.owned else _small_print(best),
    )


def _assumed(found: CapacityAnswer) -> list[Assumption]:
    """What the answer rests on: a load only where one was stated."""
    every = found.resolved.assumptions
    unused = frozenset() if found.load_stated else LOAD_FIELDS
    return [one for one in every if one.field not in unused]


def _formats_note(found: CapacityAnswer, best: Carried) -> tuple[str, ...]:
    """What fewer bits cost in quality, and what they would carry, unasked."""
    if len(found.spec.precisions or ()) == 1:
        return ()
    lower = BITS[best.weights] < 8 and best.weights != found.spec.model.native_precision
    notes = [f"{best.weights.upper()}: {QUALITY[best.weights]}."] if lower else []
    own = [one for one in found.carried if one.gpu.id == best.gpu.id]
    rated = found.load_stated and found.spec.load.concurrency is None
    most = max(own, key=lambda one: _does(one, rated=rated))
    more = _does(most, rated=rated) / _does(best, rated=rated)
    if more >= WORTH_SAYING:
        notes.append(
            say(
                "capacity.other_format",
                best=best.weights.upper(),
                best_quality=QUALITY[best.weights],
                weights=most.weights.upper(),
                more=more,
                quality=QUALITY[most.weights],
            )
        )
        if found.load_stated and found.share > 1:
            servers = math.ceil(found.share / more * best.replicas)
            gpus = servers * (best.gpus // best.replicas)
            notes[-1] += say("capacity.takes_then", gpus=gpus, gpu=gpu_name(best.gpu))
            if best.bill and best.bill.offer.gpu_count == 1:
                usd = best.bill.usd_per_month / best.bill.gpus * gpus
                notes[-1] += say("capacity.costs_then", usd=usd)
    return tuple(notes)


def _does(one: Carried, *, rated: bool) -> float:
    """What is carried, in the unit of the load."""
    return (one.requests_per_second if rated else one.in_flight).likely


WORTH_SAYING = 1.15
"""How many times the people another format must carry to be named."""


def _unpacked(found: CapacityAnswer) -> str:
    """Why a row of fewer bits serves less than the first; empty: none does."""
    best = found.carried[0]
    own = [one for one in found.carried if one.gpu.id == best.gpu.id]
    fewer = [one for one in own if BITS[one.weights] < BITS[best.weights]]
    if all(one.in_flight.likely >= best.in_flight.likely for one in fewer):
        return ""
    return unpacked_note(best.gpu, [one.weights for one in own])


def _too_much(found: CapacityAnswer) -> bool:
    return found.load_stated and found.share > 1


def _base_and_peak(found: CapacityAnswer, best: Carried, page: Page) -> str:
    """What own GPUs carry all year, and what a peak of some days takes beyond them."""
    query, plan, bill = page.question.query, found.needed, found.needed_bill
    usual, peak, lasts = query.rps, query.peak_rps, query.peak_hours
    if not (usual and peak and lasts and plan and bill):
        return ""
    busy = usual / best.requests_per_second.likely
    if busy > 1:
        return ""
    return say(
        "capacity.base_and_peak",
        gpus=best.gpus,
        gpu_name=gpu_name(best.gpu),
        usual=usual,
        busy=busy,
        peak=peak,
        all=plan.gpus,
        more=bill.gpus,
        hours=lasts,
        usd=bill.usd_per_hour * exact(lasts),
        seller=at_seller(bill.offer, page.reference),
    )


def _verdict(found: CapacityAnswer, best: Carried, page: Page) -> str:
    reference, query, price = page.reference, page.question.query, ""
    if found.owned:
        kilowatts = (best.gpu.tdp_w or 0) * best.gpus / 1000
        price = say("capacity.no_rent", kilowatts=kilowatts) if kilowatts else ""
    else:
        price = _price(best.bill, reference)
    served = _served(found, best, rate_asked(query), page) + price
    said = [
        _yes_or_no(found, asks_openly(query)) + served,
        *_felt(found, best),
        *_if_not(found, best),
        *_others(found, best),
    ]
    plan, short = found.needed, _too_much(found)
    spare = plan is not None and found.load_stated and plan.gpus != best.gpus
    if plan is not None and (short or spare):
        name, weights, worst = (
            gpu_name(plan.gpu),
            plan.weights.upper(),
            plan.gpus_range[1],
        )
        told = say("capacity.fewer_are_enough", gpus=plan.gpus, gpu_name=name)
        if short:
            told = say(
                "capacity.you_need", gpus=plan.gpus, gpu_name=name, weights=weights
            )
            more = worst > plan.gpus
            told += say("capacity.at_worst", worst=worst) if more else ""
            each = plan.replica_gpus
            if each > best.capacity.layout.gpus and plan.gpus < found.share * best.gpus:
                told += say("capacity.more_together", each=each)
        said.append(told + _needed_price(found, reference))
    return ". ".join(said)


def _felt(found: CapacityAnswer, best: Carried) -> Iterator[str]:
    """How fast a few people read: one alone, and all of them at once."""
    people = round(found.people or 0)
    if not 0 < people <= FEW_PEOPLE or _too_much(found):
        return
    alone, each = best.speed(found.spec), best.speed(found.spec, people)
    if people > 1 and alone and each:
        yield say("capacity.felt", alone=alone, each=each, people=people)
    elif alone:
        yield say("capacity.felt_alone", alone=alone)


def _if_not(found: CapacityAnswer, best: Carried) -> Iterator[str]:
    """What it takes where GPUs that are probably enough are not."""
    asked = found.load_stated and not (found.patient or found.owned)
    if asked and best.bill and found.share <= 1 < found.share_at_worst:
        sold = max(best.bill.offer.gpu_count, best.capacity.layout.gpus)
        gpus = math.ceil(best.gpus * found.share_at_worst / sold) * sold
        usd = best.bill.usd_per_month / best.bill.gpus * gpus
        name = gpu_name(best.gpu)
        yield say("capacity.otherwise", gpus=gpus, gpu_name=name, usd=usd)


def _served(found: CapacityAnswer, best: Carried, asked: str, page: Page) -> str:
    """People and requests per second, first the one that is asked for."""
    which = say("capacity.verdict") if best.models > 1 else ""
    hardware, gpus = _hardware(found, best), found.spec.constraints.count or 1
    name, weights = found.spec.model.name, best.weights.upper()
    served = say("capacity.served", which=which, name=name, weights=weights)
    rate = best.requests_per_second
    batch = page.question.query.batch_size
    every = at_batch(best, found.spec, batch) if batch else None
    if asked == "tokens" or every:
        told = _pace(found, best)
        if batch and every:
            likely = every.likely
            told = say(
                "capacity.at_batch", likely=likely, each=likely / batch, batch=batch,
                told=told,
            )  # fmt: skip
        if batch and batch > best.room:
            served += say("capacity.no_such_batch", batch=batch, room=best.room)
        return say("capacity.writes", hardware=hardware, gpus=gpus, told=told) + served
    at_once = _at_once(best.in_flight)
    if asked:
        told = say(
            "capacity.rate_range", likely=rate.likely, low=rate.low, high=rate.high
        )
        handles = say("capacity.handles", hardware=hardware, gpus=gpus, told=told)
        return f"{handles}{served}, {at_once}"
    talking = _talking(found, best, page)
    return say(
        "capacity.answers",
        hardware=hardware,
        gpus=gpus,
        at_once=at_once,
        talking=talking,
        served=served,
    )


TALKED_WITH = (None, "chat", "rag", "code", "reasoning")
"""Uses in which people read an answer before they send the next request."""


def _talking(found: CapacityAnswer, best: Carried, page: Page) -> str:
    """People, or agents, who send as many requests; empty: nobody talks to it."""
    query, spec = page.question.query, found.spec
    usual = page.question.defaults.for_use(query.use)
    if pause := usual.get("pause_seconds"):
        seconds = best.capacity.e2e_ms / 1000 + pause.value
        agents = max(round(best.requests_per_second.likely * seconds), 1)
        return say("capacity.agents_at_work", agents=agents, seconds=seconds)
    if query.use not in TALKED_WITH or sees(query, spec.model) or found.load_stated:
        return ""
    seconds = seconds_between(usual, spec.input_tokens * (1 - spec.cache_hit_rate))
    people = best.requests_per_second.likely * seconds
    if people < 2 * best.in_flight.likely:
        return ""
    people = float(f"{people:.2g}")
    return say("capacity.in_conversation", people=people, seconds=seconds)


def _pace(found: CapacityAnswer, best: Carried) -> str:
    """Tokens per second of one request alone, then of as many as are carried."""
    alone, every = best.speed(found.spec), best.output_tokens_per_second
    at_once = max(round(best.in_flight.likely), 1)
    if at_once == 1 or not alone:
        return say("capacity.alone", alone=best.written(found.spec))
    return say(
        "capacity.alone_and_in_all",
        alone=alone,
        likely=round(every.likely),
        low=round(every.low),
        high=round(every.high),
        at_once=at_once,
        each=best.each,
    )


def _fewer(found: CapacityAnswer, best: Carried, before: int | None) -> str:
    """What so many GPUs fewer than today's save; empty: none are given up."""
    if before is None or found.owned or best.bill is None or _too_much(found):
        return ""
    each = best.bill.usd_per_month / best.bill.gpus
    usd = each * (before - best.gpus)
    return say("capacity.fewer_save", gpus=best.gpus, before=before, usd=usd)


def _needed_price(found: CapacityAnswer, reference: Reference) -> str:
    """What the needed GPUs, or those beyond the ones in hand, cost a month."""
    bill = found.needed_bill
    if bill is None:
        return ""
    where = say("capacity.in_another_region") if found.needed_elsewhere else ""
    if not found.owned:
        return _price(bill, reference) + where
    seller, usd = at_seller(bill.offer, reference), bill.usd_per_month
    more = say("capacity.rent_more", gpus=bill.gpus, usd_per_month=usd, seller=seller)
    return more + where


def _price(bill: Bill | None, reference: Reference) -> str:
    """A month of it at the cheapest seller; empty: no price is known."""
    if bill is None:
        return ""
    seller = at_seller(bill.offer, reference)
    return say("capacity.month_at", usd_per_month=bill.usd_per_month, seller=seller)


def _others(found: CapacityAnswer, best: Carried) -> list[str]:
    """The other named GPUs against the first, by people and by money."""
    first_of: dict[str, Carried] = {}
    for one in found.carried:
        first_of.setdefault(one.gpu.id, one)
    return [_against(one, best, found) for one in list(first_of.values())[1:]]


def _against(one: Carried, best: Carried, found: CapacityAnswer) -> str:
    more = one.in_flight.likely / best.in_flight.likely
    text = say(
        "capacity.with_more_gpus",
        gpus=one.gpus,
        gpu_name=gpu_name(one.gpu),
        more=more,
        likely=round(one.in_flight.likely),
    )
    cost, own = (e.usd_per_million(found.spec.output_tokens, 1) for e in (one, best))
    if one.bill is None or cost is None or own is None:
        return text
    return say(
        "capacity.for_month_at_full",
        text=text,
        usd_per_month=one.bill.usd_per_month,
        cost=cost,
        own=own,
    )


def _hardware(found: CapacityAnswer, best: Carried) -> str:
    """The named GPUs, and each model's part where several share them."""
    gpus = found.spec.constraints.count or 1
    models = found.spec.model_count
    text = f"{gpus} × {gpu_name(best.gpu)}"
    return say("capacity.hardware", text=text, models=models) if models > 1 else text


def _at_once(flight: Range) -> str:
    """Requests in flight with their range."""
    low, likely, high = (
        max(round(each), 1) for each in (flight.low, flight.likely, flight.high)
    )
    return say("capacity.at_once", likely=likely, low=low, high=high)


READ = 5
"""Tokens per second, below which even one person alone waits for each word."""


def _yes_or_no(found: CapacityAnswer, openly: bool) -> str:
    """What a stated load comes to; no yes where the question asks what or when."""
    if found.patient:
        return say(
            "capacity.not_within_with_longer",
            targets_words=targets_words(found.spec.targets),
        )
    if not found.load_stated:
        return ""
    used, best = found.share, found.best
    if best and found.people and used <= 1 and best.speed(found.spec) < READ:
        return say("capacity.slower_than_read")
    if found.share_at_worst <= 1:
        if openly:
            return say("capacity.load_in_use", used=used)
        return say("capacity.yes_in_use", used=used)
    if found.share <= 1:
        worst = found.share_at_worst
        return say("capacity.probably_in_use", used=used, worst=worst)
    if found.share < 2:
        return say("capacity.no_by_percent", used=used)
    return say("capacity.no_by_times", share=found.share)


def within(targets: LatencyTargets) -> str:
    """Under which latency a rate holds."""
    limited = any((targets.ttft_ms, targets.tpot_ms, targets.e2e_ms))
    return (
        say("capacity.within", targets_words=targets_words(targets))
        if limited
        else say("capacity.without_a_latency_limit")
    )


def targets_words(targets: LatencyTargets) -> str:
    """The latency limits as they are asked for."""
    parts = []
    if targets.ttft_ms is not None:
        parts.append(say("capacity.start_limit", ms=targets.ttft_ms))
    if targets.tpot_ms is not None:
        parts.append(say("capacity.writing_speed", rate=1000 / targets.tpot_ms))
    if targets.e2e_ms is not None:
        parts.append(say("capacity.whole_answer", ms=targets.e2e_ms))
    if not parts:
        return say("capacity.no_latency_limit")
    return say(
        "capacity.targets",
        limits=" and ".join(parts),
        percent=targets.percentile.removeprefix("p"),
    )


def _why(found: CapacityAnswer, best: Carried) -> str:
    limits = found.patient or found.spec.targets
    return say(
        "capacity.why",
        limit=say("capacity.assumed_limit")
        if {"ttft_ms", "tpot_ms"} <= {a.field for a in found.resolved.assumptions}
        else say("capacity.limit"),
        within=targets_words(limits),
        binding_words=limited_by(best.capacity.binding) + _free_slots(best),
        load_words=_load_words(found),
        estimate=say("capacity.as_you_measured", rate=best.capacity.measured)
        if best.capacity.measured
        else say("jobs.estimate_not_measured"),
    )


def _free_slots(best: Carried) -> str:
    """That not all that memory holds are answered on average, where few are held."""
    answered = best.requests_per_second.likely * best.capacity.e2e_ms / 1000
    if best.capacity.binding != "kv_cache" or answered > MOST_IN_USE * best.room:
        return ""
    return say("capacity.free_slots", answered=answered, room=best.room)


MOST_IN_USE = 0.8
"""Share of what memory holds above which the free slots explain nothing."""


def _load_words(found: CapacityAnswer) -> str:
    """What the stated load peaks at, and the people who make the peak."""
    load = found.spec.load
    if not found.load_stated or load.concurrency is not None:
        return ""
    assumed = (one for one in found.resolved.assumptions if one.field == "peak_rps")
    peak = next(assumed, None)
    people = ""
    if peak is not None and peak.label == say("assumptions.in_conversation_at_once"):
        people = say("capacity.load_of_people", people=peak.value)
    return say("capacity.load_words", rps=load.rps, people=people)


def _table(found: CapacityAnswer) -> Table:
    several = len({one.gpu.id for one in found.carried}) > 1
    shown = [one for one in found.carried if several or not _is_beaten(one, found)]
    rows = tuple(_row(one, found, several) for one in shown)
    left = [f"{r.subject}: {r.why.split(': ', 1)[-1]}" for r in found.rejections]
    return Table(
        caption=say("capacity.what_each_weight_format"),
        columns=COLUMNS,
        rows=rows,
        winner=0,
        note=". ".join(
            filter(
                None,
                (
                    _unpacked(found).rstrip("."),
                    say("capacity.left_out") + "; ".join(left) if left else "",
                ),
            )
        ),
    )


def _is_beaten(one: Carried, found: CapacityAnswer) -> bool:
    """Whether a format serves less than one of more bits, unasked."""
    if found.spec.precisions:
        return False
    return any(
        BITS[one.weights] < BITS[other.weights]
        and one.in_flight.likely < other.in_flight.likely
        for other in found.carried
    )


def _row(one: Carried, found: CapacityAnswer, several: bool) -> tuple[Cell, ...]:
    name = f"{gpu_name(one.gpu)} {one.weights.upper()}" if several else ""
    spec, capacity = found.spec, one.capacity
    rate = one.requests_per_second.likely
    million = one.usd_per_million(spec.output_tokens, 1)
    shape = (
        say("capacity.server_split", replicas=one.replicas, gpus=capacity.gpus)
        if one.gpus > 1
        else ""
    )
    return (
        Cell(text=(name or one.weights.upper()) + shape),
        number(max(round(one.in_flight.likely), 1)),
        Cell(text=significant(one.each, 2), value=one.each),
        Cell(text=significant(rate), value=rate),
        number(round(one.written(spec))),
        number(one.room),
        Cell(text=milliseconds(capacity.ttft_p95_ms), value=capacity.ttft_p95_ms),
        Cell(text=milliseconds(capacity.tpot_p95_ms), value=capacity.tpot_p95_ms),
        money(million) if million is not None else Cell(text="unpriced"),
    )


def _levers(found: CapacityAnswer, best: Carried) -> list[Lever]:
    spec, levers = found.spec, []
    if found.needed is not None:
        plan = found.needed
        text = say(
            "capacity.are_enough",
            gpus=plan.gpus,
            gpu_name=gpu_name(plan.gpu),
            weights=plan.weights.upper(),
        )
        levers.append(
            Lever(
                text=text,
                difference=say(
                    "capacity.within", targets_words=targets_words(spec.targets)
                ),
            )
        )
    full, part = (best.usd_per_million(spec.output_tokens, used) for used in (1, 0.5))
    if full is not None and part is not None:
        text = say("capacity.m_output_tokens_cost", full=full)
        levers.append(Lever(text=text, difference=dollars(part)))
    return levers


def _small_print(best: Carried) -> tuple[str, ...]:
    if best.bill is None:
        return (say("capacity.small_print", gpu_name=gpu_name(best.gpu)),)
    return (price_sources([best.bill.offer]),)


def _nothing(found: CapacityAnswer, page: Page) -> AnswerView:
    """A no: what is in the way, and the fewest GPUs of the kind that do serve it."""
    reasons = [r.why for r in found.rejections]
    spec, plan = found.spec, found.needed
    nearest = (
        say(
            "capacity.nearest",
            price=_needed_price(found, page.reference),
            gpus=plan.gpus,
            gpu_name=gpu_name(plan.gpu),
            weights=plan.weights.upper(),
        )
        if plan
        else say("capacity.more_of_these_gpus")
    )
    return page.answer(
        kind="no",
        verdict=say(
            "capacity.no_does_not_fit",
            name=spec.model.name,
            where=_where(found),
            nearest=nearest,
        ),
        why="; ".join(reasons) + "." if reasons else "",
        chips=chips(found.resolved.assumptions),
        notes=found.resolved.notes,
    )


def _where(found: CapacityAnswer) -> str:
    """The GPUs that do not hold the model, where they are counted."""
    gpus, plan = found.spec.constraints.count, found.needed
    if not gpus or plan is None:
        return say("capacity.where_asked")
    return say("capacity.on_named_gpus", gpus=gpus, gpu_name=gpu_name(plan.gpu))


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
        replica_memory(best.gpu, best.weights, one),
        say(
            "capacity.one_server",
            gpus=one.gpus,
            batch=one.batch,
            likely=rate.likely,
            low=rate.low,
            high=rate.high,
            latency=one.latency,
        ),
        say(
            "capacity.servers_at_most_busy",
            replicas=best.replicas,
            likely=carried.likely,
            output_tokens=spec.output_tokens,
        ),
        say(
            "capacity.requests_s_per_answer",
            likely=carried.likely,
            e2e_ms=one.e2e_ms,
            likely_2=best.in_flight.likely,
        ),
    ]
