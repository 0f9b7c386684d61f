"""Why self-hosting pays or does not: the mix, both prices, and the division."""

from bot.answers.breakeven.table import api_name, listed
from bot.answers.breakeven.view import crossing_words
from bot.answers.shared.arithmetic import fleet_step
from bot.answers.shared.figures import gpu_name
from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from core.answers.breakeven import BreakEvenAnswer, Crossing
from core.money.served import mix_of
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import ApiOption, ServerlessOption
from core.wording import count, dollars, significant


def explain_breakeven(found: BreakEvenAnswer, page: Page) -> AnswerView:
    """The mix of tokens, both prices, and the division that gives the break-even."""
    spec, mix = found.spec, mix_of(found.spec)
    steps = [
        f"One request: {count(float(mix.input_tokens))} tokens in, "
        f"{count(float(mix.output_tokens))} out, cache hits {mix.cache_hit_rate:.0%}; "
        f"{significant(spec.load.average_rps)} requests/s on average, "
        f"{significant(spec.load.rps)} at the peak."
    ]
    if found.fleet is not None and found.load_stated:
        steps.append(fleet_step(found.fleet, spec.constraints, page.reference))
    if found.serverless is not None and found.load_stated:
        steps.append(_serverless_step(found.serverless, found, page.reference))
    steps += [_api_step(option, found) for option in listed(found)]
    steps += [_cross_step(crossing, page.reference) for crossing in found.crossings]
    fired = ["api-break-even", "serverless-low-traffic", "cost-per-token"]
    assumed = found.resolved.assumptions
    return page.explained(steps, assumed, fired)


def _serverless_step(
    one: ServerlessOption, found: BreakEvenAnswer, reference: Reference
) -> str:
    seller = reference.provider(one.offer.provider)
    gpu = gpu_name(reference.gpus[one.offer.gpu])
    hours = found.spec.constraints.billed_hours_per_month
    return (
        f"Serverless at {seller.name if seller else one.offer.provider}: "
        f"{significant(one.billed)} workers billed on average × {one.gpus} × {gpu} × "
        f"{dollars(one.offer.usd_per_gpu_hour)} × {hours:,.0f} h = "
        f"{dollars(one.usd_per_month)}/month."
    )


def _api_step(option: ApiOption, found: BreakEvenAnswer) -> str:
    rates = option.api.live
    return (
        f"{api_name(option.api)}: {dollars(rates.input_usd_per_million)} in and "
        f"{dollars(rates.output_usd_per_million)} out per 1M = "
        f"{dollars(option.usd_per_million)} per 1M of this mix, "
        f"{dollars(option.usd_per_month)}/month at this load ({option.api.source_url})."
    )


def _cross_step(crossing: Crossing, reference: Reference) -> str:
    unit, point = crossing.unit, crossing.point
    carried = unit.capacity.requests_per_second.likely
    words = crossing_words(crossing, reference)
    return (
        f"{words[:1].upper()}{words[1:]}; one replica carries {significant(carried)} "
        f"requests/s full, {significant(unit.rate)} on average under its peak; the "
        f"API's price pays {dollars(point.fleet_usd_per_hour_needed)}/h of it."
    )
