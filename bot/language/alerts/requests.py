"""What somebody asks of the alerts, once it is read."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from core.alerts.subscription import DigestWatch, PriceWatch, StaleWatch
from core.alerts.workloads import CostLine
from core.query import Query


@dataclass(frozen=True, slots=True)
class Which:
    """Some of a channel's subscriptions: by numbers, by a name with `*`, or all."""

    numbers: tuple[int, ...] = ()
    pattern: str | None = None

    @property
    def every(self) -> bool:
        """Whether all of them are meant."""
        return not self.numbers and self.pattern is None


@dataclass(frozen=True, slots=True)
class Create:
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


@dataclass(frozen=True, slots=True)
class Show:
    """List what the channel watches."""


@dataclass(frozen=True, slots=True)
class Remove:
    """Stop watching."""

    which: Which
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Mute:
    """Be quiet until an instant; None: speak again."""

    which: Which
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Try:
    """Say what a subscription would post now."""

    number: int


@dataclass(frozen=True, slots=True)
class Resume:
    """Post again where posting had become impossible."""

    number: int


@dataclass(frozen=True, slots=True)
class Adopt:
    """Look after what somebody made who has left."""

    number: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Why nothing can be done with the words, and what to write instead."""

    reason: str
    why: str = ""
    examples: tuple[str, ...] = ()
    unknown: str = ""
    """A word that names nothing: to leave it out would watch more than was typed."""


Request = Create | WatchQuestion | Show | Remove | Mute | Try | Resume | Adopt | Problem
