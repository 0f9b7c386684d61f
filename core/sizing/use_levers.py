"""Other ways to pay for a served load: by the second, by the token, interruptibly."""

from collections.abc import Iterable
from datetime import datetime

from core.answers.answer import Lever
from core.market.market import Shelf, Use, market_of
from core.market.pricing import cheapest_at
from core.market.recommendation import Option
from core.offers import Catalog
from core.reference.catalogue import Reference
from core.sizing.pay_by_use import ApiRange, average_use, serverless_options
from core.wording import say
from core.workload import InferenceSpec

ALWAYS_UP = 0.95
"""From this share of the hours on, a worker hardly ever scales to zero."""
SELDOM = 0.3
"""Below this average use, paying by use is worth a look (S0-015, S4-009)."""


def serverless_lever(
    spec: InferenceSpec,
    best: Option,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    prompt: bool = False,
) -> Iterable[Lever]:
    """A GPU that scales to zero, where the fleet would mostly idle.

    `prompt`: answers have to begin in time, which a cold start does not.
    """
    must_stay_up = max(spec.least_replicas, spec.places, spec.spare_replicas + 1) > 1
    if spec.constraints.pricing or prompt or must_stay_up:
        return
    if average_use(spec, best) >= SELDOM:
        return
    found = serverless_options(spec, catalog, reference, now)
    if not found or found[0].usd_per_month >= best.usd_per_month:
        return
    one = found[0]
    gpu = reference.gpus[one.offer.gpu]
    seller = reference.provider(one.offer.provider)
    name = seller.name if seller else one.offer.provider
    difference = one.usd_per_month - best.usd_per_month
    machine = say("levers.serverless_at", name=name, gpus=one.gpus, gpu_name=gpu.name)
    if one.billed < ALWAYS_UP:
        text = say("levers.scaled_to_zero", machine=machine)
        note = say("levers.to_the_first", cold_start_s=one.cold_start_s)
    else:
        text = say("levers.per_worker_scaled", machine=machine)
        note = say("levers.new_worker_takes", cold_start_s=one.cold_start_s)
    yield Lever("serverless-low-traffic", text, difference, note)


def api_lever(
    spec: InferenceSpec, best: Option, hosted: ApiRange | None
) -> Iterable[Lever]:
    """The same weights by the token, where that costs less.

    The middle price where the lowest stands far below it, unless that alone saves.
    """
    if hosted is None:
        return
    option, note = hosted.cheapest, say("levers.no_gpu_to_run")
    text = say("levers.api_the_same", provider_name=option.api.provider_name)
    if hosted.odd and hosted.going.usd_per_month < best.usd_per_month:
        option = hosted.going
        text = say("levers.api_the_same", provider_name=option.api.provider_name)
    elif hosted.odd:
        text = say("levers.api_outlier", provider_name=option.api.provider_name)
        note = say("levers.far_below_others")
    if option.usd_per_month < best.usd_per_month:
        yield Lever(
            "low-traffic",
            text,
            option.usd_per_month - best.usd_per_month,
            note,
        )


def spot_lever(
    spec: InferenceSpec,
    best: Option,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Iterable[Lever]:
    """The winner's GPU on spot, for internal users who can bear an interruption."""
    if spec.audience != "internal" or best.offer.pricing != "on_demand":
        return
    limits = spec.constraints.model_copy(update={"pricing": ("spot",)})
    use = Use(limits, live=True, now=now)
    gpu = best.plan.gpu.id
    market = market_of(catalog, use, reference, Shelf(gpu, catalog.of_gpu(gpu)))
    offers = market.by_gpu.get(gpu, [])
    options = (cheapest_at(spec, (best.plan,), offer, reference) for offer in offers)
    known = [option for option in options if option is not None]
    cheapest = min(known, key=lambda option: option.usd_per_month, default=None)
    if cheapest is not None and cheapest.usd_per_month < best.usd_per_month:
        seller = reference.provider(cheapest.offer.provider)
        name = seller.name if seller else cheapest.offer.provider
        yield Lever(
            "spot-live",
            say("levers.spot_with_fallback", name=name),
            cheapest.usd_per_month - best.usd_per_month,
            say("levers.seller_may_stop"),
        )
