"""Offers out of the store: what stands now, what stood at any past instant."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from core.offers import Catalog, Offer
from core.reference.load import reference
from prices.database.connection import Connection
from prices.history.health import regularly_read
from prices.history.string_table import (
    FACTS,
    TERMS,
    Facts,
    read_facts,
    read_terms,
    read_words,
)
from prices.naming.gpu_names import could_be, known_ids

SUPERSEDED_AFTER = timedelta(days=1)
"""Two live feeds of one provider never displace each other within a day."""

END_OF_TIME = 2**62
"""Later than any instant in seconds."""

Row = tuple[Any, ...]
"""A row of the views `standing` and `past`; an offer needs it from id to last_seen."""
_Seat = tuple[str, str, str, int, bool, str]


def standing_offers(connection: Connection) -> list[Offer]:
    """Return the offers that stand now, in the order in which they were first seen."""
    rows = connection.execute(
        """
        SELECT id, source_id, provider_id, gpu_id, gpu_count, instance_id, region_id,
               terms_id, facts_id, micro_usd, raw_total, currency, url_id, last_seen
        FROM standing ORDER BY id
        """
    )
    return offers_of(connection, rows)


def standing_of_gpu(connection: Connection, gpu: str) -> list[Offer]:
    """Return the offers of one GPU that stand now."""
    rows = connection.execute(
        "SELECT * FROM standing WHERE gpu_id = (SELECT id FROM words WHERE word = ?)",
        (gpu,),
    )
    return offers_of(connection, rows)


def offers_by_id(connection: Connection, ids: list[int]) -> dict[int, Offer]:
    """Return standing offers by their numbers."""
    among = connection.dialect.numbers("?")
    rows = connection.execute(
        f"SELECT * FROM standing WHERE id IN {among}",  # noqa: S608
        (json.dumps(ids),),
    ).fetchall()
    offers = offers_of(connection, rows)
    return {row[0]: offer for row, offer in zip(rows, offers, strict=True)}


def offers_at(connection: Connection, instant: datetime) -> list[Offer]:
    """Return the offers that stood at an instant, as they were last seen by then."""
    at = int(instant.timestamp())
    rows = connection.execute(
        """
        SELECT * FROM standing WHERE first_seen <= :at
        UNION ALL
        SELECT * FROM past WHERE ended_at > :at AND first_seen = (
            SELECT max(first_seen) FROM history
            WHERE offer_id = past.id AND first_seen <= :at
        )
        """,
        {"at": at},
    )
    return offers_of(connection, rows, at)


def freshest(offers: list[Offer]) -> list[Offer]:
    """Drop the offers that another source has superseded.

    An offer is superseded where another source observed the same provider, GPU,
    pricing, term and tier more than a day later and names the region and the instance
    at least as closely: a vaguer word never displaces a more precise one. A fresher
    price of a name that leaves the form factor open ("h100-80gb") counts for each GPU
    that it could be. Prices of a whole host and of the GPU alone stay apart.
    """
    contested = _of_several_sources(offers)
    seats: dict[_Seat, list[Offer]] = {}
    for offer in offers:
        if offer.provider in contested:
            seats.setdefault(_seat(offer, offer.gpu), []).append(offer)
    stale = {
        id(offer)
        for seat, rivals in _contested(seats).items()
        for offer in _superseded(seats[seat], rivals)
    }
    return [offer for offer in offers if id(offer) not in stale] if stale else offers


def _of_several_sources(offers: list[Offer]) -> set[str]:
    """Return the providers of whom several sources speak."""
    pairs = {(offer.provider, offer.source) for offer in offers}
    spoken = Counter(provider for provider, _ in pairs)
    return {provider for provider, sources in spoken.items() if sources > 1}


def catalog_of(offers: list[Offer], as_of: datetime, version: str) -> Catalog:
    """Make a catalogue that knows which names leave the form factor open."""
    names = {offer.gpu for offer in offers} - known_ids()
    return Catalog(offers, as_of, version, {name: could_be(name) for name in names})


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


def _observed(
    connection: Connection, seen: set[tuple[int, int, int]]
) -> dict[tuple[int, int, int], datetime]:
    """When a provider was last observed by a source, at or before an instant each."""
    wanted = connection.dialect.lists("?", "source", "provider", "seen")
    rows = connection.execute(
        f"""
        SELECT source, provider, seen, (
            SELECT observed_at FROM coverage
            WHERE source_id = source AND provider_id = provider AND at <= seen
            ORDER BY at DESC LIMIT 1
        )
        FROM {wanted} AS wanted
        """,  # noqa: S608 - made of constants
        (json.dumps(sorted(seen)),),
    )
    return {tuple(key): datetime.fromtimestamp(at, UTC) for *key, at in rows}


def offers_of(
    connection: Connection, rows: Iterable[Row], at: int = END_OF_TIME
) -> list[Offer]:
    """Make offers of rows, as they were last seen, by an instant where one is given."""
    word = read_words(connection)
    template = _Templates(connection, word)
    source = dict(connection.execute("SELECT id, name FROM sources"))
    read = regularly_read(connection) if at == END_OF_TIME else {}
    found = [
        (row, (row[1], row[2], at if row[13] is None else min(row[13], at)))
        for row in rows
    ]
    observed = _observed(connection, {seen for _, seen in found})
    return [
        Offer(
            **template[provider, terms, facts],
            gpu=word[gpu],
            gpu_count=count,
            instance=word[instance],
            region=word[region],
            micro_usd_per_gpu_hour=micro_usd,
            raw_total=Decimal(total),
            currency=currency,
            source_url=word[url],
            source=(name := source[source_id]),
            read_at=read.get(name),
            observed_at=observed[seen],
        )
        for (
            _, source_id, provider, gpu, count, instance, region,
            terms, facts, micro_usd, total, currency, url, *_bounds,
        ), seen in found
    ]  # fmt: skip


class _Templates(dict[tuple[int, int, int | None], dict[str, Any]]):
    """What an offer holds by its provider, terms and facts, before its own values."""

    def __init__(self, connection: Connection, words: dict[int, str]) -> None:
        super().__init__()
        self._words = words
        self._terms = read_terms(connection)
        self._facts = read_facts(connection)

    def __missing__(self, key: tuple[int, int, int | None]) -> dict[str, Any]:
        provider, terms, facts = self._words[key[0]], self._terms[key[1]], key[2]
        if facts is None:  # written before facts were kept
            kind = reference().seller_kind(provider, terms[3])
            said: Facts = (kind, "unknown", "unknown", None)
        else:
            said = self._facts[facts]
        self[key] = found = {
            "provider": provider,
            **dict(zip(TERMS, terms, strict=True)),
            **dict(zip(FACTS, said, strict=True)),
        }
        return found
