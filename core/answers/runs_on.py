"""Which models given GPUs hold, in the most bits that fit, or how large they tune."""

from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import product
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from core.answers.answer import FORMATS, OFFERS, Answer, Money, Way
from core.answers.fit import NODE_SIZES, Fit, fit_on, layout_for
from core.answers.memory_need import formats_of
from core.estimate.formats import precisions_for
from core.estimate.training import estimate
from core.estimate.training_request import USUAL_SEQUENCE, TrainingRequest
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.market.named_gpus import cards, cheapest_bill
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.resolve.constraints import resolve_constraints
from core.units import BITS, Precision
from core.workload import TuningMethod

USUAL_CONTEXT = 8000
"""Tokens of one request, where none are stated: a chat with some history."""
LEAST_REQUESTS = 4
"""Requests that are held at once, where nobody says how many."""
A_REQUEST_OF = 8
"""People in conversation for each request at once: one every 75 s, answered in 10."""

SIZES_B = (
    1, 2, 3, 4, 7, 8, 10, 12, 14, 16, 20, 24, 27, 30, 32, 36, 40, 50, 60, 70, 85, 100,
    120, 150, 200, 250, 300, 405, 500, 600, 700, 1000, 1600,
)  # fmt: skip
"""Billions of parameters that are tried for tuning, dense."""
METHODS: tuple[TuningMethod, ...] = ("full", "lora", "qlora")
ALIVE = 3
"""APIs that still serve a model which a team would choose today."""


class Held(Struct, frozen=True):
    """A model in the format of most bits that fits with some requests beside it."""

    model: ModelSpec
    fit: Fit


class Tuned(Struct, frozen=True):
    """What so many cards tune by one method, in billions of parameters; 0: nothing."""

    gpus: int
    method: TuningMethod
    size_b: float
    lean_b: float
    """With 8-bit and paged optimisers."""


class RunsOn(Answer, frozen=True):
    """What the first named GPU holds, the largest model first."""

    gpu: GpuSpec
    held: tuple[Held, ...]
    gpus: int
    context: float
    requests: int
    more: tuple["RunsOn", ...] = ()
    """What more cards hold, where nobody says how many there are."""
    tuned: tuple[Tuned, ...] = ()
    """By method, and by the number of cards; empty: the models are served."""

    applies: ClassVar = OFFERS | FORMATS | {
        "context", "count", "concurrency", "users", "owned", "audience", "method",
        "tokens_per_sample",
    }  # fmt: skip

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each model on the GPUs, at their cheapest offer."""
        if self.tuned:
            return (Way(self, Money(), gpus=self.gpus),)
        return tuple(
            one.fit.bill.way(one, one.model.name)
            if one.fit.bill
            else Way(one, Money(), gpus=self.gpus, name=one.model.name)
            for one in self.held
        )

    @property
    def status(self) -> str:
        """Whether any known model fits."""
        found = self.held or any(one.held for one in self.more)
        return "ok" if found or any(t.lean_b for t in self.tuned) else "nothing_fits"

    def details(self) -> Mapping[str, object]:
        """The context and the requests that are held beside the weights."""
        if self.tuned:
            tuned = [asdict(one) for one in self.tuned]
            return {"sequence": self.context, "largest": tuned}
        return {"context": self.context, "requests_at_once": self.requests}

    def largest(self, bits: int) -> Held | None:
        """The largest model in a format of at least so many bits."""
        kept = (one for one in self.held if BITS[one.fit.weights] >= bits)
        return max(kept, key=lambda one: one.model.params_b, default=None)


def answer_runs_on(
    query: Query,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
    sellers: Callable[[ModelSpec], int] = lambda model: ALIVE,
) -> RunsOn | None:
    """The models that stand for a size, as far as the GPUs hold them.

    `sellers`: how many APIs serve a model today. What hardly anybody serves any more
    is left out, unless nothing else is held.
    """
    limits = resolve_constraints(query, reference)
    gpus = cards(query, limits, catalog, reference, now)
    if not gpus:
        return None
    if query.kind in ("training", "finetune"):
        return _tunes(query, gpus[0], reference)
    if query.count is None:
        of_each = (query.model_copy(update={"count": count}) for count in NODE_SIZES)
        each = (
            answer_runs_on(one, catalog, reference, now, sellers) for one in of_each
        )
        first, *more = (one for one in each if one is not None)
        return replace(first, more=tuple(more))
    gpu, count = gpus[0], query.count
    bill = None
    if not query.owned:
        bill = cheapest_bill(gpu, count, limits, catalog, reference, now)
    context = query.context or USUAL_CONTEXT
    people = max(LEAST_REQUESTS, round((query.users or 0) / A_REQUEST_OF))
    requests = max(round(query.concurrency or people), 1)
    found = []
    for model in reference.models.values():
        if not model.representative_of:
            continue
        layout = layout_for(model, gpu, count)
        served = {*precisions_for(gpu), "int8", "int4"}
        for weights in _formats(query, model):
            if weights not in served:
                continue
            fit = fit_on(model, gpu, layout, weights, context, bill=bill)
            if fit.sequences >= requests and context <= model.context:
                found.append(Held(model, fit))
                break
    found.sort(key=lambda one: -one.model.params_b)
    found = [one for one in found if sellers(one.model) >= ALIVE] or found
    return RunsOn(gpu, tuple(found), count, context, requests)


def _tunes(query: Query, gpu: GpuSpec, reference: Reference) -> RunsOn:
    """The largest size by each method on the stated cards, or on each usual number."""
    sequence = query.tokens_per_sample or query.context or USUAL_SEQUENCE["finetune"]

    def largest(gpus: int, method: TuningMethod, *, lean: bool) -> float:
        fitting = 0.0
        for size in SIZES_B:
            run = TrainingRequest(
                model=reference.representative(size), gpu=gpu, gpus=gpus, method=method,
                sequence=sequence, micro_batch=1, task="finetune", lean=lean,
            )  # fmt: skip
            if estimate(run).fits:
                fitting = float(size)
            elif size > 2 * fitting + 2:
                break
        return fitting

    counts = (query.count,) if query.count else NODE_SIZES
    asked = [one for one in METHODS if one in (query.method or METHODS)] or METHODS
    tuned = tuple(
        Tuned(*way, largest(*way, lean=False), largest(*way, lean=True))
        for way in product(counts, asked)
    )
    return RunsOn(gpu, (), counts[0], sequence, 1, tuned=tuned)


def _formats(query: Query, model: ModelSpec) -> tuple[Precision, ...]:
    """The most bits first; 8 of them as the GPU has them, FP8 or INT8."""
    usual: list[Precision] = []
    for one in formats_of(model):
        usual += [one, "int8"] if one == "fp8" else [one]
    return query.precision or tuple(usual)
