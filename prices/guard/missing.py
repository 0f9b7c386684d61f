"""What a poll says nothing of though it stood: which of it keeps its place."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal

from core.offers import Offer, PricePoint
from core.wording import say
from prices.guard.price_swaps import figures
from prices.guard.quarantine import Suspect
from prices.guard.verdict import Permits, Verdict
from prices.history.ingest import Key, key_of
from prices.naming.bounds import bound_of, bounds
from prices.sources.rows import subject_of
from prices.sources.source import Reading


def overlooked(
    reading: Reading, verdict: Verdict, open_offers: Mapping[Key, Offer]
) -> list[Suspect]:
    """Find offers that are missing where a row of their machine states no price.

    What the row says, such as a price that begins next year, ends none that stood.
    """
    if not reading.aside:
        return []
    named = {key_of(point) for point in verdict.points}
    named |= {suspect.key for suspect in verdict.suspects if suspect.key}
    missing: dict[tuple[str, str], list[Offer]] = defaultdict(list)
    for key, offer in open_offers.items():
        if key not in named:
            missing[offer.provider, offer.instance or offer.gpu].append(offer)
    found = {
        key_of(offer): Suspect(
            "machine", subject_of(offer), row.reason, key=key_of(offer)
        )
        for row in reading.aside
        for offer in missing.get((row.provider, row.instance or row.gpu), ())
        if row.region in ("", offer.region)
        and (not row.pricing or offer.pricing in row.pricing)
    }
    return list(found.values())


def places(verdict: Verdict, open_offers: Mapping[Key, Offer]) -> list[Offer]:
    """Return the offers that keep their old price; one that is itself suspect goes.

    A suspect may be any offer of its machine that the poll does not name: what it says
    of the GPUs, their number or the terms may be what is wrong. Where a list names no
    machine of its own, it may be the missing offer whose price it asks.
    """
    keys = {suspect.key: suspect for suspect in verdict.suspects if suspect.key}
    named = {key_of(point) for point in verdict.points} | keys.keys()
    machines = {each for key in keys for each in _may_be(key)}
    asked = {each for one in keys.values() if one.point for each in figures(one.point)}
    held = []
    for key, offer in open_offers.items():
        suspect = keys.get(key)
        if suspect:
            if not (suspect.point and moved(offer, suspect.point) == 1):
                held.append(offer)
        elif key not in named and (
            machines.intersection(_may_be(key)) or asked.intersection(figures(offer))
        ):
            held.append(offer)
    return held


def _may_be(key: Key) -> Iterator[tuple[object, ...]]:
    """Yield what tells an offer's machine: its name, its GPUs, its price's place.

    Any of them may be what a corrupted row no longer says.
    """
    provider, gpu, count, instance, region, *_ = key
    yield provider, instance or bound_of(str(gpu)).prefix, region
    yield provider, bound_of(str(gpu)).prefix, count
    if not instance:
        yield provider, region


def keep_missing_halves(
    reading: Reading,
    open_offers: Mapping[Key, Offer],
    permits: Permits,
    verdict: Verdict,
) -> None:
    """Keep the offers of a provider of which too much is missing at once."""
    limits = bounds().limits
    named = {key_of(point) for point in verdict.points}
    named |= {suspect.key for suspect in verdict.suspects if suspect.key}
    before = Counter(offer.provider for offer in open_offers.values())
    now = Counter(str(key[0]) for key in named)
    for provider, count in before.items():
        if reading.providers is not None and provider not in reading.providers:
            continue
        if count < limits.fewest or now[provider] >= count * limits.halves:
            continue
        suspect = Suspect(
            "shrunk",
            provider,
            say("guard.fewer_offers", now=now[provider], before=count),
        )
        if not permits.allows(suspect):
            verdict.suspects.append(suspect)
            verdict.held += [
                offer
                for key, offer in open_offers.items()
                if offer.provider == provider and key not in named
            ]


def moved(before: Offer, now: PricePoint) -> Decimal:
    """Return the new price over the old, in the source's own currency."""
    if before.currency == now.currency:
        return now.raw_total / before.raw_total
    return Decimal(now.micro_usd_per_gpu_hour) / before.micro_usd_per_gpu_hour
