"""When a price is news."""

from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.checked import Checked

HYSTERESIS = Decimal("0.02")
"""A price that crossed a threshold must come this far back before it can cross again:
ten times the median step of AWS spot prices, 0.2 %."""
DISCOUNT_HYSTERESIS = 20_000
"""The same for a discount: two percentage points, in millionths."""
COOLDOWN = timedelta(hours=6)
"""One watch speaks of one GPU no more often than this."""
SETTLED = timedelta(hours=24)
"""An offer that came or went is news only where it was away, or there, this long."""

Direction = Literal["any", "down", "up"]


class Threshold(Checked):
    """The cheapest price, or the discount of spot, crosses a line."""

    kind: Literal["threshold"] = "threshold"
    op: Literal["below", "above"]
    amount: int
    """Micro-dollars per GPU-hour; for a discount, millionths."""


class Move(Checked):
    """A price has moved by so much since it was last told, or within a window.

    Down-only watches follow a rise of the same size in silence, so that a later fall
    is measured from where the price has been; up-only ones the reverse.
    """

    kind: Literal["move"] = "move"
    direction: Direction = "any"
    percent: Decimal | None = Field(default=None, gt=0)
    micro_usd: int | None = Field(default=None, gt=0)
    window_hours: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _one_size(self) -> "Move":
        if (self.percent is None) == (self.micro_usd is None):
            raise ValueError("a move is so many per cent or so many dollars")
        if self.window_hours is not None and self.percent is None:
            raise ValueError("a move within a window is in per cent")
        return self


class NewLow(Checked):
    """The cheapest price is lower than it ever was in so many days."""

    kind: Literal["new_low"] = "new_low"
    days: int = Field(ge=1, le=365)


class Presence(Checked):
    """A provider begins, or ceases, to sell."""

    kind: Literal["presence"] = "presence"
    event: Literal["listed", "delisted"]


Condition = Annotated[Threshold | Move | NewLow | Presence, Field(discriminator="kind")]
