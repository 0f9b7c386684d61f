"""Bounded work: generate ways to run it, price them, rank by what the job costs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import Rejection
from core.estimate.evidence import Measurement, matching
from core.estimate.jobs import evidence_for
from core.jobs.batch import PlannedBatch, plan_batch
from core.jobs.options import (
    DAYS_PER_MONTH,
    SPOT_DAYS,
    JobAnswer,
    JobOption,
    JobPlan,
    Status,
    old_spot,
    run_count,
    runs_per_month,
)
from core.jobs.pricing import Stops, about_then, price_plans, rank_jobs
from core.jobs.runs import PlannedRun, plan_run
from core.market.market import Market, Use, contract_note, market_of, place_note
from core.market.spending import Ceiling, ceiling, converted
from core.money.costs import exact
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.reference.runs import PublishedRun
from core.wording import say
from core.workload import (
    BatchSpec,
    Constraints,
    JobSpec,
    Resolved,
    TrainingSpec,
)

Planned = PlannedBatch | PlannedRun
LEAST_PER_PARAMETER = 1
"""Tokens; compute-optimal training takes 20: arxiv.org/abs/2203.15556."""


class Shop(Struct, frozen=True):
    """What every job is planned and priced with."""

    catalog: Catalog
    reference: Reference
    now: datetime

    def market(self, spec: JobSpec) -> Market:
        """The offers that the job may use: spot too, commitments only if asked for."""
        use = Use(spec.constraints, live=False, now=self.now)
        return market_of(self.catalog, use, self.reference)


def recommend_job(resolved: Resolved, spec: JobSpec, shop: Shop) -> JobAnswer:
    """The ways to do a bounded job, the cheapest first, without alternatives to it."""
    market = shop.market(spec)
    wanted = spec.constraints.gpus or tuple(market.by_gpu)
    planned = {gpu: plan_job(spec, shop, gpu) for gpu in wanted}
    options, refused = _priced(spec, planned, market, shop)
    late = not options and any(r.rule == "deadline" for r in refused)
    if late:
        options, _ = _priced(_without_deadline(spec), planned, market, shop)
        options = list(quickest(options))
    most = ceiling(spec.constraints.budget, shop.now)
    ordered = (
        options
        if late
        else rank_jobs(options, limits=spec.constraints, deadline=spec.deadline_hours)
    )
    ranked, over = within_budget(spec, most, ordered)
    broke = bool(over) and most is not None and _all_costlier(spec, most.usd, ranked)
    rejections = [*over, *_gpu_refusals(planned), *refused, *market.rejections()]
    best = ranked[0] if ranked else None
    return JobAnswer(
        resolved=resolved,
        options=tuple(_held_first(ranked, spec)),
        rejections=tuple(rejections),
        evidence=evidence(spec, best) if best else None,
        unpriced=_unpriced(planned, ranked),
        budget_usd=most.usd if most else None,
        affordable=_affordable(spec, most, best),
        unpriced_providers=_unpriced_providers(spec, shop),
        notes=_notes(spec, ranked, shop),
        status=_status(ranked, broke, late, planned),
    )


def as_measured(spec: JobSpec, shop: Shop) -> JobSpec:
    """The job with our own estimate for the GPUs that it was measured on."""
    told = spec.measured
    if told is None or told.estimated is not None:
        return spec
    freed = {"measured": None, "deadline_hours": None, "horizon_hours": None}
    for gpu in told.gpus:
        limits = Constraints(gpus=(gpu,), count=told.count)
        found = plan_job(
            spec.model_copy(update=freed | {"constraints": limits}), shop, gpu
        )
        if found.plans:
            ours = min(plan.hours.likely for plan in found.plans)
            known = told.model_copy(update={"estimated": ours})
            return spec.model_copy(update={"measured": known})
    return spec


def plan_job(spec: JobSpec, shop: Shop, gpu: str) -> Planned:
    """The ways to do a job on one GPU, whoever sells it."""
    card = shop.reference.gpus[gpu]
    if isinstance(spec, BatchSpec):
        return plan_batch(spec, card)
    return plan_run(spec, card)


def time_limits(spec: JobSpec) -> tuple[float | None, Stops | None]:
    """By when a job must end, and how often it is stopped on spot, as stated."""
    limits = spec.constraints
    stops = None
    if limits.interrupted_hours is not None or limits.checkpoint_hours is not None:
        often, saved = limits.interrupted_hours, limits.checkpoint_hours
        stops = Stops(often, limits.interrupted_machine, saved)
    return spec.deadline_hours, stops


def _priced(
    spec: JobSpec, planned: dict[str, Planned], market: Market, shop: Shop
) -> tuple[list[JobOption], list[Rejection]]:
    count = spec.constraints.count
    if count is None:
        return _priced_as(spec, planned, market, shop, spread=True)
    alone = _priced_as(spec, planned, market, shop, spread=False)
    if any(option.gpus == count for option in alone[0]):
        return alone
    return _priced_as(spec, planned, market, shop, spread=True)


def _priced_as(
    spec: JobSpec,
    planned: dict[str, Planned],
    market: Market,
    shop: Shop,
    *,
    spread: bool,
) -> tuple[list[JobOption], list[Rejection]]:
    """What everybody asks, a pile spread over all GPUs that are paid for, or not."""
    options: list[JobOption] = []
    refused: list[Rejection] = []
    for gpu, found in planned.items():
        offers, large = _small_enough(spec, market.boxes(gpu))
        refused += [
            Rejection("", "count", say("rejections.machines_too_large"))
        ] * large
        priced = price_plans(
            found.plans, offers, shop.reference, *time_limits(spec),
            spec.horizon_hours, spread,
        )  # fmt: skip
        options += [aged(option, shop.now) for option in priced.options]
        refused += priced.refused
    kept = about_then(options, spec.horizon_hours)
    longer = Rejection("", "deadline", say("rejections.longer_than_run"))
    refused += [longer] * (len(options) - len(kept))
    return kept, _counted(refused)


def aged(option: JobOption, now: datetime) -> JobOption:
    """The option, marked where it rests on an old spot price."""
    return replace(option, stale=True) if old_spot(option.offer, now) else option


def _small_enough(spec: JobSpec, boxes: Sequence[Offer]) -> tuple[Sequence[Offer], int]:
    """The boxes that so many GPUs at most have room for, and how many are larger."""
    limits = spec.constraints
    if not limits.count_is_most or limits.count is None:
        return boxes, 0
    kept = [box for box in boxes if box.gpu_count <= limits.count]
    return kept, len(boxes) - len(kept)


def _held_first(options: Iterable[JobOption], spec: JobSpec) -> list[JobOption]:
    """What is in hand before what would be rented instead."""
    rented = spec.constraints.gpus_rented
    return sorted(options, key=lambda option: option.plan.gpu.id in rented)


def quickest(options: Iterable[JobOption]) -> list[JobOption]:
    """The options by time, where nothing ends when it should."""
    return sorted(rank_jobs(options), key=lambda option: option.hours)


def _counted(refused: Iterable[Rejection]) -> list[Rejection]:
    """One line a rule, with how many offers it refused."""
    found = Counter((r.rule, r.why) for r in refused)
    return [
        Rejection(say("rejections.offer", number=number), rule, why, number)
        for (rule, why), number in found.most_common()
    ]


def _without_deadline(spec: JobSpec) -> JobSpec:
    return spec.model_copy(update={"deadline_hours": None})


def within_budget(
    spec: JobSpec, most: Ceiling | None, options: list[JobOption]
) -> tuple[list[JobOption], list[Rejection]]:
    """Split off what costs more than the budget; where all does, keep it to show."""
    if most is None:
        return options, []
    affordable = [o for o in options if cost_for_budget(spec, o) <= most.usd]
    costlier = len(options) - len(affordable)
    if not costlier:
        return options, []
    why = say("rejections.over_the_budget", words=most.words)
    over = Rejection(
        say("rejections.option", costlier=costlier), "budget", why, costlier
    )
    return affordable or options, [over]


def _all_costlier(spec: JobSpec, budget: Decimal, options: list[JobOption]) -> bool:
    return all(cost_for_budget(spec, option) > budget for option in options)


def cost_for_budget(spec: JobSpec, option: JobOption) -> Decimal:
    """What an option costs in the budget's period."""
    budget = spec.constraints.budget
    period = budget.period if budget else "total"
    if period == "hour":
        return option.usd_per_hour
    often = runs_per_month(spec)
    if often is None or period == "total":
        return option.usd * exact(run_count(spec))
    per_month = option.usd * often
    match period:
        case "day":
            return per_month / DAYS_PER_MONTH
        case "year":
            return per_month * 12
        case _:
            return per_month


def _affordable(
    spec: JobSpec, most: Ceiling | None, best: JobOption | None
) -> float | None:
    if most is None or best is None or most.budget.period == "hour":
        return None
    return float(most.usd / cost_for_budget(spec, best))


def _unpriced_providers(spec: JobSpec, shop: Shop) -> tuple[str, ...]:
    """Who is known for such work but has no price here."""
    purpose = "batch" if isinstance(spec, BatchSpec) else "training"
    limits = spec.constraints
    left_out = {*limits.providers_excluded, *shop.catalog.providers}
    if "community" in limits.tiers_excluded:
        known = shop.reference.providers.values()
        left_out |= {
            seller.id for seller in known if seller.kind in ("marketplace", "community")
        }
    return tuple(
        provider.name
        for provider in shop.reference.providers.values()
        if purpose in provider.good_for and provider.id not in left_out
    )


def _notes(spec: JobSpec, ranked: Sequence[JobOption], shop: Shop) -> tuple[str, ...]:
    """What the reader must know before acting: capacity, and the rate of exchange."""
    return (
        *(contract_note(ranked[0].gpus) if ranked else ()),
        *_spot_doubt(ranked),
        *place_note(
            spec.constraints,
            ranked[0].offer if ranked else None,
            [option.offer for option in ranked],
            shop.reference,
        ),
        *_too_little(spec),
        *converted(spec.constraints.budget, shop.now),
    )


def _spot_doubt(ranked: Sequence[JobOption]) -> Iterator[str]:
    """Why spot that was asked for may not be there, or not at that price."""
    best = ranked[0] if ranked else None
    if best is not None and best.crowded:
        yield (say("rejections.spot_quota", gpus=best.gpus))
    if best is not None and best.stale:
        yield say("rejections.this_spot_price", days=SPOT_DAYS)


def _too_little(spec: JobSpec) -> tuple[str, ...]:
    """Data from which a model that begins with nothing learns next to nothing."""
    if not isinstance(spec, TrainingSpec):
        return ()
    each = spec.tokens / (spec.model.params_b * 1e9)
    if each >= LEAST_PER_PARAMETER:
        return ()
    return (say("rejections.tokens_per_parameter", each=each),)


def _gpu_refusals(planned: dict[str, Planned]) -> list[Rejection]:
    return [found.rejection for found in planned.values() if found.rejection]


def _unpriced(
    planned: dict[str, Planned], options: list[JobOption]
) -> tuple[JobPlan, ...]:
    """Plans on GPUs that were asked for and would do, but that nobody sells so."""
    sold = {option.plan.gpu.id for option in options}
    return tuple(
        min(found.plans, key=lambda way: way.gpus)
        for gpu, found in planned.items()
        if found.plans and gpu not in sold
    )


def evidence(spec: JobSpec, best: JobOption) -> PublishedRun | Measurement | None:
    """What was published of nearly this configuration."""
    way = best.plan
    if way.run is not None:
        return evidence_for(way.run.request)
    if not isinstance(spec, BatchSpec) or way.weights is None:
        return None
    return matching(
        spec.model, way.gpu.id, way.together, way.weights,
        spec.input_tokens, max(spec.output_tokens, 1),
    )  # fmt: skip


def _status(
    options: list[JobOption], broke: bool, late: bool, planned: dict[str, Planned]
) -> Status:
    if late and options:
        return "too_late"
    if options:
        return "over_budget" if broke else "ok"
    return "unpriced" if any(f.plans for f in planned.values()) else "nothing_fits"
