"""Train once, retrain, serve for months: two recommendations, one bill."""

from collections.abc import Mapping
from decimal import Decimal
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import MONTHS_A_YEAR, SERVING, Answer, Way
from core.defaults import Defaults
from core.jobs.answer import answer_job
from core.jobs.options import JobAnswer
from core.jobs.recommend import Shop
from core.market.recommendation import Recommendation
from core.market.spending import Ceiling, ceiling, converted
from core.money.costs import exact
from core.money.lifecycle import (
    Lifecycle,
    cadence_months,
    lifecycle,
    passing_month,
)
from core.money.served import served
from core.query import Life, Period, Query
from core.resolve import Unresolved, resolve
from core.resolve.gaps import Gaps
from core.resolve.jobs import job_constraints
from core.resolve.mixed import runs_for, serving_part, training_part
from core.sizing.serving import recommend_serving
from core.units import HOURS_PER_MONTH
from core.wording import say
from core.workload import (
    Assumption,
    Budget,
    InferenceSpec,
    JobSpec,
    Resolved,
    TrainingSpec,
    is_job,
)

MONTHS_AT_MOST = 120
PERIOD_HOURS: dict[Period, int] = {
    "hour": 1, "day": 24, "month": HOURS_PER_MONTH, "year": 12 * HOURS_PER_MONTH,
}  # fmt: skip
"""A budget per period is held against the life's average; a total against its sum."""


class LifecycleAnswer(Answer, frozen=True):
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
    """The rate of exchange of a sum in another currency, or that there is none."""
    retraining: JobAnswer | None = None
    """The run that is done again; None: it costs a share of the first."""
    retraining_spec: JobSpec | None = None
    trained: Ceiling | None = None
    """What the training cost already: nothing is computed for it."""
    growth_per_month: float = 0.0
    """Of the serving bill, with its load."""
    passes_later: int | None = None
    """The month after the life in which serving would pass; None: it does, or never."""

    applies: ClassVar = (
        SERVING
        | JobAnswer.applies
        | {
            "life",
            "growth_per_month",
            "growth_months",
            "duration_hours",
        }
    )
    budget_rule: ClassVar = "kept"

    @property
    def ways(self) -> tuple[Way, ...]:
        """The serving fleets, for they go on; the dollars are of the whole life."""
        total = self.life.total if self.life else None
        serving = self.serving
        load, span = (
            served(serving.resolved.spec),
            say("assumptions.over_months", months=self.months),
        )
        ways = (option.way(load) for option in serving.options)
        return tuple(
            replace(way, money=replace(way.money, total=total, span=span))
            for way in ways
        )

    @property
    def assumed(self) -> tuple[Assumption, ...]:
        """What both parts assume, each field once."""
        again = self.retraining
        every = (
            *self.assumptions,
            *self.training.resolved.assumptions,
            *(again.resolved.assumptions if again else ()),
            *self.serving.resolved.assumptions,
        )
        return tuple({one.field: one for one in reversed(every)}.values())[::-1]

    @property
    def status(self) -> str:
        """Whether both parts have a price, and for the budget."""
        if self.over_budget:
            return "over_budget"
        return "ok" if self.life else "unpriced"

    def details(self) -> Mapping[str, object]:
        """Both parts and every month."""
        life = self.life
        fleet = self.serving.options[0] if self.serving.options else None
        return {
            "recommendation": None,
            "alternatives": [],
            "prices": [],
            "training": self.training.best,
            "serving_usd_per_month": fleet and fleet.usd_per_month,
            "months": self.months,
            "retrain_every_months": self.retrain_every,
            "retrain_usd": self.retrain_usd,
            "usd_total": life and life.total,
            "serving_passes_training_in_month": life and life.passes_in_month,
            "by_month": [
                {
                    "month": row.month,
                    "training_usd": row.training,
                    "serving_usd": row.serving,
                }
                for row in (life.months if life else ())
            ],
            "budget_usd": self.budget_usd,
        }

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
    serving = recommend_serving(
        served, served.spec, shop.catalog, shop.reference, shop.now
    )
    return _added_up(Gaps(query, defaults), run, run.spec, serving, shop)


def _added_up(
    gaps: Gaps, run: Resolved, spec: JobSpec, serving: Recommendation, shop: Shop
) -> LifecycleAnswer:
    """The months of a run and a service, with what was paid and what comes again."""
    query, months = gaps.query, _months(gaps)
    every = cadence_months(query.cadence) if query.cadence else None
    trained, unread = _trained(query, shop)
    training = _first_run(run, spec, shop, trained)
    paid = trained.usd if trained else training.best.usd if training.best else None
    again = _Again(Decimal(0))
    if every is not None:
        again = _retraining(gaps, spec, paid, shop, trained is not None)
    budget = job_constraints(query, shop.reference).budget
    growth = query.growth_per_month or 0.0
    life = _life(paid, serving, months, again.usd, every, growth)
    return LifecycleAnswer(
        training=training,
        training_spec=spec,
        serving=serving,
        months=months,
        retrain_every=every,
        retrain_usd=again.usd or Decimal(0),
        cadence=query.cadence or "" if every is not None else "",
        life=life,
        budget=ceiling(budget, shop.now),
        assumptions=tuple(gaps.assumptions),
        notes=(*converted(budget, shop.now), *unread),
        retraining=again.answer,
        retraining_spec=again.spec,
        trained=trained,
        growth_per_month=growth,
        passes_later=_later(life, serving, again.usd, every),
    )


def _first_run(
    run: Resolved, spec: JobSpec, shop: Shop, trained: Ceiling | None
) -> JobAnswer:
    """The run as it is best done; nothing of it where it is paid already."""
    if trained is None:
        return answer_job(run, spec, shop)
    return JobAnswer(resolved=run.model_copy(update={"assumptions": ()}), options=())


def _nothing_to_train() -> Unresolved:
    return Unresolved(reason=say("assumptions.no_run_named"))


def _months(gaps: Gaps) -> int:
    query, stated = gaps.query, gaps.query.term_months
    if stated is None and query.asked_unit == "year":
        stated = MONTHS_A_YEAR
    if stated is None and query.duration_hours and not runs_for(query):
        stated = query.duration_hours / HOURS_PER_MONTH
    if stated is None:
        entry = gaps.defaults["lifecycle_months"]
        gaps.assume(
            "term_months",
            say("assumptions.months_of_service", value=entry.value),
            entry.why,
            say("assumptions.served_for"),
        )
        stated = entry.value
    return min(max(round(stated), 1), MONTHS_AT_MOST)


def _trained(query: Query, shop: Shop) -> tuple[Ceiling | None, tuple[str, ...]]:
    """What training cost already, in dollars, and the rate or that there is none."""
    said = query.life
    if said is None or said.trained_for is None:
        return None, ()
    paid = Budget(
        amount=exact(said.trained_for), period="total", currency=said.trained_currency
    )
    found = ceiling(paid, shop.now)
    if found is None:
        return None, (say("assumptions.no_dated_rate", currency=paid.currency),)
    return found, converted(paid, shop.now)


class _Again(Struct, frozen=True):
    """What one retraining costs, and its run where it has one of its own."""

    usd: Decimal | None
    """None: its run has no price."""
    answer: JobAnswer | None = None
    spec: JobSpec | None = None


def _retraining(
    gaps: Gaps, first: JobSpec, paid: Decimal | None, shop: Shop, before: bool
) -> _Again:
    """A retraining by its own data; else a share of the first run, stated or usual.

    `before`: the first training is paid already.
    """
    stated = gaps.query.life or Life()
    data = {
        "dataset_tokens": stated.retrain_tokens,
        "dataset_samples": stated.retrain_samples,
    }
    if any(data.values()):
        return _own_run(gaps, first, shop, data)
    if paid is None:
        return _Again(None)
    if stated.retrain_share is not None:
        return _Again(paid * exact(stated.retrain_share))
    return _Again(paid * _usual_share(gaps, first, before))


def _own_run(
    gaps: Gaps, first: JobSpec, shop: Shop, data: dict[str, float | None]
) -> _Again:
    """The first run's kind of work, on the data of a retraining."""
    kind = "training" if isinstance(first, TrainingSpec) else "finetune"
    run = training_part(gaps.query).model_copy(update={**data, "kind": kind})
    resolved = resolve(run, shop.reference, gaps.defaults)
    if isinstance(resolved, Unresolved) or not is_job(resolved.spec):
        return _Again(None)
    found = answer_job(resolved, resolved.spec, shop)
    usd = found.best.usd if found.best else None
    return _Again(usd, found, resolved.spec)


def _usual_share(gaps: Gaps, first: JobSpec, before: bool) -> Decimal:
    """What a retraining costs of the first run: fine-tuning is simply done again."""
    if not (before or isinstance(first, TrainingSpec)):
        return Decimal(1)
    entry = gaps.defaults["retrain_share"]
    shown = say("assumptions.of_the_first", value=entry.value * 100)
    gaps.assume("retrain_share", shown, entry.why, say("assumptions.retraining"))
    return exact(entry.value)


def _life(
    paid: Decimal | None,
    serving: Recommendation,
    months: int,
    retrain_usd: Decimal | None,
    every: Decimal | None,
    growth: float,
) -> Lifecycle | None:
    if paid is None or retrain_usd is None or not serving.options:
        return None
    monthly = serving.options[0].usd_per_month
    return lifecycle(paid, monthly, months, retrain_usd, every, growth)


def _later(
    life: Lifecycle | None,
    serving: Recommendation,
    retrain_usd: Decimal | None,
    every: Decimal | None,
) -> int | None:
    if life is None or life.passes_in_month is not None:
        return None
    monthly = serving.options[0].usd_per_month
    return passing_month(life, monthly, retrain_usd or 0, every)
