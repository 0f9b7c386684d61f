"""What a change does: both states are answered as if alone, the difference leads."""

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from msgspec import Struct

from bot.answers.shared.figures import gpu_name, provider_name, sold_gpu, way_words
from bot.question.asks import asks
from bot.question.question import Answered, Question
from bot.render.field_words import told_of
from bot.render.words import say
from bot.service.as_asked import gpus_apart
from core.answers.answer import LENGTHS, LOADS, Way
from core.answers.capacity import CapacityAnswer, Carried
from core.answers.idle import HIGHEST
from core.answers.states import pace
from core.market.current import is_plain
from core.patterns import regex
from core.query import PLACES, RATES, UPTIME, Query
from core.wording import dollars, milliseconds
from core.workload import InferenceSpec

MOVES = (*LOADS, *LENGTHS, "lengthened", "utilization")
"""What GPUs of today have to carry: of those that are counted more may be needed."""
FREE: dict[str, object] = {"count": None, "owned": None, "self_hosted": True}
CARRIED = ("ok", "over_budget", "too_close")
HALF_A_CENT = Decimal("0.005")


class State(Struct, frozen=True):
    """A question as it is before or after a change, and its answer."""

    query: Query
    found: Answered

    @property
    def way(self) -> Way | None:
        """What the answer recommends, where it has a price."""
        ways = self.found.figures.ways if self.found.figures else ()
        return ways[0] if ways and ways[0].money.headline[0] is not None else None

    @property
    def carried(self) -> Carried | None:
        """What counted GPUs carry; None: another figure is told of them."""
        figures = self.found.figures
        return figures.best if isinstance(figures, CapacityAnswer) else None

    @property
    def share(self) -> float:
        """The stated load over that; 0: none is stated."""
        figures = self.found.figures
        if not isinstance(figures, CapacityAnswer) or not figures.load_stated:
            return 0.0
        return figures.share


def changed(question: Question, answer: Callable[[Query], Answered]) -> Answered:
    """Answer both states, and lead with the money, the GPUs or the waits between."""
    one, two = question.query.states or (question.query, question.query)
    if one.count == two.count and one.count and one.sla != two.sla:
        return _second_replica(question, one, two, answer)
    served = one.kind == "inference" and one.modality is None
    free = not any(getattr(one, name) for name in RATES)
    recast = one.precision != two.precision
    other = any(_moves(one, two)) or recast
    more = one.count != two.count or (free and other)
    if served and one.count and two.count and more:
        counted: dict[str, object] = {"intent": "capacity", "owned": None}
        if one.utilization == two.utilization:  # told of what they hold, below
            counted["utilization"] = None
        one, two = (state.model_copy(update=counted) for state in (one, two))
    if served and one.count and one.intent == "fit" and any(_moves(one, two)):
        one = one.model_copy(update={"intent": "size"})  # whether they still do
    if recast:  # of one's own GPUs: no API has a format to change
        one, two = (q.model_copy(update={"self_hosted": True}) for q in (one, two))
    before = State(one, answer(one))
    two, held = _freed(before, _lengthened(two, before))
    after = State(two, answer(two))
    alone = before, after
    alike = _alike(before, after, answer)
    usd = [state.way.money.headline[0] for state in alike if state.way]
    rented = all(state.way and state.way.offer for state in alone)
    if _demands(one, two) or (rented and len({*usd}) < 2):  # to who takes the cheapest
        told_too = say("states.alike_demand", each=_others(question, alike, alone))
    else:
        before, after = alike
        told_too = say("states.alike", each=_others(question, alone, alike))
    shown = {"gpu": one.gpu, "count": one.count, "intent": one.intent} if held else {}
    lines = [
        _line(question, label, own, state)
        for label, own, state in zip(
            (say("states.before"), say("states.after")),
            _own(one, two.model_copy(update=shown)),
            (before, after),
            strict=True,
        )
    ]
    told = after.found.redrawn(
        verdict=_told(question, before, after, held),
        why="\n".join((*lines, after.found.view.why)),
        not_used=()
        if _of_a_format(question, before, after)
        else _not_used(question.query, after),
    )
    return told.noted(*_measured(before), *((told_too,) if alike != alone else ()))


def _second_replica(
    question: Question, one: Query, two: Query, answer: Callable[[Query], Answered]
) -> Answered:
    """What an uptime adds to GPUs that are counted: as many again, elsewhere.

    What a seller promises is of a machine or a zone; a service stays up by another.
    """
    alone: dict[str, object] = dict.fromkeys((*UPTIME, "model", "params_b", "wanted"))
    alone |= {"intent": "cost", "kind": None, "clarify": None}
    held = one.count or 1
    bill = one.model_copy(update=alone)
    before, after = (
        State(q, answer(q)) for q in (bill, bill.model_copy(update={"count": 2 * held}))
    )
    way = after.way
    if way is None or way.offer is None:
        return after.found
    told = say(
        "states.needs",
        more=way.gpus - held,
        gpu=sold_gpu(way.offer.gpu, question.reference),
        held=held,
        told=_apart(question, before.way, way),
    )
    wanted = two.sla if isinstance(two.sla, float) else 0
    why = say("states.replica", sla=wanted) if wanted else say("states.replica_up")
    view = after.found.view
    left = tuple(words for words in view.not_used if not _REPLICA.search(words))
    levers = tuple(one for one in view.levers if "spot" not in one.text.split())
    return after.found.redrawn(
        verdict=told, why=f"{why}\n{view.why}", not_used=left, levers=levers
    )


_REPLICA = regex(r"\b(?:replicas?|standby|redundan\w+|failover|zones?|copy)\b", re.I)
"""What as many GPUs again are for."""


def _alike(
    before: State, after: State, answer: Callable[[Query], Answered]
) -> tuple[State, State]:
    """Both states on one GPU, rented both times, where nobody asks for another.

    Else a change and another card's price would be told as one difference. Of the two
    GPUs it is the one on which both together cost less.
    """
    one, two, now, then = before.query, after.query, before.way, after.way
    varied = any(getattr(one, name) != getattr(two, name) for name in OTHERWISE)
    if varied or one.intent != two.intent or not (now and then):
        return before, after
    own = [way.offer is not None for way in (now, then)]
    if any(own) and not all(own):  # an API beside GPUs: GPUs both times
        before, after = (_held(one, answer) for one in (before, after))
    ways = [state.way for state in (before, after)]
    rented = [way.offer.gpu for way in ways if way and way.offer]
    if len(set(rented)) < 2:
        return before, after
    pairs = []
    for gpu in rented[-1:] if _demands(one, two) else rented:
        pair = [_held(state, answer, gpu) for state in (before, after)]
        sides = [(way, way.offer) for one in pair if (way := one.way) and way.offer]
        if len(sides) == len(pair) and all(is_plain(offer) for _, offer in sides):
            usd = sum(way.money.headline[0] or Decimal(0) for way, _ in sides)
            pairs.append((usd, pair[0], pair[1]))
    best = min(pairs, key=lambda pair: pair[0], default=(0, before, after))
    return best[1], best[2]


def _held(state: State, answer: Callable[[Query], Answered], gpu: str = "") -> State:
    """A state on rented GPUs, of one kind if it is named."""
    offer = state.way.offer if state.way else None
    if offer and offer.gpu == gpu:
        return state
    held = {"self_hosted": True} | ({"gpu": (gpu,)} if gpu else {})
    query = state.query.model_copy(update=held)
    return State(query, answer(query))


OTHERWISE = ("gpu", "provider", "count", "owned", "pricing")
"""What a question varies that takes other GPUs."""


def _demands(one: Query, two: Query) -> bool:
    """Whether the change is a demand: an uptime, or where the GPUs stand."""
    return any(getattr(one, name) != getattr(two, name) for name in (*UPTIME, *PLACES))


def _others(
    question: Question, told: tuple[State, State], but: tuple[State, State]
) -> str:
    """The states that another pair has otherwise, each with its way and its money."""
    labels = say("states.before"), say("states.after")
    return "; ".join(
        say("states.cheapest", label=label, way=way_words(one.way, question.reference),
            usd=one.way.money.headline[0] or Decimal(0), per=one.way.money.headline[1])
        for label, one, two in zip(labels, told, but, strict=True)
        if one is not two and one.way
    )  # fmt: skip


def _moves(before: Query, after: Query) -> Iterator[bool]:
    """Of each load and length, whether it is another after the change."""
    return (getattr(before, name) != getattr(after, name) for name in MOVES)


def _idle(*states: Query) -> bool:
    """Whether GPUs are counted and no load is told: it is asked what they hold."""
    load = ("utilization", *RATES)
    return all(
        state.intent == "capacity" and not any(getattr(state, name) for name in load)
        for state in states
    )


def _not_used(query: Query, after: State) -> tuple[str, ...]:
    """The asker's words that neither state took."""
    told = (*(one.text for one in query.not_used), *after.found.view.not_used)
    return tuple(dict.fromkeys(one for one in told if one in query.text))


def _lengthened(after: Query, before: State) -> Query:
    """A length of which only the factor is told, by what stands before it."""
    figures = before.found.figures
    spec = figures.workload.spec if figures and figures.workload else None
    if after.lengthened is None or not isinstance(spec, InferenceSpec):
        return after
    field, times = after.lengthened
    length = getattr(spec, field) * times
    return after.model_copy(update={field: length, "lengthened": None})


def _freed(before: State, after: Query) -> tuple[Query, int | None]:
    """The load after the change on as many of the GPUs as it takes, and today's."""
    today, count = before.query, before.query.count
    moved = any(_moves(today, after))
    if not moved or count is None or count != after.count or _idle(today, after):
        return after, None
    if after.utilization and after.utilization != today.utilization:
        need = max(count, math.ceil(count * after.utilization / HIGHEST))
        used = count * after.utilization / need
        return after.model_copy(update={"count": need, "utilization": used}), count
    free = FREE | {"intent": "size"}
    if before.way and before.way.offer:
        free["gpu"] = (before.way.offer.gpu,)
    elif before.carried:
        free["gpu"] = (before.carried.gpu.id,)
    return after.model_copy(update=free), count


def _of_a_format(question: Question, before: State, after: State) -> str:
    """What a format changes of counted GPUs whose model nobody names; else empty."""
    named = before.query.model or before.query.params_b
    formats, way = after.query.precision or (), after.way
    if named or before.query.precision == formats or not (formats and way):
        return ""
    gpu = question.reference.gpus.get(way.offer.gpu) if way.offer else None
    usd, per = way.money.headline
    if gpu is None or usd is None:
        return ""
    into = formats[0]
    faster = gpu.tflops.get(into, 0) / gpu.tflops.get("bf16", math.inf)
    does = say("states.no_units", gpu=gpu_name(gpu), format=into.upper())
    if faster:
        does = say("states.units", gpu=gpu_name(gpu), format=into.upper(), times=faster)
    elif into == "fp8" and gpu.tflops.get("int8"):
        does += say("states.take_int8")
    return say(
        "states.format", way=way_words(way, question.reference), usd=usd, per=per,
        does=does,
    )  # fmt: skip


def _told(question: Question, before: State, after: State, held: int | None) -> str:
    if told := _of_a_format(question, before, after):
        return told
    if before.carried and after.carried and not held:
        return _carried(question, before, after)
    now, then = before.way, after.way
    figures = after.found.figures
    if then is None or figures is None or figures.status not in CARRIED:
        verdict = after.found.view.verdict.rstrip(".") + "."
        if now is None:
            return say("states.unpriced", verdict=verdict)
        usd, per = now.money.headline
        words = way_words(now, question.reference)
        return say("states.none", verdict=verdict, way_1=words, now=usd, per=per)
    told = _apart(question, now, then)
    if held is None or then.offer is None:
        return _as_asked(question, now, then, told)
    gpu = sold_gpu(then.offer.gpu, question.reference)
    if then.gpus <= held:
        return say("states.holds", held=held, gpu=gpu, told=told)
    more = then.gpus - held
    if now is None:
        usd, per = then.money.headline
        return say(
            "states.needs_own",
            more=more,
            gpu=gpu,
            held=held,
            usd=(usd or Decimal(0)) / then.gpus * more,
            per=per,
            way=provider_name(then.offer.provider, question.reference),
        )
    return say("states.needs", more=more, gpu=gpu, held=held, told=told)


def _apart(question: Question, now: Way | None, then: Way) -> str:
    """What the change costs or saves, with both bills."""
    (usd_2, per), way = then.money.headline, way_words(then, question.reference)
    usd = now.money.headline[0] if now else None
    if now is None or not usd or usd_2 is None:
        return f"{way}, {dollars(usd_2 or Decimal(0))}{per}"
    way_1, apart = way_words(now, question.reference), _between(usd, usd_2)
    if not apart and way == way_1:
        return say("states.same", way=way, then=usd, per=per)
    if not apart:
        return say("states.same_price", way=way, way_1=way_1, then=usd, per=per)
    share, more = float(usd_2 / usd - 1), then.gpus - now.gpus
    same = now.offer and then.offer and now.offer.gpu == then.offer.gpu
    alike = same and (more > 0) == (usd_2 > usd)
    gpus = say("states.gpus", more=abs(more)) if alike and more else ""
    told = say("states.instead", gpus=gpus, usd=apart, per=per, share=share, way=way,
        then=usd_2, way_1=way_1, now=usd)  # fmt: skip
    adds = usd_2 > usd
    return say("states.adds", told=told) if adds else say("states.saves", told=told)


def _between(usd: Decimal, usd_2: Decimal) -> Decimal:
    """What two sums are apart; less than half a cent is nothing."""
    apart = abs(usd_2 - usd)
    return apart if apart >= HALF_A_CENT else Decimal(0)


def _as_asked(question: Question, now: Way | None, then: Way, told: str) -> str:
    """The same behind the GPUs between the two, or behind a yes or a no, if asked."""
    if now is None:
        return told
    if asks(question.query, "gpus") and (count := gpus_apart(now, then)):
        return count + told
    (usd, per), (usd_2, _) = now.money.headline, then.money.headline
    if usd is None or usd_2 is None or not _between(usd, usd_2):
        return told
    saves = usd - usd_2
    if asks(question.query, "year") and per == "/month":
        told = say("states.a_year", usd=12 * abs(saves), told=told)
    if not asks(question.query, "gain"):
        return told
    return (say("states.cheaper") if saves > 0 else say("states.not_cheaper")) + told


def _carried(question: Question, before: State, after: State) -> str:
    """What other GPUs, or more of them, do for the waits or the load."""
    one, two = before.carried, after.carried
    if one is None or two is None:
        return after.found.view.verdict
    told = _apart(question, before.way, after.way) if after.way else ""
    rate, rate_1 = two.requests_per_second.likely, one.requests_per_second.likely
    gpu, gpu_1, gpus, gpus_1 = gpu_name(two.gpu), gpu_name(one.gpu), two.gpus, one.gpus
    each = two.capacity.layout.gpus
    if _idle(before.query, after.query) and any(_moves(before.query, after.query)):
        holds, held = (max(round(s.in_flight.likely), 1) for s in (two, one))
        used = question.query.utilization or 0
        then_busy = used * rate_1 / rate
        load = say("states.busy", used=used, busy=then_busy) if used else ""
        each_gets = say("states.each_gets", each=two.each, each_1=one.each)
        alike = f"{two.each:.2g}" == f"{one.each:.2g}"
        dearer = _for_as_much(one, two)
        told = say("states.bill_stays") if dearer else told
        return dearer + say(
            "states.at_once", gpus=gpus, gpu=gpu, holds=holds, held=held, rate=rate,
            rate_1=rate_1, each_gets="" if alike else each_gets, load=load, told=told,
        )  # fmt: skip
    if one.gpu == two.gpu and rate == rate_1 and gpus > gpus_1:
        rest, step = gpus - two.replicas * each, (one.replicas + 1) * each
        return say(
            "states.idle_card", each=each, rest=rest, gpus=gpus, next=step, told=told
        )
    now, then = pace(before.found.figures), pace(after.found.figures)
    limit = after.query.ttft_ms or after.query.tpot_ms
    if limit and now and then and after.share:
        wait, wait_1 = (
            found.ttft_p95_ms if after.query.ttft_ms else found.tpot_p95_ms
            for found in (then, now)
        )
        kept = wait <= limit and after.share <= 1
        return say(
            "states.keeps",
            yes=say("states.yes") if kept else say("states.no"),
            gpus=gpus,
            gpu=gpu,
            limit=milliseconds(limit),
            then=milliseconds(wait),
            now=milliseconds(wait_1),
            gpus_1=gpus_1,
            told=told,
        )
    if not after.share or gpus_1 > gpus:
        if gpu == gpu_1 and two.weights != one.weights:  # named by what sets them apart
            gpu, gpu_1 = (f"{gpu} {each.weights.upper()}" for each in (two, one))
        dearer = _for_as_much(one, two) if rate < rate_1 else ""
        told = say("states.bill_stays") if dearer else _held_little(one, two) + told
        return dearer + say(
            "states.carries", gpus=gpus, gpu=gpu, rate=rate, gpus_1=gpus_1, gpu_1=gpu_1,
            rate_1=rate_1, times=rate / rate_1, told=told,
        )  # fmt: skip
    busy, busy_2 = before.share, after.share
    if busy <= HIGHEST:
        return say(
            "states.needless", gpus_1=gpus_1, gpu_1=gpu_1, rate_1=rate_1, busy=busy,
            told=told,
        )  # fmt: skip
    return say(
        "states.needed", gpus_1=gpus_1, gpu_1=gpu_1, busy=busy, gpus=gpus,
        busy_2=busy_2, told=told,
    )  # fmt: skip


def _for_as_much(one: Carried, two: Carried) -> str:
    """What the load that filled GPUs before takes after; empty: as many, or no price.

    The GPUs cost the same, and not the traffic.
    """
    each, bill = two.capacity.layout.gpus, two.bill
    share = one.requests_per_second.likely / two.requests_per_second.likely
    if bill is None or one.gpu != two.gpu or one.gpus != two.gpus:
        return ""
    sold = max(bill.offer.gpu_count, each)
    need = math.ceil(round(two.replicas * each * share / sold, 6)) * sold
    if need == two.gpus:
        return ""
    usd = bill.usd_per_month
    return say(
        "states.for_as_much", rate=one.requests_per_second.likely, need=need,
        gpu=gpu_name(two.gpu), usd=usd / bill.gpus * need, gpus=two.gpus, now=usd,
    )  # fmt: skip


def _held_little(one: Carried, two: Carried) -> str:
    """Why another format carries many times as much: the weights filled the memory."""
    rates = (each.requests_per_second.likely for each in (two, one))
    if one.gpu != two.gpu or one.weights == two.weights:
        return ""
    if next(rates) < MANY * next(rates) or one.capacity.binding != "kv_cache":
        return ""
    memory = one.capacity.memory.weights_gb
    return say(
        "states.held_little", format=one.weights.upper(), gb=memory,
        card=one.gpu.memory_gb, room=one.room, room_2=two.room,
    )  # fmt: skip


MANY = 3
"""Times as much that no faster arithmetic explains."""


def _measured(before: State) -> tuple[str, ...]:
    """That what is measured today is far from what such GPUs do."""
    wait, found = before.query.measured_wait_ms, pace(before.found.figures)
    if wait is None or found is None:
        return ()
    expected = found.tpot_p95_ms if before.query.tpot_ms else found.ttft_p95_ms
    if wait <= 2 * expected:
        return ()
    said = milliseconds(wait), milliseconds(expected)
    return (say("states.measured", wait=said[0], expected=said[1]),)


def _own(before: Query, after: Query) -> list[str]:
    """What each state says and the other does not."""
    said = [
        [words for words in told_of(one) if not words.startswith("“")]
        for one in (before, after)
    ]
    return [
        ", ".join(words for words in mine if words not in other)
        for mine, other in (said, said[::-1])
    ]


def _line(question: Question, label: str, own: str, state: State) -> str:
    """A state in one line: what it takes, what that costs, and how fast it is."""
    own, way = say("states.own", words=own) if own else "", state.way
    if way is None:
        verdict = state.found.view.verdict.partition(". ")[0].rstrip(".")
        return say("states.line_unpriced", label=label, own=own, verdict=verdict)
    usd, per = way.money.headline
    figures = state.found.figures
    waits, spec = pace(figures), figures and figures.workload and figures.workload.spec
    paced = ""
    if state.carried and _idle(state.query):
        likely = state.carried.capacity.ttft_limited_ms
        paced = say("states.first_when_full", first=milliseconds(likely))
    elif waits and isinstance(spec, InferenceSpec):
        first, token = milliseconds(waits.ttft_p95_ms), milliseconds(waits.tpot_p95_ms)
        paced = say("states.pace", rate=spec.load.rps, first=first, token=token)
    return say(
        "states.line",
        label=label,
        own=own,
        way=way_words(way, question.reference),
        usd=usd or Decimal(0),
        per=per,
        pace=paced,
    )
