"""Train once, retrain, serve for months: two recommendations, one bill."""

from dataclasses import dataclass
from decimal import Decimal

from core.defaults import Defaults
from core.money.costs import exact
from core.money.lifecycle import Lifecycle, cadence_months, lifecycle
from core.query import Query
from core.recommend.job_answer import answer_job
from core.recommend.job_options import JobAnswer
from core.recommend.jobs import JobSpec, Shop, budget_usd, is_job
from core.recommend.recommendation import Recommendation
from core.recommend.serving import recommend_serving
from core.resolve import Unresolved, resolve
from core.resolve.constraints import resolve_constraints
from core.resolve.gaps import Gaps
from core.resolve.mixed import serving_part, training_part
from core.wording import significant
from core.workload import Assumption, InferenceSpec, TrainingSpec

MONTHS_AT_MOST = 120


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
    budget_usd: Decimal | None
    assumptions: tuple[Assumption, ...]

    @property
    def over_budget(self) -> bool:
        """Whether the whole life costs more than may be spent."""
        if self.budget_usd is None or self.life is None:
            return False
        return self.life.total > self.budget_usd


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
    return LifecycleAnswer(
        training=training,
        training_spec=run.spec,
        serving=serving,
        months=months,
        retrain_every=every,
        retrain_usd=again,
        cadence=query.cadence or "" if every is not None else "",
        life=_life(training, serving, months, again, every),
        budget_usd=_budget(query, shop),
        assumptions=tuple(gaps.assumptions),
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


def _budget(query: Query, shop: Shop) -> Decimal | None:
    limits = resolve_constraints(query, shop.reference)
    return budget_usd(limits.budget, shop.now)


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
