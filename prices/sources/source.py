"""What a feed is: where it is fetched, how a payload reads, what came out of it."""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Protocol

from msgspec import Struct, field

from core.money.currency import ExchangeRate
from core.offers import PricePoint
from prices.database.connection import Engine

MEGABYTE = 1_000_000


class PayloadError(Exception):
    """A payload that is not what the feed publishes; the message says why."""


class UnreachableError(Exception):
    """A feed that sent nothing to read; the message says why, and holds no key."""


class Moment(Struct, frozen=True):
    """When a payload is read, and what a dollar bought on that day."""

    at: datetime
    rates: tuple[ExchangeRate, ...] = ()


class Refused(Struct, frozen=True):
    """A row that states no usable price."""

    subject: str
    reason: str
    raw: str = ""
    key: tuple[str | int | bool, ...] | None = None
    """The offer it belongs to, where the row says that much."""
    provider: str = ""
    """Whose offer it may be, where the row says no more; blank: anybody's."""


class Aside(Struct, frozen=True):
    """A row that speaks of a machine and states no price of ours."""

    provider: str
    instance: str
    region: str
    """Blank: it may be any."""
    pricing: tuple[str, ...]
    """None: it may be any."""
    reason: str
    gpu: str = ""
    """Where the row names no machine: whose offers of this GPU it may be."""


class Reading(Struct):
    """What the payloads of one poll say."""

    points: list[PricePoint] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    aside: list[Aside] = field(default_factory=list)
    """Nothing to say of, unless an offer that stood is missing because of it."""
    rows: int = 0
    """How many rows the payloads hold."""
    left_out: Counter[str] = field(default_factory=Counter)
    """How many rows are no offers of ours, by the reason."""
    providers: frozenset[str] | None = None
    """The providers that the payload speaks for; None: all that it ever named."""
    complete: bool = True
    version: str = ""
    note: str = ""

    def merge(self, other: "Reading") -> None:
        """Take another payload of the same poll in."""
        self.points += other.points
        self.refused += other.refused
        self.aside += other.aside
        self.rows += other.rows
        self.left_out += other.left_out
        self.complete = self.complete and other.complete
        self.version = self.version or other.version
        self.note = "; ".join(filter(None, (self.note, other.note)))
        if other.providers is not None:
            self.providers = (self.providers or frozenset()) | other.providers


class Wire(Protocol):
    """The little that a feed needs of HTTP; `prices.sources.fetch.Session` is one."""

    def get(self, url: str, headers: dict[str, str] | None = None) -> bytes:
        """Return a body."""
        ...

    def post(
        self, url: str, body: bytes, headers: dict[str, str] | None = None
    ) -> bytes:
        """Return the body of an answer to JSON."""
        ...

    def remaining(self) -> float:
        """Return the seconds left to this feed."""
        ...


Fetch = Callable[[Wire], Iterable[bytes]]
Read = Callable[[bytes, Moment], Reading]


class SourceSpec(Struct, frozen=True):
    """One feed. `fetch` only moves bytes; `read` is pure and knows the shape."""

    name: str
    fetch: Fetch
    read: Read
    hosts: frozenset[str] = frozenset()
    """The only hosts that it may speak to, redirects included."""
    label: str = ""
    """Which publication it reads; feeds of one label cannot vouch for each other."""
    attribution: str = ""
    every: timedelta = timedelta(hours=1)
    """How often a poll is worth its traffic."""
    deadline_s: float = 60.0
    limit_bytes: int = 8 * MEGABYTE
    private: bool = False
    """Whether it may be on a private network and without TLS: the owner's own."""
    foreign: bool = False
    """Whether it may ask in another currency than dollars, and waits for the rates."""
    witness: bool = False
    """Whether it only confirms or disputes the prices of others."""
    catalogue: bool = False
    """Whether it is a file of what other sources said."""
    keep: Callable[[Engine, bytes, datetime], str] | None = None
    """Who keeps, in a database, what is no price of a GPU; says what arrived."""
