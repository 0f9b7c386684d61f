"""When another answer to a watched workload is news."""

from decimal import Decimal
from typing import Literal

from pydantic import AwareDatetime, Field

from core.alerts.alert import Cause
from core.alerts.conditions import HYSTERESIS
from core.checked import Checked

WINNER_MARGIN = Decimal("0.01")
"""A winner is another one only where the former costs this much more by now: two
offers at about the same price would change places every day."""

Change = Literal["winner", "cost", "unpriced", "priced", "breakeven", "beside"]
Unit = Literal["$/month", "$/run", "requests/s"]


class Outcome(Checked):
    """What a workload's answer comes down to."""

    unit: Unit
    amount: Decimal | None
    """What the best answer costs, or the break-even load; None: there is none."""
    winner: str = ""
    """The provider, GPU and pricing of the best answer."""
    words: str
    """The answer in a line."""
    bills: dict[str, Decimal] = Field(default_factory=dict)
    """What each winner that was considered costs, by the same name."""
    own: frozenset[str] = frozenset()
    """Whose bill rests on the workspace's own price."""


class CostLine(Checked):
    """A bill that a watch waits for, in dollars."""

    side: Literal["below", "above"]
    usd: Decimal = Field(gt=0)
    unit: Literal["$/month", "$/run"] = "$/month"

    def beyond(self, outcome: Outcome, margin: Decimal = Decimal(0)) -> bool:
        """Tell whether a cost lies beyond the line, moved back by a share of it."""
        if outcome.amount is None or outcome.unit != self.unit:
            return False
        if self.side == "below":
            return outcome.amount < self.usd * (1 + margin)
        return outcome.amount > self.usd * (1 - margin)


class WorkloadTold(Checked):
    """The answer that was told last, or that stood when watching began."""

    outcome: Outcome
    at: AwareDatetime
    alerted: bool = False
    """Whether it was posted; False: watching began with it, or followed it."""


class News(Checked):
    """How an outcome differs from the one that was told."""

    what: Change
    percent: float | None = None


def compare(
    told: Outcome, now: Outcome, percent: float | None, direction: str = "any"
) -> News | None:
    """Say what of a new outcome is news, None where nothing is.

    Without a percentage only another winner is.
    """
    if told.amount is None or now.amount is None:
        if told.amount is None and now.amount is None:
            return None
        return News(what="unpriced" if now.amount is None else "priced")
    moved = float((now.amount - told.amount) / told.amount * 100)
    enough = percent is not None and abs(moved) >= percent
    if now.unit == "requests/s":
        return News(what="breakeven", percent=moved) if enough else None
    if now.winner != told.winner and _beaten(told.winner, now):
        return News(what="winner", percent=moved)
    wanted = {"down": moved < 0, "up": moved > 0}.get(direction, True)
    if enough and wanted:
        return News(what="cost", percent=moved)
    return None


def cause_of(told: Outcome, now: Outcome) -> Cause | None:
    """Say what moved an outcome: the former winner's price, else the new one's."""
    former, new = told.bills.get(told.winner), now.bills.get(now.winner)
    if former is not None:
        left = now.bills.get(told.winner)
        rose = left is None or left > former
        if rose or (left != former and now.winner == told.winner):
            return _cause(told.winner, told, now)
    if new is None or now.winner == told.winner:
        return None
    known = told.bills.get(now.winner)
    is_less = known is None or new < known
    return _cause(now.winner, told, now) if is_less else None


def _cause(name: str, told: Outcome, now: Outcome) -> Cause:
    """Say what happened to a price, and whether the seller or the workspace did it."""
    before, after = told.bills.get(name), now.bills.get(name)
    what: Literal["raised", "lowered", "listed", "gone"]
    if before is None or after is None:
        what = "listed" if before is None else "gone"
    else:
        what = "raised" if after > before else "lowered"
    percent = float((after - before) / before * 100) if before and after else None
    was, own = name in told.own, name in now.own
    if own and not was:
        return Cause(what="own_set", name=name, percent=percent)
    if was:
        what_own: Literal["own_moved", "own_gone"] = "own_moved" if own else "own_gone"
        return Cause(what=what_own, name=name, percent=percent)
    return Cause(what=what, name=name, percent=percent)


def changed(told: Outcome, now: Outcome) -> News | None:
    """Say how far an outcome moved that is no news of its own."""
    if not told.amount or now.amount is None or now.amount == told.amount:
        return None
    percent = float((now.amount - told.amount) / told.amount * 100)
    return News(what="beside", percent=percent)


def crossed(line: CostLine, told: Outcome, now: Outcome) -> News | None:
    """Say that a cost crossed a line since it was told, None where it did not."""
    if now.amount is None or not line.beyond(now) or line.beyond(told):
        return None
    if not told.amount:
        return News(what="priced")
    moved = float((now.amount - told.amount) / told.amount * 100)
    return News(what="cost", percent=moved)


def rearmed(line: CostLine, told: Outcome, now: Outcome) -> bool:
    """Tell whether a cost came back far enough for its next crossing to be news."""
    back = now.amount is not None and not line.beyond(now, HYSTERESIS)
    return back and line.beyond(told)


def rebased(told: Outcome, now: Outcome, percent: float | None, direction: str) -> bool:
    """Tell whether a one-way watch follows a move the other way in silence."""
    if percent is None or direction == "any":
        return False
    if not told.amount or now.amount is None:
        return False
    moved = (now.amount - told.amount) / told.amount * 100
    return abs(moved) >= percent and (moved > 0) == (direction == "down")


def _beaten(former: str, now: Outcome) -> bool:
    """Tell whether the former winner is gone, or costs clearly more."""
    bill = now.bills.get(former)
    if bill is None or now.amount is None:
        return True
    return bill > now.amount * (1 + WINNER_MARGIN)
