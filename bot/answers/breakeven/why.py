"""Why self-hosting pays or does not: the mix, both prices, and the division."""

from bot.answers.breakeven.table import api_name, listed
from bot.answers.breakeven.view import crossing_words
from bot.answers.shared.arithmetic import fleet_step
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.breakeven import BreakEvenAnswer, Crossing
from core.money.served import mix_of
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import ApiOption, ServerlessOption
from core.workload import InferenceSpec


def explain_breakeven(found: BreakEvenAnswer, page: Page) -> AnswerView:
    """The mix of tokens, both prices, and the division that gives the break-even."""
    spec, mix = found.spec, mix_of(found.spec)
    steps = [
        say(
            "breakeven.explain_breakeven",
            input_tokens=float(mix.input_tokens),
            output_tokens=float(mix.output_tokens),
            cache_hit_rate=mix.cache_hit_rate,
            average_rps=spec.load.average_rps,
            rps=spec.load.rps,
        )
    ]
    if found.fleet is not None and found.load_stated:
        steps.append(fleet_step(found.fleet, spec.constraints, page.reference))
    if found.serverless is not None and found.load_stated:
        steps.append(_serverless_step(found.serverless, found, page.reference))
    steps += [_api_step(option, found) for option in listed(found)]
    steps += [_cross_step(one, found.spec, page.reference) for one in found.crossings]
    fired = ["api-break-even", "serverless-low-traffic", "cost-per-token"]
    assumed = found.resolved.assumptions
    return page.explained(steps, assumed, fired)


def _serverless_step(
    one: ServerlessOption, found: BreakEvenAnswer, reference: Reference
) -> str:
    seller = reference.provider(one.offer.provider)
    gpu = gpu_name(reference.gpus[one.offer.gpu])
    hours = found.spec.constraints.billed_hours_per_month
    return say(
        "breakeven.serverless_step",
        which=seller.name if seller else one.offer.provider,
        billed=one.billed,
        gpus=one.gpus,
        gpu=gpu,
        usd_per_gpu_hour=one.offer.usd_per_gpu_hour,
        hours=hours,
        usd_per_month=one.usd_per_month,
    )


def _api_step(option: ApiOption, found: BreakEvenAnswer) -> str:
    rates = option.api.live
    return say(
        "breakeven.api_step",
        api_name=api_name(option.api),
        input_usd_per_million=rates.input_usd_per_million,
        output_usd_per_million=rates.output_usd_per_million,
        usd_per_million=option.usd_per_million,
        usd_per_month=option.usd_per_month,
        source_url=option.api.source_url,
    )


def _cross_step(crossing: Crossing, own: InferenceSpec, reference: Reference) -> str:
    unit, point = crossing.unit, crossing.point
    carried = unit.capacity.requests_per_second.likely * unit.replicas
    words = crossing_words(crossing, own, reference)
    return say(
        "breakeven.cross_step",
        words=words[:1].upper(),
        words_2=words[1:],
        replicas=unit.replicas,
        carried=carried,
        rate=unit.rate,
        fleet_usd_per_hour_needed=point.fleet_usd_per_hour_needed,
    )
