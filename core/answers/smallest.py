"""The fewest and smallest GPUs that hold a model and a request, format by format."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from core.answers.answer import FORMATS, LENGTHS, OFFERS, Answer, Money, Way
from core.answers.fit import Fit, cheapest_holding
from core.answers.memory_need import formats_of
from core.estimate.formats import precisions_for
from core.estimate.memory import max_batch, memory_of
from core.estimate.parallel import Layout
from core.estimate.serving import engine_kv
from core.estimate.shape import shape_of
from core.hardware import GpuSpec
from core.market.board import Bill
from core.market.named_gpus import cheapest_bill
from core.offers import Catalog
from core.query import FEW_PEOPLE, Query
from core.reference.catalogue import Reference
from core.reference.serving import serving_constants
from core.sizing.fleet import AGED
from core.units import Precision
from core.workload import InferenceSpec, Resolved


class Smallest(Struct, frozen=True):
    """The least memory that holds the model in one format."""

    weights: Precision
    gpu: GpuSpec
    requests: int
    """Requests of the context that it holds at once."""
    bill: Bill | None
    """None: nobody in the catalogue sells it."""
    gpus: int = 1
    weights_gb: float = 0.0
    """Of the weights on all of them."""

    @property
    def memory_gb(self) -> float:
        """Of all of them."""
        return self.gpu.memory_gb * self.gpus


class SmallestAnswer(Answer, frozen=True):
    """One GPU a format, the most bits first."""

    resolved: Resolved
    spec: InferenceSpec
    context: float
    at_once: float
    """Requests that must have room."""
    found: tuple[Smallest, ...]
    cheapest: Fit | None = None
    """What holds the same for the least money: a larger GPU, or more of others."""
    unsold: GpuSpec | None = None
    """A smaller GPU that holds it too, and that nobody in the catalogue sells."""

    applies: ClassVar = LENGTHS | FORMATS | OFFERS | {"concurrency", "users"}

    @property
    def least(self) -> Smallest:
        """The fewest, then the least memory in any format; of equals the most exact."""
        return _least(self.found)

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each format's GPU at its cheapest offer, the smallest of all first."""
        first = [self.least] if self.found else []
        return tuple(
            one.bill.way(one) if one.bill else Way(one, Money())
            for one in (*first, *(one for one in self.found if one not in first))
        )

    def details(self) -> Mapping[str, object]:
        """The context that one request of is held."""
        return {"context": self.context}


def _least(found: Sequence[Smallest]) -> Smallest:
    return min(found, key=lambda one: (one.gpus, one.memory_gb))


def answer_smallest(
    query: Query,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> SmallestAnswer:
    """The fewest, then smallest GPUs of each format; of equal ones the cheapest."""
    context = query.context or spec.input_tokens + spec.output_tokens
    people = query.users if query.users and query.users <= FEW_PEOPLE else 1
    at_once = query.concurrency or people
    found = []
    for weights in query.precision or formats_of(spec.model):
        usable = [g for g in reference.gpus.values() if _usable(g, spec, catalog)]
        for gpus in GROUPS:
            holders = [
                one
                for gpu in usable
                if gpus <= max(1, gpu.gpus_per_node)
                and (one := _holding(spec, gpu, weights, context, gpus))
                and one.requests >= at_once
            ]
            if not holders:
                continue
            least = min(one.gpu.memory_gb for one in holders)
            priced = [
                replace(one, bill=_bill(one, spec, catalog, reference, now))
                for one in holders
                if one.gpu.memory_gb == least
            ]
            found.append(min(priced, key=_order))
            break
    unsold = _unsold(spec, found, context, catalog, reference)
    cheapest = None
    if found:
        single = _least(found).gpus == 1
        held = _least(found) if single else found[0]
        own = spec.model_copy(update={"precisions": (held.weights,)})
        cheapest = cheapest_holding(
            own, context, math.ceil(at_once), catalog, reference, now, single or None
        )
    return SmallestAnswer(
        resolved, spec, context, at_once, tuple(found), cheapest, unsold
    )


def _unsold(
    spec: InferenceSpec,
    found: Sequence[Smallest],
    context: float,
    catalog: Catalog,
    reference: Reference,
) -> GpuSpec | None:
    """The smallest single GPU without a seller, below the smallest that has one."""
    least = min((one.memory_gb for one in found), default=0.0)
    smaller = [
        gpu
        for gpu in reference.gpus.values()
        if gpu.memory_gb < least and gpu.id not in catalog.gpus and _wanted(gpu, spec)
    ]
    holders = [
        gpu
        for gpu in smaller
        if any(_holding(spec, gpu, one.weights, context, 1) for one in found)
    ]
    return min(holders, key=lambda gpu: (gpu.memory_gb, gpu.id), default=None)


GROUPS = (1, 2, 4, 8)
"""GPUs that serve one copy of a model within a machine."""


def _order(one: Smallest) -> tuple[bool, float, str]:
    usd = float(one.bill.usd_per_month) if one.bill else 0.0
    return one.bill is None, usd, one.gpu.id


def _usable(gpu: GpuSpec, spec: InferenceSpec, catalog: Catalog) -> bool:
    """Whether it may be used, and somebody sells it, where it is not named."""
    limits = spec.constraints
    if limits.gpus:
        return gpu.id in limits.gpus
    return gpu.id in catalog.gpus and _wanted(gpu, spec)


def _wanted(gpu: GpuSpec, spec: InferenceSpec) -> bool:
    limits = spec.constraints
    if limits.gpus:
        return gpu.id in limits.gpus
    ruled_out = gpu.id in limits.gpus_excluded
    consumer = gpu.consumer and not limits.consumer
    return not ruled_out and not consumer and gpu.architecture not in AGED


def _holding(
    spec: InferenceSpec, gpu: GpuSpec, weights: Precision, context: float, gpus: int
) -> Smallest | None:
    """So many, where they hold a request beside the weights, and are served so."""
    if weights not in (*precisions_for(gpu), "int8", "int4"):
        return None
    engine = serving_constants().engine["vllm"]
    cache = engine_kv(engine, gpu, weights)
    layout = Layout(tp=gpus)
    memory = memory_of(
        shape_of(spec.model), gpu, layout, weights, cache, context, engine
    )
    requests = max_batch(memory, layout)
    if not requests:
        return None
    return Smallest(weights, gpu, requests, None, gpus, memory.weights_gb * gpus)


def _bill(
    one: Smallest,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> Bill | None:
    market = (catalog, reference, now)
    return cheapest_bill(one.gpu, one.gpus, spec.constraints, *market)
