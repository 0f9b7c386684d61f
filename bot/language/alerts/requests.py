"""What somebody asks of the alerts, once it is read."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from msgspec import Struct

from core.alerts.subscription import DigestWatch, PriceWatch, StaleWatch
from core.alerts.workloads import CostLine
from core.query import Query


class Which(Struct, frozen=True):
    """Some of a channel's subscriptions: by numbers, by a name with `*`, or all."""

    numbers: tuple[int, ...] = ()
    pattern: str | None = None

    @property
    def every(self) -> bool:
        """Whether all of them are meant."""
        return not self.numbers and self.pattern is None


class Create(Struct, frozen=True):
    """Watch this, from now on."""

    watch: PriceWatch | StaleWatch | DigestWatch
    notes: tuple[str, ...] = ()
    """What was taken for granted."""


@dataclass(frozen=True, slots=True)
class WatchQuestion:
    """Answer a question again whenever prices change."""

    question: str
    percent: float | None = 10
    """By how much a cost must move; None: only another winner is news."""
    direction: Literal["any", "down", "up"] = "any"
    query: Query | None = None
    """What the question was read as, where it was part of a sentence."""
    sized: bool = field(default=False, compare=False)
    """Whether the move was named."""
    line: CostLine | None = None
    """A cost to wait for, in place of a move."""
    notes: tuple[str, ...] = field(default=(), compare=False)


class Show(Struct, frozen=True):
    """List what the channel watches."""


class Remove(Struct, frozen=True):
    """Stop watching."""

    which: Which
    confirmed: bool = False


class Mute(Struct, frozen=True):
    """Be quiet until an instant; None: speak again."""

    which: Which
    until: datetime | None


class Try(Struct, frozen=True):
    """Say what a subscription would post now."""

    number: int


class Resume(Struct, frozen=True):
    """Post again where posting had become impossible."""

    number: int


class Adopt(Struct, frozen=True):
    """Look after what somebody made who has left."""

    number: int


class Problem(Struct, frozen=True):
    """Why nothing can be done with the words, and what to write instead."""

    reason: str
    why: str = ""
    examples: tuple[str, ...] = ()
    unknown: str = ""
    """A word that names nothing: to leave it out would watch more than was typed."""


Request = Create | WatchQuestion | Show | Remove | Mute | Try | Resume | Adopt | Problem
