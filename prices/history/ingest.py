"""One poll into the store: compare with what stood, write only what differs."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from operator import attrgetter

from core.offers import PricePoint
from prices.database.connection import Connection
from prices.history.poll import ChangeSet, OlderPollError, Poll
from prices.history.string_table import Place, Places
from prices.history.writer import Writer

Key = tuple[str | int | bool, ...]
"""An offer within its source: what `key_of` returns."""

key_of = attrgetter(
    "provider",
    "gpu",
    "gpu_count",
    "instance",
    "region",
    "pricing",
    "term_months",
    "upfront",
    "tier",
    "includes",
)


Known = tuple[int, int | None, str | None, int | None, int | None, int | None]
"""An offer's number; its micro-dollars, None where no price stands; currency and total
as published where these are not dollars; until when it was confirmed, if not lately;
the number of its facts, and the smallest order among them."""


def record(connection: Connection, poll: Poll) -> ChangeSet:
    """Write one poll inside the caller's transaction and say what it changed."""
    at = int(poll.observed_at.timestamp())
    source_id = source_number(connection, poll.source, poll.attribution)
    _refuse_older(connection, poll, source_id, at)
    places = Places(connection)
    arrivals = _arrivals(poll.points, places)
    known = _known(connection, source_id)
    writer = Writer(connection, poll, source_id, at, places)
    _sort(arrivals, known, writer, places)
    observed = _observed(poll, at, places)
    for provider in _miss(poll, arrivals, known, writer, places):
        observed.setdefault(provider, at)
    return writer.write(observed)


def record_failure(
    connection: Connection, source: str, at: datetime, error: str
) -> None:
    """Note that a source could not be read."""
    connection.execute(
        "INSERT INTO polls (source_id, at, error) VALUES (?, ?, ?)",
        (source_number(connection, source), int(at.timestamp()), error),
    )


def source_number(connection: Connection, name: str, attribution: str = "") -> int:
    """Return a source's number, new where the name was never seen."""
    connection.execute(
        "INSERT INTO sources (name) VALUES (?) ON CONFLICT DO NOTHING", (name,)
    )
    if attribution:
        connection.execute(
            "UPDATE sources SET attribution = ? WHERE name = ?", (attribution, name)
        )
    found = connection.execute("SELECT id FROM sources WHERE name = ?", (name,))
    return int(found.fetchone()[0])


def _refuse_older(connection: Connection, poll: Poll, source_id: int, at: int) -> None:
    (last,) = connection.execute(
        "SELECT max(at) FROM polls WHERE source_id = ? AND error IS NULL", (source_id,)
    ).fetchone()
    if last is not None and at <= last:
        raise OlderPollError(poll.source, datetime.fromtimestamp(last, UTC))


def _arrivals(
    points: Collection[PricePoint], places: Places
) -> dict[Place, PricePoint]:
    """Index the points by place; of several in one place the lowest price stays."""
    taken = places.of(points)
    found = dict(zip(taken, points, strict=True))
    if len(found) == len(points):
        return found
    for place, point in zip(taken, points, strict=True):
        if point.micro_usd_per_gpu_hour < found[place].micro_usd_per_gpu_hour:
            found[place] = point
    return found


def _known(connection: Connection, source_id: int) -> dict[Place, Known]:
    """Return every offer that a source ever named, with the price that stands."""
    rows = connection.execute(
        """
        SELECT provider_id, gpu_id, gpu_count, instance_id, region_id, terms_id,
               offers.id, micro_usd,
               CASE WHEN currency <> 'USD' THEN currency || ' ' || raw_total END,
               confirmed_until, facts_id, min_gpus
        FROM offers LEFT JOIN facts ON facts.id = facts_id WHERE source_id = ?
        """,
        (source_id,),
    )
    return {row[:6]: row[6:] for row in rows}


def _sort(
    arrivals: Mapping[Place, PricePoint],
    known: Mapping[Place, Known],
    writer: Writer,
    places: Places,
) -> None:
    """Tell new, moved and unchanged offers apart.

    Where a source begins to say how many GPUs an order takes, the price is of another
    offer than the one that stood: Lambda's $3.99 was for eight, its $4.29 is for one.
    """
    for place, point in arrivals.items():
        row = known.get(place)
        if row is None:
            writer.new.append((place, point))
            continue
        offer_id, micro_usd, foreign, confirmed_until, facts_id, min_gpus = row
        if micro_usd is None:
            writer.back.append((offer_id, point))
        elif (
            facts_id
            and min_gpus != point.min_gpus
            and not _as_published(point, micro_usd, foreign)
        ):
            writer.rebased.append((offer_id, point))
        elif not _as_published(point, micro_usd, foreign):
            writer.moved.append((offer_id, point))
        elif point.micro_usd_per_gpu_hour != micro_usd:
            writer.revalued.append((offer_id, point))
        else:
            writer.same += 1
            if (now := places.facts_of(point)) != facts_id:
                writer.restated.append((now, offer_id))
            if confirmed_until is not None:
                writer.confirmed.append((offer_id,))


def _as_published(point: PricePoint, micro_usd: int, foreign: str | None) -> bool:
    """Tell whether the price in its own currency is what it was.

    A dollar price is compared in micro-dollars per GPU-hour, so that digits beyond
    them are no change; another currency by its total, whatever the exchange rate.
    """
    if foreign is None:
        return point.micro_usd_per_gpu_hour == micro_usd and point.currency == "USD"
    currency, _, total = foreign.partition(" ")
    return point.currency == currency and point.raw_total == Decimal(total)


def _observed(poll: Poll, at: int, places: Places) -> dict[int, int]:
    """Return when each provider of the poll was observed: at its oldest point."""
    observed = dict.fromkeys((places.words[name] for name in poll.providers or ()), at)
    for provider, when in _sightings(poll):
        number = places.words[provider]
        observed[number] = min(observed.get(number, at), int(when.timestamp()))
    return observed


def _sightings(poll: Poll) -> set[tuple[str, datetime]]:
    instants = {point.observed_at for point in poll.points}
    if len(instants) == 1:
        instant = instants.pop()
        return {(provider, instant) for provider in _providers(poll)}
    return {(point.provider, point.observed_at) for point in poll.points}


def _providers(poll: Poll) -> set[str]:
    return {point.provider for point in poll.points}


def _miss(
    poll: Poll,
    arrivals: Mapping[Place, PricePoint],
    known: Mapping[Place, Known],
    writer: Writer,
    places: Places,
) -> set[int]:
    """Take the standing offers that the poll does not name; return their providers."""
    absent = known.keys() - arrivals.keys()
    if not absent:
        return set()
    held = set(places.of(poll.held))
    spoken_of = poll.providers
    if not poll.complete and spoken_of is None:
        spoken_of = frozenset(_providers(poll))
    spoken = None if spoken_of is None else {places.words[name] for name in spoken_of}
    unsure = {places.words[name] for name in poll.incomplete}
    missed = set()
    # In the order of the offers, whatever the order of the set.
    for place in filter(absent.__contains__, known):
        offer_id, micro_usd, *_ = known[place]
        if micro_usd is not None and (spoken is None or place[0] in spoken):
            delist = place not in held and place[0] not in unsure
            writer.miss(offer_id, place[0], delist=delist)
            missed.add(place[0])
    return missed
