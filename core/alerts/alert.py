"""What a watch has to tell, before anybody words it."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from core.alerts.selection import Measure
from core.checked import Checked
from core.offers import PricePoint

What = Literal["crossed", "moved", "new_low", "listed", "delisted"]


class PriceAlert(Checked):
    """A price that is news to one subscription."""

    kind: Literal["price"] = "price"
    subscription: int
    typed: str
    user_id: str
    what: What
    label: str
    """The watched GPU as it was typed."""
    measure: Measure = "price"
    before: int | None = None
    """Micro-dollars per GPU-hour, or a discount in millionths; None: unknown."""
    after: int | None = None
    since: AwareDatetime | None = None
    cause: Literal["changed", "revalued", "listed", "delisted"] | None = None
    offer: PricePoint | None = None
    """The offer that is told of."""
    was: PricePoint | None = None
    """The offer that made the level before, where it is another one."""
    at: AwareDatetime

    @property
    def provider(self) -> str:
        """Whose move it is."""
        if self.cause == "delisted" and self.was is not None:
            return self.was.provider
        return self.offer.provider if self.offer else ""


class Cause(Checked):
    """Which price moved a workload's answer."""

    what: Literal[
        "raised", "lowered", "listed", "gone", "own_set", "own_moved", "own_gone"
    ]
    """What the seller did; "own": what the workspace did with a price of its own."""
    name: str
    """The winner that it happened to, as outcomes name it."""
    percent: float | None = None


class WorkloadAlert(Checked):
    """A watched workload whose best answer is another one now."""

    kind: Literal["workload"] = "workload"
    subscription: int
    typed: str
    user_id: str
    question: str
    what: Literal["winner", "cost", "unpriced", "priced", "breakeven", "beside"]
    """What is news; "beside": it moved too, by less than was asked for."""
    before: str
    """The answer that was told last, in words."""
    after: str
    before_amount: str = ""
    """What it cost when it was told last, in words."""
    after_amount: str = ""
    cause: Cause | None = None
    percent: float | None = None
    line: str = ""
    """Where the cost is now, in words, when it crossed a line: below $5,000/month."""
    answer_id: str = ""
    """The answer that stands now, for whoever asks why."""
    since: AwareDatetime
    at: AwareDatetime


class StaleAlert(Checked):
    """Sources of prices that no longer answer, or answer again."""

    kind: Literal["stale"] = "stale"
    subscription: int
    typed: str
    user_id: str
    stale: tuple[tuple[str, AwareDatetime], ...] = ()
    """Each source, and when it last succeeded."""
    recovered: tuple[str, ...] = ()
    at: AwareDatetime


Alert = Annotated[PriceAlert | WorkloadAlert | StaleAlert, Field(discriminator="kind")]
