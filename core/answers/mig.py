"""Several models on one GPU, isolated: which MIG slice holds one, and how many fit."""

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import (
    FORMATS,
    HOURS,
    LATENCY,
    LENGTHS,
    OFFERS,
    Answer,
    Money,
    Way,
)
from core.answers.capacity import Carried, gpu_capacities
from core.answers.fit import Fit, fit_on, slices_of
from core.estimate.parallel import Layout
from core.estimate.slices import mig_slices
from core.hardware import GpuSpec
from core.market.named_gpus import cheapest_bill, named_gpus
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.sizing.fleet import best_precision
from core.units import Precision
from core.workload import InferenceSpec, Resolved

OFFERED = 3
"""Other GPUs that are shown, cut into slices, beside those that are named."""


class Slicing(Struct, frozen=True):
    """One way to cut a GPU: so many equal slices, one model in each."""

    gpu: GpuSpec
    slice: GpuSpec
    slices: int
    """Slices of this size that one GPU yields."""
    fit: Fit
    """One model in one slice; its bill is for the whole GPUs."""
    carried: Carried | None
    """What one slice serves; None: not within the latency limits."""
    slow: str
    """Why a slice serves nothing within them; empty where it does."""
    gpus: int
    """GPUs for all the models."""


class MigAnswer(Answer, frozen=True):
    """Whether so many isolated models fit on the GPUs that were named."""

    resolved: Resolved
    spec: InferenceSpec
    context: float
    gpus_named: int
    """0: as many as it takes."""
    slicings: tuple[Slicing, ...]
    """Of the first named GPU, the smallest slice that holds a model first; where none
    is named, of the cheapest GPUs."""
    without: tuple[GpuSpec, ...]
    """Named GPUs that cannot be sliced."""
    shared: Fit | None
    """All models side by side on one GPU, without isolation."""
    nearest: tuple[Slicing, ...] = ()
    """Where the answer is no: other GPUs that can be sliced so."""
    whole: tuple[Slicing, ...] = ()
    """The other named GPUs, with one model on each, uncut."""

    applies: ClassVar = LENGTHS | LATENCY | FORMATS | OFFERS | HOURS | {"model_count"}

    @property
    def ways(self) -> tuple[Way, ...]:
        """The slicing that needs the fewest GPUs, as a bill for whole GPUs."""
        best = self.best
        if best is None:
            return ()
        bill = best.fit.bill
        if bill is None:
            return (Way(best, Money(), gpus=best.gpus),)
        others = (one.fit.bill.way(one) for one in self.whole if one.fit.bill)
        return (bill.way(best, "the slices"), *others)

    @property
    def status(self) -> str:
        """Whether the named GPUs hold every model in a slice of its own."""
        return "ok" if self.yes else "does_not_fit"

    def details(self) -> Mapping[str, object]:
        """Every slice size, and the GPUs that would do."""
        cuts = (*self.slicings, *self.nearest, *self.whole)
        return {
            "alternatives": self.slicings,
            "nearest": self.nearest,
            "prices": [cut.fit.bill.offer for cut in cuts if cut.fit.bill],
        }

    @property
    def best(self) -> Slicing | None:
        """The slicing that needs the fewest GPUs."""
        holding = [cut for cut in self.slicings if cut.fit.fits]
        return min(holding, key=_fewest, default=None)

    @property
    def yes(self) -> bool:
        """Whether the named GPUs hold every model, each in its own slice."""
        if self.best is None:
            return False
        return not self.gpus_named or self.best.gpus <= self.gpus_named


def answer_mig(
    query: Query,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> MigAnswer:
    """Cut the named GPUs, or where they do not do the cheapest ones, into slices."""
    context = query.context or spec.input_tokens + spec.output_tokens
    bench = _Bench(spec, context, catalog, reference, now)
    named = named_gpus(query, reference)
    slicings = [cut for gpu in named[:1] for cut in bench.slicings(gpu)]
    if not named:
        slicings = bench.elsewhere(set())[:OFFERED]
    answer = MigAnswer(
        resolved=resolved,
        spec=spec,
        context=context,
        gpus_named=_named_of_first(query, len(named)) or 0,
        slicings=tuple(slicings),
        without=tuple(gpu for gpu in named[:1] if not gpu.mig_instances),
        shared=bench.shared(named[0]) if named else None,
        whole=tuple(bench.alone(named[1:])),
    )
    if answer.yes and answer.best and answer.best.gpus == 1:
        return answer
    others = bench.elsewhere({gpu.id for gpu in named}) if named else []
    return replace(answer, nearest=tuple(others[:OFFERED]))


def _named_of_first(query: Query, kinds: int) -> int | None:
    """How many of the GPUs to cut are named; one count of several kinds tells none."""
    if query.gpu_counts:
        return query.gpu_counts[0]
    return query.count if kinds < 2 else None


class _Bench(Struct, frozen=True):
    spec: InferenceSpec
    context: float
    catalog: Catalog
    reference: Reference
    now: datetime

    def slicings(self, gpu: GpuSpec) -> Iterator[Slicing]:
        """Every profile of a GPU with one model in each slice."""
        weights = best_precision(self.spec, gpu)
        if weights is not None:
            yield from (self._slicing(gpu, cut, weights) for cut in mig_slices(gpu))

    def alone(self, gpus: tuple[GpuSpec, ...]) -> Iterator[Slicing]:
        """One model on each whole GPU, where that holds it."""
        for gpu in gpus:
            weights = best_precision(self.spec, gpu)
            whole = self._slicing(gpu, gpu, weights) if weights else None
            if whole is not None and whole.fit.fits:
                yield whole

    def _slicing(self, gpu: GpuSpec, cut: GpuSpec, weights: Precision) -> Slicing:
        spec, limits = self.spec, self.spec.constraints
        slices = slices_of(gpu, cut)
        gpus = math.ceil(spec.model_count / slices)
        market = (self.catalog, self.reference, self.now)
        bill = cheapest_bill(gpu, gpus, limits, *market)
        one = spec.model_copy(update={"precisions": (weights,)})
        carried, refused = gpu_capacities(one, cut, 1, None)
        slow = refused[0].why if refused and refused[0].rule == "latency" else ""
        fit = fit_on(spec.model, cut, Layout(), weights, self.context, None, bill)
        return Slicing(
            gpu, cut, slices, fit, carried[0] if carried else None, slow, gpus
        )

    def shared(self, gpu: GpuSpec) -> Fit | None:
        """All models on one GPU, whose memory the others shrink by their weights."""
        weights = best_precision(self.spec, gpu)
        if weights is None:
            return None
        alone = fit_on(self.spec.model, gpu, Layout(), weights, self.context)
        taken = (self.spec.model_count - 1) * (
            alone.memory.weights_gb + alone.memory.runtime_gb
        )
        smaller = gpu.model_copy(
            update={
                "memory_gb": max(gpu.memory_gb - taken, 0.1),
                "usable_memory_gib": None,
            }
        )
        return fit_on(self.spec.model, smaller, Layout(), weights, self.context)

    def elsewhere(self, named: set[str]) -> list[Slicing]:
        """The cheapest holding slicing of each other GPU that can be rented."""
        found = []
        for name in self.catalog.gpus - named:
            gpu = self.reference.gpus.get(name)
            if gpu is None or not gpu.mig_instances:
                continue
            holding = [cut for cut in self.slicings(gpu) if cut.fit.fits]
            priced = [cut for cut in holding if cut.fit.bill is not None]
            found += [min(priced, key=lambda cut: cut.gpus)] if priced else []
        return sorted(found, key=_monthly)


def _fewest(cut: Slicing) -> tuple[int, float]:
    return cut.gpus, _monthly(cut)[0]


def _monthly(cut: Slicing) -> tuple[float, str]:
    bill = cut.fit.bill
    return float(bill.usd_per_month) if bill else math.inf, cut.gpu.id
