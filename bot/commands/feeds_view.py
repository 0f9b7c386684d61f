"""What the operator sees of the feeds' health: success, lag, age, error."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot.answers.shared.figures import number
from bot.commands.prices_views import ago
from bot.render.views import AnswerView, Cell, Table
from prices.history.health import Polls, SourceStatus
from prices.sources.source import SourceSpec

WINDOW = timedelta(days=7)
COLUMNS = ("Feed", "Succeeded", "Last success", "Lag", "Price age", "Offers", "State")


def health_view(
    specs: Sequence[SourceSpec],
    statuses: Sequence[SourceStatus],
    polls: Mapping[str, Polls],
    unknown: Sequence[str],
    now: datetime,
) -> AnswerView:
    """List the feeds that these settings poll, the worst first."""
    known = {status.name: status for status in statuses}
    lags = {spec.name: lag(spec, known.get(spec.name), now) for spec in specs}
    worst = sorted(specs, key=lambda spec: _rank(lags[spec.name]), reverse=True)
    late = [spec.name for spec in specs if lags[spec.name] != timedelta()]
    notes = [f"GPUCOST_FEEDS names no feed: {', '.join(unknown)}"] if unknown else []
    return AnswerView(
        kind="answer",
        id="",
        question="",
        verdict=f"{len(specs) - len(late)} of {len(specs)} feeds on time"
        if specs
        else "No feed is polled: GPUCOST_FEEDS is off, or names none",
        table=Table(
            caption="Success of the last 7 days; lag is the time since a poll was due",
            columns=COLUMNS,
            rows=tuple(
                _row(spec, known.get(spec.name), polls, lags[spec.name], now)
                for spec in worst
            ),
            shown=max(len(specs), 1),
        ),
        small_print=tuple(notes),
    )


def lag(
    spec: SourceSpec, status: SourceStatus | None, now: datetime
) -> timedelta | None:
    """Return how long a success is overdue; None: there never was one."""
    if status is None or status.last_success is None:
        return None
    overdue = now - status.last_success - spec.every
    return max(overdue, timedelta())


def _rank(overdue: timedelta | None) -> timedelta:
    return timedelta.max if overdue is None else overdue


def _row(
    spec: SourceSpec,
    status: SourceStatus | None,
    polls: Mapping[str, Polls],
    overdue: timedelta | None,
    now: datetime,
) -> tuple[Cell, ...]:
    counted = polls.get(spec.name, Polls(0, 0))
    last = status.last_success if status else None
    seen = status.observed_at if status else None
    return (
        Cell(text=spec.name),
        Cell(text=f"{counted.good} of {counted.all}" if counted.all else "no polls"),
        Cell(text=f"{last:%Y-%m-%d %H:%M}" if last else "never"),
        Cell(text=_lag_words(overdue)),
        Cell(text=ago(now - seen) if seen else "–"),
        number(status.offers if status else 0),
        Cell(text=(status.error if status else "") or ("ok" if last else "–")),
    )


def _lag_words(overdue: timedelta | None) -> str:
    if overdue is None:
        return "–"
    return ago(overdue) if overdue else "on time"
