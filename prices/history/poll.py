"""What a feed hands to the store, and what the store says that it changed."""

from collections.abc import Collection
from datetime import datetime
from decimal import Decimal

from msgspec import Struct

from core.offers import MICRO, Offer, PricePoint
from core.wording import say


class Poll(Struct, frozen=True):
    """What one source said at one instant.

    A `complete` poll delists the offers that it no longer names, of `providers` only
    where these are given. `held` points are those that the guard keeps back: their
    offers neither change nor vanish. Where a point was observed before the poll (a
    catalogue's own date), its age counts from there. Of several points under one key
    the lowest price counts. Instants are kept to the second.
    """

    source: str
    observed_at: datetime
    points: Collection[PricePoint]
    complete: bool = True
    providers: frozenset[str] | None = None
    held: Collection[PricePoint] = ()
    incomplete: frozenset[str] = frozenset()
    """Providers of whom a row could not be read: none of their offers is delisted."""
    version: str = ""
    """The source's own name for its state: a catalogue version, an ETag."""
    attribution: str = ""

    def __post_init__(self) -> None:
        """Refuse an instant without a zone and points of another source."""
        if self.observed_at.tzinfo is None:
            raise ValueError("a poll needs an instant with a time zone")
        if {point.source for point in self.points} - {self.source}:
            raise ValueError(f"a poll of {self.source} holds another source's points")


class PriceChange(Struct, frozen=True):
    """One offer of one source before and after."""

    before: Offer
    after: PricePoint

    @property
    def ratio(self) -> Decimal:
        """The new price over the old one; 0.9 is a drop of 10 %."""
        after = Decimal(self.after.micro_usd_per_gpu_hour)
        return after / self.before.micro_usd_per_gpu_hour


class ChangeSet(Struct, frozen=True):
    """What one poll changed in the store.

    `revalued` offers cost the same in their own currency; only the exchange rate
    moved. `unconfirmed` ones were absent without being delisted.
    """

    source: str
    observed_at: datetime
    listed: tuple[PricePoint, ...] = ()
    changed: tuple[PriceChange, ...] = ()
    revalued: tuple[PriceChange, ...] = ()
    delisted: tuple[Offer, ...] = ()
    same: int = 0
    duplicates: int = 0
    unconfirmed: int = 0


class OlderPollError(ValueError):
    """A poll that is not newer than the last one of its source, which was `last`."""

    def __init__(self, source: str, last: datetime) -> None:
        super().__init__(
            say("database.already_polled", source=source, instant=last.isoformat())
        )
        self.last = last


def micro_per_gpu(
    raw_total: Decimal, gpu_count: int, usd_per_unit: Decimal = Decimal(1)
) -> int:
    """Return millionths of a dollar per GPU-hour from an instance's hourly total."""
    return round(raw_total * usd_per_unit * MICRO / gpu_count)
