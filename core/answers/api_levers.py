"""What else moves an API bill: caching, batches, the same weights elsewhere."""

from collections.abc import Iterator
from decimal import Decimal

from core.answers.answer import Lever
from core.answers.breakeven import BreakEvenAnswer
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import ApiOption, usd_batched, usd_half_cached
from core.wording import say


def api_levers(found: BreakEvenAnswer, reference: Reference) -> tuple[Lever, ...]:
    """At most three: what undercuts the cheaper way first, then the API bill's own."""
    hurdle = found.hurdle
    if hurdle is None or not found.load_stated:
        return ()
    beside = [*_serverless(found, reference)]
    levers = [
        *_other_weights(found, hurdle),
        *_caching(found, hurdle),
        *_batching(found, hurdle),
    ]
    levers = [one for one in levers if _saves(one, found, hurdle)]
    for some in (beside, levers):
        some.sort(key=lambda lever: lever.usd_difference or Decimal(0))
    return (*beside, *levers)[:3]


def _saves(lever: Lever, found: BreakEvenAnswer, hurdle: ApiOption) -> bool:
    """Whether the API's bill, changed so, undercuts GPUs that are cheaper than it."""
    if found.fleet is None or lever.usd_difference is None:
        return True
    return hurdle.usd_per_month + lever.usd_difference < found.fleet.usd_per_month


def _other_weights(found: BreakEvenAnswer, hurdle: ApiOption) -> Iterator[Lever]:
    """The open model rented by the token, where a closed one is named."""
    other = found.by_the_token
    if other is None:
        return
    text = say(
        "levers.through_api_instead",
        model_name=found.spec.model.name,
        provider_name=other.api.provider_name,
        api_provider_name=hurdle.api.provider_name,
    )
    difference = other.usd_per_month - hurdle.usd_per_month
    note = say("levers.another_model_compare")
    yield Lever("api-break-even", text, difference, note)


def _caching(found: BreakEvenAnswer, hurdle: ApiOption) -> Iterator[Lever]:
    usd = usd_half_cached(hurdle.api, found.spec_at(hurdle.api))
    if usd is None:
        return
    text = say("levers.prompt_caching", provider_name=hurdle.api.provider_name)
    yield Lever("api-break-even", text, usd - hurdle.usd_per_month)


def _batching(found: BreakEvenAnswer, hurdle: ApiOption) -> Iterator[Lever]:
    usd = usd_batched(hurdle.api, found.spec_at(hurdle.api))
    if usd is None:
        return
    text = say("levers.batch_api_at_provider", provider_name=hurdle.api.provider_name)
    yield Lever("api-break-even", text, usd - hurdle.usd_per_month)


def _serverless(found: BreakEvenAnswer, reference: Reference) -> Iterator[Lever]:
    """Scaling with the load by the second, where that is the cheaper at this load."""
    one, fleet = found.serverless, found.fleet
    if one is None or fleet is None or one.usd_per_month >= fleet.usd_per_month:
        return
    seller = reference.provider(one.offer.provider)
    name = seller.name if seller else one.offer.provider
    text = say("levers.serverless_at_instead", name=name)
    note = say("levers.cold_starts", cold_start_s=one.cold_start_s)
    difference = one.usd_per_month - fleet.usd_per_month
    yield Lever("serverless-low-traffic", text, difference, note)
