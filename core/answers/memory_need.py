"""How much memory a served model takes, format by format, and what holds it."""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import FORMATS, HOURS, LENGTHS, OFFERS, Answer, Money, Way
from core.answers.fit import Fit, cheapest_holding
from core.estimate.memory import kv_bytes, weight_bytes
from core.estimate.parallel import Layout
from core.llm import ModelSpec
from core.offers import Catalog
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.serving import serving_constants
from core.units import BITS, GB, Precision
from core.workload import InferenceSpec, Resolved

COMPARED: tuple[Precision, ...] = ("bf16", "fp8", "int4")
"""Weight formats that are held against each other where none is asked for."""


class Need(Struct, frozen=True):
    """One weight format's memory over all GPUs together, in GB (10⁹ bytes)."""

    weights: Precision
    weights_gb: float
    kv_per_request_gb: float
    """Of one request of the whole context, 16-bit cache."""
    requests: int
    overhead_gb: float
    """An engine's own memory on one GPU: CUDA context, graphs, communication."""
    holder: Fit | None
    """The cheapest that is sold and holds all of it; None: nothing does."""

    @property
    def total_gb(self) -> float:
        """Weights, the cache of all requests, and the engine on one GPU."""
        cache = self.kv_per_request_gb * self.requests
        return self.weights_gb + cache + self.overhead_gb


class MemoryAnswer(Answer, frozen=True):
    """The needs of a model, the most bits first."""

    resolved: Resolved
    spec: InferenceSpec
    context: float
    needs: tuple[Need, ...]

    applies: ClassVar = (
        LENGTHS
        | FORMATS
        | OFFERS
        | HOURS
        | {"concurrency", "batch_size", "model_count"}
    )

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each weight format, at the cheapest GPUs that hold it."""
        return tuple(
            need.holder.bill.way(need)
            if need.holder and need.holder.bill
            else Way(need, Money())
            for need in self.needs
        )

    def details(self) -> Mapping[str, object]:
        """Tokens of the context that the cache is counted for."""
        return {"context": self.context}


def answer_memory(
    query: Query,
    resolved: Resolved,
    spec: InferenceSpec,
    catalog: Catalog,
    reference: Reference,
    now: datetime,
) -> MemoryAnswer:
    """Weights, cache and overhead of each format, with the cheapest holder of each."""
    context = query.context or spec.input_tokens + spec.output_tokens
    at_once = query.concurrency or query.batch_size or query.users or 1
    requests = max(round(at_once), 1)
    formats = spec.precisions or formats_of(spec.model)
    engine = serving_constants().engine["vllm"]
    needs = tuple(
        Need(
            weights=weights,
            weights_gb=weight_bytes(spec.model, weights, Layout()) / GB,
            kv_per_request_gb=kv_bytes(spec.model, "bf16", context) / GB,
            requests=requests,
            overhead_gb=engine.runtime_gb,
            holder=cheapest_holding(
                spec.model_copy(
                    update={"precisions": (weights,), "kv_precision": "bf16"}
                ),
                context, requests, catalog, reference, now,
            ),
        )
        for weights in formats
    )  # fmt: skip
    return MemoryAnswer(resolved, spec, context, needs)


def formats_of(model: ModelSpec) -> tuple[Precision, ...]:
    """The usual formats of no more bits than the model is published in."""
    published = BITS[model.native_precision]
    return tuple(p for p in COMPARED if BITS[p] <= published) or (
        model.native_precision,
    )
