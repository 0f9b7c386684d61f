"""What would change the price of a job: each lever as a difference in dollars."""

from collections.abc import Iterator
from decimal import Decimal

from core.answers.answer import Lever
from core.estimate.formats import precisions_for
from core.jobs.batch import plan_batch
from core.jobs.options import JobAnswer, JobOption, JobPlan
from core.jobs.pricing import price_plans
from core.jobs.recommend import Shop, recommend_job, time_limits
from core.jobs.runs import RunSpec, is_full, plan_run
from core.jobs.spot_vs_on_demand import asks_for_both
from core.money.api import ApiPrice, TokenMix, api_usd_per_request, cheapest_api
from core.money.costs import exact
from core.resolve.jobs import METHOD_NAMES
from core.sizing.techniques import QUALITY
from core.units import BITS
from core.wording import duration, say
from core.workload import BatchSpec, FineTuneSpec, JobSpec, TuningMethod

OTHER_METHOD: dict[TuningMethod, TuningMethod] = {
    "full": "lora", "lora": "qlora", "qlora": "lora",
}  # fmt: skip
METHOD_NOTES: dict[TuningMethod, str] = {
    "lora": say("levers.trains_adapters_only"),
    "qlora": say("levers.bit_weights_slower"),
}
WORTH_SAYING = Decimal("0.97")
"""A method that saves less than three per cent is no lever."""
ABOUT_THE_SAME = Decimal("0.005")
LONG_HOURS = 24
"""A run that takes longer is worth showing on twice the GPUs."""


def job_levers(answer: JobAnswer, spec: JobSpec, shop: Shop) -> tuple[Lever, ...]:
    """At most three levers: another GPU than asked, spot, method or format, time."""
    best = answer.best
    if best is None or spec.constraints.owned:
        return ()
    found = [
        *_any_gpu(answer, spec, shop, best),
        *_interruptions(answer, spec, shop, best),
        *_cheaper_work(spec, shop, best),
        *_sooner(spec, shop, best),
    ]
    return tuple(found[:3])


def _any_gpu(
    answer: JobAnswer, spec: JobSpec, shop: Shop, best: JobOption
) -> Iterator[Lever]:
    """The cheapest other GPU, where the question names one that is costlier."""
    if not spec.constraints.gpus:
        return
    free = spec.constraints.model_copy(update={"gpus": (), "count": None})
    changes = {"constraints": free, "horizon_hours": float(best.hours)}
    other = recommend_job(answer.resolved, spec.model_copy(update=changes), shop).best
    if other is None or other.usd >= best.usd or other.plan.gpu == best.plan.gpu:
        return
    text = say(
        "levers.other_gpus_instead", named=_named(other, shop), hours=float(other.hours)
    )
    rule = "skip-l40s" if best.plan.gpu.link_gb_s == 0 else "cost-per-run"
    yield Lever(rule, text, other.usd - best.usd)


def _interruptions(
    answer: JobAnswer, spec: JobSpec, shop: Shop, best: JobOption
) -> Iterator[Lever]:
    """The other way to pay: with interruptions, or without."""
    rule = "spot-batch" if isinstance(spec, BatchSpec) else "spot-training"
    if asks_for_both(spec.constraints):
        return  # both bills stand in the answer
    if best.offer.pricing == "spot":
        steady = answer.on_demand or _steady(answer, spec, shop)
        if steady is not None:
            text = say(
                "levers.no_interruptions",
                named=_named(steady, shop),
                pricing=_pricing(steady),
            )
            yield Lever(rule, text, steady.usd - best.usd)
        return
    spot = next((o for o in answer.options if o.offer.pricing == "spot"), None)
    if spot is not None and (spot.usd < best.usd or spot.hours < best.hours):
        costlier = "" if spot.usd < best.usd else f", {duration(float(spot.hours))}"
        text = say(
            "levers.spot_with_interruptions",
            named=_named(spot, shop),
            costlier=costlier,
        )
        yield Lever(rule, text, spot.usd - best.usd)


def _steady(answer: JobAnswer, spec: JobSpec, shop: Shop) -> JobOption | None:
    """The cheapest way on demand, where only spot was asked for."""
    free = spec.constraints.model_copy(update={"pricing": ("on_demand",)})
    changed = spec.model_copy(update={"constraints": free})
    other = recommend_job(answer.resolved, changed, shop)
    return other.best if other.status == "ok" else None


def _pricing(option: JobOption) -> str:
    return (
        say("levers.on_term")
        if option.offer.pricing == "reserved"
        else say("levers.on_demand")
    )


def _named(option: JobOption, shop: Shop) -> str:
    seller = shop.reference.provider(option.offer.provider)
    where = seller.name if seller else option.offer.provider
    return say(
        "levers.gpus_at_seller",
        gpus=option.gpus,
        gpu_name=option.plan.gpu.name,
        where=where,
    )


def _cheaper_work(spec: JobSpec, shop: Shop, best: JobOption) -> Iterator[Lever]:
    if isinstance(spec, BatchSpec):
        yield from _fewer_bits(spec, shop, best)
    elif isinstance(spec, FineTuneSpec):
        yield from _other_method(spec, shop, best)
    if not isinstance(spec, BatchSpec) and is_full(spec):
        yield from _eight_bits(spec, shop, best)


def _at(
    spec: JobSpec, plans: tuple[JobPlan, ...], shop: Shop, best: JobOption
) -> JobOption | None:
    """The cheapest of other plans at the winner's offer."""
    found = price_plans(plans, [best.offer], shop.reference, *time_limits(spec))
    return found.options[0] if found.options else None


def _fewer_bits(spec: BatchSpec, shop: Shop, best: JobOption) -> Iterator[Lever]:
    now = best.plan.weights
    if now is None:
        return
    for weights in precisions_for(best.plan.gpu):
        if BITS[weights] >= BITS[now]:
            continue
        other = _at(spec, plan_batch(spec, best.plan.gpu, weights).plans, shop, best)
        if other is not None and other.usd < best.usd:
            text = say("levers.instead_of", weights=weights.upper(), now=now.upper())
            difference = other.usd - best.usd
            yield Lever("quantise-first", text, difference, QUALITY[weights])
            return


def _other_method(spec: FineTuneSpec, shop: Shop, best: JobOption) -> Iterator[Lever]:
    method = OTHER_METHOD.get(spec.method, "lora")
    kept = spec.method not in OTHER_METHOD
    if kept and spec.adapters is not None:
        return
    changed = spec.model_copy(update={"adapters" if kept else "method": method})
    counted = spec.constraints.model_copy(update={"count": best.plan.gpus})
    alike = changed.model_copy(update={"constraints": counted})
    plans = [*plan_run(changed, best.plan.gpu).plans]
    plans += plan_run(alike, best.plan.gpu).plans
    other = _at(changed, tuple(plans), shop, best)
    if other is not None and other.usd < best.usd * WORTH_SAYING:
        text = f"{METHOD_NAMES[method]}: {other.gpus} × {other.plan.gpu.name}"
        difference = other.usd - best.usd
        yield Lever("cost-per-run", text, difference, METHOD_NOTES[method])


def _eight_bits(spec: RunSpec, shop: Shop, best: JobOption) -> Iterator[Lever]:
    gpu = best.plan.gpu
    if not gpu.runs_natively("fp8") or BITS[spec.precision] <= 8:
        return
    changed = spec.model_copy(update={"precision": "fp8"})
    other = _at(changed, plan_run(changed, gpu).plans, shop, best)
    if other is not None and other.usd < best.usd:
        note = say("levers.compare_the_loss")
        yield Lever(
            "fp8-training", say("levers.fp_training"), other.usd - best.usd, note
        )


def _sooner(spec: JobSpec, shop: Shop, best: JobOption) -> Iterator[Lever]:
    """Twice the GPUs, for a long job."""
    if float(best.hours) < LONG_HOURS:
        return
    twice = spec.constraints.model_copy(update={"count": best.plan.gpus * 2})
    changed = spec.model_copy(update={"constraints": twice})
    if isinstance(changed, BatchSpec):
        plans = plan_batch(changed, best.plan.gpu).plans
    else:
        plans = plan_run(changed, best.plan.gpu).plans
    other = _at(changed, plans, shop, best)
    if other is not None and other.hours < best.hours:
        text = say(
            "levers.gpus_instead_of",
            gpus=other.gpus,
            hours=float(other.hours),
            hours_2=float(best.hours),
        )
        change = other.usd - best.usd
        same = abs(change) < best.usd * ABOUT_THE_SAME
        yield Lever("cost-per-run", text, Decimal(0) if same else change)


def api_lever(
    spec: BatchSpec, best: JobOption, prices: tuple[ApiPrice, ...]
) -> Lever | None:
    """The same pile at the cheapest API of the same weights, by batch where sold."""
    mix = TokenMix.of(spec.input_tokens, max(spec.output_tokens, 1))
    ranked = cheapest_api(prices, mix, batch=True)
    if not ranked:
        return None
    api = ranked[0]
    usd = api_usd_per_request(api, mix, batch=True) * exact(spec.requests)
    how = say("levers.batch_api") if api.batch else "API"
    text = say("levers.for_the_same", provider_name=api.provider_name, how=how)
    note = say("levers.prices_of", as_of=api.as_of, source=api.source)
    return Lever("api-batch", text, Decimal(usd) - best.usd, note)
