"""Spot beside what is never interrupted: both bills of a job, and where they meet."""

from collections.abc import Iterator

from bot.answers.jobs.phrases import hours_words, stops_words
from bot.answers.shared.figures import gpu_name, pricing_words, provider_name
from bot.render.words import say
from core.jobs.options import JobAnswer, JobOption
from core.jobs.spot_vs_on_demand import BothWays, asks_for_both, both_ways
from core.reference.catalogue import Reference
from core.wording import duration
from core.workload import JobSpec


def beside_words(found: JobAnswer, spec: JobSpec) -> str:
    """What the other way to pay would cost, behind a verdict that names one."""
    both = both_ways(found) if asks_for_both(spec.constraints) else None
    if both is None:
        return ""
    best, other, name = both.steady, both.spot, "spot"
    if found.best is both.spot:
        best, other, name = both.spot, both.steady, pricing_words(both.steady.offer)
    more = other.usd - best.usd
    told = say("jobs.more", more=more) if more > 0 else say("jobs.the_same")
    return say("jobs.with_it_costs", name=name, usd=other.usd, told=told)


def paying_notes(
    found: JobAnswer, spec: JobSpec, reference: Reference
) -> Iterator[str]:
    """Both bills with what interruptions cost, and what spot has to keep to."""
    both = both_ways(found) if asks_for_both(spec.constraints) else None
    if both is None:
        return
    terms = both.spot.spot
    if terms is not None:
        saved = hours_words(terms.stops.checkpoint_every_hours)
        again = hours_words(terms.stops.restart_hours)
        yield (
            say(
                "jobs.spot_save_work_every",
                bill=_bill(both.spot, reference),
                stops_words=stops_words(terms),
                saved=saved,
                again=again,
            )
        )
    yield say("jobs.without_interruptions", bill=_bill(both.steady, reference))
    if both.alike is not None and both.alike is not both.steady:
        yield say("jobs.the_same_gpus_without", bill=_bill(both.alike, reference))
    yield from _limit(both)


def _bill(option: JobOption, reference: Reference) -> str:
    return say(
        "jobs.bill",
        gpus=option.gpus,
        gpu_name=gpu_name(option.plan.gpu),
        provider_name=provider_name(option.offer.provider, reference),
        usd=option.usd,
        hours_words=hours_words(option.hours),
    )


def _limit(both: BothWays) -> Iterator[str]:
    name = gpu_name(both.spot.plan.gpu)
    if both.pays_from_hours is not None:
        least = duration(both.pays_from_hours)
        yield (say("jobs.spot_on_is_cheaper", name=name, least=least))
    elif both.alike is not None:
        yield say("jobs.spot_on_is_never", name=name)
