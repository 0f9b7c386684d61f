"""What a KV cache or a model's weights take: gigabytes, in every usual format."""

import math
from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec import Struct

from core.answers.answer import FORMATS, LENGTHS, Answer
from core.answers.fit import Fit, fit_on, layout_for
from core.estimate.memory import kv_bytes, usable_bytes, weight_bytes
from core.estimate.parallel import Layout, layouts
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.market.named_gpus import named_gpus
from core.query import Query
from core.reference.catalogue import Reference
from core.sizing.fleet import best_precision
from core.units import GB, Precision
from core.workload import InferenceSpec, Resolved

CACHES: tuple[Precision, ...] = ("bf16", "fp8")
WEIGHTS: tuple[Precision, ...] = ("bf16", "fp8", "int4")
KILO = 1024
"""A window of "128k" is 131,072 tokens."""
SHORTEST = 1024.0
"""Tokens of the one request for which there is room beside the weights, at least."""
USUAL_CONTEXT = 4096
"""A context where none is said: an early model's whole window."""


class Size(Struct, frozen=True):
    """Gigabytes (10⁹ bytes) in one format."""

    format: Precision
    gb: float


class Holding(Struct, frozen=True):
    """The fewest of a named GPU that hold the weights in one format."""

    format: Precision
    gpu: GpuSpec
    memory: int
    """By their memory alone."""
    laid_out: int | None
    """With room to work, as an engine splits a model; None: no layout holds it."""


class SizeAnswer(Answer, frozen=True):
    """The size that was asked for, the most bits first."""

    resolved: Resolved
    spec: InferenceSpec
    part: Literal["kv_cache", "weights"]
    context: float
    """Tokens of each sequence; 0 for weights."""
    sequences: int
    bytes_per_token: float
    """Of 16-bit cache."""
    sizes: tuple[Size, ...]
    held: tuple[Fit, ...] = ()
    """The named GPUs with each format of the cache; none: no GPU is named."""
    fewest: tuple[Holding, ...] = ()
    """Of a named GPU, for weights."""

    applies: ClassVar = (
        LENGTHS | FORMATS | {"concurrency", "users", "batch_size", "gpu", "count"}
    )

    def details(self) -> Mapping[str, object]:
        """The sizes by format."""
        return {
            "part": self.part,
            "context": self.context,
            "sequences": self.sequences,
            "gb": {size.format: size.gb for size in self.sizes},
            "fewest_gpus": {one.format: one.laid_out for one in self.fewest},
            "status": "ok",
        }


def answer_size(query: Query, resolved: Resolved, spec: InferenceSpec) -> SizeAnswer:
    """The cache of so many sequences of a context, or the weights, format by format."""
    if query.wanted == "weights":
        formats = query.precision or WEIGHTS
        sizes = tuple(
            Size(one, weight_bytes(spec.model, one, Layout()) / GB) for one in formats
        )
        return SizeAnswer(resolved, spec, "weights", 0, 1, 0.0, sizes)
    context = window(query.context) or _length(query)
    said = query.batch_size or query.concurrency or query.users or query.rps
    sequences = max(round(said or 1), 1)
    asked = tuple(
        one for one in query.precision or () if one in ("bf16", "fp16", "fp8")
    )
    sizes = tuple(
        Size(one, kv_bytes(spec.model, one, context) * sequences / GB)
        for one in asked or CACHES
    )
    per_token = kv_bytes(spec.model, "bf16", context) / context
    return SizeAnswer(resolved, spec, "kv_cache", context, sequences, per_token, sizes)


def window(context: float | None) -> float | None:
    """Tokens of a context: a power of two of thousands is one of 1,024 each."""
    if context is None:
        return None
    thousands = context / 1000
    if thousands >= 1 and thousands.is_integer():
        whole = int(thousands)
        if whole & (whole - 1) == 0:
            return whole * float(KILO)
        if whole % 1000 == 0:
            return context / 1e6 * KILO * KILO
    return context


def _length(query: Query) -> float:
    stated = (query.input_tokens or 0) + (query.output_tokens or 0)
    return stated or query.total_tokens_per_request or USUAL_CONTEXT


def fewest_of(
    query: Query, found: SizeAnswer, reference: Reference
) -> tuple[Holding, ...]:
    """How many of the named GPU the weights take at least, format by format."""
    gpus = named_gpus(query, reference)
    if found.part != "weights" or len(gpus) != 1:
        return ()
    return tuple(_fewest(found.spec.model, gpus[0], size) for size in found.sizes)


def _fewest(model: ModelSpec, gpu: GpuSpec, size: Size) -> Holding:
    shapes = sorted(layouts(model, gpu), key=lambda layout: layout.gpus)
    fits = (fit_on(model, gpu, layout, size.format, SHORTEST) for layout in shapes)
    laid_out = next((fit.gpus for fit in fits if fit.fits), None)
    memory = math.ceil(size.gb * GB / usable_bytes(gpu))
    return Holding(size.format, gpu, memory, laid_out)


def held_on(query: Query, found: SizeAnswer, reference: Reference) -> tuple[Fit, ...]:
    """How many such sequences the named GPUs hold beside the weights."""
    gpus = named_gpus(query, reference)
    if found.part != "kv_cache" or found.context <= 1 or len(gpus) != 1:
        return ()
    model, gpu = found.spec.model, gpus[0]
    plain = found.spec.model_copy(update={"precisions": ()})
    weights = best_precision(plain, gpu) or "bf16"
    layout = layout_for(model, gpu, query.count or 1)
    caches = [size.format for size in found.sizes]
    fits = (
        fit_on(model, gpu, layout, weights, found.context, "bf16" if c == "fp16" else c)
        for c in caches
    )
    return tuple(fit for fit in fits if fit.sequences > 0)
