"""Several loads of one message: each answered alone, and what they cost together."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import ClassVar, Literal

from msgspec import Struct

from core.answers.answer import MODIFIERS, Answer, Money, Way, way_figures
from core.workload import Assumption


class LoadAnswer(Struct, frozen=True):
    """One of the loads: what it is called, and its own answer."""

    name: str
    found: Answer | None
    """None: nothing could be computed for it."""

    @property
    def way(self) -> Way | None:
        """What its answer recommends, where it has a price."""
        ways = self.found.ways if self.found else ()
        priced = bool(ways) and ways[0].money.headline[0] is not None
        return ways[0] if priced else None


def summed(ways: Iterable[Way]) -> Money:
    """What ways cost together: by the month, and beside that what is paid once."""
    sums = [way.money for way in ways]
    months = [money.month for money in sums if money.month is not None]
    once = [money.headline[0] or Decimal(0) for money in sums if money.month is None]
    return Money(
        month=sum(months, Decimal(0)) if months else None,
        run=sum(once, Decimal(0)) if once else None,
    )


class SeveralLoads(Answer, frozen=True):
    """The loads in the order of the message, each with machines of its own."""

    parts: tuple[LoadAnswer, ...]

    applies: ClassVar = MODIFIERS
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """All of them together; nothing where one of them has no price."""
        chosen = [part.way for part in self.parts]
        if not all(chosen):
            return ()
        ways = [way for way in chosen if way is not None]
        gpus = sum(way.gpus for way in ways if way.money.month is not None)
        return (Way({"count": gpus}, summed(ways), gpus=gpus),)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What was assumed for any of them, once."""
        found: dict[tuple[str, str], Assumption] = {}
        for part in self.parts:
            for one in part.found.assumed if part.found else ():
                found.setdefault((one.field, one.value), one)
        return tuple(found.values())

    @property
    def status(self) -> str:
        """Whether every load has a price."""
        return "ok" if self.ways else "no_offer"

    def details(self) -> Mapping[str, object]:
        """Each load with what is recommended for it."""
        offers = [part.way.offer for part in self.parts if part.way]
        return {
            "parts": [
                {
                    "load": part.name,
                    "recommendation": part.way and way_figures(part.way),
                }
                for part in self.parts
            ],
            "prices": offers,
        }

    def picked(
        self, role: Literal["with_sla", "hyperscaler"]
    ) -> tuple[Way | None, ...]:
        """The way of every load that fills a role; None where a load has none."""
        return tuple(
            next(
                (
                    pick.way
                    for pick in (part.found.picks if part.found else ())
                    if pick.role == role
                ),
                None,
            )
            for part in self.parts
        )
