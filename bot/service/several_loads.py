"""Several loads in one message: each answered as if alone, then all of them in one."""

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal

from bot.answers.shared.figures import chips, price_sources, way_words
from bot.answers.shared.page import Page
from bot.question.question import Answered, Question
from bot.render.field_words import told_of
from bot.render.views import Cell, Lever, Table
from bot.render.words import say
from core.answers.answer import Money, Way
from core.answers.several_loads import LoadAnswer, SeveralLoads, summed
from core.offers import Offer
from core.query import Query
from core.wording import dollars
from core.workload import InferenceSpec


def together(question: Question, each: list[Answered]) -> Answered:
    """One answer out of those of the single loads."""
    told = [_told(one.query or question.query) for one in each]
    names = _names(each, told)
    parts = tuple(
        LoadAnswer(name, one.figures) for name, one in zip(names, each, strict=True)
    )
    found, page = SeveralLoads(parts), Page(question)
    view = page.answer(
        kind="answer" if found.ways else "no",
        verdict=_verdict(found),
        why=say("several_loads.sized_alone"),
        table=_table(found, each, page),
        levers=tuple(_levers(names, each)),
        chips=chips(found.assumed),
        notes=tuple(_notes(names, each)),
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


def _told(query: Query) -> tuple[str, ...]:
    """What a load states; its model is told by its name."""
    named = (query.model, f"{query.params_b:g}B" if query.params_b else "")
    told = tuple(words for words in told_of(query) if words not in named)
    hours = query.hours_per_month
    if hours is None:
        return told
    return *told, say("several_loads.hours_of_a_month", hours=hours)


def _names(each: list[Answered], told: list[tuple[str, ...]]) -> list[str]:
    """What each load is called: its model, or the place that sets it apart."""
    queries = [one.query for one in each if one.query]
    models = {(query.model, query.params_b, query.use) for query in queries}
    if len(models) == len(each):
        return [_model(one) for one in each]
    places = [query.region or "" for query in queries]
    if len(set(places)) == len(each):
        return [_place(place) for place in places]
    return [" · ".join(_own(at, told)) for at in range(len(told))]


def _model(one: Answered) -> str:
    spec = one.figures.workload.spec if one.figures and one.figures.workload else None
    if isinstance(spec, InferenceSpec):
        return spec.model.name
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
    all_of_them = say("several_loads.all_of_them", common=" · ".join(common))
    return say("service.read_as", said="; ".join((*parts, all_of_them)))


def _verdict(found: SeveralLoads) -> str:
    named = [
        say("several_loads.for_one", cost=_cost(part.way), name=part.name)
        for part in found.parts
        if part.way
    ]
    if not found.ways:
        lost = " and ".join(part.name for part in found.parts if part.way is None)
        return say("several_loads.no_sum", lost=lost, rest=", ".join(named) or "none")
    return say(
        "several_loads.together_about",
        cost=_sum_of(found.ways[0].money),
        named=" and ".join((", ".join(named[:-1]), named[-1])),
    )


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
            yield lever.model_copy(update={"text": f"{name}: {lever.text}"})


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
