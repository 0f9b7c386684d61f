"""What would change a replica's capacity: each lever as a factor, with its caveat."""

from dataclasses import dataclass
from typing import Literal

from core.estimate.capacity import ReplicaCapacity, capacity
from core.estimate.speculation import Speculation
from core.hardware import GpuSpec, Vendor
from core.llm import ModelSpec
from core.workload import LatencyTargets

LeverName = Literal[
    "speculative decoding", "prefix caching", "disaggregation", "well-tuned engine"
]
_NOTICEABLE = 1.02
SHARED = 0.5
"""The share of a prompt that prefix caching is tried with: a long system prompt's."""

TUNED: dict[Vendor, tuple[str, ...]] = {
    "nvidia": ("TensorRT-LLM", "SGLang"),
    "amd": ("SGLang",),
}
"""Engines beside the usual one that are tuned for a vendor's GPUs."""

CAVEATS: dict[LeverName, str] = {
    "well-tuned engine": (
        "TensorRT-LLM or SGLang as published benchmarks run them, beside vLLM as most "
        "do; takes days of tuning for each model and GPU"
    ),
    "speculative decoding": (
        "speeds up decoding, not the first token; the gain shrinks as the batch grows "
        "and hangs on how often drafts stand on your text (arXiv 2211.17192)"
    ),
    "prefix caching": (
        "saves the prefill of shared prompt starts only, here half of each prompt; the "
        "hit rate is yours to measure (arXiv 2312.07104)"
    ),
    "disaggregation": (
        "keeps prefill from interrupting decode; pays where TPOT binds, needs a fast "
        "link between the pools and several replicas (arXiv 2401.09670)"
    ),
}


@dataclass(frozen=True, slots=True)
class LeverEffect:
    """One lever on one replica: rates and latencies with it over those without."""

    name: LeverName
    rate_factor: float
    ttft_factor: float
    tpot_factor: float
    caveat: str

    @property
    def saves(self) -> bool:
        """Whether fewer GPUs carry the same load."""
        return self.rate_factor > _NOTICEABLE

    @property
    def verdict(self) -> str:
        """What the lever does, in one line."""
        if self.saves:
            return f"{self.name}: {self.rate_factor:.2f} × the requests per GPU"
        return f"{self.name}: no saving at this load"


def lever_effects(
    model: ModelSpec,
    gpu: GpuSpec,
    before: ReplicaCapacity,
    input_tokens: float,
    output_tokens: float,
    targets: LatencyTargets | None = None,
    cached: float = 0.0,
    speculation: Speculation | None = None,
) -> tuple[LeverEffect, ...]:
    """Return what each lever does to a replica, the strongest first; none if unfit.

    `cached`: the cache hit rate that `before` counts already.
    """
    if not before.fits:
        return ()

    def changed(
        hit_rate: float, draft: Speculation | None, apart: bool, engine: str = ""
    ) -> ReplicaCapacity:
        return capacity(
            model, gpu, before.layout, before.weights, before.kv,
            input_tokens, output_tokens, targets, engine or None,
            cache_hit_rate=hit_rate, speculation=draft, disaggregated=apart,
        )  # fmt: skip

    after: dict[LeverName, ReplicaCapacity] = {
        "speculative decoding": changed(cached, speculation or Speculation(), False),
        "disaggregation": changed(cached, None, True),
    }
    if cached < SHARED:
        after["prefix caching"] = changed(SHARED, None, False)
    tuned = [changed(cached, None, False, name) for name in TUNED.get(gpu.vendor, ())]
    if tuned:
        after["well-tuned engine"] = max(tuned, key=_rate)
    effects = [_effect(name, before, found) for name, found in after.items()]
    return tuple(sorted(effects, key=lambda effect: -effect.rate_factor))


def _rate(found: ReplicaCapacity) -> float:
    return found.requests_per_second.likely


def _effect(
    name: LeverName, before: ReplicaCapacity, after: ReplicaCapacity
) -> LeverEffect:
    rate = before.requests_per_second.likely
    return LeverEffect(
        name=name,
        rate_factor=after.requests_per_second.likely / rate if rate else 0.0,
        ttft_factor=after.ttft_ms / before.ttft_ms,
        tpot_factor=after.tpot_ms / before.tpot_ms,
        caveat=CAVEATS[name],
    )


def mig_slices(gpu: GpuSpec) -> tuple[GpuSpec, ...]:
    """Return the isolated slices that a GPU can be cut into, the smallest first.

    NVIDIA's seven-way MIG has 1, 2 or 3 of 7 compute slices with 1, 2 or 4 of 8 memory
    slices (MIG user guide, supported profiles); other partitions are equal shares.
    Slices share no link: a model must fit in one.
    """
    parts = gpu.mig_instances
    if not parts:
        return ()
    profiles = [(1, 1), (2, 2), (3, 4)] if parts == 7 else [(1, 1)]
    memory_parts = 8 if parts == 7 else parts
    return tuple(
        _slice(gpu, compute, compute / parts, memory / memory_parts)
        for compute, memory in profiles
    )


def _slice(gpu: GpuSpec, parts: int, compute: float, memory: float) -> GpuSpec:
    usable = gpu.usable_memory_gib
    return gpu.model_copy(
        update={
            "id": f"{gpu.id}-{parts}g",
            "name": f"{gpu.name} ({parts}g slice)",
            "memory_gb": gpu.memory_gb * memory,
            "usable_memory_gib": None if usable is None else usable * memory,
            "bandwidth_gb_s": gpu.bandwidth_gb_s * memory,
            "tflops": {name: rate * compute for name, rate in gpu.tflops.items()},
            "link_gb_s": 0.0,
            "gpus_per_node": 1,
            "mig_instances": None,
        }
    )
