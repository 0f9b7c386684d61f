"""One model against others: the same load, each on its own best fleet."""

from dataclasses import dataclass

from core.market.recommendation import Option, Recommendation
from core.workload import InferenceSpec


@dataclass(frozen=True, slots=True)
class ModelRivals:
    """What each model takes, the cheapest month first; what nothing serves last."""

    answers: tuple[Recommendation, ...]

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
