"""The smallest single GPU that holds a model and a request, format by format."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from core.answers.answer import FORMATS, LENGTHS, OFFERS, Answer, Money, Way
from core.answers.memory_need import formats_of
from core.estimate.formats import precisions_for
from core.estimate.memory import max_batch, memory_of
from core.estimate.parallel import Layout
from core.estimate.serving import engine_kv
from core.estimate.shape import shape_of
from core.hardware import GpuSpec
from core.market.board import Bill, bill_for
from core.market.named_gpus import cheapest_offer
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.serving import serving_constants
from core.sizing.fleet import AGED
from core.units import Precision
from core.workload import InferenceSpec, Resolved


@dataclass(frozen=True, slots=True)
class Smallest:
    """The least memory that holds the model in one format."""

    weights: Precision
    gpu: GpuSpec
    requests: int
    """Requests of the context that it holds at once."""
    bill: Bill | None
    """None: nobody in the catalogue sells it."""


@dataclass(frozen=True, slots=True)
class SmallestAnswer(Answer):
    """One GPU a format, the most bits first."""

    resolved: Resolved
    spec: InferenceSpec
    context: float
    found: tuple[Smallest, ...]

    applies: ClassVar = LENGTHS | FORMATS | OFFERS

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each format's GPU at its cheapest offer."""
        return tuple(
            one.bill.way(one) if one.bill else Way(one, Money()) for one in self.found
        )

    def details(self) -> Mapping[str, object]:
        """The context that one request of is held."""
        return {"context": self.context}


def answer_smallest(
    query: Query,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> SmallestAnswer:
    """The smallest single GPU of each format; of equal ones, the cheapest sold."""
    context = query.context or spec.input_tokens + spec.output_tokens
    found = []
    for weights in query.precision or formats_of(spec.model):
        holders = [
            Smallest(weights, gpu, requests, None)
            for gpu in reference.gpus.values()
            if _usable(gpu, spec, catalog)
            and (requests := _holds(spec, gpu, weights, context))
        ]
        if not holders:
            continue
        least = min(one.gpu.memory_gb for one in holders)
        priced = [
            Smallest(
                weights, one.gpu, one.requests,
                _bill(one.gpu, spec, catalog, reference, now),
            )
            for one in holders
            if one.gpu.memory_gb == least
        ]  # fmt: skip
        found.append(min(priced, key=_order))
    return SmallestAnswer(resolved, spec, context, tuple(found))


def _order(one: Smallest) -> tuple[bool, float, str]:
    usd = float(one.bill.usd_per_month) if one.bill else 0.0
    return one.bill is None, usd, one.gpu.id


def _usable(gpu: GpuSpec, spec: InferenceSpec, catalog: Catalog) -> bool:
    """Whether it may be used, and somebody sells it, where it is not named."""
    limits = spec.constraints
    if limits.gpus:
        return gpu.id in limits.gpus
    if gpu.id not in catalog.gpus:
        return False
    ruled_out = gpu.id in limits.gpus_excluded
    consumer = gpu.consumer and not limits.consumer
    return not ruled_out and not consumer and gpu.architecture not in AGED


def _holds(
    spec: InferenceSpec, gpu: GpuSpec, weights: Precision, context: float
) -> int:
    """Requests that one GPU holds beside the weights; 0: none, or not so served."""
    if weights not in (*precisions_for(gpu), "int8", "int4"):
        return 0
    engine = serving_constants().engine["vllm"]
    cache = engine_kv(engine, gpu, weights)
    memory = memory_of(
        shape_of(spec.model), gpu, Layout(), weights, cache, context, engine
    )
    return max_batch(memory, Layout())


def _bill(
    gpu: GpuSpec,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Bill | None:
    limits = spec.constraints
    offer = cheapest_offer(gpu, limits, catalog, reference, now)
    return bill_for(offer, 1, limits) if offer else None
