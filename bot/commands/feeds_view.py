"""What the operator sees of the feeds' health: success, lag, age, error."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot.answers.shared.figures import number
from bot.commands.prices_views import ago
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from prices.history.health import Polls, SourceStatus
from prices.sources.source import SourceSpec

WINDOW = timedelta(days=7)
COLUMNS = (
    "Feed",
    "Succeeded",
    say("commands.last_success"),
    "Lag",
    say("commands.price_age"),
    "Offers",
    "State",
)


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
    notes = (
        [say("commands.unknown_feed", unknown=", ".join(unknown))] if unknown else []
    )
    return AnswerView(
        kind="answer",
        verdict=say(
            "commands.of_feeds_on_time",
            number_of_specs=len(specs) - len(late),
            number_of_specs_2=len(specs),
        )
        if specs
        else say("commands.no_feed_is_polled"),
        table=Table(
            caption=say("commands.success_of_the_last"),
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
        Cell(
            text=say("commands.good_of_all", good=counted.good, all=counted.all)
            if counted.all
            else say("commands.no_polls")
        ),
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
