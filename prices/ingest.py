"""One poll into the store: compare with what stood, write only what differs."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime

from core.offers import PricePoint
from prices.poll import ChangeSet, OlderPollError, Poll
from prices.words import Words
from prices.writer import Arrival, Key, Known, Writer


def record(connection: sqlite3.Connection, poll: Poll) -> ChangeSet:
    """Write one poll inside the caller's transaction and say what it changed."""
    at = int(poll.observed_at.timestamp())
    source_id = source_number(connection, poll.source, poll.attribution)
    _refuse_older(connection, poll, source_id, at)
    words = Words(connection)
    known = _known(connection, source_id)
    arrivals = _arrivals(poll.points, words)
    held = {_key(point, words) for point in poll.held}
    covered = _covered(poll, arrivals, known, words)
    last_covered = _last_covered(connection, source_id)
    writer = Writer(connection, poll, source_id, at, words, last_covered)
    for key, arrival in arrivals.items():
        writer.arrive(key, arrival, known.get(key))
    for key, row in known.items():
        if row.first_seen is not None and key[0] in covered and key not in arrivals:
            writer.miss(key, row, held=key in held)
    return writer.write(_observed(poll, arrivals, covered, at))


def record_failure(
    connection: sqlite3.Connection, source: str, at: datetime, error: str
) -> None:
    """Note that a source could not be read."""
    connection.execute(
        "INSERT INTO polls (source_id, at, error) VALUES (?, ?, ?)",
        (source_number(connection, source), int(at.timestamp()), error),
    )


def source_number(
    connection: sqlite3.Connection, name: str, attribution: str = ""
) -> int:
    """Return a source's number, new where the name was never seen."""
    connection.execute("INSERT OR IGNORE INTO sources (name) VALUES (?)", (name,))
    if attribution:
        connection.execute(
            "UPDATE sources SET attribution = ? WHERE name = ?", (attribution, name)
        )
    found = connection.execute("SELECT id FROM sources WHERE name = ?", (name,))
    return int(found.fetchone()[0])


def _refuse_older(
    connection: sqlite3.Connection, poll: Poll, source_id: int, at: int
) -> None:
    (last,) = connection.execute(
        "SELECT max(at) FROM polls WHERE source_id = ? AND error IS NULL", (source_id,)
    ).fetchone()
    if last is not None and at <= last:
        when = datetime.fromtimestamp(last, UTC).isoformat()
        raise OlderPollError(f"{poll.source} was already polled at {when}")


def _known(connection: sqlite3.Connection, source_id: int) -> dict[Key, Known]:
    """Return every offer that a source ever named, with what stands of it."""
    rows = connection.execute(
        """
        SELECT provider_id, gpu_id, gpu_count, instance_id, region_id, pricing,
               term_months, upfront, tier, includes,
               id, first_seen, micro_usd, raw_total, currency, url_id, confirmed_until
        FROM offers LEFT JOIN standing ON offer_id = id
        WHERE source_id = ?
        """,
        (source_id,),
    )
    return {row[:10]: Known._make(row[10:]) for row in rows}


def _arrivals(points: Iterable[PricePoint], words: Words) -> dict[Key, Arrival]:
    """Index the points by key; of several under one key the lowest price stays."""
    found: dict[Key, Arrival] = {}
    for point in points:
        key = _key(point, words)
        rival = found.get(key)
        if rival is None or _cheaper(point, rival.point):
            url_id = words.id(point.source_url)
            found[key] = Arrival(point, str(point.raw_total), url_id)
    return found


def _key(point: PricePoint, words: Words) -> Key:
    number = words.id
    return (
        number(point.provider),
        number(point.gpu),
        point.gpu_count,
        number(point.instance),
        number(point.region),
        point.pricing,
        point.term_months,
        point.upfront,
        point.tier,
        point.includes,
    )


def _cheaper(point: PricePoint, rival: PricePoint) -> bool:
    return point.micro_usd_per_gpu_hour < rival.micro_usd_per_gpu_hour


def _last_covered(connection: sqlite3.Connection, source_id: int) -> dict[int, int]:
    """Return when each provider of a source was last covered by a poll."""
    providers = connection.execute(
        "SELECT DISTINCT provider_id FROM offers WHERE source_id = ?", (source_id,)
    ).fetchall()
    latest = "SELECT max(at) FROM coverage WHERE source_id = ? AND provider_id = ?"
    return {
        provider: connection.execute(latest, (source_id, provider)).fetchone()[0]
        for (provider,) in providers
    }


def _covered(
    poll: Poll, arrivals: dict[Key, Arrival], known: dict[Key, Known], words: Words
) -> set[int]:
    """Return the providers on which this poll has a word to say."""
    covered = {key[0] for key in arrivals}
    if poll.providers is not None:
        return covered | {words.id(provider) for provider in poll.providers}
    if poll.complete:
        covered |= {key[0] for key, row in known.items() if row.first_seen is not None}
    return covered


def _observed(
    poll: Poll, arrivals: dict[Key, Arrival], covered: set[int], at: int
) -> dict[int, int]:
    """Return when each covered provider was observed: at its oldest point."""
    observed = dict.fromkeys(covered, at)
    for key, arrival in arrivals.items():
        when = arrival.point.observed_at
        if when is not poll.observed_at:
            observed[key[0]] = min(observed[key[0]], int(when.timestamp()))
    return observed
