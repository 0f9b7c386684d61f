"""What of a poll enters, what is kept back, and what may pass again."""

from collections.abc import Iterable

from msgspec import Struct, field

from core.offers import Offer, PricePoint
from prices.guard.quarantine import Entry, Suspect
from prices.naming.bounds import bounds


class Verdict(Struct):
    """What of a poll enters, and what is kept back."""

    points: list[PricePoint] = field(default_factory=list)
    suspects: list[Suspect] = field(default_factory=list)
    held: list[Offer] = field(default_factory=list)
    """Standing offers whose place is kept though the poll does not confirm them."""
    vouched: list[tuple[Suspect, str]] = field(default_factory=list)
    """What would be kept back, had not another source said the same."""
    duplicates: int = 0
    incomplete: frozenset[str] = frozenset()
    """Providers of whom a row could not be read."""
    complete: bool = True
    """Whether what the poll does not name is no longer sold."""


class Permits:
    """What was let go before and may pass again."""

    def __init__(self, released: Iterable[Entry], last_poll: float = 0) -> None:
        self._prices: dict[tuple[str, str], list[int]] = {}
        self._shrunk: set[str] = set()
        for entry in released:
            if entry.kind == "shrunk":
                if entry.closed_at and entry.closed_at.timestamp() >= last_poll:
                    self._shrunk.add(entry.subject)
            elif entry.micro_usd is not None:
                place = (entry.kind, entry.seat)
                self._prices.setdefault(place, []).append(entry.micro_usd)

    def allows(self, suspect: Suspect) -> bool:
        """Whether a price near this one was let go for the same offer and reason."""
        if suspect.point is None:
            return suspect.kind == "shrunk" and suspect.subject in self._shrunk
        micro = suspect.point.micro_usd_per_gpu_hour
        limit = bounds().limits.vouch
        released = self._prices.get((suspect.kind, suspect.seat), ())
        return any(abs(micro / each - 1) <= limit for each in released)
