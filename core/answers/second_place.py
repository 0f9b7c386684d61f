"""The same GPUs once more, in a second place: what keeps a service up costs."""

from collections.abc import Mapping
from typing import ClassVar

from core.answers.answer import HOURS, OFFERS, Answer, Way
from core.answers.promised import minutes_down, together
from core.market.board import Bill
from core.query import UPTIME

PLACES = 2
TESTS = 12
"""Hours a month for which a cold standby is tried out."""
USUAL = 99.5
"""Per cent that a seller of one machine usually promises."""


class SecondPlace(Answer, frozen=True):
    """GPUs that are there already, and what as many elsewhere add."""

    first: Bill
    """The lowest price of as many."""
    covered: Bill | None
    """The lowest price with a promised uptime; None: nobody promises one."""
    wanted: float | None
    """The uptime that is asked for, in per cent; None: none is."""

    applies: ClassVar = OFFERS | HOURS
    subject: ClassVar = frozenset(UPTIME)

    @property
    def ways(self) -> tuple[Way, ...]:
        """What the second place costs: at the lowest price, and with a promise."""
        other = self.covered if self.covered != self.first else None
        return tuple(bill.way() for bill in (self.first, other) if bill)

    @property
    def percent(self) -> float:
        """The uptime that one place is promised, or usually is."""
        return (self.covered.sla_percent if self.covered else None) or USUAL

    @property
    def hours_down(self) -> float:
        """Hours of a month in which one place may be down."""
        return minutes_down(self.percent) / 60

    @property
    def together(self) -> float:
        """Per cent of the time in which one of both is up, if they fail apart."""
        return together(self.percent, PLACES)

    def details(self) -> Mapping[str, object]:
        """What both keep up."""
        return {"sla_percent_together": self.together}
