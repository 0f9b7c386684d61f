"""Does it fit: the memory arithmetic of one GPU, and the nearest yes to a no."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import FORMATS, HOURS, LENGTHS, OFFERS, Answer, Money, Way
from core.estimate.formats import precisions_for
from core.estimate.memory import kv_bytes, max_batch, memory_estimate
from core.estimate.parallel import Layout, layouts
from core.estimate.results import MemoryEstimate
from core.estimate.serving import engine_kv
from core.estimate.slices import mig_slices
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.market.board import Bill, bill_for, bill_order
from core.market.market import Use, market_of
from core.market.named_gpus import cards, cheapest_bill
from core.offers import Catalog, Offer
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.serving import serving_constants
from core.sizing.fleet import best_precision
from core.units import BITS, GB, Precision
from core.workload import InferenceSpec, Resolved

LISTED = 12
NODE_SIZES = (1, 2, 4, 8)
"""GPU counts tried, fewest first, where the question names no hardware."""


class Fit(Struct, frozen=True):
    """One model in one format on so many GPUs: what goes where, per GPU."""

    gpu: GpuSpec
    layout: Layout
    weights: Precision
    kv: Precision
    memory: MemoryEstimate
    context: float
    sequences: int
    """Requests of the whole context that the memory holds at once."""
    longest: int
    """Tokens of context of one request alone, at most what the model takes."""
    bill: Bill | None = None

    @property
    def gpus(self) -> int:
        """GPUs that hold the model together."""
        return self.layout.gpus

    @property
    def fits(self) -> bool:
        """Whether at least one request of the context runs."""
        return self.sequences >= 1

    def longest_of(self, model: ModelSpec, requests: int, most: int) -> int:
        """Tokens of context that each of so many requests may have, at most `most`.

        A cache is no straight line of its length: windows are full early.
        """
        together = math.ceil(requests / self.layout.attention_dp)
        room = self.memory.free_for_kv_gb * GB / together

        def is_over(length: int) -> bool:
            return kv_bytes(model, self.kv, length, self.layout) > room

        return bisect_left(range(1, most + 1), True, key=is_over)

    @property
    def over_wide(self) -> bool:
        """Whether it needs tensor parallelism over PCIe beyond a pair of cards."""
        return self.gpu.link_gb_s == 0 and self.layout.tp > 2


class FitAnswer(Answer, frozen=True):
    """The asked configuration first, then the others that were looked at."""

    resolved: Resolved
    spec: InferenceSpec
    context: float
    fits: tuple[Fit, ...]
    nearest: tuple[Fit, ...] = ()
    """Where the answer is no: fewer bits, more GPUs, another GPU; what there is."""
    hardware_named: bool = True
    smaller: Fit | None = None
    """Where the answer is yes: the cheapest single card that does as well."""
    slices: tuple[int, float] | None = None
    """MIG slices of one GPU that each hold the model, and their GB; None: none do."""
    figure: str = ""
    """What is asked for beside a yes: "gpus_to_hold" or "longest_context"."""
    requests: int = 1
    """Requests that are to be held at once."""
    at_once: int = 1
    """Of them those that were said to run at once, not people."""
    users: int | None = None
    """People who are told of; None: none are, or requests at once."""

    applies: ClassVar = (
        LENGTHS | FORMATS | OFFERS | HOURS | {"concurrency", "users", "count_is_most"}
    )

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every configuration, what the verdict is about first."""
        return tuple(
            fit.bill.way(fit) if fit.bill else Way(fit, Money(), gpus=fit.gpus)
            for fit in self.looked_at
        )

    @property
    def status(self) -> str:
        """Whether what was asked about holds the model."""
        return "ok" if self.holds else "does_not_fit"

    @property
    def holds(self) -> bool:
        """Whether the model fits, and as many requests at once as were asked for."""
        return bool(
            self.asked
            and self.asked.fits
            and (self.figure or self.asked.sequences >= self.at_once)
        )

    def details(self) -> Mapping[str, object]:
        """The formats that were asked about, and the nearest that do."""
        told = {"alternatives": self.fits[1:], "nearest": self.nearest}
        return told | ({"requests_at_once": self.requests} if self.figure else {})

    @property
    def asked(self) -> Fit | None:
        """What the verdict is about."""
        return self.fits[0] if self.fits else None

    @property
    def too_large(self) -> tuple[Fit, ...]:
        """The formats of the asked GPU that do not fit, where another one does."""
        asked = self.asked
        if asked is None or not asked.fits:
            return ()
        same = (fit for fit in self.fits if fit.gpu.id == asked.gpu.id)
        return tuple(fit for fit in same if not fit.fits)

    @property
    def looked_at(self) -> tuple[Fit, ...]:
        """Every configuration once: the asked ones, then the nearest."""
        more = (fit for fit in self.nearest if fit not in self.fits)
        return (*self.fits, *more)


def answer_fit(
    query: Query,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> FitAnswer:
    """Whether a model fits in the named GPUs' memory, or into which GPUs it does."""
    context = query.context or spec.input_tokens + spec.output_tokens
    shop = _Shop(spec, context, catalog, reference, now)
    gpus = cards(query, spec.constraints, catalog, reference, now)
    requests = max(round(query.concurrency or query.users or 1), 1)
    if not gpus:
        found = tuple(shop.smallest_count())
        return FitAnswer(resolved, spec, context, found, (), False)
    if query.wanted == "gpus_to_hold":
        held = [fit for gpu in gpus for fit in shop.fewest(gpu, requests)]
        if len(gpus) > 1:
            held.sort(key=lambda fit: (fit.gpus, _monthly(fit)))
        held.sort(key=lambda fit: fit.sequences < requests)
        return FitAnswer(
            resolved, spec, context, tuple(held), figure=query.wanted, requests=requests
        )
    fits = [fit for gpu in gpus for fit in shop.named(gpu)]
    if not spec.precisions:
        # nobody asked for a format: a yes in any is a yes, a no is one in the smallest
        fits.sort(key=lambda fit: (not fit.fits, 0 if fit.fits else _bits(fit)))
    asked = fits[0] if fits else None
    if asked is None or not asked.fits:
        nearest = tuple(shop.nearest_to(asked)) if asked else ()
        return FitAnswer(resolved, spec, context, tuple(fits), nearest)
    at_once = max(round(query.concurrency or 1), 1)
    if asked.sequences < at_once and query.wanted != "longest_context":
        roomy = [one for one in fits[1:] if one.sequences >= at_once]
        roomy += shop.fewest(asked.gpu, at_once)
        roomy = [one for one in roomy if one.sequences >= at_once]
        roomy.sort(key=lambda one: (one.gpus, -_bits(one)))
        nearest = tuple(dict.fromkeys(roomy))
        return FitAnswer(
            resolved, spec, context, tuple(fits), nearest, requests=at_once,
            at_once=at_once,
        )  # fmt: skip
    return FitAnswer(
        resolved,
        spec,
        context,
        tuple(fits),
        smaller=shop.smaller_than(asked),
        slices=shop.slices(asked),
        users=None if query.concurrency or not query.users else round(query.users),
        figure=query.wanted if query.wanted == "longest_context" else "",
        requests=requests,
    )


def _bits(fit: Fit) -> int:
    return BITS[fit.weights]


def fit_on(
    model: ModelSpec,
    gpu: GpuSpec,
    layout: Layout,
    weights: Precision,
    context: float,
    kv: Precision | None = None,
    bill: Bill | None = None,
) -> Fit:
    """Lay one model out and count the requests that the rest of the memory holds."""
    known = serving_constants()
    engine = known.engine[known.engine_key(None, "open_loop", gpu)]
    cache = kv or engine_kv(engine, gpu, weights)
    memory = memory_estimate(model, gpu, layout, weights, cache, context, engine)
    fit = Fit(
        gpu=gpu,
        layout=layout,
        weights=weights,
        kv=cache,
        memory=memory,
        context=context,
        sequences=max_batch(memory, layout),
        longest=0,
        bill=bill,
    )
    return replace(
        fit, longest=fit.longest_of(model, 1, max(model.context, int(context)))
    )


def layout_for(model: ModelSpec, gpu: GpuSpec, gpus: int) -> Layout:
    """The widest replica shape within so many GPUs."""
    within = [layout for layout in layouts(model, gpu) if layout.gpus <= gpus]
    return within[-1] if within else Layout()


class _Shop(Struct, frozen=True):
    """What every candidate is laid out with and priced at."""

    spec: InferenceSpec
    context: float
    catalog: Catalog
    reference: Reference
    now: datetime

    def named(self, gpu: GpuSpec) -> list[Fit]:
        """The named GPUs in each format that may be used, the asked one first."""
        count = self.spec.constraints.count or 1
        layout = layout_for(self.spec.model, gpu, count)
        return [self.fit(gpu, layout, weights) for weights in self._formats(gpu)]

    def fewest(self, gpu: GpuSpec, requests: int) -> Iterator[Fit]:
        """The fewest of a GPU that hold so many requests, in each format.

        In steps that serve: powers of two within a node, then whole nodes. Of a format
        that even the most do not hold, the most.
        """
        for weights in self._formats(gpu):
            tried = [
                self.fit(gpu, layout, weights)
                for layout in layouts(self.spec.model, gpu)
            ]
            held = (fit for fit in tried if fit.sequences >= requests)
            yield next(held, tried[-1])

    def _formats(self, gpu: GpuSpec) -> tuple[Precision, ...]:
        """The formats that may be used, the asked or usual one first."""
        first = best_precision(self.spec, gpu)
        usual = [first] if first else []
        named = self.spec.precisions or (*usual, *precisions_for(gpu))
        return tuple(dict.fromkeys(named))

    def fit(self, gpu: GpuSpec, layout: Layout, weights: Precision) -> Fit:
        """One configuration with its cheapest bill."""
        spec, market = self.spec, (self.catalog, self.reference, self.now)
        bill = cheapest_bill(gpu, layout.gpus, spec.constraints, *market)
        return fit_on(
            spec.model, gpu, layout, weights, self.context, spec.kv_precision, bill
        )

    def nearest_to(self, asked: Fit) -> Iterator[Fit]:
        """A smaller KV cache, fewer bits, more of the GPUs, or other GPUs."""
        yield from self._smaller_cache(asked)
        yield from self._fewer_bits(asked)
        yield from self._more_gpus(asked)
        yield from self.cards(asked.gpus, asked.weights, asked.gpu.memory_gb)[:1]

    def smaller_than(self, asked: Fit) -> Fit | None:
        """The cheapest card of its own that holds the model for less money."""
        if asked.gpus > 1 or asked.bill is None:
            return None
        limits = self.spec.constraints.model_copy(update={"gpus": (), "count": None})
        free = replace(self, spec=self.spec.model_copy(update={"constraints": limits}))
        cheapest = free.cards(1, asked.weights)[:1]
        usd = asked.bill.usd_per_month
        found = (c for c in cheapest if c.bill and c.bill.usd_per_month < usd)
        return next(found, None)

    def slices(self, asked: Fit) -> tuple[int, float] | None:
        """The smallest MIG slices that each hold the model, on one GPU."""
        if asked.gpus > 1:
            return None
        where = Layout(), asked.weights, self.context
        for cut in mig_slices(asked.gpu):
            if fit_on(self.spec.model, cut, *where).fits:
                return slices_of(asked.gpu, cut), cut.memory_gb
        return None

    def _smaller_cache(self, asked: Fit) -> list[Fit]:
        """FP8 KV cache, where the weights leave room for half a request."""
        if asked.memory.free_for_kv_gb <= 0 or BITS[asked.kv] <= 8:
            return []
        where = asked.gpu, asked.layout, asked.weights, asked.context
        halved = fit_on(self.spec.model, *where, "fp8", asked.bill)
        return [halved] if halved.fits else []

    def _fewer_bits(self, asked: Fit) -> list[Fit]:
        fewer = [
            weights
            for weights in precisions_for(asked.gpu)
            if BITS[weights] < BITS[asked.weights]
        ]
        found = (self.fit(asked.gpu, asked.layout, weights) for weights in fewer)
        return [fit for fit in found if fit.fits][:1]

    def _more_gpus(self, asked: Fit) -> list[Fit]:
        found = (
            self.fit(asked.gpu, layout, asked.weights)
            for layout in layouts(self.spec.model, asked.gpu)
            if layout.gpus > asked.gpus
        )
        return [fit for fit in found if fit.fits][:1]

    def smallest_count(self) -> list[Fit]:
        """The cards that hold the model with the fewest GPUs, cheapest first."""
        counts = (self.spec.constraints.count,) if self.spec.constraints.count else ()
        tried = (self.cards(gpus) for gpus in counts or NODE_SIZES)
        return next((found for found in tried if found), [])

    def cards(
        self, gpus: int, weights: Precision | None = None, above_gb: float = 0
    ) -> list[Fit]:
        """The cheapest so many GPUs of a kind that hold the model and can be rented."""
        return self.holding(gpus, weights, above_gb)[:LISTED]

    def holding(
        self, gpus: int, weights: Precision | None = None, above_gb: float = 0
    ) -> list[Fit]:
        """Every so many GPUs of a kind that hold the model, cheapest month first."""
        limits = self.spec.constraints.model_copy(update={"gpus": (), "count": None})
        use = Use(limits, live=True, now=self.now)
        market = market_of(self.catalog, use, self.reference)
        found = (
            self._card(self.reference.gpus[name], gpus, weights, offers)
            for name, offers in market.by_gpu.items()
            if self.reference.gpus[name].memory_gb > above_gb
        )
        fitting = (fit for fit in found if fit and fit.fits and not fit.over_wide)
        return sorted(fitting, key=_monthly)

    def _card(
        self, gpu: GpuSpec, gpus: int, weights: Precision | None, offers: list[Offer]
    ) -> Fit | None:
        spec, chosen = self.spec, weights or best_precision(self.spec, gpu)
        layout = layout_for(spec.model, gpu, gpus)
        if chosen is None or layout.gpus != gpus:
            return None
        bills = (bill_for(offer, gpus, spec.constraints) for offer in offers)
        bill = min(bills, key=bill_order)
        kv = spec.kv_precision
        return fit_on(spec.model, gpu, layout, chosen, self.context, kv, bill)


def cheapest_holding(
    spec: InferenceSpec,
    context: float,
    requests: int,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    most: int | None = None,
) -> Fit | None:
    """The cheapest GPUs that hold a model and so many requests at once; None: none.

    `most`: how many GPUs it may be.
    """
    shop = _Shop(spec, context, catalog, reference, now)
    held = (
        fit
        for gpus in NODE_SIZES
        if most is None or gpus <= most
        for fit in shop.holding(gpus)
        if fit.sequences >= requests
    )
    return min(held, key=_monthly, default=None)


def _monthly(fit: Fit) -> tuple[float, str]:
    usd = float(fit.bill.usd_per_month) if fit.bill else math.inf
    return usd, fit.gpu.id


def slices_of(gpu: GpuSpec, cut: GpuSpec) -> int:
    """How many slices of a size one GPU yields: whichever of memory and cores ends."""
    memory = round(gpu.memory_gb / cut.memory_gb)
    name = next(iter(gpu.tflops))
    cores = math.floor(gpu.tflops[name] / cut.tflops[name] + 1e-9)
    return min(memory, cores)
