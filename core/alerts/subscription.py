"""A subscription: what a channel asked to be told, exactly as it was typed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, model_validator

from core.alerts.cadence import Cadence
from core.alerts.conditions import Condition, Threshold
from core.alerts.selection import Selection
from core.alerts.workloads import CostLine
from core.checked import Checked
from core.query import Query


class PriceWatch(Checked):
    """Prices of some GPUs, each followed by itself."""

    kind: Literal["price"] = "price"
    selections: tuple[Selection, ...] = Field(min_length=1)
    condition: Condition

    @model_validator(mode="after")
    def _discounts_cross_lines(self) -> "PriceWatch":
        odd = any(s.measure != "price" for s in self.selections)
        if odd and not isinstance(self.condition, Threshold):
            raise ValueError("a discount is watched against a line")
        return self


class WorkloadWatch(Checked):
    """A question that is answered again whenever prices change."""

    kind: Literal["workload"] = "workload"
    question: str
    query: Query
    percent: float | None = Field(default=10, gt=0)
    """By how much a cost must move; None: only another winner is news."""
    direction: Literal["any", "down", "up"] = "any"
    line: CostLine | None = None
    """A cost to wait for, in place of a move or another winner."""


class StaleWatch(Checked):
    """The sources of prices themselves."""

    kind: Literal["stale"] = "stale"
    hours: float = Field(default=24, gt=0)
    sources: tuple[str, ...] = ()
    """Only these, where any are named."""

    def among(self, seen: Mapping[str, datetime]) -> dict[str, datetime]:
        """Return those of the sources, with their last success, that are meant."""
        names = [name for name in seen if not self.sources or name in self.sources]
        return {name: seen[name] for name in names}


class DigestWatch(Checked):
    """What moved, daily or weekly; without GPUs, those that the channel watches."""

    kind: Literal["digest"] = "digest"
    labels: tuple[str, ...] = ()
    cadence: Cadence


Watch = Annotated[
    PriceWatch | WorkloadWatch | StaleWatch | DigestWatch, Field(discriminator="kind")
]


class Wanted(Checked):
    """A subscription that somebody asks for."""

    team_id: str
    channel_id: str
    user_id: str
    typed: str
    watch: Watch


class Subscription(Wanted):
    """A subscription of a channel."""

    id: int
    created_at: AwareDatetime
    muted_until: AwareDatetime | None = None
    paused: str = ""
    """Why nothing can be posted, as Slack's error code; empty: it can."""
