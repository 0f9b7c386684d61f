"""What each subscription knows of each track, and which of them a price concerns."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from core.alerts.conditions import Condition, Move, NewLow, Presence
from core.alerts.judging import Memory, begin, tripwires
from core.alerts.letters import Address
from core.alerts.price_series import Track
from core.alerts.selection import Selection
from core.alerts.subscription import PriceWatch, Subscription
from prices.alerts.price_series import (
    Moved,
    TrackRow,
    find_or_start,
    instant,
    read_tracks,
)
from prices.database.connection import Connection

_COLUMNS = """
    w.subscription_id, w.track_id, w.place, w.memory, s.watch, s.typed, s.user_id,
    s.team_id, s.channel_id, s.muted_until
"""
_POSTABLE = "JOIN subscriptions AS s ON s.id = w.subscription_id AND s.paused = ''"


class Watcher(Struct, frozen=True):
    """One subscription's view of one track."""

    subscription: int
    track: int
    place: int
    """Which of the subscription's selections the track is of."""
    memory: Memory
    watch: PriceWatch
    typed: str
    user_id: str
    address: Address
    muted_until: datetime | None

    @property
    def selection(self) -> Selection:
        """What the subscription calls the track."""
        return self.watch.selections[self.place]


class CurrentState(Struct, frozen=True):
    """Where a watched price stands, and what its watcher compares it with."""

    selection: Selection
    memory: Memory
    track: Track


def current_state(connection: Connection, subscription: int) -> list[CurrentState]:
    """Read every price that a subscription watches, in its own order."""
    rows = connection.execute(
        f"""
        SELECT {_COLUMNS} FROM watches AS w
        JOIN subscriptions AS s ON s.id = w.subscription_id
        WHERE w.subscription_id = ? ORDER BY w.place
        """,  # noqa: S608 - the columns are a constant above
        (subscription,),
    )
    watchers = [_watcher(row) for row in rows]
    found = read_tracks(connection, (watcher.track for watcher in watchers))
    return [CurrentState(w.selection, w.memory, found[w.track].track) for w in watchers]


def add_watches(
    connection: Connection, subscription: Subscription, at: datetime
) -> list[TrackRow]:
    """Begin to watch every selection of a price subscription from where it stands."""
    watch = subscription.watch
    if not isinstance(watch, PriceWatch):
        return []
    condition = watch.condition
    rows = []
    for place, selection in enumerate(watch.selections):
        sellers = isinstance(condition, Presence)
        row = find_or_start(connection, selection, at, sellers)
        memory = begin(condition, row.track, at)
        connection.execute(
            """
            INSERT INTO watches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (subscription_id, track_id) DO UPDATE SET
                place = excluded.place, kind = excluded.kind,
                series = excluded.series, low = excluded.low, high = excluded.high,
                span = excluded.span, ppm = excluded.ppm, wake_at = excluded.wake_at,
                memory = excluded.memory
            """,
            (subscription.id, row.id, place, *_wired(condition, memory, selection)),
        )
        rows.append(row)
    return rows


def keep_memories(
    connection: Connection, watchers: Iterable[tuple[Watcher, Memory]]
) -> None:
    """Write what watchers know now, and move their tripwires."""
    connection.executemany(
        """
        UPDATE watches SET kind = ?, series = ?, low = ?, high = ?, span = ?, ppm = ?,
            wake_at = ?, memory = ?
        WHERE subscription_id = ? AND track_id = ?
        """,
        [
            (
                *_wired(watcher.watch.condition, memory, watcher.selection),
                watcher.subscription,
                watcher.track,
            )
            for watcher, memory in watchers
        ],
    )


def tripped(connection: Connection, moved: Sequence[Moved]) -> list[Watcher]:
    """Read the watchers whose tripwires the tracks touch where they stand now."""
    whole, joined = connection.dialect.number, connection.dialect.in_order
    connection.execute(
        f"""
        CREATE TEMP TABLE IF NOT EXISTS moved
            (track {whole} PRIMARY KEY, level {whole}, idx {whole}, drift {whole})
        """
    )
    connection.execute("DELETE FROM moved")
    connection.executemany(
        "INSERT INTO moved VALUES (?, ?, ?, ?)",
        [(move.row.id, *_values(move.step.after)) for move in moved],
    )
    wires = (
        (series, column, wire)
        for series, column in (("level", "level"), ("index", "idx"), ("drift", "drift"))
        for wire in ("low >=", "high <=")
    )
    found = [
        row
        for series, column, wire in wires
        for row in connection.execute(
            f"""
            SELECT {_COLUMNS} FROM moved {joined} watches AS w ON w.track_id = track
                AND w.series = '{series}' AND w.{wire} moved.{column} {_POSTABLE}
            """  # noqa: S608 - made of the constants above
        )
    ]
    return [_watcher(row) for row in found]


def unset(connection: Connection, tracks: Iterable[int]) -> list[Watcher]:
    """Read the watchers of tracks that began while nothing was on offer."""
    return [
        _watcher(row)
        for track in tracks
        for row in connection.execute(
            f"""
            SELECT {_COLUMNS} FROM watches AS w {_POSTABLE}
            WHERE track_id = ? AND w.kind = 'move' AND low IS NULL AND high IS NULL
            """,  # noqa: S608 - made of the constants above
            (track,),
        )
    ]


def spans(connection: Connection, track: int, kind: str) -> Iterator[int]:
    """Yield the windows, in seconds, over which anybody watches a track.

    One look at the index for each: a `DISTINCT` would walk every watcher.
    """
    last = -1
    while True:
        (span,) = connection.execute(
            "SELECT min(span) FROM watches"
            " WHERE track_id = ? AND kind = ? AND span IS NOT NULL AND span > ?",
            (track, kind, last),
        ).fetchone()
        if span is None:
            return
        yield span
        last = span


def of_kind(
    connection: Connection, track: int, kind: str, span: int = 0, ppm: int = 0
) -> list[Watcher]:
    """Read the watchers of a kind; of a window, those whom a move is large enough."""
    rows = connection.execute(
        f"""
        SELECT {_COLUMNS} FROM watches AS w {_POSTABLE}
        WHERE track_id = ? AND w.kind = ? AND span IS NOT NULL AND span = ?
          AND ppm <= ?
        """,  # noqa: S608 - made of the constants above
        (track, kind, span, ppm),
    )
    return [_watcher(row) for row in rows]


def waking(
    connection: Connection, now: datetime
) -> tuple[list[Watcher], dict[int, TrackRow]]:
    """Read the watchers who waited until now to speak, and their tracks."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM watches AS w {_POSTABLE} WHERE wake_at <= ?",  # noqa: S608
        (int(now.timestamp()),),
    )
    watchers = [_watcher(row) for row in rows]
    return watchers, read_tracks(connection, (w.track for w in watchers))


def _wired(
    condition: Condition, memory: Memory, selection: Selection
) -> tuple[object, ...]:
    """Return the columns that follow from what a watcher knows."""
    wires = tripwires(condition, memory, selection.measure)
    kind, span, ppm = _kind(condition)
    wake = None if memory.wake_at is None else int(memory.wake_at.timestamp())
    written = memory.model_dump_json(exclude_defaults=True)
    return kind, wires.series, wires.low, wires.high, span, ppm, wake, written


def _kind(condition: Condition) -> tuple[str, int | None, int | None]:
    """Return a condition's kind, its window in seconds and its size in millionths."""
    if isinstance(condition, Presence):
        return condition.event, 0, 0
    if isinstance(condition, NewLow):
        return "new_low", condition.days * 86_400, 0
    if isinstance(condition, Move) and condition.window_hours is not None:
        size = round((condition.percent or 0) * 10_000)
        return "window", condition.window_hours * 3_600, size
    return condition.kind, None, None


def _values(track: Track) -> tuple[int | None, int | None, int | None]:
    return track.level, track.index, None if track.index is None else track.drift


def _watcher(row: Any) -> Watcher:
    number, track, place, memory, watch, typed, user, team, channel, muted = row
    return Watcher(
        subscription=number,
        track=track,
        place=place,
        memory=Memory.model_validate_json(memory),
        watch=PriceWatch.model_validate_json(watch),
        typed=typed,
        user_id=user,
        address=Address(team_id=team, channel_id=channel),
        muted_until=instant(muted),
    )
