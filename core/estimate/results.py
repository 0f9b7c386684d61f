"""What the estimators return. Memory in GB (10⁹ bytes) per GPU, times in ms."""

from typing import Literal

from msgspec import Struct, field

from core.wording import say

Binding = Literal["weights", "kv_cache", "throughput", "ttft", "tpot", "none"]


class Range(Struct, frozen=True):
    """A figure with the interval that holds about 80 % of measured cases."""

    low: float
    likely: float
    high: float

    def scaled(self, factor: float) -> "Range":
        """The same range in another unit or for several replicas."""
        return Range(self.low * factor, self.likely * factor, self.high * factor)


class MemoryEstimate(Struct, frozen=True):
    """One GPU's memory, in GB: what is needed and what the card offers."""

    weights_gb: float
    kv_per_sequence_gb: float
    """KV cache and recurrent state of one request at its full length."""
    activations_gb: float
    runtime_gb: float
    available_gb: float
    """What the serving engine may use: memory × its fraction."""

    @property
    def free_for_kv_gb(self) -> float:
        """Room for KV cache; negative where the weights do not fit."""
        used = self.weights_gb + self.activations_gb + self.runtime_gb
        return self.available_gb - used

    @property
    def shortage(self) -> str:
        """What the card cannot hold: the weights, the engine beside them, a request."""
        usable = self.available_gb
        if self.weights_gb > usable:
            return say("estimates.weights_alone", gb=self.weights_gb, usable=usable)
        engine = self.activations_gb + self.runtime_gb
        parts = say("estimates.weights_and_engine", gb=self.weights_gb, engine=engine)
        needed = self.weights_gb + engine
        if self.free_for_kv_gb > 0:
            needed += self.kv_per_sequence_gb
            parts = say(
                "estimates.and_one_request", parts=parts, gb=self.kv_per_sequence_gb
            )
        return say("estimates.each_needs", gb=needed, parts=parts, usable=usable)


_SOURCES_NAMED = 2


class Evidence(Struct, frozen=True):
    """How well measured a configuration is."""

    anchors: int = 0
    """Measurements that weigh in."""
    nearest: str | None = None
    distance: float | None = None
    """Of the nearest: 0 is the same configuration, 1 about twice or half of it."""
    sources: tuple[str, ...] = ()
    date: str = ""
    """The latest month among the anchors."""
    own: float | None = None
    """Output tokens per second of one GPU that the asker measured."""

    @property
    def measured(self) -> bool:
        """Whether any measurement stands behind the figures."""
        return bool(self.anchors or self.own)

    @property
    def words(self) -> str:
        """What the estimate rests on, with sources and the latest month."""
        if self.own:
            return say("estimates.own_measurement", rate=self.own)
        if not self.anchors:
            return say("estimates.not_measured")
        named = ", ".join((*self.sources[:_SOURCES_NAMED], self.date))
        return say("estimates.based_on_measurements", anchors=self.anchors, named=named)


PHYSICS_ONLY = Evidence()


class Trust(Struct, frozen=True):
    """How much the measurements near an estimate say."""

    weight: float = 0.0
    deviation: float = 0.0
    """Standard deviation among them, in logarithms: sites and versions differ."""
    own: float = 0.0
    """Share of the weight that is of the same model on the same GPU."""


NO_TRUST = Trust()


class Basis(Struct, frozen=True):
    """What the range of an estimate is worked out from."""

    words: tuple[str, ...]
    """Use, engine, kind of model, format and GPU family."""
    trust: Trust = NO_TRUST


class ServingEstimate(Struct, frozen=True):
    """One replica or fleet at one load."""

    tokens_per_second: Range
    """Output tokens per second, all GPUs together."""
    ttft_ms: float
    tpot_ms: float
    ttft_p95_ms: float
    tpot_p95_ms: float
    e2e_ms: float
    """Whole answer at the median: TTFT + TPOT × (output tokens - 1)."""
    batch: float
    """Requests in flight per replica."""
    max_batch: int
    """What memory allows per replica."""
    memory: MemoryEstimate
    memory_gb_per_gpu: float
    binding: Binding
    fits: bool
    regime: Literal["single_stream", "interactive", "saturated", "static"]
    why: str
    basis: Basis
    evidence: Evidence = PHYSICS_ONLY


class TrainingEstimate(Struct, frozen=True):
    """One training or fine-tuning run."""

    tokens_per_second: Range
    mfu_pct: float
    gpu_hours: float | None
    memory_gb_per_gpu: float
    fits: bool
    why: str
    memory_parts_gb: dict[str, float] = field(default_factory=dict)
    evidence: Evidence = PHYSICS_ONLY
