"""What the operator sees of prices: feeds, what is kept back, how a price moved."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from bot.answers.prices.history import price_chart
from bot.answers.shared.figures import money, number, pricing_words, provider_name
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.reference.catalogue import Reference
from core.wording import dollars
from prices.guard.quarantine import Entry
from prices.history.health import SourceStatus
from prices.history.series import PriceInterval
from prices.refresh.intake import SourceResult
from prices.sources.feeds import KEYED
from prices.sources.source import Reading, SourceSpec

IDS = 8
"""How many entries of one cause are named."""
MOVES = 12
"""How many of the latest price steps a history lists."""


def result_line(result: SourceResult) -> str:
    """Say in one line how the poll of a feed ended."""
    mark = "ok " if result.ok else "bad"
    said = " · ".join(_outcome(result)) if result.ok else result.error
    return f"{mark}  {result.name:18} {said} ({result.seconds:.1f} s)"


def _outcome(result: SourceResult) -> Iterable[str]:
    if result.changes is not None:
        yield say("commands.offers", offers=result.offers)
        counts = {
            "listed": len(result.changes.listed),
            "changed": len(result.changes.changed),
            "delisted": len(result.changes.delisted),
            "unconfirmed": result.changes.unconfirmed,
        }
        moves = [f"{count:,} {what}" for what, count in counts.items() if count]
        yield ", ".join(moves) or say("commands.nothing_new")
    if result.quarantined:
        yield say("commands.kept_back", quarantined=result.quarantined)
    if result.note:
        yield result.note


_NO_TERM = {"on_demand": 0, "spot": 0, "reserved": None}
"""A commitment whose term is not published has none, not one of 0 months."""


def reading_lines(reading: Reading) -> Iterator[str]:
    """Yield each offer of a payload as JSON, then the counts of its rows."""
    for point in reading.points:
        yield json.dumps(
            {
                "provider": point.provider,
                "gpu": point.gpu,
                "gpu_count": point.gpu_count,
                "instance": point.instance,
                "pricing": point.pricing,
                "term_months": point.term_months or _NO_TERM[point.pricing],
                "region": point.region,
                "usd_per_gpu_hour": float(point.usd_per_gpu_hour),
                "seller_kind": point.seller_kind,
                "stock": point.stock,
                "evidence": point.evidence,
                "min_gpus": point.min_gpus,
                "includes": point.includes,
                "url": point.source_url,
            },
            ensure_ascii=False,
        )
    refused = Counter(row.reason for row in reading.refused)
    counts = {"rows": reading.rows, "read": len(reading.points)}
    aside = dict(reading.left_out.most_common())
    yield json.dumps(
        counts | {"aside": aside, "refused": dict(refused.most_common())},
        ensure_ascii=False,
    )


def summary_line(results: Sequence[SourceResult]) -> str:
    """Say how a refresh went, and where to look for what was kept back."""
    good = sum(result.ok for result in results)
    held = sum(result.quarantined for result in results)
    line = say("commands.of_feeds_polled", good=good, number_of_results=len(results))
    return (
        say("commands.kept_back_gpucost_prices", line=line, held=held) if held else line
    )


def sources_view(
    statuses: Iterable[SourceStatus],
    specs: Sequence[SourceSpec],
    held: Iterable[Entry],
    now: datetime,
) -> AnswerView:
    """List every feed: its last success, the age of its prices, its error."""
    known = {status.name: status for status in statuses}
    waiting = [spec.name for spec in specs if spec.name not in known]
    kept_back: dict[str, int] = {}
    for entry in held:
        kept_back[entry.source] = kept_back.get(entry.source, 0) + 1
    rows = [_source_row(known[name], kept_back, now) for name in sorted(known)]
    rows += [_never_row(name) for name in waiting]
    failing = [name for name in known if known[name].error]
    return AnswerView(
        kind="answer",
        verdict=say(
            "commands.sources_failing_never_polled",
            number_of_known=len(known),
            number_of_failing=len(failing),
            number_of_waiting=len(waiting),
        ),
        table=Table(
            caption=say("commands.where_prices_come_from"),
            columns=(
                "Source",
                say("commands.last_success"),
                say("commands.price_age"),
                "Offers",
                "Held",
                "State",
            ),
            rows=tuple(rows),
            shown=max(len(rows), 1),
            note=_keys_note(specs),
        ),
        small_print=tuple(
            sorted({s.attribution for s in known.values() if s.attribution})
        ),
    )


def _source_row(
    status: SourceStatus, kept_back: dict[str, int], now: datetime
) -> tuple[Cell, ...]:
    last, seen = status.last_success, status.observed_at
    return (
        Cell(text=status.name),
        Cell(text=f"{last:%Y-%m-%d %H:%M}" if last else "never"),
        Cell(text=ago(now - seen) if seen else "–"),
        number(status.offers),
        number(kept_back.get(status.name, 0)),
        Cell(text=status.error or "ok"),
    )


def _never_row(name: str) -> tuple[Cell, ...]:
    blank = Cell(text="–")
    return Cell(text=name), Cell(text="never"), blank, number(0), number(0), blank


def _keys_note(specs: Sequence[SourceSpec]) -> str:
    names = {spec.name for spec in specs}
    unset = [key for key, make in KEYED.items() if make("").name not in names]
    return say("commands.keys_note", unset=", ".join(unset)) if unset else ""


def _cause(entry: Entry) -> tuple[str, str, str]:
    """Return what entries of one cause share: the reason, whatever its figures."""
    return entry.source, entry.kind, re.sub(r"[\d.,%+$-]+|“[^”]*”", "#", entry.reason)


def _cause_row(entries: list[Entry]) -> tuple[Cell, ...]:
    """Return one row a cause: what a person may release, one by one."""
    first, more = entries[0], len(entries) - 1
    ids = ", ".join(str(entry.id) for entry in entries[:IDS])
    since = min(entry.first_seen for entry in entries)
    return (
        Cell(text=ids + (" …" if more >= IDS else ""), value=first.id),
        Cell(text=first.source),
        Cell(
            text=first.subject + (say("commands.cause_row", more=more) if more else "")
        ),
        Cell(text=f"{first.kind}: {first.reason}"),
        Cell(text=f"{since:%Y-%m-%d %H:%M}, {first.times}×"),
    )


def quarantine_view(entries: Sequence[Entry]) -> AnswerView:
    """List what is kept back, and why."""
    if not entries:
        return AnswerView(
            kind="answer",
            verdict=say("commands.quarantine_is_empty"),
        )
    causes: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        causes.setdefault(_cause(entry), []).append(entry)
    rows = tuple(map(_cause_row, causes.values()))
    return AnswerView(
        kind="answer",
        verdict=say("commands.kept_back_not_shown", number_of_entries=len(entries)),
        table=Table(
            caption=say("commands.released_by_another_source"),
            columns=("ID", "Source", "Offer", "Why", "Since"),
            rows=rows,
            shown=len(rows),
        ),
    )


def history_view(
    title: str, intervals: Sequence[PriceInterval], reference: Reference, now: datetime
) -> AnswerView:
    """Draw how a price moved, and list its latest steps."""
    if not intervals:
        return AnswerView(
            kind="no",
            question=title,
            verdict=say("commands.price_never_recorded", title=title),
        )
    chart = price_chart(intervals, title, reference, now)
    low = min(intervals, key=_price)
    high = max(intervals, key=_price)
    return AnswerView(
        kind="answer",
        question=title,
        verdict=say(
            "commands.to_per_gpu_hour", title=title, said=_said(low), said_2=_said(high)
        ),
        why="" if chart else say("commands.no_price_moved"),
        charts=(chart,) if chart else (),
        table=_steps_table(intervals, reference),
    )


def _steps_table(intervals: Sequence[PriceInterval], reference: Reference) -> Table:
    latest = sorted(intervals, key=lambda one: one.first_seen, reverse=True)
    rows = tuple(_step_row(one, reference) for one in latest[:MOVES])
    more = len(latest) - len(rows)
    return Table(
        caption=say("commands.latest_prices_first"),
        columns=("From", "To", "Offer", "GPUs", "Region", "$/GPU-h", "Source"),
        rows=rows,
        shown=len(rows),
        note=say("commands.earlier_ones", more=more) if more else "",
    )


def _step_row(one: PriceInterval, reference: Reference) -> tuple[Cell, ...]:
    offer = one.offer
    ended = f"{one.ended_at:%Y-%m-%d}" if one.ended_at else "now"
    return (
        Cell(text=f"{one.first_seen:%Y-%m-%d}"),
        Cell(text=say("commands.step_row", ended=ended) if one.delisted else ended),
        Cell(
            text=f"{provider_name(offer.provider, reference)} {offer.gpu} "
            f"{pricing_words(offer)}"
        ),
        number(offer.gpu_count),
        Cell(text=offer.region or "any"),
        money(offer.usd_per_gpu_hour),
        Cell(text=offer.source),
    )


def _price(one: PriceInterval) -> Decimal:
    return one.offer.usd_per_gpu_hour


def _said(one: PriceInterval) -> str:
    return f"{dollars(_price(one))} ({one.first_seen:%Y-%m-%d})"


def ago(age: timedelta) -> str:
    """Write an age in the unit that reads best."""
    if age < timedelta(hours=1):
        return say("commands.ago", max=max(int(age.total_seconds()), 0) // 60)
    if age < timedelta(days=2):
        return f"{age // timedelta(hours=1)} h"
    return f"{age.days} d"
