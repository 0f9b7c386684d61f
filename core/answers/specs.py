"""GPUs side by side without a workload: what they are, and what a dollar buys."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import chain, repeat
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import OFFERS, Answer, Money, Way
from core.answers.capacity import Carried, gpu_capacities
from core.answers.fit import fit_on
from core.estimate.formats import compute_rate, sixteen_bit_tflops
from core.estimate.parallel import Layout
from core.hardware import GpuSpec
from core.market.named_gpus import cheapest_offer
from core.money.costs import exact
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.units import Precision
from core.workload import Constraints, InferenceSpec

COUNTS = (1, 2, 4, 8)
"""GPUs tried for the yardstick model: the count with the most tokens per GPU counts."""


class SpecEntry(Struct, frozen=True):
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
    gpus: int = 1
    """How many are held against the others: "4 a100 vs 2 h100"."""

    def tokens_per_gpu(self, output_tokens: float) -> float | None:
        """Output tokens per second and GPU of the yardstick within its latency."""
        if self.carried is None:
            return None
        rate = self.carried.requests_per_second.likely
        return rate * output_tokens / self.carried.gpus

    @property
    def usd_per_hour(self) -> Decimal | None:
        """Of all of them; None: no price is known."""
        return self.offer.usd_per_gpu_hour * self.gpus if self.offer else None

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

    def _per(self, amount: float) -> Decimal | None:
        if self.offer is None or amount <= 0:
            return None
        return self.offer.usd_per_gpu_hour / exact(amount)


class SpecComparison(Answer, frozen=True):
    """The named GPUs in the order of the question, and the yardstick model."""

    entries: tuple[SpecEntry, ...]
    yardstick: InferenceSpec

    applies: ClassVar = OFFERS

    @property
    def ways(self) -> tuple[Way, ...]:
        """The GPUs in the order of the question, at their lowest price by the hour."""
        return tuple(
            Way(entry, Money(hour=entry.usd_per_hour), entry.offer, entry.gpus)
            for entry in self.entries
        )

    def details(self) -> Mapping[str, object]:
        """Ratios of the first GPU over the second, and the model they are tried on."""
        answer = self.yardstick.output_tokens
        return {
            "recommendation": None,
            "alternatives": [
                {
                    "*": entry,
                    "yardstick_tokens_per_second_per_gpu": entry.tokens_per_gpu(answer),
                }
                for entry in self.entries
            ],
            "ratios_first_over_second": self.ratios,
            "price_ratio": self.price_ratio,
            "yardstick": self.yardstick.model.id,
        }

    @property
    def ratios(self) -> dict[str, float] | None:
        """The first GPU over the second: what each kind of work gains."""
        if len(self.entries) < 2:
            return None
        one, other = self.entries[:2]
        each = {
            "bandwidth": one.gpu.bandwidth_gb_s / other.gpu.bandwidth_gb_s,
            "compute": one.tflops / other.tflops,
            "memory": one.gpu.memory_gb / other.gpu.memory_gb,
        }
        return {kind: ratio * one.gpus / other.gpus for kind, ratio in each.items()}

    @property
    def counted(self) -> bool:
        """Whether fleets are compared, not single GPUs."""
        return any(entry.gpus > 1 for entry in self.entries)

    @property
    def price_ratio(self) -> float | None:
        """The first GPU's price over the second's; None: one has none."""
        if len(self.entries) < 2:
            return None
        one, other = self.entries[:2]
        if one.usd_per_hour is None or not other.usd_per_hour:
            return None
        return float(one.usd_per_hour / other.usd_per_hour)


def compare_specs(
    gpus: Iterable[GpuSpec],
    yardstick: InferenceSpec,
    constraints: Constraints,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    counts: Sequence[int] = (),
) -> SpecComparison:
    """Lay the GPUs' datasheets, cheapest prices and one estimate side by side."""
    market = (constraints, catalog, reference, now)
    entries = (_entry(gpu, yardstick, cheapest_offer(gpu, *market)) for gpu in gpus)
    counted = zip(entries, chain(counts, repeat(1)), strict=False)
    return SpecComparison(
        tuple(replace(entry, gpus=number) for entry, number in counted), yardstick
    )


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
