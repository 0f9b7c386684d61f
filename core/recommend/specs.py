"""GPUs side by side without a workload: what they are, and what a dollar buys."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from core.estimate.formats import compute_rate, sixteen_bit_tflops
from core.estimate.parallel import Layout
from core.hardware import GpuSpec
from core.money.costs import exact
from core.offers import Catalog, Offer
from core.recommend.capacity import Carried, gpu_capacities
from core.recommend.fit import fit_on
from core.recommend.offered import cheapest_offer
from core.reference.catalogue import Reference
from core.units import Precision
from core.workload import Constraints, InferenceSpec

COUNTS = (1, 2, 4, 8)
"""GPUs tried for the yardstick model: the count with the most tokens per GPU counts."""


@dataclass(frozen=True, slots=True)
class SpecEntry:
    """One GPU: its datasheet, its cheapest price, and its room for KV cache."""

    gpu: GpuSpec
    weights: Precision
    """The format that it would serve in."""
    tflops: float
    """Dense, in that format."""
    kv_tokens: int
    """Tokens of context that fit beside the yardstick model's weights."""
    offer: Offer | None
    carried: Carried | None
    """The yardstick model where it yields most per GPU; None: it is not served."""

    def tokens_per_gpu(self, output_tokens: float) -> float | None:
        """Output tokens per second and GPU of the yardstick within its latency."""
        if self.carried is None:
            return None
        rate = self.carried.requests_per_second.likely
        return rate * output_tokens / self.carried.gpus

    @property
    def sixteen_bit(self) -> float:
        """Dense TFLOPS in 16 bit."""
        return sixteen_bit_tflops(self.gpu)

    def per_gb(self) -> Decimal | None:
        """Dollars per GB of memory and hour."""
        return self._per(self.gpu.memory_gb)

    def per_tb_s(self) -> Decimal | None:
        """Dollars per TB/s of memory bandwidth and hour."""
        return self._per(self.gpu.bandwidth_gb_s / 1000)

    def per_pflops(self) -> Decimal | None:
        """Dollars per 1,000 dense TFLOPS and hour."""
        return self._per(self.tflops / 1000)

    def _per(self, amount: float) -> Decimal | None:
        if self.offer is None or amount <= 0:
            return None
        return self.offer.usd_per_gpu_hour / exact(amount)


@dataclass(frozen=True, slots=True)
class SpecComparison:
    """The named GPUs in the order of the question, and the yardstick model."""

    entries: tuple[SpecEntry, ...]
    yardstick: InferenceSpec

    @property
    def ratios(self) -> dict[str, float] | None:
        """The first GPU over the second: what each kind of work gains."""
        if len(self.entries) < 2:
            return None
        one, other = self.entries[:2]
        return {
            "bandwidth": one.gpu.bandwidth_gb_s / other.gpu.bandwidth_gb_s,
            "compute": one.tflops / other.tflops,
            "memory": one.gpu.memory_gb / other.gpu.memory_gb,
        }

    @property
    def price_ratio(self) -> float | None:
        """The first GPU's price over the second's; None: one has none."""
        if len(self.entries) < 2:
            return None
        one, other = (entry.offer for entry in self.entries[:2])
        if one is None or other is None:
            return None
        return float(one.usd_per_gpu_hour / other.usd_per_gpu_hour)


def compare_specs(
    gpus: Iterable[GpuSpec],
    yardstick: InferenceSpec,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> SpecComparison:
    """Lay the GPUs' datasheets, cheapest prices and one estimate side by side."""
    entries = tuple(
        _entry(
            gpu, yardstick, cheapest_offer(gpu, constraints, catalog, reference, now)
        )
        for gpu in gpus
    )
    return SpecComparison(entries, yardstick)


def _entry(gpu: GpuSpec, yardstick: InferenceSpec, offer: Offer | None) -> SpecEntry:
    weights: Precision = "fp8" if gpu.runs_natively("fp8") else "int8"
    context = yardstick.input_tokens + yardstick.output_tokens
    fit = fit_on(yardstick.model, gpu, Layout(), weights, context)
    free, each = fit.memory.free_for_kv_gb, fit.memory.kv_per_sequence_gb
    return SpecEntry(
        gpu=gpu,
        weights=weights,
        tflops=compute_rate(gpu, weights)[0],
        kv_tokens=int(max(free, 0) / each * context) if each else 0,
        offer=offer,
        carried=_fullest(yardstick, gpu),
    )


def _fullest(yardstick: InferenceSpec, gpu: GpuSpec) -> Carried | None:
    """The replica shape with the most tokens per GPU; None: none serves it."""
    found = [
        carried[0]
        for count in COUNTS
        if (carried := gpu_capacities(yardstick, gpu, count, None)[0])
    ]
    return max(found, key=_rate_per_gpu, default=None)


def _rate_per_gpu(carried: Carried) -> float:
    return carried.requests_per_second.likely / carried.gpus
