"""What a millisecond of TTFT costs: one load at tighter and looser limits."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import SERVING, Answer, Way
from core.market.recommendation import Option
from core.money.costs import exact
from core.money.served import served
from core.offers import Catalog
from core.reference.catalogue import Reference
from core.sizing.serving import recommend_serving
from core.wording import say
from core.workload import InferenceSpec, Resolved

USUAL_MS = 500.0
"""Looked around where no limit is stated or assumed."""
AROUND = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Limits that are tried, as multiples of the one that is asked about."""


class AtLimit(Struct, frozen=True):
    """The cheapest fleet that keeps one limit on TTFT."""

    ttft_ms: float
    option: Option | None
    """None: nothing that may be used keeps it."""


class TtftCost(Answer, frozen=True):
    """The fleets at each limit, the tightest first."""

    resolved: Resolved
    spec: InferenceSpec
    asked_ms: float
    limits: tuple[AtLimit, ...]

    applies: ClassVar = SERVING
    budget_rule: ClassVar = "verdict"

    @property
    def kept(self) -> tuple[tuple[float, Option], ...]:
        """The limits that some fleet keeps, the tightest first."""
        return tuple((one.ttft_ms, one.option) for one in self.limits if one.option)

    @property
    def usd_per_ms(self) -> tuple[float, float, Decimal] | None:
        """From which limit to which a month costs more, and dollars for each ms of it.

        The dearest stretch between two limits; None: every limit costs the same.
        """
        pairs = zip(self.kept, self.kept[1:], strict=False)
        found = [
            (
                tight,
                loose,
                (one.usd_per_month - other.usd_per_month) / exact(loose - tight),
            )
            for (tight, one), (loose, other) in pairs
        ]
        best = max(found, key=lambda each: each[2], default=None)
        return best if best and best[2] > 0 else None

    @property
    def ways(self) -> tuple[Way, ...]:
        """The fleet at the limit that is asked about, then at the others."""
        load = served(self.spec)
        ordered = sorted(self.kept, key=lambda each: each[0] != self.asked_ms)
        return tuple(
            option.way(load, say("assumptions.ttft_ms", limit=limit))
            for limit, option in ordered
        )

    @property
    def status(self) -> str:
        """Whether any of the limits is kept."""
        return "ok" if self.kept else "nothing_fits"

    def details(self) -> Mapping[str, object]:
        """A month at each limit."""
        dearest = self.usd_per_ms
        return {
            "ttft_ms_asked": self.asked_ms,
            "usd_per_month_by_ttft_ms": {
                f"{limit:g}": option.usd_per_month for limit, option in self.kept
            },
            "usd_per_month_per_ttft_ms": dearest and dearest[2],
        }


def answer_ttft_cost(
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> TtftCost:
    """Size the load at limits around the one that is stated, else the usual one."""
    stated = spec.targets.ttft_ms
    # "1 ms of TTFT" names the unit of the price, not a limit that anything keeps.
    asked = stated if stated is not None and stated > 1 else USUAL_MS
    limits = []
    for share in AROUND:
        targets = spec.targets.model_copy(update={"ttft_ms": asked * share})
        tried = spec.model_copy(update={"targets": targets})
        found = recommend_serving(resolved, tried, catalog, reference, now)
        fits = found.options and found.status in ("ok", "over_budget")
        limits.append(AtLimit(asked * share, found.options[0] if fits else None))
    return TtftCost(resolved, spec, asked, tuple(limits))
