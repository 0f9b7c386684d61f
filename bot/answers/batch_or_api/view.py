"""A pile on own GPUs or through an API's batches: both bills, and where they meet."""

from collections.abc import Iterator
from decimal import Decimal

from bot.answers.breakeven.table import api_name
from bot.answers.jobs.phrases import hours_words, per_run, work_begun
from bot.answers.jobs.view import shown_lever, small_print, spot_assumptions
from bot.answers.shared.figures import (
    chips,
    gpu_name,
    money,
    pricing_words,
    provider_name,
)
from bot.answers.shared.page import Page
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.batch_or_api import ApiJob, BatchOrApi
from core.jobs.options import JobOption
from core.money.costs import MILLION, exact
from core.reference.catalogue import Reference
from core.wording import dollars
from core.workload import BatchSpec

HOSTED_SHOWN = 4
NONE = Cell(text="–")


def batch_or_api_view(found: BatchOrApi, page: Page) -> AnswerView:
    """The cheaper of both first, then every way in one table."""
    job = found.job
    assumed = (*job.resolved.assumptions, *spot_assumptions(job, found.spec))
    return page.answer(
        kind="answer" if job.best or found.apis else "no",
        verdict=_verdict(found, page.reference),
        why=_why(found),
        table=_table(found, page.reference),
        levers=tuple(shown_lever(lever, job.spec) for lever in job.levers),
        chips=chips(assumed),
        notes=(*_notes(found), *job.notes, *job.resolved.notes),
        small_print=(*_api_prices(found), *small_print(job, page)),
    )


def _verdict(found: BatchOrApi, reference: Reference) -> str:
    best, hurdle = found.job.best, found.hurdle
    unit = per_run(found.spec)
    if best is None or hurdle is None:
        return _one_sided(found, reference)
    own = say(
        "batch_or_api.at_cost",
        gpus=best.gpus,
        gpu_name=gpu_name(best.plan.gpu),
        provider_name=provider_name(best.offer.provider, reference),
        pricing_words=pricing_words(best.offer),
        usd=best.usd,
    )
    api = say("batch_or_api.costs", api_name=api_name(hurdle.api), asked=_asked(hurdle))
    if best.usd <= hurdle.usd:
        return say("batch_or_api.rent_gpus", own=own, unit=unit, api=api)
    return say("batch_or_api.use_an_api", api=api, unit=unit, own=own)


def _one_sided(found: BatchOrApi, reference: Reference) -> str:
    """What is left where the other side has no price."""
    best, hurdle = found.job.best, found.hurdle
    if best is not None:
        seller = provider_name(best.offer.provider, reference)
        own = say(
            "batch_or_api.gpus_at_seller",
            gpus=best.gpus,
            gpu_name=gpu_name(best.plan.gpu),
            seller=seller,
        )
        return say("batch_or_api.rent_no_api_price", own=own, usd=best.usd)
    if hurdle is not None:
        asked = f"{api_name(hurdle.api)} {_asked(hurdle)}"
        return say("batch_or_api.api_no_gpus", asked=asked)
    return say("batch_or_api.we_know_no_price")


def _asked(one: ApiJob) -> str:
    """What an API asks, and what its batches take off."""
    if one.discount is None:
        return dollars(one.usd)
    return say(
        "batch_or_api.asked", usd=one.usd, discount=one.discount, usd_live=one.usd_live
    )


def _why(found: BatchOrApi) -> str:
    parts = [work_begun(found.spec)]
    best, hurdle = found.job.best, found.hurdle
    if best is not None:
        parts.append(
            say(
                "batch_or_api.gpus_take_api_batches",
                hours_words=hours_words(best.hours),
            )
        )
    if found.even_discount is not None and hurdle is not None:
        parts.append(
            say(
                "batch_or_api.would_cost_the_same",
                provider_name=hurdle.api.provider_name,
                even_discount=found.even_discount,
            )
        )
    elif best is not None and hurdle is not None:
        parts.append(say("batch_or_api.the_api_is_cheaper"))
    parts.append(say("batch_or_api.size_changes_nothing"))
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def _table(found: BatchOrApi, reference: Reference) -> Table:
    unit = f"${per_run(found.spec).replace('per ', '/')}"
    rows = [_own_row(way, found.spec, reference) for way in _own(found)]
    rows += [_api_row(one, found.spec) for one in _listed(found)]
    rows.sort(key=lambda row: row[1].value or 0)
    others = len(found.apis) - len(_listed(found))
    more = say(
        "batch_or_api.more_expensive_api",
        others=others,
        ending="s" if others > 1 else "",
    )
    return Table(
        caption=say("batch_or_api.your_options_cheapest_first"),
        columns=(
            "Way",
            unit,
            "$/1M tokens",
            say("batch_or_api.batch_discount"),
            "Time",
        ),
        rows=tuple(rows),
        winner=0 if rows else None,
        note=more if others > 0 else "",
    )


def _own(found: BatchOrApi) -> Iterator[JobOption]:
    """The cheapest way on own GPUs, and the cheapest without interruptions."""
    best, steady = found.job.best, found.job.on_demand
    if best is not None:
        yield best
    if steady is not None and steady is not best:
        yield steady


def _listed(found: BatchOrApi) -> list[ApiJob]:
    named = [one for one in found.apis if one.named]
    return [*named, *[one for one in found.apis if not one.named][:HOSTED_SHOWN]]


def _per_million(usd: Decimal, spec: BatchSpec) -> Decimal:
    tokens = spec.requests * (spec.input_tokens + spec.output_tokens)
    return usd * MILLION / exact(tokens)


def _own_row(way: JobOption, spec: BatchSpec, reference: Reference) -> tuple[Cell, ...]:
    seller = provider_name(way.offer.provider, reference)
    kind = f"{gpu_name(way.plan.gpu)}, {seller} {pricing_words(way.offer)}"
    each = _per_million(way.usd, spec)
    return (
        Cell(text=say("batch_or_api.own_row", gpus=way.gpus, kind=kind)),
        money(way.usd),
        money(each),
        NONE,
        Cell(text=hours_words(way.hours), value=float(way.hours)),
    )


def _api_row(one: ApiJob, spec: BatchSpec) -> tuple[Cell, ...]:
    each = _per_million(one.usd, spec)
    off = one.discount
    said = f"{off:.0%}{', as stated' if one.discount_stated else ''}" if off else "none"
    return (
        Cell(text=say("batch_or_api.api", api_name=api_name(one.api))),
        money(one.usd),
        money(each),
        Cell(text=said, value=float(off or 0)),
        Cell(
            text=say("batch_or_api.within_a_day")
            if off
            else say("batch_or_api.at_once")
        ),
    )


def _notes(found: BatchOrApi) -> Iterator[str]:
    """Which APIs have no batch rate, and which are other models."""
    own = {one.api.provider_name for one in _listed(found) if one.discount is None}
    if own:
        names = ", ".join(sorted(own))
        yield say("batch_or_api.we_know_no_batch", names=names)
    hurdle = found.hurdle
    if hurdle is not None and not hurdle.same_weights:
        yield (
            say(
                "batch_or_api.is_not_test_quality",
                name=found.spec.model.name,
                rsplit=hurdle.api.model.rsplit("/", 1)[-1],
            )
        )


def _api_prices(found: BatchOrApi) -> tuple[str, ...]:
    listed = _listed(found)
    if not listed:
        return ()
    return (
        say(
            "batch_or_api.api_prices",
            as_of=listed[0].api.as_of,
            source=listed[0].api.source,
        ),
    )
