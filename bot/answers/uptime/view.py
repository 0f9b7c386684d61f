"""Each seller's written uptime first, then how its agreement says it, with the page."""

from decimal import Decimal

from bot.answers.shared.figures import (
    gpu_name,
    money,
    price_sources,
    provider_name,
    sold_gpu,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.promised import Promise, Promises, minutes_down, together
from core.answers.second_place import PLACES, TESTS, USUAL, SecondPlace
from core.market.recommendation import Option
from core.query import Query
from core.reference.catalogue import Reference

COLUMNS = (
    "Seller",
    say("uptime.column_of_one"),
    say("uptime.column_of_several"),
    say("uptime.terms_column"),
)
NAMED = 4
"""Sellers that a headline names; more are counted."""
NINES = 99.9999
"""Per cent beyond which no arithmetic of failures means anything."""
AT_MOST = 99.9
"""Per cent that a service of several machines can promise: the rest fails at once."""
SECOND_HAND = "B"
"""Somebody else's reading of the seller's page."""


def promises_view(found: Promises, page: Page) -> AnswerView:
    """Who commits to how much, who keeps what is asked for, and who says nothing."""
    reference = page.reference
    return page.answer(
        kind="answer" if any(one.uptime.percent for one in found.promises) else "no",
        verdict=_verdict(found, reference),
        why=_why(found),
        table=Table(
            caption=say("uptime.table"),
            columns=COLUMNS,
            rows=tuple(_row(one, reference) for one in found.promises),
        ),
        notes=tuple(_notes(found)),
        small_print=tuple(
            say("uptime.document", seller=_name(one, reference), url=one.source)
            for one in found.promises[:NAMED]
            if one.source
        ),
    )


def _verdict(found: Promises, reference: Reference) -> str:
    wanted, promises = found.wanted, found.promises
    if found.copies > 1:
        most = min(AT_MOST, together(wanted or USUAL, found.copies))
        return say(
            "uptime.may_promise", most=most, down=minutes_down(most), n=found.copies
        )
    known = [one for one in promises if one.uptime.percent is not None]
    what = say("uptime.what", gpu_name=gpu_name(found.gpu)) if found.gpu else ""
    each = ", ".join(
        f"{_name(one, reference)} {one.uptime.words}" for one in known[:NAMED]
    )
    more = len(known) - NAMED
    if more > 0:
        each = say("uptime.and_more", each=each, more=more)
    said = say("uptime.in_writing", what=what, each=each) if known else ""
    if wanted is not None and known:
        kept = [_name(one, reference) for one in known if one.keeps(wanted)]
        said = (
            say("uptime.kept", said=said, wanted=wanted, sellers=_all_of(kept))
            if kept
            else say("uptime.none_keeps", said=said, wanted=wanted)
        )
    silent = [one for one in promises if one.uptime.percent is None]
    nothing = [one for one in silent if one.uptime.words == "none"]
    unknown = [one for one in silent if one not in nothing]
    parts = [said] if said else []
    for key, group in (("none", nothing), ("unknown", unknown)):
        sellers = _all_of([_name(one, reference) for one in group])
        if group:
            parts.append(
                say("uptime.promises_none", sellers=sellers)
                if key == "none"
                else say("uptime.nothing_found", sellers=sellers)
            )
    return ". ".join(parts)


def _all_of(names: list[str]) -> str:
    *first, last = names or [""]
    return (
        say("uptime.list_of_names", first=", ".join(first), last=last)
        if first
        else last
    )


def _why(found: Promises) -> str:
    second = any(
        one.uptime.level and one.uptime.level.confidence == SECOND_HAND
        for one in found.promises
    )
    said = say("uptime.credits") + (say("uptime.second_hand") if second else "")
    if found.copies < PLACES:
        return said
    each = dict.fromkeys((found.wanted or USUAL, AT_MOST))
    paper = say("uptime.separator").join(
        say("uptime.on_paper", one=one, all=min(together(one, found.copies), NINES))
        for one in each
    )
    return say("uptime.together", n=found.copies, each=paper) + said


def _notes(found: Promises) -> list[str]:
    notes = [say("uptime.a_term_has_its_own")]
    if found.wanted is not None:
        short = [
            one
            for one in found.promises
            if not one.keeps(found.wanted) and one.uptime.keeping(found.wanted, None)
        ]
        notes += [say("uptime.only_when_spread")] if short else []
    return notes


def _row(one: Promise, reference: Reference) -> tuple[Cell, ...]:
    uptime = one.uptime
    best = max(uptime.spread, key=lambda level: level.percent or 0, default=None)
    spread = (
        say("uptime.several_reach", percent=best.percent or 0, note=best.note)
        if best
        else ""
    )
    level = uptime.level
    return (
        Cell(text=_name(one, reference)),
        Cell(text=uptime.words, value=uptime.percent),
        Cell(text=spread or "–"),
        Cell(text=level.note if level else say("uptime.no_document")),
    )


def _name(one: Promise, reference: Reference) -> str:
    name = provider_name(one.provider, reference)
    return name[:1].upper() + name[1:]


def second_place_view(found: SecondPlace, page: Page) -> AnswerView:
    """What the second place adds: running, with a promise, cold, or half of it."""
    first, reference = found.first, page.reference
    month, hour, hours = first.usd_per_month, first.usd_per_hour, found.hours_down
    seller = provider_name(first.offer.provider, reference)
    rows = [(say("uptime.hot", seller=seller), month)]
    if (other := found.covered) and other != first:
        name = provider_name(other.offer.provider, reference)
        hot = say("uptime.hot_with_sla", seller=name, percent=found.percent)
        rows.append((hot, other.usd_per_month))
    rows.append((say("uptime.cold", hours=TESTS), hour * TESTS))
    if half := first.gpus // 2:
        running = say("uptime.warm", gpus=half, seller=seller)
        rows.append((running, month * half / first.gpus))
    wanted, down = found.wanted, minutes_down(found.wanted or 100)
    return page.answer(
        verdict=say(
            "uptime.second_place", usd=month, gpus=first.gpus, seller=seller,
            gpu=sold_gpu(first.offer.gpu, reference), both=month * PLACES,
        ),
        why=(say("uptime.allows", wanted=wanted, down=down) if wanted else "")
        + say("uptime.both", percent=found.percent, all=found.together),
        table=Table(
            caption=say("uptime.second_places"),
            columns=(say("uptime.second"), say("uptime.adds"), say("uptime.in_all")),
            rows=tuple(
                (Cell(text=text), money(usd), money(usd + month)) for text, usd in rows
            ),
            winner=0,
            shown=len(rows),
        ),
        notes=(
            say(
                "uptime.pays_from_damage", usd=month / Decimal(hours),
                percent=found.percent, hours=hours,
            ),
            say("uptime.separate"),
        ),
        small_print=(price_sources(way.offer for way in found.ways if way.offer),),
    )  # fmt: skip


def explain_second_place(found: SecondPlace, page: Page) -> AnswerView:
    """How the uptimes of two places are reckoned together."""
    formula = say("uptime.formula", percent=found.percent, all=found.together)
    return page.explained((formula,))


def replica_view(
    query: Query,
    replicas: list[tuple[float, Option]],
    at_once: float,
    reference: Reference,
) -> AnswerView:
    """The rule, what a replica of models of some sizes costs, and what to ask with."""
    wanted = query.uptime or query.sla or 0.0
    down = minutes_down(wanted)
    allowed = isinstance(wanted, float) and wanted > 0
    rows = [
        (
            Cell(text=say("uptime.of_size", billions=billions)),
            Cell(
                text=say(
                    "uptime.replica",
                    gpus=best.gpus // best.plan.replicas,
                    gpu=gpu_name(best.plan.gpu),
                    seller=provider_name(best.offer.provider, reference),
                )
            ),
            money(best.usd_per_month / best.plan.replicas),
        )
        for billions, best in replicas
    ]
    return AnswerView(
        kind="hint",
        question=query.text,
        verdict=say("uptime.one_more"),
        why=(say("uptime.allows", wanted=wanted, down=down) if allowed else "")
        + say("uptime.why_one_more", at_once=at_once),
        table=Table(
            caption=say("uptime.replicas"),
            columns=(say("uptime.model"), say("uptime.one_replica"), "$/month"),
            rows=tuple(rows),
        ),
        notes=(say("uptime.tell_model_and_load"),),
        examples=(say("uptime.example", wanted=wanted if allowed else 99.9),),
        small_print=(price_sources([best.offer for _, best in replicas]),),
    )


def explain_promises(found: Promises, page: Page) -> AnswerView:
    """Each level with the document that states it, and when it was read."""
    steps = [
        say(
            "uptime.step",
            seller=_name(one, page.reference),
            uptime=(level.percent and f"{level.percent:g} %") or level.status,
            note=level.note,
            source=level.source,
            checked=level.checked,
        )
        for one in found.promises
        for level in (one.uptime.level, *one.uptime.spread)
        if level is not None
    ]
    return page.explained(steps)
