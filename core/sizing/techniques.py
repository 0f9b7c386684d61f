"""What serving techniques would save: each one a new sizing, in money."""

import math
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from decimal import Decimal

from msgspec import Struct

from core.answers.answer import Lever
from core.estimate.capacity import tpot_at
from core.estimate.formats import WEIGHT_ONLY, compute_rate, precisions_for
from core.estimate.limits import at_percentile
from core.estimate.speculation import Speculation
from core.hardware import GpuSpec, Vendor
from core.market.market import Use, market_of
from core.market.pricing import cheapest_at
from core.market.recommendation import FleetPlan, Option
from core.offers import Catalog, Offer
from core.query import Technique as Asked
from core.reference.catalogue import Reference
from core.reference.serving import Technique, serving_constants
from core.sizing.fleet import PLAIN, Tried, plan_gpu
from core.sizing.picks import most_sensible
from core.units import BITS, Precision
from core.wording import say
from core.workload import InferenceSpec

QUALITY = {
    "fp8": say("levers.under_quality_loss"),
    "int8": say("levers.about_as_good"),
    "fp4": say("levers.test_quality_first"),
    "int4": say("levers.about_quality_loss"),
    "bf16": say("levers.full_quality"),
    "fp16": say("levers.full_quality"),
    "fp32": say("levers.full_quality"),
}
"""What the sources say each format costs in quality (S0-050, S1-055 … S1-058)."""
LONG_PROMPT = 8000
"""Tokens from which prompts are documents or histories, which repeat more."""
OF_DOCUMENTS, OF_HISTORIES = 0.65, 0.90
"""Shares of long prompts that repeat: documents asked about again (Mooncake, 0.65);
histories that are resent (coding agents, 0.93)."""
LEAST_SHARED = 0.1
TUNED: dict[Vendor, tuple[str, ...]] = {
    "nvidia": ("TensorRT-LLM", "SGLang"),
    "amd": ("SGLang",),
}
"""Engines beside the usual one that published benchmarks tune for a vendor's GPUs."""
DISTILLED = 7
"""A student is commonly about so many times smaller."""


class Bench(Struct, frozen=True):
    """The winner, and the machines of its seller to size other ways of serving on."""

    spec: InferenceSpec
    best: Option
    shelf: tuple[Offer, ...]
    reference: Reference
    board: tuple[Catalog, datetime] | None = None
    """Everything that is sold, and when; None: other GPUs are not looked at."""

    def on_any(self, weights: Precision) -> Option | None:
        """The fleet of any GPU that serves in another format; None: one is named."""
        if self.board is None or self.spec.constraints.gpus:
            return None
        from core.sizing.serving import priced  # which asks for these levers

        catalog, now = self.board
        spec = self.spec.model_copy(update={"precisions": (weights,)})
        use = Use(spec.constraints, live=True, now=now)
        market = market_of(catalog, use, self.reference)
        gpus = self.reference.gpus
        planned = {gpu: plan_gpu(spec, gpus[gpu]) for gpu in market.by_gpu}
        found = priced(spec, planned, market, self.reference)
        return most_sensible([one for one in found if not one.doubt])

    def resized(
        self,
        spec: InferenceSpec,
        weights: Precision | None = None,
        tried: Tried = PLAIN,
    ) -> Option | None:
        """The cheapest fleet of the winner's GPU for a changed workload."""
        plan = self.best.plan
        plans = plan_gpu(spec, plan.gpu, weights or plan.weights, tried).plans
        best: Option | None = None
        for offer in self.shelf:
            most = best.usd_per_month if best else None
            found = cheapest_at(spec, plans, offer, self.reference, most)
            if found and (best is None or _cost(found) < _cost(best)):
                best = found
        return best

    def pace(
        self, weights: Precision | None = None, speculation: Speculation | None = None
    ) -> float | None:
        """Milliseconds per token of the winner's fleet at the load, however served."""
        spec, plan = self.spec, self.best.plan
        carried = plan.capacity
        found = tpot_at(
            spec.load.rps / plan.replicas, spec.model, plan.gpu, carried.layout,
            weights or plan.weights, spec.kv_precision, spec.input_tokens,
            spec.output_tokens, spec.cache_hit_rate, speculation,
        )  # fmt: skip
        spread = at_percentile(carried.spread.tpot_p95, carried.targets.percentile)
        return None if found is None else found * spread

    def difference(self, other: Option) -> Decimal:
        """Dollars a month beyond the winner; negative saves."""
        return other.usd_per_month - self.best.usd_per_month


def _cost(option: Option) -> tuple[Decimal, int]:
    return option.usd_per_month, option.gpus


def unpacked_note(gpu: GpuSpec, formats: Iterable[Precision]) -> str:
    """Why a format of fewer bits may serve less than another; empty: none is so."""
    kinds = {each: compute_rate(gpu, each)[1] == WEIGHT_ONLY for each in formats}
    native = [each for each, unpacked in kinds.items() if not unpacked]
    packed = [each for each, unpacked in kinds.items() if unpacked]
    faster = [each for each in native if each not in ("bf16", "fp16", "fp32")]
    if not packed or not faster:
        return ""
    return say(
        "levers.unpacked",
        packed=packed[0].upper(),
        native=faster[0].upper(),
    )


LONGER = (1.5, 2.0)
"""Times an assumed latency limit, the least first."""
DEARLY = Decimal("0.8")
"""What is left of the bill where an assumed limit costs too much to go unsaid."""


def patience_lever(bench: Bench, assumed: tuple[str, ...]) -> Iterable[Lever]:
    """What a latency limit costs that nobody stated, where that is much."""
    binding = bench.best.plan.capacity.binding
    limit = getattr(bench.spec.targets, f"{binding}_ms", None)
    if f"{binding}_ms" not in assumed or limit is None or bench.best.plan.gpus < 2:
        return
    for times in LONGER:
        given = {name: getattr(bench.spec.targets, name) for name in assumed}
        far = {name: ms * times for name, ms in given.items() if ms is not None}
        targets = bench.spec.targets.model_copy(update=far)
        other = bench.resized(bench.spec.model_copy(update={"targets": targets}))
        if other and other.usd_per_month <= DEARLY * bench.best.usd_per_month:
            longer = limit * times
            named = (
                say("levers.longer_token", longer=longer)
                if binding == "tpot"
                else say("levers.longer_first_token", longer=longer)
            )
            text = say("levers.patience", named=named, gpus=gpus_words(other.gpus))
            note = say("levers.assumed_limit", limit=limit)
            yield Lever("latency", text, bench.difference(other), note)
            return


def gpus_words(gpus: int) -> str:
    """A number of GPUs, in words."""
    return f"{gpus} GPU{'' if gpus == 1 else 's'}"


def prefix_levers(bench: Bench) -> Iterable[Lever]:
    """Prompts whose beginnings are kept: at the usual share, and at what is reached."""
    spec = bench.spec
    if spec.cache_hit_rate:
        return  # counted on already
    for share in _shares(spec):
        if share < LEAST_SHARED:
            continue
        cached = bench.resized(spec.model_copy(update={"cache_hit_rate": share}))
        if cached is not None:
            yield Lever(
                "prefix-caching",
                say("levers.prefix_caching_saves", share=share, gpus=cached.gpus),
                bench.difference(cached),
                say("levers.measure_your_own"),
            )


def _shares(spec: InferenceSpec) -> tuple[float, ...]:
    """Shares of a prompt to try: the profile's; more where prompts are long.

    What is read once, as in summarising or translating, has none.
    """
    usual = spec.cacheable_share
    if not usual or spec.input_tokens < LONG_PROMPT:
        return (usual,) if usual else ()
    return (max(usual, OF_DOCUMENTS), OF_HISTORIES)


def precision_levers(bench: Bench) -> Iterable[Lever]:
    """Other weights: the largest saving, and the mildest format that saves.

    Fewer bits; more of them too, up to those that the model is published in, where the
    stated format is unpacked to be multiplied.
    """
    spec, plan = bench.spec, bench.best.plan
    unpacked = compute_rate(plan.gpu, plan.weights)[1] == WEIGHT_ONLY
    published = BITS[spec.model.native_precision]
    fewer = [
        format_
        for format_ in precisions_for(plan.gpu)
        if format_ not in spec.precisions_excluded
        and (
            BITS[format_] < BITS[plan.weights]
            or BITS[plan.weights] < BITS[format_] <= published * unpacked
        )
    ]
    levers = [lever for one in fewer if (lever := precision_lever(bench, one))]
    saving = [one for one in levers if (one.usd_difference or 0) < 0]
    if saving:
        # `fewer` begins with the most bits: the least that is given up.
        largest = min(saving, key=lambda one: one.usd_difference or Decimal(0))
        yield from dict.fromkeys((largest, saving[0]))


def precision_lever(bench: Bench, weights: Precision) -> Lever | None:
    """Another weight format; None: the GPU cannot serve it within the limits."""
    other = bench.resized(bench.spec, weights=weights)
    if other is None:
        return None
    now = bench.best.plan.weights.upper()
    text = say(
        "levers.instead_of_gpu", weights=weights.upper(), now=now, gpus=other.gpus
    )
    return Lever("quantise-first", text, bench.difference(other), QUALITY[weights])


def speculative_lever(bench: Bench) -> Iterable[Lever]:
    """A draft that proposes tokens, where decoding is what limits."""
    own = bench.spec.model.drafts_itself
    known, drafts = _draft_of(bench), _drafts(bench)
    tried = Tried(speculation=drafts, most=known.most)
    faster = bench.resized(bench.spec, tried=tried)
    if faster is not None:
        yield Lever(
            "speculative-decoding",
            say("levers.multi_token_prediction_gpu", gpus=faster.gpus)
            if own
            else say("levers.speculative_decoding_gpu", gpus=faster.gpus),
            bench.difference(faster),
            say(
                "levers.if_of_drafts",
                share=known.acceptance,
                cost=known.draft_cost,
                times=drafts.tokens_per_step / (1 + known.draft_cost),
            ),
        )


def paces(bench: Bench) -> tuple[float, float] | None:
    """Milliseconds per token at the load, plain and with a draft; None: not carried."""
    plain, drafted = bench.pace(), bench.pace(speculation=_drafts(bench))
    return None if plain is None or drafted is None else (plain, drafted)


def quicker_note(bench: Bench, pace: float) -> str:
    """What would make the quickest fleet quicker still; empty: nothing that we know."""
    plain, plan = bench.pace(), bench.best.plan
    if plain is None:
        return ""
    drafted, known = bench.pace(speculation=_drafts(bench)), _draft_of(bench)
    said = []
    if drafted is not None and drafted < plain:
        ms = pace * drafted / plain
        said.append(say("levers.drafts_quicker", ms=ms, share=known.acceptance))
    fewer = [
        (found, format_)
        for format_ in precisions_for(plan.gpu)
        if format_ not in bench.spec.precisions_excluded
        and not bench.spec.precisions
        and BITS[format_] < BITS[plan.weights]
        and compute_rate(plan.gpu, format_)[1] != WEIGHT_ONLY
        and (found := bench.pace(weights=format_)) is not None
        and found < plain
    ]
    if fewer:
        found, format_ = min(fewer)
        ms, name = pace * found / plain, format_.upper()
        said.append(say("levers.bits_quicker", name=name, ms=ms))
    return say("levers.quicker", said="; ".join(said)) if said else ""


def _draft_of(bench: Bench) -> Technique:
    own = bench.spec.model.drafts_itself
    return _published("multi-token-prediction" if own else "draft-model")


def _drafts(bench: Bench) -> Speculation:
    known = _draft_of(bench)
    return Speculation(1, known.acceptance, known.draft_cost)


def _published(name: str) -> Technique:
    return serving_constants().technique[name]


def tuned_lever(bench: Bench) -> Iterable[Lever]:
    """The engine that published benchmarks run best, tuned, beside the usual one."""
    most = _published("tuned-engine").most
    tries = {
        engine: bench.resized(bench.spec, tried=Tried(framework=engine, most=most))
        for engine in TUNED.get(bench.best.plan.gpu.vendor, ())
    }
    tuned = [(engine, found) for engine, found in tries.items() if found]
    if tuned:
        engine, best = min(tuned, key=lambda pair: pair[1].usd_per_month)
        yield Lever(
            "tuned-engine",
            say("levers.well_tuned", engine=engine, gpus=best.gpus),
            bench.difference(best),
            say("levers.days_of_tuning"),
        )


def disaggregation_lever(bench: Bench) -> Iterable[Lever]:
    """Prefill and decode on pools of their own, where there are GPUs for two."""
    most = _published("disaggregation").most
    apart = bench.resized(bench.spec, tried=Tried(disaggregated=True, most=most))
    if apart is not None and apart.plan.replicas > 1:
        name = say("levers.disaggregated")
        yield Lever(
            "disaggregation",
            f"{name}: {gpus_words(apart.gpus)}",
            bench.difference(apart),
            say("levers.needs_several_servers"),
        )


def spare_lever(bench: Bench) -> Iterable[Lever]:
    """One replica more than the peak needs, so that one may fail."""
    spec, best = bench.spec, bench.best
    if spec.places > 1 or spec.spare_replicas or spec.constraints.count is not None:
        return
    more = spec.model_copy(update={"spare_replicas": 1})
    spare = bench.resized(more)
    if spare is not None:
        difference = bench.difference(spare)
        if difference <= 0:
            return  # its machines hold a spare already
        risk = say("levers.with_one_server")
        yield Lever(
            "n-plus-one",
            say("levers.one_spare_server", gpus=spare.gpus),
            difference,
            risk if best.plan.replicas == 1 else say("levers.the_peak_still"),
        )


def asked_lever(bench: Bench, name: Asked) -> Lever:
    """What a technique that somebody asks about does here, saving or not."""
    return ASKED[name](bench)


def _asked_prefix(bench: Bench) -> Lever:
    if bench.spec.cache_hit_rate:
        share = f"{bench.spec.cache_hit_rate:.0%}"
        text = say("levers.prefix_caching_included", share=share)
        return Lever("prefix-caching", text, None)
    found = list(prefix_levers(bench))
    best = min(found, key=lambda one: one.usd_difference or Decimal(0), default=None)
    none = Lever(
        "prefix-caching",
        say("levers.prefix_caching_state"),
        None,
    )
    return _or_no_effect(best or none, say("levers.prefix_caching"), bench)


def _asked_speculation(bench: Bench) -> Lever:
    found = next(iter(speculative_lever(bench)), None)
    timed = paces(bench)
    if timed and timed[1] < timed[0] and (not found or not found.usd_difference):
        plain, drafted = timed
        known = _draft_of(bench)
        text = say(
            "levers.drafts_speed_up",
            plain=plain,
            drafted=drafted,
            share=known.acceptance,
            cost=known.draft_cost,
            gpus=bench.best.gpus,
        )
        return Lever("speculative-decoding", text, None)
    limit = say("levers.limited_by", binding=bench.best.plan.capacity.binding)
    none = say("levers.speculative_decoding_misses", limit=limit)
    lever = found or Lever("speculative-decoding", none, None)
    return _or_no_effect(lever, say("levers.speculative_decoding"), bench)


def _asked_disaggregation(bench: Bench) -> Lever:
    name = say("levers.disaggregated")
    found = next(iter(disaggregation_lever(bench)), None)
    none = say("levers.misses_limits_or_one", name=name.lower())
    return _or_no_effect(found or Lever("disaggregation", none, None), name, bench)


def _asked_format(weights: Precision) -> Callable[[Bench], Lever]:
    def asked(bench: Bench) -> Lever:
        name, plan = weights.upper(), bench.best.plan
        if plan.weights == weights:
            return _against_sixteen(bench, name)
        found, other = precision_lever(bench, weights), bench.on_any(weights)
        if other is not None:
            apart = bench.difference(other)
            if found is None or apart < (found.usd_difference or 0):
                text = say(
                    "levers.instead_on",
                    weights=name,
                    now=plan.weights.upper(),
                    gpus=other.gpus,
                    gpu=other.plan.gpu.short,
                )
                return Lever("quantise-first", text, apart, QUALITY[weights])
        if found is None:
            short = say("levers.same_gpus_too_slow", name=name, gpu_name=plan.gpu.short)
            short += _with_more(bench, weights)
            return Lever("quantise-first", short, None)
        return _or_no_effect(found, say("levers.weights", name=name), bench)

    return asked


def _with_more(bench: Bench, weights: Precision) -> str:
    """How many of the GPUs a format would take instead; empty: no number does."""
    limits = bench.spec.constraints.model_copy(update={"count": None})
    spec = bench.spec.model_copy(update={"constraints": limits})
    more = bench.resized(spec, weights=weights)
    if more is None:
        return ""
    return say("levers.takes_more", gpus=more.gpus, usd=more.usd_per_month)


def _against_sixteen(bench: Bench, name: str) -> Lever:
    """What the format that is served already saves against 16 bits."""
    sixteen = precisions_for(bench.best.plan.gpu)[0]
    whole = bench.resized(bench.spec, weights=sixteen)
    if whole is None:
        text = say("levers.misses_without", name=name, sixteen=sixteen.upper())
    elif (more := bench.difference(whole)) > 0:
        text = say(
            "levers.costs_without", name=name, sixteen=sixteen.upper(), more=more
        )
    else:
        text = say("levers.is_already_included", name=name)
    return Lever("quantise-first", text, None)


def _asked_cache(bench: Bench) -> Lever:
    """An 8-bit cache against one of 16 bits, whichever is served already."""
    served = bench.best.plan.capacity.kv == "fp8"
    other = bench.resized(
        bench.spec.model_copy(update={"kv_precision": "bf16" if served else "fp8"})
    )
    name, more = say("levers.fp8_cache"), None
    if other is not None:
        more = bench.difference(other)
    if served:
        text = say("levers.is_already_included", name=name)
        if more is not None and more > 0:
            text = say("levers.costs_without", name=name, sixteen="BF16", more=more)
        elif other is None:
            text = say("levers.misses_without", name=name, sixteen="BF16")
        return Lever("quantise-first", text, None)
    if other is None:
        short = say(
            "levers.same_gpus_too_slow", name=name, gpu_name=bench.best.plan.gpu.name
        )
        return Lever("quantise-first", short, None)
    text = f"{name}: {gpus_words(other.gpus)}"
    return _or_no_effect(Lever("quantise-first", text, more), name, bench)


def _asked_distillation(bench: Bench) -> Lever:
    model = bench.spec.model
    most = model.params_b / DISTILLED
    known = (m for m in bench.reference.models.values() if m.representative_of)
    small = max(
        (one for one in known if one.params_b <= max(most, 1) and not one.is_moe),
        key=lambda one: one.params_b,
        default=None,
    )
    if small is None:
        return Lever("distillation", say("levers.distillation_the_model"), None)
    spec = bench.spec.model_copy(update={"model": small})
    student = bench.resized(spec)
    if student is None:
        return Lever("distillation", say("levers.distillation_we_know"), None)
    return Lever(
        "distillation",
        say(
            "levers.distillation_into_student", small_name=small.name, gpus=student.gpus
        ),
        bench.difference(student),
        say("levers.plus_training_run"),
    )


def _asked_pruning(bench: Bench) -> Lever:
    half = bench.best.usd_per_month / 2
    return Lever(
        "pruning",
        say("levers.pruning_single_weights", half=half),
        None,
        say("levers.needs_retraining_test"),
    )


def _asked_batching(bench: Bench) -> Lever:
    plan = bench.best.plan
    alone = math.ceil(
        plan.capacity.tokens_per_second.likely / max(plan.capacity.batch, 1)
    )
    return Lever(
        "batching",
        say("levers.continuous_batching", batch=plan.capacity.batch, alone=alone),
        None,
        say("levers.larger_batch_would"),
    )


def _asked_tensor_parallelism(bench: Bench) -> Lever:
    """What each width of a server costs for the same load, the cheapest first."""
    spec, plan = bench.spec, bench.best.plan
    plans = plan_gpu(spec, plan.gpu, plan.weights).plans
    found = [
        (option, each)
        for each in plans
        for one in bench.shelf
        if (option := cheapest_at(spec, (each,), one, bench.reference))
    ]
    widths: dict[int, tuple[Option, FleetPlan]] = {}
    for option, each in sorted(found, key=lambda pair: pair[0].usd_per_month):
        widths.setdefault(each.replica_gpus, (option, each))
    said = [
        say(
            "levers.of_width",
            width=width,
            gpus=option.gpus,
            usd=option.usd_per_month,
            rate=each.capacity.requests_per_second.likely / width,
        )
        for width, (option, each) in widths.items()
    ]
    text = say("levers.widths", widths="; ".join(said))
    return Lever("pcie-tensor-parallel", text, None, say("levers.wider_waits"))


def _asked_nvlink(bench: Bench) -> Lever:
    """The same GPUs joined over PCIe alone, for the same load."""
    plan = bench.best.plan
    if plan.replica_gpus == 1:
        return Lever("pcie-tensor-parallel", say("levers.nvlink_one_gpu"), None)
    if plan.gpu.link_gb_s == 0:
        return Lever(
            "pcie-tensor-parallel",
            say("levers.nvlink_without", name=plan.gpu.name),
            None,
        )
    bare = plan.gpu.model_copy(update={"link_gb_s": 0.0})
    apart = plan_gpu(bench.spec, bare, plan.weights).plans
    if not apart:
        return Lever(
            "pcie-tensor-parallel",
            say("levers.nvlink_needed", name=plan.gpu.name),
            None,
        )
    least = min(apart, key=lambda one: one.gpus)
    text = (
        say("levers.nvlink_saves_no_gpu", gpus=least.gpus, now=plan.gpus)
        if least.gpus <= plan.gpus
        else say("levers.nvlink_gpus", gpus=least.gpus, now=plan.gpus)
    )
    return Lever("pcie-tensor-parallel", text, None, say("levers.over_pcie"))


ASKED: Mapping[Asked, Callable[[Bench], Lever]] = {
    "prefix caching": _asked_prefix,
    "speculative decoding": _asked_speculation,
    "disaggregation": _asked_disaggregation,
    "int4": _asked_format("int4"),
    "int8": _asked_format("int8"),
    "fp8": _asked_format("fp8"),
    "fp4": _asked_format("fp4"),
    "distillation": _asked_distillation,
    "pruning": _asked_pruning,
    "batching": _asked_batching,
    "tensor parallelism": _asked_tensor_parallelism,
    "nvlink": _asked_nvlink,
    "fp8 kv cache": _asked_cache,
}


def _or_no_effect(lever: Lever, name: str, bench: Bench) -> Lever:
    """The lever in money, or the words that it saves nothing: never $0."""
    if lever.usd_difference is None or lever.usd_difference:
        return lever
    small = name[:1].lower() + name[1:] if name[1:2].islower() else name
    text = say("levers.no_saving", name=small, gpus=bench.best.gpus)
    return Lever(lever.rule, text, None, lever.note)
