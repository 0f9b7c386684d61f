"""Which watchers a moved track concerns: found by index, never by reading them all."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from core.alerts.conditions import Move, NewLow
from core.alerts.judging import Extremes, window_of
from prices.alerts.price_series import Moved, TrackRow, extremes
from prices.alerts.watches import Watcher, of_kind, spans, tripped, unset
from prices.database.connection import Connection


def affected_watches(
    connection: Connection, moved: list[Moved], at: datetime
) -> Iterator[Watcher]:
    """Yield every watcher whose judgement a poll may change."""
    news = [move for move in moved if move.step.after != move.step.before]
    yield from tripped(connection, news)
    yield from unset(
        connection, [m.row.id for m in news if m.step.before.index is None]
    )
    for move in news:
        yield from _windowed(connection, move, at)
        yield from _lower_than_ever(connection, move, at)


def window(connection: Connection, watcher: Watcher, at: datetime) -> Extremes | None:
    """Return the extremes that a watcher's condition is judged by, if by any."""
    condition = watcher.watch.condition
    if isinstance(condition, NewLow):
        since, until = window_of(condition, watcher.memory, at)
        return extremes(connection, watcher.track, "level", since, until)
    if isinstance(condition, Move) and condition.window_hours is not None:
        since, until = window_of(condition, watcher.memory, at)
        return extremes(connection, watcher.track, "index", since, until)
    return None


def _windowed(connection: Connection, move: Moved, at: datetime) -> Iterator[Watcher]:
    """Yield the watchers of windows in which the price moved enough for them."""
    index = move.step.after.index
    if index is None or index == move.step.before.index:
        return
    for span in spans(connection, move.row.id, "window"):
        since = at - timedelta(seconds=span)
        found = _widest(connection, move.row, since, at)
        if found is not None:
            part = max(index / found.low - 1, 1 - index / found.high)
            # One part in a million more, lest rounding leave out an exact hit.
            ppm = int(part * 1_000_000) + 1
            yield from of_kind(connection, move.row.id, "window", span, ppm)


def _widest(
    connection: Connection, row: TrackRow, since: datetime, at: datetime
) -> Extremes | None:
    """Return the index's extremes of a window, or of as much of it as is known."""
    (began,) = connection.execute(
        "SELECT min(at) FROM track_points WHERE track_id = ? AND idx IS NOT NULL",
        (row.id,),
    ).fetchone()
    if began is None:
        return None
    start = max(since, datetime.fromtimestamp(began, at.tzinfo))
    return extremes(connection, row.id, "index", start, at)


def _lower_than_ever(
    connection: Connection, move: Moved, at: datetime
) -> Iterator[Watcher]:
    """Yield the watchers of days in which the price was never this low."""
    level, before = move.step.after.level, move.step.before.level
    if level is None or (before is not None and level >= before):
        return
    for span in spans(connection, move.row.id, "new_low"):
        since = at - timedelta(seconds=span)
        found = extremes(connection, move.row.id, "level", since, at)
        if found is not None and level < found.low:
            yield from of_kind(connection, move.row.id, "new_low", span)
