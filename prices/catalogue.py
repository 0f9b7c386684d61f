"""Offers out of the store: what stands now, what stood at any past instant."""

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from core.offers import Offer
from prices.gpu_names import could_be
from prices.words import read_words

SUPERSEDED_AFTER = timedelta(days=1)
"""Two live feeds of one provider never displace each other within a day."""

STANDING = """
    SELECT source_id, provider_id, gpu_id, gpu_count, instance_id, region_id, pricing,
           term_months, upfront, tier, includes, micro_usd, raw_total, currency, url_id,
           confirmed_until
    FROM offers JOIN standing ON offer_id = id
"""
STANDING_OF_GPU = STANDING + "WHERE gpu_id = (SELECT id FROM words WHERE word = ?)"  # noqa: S608
STOOD_AT = """
    SELECT source_id, provider_id, gpu_id, gpu_count, instance_id, region_id, pricing,
           term_months, upfront, tier, includes, micro_usd, raw_total, currency, url_id,
           confirmed_until
    FROM offers JOIN standing ON offer_id = id WHERE first_seen <= :at
    UNION ALL
    SELECT source_id, provider_id, gpu_id, gpu_count, instance_id, region_id, pricing,
           term_months, upfront, tier, includes, micro_usd, raw_total, currency, url_id,
           last_seen
    FROM offers CROSS JOIN history ON offer_id = id
    WHERE ended_at > :at AND first_seen = (
        SELECT max(first_seen) FROM history WHERE offer_id = id AND first_seen <= :at
    )
"""

Row = tuple[Any, ...]
_Seat = tuple[str, str, str, int, bool, str]


def standing_offers(connection: sqlite3.Connection) -> list[Offer]:
    """Return the offers that stand now, in the order in which they were first seen."""
    return _offers(connection, connection.execute(STANDING), None)


def offers_of_gpu(connection: sqlite3.Connection, gpu: str) -> list[Offer]:
    """Return the offers of one GPU that stand now."""
    return _offers(connection, connection.execute(STANDING_OF_GPU, (gpu,)), None)


def offers_at(connection: sqlite3.Connection, instant: datetime) -> list[Offer]:
    """Return the offers that stood at an instant, as they were last seen by then."""
    at = int(instant.timestamp())
    return _offers(connection, connection.execute(STOOD_AT, {"at": at}), at)


def freshest(offers: list[Offer]) -> list[Offer]:
    """Drop the offers that another source has superseded.

    An offer is superseded where another source observed the same provider, GPU,
    pricing, term and tier more than a day later and names the region and the instance
    at least as closely: a vaguer word never displaces a more precise one. A fresher
    price of a name that leaves the form factor open ("h100-80gb") counts for each GPU
    that it could be. Prices of a whole host and of the GPU alone stay apart.
    """
    seats: dict[_Seat, list[Offer]] = {}
    for offer in offers:
        seats.setdefault(_seat(offer, offer.gpu), []).append(offer)
    stale = {
        id(offer)
        for seat, rivals in _contested(seats).items()
        for offer in _superseded(seats[seat], rivals)
    }
    return [offer for offer in offers if id(offer) not in stale] if stale else offers


def _seat(offer: Offer, gpu: str) -> _Seat:
    return (
        offer.provider,
        gpu,
        offer.pricing,
        offer.term_months,
        offer.upfront,
        offer.tier,
    )


def _contested(seats: dict[_Seat, list[Offer]]) -> dict[_Seat, list[Offer]]:
    """Return, where several sources speak of one seat, every offer that bears on it."""
    rivals = {seat: list(offers) for seat, offers in seats.items()}
    for offers in seats.values():
        for gpu in could_be(offers[0].gpu):
            seat = _seat(offers[0], gpu)
            if gpu != offers[0].gpu and seat in rivals:
                rivals[seat] += offers
    return {
        seat: found
        for seat, found in rivals.items()
        if len({offer.source for offer in found}) > 1
    }


def _superseded(offers: list[Offer], rivals: list[Offer]) -> Iterator[Offer]:
    by_region: dict[str, list[Offer]] = {}
    for rival in rivals:
        by_region.setdefault(rival.region, []).append(rival)
    for offer in offers:
        near = by_region.get(offer.region, []) if offer.region else rivals
        if any(_supersedes(rival, offer) for rival in near):
            yield offer


def _supersedes(rival: Offer, offer: Offer) -> bool:
    return (
        rival.source != offer.source
        and rival.observed_at - offer.observed_at > SUPERSEDED_AFTER
        and rival.instance.startswith(offer.instance)
        and (rival.includes == offer.includes or "unknown" in _includes(rival, offer))
    )


def _includes(*offers: Offer) -> set[str]:
    return {offer.includes for offer in offers}


class _Observed(dict[tuple[int, int, int | None], datetime]):
    """When a provider was last observed by a source, at or before an instant."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __missing__(self, key: tuple[int, int, int | None]) -> datetime:
        (observed_at,) = self._connection.execute(
            """
            SELECT observed_at FROM coverage
            WHERE source_id = ? AND provider_id = ? AND at <= coalesce(?, at)
            ORDER BY at DESC LIMIT 1
            """,
            key,
        ).fetchone()
        self[key] = datetime.fromtimestamp(observed_at, UTC)
        return self[key]


def _offers(
    connection: sqlite3.Connection, rows: Iterable[Row], at: int | None
) -> list[Offer]:
    word = read_words(connection)
    source = dict(connection.execute("SELECT id, name FROM sources"))
    observed = _Observed(connection)
    exact = lru_cache(maxsize=None)(Decimal)
    return [
        _trusted(
            {
                "provider": word[row[1]],
                "gpu": word[row[2]],
                "gpu_count": row[3],
                "instance": word[row[4]],
                "region": word[row[5]],
                "pricing": row[6],
                "term_months": row[7],
                "upfront": bool(row[8]),
                "tier": row[9],
                "includes": row[10],
                "raw_total": exact(row[12]),
                "currency": row[13],
                "micro_usd_per_gpu_hour": row[11],
                "observed_at": observed[row[0], row[1], _earlier(row[15], at)],
                "source": source[row[0]],
                "source_url": word[row[14]],
                "valid_until": None,
                "negotiated": False,
            }
        )
        for row in rows
    ]


def _earlier(last_seen: int | None, at: int | None) -> int | None:
    if last_seen is None or at is None:
        return last_seen if at is None else at
    return min(last_seen, at)


_FIELDS = set(Offer.model_fields)


def _trusted(values: dict[str, Any]) -> Offer:
    """Make an offer of a row that was validated on its way in.

    pydantic's own `model_construct` takes five times as long, which 30,000 offers
    would feel; what it sets is what is set here.
    """
    offer = Offer.__new__(Offer)
    put = object.__setattr__
    put(offer, "__dict__", values)
    put(offer, "__pydantic_fields_set__", _FIELDS)
    put(offer, "__pydantic_extra__", None)
    put(offer, "__pydantic_private__", None)
    return offer
