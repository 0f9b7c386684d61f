"""Tracks in storage: which of them a poll touches, and where it leaves them."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from core.alerts.judging import Extremes
from core.alerts.price_series import (
    Seller,
    Step,
    Track,
    Turnout,
    advance,
    advance_discount,
    start,
    turnout,
)
from core.alerts.selection import Selection
from core.offers import PricePoint
from core.reference.load import reference
from prices.alerts.market import Market, News, read_market
from prices.database.connection import Connection
from prices.history import series as history

BACKFILL = timedelta(days=370)
"""How much history a new track is given, to know a new low by."""


class TrackRow(Struct, frozen=True):
    """A track as it is stored."""

    id: int
    selection: Selection
    track: Track
    sellers: dict[str, Seller] | None = None
    """Who sells; None where no subscription asks for comings and goings."""


class Moved(Struct, frozen=True):
    """A track across one poll, and who came or went."""

    row: TrackRow
    step: Step
    turnout: Turnout | None = None
    offers: dict[str, PricePoint] = field(default_factory=dict)
    """What each provider that came or went sells, or sold."""


def touched(connection: Connection, news: News) -> list[TrackRow]:
    """Read the tracks that may follow something that a poll touched."""
    rows = connection.execute(
        f"""
        SELECT * FROM tracks WHERE id IN (
            SELECT track_id FROM track_gpus
            WHERE (gpu, provider) IN {connection.dialect.pairs("?")}
        )
        """,  # noqa: S608 - made of constants
        (json.dumps(news.pairs()),),
    )
    return [_track_row(row) for row in rows]


def resting_since(connection: Connection, before: datetime) -> list[TrackRow]:
    """Read the tracks of prices whose cheapest offer last moved so long ago."""
    said = connection.dialect.field
    rows = connection.execute(
        f"""
        SELECT * FROM tracks WHERE {said("cheapest", "observed_at")} < ?
          AND {said("selection", "measure")} = 'price'
        """,  # noqa: S608 - made of constants
        (before.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),),
    )
    return [_track_row(row) for row in rows]


def read_tracks(connection: Connection, numbers: Iterable[int]) -> dict[int, TrackRow]:
    """Read tracks by their numbers."""
    among = connection.dialect.numbers("?")
    rows = connection.execute(
        f"SELECT * FROM tracks WHERE id IN {among}",  # noqa: S608
        (json.dumps(sorted(set(numbers))),),
    )
    return {row[0]: _track_row(row) for row in rows}


def follow(
    row: TrackRow, market: Market, news: News, at: datetime, *, quiet: bool
) -> Moved | None:
    """Take a track across a poll; None where the poll does not concern it."""
    selection = row.selection
    quotes = [quote for quote in news.of(selection) if market.stands(quote)]
    if not quotes:
        return None
    if selection.measure == "spot_discount":
        step = advance_discount(row.track, *_spot_and_listed(selection, market), True)
    else:
        left = market.cheapest(selection, untouched=True)
        step = advance(row.track, *market.orderable(left, quotes))
    if row.sellers is None:
        return Moved(row, step)
    selling = market.selling(selection)
    who = turnout(row.sellers, selling, int(at.timestamp()), quiet=quiet)
    seen = sorted((q.point for q in quotes), key=_dearest_first)
    return Moved(row, step, who, {point.provider: point for point in seen})


def keep_steps(connection: Connection, moved: Iterable[Moved], at: datetime) -> None:
    """Write where a poll left the tracks."""
    moved = list(moved)
    connection.executemany(
        """
        UPDATE tracks SET level = ?, idx = ?, drift = ?, cheapest = ?, sellers = ?
        WHERE id = ?
        """,
        [
            (*_columns(move.step.after), _sellers_after(move), move.row.id)
            for move in moved
        ],
    )
    _keep_points(connection, moved, at)


def find_or_start(
    connection: Connection, selection: Selection, at: datetime, sellers: bool
) -> TrackRow:
    """Return the track of a selection, begun from what stands if there is none."""
    key = selection.model_dump_json(exclude={"label"})
    found = connection.execute(
        "SELECT * FROM tracks WHERE selection = ?", (key,)
    ).fetchone()
    row = _track_row(found) if found else _begin(connection, key, selection, at)
    if sellers and row.sellers is None:
        market = read_market(connection, selection.gpus, at)
        return _note_sellers(connection, row, market.selling(selection))
    return row


def extremes(
    connection: Connection,
    track_id: int,
    series: str,
    since: datetime,
    until: datetime,
) -> Extremes | None:
    """Return a series' extremes before `until`; None where less is known of it."""
    column = {"level": "level", "index": "idx"}[series]
    low, high = connection.execute(
        f"""
        SELECT min({column}), max({column}) FROM track_points
        WHERE track_id = :track AND at < :until AND at >= (
            SELECT max(at) FROM track_points WHERE track_id = :track AND at <= :since
        )
        """,  # noqa: S608 - the column is one of two constants above
        {
            "track": track_id,
            "since": int(since.timestamp()),
            "until": int(until.timestamp()),
        },
    ).fetchone()
    return None if low is None else Extremes(low, high)


def forget_unwatched(connection: Connection, before: datetime) -> None:
    """Drop the tracks that nobody watches any more, and points that none needs."""
    unwatched = "(SELECT id FROM tracks WHERE id NOT IN (SELECT track_id FROM watches))"
    for table in ("track_points", "track_gpus"):
        connection.execute(f"DELETE FROM {table} WHERE track_id IN {unwatched}")  # noqa: S608 - constants
    connection.execute(
        "DELETE FROM tracks WHERE id NOT IN (SELECT track_id FROM watches)"
    )
    connection.execute(
        """
        DELETE FROM track_points WHERE at < (
            SELECT max(at) FROM track_points AS newer
            WHERE newer.track_id = track_points.track_id AND newer.at <= ?
        )
        """,
        (int((before - BACKFILL).timestamp()),),
    )


def _begin(
    connection: Connection, key: str, selection: Selection, at: datetime
) -> TrackRow:
    market = read_market(connection, selection.gpus, at)
    track = start(market.cheapest(selection))
    if selection.measure == "spot_discount":
        pair = _spot_and_listed(selection, market)
        track = advance_discount(Track(), *pair, True).after
    (number,) = connection.execute(
        "INSERT INTO tracks (selection, level, idx, drift, cheapest)"
        " VALUES (?, ?, ?, ?, ?) RETURNING id",
        (key, *_columns(track)),
    ).fetchone()
    connection.executemany(
        "INSERT INTO track_gpus VALUES (?, ?, ?)",
        [
            (gpu, provider, number)
            for gpu in selection.gpus
            for provider in selection.providers or ("",)
        ],
    )
    _backfill(connection, number, selection, track, at)
    return TrackRow(number, selection, track)


def _backfill(
    connection: Connection,
    number: int,
    selection: Selection,
    track: Track,
    at: datetime,
) -> None:
    """Give a new track the levels of its past; its chain begins now."""
    points: dict[int, int | None] = {}
    if selection.measure == "price":
        points = _past_levels(connection, selection, at)
    rows = [(number, when, level, None) for when, level in points.items()]
    now = int(at.timestamp())
    rows = [row for row in rows if row[1] < now]
    connection.executemany(
        "INSERT INTO track_points VALUES (?, ?, ?, ?)",
        [*rows, (number, now, track.level, track.index)],
    )


def _past_levels(
    connection: Connection, selection: Selection, at: datetime
) -> dict[int, int | None]:
    known = reference()
    intervals = [
        interval
        for gpu in selection.gpus
        for interval in history.series(
            connection, history.Wanted(gpu, since=at - BACKFILL, until=at)
        )
        if selection.takes(interval.offer, known)
    ]
    return {
        int(step.at.timestamp()): _level(step.cheapest)
        for step in history.cheapest_over_time(intervals)
    }


def _level(offer: PricePoint | None) -> int | None:
    return None if offer is None else offer.micro_usd_per_gpu_hour


def _spot_and_listed(
    selection: Selection, market: Market
) -> tuple[PricePoint | None, PricePoint | None]:
    spot = selection.model_copy(update={"pricing": "spot"})
    listed = selection.model_copy(update={"pricing": "on_demand"})
    return market.cheapest(spot), market.cheapest(listed)


def _dearest_first(point: PricePoint) -> int:
    return -point.micro_usd_per_gpu_hour


def _keep_points(connection: Connection, moved: list[Moved], at: datetime) -> None:
    now = int(at.timestamp())
    connection.executemany(
        """
        INSERT INTO track_points VALUES (?, ?, ?, ?) ON CONFLICT (track_id, at)
        DO UPDATE SET level = excluded.level, idx = excluded.idx
        """,
        [
            (move.row.id, now, move.step.after.level, move.step.after.index)
            for move in moved
            if (move.step.after.level, move.step.after.index)
            != (move.step.before.level, move.step.before.index)
        ],
    )


def _note_sellers(
    connection: Connection, row: TrackRow, selling: Iterable[str]
) -> TrackRow:
    """Begin to follow who sells; those who sell now are taken to be established."""
    sellers = {name: Seller(0) for name in selling}
    connection.execute(
        "UPDATE tracks SET sellers = ? WHERE id = ?", (_written(sellers), row.id)
    )
    return TrackRow(row.id, row.selection, row.track, sellers)


def _sellers_after(move: Moved) -> str | None:
    return None if move.turnout is None else _written(move.turnout.sellers)


def _written(sellers: dict[str, Seller]) -> str:
    return json.dumps({name: asdict(seller) for name, seller in sellers.items()})


def _columns(track: Track) -> tuple[int | None, int | None, int, str | None]:
    cheapest = None
    if track.cheapest is not None:
        cheapest = track.cheapest.observed().model_dump_json()
    return track.level, track.index, track.drift, cheapest


def _track_row(row: Any) -> TrackRow:
    number, key, level, index, drift, cheapest, sellers = row
    point = PricePoint.model_validate_json(cheapest) if cheapest else None
    said = json.loads(sellers) if sellers is not None else None
    return TrackRow(
        number,
        Selection.model_validate({"label": ""} | json.loads(key)),
        Track(level, index, drift, point),
        None if said is None else {n: Seller(**entry) for n, entry in said.items()},
    )


def instant(seconds: float | None) -> datetime | None:
    """Return a stored instant."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
