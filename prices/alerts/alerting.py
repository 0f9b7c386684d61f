"""Evaluate alerts on what a poll changed, within the poll's own transaction."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from msgspec.structs import replace

from core.alerts.alert import PriceAlert, What
from core.alerts.conditions import Condition, Move, NewLow, Threshold
from core.alerts.judging import Judgement, Memory, Reading, judge, quiet_until
from core.alerts.letters import Told
from core.alerts.price_series import Step
from core.offers import PricePoint
from core.reference.freshness import tiers
from prices.alerts import outbox
from prices.alerts.affected_watches import affected_watches, window
from prices.alerts.market import News, read_market
from prices.alerts.price_series import (
    Moved,
    TrackRow,
    follow,
    keep_steps,
    resting_since,
    touched,
)
from prices.alerts.tables import has_alert_tables
from prices.alerts.watches import Watcher, keep_memories, of_kind, waking
from prices.database.connection import Connection, Engine
from prices.history.poll import ChangeSet

log = logging.getLogger("gpucost")

_WHAT: dict[type[Condition], What] = {
    Threshold: "crossed",
    Move: "moved",
    NewLow: "new_low",
}
Remembered = list[tuple[Watcher, Memory]]


def evaluate_safely(connection: Connection, changes: ChangeSet) -> None:
    """Evaluate a poll; a fault here is logged and never costs the poll its prices.

    What was missed is made up for by the next poll: watches compare with what they
    told last, not with the poll before.
    """
    connection.execute("SAVEPOINT alerts")
    try:
        evaluate(connection, changes)
    except Exception:
        connection.execute("ROLLBACK TO alerts")
        log.exception("alerts on %s could not be evaluated", changes.source)
    connection.execute("RELEASE alerts")


def evaluate(connection: Connection, changes: ChangeSet) -> int:
    """Queue what a poll makes news; return how many alerts that were."""
    news = News(changes)
    if not news.keys or not has_alert_tables(connection):
        return 0
    rows = touched(connection, news)
    if not rows:
        return 0
    at, quiet = changes.observed_at, _speaks_first(connection, changes.source)
    market = read_market(connection, _watched_gpus(rows), at, news)
    followed = (follow(row, market, news, at, quiet=quiet) for row in rows)
    moved = [move for move in followed if move is not None]
    told, remembered = _judged(connection, moved, at)
    keep_steps(connection, moved, at)
    keep_memories(connection, remembered)
    outbox.queue_alerts(connection, told, at)
    return len(told)


def look(engine: Engine, now: datetime) -> int:
    """Do what became due since somebody last looked; return how many alerts woke."""
    with engine.writing() as connection:
        woken = wake(connection, now)
        let_expire(connection, now)
    return woken


def wake(connection: Connection, now: datetime) -> int:
    """Queue what waited for a cooldown or a mute to end and is still so."""
    watchers, rows = waking(connection, now)
    told: list[Told] = []
    remembered: Remembered = []
    for watcher in watchers:
        reading = _reading(connection, watcher, _unmoved(rows[watcher.track]), now)
        judged = _judge(watcher, replace(reading, explained=True))
        memory = judged.memory
        if memory.wake_at == watcher.memory.wake_at:
            memory = memory.model_copy(update={"wake_at": None})
        remembered.append((watcher, memory))
        if judged.tells:
            told.append(_told(watcher, judged, reading, _unmoved(rows[watcher.track])))
    keep_memories(connection, remembered)
    outbox.queue_alerts(connection, told, now)
    return len(told)


def let_expire(connection: Connection, now: datetime) -> None:
    """Let go of prices that no source has confirmed for too long; that is no news.

    A poll moves the tracks that it touches; where polls stay away nothing would, and
    a watch would stay pinned to the last price of a source that stopped.
    """
    soonest = min(tier.expired_days for tier in tiers().values())
    moved = []
    for row in resting_since(connection, now - timedelta(days=soonest)):
        market = read_market(connection, row.selection.gpus, now)
        cheapest = market.cheapest(row.selection)
        level = None if cheapest is None else cheapest.micro_usd_per_gpu_hour
        after = replace(row.track, level=level, cheapest=cheapest)
        moved.append(Moved(row, Step(row.track, after, None)))
    keep_steps(connection, moved, now)


def _speaks_first(connection: Connection, source: str) -> bool:
    (polls,) = connection.execute(
        """
        SELECT count(*) FROM polls JOIN sources ON sources.id = source_id
        WHERE name = ? AND error IS NULL
        """,
        (source,),
    ).fetchone()
    return int(polls) <= 1


def _watched_gpus(rows: list[TrackRow]) -> set[str]:
    return {gpu for row in rows for gpu in row.selection.gpus}


def _unmoved(row: TrackRow) -> Moved:
    return Moved(row, Step(row.track, row.track, None))


def _judged(
    connection: Connection, moved: list[Moved], at: datetime
) -> tuple[list[Told], Remembered]:
    """Judge every watcher that the moved tracks concern."""
    by_track = {move.row.id: move for move in moved}
    told: list[Told] = []
    remembered: Remembered = []
    for watcher in affected_watches(connection, moved, at):
        move = by_track[watcher.track]
        reading = _reading(connection, watcher, move, at)
        judged = _judge(watcher, reading)
        if judged.memory != watcher.memory:
            remembered.append((watcher, judged.memory))
        if judged.tells:
            told.append(_told(watcher, judged, reading, move))
    for move in moved:
        told += _turned_out(connection, move, at)
    return told, remembered


def _reading(
    connection: Connection, watcher: Watcher, move: Moved, at: datetime
) -> Reading:
    after = move.step.after
    if isinstance(watcher.watch.condition, Move) and move.step.moved is not None:
        after = replace(after, level=move.step.moved.micro_usd_per_gpu_hour)
    return Reading(
        after,
        at,
        was=move.step.before.level,
        explained=move.step.cause is not None,
        window=window(connection, watcher, at),
        muted_until=watcher.muted_until,
    )


def _judge(watcher: Watcher, reading: Reading) -> Judgement:
    measure = watcher.selection.measure
    return judge(watcher.watch.condition, watcher.memory, reading, measure)


def _told(watcher: Watcher, judged: Judgement, reading: Reading, move: Moved) -> Told:
    step, condition = move.step, watcher.watch.condition
    moves = isinstance(condition, Move)
    alert = _alert(watcher, _WHAT[type(condition)], reading.at)
    update = {
        "before": judged.before,
        "after": reading.track.level,
        "since": judged.since,
        "cause": step.cause,
        "offer": _plain((step.moved if moves else None) or step.after.cheapest),
        "was": None if moves else _plain(step.before.cheapest),
    }
    return watcher.address, alert.model_copy(update=update)


def _turned_out(connection: Connection, move: Moved, at: datetime) -> Iterator[Told]:
    """Yield what is told of providers that came or went."""
    if move.turnout is None:
        return
    came, went = move.turnout.listed, move.turnout.delisted
    for watcher in of_kind(connection, move.row.id, "listed") if came else ():
        yield from _presence(watcher, "listed", came, move, at)
    for watcher in of_kind(connection, move.row.id, "delisted") if went else ():
        yield from _presence(watcher, "delisted", went, move, at)


def _presence(
    watcher: Watcher, what: What, providers: tuple[str, ...], move: Moved, at: datetime
) -> Iterator[Told]:
    """Yield one alert a provider; what happens during a mute stays untold."""
    if quiet_until(watcher.memory, at, watcher.muted_until) > at:
        return
    for provider in providers:
        point = move.offers.get(provider)
        if point is not None:
            alert = _alert(watcher, what, at)
            price = point.micro_usd_per_gpu_hour
            seen = {"before": price} if what == "delisted" else {"after": price}
            offer = {"offer": _plain(point), "cause": what}
            yield watcher.address, alert.model_copy(update=seen | offer)


def _alert(watcher: Watcher, what: What, at: datetime) -> PriceAlert:
    return PriceAlert(
        subscription=watcher.subscription,
        typed=watcher.typed,
        user_id=watcher.user_id,
        what=what,
        label=watcher.selection.label,
        measure=watcher.selection.measure,
        at=at,
    )


def _plain(point: PricePoint | None) -> PricePoint | None:
    """Return an offer as the observation that it is, which JSON reads back."""
    if point is None:
        return None
    return point.observed()
