"""One model against others: the same load, each on its own best fleet."""

from collections.abc import Mapping
from typing import ClassVar

from core.answers.answer import SERVING, Answer, Way
from core.market.recommendation import Option, Recommendation
from core.money.served import served
from core.workload import InferenceSpec, Resolved


class ModelRivals(Answer, frozen=True):
    """What each model takes, the cheapest month first; what nothing serves last."""

    answers: tuple[Recommendation, ...]

    applies: ClassVar = SERVING
    watched: ClassVar = "money"
    budget_rule: ClassVar = "verdict"

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each model on its cheapest fleet, the cheapest month first."""
        return tuple(
            best.way(served(spec), spec.model.name) for spec, best, _ in self.served
        )

    @property
    def workload(self) -> Resolved | None:
        """The load that all of them serve."""
        return self.answers[0].resolved if self.answers else None

    @property
    def status(self) -> str:
        """Whether any of them is served."""
        return "ok" if self.served else "nothing_serves"

    def details(self) -> Mapping[str, object]:
        """Each model with its fleet, and those that nothing serves."""
        rows = [{"model": spec.model.id, "*": best} for spec, best, _ in self.served]
        return {
            "recommendation": rows[0] if rows else None,
            "alternatives": rows[1:],
            "unserved": self.unserved,
            "prices": [{"*": best.offer} for _, best, _ in self.served],
        }

    @property
    def served(self) -> tuple[tuple[InferenceSpec, Option, Recommendation], ...]:
        """The models that something serves, with their best option."""
        found = [
            (one.resolved.spec, one.options[0], one)
            for one in self.answers
            if one.status == "ok" and isinstance(one.resolved.spec, InferenceSpec)
        ]
        return tuple(sorted(found, key=lambda row: row[1].usd_per_month))

    @property
    def unserved(self) -> tuple[str, ...]:
        """The names of the models that nothing serves as asked."""
        served = {spec.model.id for spec, _, _ in self.served}
        specs = (one.resolved.spec for one in self.answers)
        return tuple(
            spec.model.name
            for spec in specs
            if isinstance(spec, InferenceSpec) and spec.model.id not in served
        )
