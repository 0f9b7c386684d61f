"""Train once, retrain, serve for months: two recommendations, one bill."""

from dataclasses import dataclass
from decimal import Decimal

from core.defaults import Defaults
from core.money.costs import exact
from core.money.lifecycle import Lifecycle, cadence_months, lifecycle
from core.query import Period, Query
from core.recommend.job_answer import answer_job
from core.recommend.job_options import JobAnswer
from core.recommend.jobs import JobSpec, Shop, is_job
from core.recommend.recommendation import Recommendation
from core.recommend.serving import recommend_serving
from core.recommend.spending import Ceiling, ceiling, converted
from core.resolve import Unresolved, resolve
from core.resolve.gaps import Gaps
from core.resolve.jobs import job_constraints
from core.resolve.mixed import serving_part, training_part
from core.units import HOURS_PER_MONTH
from core.wording import significant
from core.workload import Assumption, InferenceSpec, TrainingSpec

MONTHS_AT_MOST = 120
PERIOD_HOURS: dict[Period, int] = {
    "hour": 1, "day": 24, "month": HOURS_PER_MONTH, "year": 12 * HOURS_PER_MONTH,
}  # fmt: skip
"""A budget per period is held against the life's average; a total against its sum."""


@dataclass(frozen=True, slots=True)
class LifecycleAnswer:
    """The run and the service apart, and the months of both together."""

    training: JobAnswer
    training_spec: JobSpec
    serving: Recommendation
    months: int
    retrain_every: Decimal | None
    """Months between retrainings; None: never."""
    retrain_usd: Decimal
    cadence: str
    """As stated: weekly, every 2 months; empty: never."""
    life: Lifecycle | None
    """None: one of the two has no price."""
    budget: Ceiling | None
    assumptions: tuple[Assumption, ...]
    notes: tuple[str, ...] = ()
    """The rate of exchange of a budget in another currency, or that there is none."""

    @property
    def budget_usd(self) -> Decimal | None:
        """The budget in dollars, in its own period."""
        return self.budget.usd if self.budget else None

    @property
    def over_budget(self) -> bool:
        """Whether the life costs more than may be spent on it, or in each period."""
        if self.budget is None or self.life is None:
            return False
        hours = self.months * HOURS_PER_MONTH
        share = PERIOD_HOURS.get(self.budget.budget.period, hours)
        return self.life.total * share / hours > self.budget.usd


def recommend_lifecycle(
    query: Query, defaults: Defaults, shop: Shop
) -> LifecycleAnswer | Unresolved:
    """Recommend the run and the service, each by its own rule, and add them up."""
    run = resolve(training_part(query), shop.reference, defaults)
    if isinstance(run, Unresolved) or not is_job(run.spec):
        return run if isinstance(run, Unresolved) else _nothing_to_train()
    served = resolve(serving_part(query), shop.reference, defaults)
    if isinstance(served, Unresolved) or not isinstance(served.spec, InferenceSpec):
        return served if isinstance(served, Unresolved) else _nothing_to_train()
    gaps = Gaps(query, defaults)
    months = _months(gaps)
    every = cadence_months(query.cadence) if query.cadence else None
    training = answer_job(run, run.spec, shop)
    serving = recommend_serving(
        served, served.spec, shop.catalog, shop.reference, shop.now
    )
    share = _retrain_share(gaps, run.spec) if every is not None else Decimal(1)
    best = training.best
    again = best.usd * share if best else Decimal(0)
    budget = job_constraints(query, shop.reference).budget
    return LifecycleAnswer(
        training=training,
        training_spec=run.spec,
        serving=serving,
        months=months,
        retrain_every=every,
        retrain_usd=again,
        cadence=query.cadence or "" if every is not None else "",
        life=_life(training, serving, months, again, every),
        budget=ceiling(budget, shop.now),
        assumptions=tuple(gaps.assumptions),
        notes=converted(budget, shop.now),
    )


def _nothing_to_train() -> Unresolved:
    return Unresolved(reason="No training or fine-tuning run was named.")


def _months(gaps: Gaps) -> int:
    stated = gaps.query.term_months
    if stated is None and gaps.query.duration_hours:
        stated = gaps.query.duration_hours / 720
    if stated is None:
        entry = gaps.defaults["lifecycle_months"]
        gaps.assume("term_months", f"{entry.value:g} months", entry.why, "served for")
        stated = entry.value
    return min(max(round(stated), 1), MONTHS_AT_MOST)


def _retrain_share(gaps: Gaps, spec: JobSpec) -> Decimal:
    """What a retraining costs of the first run: fine-tuning is simply done again."""
    if not isinstance(spec, TrainingSpec):
        return Decimal(1)
    entry = gaps.defaults["retrain_share"]
    shown = f"{significant(entry.value * 100)} % of the first run"
    gaps.assume("retrain_share", shown, entry.why, "a retraining")
    return exact(entry.value)


def _life(
    training: JobAnswer,
    serving: Recommendation,
    months: int,
    retrain_usd: Decimal,
    every: Decimal | None,
) -> Lifecycle | None:
    if training.best is None or not serving.options:
        return None
    return lifecycle(
        training.best.usd,
        serving.options[0].usd_per_month,
        months,
        retrain_usd,
        every,
    )
