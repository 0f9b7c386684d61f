"""The lowest latency that can be rented: one request alone, on every GPU and shape."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import FORMATS, HOURS, LENGTHS, OFFERS, Answer, Rejection, Way
from core.estimate.capacity import ReplicaCapacity, capacity
from core.hardware import GpuSpec
from core.market.board import Bill, bill_for, bill_order
from core.market.market import Use, market_of
from core.market.recommendation import Recommendation
from core.offers import Catalog, Offer
from core.reference.catalogue import Reference
from core.sizing.fleet import AGED, best_precision, usable_layouts
from core.workload import InferenceSpec, LatencyTargets, Resolved

ALONE = LatencyTargets(tpot_ms=1e-6)
"""A limit that nothing meets: the latencies are then those of one request alone."""
NEARLY = 1.5
"""A whole answer that takes so many times the quickest is felt as hardly slower."""


AS_QUICK = 1.02
"""Estimates do not tell answers apart that differ by less: the cheaper leads."""


class Quick(Struct, frozen=True):
    """One replica with one request in it."""

    gpu: GpuSpec
    alone: ReplicaCapacity
    bill: Bill

    @property
    def answer_ms(self) -> float:
        """Mean time of the whole answer."""
        return self.alone.e2e_ms


class QuickAnswer(Answer, frozen=True):
    """The quickest shape of each GPU, the quickest first."""

    resolved: Resolved
    spec: InferenceSpec
    quick: tuple[Quick, ...]
    rejections: tuple[Rejection, ...]

    applies: ClassVar = LENGTHS | FORMATS | OFFERS | HOURS

    @property
    def ways(self) -> tuple[Way, ...]:
        """The quickest shape of each GPU, the quickest first."""
        return tuple(one.bill.way(one) for one in self.quick)

    @property
    def status(self) -> str:
        """Whether anything that is sold holds the model."""
        return "ok" if self.quick else "nothing_serves"

    @property
    def thrifty(self) -> Quick | None:
        """The cheapest that is hardly slower, where it is not the quickest itself."""
        limit = self.quick[0].answer_ms * NEARLY if self.quick else 0
        near = [one for one in self.quick[1:] if one.answer_ms <= limit]
        best = min(near, key=lambda one: bill_order(one.bill), default=None)
        if best is None or bill_order(best.bill) >= bill_order(self.quick[0].bill):
            return None
        return best


def answer_quickest(
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> QuickAnswer:
    """Time one request on the named GPUs, or on every GPU that is sold."""
    use = Use(spec.constraints, live=True, now=now)
    market = market_of(catalog, use, reference)
    found = [
        one
        for gpu, offers in market.by_gpu.items()
        for one in _shapes(spec, reference.gpus[gpu], offers)
    ]
    best: dict[str, Quick] = {}
    for one in sorted(found, key=_order):
        best.setdefault(one.gpu.id, one)
    quick = _cheaper_of_equals(list(best.values()))
    return QuickAnswer(resolved, spec, tuple(quick), tuple(market.rejections()))


PACES_MS = (40, 30, 25, 20, 17, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2.5, 2, 1.5, 1)
"""Times per token that are tried for a load, in milliseconds."""


def quickest_fleet(
    sized: Callable[[float], Recommendation],
) -> Recommendation | None:
    """The tightest pace that a fleet keeps at the load and within the budget.

    `sized`: the recommendation under a limit on the time per token, in milliseconds.
    None: not even the loosest is kept.
    """
    best: Recommendation | None = None
    low, high = 0, len(PACES_MS) - 1
    while low <= high:
        middle = (low + high) // 2
        found = sized(PACES_MS[middle])
        if found.status == "ok" and found.options:
            best = found
            low = middle + 1
        else:
            high = middle - 1
    return best


def _cheaper_of_equals(quick: list[Quick]) -> list[Quick]:
    """The same in order of time, those as quick as the first in order of money."""
    limit = quick[0].answer_ms * AS_QUICK if quick else 0.0
    equal = [one for one in quick if one.answer_ms <= limit]
    rest = [one for one in quick if one.answer_ms > limit]
    return [*sorted(equal, key=lambda one: bill_order(one.bill)), *rest]


def _shapes(
    spec: InferenceSpec, gpu: GpuSpec, offers: Iterable[Offer]
) -> Iterable[Quick]:
    weights = best_precision(spec, gpu)
    aged = gpu.architecture in AGED and gpu.id not in spec.constraints.gpus
    if weights is None or aged:
        return
    rented = list(offers)
    for layout in usable_layouts(spec, gpu):
        alone = capacity(
            spec.model, gpu, layout, weights, spec.kv_precision,
            spec.input_tokens, spec.output_tokens, ALONE,
            cache_hit_rate=spec.cache_hit_rate,
        )  # fmt: skip
        if alone.fits:
            bills = (bill_for(o, layout.gpus, spec.constraints) for o in rented)
            yield Quick(gpu, alone, min(bills, key=bill_order))


def _order(one: Quick) -> tuple[float, float]:
    return one.answer_ms, float(one.bill.usd_per_month)
