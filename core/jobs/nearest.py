"""The nearest yes to a job that cannot be done as asked."""

from collections.abc import Iterator

from core.jobs.options import JobAnswer, NearestYes
from core.jobs.recommend import Shop, recommend_job
from core.resolve.jobs import METHOD_NAMES
from core.units import BITS
from core.wording import say
from core.workload import BatchSpec, FineTuneSpec, JobSpec, TuningMethod

LIGHTER: dict[TuningMethod, tuple[TuningMethod, ...]] = {
    "full": ("lora", "qlora"), "dpo": (), "grpo": (), "lora": ("qlora",), "qlora": (),
}  # fmt: skip
SHOWN = 3
SHORT = 512
"""Tokens of a sample that still holds a question and its answer."""


def nearest_to(answer: JobAnswer, spec: JobSpec, shop: Shop) -> tuple[NearestYes, ...]:
    """What would do: more of the GPUs, a lighter method, other GPUs, no term."""
    if answer.status == "ok":
        return ()
    found: list[NearestYes] = []
    for change, changed in _changes(spec):
        other = recommend_job(answer.resolved, changed, shop)
        best = other.best
        if best is not None and best.plan.lean:
            continue
        if other.status == "ok" and best is not None:
            found.append(NearestYes(change, best.plan, best))
        elif other.status == "unpriced" and other.unpriced:
            found.append(NearestYes(change, other.unpriced[0], None))
    return tuple(found[:SHOWN])


def _changes(spec: JobSpec) -> Iterator[tuple[str, JobSpec]]:
    """Small changes first, each alone."""
    if isinstance(spec, FineTuneSpec):
        yield from _lighter(spec)
    limits = spec.constraints
    if limits.count == 1 and limits.gpus:
        yield say("advice.one_larger_gpu"), _limited(spec, gpus=())
    if limits.count is not None:
        yield say("advice.with_enough_gpus"), _limited(spec, count=None)
    if isinstance(spec, BatchSpec) and spec.precisions:
        yield (
            say("advice.with_another_weight"),
            spec.model_copy(update={"precisions": ()}),
        )
    if limits.gpus and limits.count != 1:
        yield say("advice.another_gpu"), _limited(spec, gpus=())
    if limits.pricing:
        yield say("advice.any_pricing"), _limited(spec, pricing=())
    if limits.providers:
        yield say("advice.at_another_provider"), _limited(spec, providers=())
    if limits.region:
        yield (
            say("advice.in_another_region"),
            _limited(spec, region=None, regions_also=()),
        )


def _lighter(spec: FineTuneSpec) -> Iterator[tuple[str, JobSpec]]:
    """Fewer bits of the frozen model, adapters, or another method."""
    if spec.method == "lora" and BITS[spec.precision] > BITS["int8"]:
        eight_bits = spec.model_copy(update={"precision": "int8"})
        yield say("advice.lora_on_eight_bits"), eight_bits
    if spec.adapters is None and spec.tokens_per_sample > SHORT:
        short = spec.model_copy(update={"tokens_per_sample": SHORT})
        yield say("advice.shorter_samples", tokens=SHORT), short
    if spec.method in ("dpo", "grpo") and spec.adapters is None:
        yield say("advice.with_lora"), spec.model_copy(update={"adapters": "lora"})
    for method in LIGHTER[spec.method]:
        yield METHOD_NAMES[method], spec.model_copy(update={"method": method})


def _limited(spec: JobSpec, **changed: object) -> JobSpec:
    limits = spec.constraints.model_copy(update=changed)
    return spec.model_copy(update={"constraints": limits})
