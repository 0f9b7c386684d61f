"""Several loads in one message: each answered as if alone, then all of them in one."""

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal

from msgspec.structs import replace

from bot.answers.compare_loads.decide import USUAL
from bot.answers.dispatch import decide
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    price_sources,
    provider_name,
    way_words,
)
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from bot.render.field_words import told_of
from bot.render.views import Cell, Lever, Table
from bot.render.words import say
from core.answers.answer import PILES, Money, Way
from core.answers.several_loads import (
    LoadAnswer,
    OneFleet,
    SeveralLoads,
    on_one_fleet,
    summed,
)
from core.jobs.options import JobOption
from core.market.named_gpus import named_gpus
from core.money.costs import exact
from core.offers import Offer
from core.query import RATES, Query
from core.wording import count, dollars
from core.workload import InferenceSpec, MediaSpec, WorkloadSpec


def together(question: Question, each: list[Answered]) -> Answered:
    """One answer out of those of the single loads."""
    wait = _whole_wait(each)
    told = [_told(one.query or question.query, wait) for one in each]
    names = _names(each, told)
    parts = tuple(
        LoadAnswer(name, one.figures) for name, one in zip(names, each, strict=True)
    )
    shared = _on_one_fleet(question, each) if question.query.one_fleet else None
    found, page = SeveralLoads(parts, shared), Page(question)
    view = page.answer(
        kind="answer" if found.ways else "no",
        verdict=(
            _of_one_fleet(found, page)
            or _verdict(found, each, asks_time=bool(question.query.asks_time))
        )
        + _per_minute(found, each),
        why=_why(question, found, [*_unnamed(names, each)]),
        table=_table(found, each, page),
        levers=() if shared else tuple(_levers(names, each)),
        chips=chips(found.assumed),
        notes=(
            *_taken(names, question, each),
            *_waits(wait, each),
            *_weighed(names, each),
            *_notes(names, each),
        ),
        small_print=(price_sources(_offers(found)),) if found.ways else (),
    )
    explained = page.explained(_steps(names, each), found.assumed)
    shown = view.model_copy(
        update={
            "read_as": _read_as(names, told),
            "not_used": tuple(_not_used(question.query, each)),
            "prices": next((one.view.prices for one in each if one.view.prices), ""),
        }
    )
    return Answered(shown, explained, found, query=question.query, decided=shown)


def _on_one_fleet(question: Question, each: list[Answered]) -> OneFleet | None:
    """All loads on the same GPUs: those named, else the cheapest of each load's own."""
    loads = [one.query for one in each if one.query]
    asked = (question.query, *loads)
    named = {gpu.id for one in asked for gpu in named_gpus(one, question.reference)}
    ways = [one.figures.ways[:1] for one in each if one.figures]
    gpus = named or {way.offer.gpu for first in ways for way in first if way.offer}
    count = question.query.count
    gpus |= set() if named or not count else set(USUAL)
    fleets = _fleets(question, loads, gpus, count)
    if not named and not any(one.fits and one.busy <= 1 for one in fleets):
        fleets += _fleets(question, loads, set(USUAL) - gpus, count)
    return min(fleets, key=_worth, default=None)


def _fleets(
    question: Question, loads: list[Query], gpus: set[str], count: int | None
) -> list[OneFleet]:
    """All loads on each of the GPUs that can serve every one of them."""
    fleets = []
    for gpu in sorted(gpus):
        only = {"gpu": (gpu,), "count": None, "self_hosted": True}
        queries = (one.model_copy(update=only) for one in loads)
        answers = [decide(replace(question, query=one)).figures for one in queries]
        if fleet := on_one_fleet(answers, count):
            fleets.append(fleet)
    return fleets


def _worth(fleet: OneFleet) -> tuple[bool, bool, Decimal]:
    """What fleets are ordered by: those that carry the loads, the cheapest first."""
    return not fleet.fits, fleet.busy > 1, fleet.usd_per_month


def _of_one_fleet(found: SeveralLoads, page: Page) -> str:
    """Whether the same GPUs carry all loads, and what they cost; empty: not asked."""
    fleet = found.one_fleet
    if not page.question.query.one_fleet or not found.ways:
        return ""
    apart = _sum_of(found.ways[0].money)
    if fleet is None:
        return say("several_loads.not_shared", apart=apart)
    name = gpu_name(page.reference.gpus[fleet.offer.gpu])
    if not fleet.fits:
        return say(
            "several_loads.too_large_together",
            gb=fleet.gb,
            name=name,
            card=fleet.card_gb,
            apart=apart,
        )
    if fleet.busy > 1:
        return say(
            "several_loads.too_much_together",
            gpus=fleet.gpus,
            name=name,
            busy=fleet.busy,
            apart=apart,
        )
    told = say(
        "several_loads.on_one_fleet",
        gpus=fleet.gpus,
        name=name,
        seller=provider_name(fleet.offer.provider, page.reference),
        usd=fleet.usd_per_month,
        busy=fleet.busy,
    )
    if fleet.enough is not None:
        fewer = fleet.enough < fleet.gpus
        few = say("several_loads.fewer_do", gpus=fleet.enough) if fewer else ""
        return say("several_loads.enough_together", told=told, few=few, apart=apart)
    month = found.ways[0].money.month
    if month is not None and fleet.usd_per_month >= month:
        return say("several_loads.cheaper_apart", told=told, apart=apart)
    return say("several_loads.shared", told=told, apart=apart)


def _why(question: Question, found: SeveralLoads, unnamed: list[str]) -> str:
    """How the loads are counted, and which models nobody named."""
    if found.one_fleet is not None:
        one = found.one_fleet
        held = say("several_loads.held", gb=one.gb, card=one.card_gb)
        return "".join(unnamed) + held + say("several_loads.share_gpus")
    asked = say("several_loads.each_asked") if _is_stack(question.query) else ""
    if _is_call(question.query):
        asked = say("several_loads.each_turn")
    asked += "".join(unnamed)
    return asked + say("several_loads.sized_alone")


def _is_stack(query: Query) -> bool:
    """Whether one of the loads is asked as often as the first."""
    loads = query.loads or ()
    told = (*RATES, *PILES, "audio_hours", "dataset_tokens", "dataset_samples")
    return any(not any(getattr(one, name) for name in told) for one in loads)


def _is_call(query: Query) -> bool:
    """Whether the loads are the parts of a voice agent."""
    return any(one.in_turns for one in query.loads or ())


def _unnamed(names: list[str], each: list[Answered]) -> Iterator[str]:
    """Which models a voice agent got unasked, and that none thinks."""
    parts = [one.query for one in each if one.query and one.query.in_turns]
    for name, query in zip(names, parts, strict=False):
        if query.modality and query.model is None:
            speaks = query.sound is not None
            yield (
                say("several_loads.speaks_unnamed", name=name)
                if speaks
                else say("several_loads.hears_unnamed", name=name)
            )
    if parts and all(query.modality for query in parts):
        yield say("several_loads.thinks_unnamed")


def _taken(names: list[str], question: Question, each: list[Answered]) -> Iterator[str]:
    """Which models stand in for what reads pages or watches over answers."""
    said = question.query.text.lower()
    for name, one in zip(names, each, strict=True):
        query = one.query
        size = f"{query.params_b:g}b" if query and query.params_b else ""
        if size and size not in said and query and query.in_turns:
            yield say("several_loads.thinker_unnamed", name=name)
        if query is None or not query.model or query.model.split("-")[0] in said:
            continue
        if query.sees:
            yield say("several_loads.reader_unnamed", name=name)
        elif query.use == "classification":
            yield say("several_loads.guard_unnamed", name=name)


def _weighed(names: list[str], each: list[Answered]) -> Iterator[str]:
    """What an API that is weighed against GPUs of one's own costs for each load."""
    for name, one in zip(names, each, strict=True):
        if one.query and one.query.intent == "breakeven" and not one.query.modality:
            yield f"{name}: {one.view.verdict}."


def _whole_wait(each: list[Answered]) -> float | None:
    """How long all parts of a voice agent may take together; None: nobody says."""
    parts = [one.query for one in each if one.query and one.query.in_turns]
    return next((query.e2e_ms for query in parts if query.e2e_ms), None)


def _waits(wait: float | None, each: list[Answered]) -> Iterator[str]:
    """Whose the wait is that is told, and what of it is sized for."""
    specs = [_spec(one) for one in each]
    firsts = [s.targets.ttft_ms for s in specs if isinstance(s, InferenceSpec)]
    first = next((ms for ms in firsts if ms is not None), None)
    if wait and first:
        rest = wait - first
        yield say("several_loads.whole_wait", wait=wait, first=first, rest=rest)
    elif wait:
        yield say("several_loads.wait_unknown", wait=wait)
    elif first and any(one.query and one.query.in_turns for one in each):
        yield say("several_loads.wait_unsaid", first=first)


def _spec(one: Answered) -> WorkloadSpec | None:
    """What was computed, with every number known; None: nothing was."""
    return one.figures.workload.spec if one.figures and one.figures.workload else None


def _told(query: Query, wait: float | None = None) -> tuple[str, ...]:
    """What a load states; its model is told by its name, a common wait by all."""
    if wait is not None:
        query = query.model_copy(update={"e2e_ms": wait})
    named = (query.model, f"{query.params_b:g}B" if query.params_b else "")
    told = tuple(words for words in told_of(query) if words not in named)
    hours = query.hours_per_month
    if hours is None:
        return told
    return *told, say("several_loads.hours_of_a_month", hours=hours)


def _names(each: list[Answered], told: list[tuple[str, ...]]) -> list[str]:
    """What each load is called: its model, or the place that sets it apart."""
    queries = [one.query for one in each if one.query]
    models = {
        (one.model, one.params_b, one.use, one.sound, one.kind) for one in queries
    }
    if len(models) == len(each):
        return [_model(one) for one in each]
    places = [query.region or "" for query in queries]
    if len(set(places)) == len(each):
        return [_place(place) for place in places]
    return [" · ".join(_own(at, told)) for at in range(len(told))]


def _model(one: Answered) -> str:
    spec = _spec(one)
    if isinstance(spec, InferenceSpec):
        return spec.model.name
    if isinstance(spec, MediaSpec) and spec.model:
        piled = spec.units_total and spec.modality == "embedding"
        index = say("several_loads.index", model=spec.model)
        return index if piled and not spec.recurring else spec.model
    query = one.query
    named = query and (query.model or (query.params_b and f"{query.params_b:g}B"))
    if query and not named and query.modality == "embedding":
        ranks = query.use == "reranking"
        named = say("several_loads.ranks") if ranks else say("several_loads.embeds")
    return str(named or say("several_loads.one_load"))


def _place(region: str) -> str:
    words = region.replace("-", " ").split()
    return " ".join(w.upper() if len(w) < 3 else w.capitalize() for w in words)


def _own(at: int, told: list[tuple[str, ...]]) -> list[str]:
    """What one load says and not all of them do."""
    said = Counter(words for each in told for words in dict.fromkeys(each))
    return [words for words in dict.fromkeys(told[at]) if said[words] < len(told)]


def _read_as(names: list[str], told: list[tuple[str, ...]]) -> str:
    parts = [
        name if own == name else f"{name}: {own}"
        for at, name in enumerate(names)
        if (own := " · ".join(_own(at, told)))
    ]
    said = Counter(words for each in told for words in dict.fromkeys(each))
    common = [words for words, times in said.items() if times == len(told)]
    if common:
        parts.append(say("several_loads.all_of_them", common=" · ".join(common)))
    return say("service.understood", said="; ".join(parts))


def _verdict(found: SeveralLoads, each: list[Answered], *, asks_time: bool) -> str:
    named = [
        say("several_loads.for_one", cost=_cost(part.way), name=part.name)
        for part in found.parts
        if part.way
    ]
    if not found.ways:
        lost = [
            (part.name, one.view)
            for part, one in zip(found.parts, each, strict=True)
            if part.way is None
        ]
        rest = ", ".join(named) or "none"
        if all(view.kind == "no" for _, view in lost):
            told = " ".join(
                f"{name}: {view.verdict.rstrip('.')}." for name, view in lost
            )
            return say("several_loads.unmet_load", told=told, rest=rest)
        names = " and ".join(name for name, _ in lost)
        return say("several_loads.no_sum", lost=names, rest=rest)
    told = say(
        "several_loads.together_about",
        cost=_sum_of(found.ways[0].money),
        named=" and ".join((", ".join(named[:-1]), named[-1])),
    )
    ways = [part.way.of for part in found.parts if part.way]
    hours = [one.plan.gpu_hours for one in ways if isinstance(one, JobOption)]
    if not asks_time or len(hours) < len(found.parts):
        return told
    return say(
        "several_loads.in_gpu_hours",
        hours=sum(hours),
        each=" + ".join(count(round(one)) for one in hours),
        told=told,
    )


_LIVE = (InferenceSpec, MediaSpec)


def _per_minute(found: SeveralLoads, each: list[Answered]) -> str:
    """What a minute of a call costs at the average of the lines; empty: no calls."""
    parts = [one for one in each if one.query and one.query.in_turns]
    month = found.ways[0].money.month if found.ways else None
    spec = _spec(parts[0]) if parts else None
    calls = parts[0].query.concurrency if parts and parts[0].query else None
    if month is None or calls is None or not isinstance(spec, _LIVE):
        return ""
    share = (spec.load if isinstance(spec, InferenceSpec) else spec).average_share
    minutes = exact(calls * share * 60) * exact(spec.constraints.billed_hours_per_month)
    used = round(calls * share)
    return say("several_loads.per_minute", usd=month / minutes, used=used, calls=calls)


def _cost(way: Way | None) -> str:
    """Dollars a month, or once."""
    return say("several_loads.unknown") if way is None else _sum_of(summed([way]))


def _sum_of(money: Money) -> str:
    """Dollars a month, once, or both."""
    if money.month is None:
        usd, per = money.headline
        return f"{dollars(usd or Decimal(0))}{per or say('several_loads.paid_once')}"
    once = "" if money.run is None else say("several_loads.and_once", run=money.run)
    return f"{dollars(money.month)}/month{once}"


def _table(found: SeveralLoads, each: list[Answered], page: Page) -> Table:
    with_sla = found.picked("with_sla")
    rows = []
    for part, one, safe in zip(found.parts, each, with_sla, strict=True):
        way = part.way
        offer = way_words(way, page.reference) if way else one.view.verdict
        rows.append(
            (
                Cell(text=part.name),
                Cell(text=offer),
                Cell(text=_cost(way)),
                Cell(text=_cost(safe) if safe else say("several_loads.unknown")),
            )
        )
    if found.ways:
        rows.append(
            (
                Cell(text=say("several_loads.together")),
                Cell(text=_gpus(found)),
                Cell(text=_sum_of(found.ways[0].money)),
                Cell(text=_sum(with_sla)),
            )
        )
    return Table(
        caption=say("several_loads.caption"),
        columns=(
            say("several_loads.one_load"),
            "Offer",
            "Cost",
            say("service.with_an_sla"),
        ),
        rows=tuple(rows),
        whole=True,
    )


def _gpus(found: SeveralLoads) -> str:
    """How many run at once; of what is done once, nobody keeps any."""
    ongoing = all(part.way and part.way.money.month for part in found.parts)
    return say("several_loads.gpus_in_all", gpus=found.ways[0].gpus) if ongoing else ""


def _sum(ways: Iterable[Way | None]) -> str:
    """What the ways cost together; unknown where one is missing."""
    chosen = list(ways)
    known = [way for way in chosen if way is not None]
    if len(known) < len(chosen):
        return say("several_loads.unknown")
    return _sum_of(summed(known))


def _levers(names: list[str], each: list[Answered]) -> Iterator[Lever]:
    for name, one in zip(names, each, strict=True):
        for lever in one.view.levers:
            yield lever.model_copy(update={"text": f"{name} · {lever.text}"})


def _notes(names: list[str], each: list[Answered]) -> Iterator[str]:
    """What each load's answer warns of, under its name; what all say, once."""
    said = Counter(note for one in each for note in dict.fromkeys(one.view.notes))
    yield from (note for note, times in said.items() if times == len(each))
    for name, one in zip(names, each, strict=True):
        for note in one.view.notes:
            if said[note] < len(each):
                yield f"{name}: {note}"


def _not_used(query: Query, each: list[Answered]) -> Iterator[str]:
    """The asker's words that no load took, and those that a load's answer dropped."""
    yield from (one.text for one in query.not_used if one.kind != "aside")
    for one in each:
        unread = {left.text for left in one.query.not_used} if one.query else set()
        yield from (words for words in one.view.not_used if words not in unread)


def _steps(names: list[str], each: list[Answered]) -> Iterator[str]:
    for name, one in zip(names, each, strict=True):
        notes = one.explanation.notes if one.explanation else ()
        yield from (f"{name}: {note}" for note in (one.view.verdict, *notes))


def _offers(found: SeveralLoads) -> Iterator[Offer]:
    for part in found.parts:
        if part.way is not None and part.way.offer is not None:
            yield part.way.offer
