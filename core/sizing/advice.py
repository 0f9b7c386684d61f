"""What a team should do beside renting the winner: ordered notes, two of them shown."""

from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from core.market.board import billed_gpus
from core.market.named_gpus import cheapest_offer
from core.market.recommendation import Option, Recommendation
from core.money.api import ApiPrice, api_usd_per_request
from core.money.costs import HourlyCost
from core.money.served import mix_of, requests_per_month
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.thinking import thinks
from core.sizing.techniques import QUALITY, Bench
from core.units import BITS
from core.wording import say
from core.workload import InferenceSpec

if TYPE_CHECKING:
    from core.answers.mig import Slicing

SHOWN = 1
"""Warnings that a reader sees beside what one server risks; the why view says all."""
TRAINING_LINK_GB_S = 300
"""GPUs with an NVLink-class fabric are what clusters for training are built of."""
THOUGHT = 1000
"""Tokens from which an answer has room for thinking."""
AS_LONG = 10
"""Times an answer without thinking that one with it may take."""
MOSTLY_IDLE = 0.3
"""Below this share at the peak, a named GPU is larger than the load needs."""
POOLED_FROM = 4
"""Replicas from which routing by model size is worth an operator's time."""
LARGE_B = 30
"""Billions of parameters above which a small model is several times cheaper."""
WORTH_A_FIGURE = 1.1
"""Times the bill from which a bill without the cache is told as a multiple too."""
MIG_HEADROOM = 0.9
"""Share of a slice's rate that one model may use."""


class Case(Struct, frozen=True):
    """A priced recommendation, and what it was made from."""

    found: Recommendation
    spec: InferenceSpec
    catalog: Catalog
    reference: Reference
    now: datetime

    @property
    def best(self) -> Option:
        """What the verdict names."""
        return self.found.options[0]

    def assumed(self, field: str) -> bool:
        """Whether nobody stated a field."""
        return any(entry.field == field for entry in self.found.resolved.assumptions)

    def provider(self, name: str) -> str:
        """A provider's own spelling."""
        known = self.reference.provider(name)
        return known.name if known else name


class Advice(Struct, frozen=True):
    """A rule and what it says of a case; None: it has nothing to say."""

    rule: str
    said: Callable[[Case], str | None]
    warns: bool = True
    """Whether not knowing it could cost the reader; else it is told on asking why."""


def advised(case: Case) -> Recommendation:
    """The recommendation with the first notes, and every rule that spoke."""
    if not case.found.options:
        return case.found
    wanted = (advice for advice in ADVICE if advice.rule not in case.spec.declined)
    spoke = [(advice, advice.said(case)) for advice in wanted]
    said = [(advice, text) for advice, text in spoke if text is not None]
    warning = [(advice.rule, text) for advice, text in said if advice.warns]
    shown = [text for _, text in warning[:SHOWN]]
    shown += [text for rule, text in warning[SHOWN:] if rule == "n-plus-one"]
    return replace(
        case.found,
        notes=(*case.found.notes, *shown),
        advice=tuple(text for _, text in said if text not in shown),
        rules_fired=(*case.found.rules_fired, *(advice.rule for advice, _ in said)),
    )


def _spot_fallback(case: Case) -> str | None:
    if case.best.offer.pricing != "spot":
        return None
    return say("advice.spot_may_stop")


def _community_host(case: Case) -> str | None:
    if case.best.offer.tier != "community":
        return None
    return say(
        "advice.rents_out_third", provider=case.provider(case.best.offer.provider)
    )


def _one_server(case: Case) -> str | None:
    """What a single server or machine risks, and what a second one costs.

    Where nobody waits, a failure only delays.
    """
    best, limits = case.best, case.spec.targets
    if limits.ttft_ms is limits.tpot_ms is limits.e2e_ms is None:
        return None
    if best.plan.replicas > 1 and best.gpus == best.machine_gpus:
        return say("advice.one_machine", both=2 * best.usd_per_month)
    spares = (lever for lever in case.found.levers if lever.rule == "n-plus-one")
    spare = next(spares, None)
    if case.best.plan.replicas > 1 or spare is None or spare.usd_difference is None:
        return None
    both = case.best.usd_per_month + spare.usd_difference
    return say("advice.one_server", both=both)


def _validate_format(case: Case) -> str | None:
    weights, model = case.best.plan.weights, case.spec.model
    if BITS[weights] > 4 or model.native_precision == weights:
        return None
    return say("advice.weights", weights=weights.upper(), quality=QUALITY[weights])


def _history_cached(case: Case) -> str | None:
    """What the bill rests on where nobody said that prompts repeat."""
    if not case.assumed("cache_hit_rate"):
        return None
    return without_the_cache(case.spec, case.best, case.reference)


def cached_words(spec: InferenceSpec) -> str:
    """How much of each prompt the prefix cache is taken to hold."""
    return say("advice.the_prefix_cache", cache_hit_rate=spec.cache_hit_rate)


def without_the_cache(spec: InferenceSpec, best: Option, reference: Reference) -> str:
    """What a fleet would cost if no prompt repeated."""
    cached = cached_words(spec)
    targets = spec.targets.model_copy(update={"ttft_ms": None})
    bare = {"cache_hit_rate": 0.0, "targets": targets}
    bench = Bench(spec, best, (best.offer,), reference)
    fleet = bench.resized(spec.model_copy(update=bare))
    if fleet is None:
        return say("advice.no_service_without_the_cache", cached=cached)
    if fleet.usd_per_month == best.usd_per_month:
        return say("advice.waits_longer_without_the_cache", cached=cached)
    return say(
        "advice.counts_on_the_cache",
        cached=cached,
        usd_per_month=fleet.usd_per_month,
        more=_times(fleet.usd_per_month / best.usd_per_month),
    )


def api_without_the_cache(spec: InferenceSpec, api: ApiPrice, usd: Decimal) -> str:
    """What an API would bill if no prompt repeated; empty: the same."""
    mix = mix_of(spec.model_copy(update={"cache_hit_rate": 0.0}))
    bare = api_usd_per_request(api, mix) * requests_per_month(spec)
    if bare <= usd or not usd:
        return ""
    return say(
        "advice.api_counts_on_the_cache",
        cached=cached_words(spec),
        usd_per_month=bare,
        more=_times(bare / usd),
    )


def _times(times: Decimal) -> str:
    return say("advice.as_much", times=times) if times > WORTH_A_FIGURE else ""


def _thinking_output(case: Case) -> str | None:
    model = case.spec.model
    if case.assumed("model") or not case.assumed("output_tokens"):
        return None
    if case.spec.output_tokens >= THOUGHT:
        return None
    if not (case.spec.thinks and thinks(model)):
        return None
    long = {"output_tokens": AS_LONG * case.spec.output_tokens}
    bench = Bench(case.spec, case.best, (case.best.offer,), case.reference)
    fleet = bench.resized(case.spec.model_copy(update=long))
    rate = AS_LONG * case.spec.output_tokens_per_second
    takes = (
        say("advice.needs_tokens_s", rate=rate)
        if fleet is None
        else say("advice.costs_a_month", usd=fleet.usd_per_month)
    )
    return say(
        "advice.writes_thinking_tokens",
        model_name=model.name,
        output_tokens=case.spec.output_tokens,
        takes=takes,
    )


def _several_models(case: Case) -> str | None:
    """Slices of one GPU, where each of several models would idle on its own."""
    best, spec = case.best, case.spec
    if spec.model_count < 2 or best.plan.replica_gpus > 1:
        return None
    from core.answers.mig import answer_mig  # of use to several models alone

    cuts = answer_mig(
        Query(), case.found.resolved, spec, case.catalog, case.reference, case.now
    ).slicings
    cut = next((one for one in cuts if _carries(one, spec)), None)
    bill = cut.fit.bill if cut else None
    if cut is None or bill is None or bill.usd_per_month >= best.usd_per_month:
        return None
    return say(
        "advice.mig_slice_per_model",
        model_count=spec.model_count,
        gpus=bill.gpus,
        short=cut.gpu.short,
        provider=case.provider(bill.offer.provider),
        usd_per_month=bill.usd_per_month,
    )


def _carries(cut: "Slicing", spec: InferenceSpec) -> bool:
    """Whether a slice serves one model's whole load, and may be used."""
    gpus = spec.constraints.gpus
    if cut.carried is None or (gpus and cut.gpu.id not in gpus):
        return False
    rate = cut.carried.capacity.requests_per_second.likely
    return spec.load.rps <= MIG_HEADROOM * rate


def _training_gpu(case: Case) -> str | None:
    plan = case.best.plan
    if plan.gpu.id not in case.spec.constraints.gpus or plan.replicas > 1:
        return None
    if plan.gpu.link_gb_s < TRAINING_LINK_GB_S or plan.busy >= MOSTLY_IDLE:
        return None
    return say("advice.ask_without_gpu")


def _hyperscaler(case: Case) -> str | None:
    """The price of the same GPU elsewhere, where only hyperscalers were asked for."""
    limits, offer = case.spec.constraints, case.best.offer
    named = [case.reference.providers[name] for name in limits.providers]
    if not named or any(one.kind != "hyperscaler" for one in named):
        return None
    free = limits.model_copy(update={"providers": ()})
    gpu = case.best.plan.gpu
    other = cheapest_offer(gpu, free, case.catalog, case.reference, case.now)
    if other is None or other.usd_per_gpu_hour >= offer.usd_per_gpu_hour:
        return None
    return say(
        "advice.costs_per_gpu",
        short=gpu.short,
        usd_per_gpu_hour=offer.usd_per_gpu_hour,
        other_usd_per_gpu_hour=other.usd_per_gpu_hour,
        provider=case.provider(other.provider),
    )


def _measure_first(case: Case) -> str | None:
    """One replica for an hour, where the estimate leaves the fleet's size open."""
    plan, offer = case.best.plan, case.best.offer
    low, high = (number * plan.replica_gpus for number in plan.replicas_range)
    if plan.replicas < 2 or low == high:
        return None
    one = HourlyCost(offer.usd_per_gpu_hour, billed_gpus(offer, plan.replica_gpus))
    return say(
        "advice.test_first",
        gpus=one.gpus,
        short=plan.gpu.short,
        per_hour=one.per_hour,
        low=low,
        high=high,
    )


def _tiered_pools(case: Case) -> str | None:
    model, best = case.spec.model, case.best
    if model.active_params_b < LARGE_B or best.plan.replicas < POOLED_FROM:
        return None
    return say("advice.send_easy_requests", usd_per_month=best.usd_per_month / 10)


ADVICE: Sequence[Advice] = (
    Advice("spot-fallback", _spot_fallback),
    Advice("community-host", _community_host),
    Advice("prefix-caching", _history_cached),
    Advice("validate-format", _validate_format),
    Advice("thinking-output", _thinking_output),
    Advice("multi-tenant-mig", _several_models),
    Advice("training-gpu-for-serving", _training_gpu),
    Advice("n-plus-one", _one_server),
    Advice("hyperscaler-premium", _hyperscaler, warns=False),
    Advice("measure-first", _measure_first, warns=False),
    Advice("tiered-pools", _tiered_pools, warns=False),
)
"""What can go wrong comes before what can be saved."""
