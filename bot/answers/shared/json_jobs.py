"""The figures of runs, batches, media and a model's life, as JSON for programs."""

from collections.abc import Iterable

from bot.answers.shared.json_parts import Json, number, offer_figures, price_figures
from core.answers.cost_crossover import Passing
from core.answers.lifecycle import LifecycleAnswer
from core.answers.media import MediaAnswer, MediaOption
from core.estimate.results import Range
from core.jobs.options import JobAnswer, JobOption, JobPlan, NearestYes
from core.jobs.recommend import runs_per_month
from core.market.recommendation import Lever, Rejection
from core.workload import BatchSpec


def job_figures(found: object) -> Json | None:
    """Figures of one of these answers; None: it is another's."""
    if isinstance(found, JobAnswer):
        return _job(found)
    if isinstance(found, MediaAnswer):
        return _media(found)
    if isinstance(found, Passing):
        return _passing(found)
    return _life(found) if isinstance(found, LifecycleAnswer) else None


def _passing(found: Passing) -> Json:
    return {
        "status": "ok",
        "training_usd": number(found.trained.usd),
        "serving_usd_per_day": number(found.usd_per_day),
        "tokens_per_day": found.tokens_per_day,
        "usd_per_million_tokens": number(found.usd_per_million),
        "serving_passes_training_after_days": number(found.days),
    }


def _job(found: JobAnswer) -> Json:
    spec = found.resolved.spec
    often = runs_per_month(spec) if isinstance(spec, BatchSpec) else None
    options = [
        {
            **job_option_figures(option),
            "usd_per_month": number(option.usd * often) if often else None,
        }
        for option in found.options
    ]
    return {
        "status": found.status,
        "spec": found.resolved.spec.model_dump(mode="json", exclude_none=True),
        "assumptions": [entry.model_dump() for entry in found.resolved.assumptions],
        "recommendation": options[0] if options else None,
        "alternatives": options[1:],
        "unpriced": [job_plan_figures(way) for way in found.unpriced],
        "nearest": [_nearest(yes) for yes in found.nearest],
        "rejections": _rejections(found.rejections),
        "levers": [_lever(lever) for lever in found.levers],
        "budget_usd": number(found.budget_usd),
        "share_of_job_within_budget": found.affordable,
        "prices": price_figures(option.offer for option in found.options),
    }


def job_option_figures(option: JobOption) -> Json:
    """One way to do a job at one offer."""
    spot = option.spot
    return {
        **offer_figures(option.offer),
        "count": option.gpus,
        "hours": number(option.hours),
        "usd_per_run": number(option.usd),
        "usd_per_run_range": [number(option.usd_low), number(option.usd_high)],
        "usd_per_hour": number(option.usd_per_hour),
        "time_factor_of_interruptions": number(spot.time_factor) if spot else None,
        "interruptions_expected": spot.expected_stops if spot else None,
        "sla_percent": option.sla_percent,
        "plan": job_plan_figures(option.plan),
    }


def job_plan_figures(way: JobPlan) -> Json:
    """One way to do a job, whoever rents it out."""
    run = way.run
    return {
        "gpu": way.gpu.id,
        "gpus": way.gpus,
        "hours": _range(way.hours),
        "gpu_hours": way.gpu_hours,
        "tokens_per_second": _range(way.tokens_per_second),
        "weights": way.weights,
        "memory_gb_per_gpu": way.memory_gb,
        "memory_parts_gb": run.estimate.memory_parts_gb if run else None,
        "mfu_pct": run.estimate.mfu_pct if run else None,
        "why": way.why,
    }


def _media(found: MediaAnswer) -> Json:
    options = [media_option_figures(option) for option in found.options]
    return {
        "status": _media_status(found),
        "spec": found.spec.model_dump(mode="json", exclude_none=True),
        "assumptions": [entry.model_dump() for entry in found.resolved.assumptions],
        "recommendation": options[0] if options else None,
        "alternatives": options[1:],
        "rejections": _rejections(found.rejections),
        "budget_usd": number(found.budget_usd),
        "prices": price_figures(option.offer for option in found.options),
    }


def _media_status(found: MediaAnswer) -> str:
    if found.over_budget:
        return "over_budget"
    if found.options:
        return "ok"
    return "unknown_throughput" if found.unknown else "nothing_fits"


def media_option_figures(option: MediaOption) -> Json:
    """One way to do media work at one offer."""
    capacity = option.plan.capacity
    return {
        **offer_figures(option.offer),
        "count": option.gpus,
        "unit": capacity.unit,
        "units_per_gpu_hour": _range(capacity.per_hour),
        "published": option.measured,
        "throughput_source": capacity.source,
        "usd_per_unit": float(option.usd_per_unit),
        "usd_per_hour": number(option.usd_per_hour),
        "usd_per_run": number(option.usd),
        "usd_per_month": number(option.usd_per_month),
        "hours": option.plan.hours,
    }


def _life(found: LifecycleAnswer) -> Json:
    training, life = found.training.best, found.life
    served = found.serving.options[0] if found.serving.options else None
    return {
        "status": "over_budget" if found.over_budget else "ok" if life else "unpriced",
        "training": job_option_figures(training) if training else None,
        "serving_usd_per_month": number(served.usd_per_month) if served else None,
        "months": found.months,
        "retrain_every_months": number(found.retrain_every),
        "retrain_usd": number(found.retrain_usd),
        "usd_total": number(life.total) if life else None,
        "serving_passes_training_in_month": life.passes_in_month if life else None,
        "by_month": [
            {
                "month": row.month,
                "training_usd": number(row.training),
                "serving_usd": number(row.serving),
            }
            for row in (life.months if life else ())
        ],
        "assumptions": [entry.model_dump() for entry in found.assumptions],
        "budget_usd": number(found.budget_usd),
    }


def _nearest(yes: NearestYes) -> Json:
    option = job_option_figures(yes.option) if yes.option else None
    return {"change": yes.change, "plan": job_plan_figures(yes.plan), "option": option}


def _lever(lever: Lever) -> Json:
    return {
        "rule": lever.rule,
        "text": lever.text,
        "usd_per_run_difference": number(lever.usd_difference),
        "note": lever.note,
    }


def _rejections(found: Iterable[Rejection]) -> list[Json]:
    return [{"subject": r.subject, "rule": r.rule, "reason": r.why} for r in found]


def _range(found: Range | None) -> Json | None:
    if found is None:
        return None
    return {"low": found.low, "likely": found.likely, "high": found.high}
