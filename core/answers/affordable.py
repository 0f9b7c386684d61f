"""What a sum of money serves: models of usual sizes, each on what it buys most of."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import ClassVar

from core.answers.answer import LOADS, OFFERS, PEAKS, Answer, Way
from core.answers.budget import BudgetAnswer, answer_budget, monthly_budget
from core.answers.capacity import Carried, gpu_capacities
from core.defaults import Defaults
from core.market.board import bill_for
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve import Unresolved, resolve
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec, Resolved

SIZES_B = (8.0, 32.0, 70.0)
MIXTURES = ("gpt-oss-120b", "qwen3-235b-a22b", "glm-4.6", "deepseek-v3.1")
"""Mixtures that teams commonly serve: from a small one to those near closed models."""


class Affordable(Answer, frozen=True):
    """For each model the most that the budget serves; models that it cannot are out.

    Of a stated load, what that takes: nobody spends more on it than it needs.
    """

    usd_per_month: Decimal
    served: tuple[BudgetAnswer, ...]
    loaded: bool = False
    """Whether a load is stated: what does not carry it is left out."""
    beyond: tuple[str, Decimal] | None = None
    """The next larger model, and what the load takes with it; None: it has no price."""

    applies: ClassVar = OFFERS | LOADS | PEAKS
    budget_rule: ClassVar = "kept"

    @property
    def best(self) -> tuple[tuple[InferenceSpec, Carried], ...]:
        """Each model with what carries most of it, the largest model first."""
        return tuple((one.spec, one.carried[0]) for one in self.served)

    @property
    def tight(self) -> tuple[InferenceSpec, Carried] | None:
        """The largest that only just fits, where another leads."""
        first = self.best[0][0].model.params_b if self.served else 0
        larger = (one for one in self.best if one[0].model.params_b > first)
        return max(larger, key=lambda one: one[0].model.params_b, default=None)

    @property
    def ways(self) -> tuple[Way, ...]:
        """What serves each model."""
        return tuple(
            carried.bill.way(carried) for _, carried in self.best if carried.bill
        )

    def details(self) -> Mapping[str, object]:
        """Each model by name."""
        return {
            "usd_per_month": self.usd_per_month,
            "models": [
                {"model": spec.model.id, "*": carried} for spec, carried in self.best
            ],
        }


def affordable(
    query: Query,
    catalog: Catalog,
    reference: Reference,
    defaults: Defaults,
    now: datetime,
) -> Affordable | None:
    """What a budget serves at chat lengths; None: there is no budget in known money."""
    asked: list[dict[str, object]] = [{"params_b": size} for size in SIZES_B]
    asked += [{"model": name} for name in MIXTURES]
    answers, usd, above = [], None, []
    loaded = any(getattr(query, field) is not None for field in LOADS)
    for model in asked:
        bare = {"intent": "size", "kind": "inference", "wanted": None, "clarify": None}
        resolved = resolve(query.model_copy(update=bare | model), reference, defaults)
        if isinstance(resolved, Unresolved):
            return None
        spec = resolved.spec
        if not isinstance(spec, InferenceSpec) or spec.constraints.budget is None:
            return None
        found = monthly_budget(spec.constraints.budget, spec, now)
        if found is None:
            return None
        usd, rate = found
        if loaded:
            carried = _sized(resolved, spec, (catalog, reference, now))
            bill = carried[0].bill if carried else None
            if bill is not None and bill.usd_per_month > usd:
                named = spec.model.params_b, spec.model.name
                above.append((*named, bill.usd_per_month))
                carried = ()
            one = BudgetAnswer(resolved, spec, usd, rate, carried, ())
        else:
            one = answer_budget(resolved, spec, usd, rate, catalog, reference, now)
        if one.carried:
            answers.append(one)
    if usd is None:
        return None
    answers.sort(key=lambda one: (_tight(one), -one.spec.model.params_b))
    most = answers[0].spec.model.params_b if answers else 0
    larger = min((one for one in above if one[0] > most), default=None)
    return Affordable(usd, tuple(answers), loaded, larger and larger[1:])


LEAST_FREE = 0.05
"""Of a GPU's memory for requests, below which long conversations find no room."""


def _tight(one: BudgetAnswer) -> bool:
    """Whether a model's weights leave next to nothing for requests."""
    carried = one.carried[0]
    free = carried.capacity.memory.free_for_kv_gb
    return free < LEAST_FREE * carried.gpu.memory_gb


def _sized(
    resolved: Resolved,
    spec: InferenceSpec,
    market: tuple[Catalog, Reference, datetime],
) -> tuple[Carried, ...]:
    """The fleet that the load takes, whatever it costs."""
    free = spec.constraints.model_copy(update={"budget": None})
    spec = spec.model_copy(update={"constraints": free})
    options = recommend_serving(resolved, spec, *market).options
    best = options[0] if options else None
    if best is None:
        return ()
    one = spec.model_copy(update={"precisions": (best.plan.weights,)})
    bill = bill_for(best.offer, best.gpus, free)
    return tuple(gpu_capacities(one, best.plan.gpu, best.gpus, bill)[0][:1])
