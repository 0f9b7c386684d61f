"""Each seller's written uptime first, then how its agreement says it, with the page."""

from bot.answers.shared.figures import (
    gpu_name,
    money,
    price_sources,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.promised import Promise, Promises
from core.market.recommendation import Option
from core.query import Query
from core.reference.catalogue import Reference
from core.units import HOURS_PER_MONTH

COLUMNS = (
    "Seller",
    say("uptime.column_of_one"),
    say("uptime.column_of_several"),
    say("uptime.terms_column"),
)
NAMED = 4
"""Sellers that a headline names; more are counted."""
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
    return say("uptime.credits") + (say("uptime.second_hand") if second else "")


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


def replica_view(
    query: Query,
    replicas: list[tuple[float, Option]],
    at_once: float,
    reference: Reference,
) -> AnswerView:
    """The rule, what a replica of models of some sizes costs, and what to ask with."""
    wanted = query.uptime or query.sla or 0.0
    down = (100 - wanted) / 100 * HOURS_PER_MONTH * 60
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
