"""How sure an estimate is: its range, by what estimates of the unseen missed by.

Every measurement that ships is estimated as if it had not been measured, nor its model
on its GPU, nor anything of its publisher. By how far those estimates missed is the
range (split conformal prediction: Vovk, Gammerman and Shafer 2005; Lei and others
2018). It depends on two things. The first is the evidence: its weight, how far the
measurements disagree, and how much of it is of the same model on the same GPU. The
second is the use: regime, engine, kind of model, format and GPU family; a use with few
measurements is drawn to all that share its first words, and one with none is wider by
what uses missed by that nobody else had measured.
`tests/bench/build_ranges.py` works both out and writes core/reference/ranges.toml.
"""

import math
from bisect import bisect_right
from functools import cache
from typing import Literal

from msgspec import Struct, convert

from core.estimate.formats import BYTES, SIXTEEN_BIT, compute_rate
from core.estimate.parallel import Layout
from core.estimate.replica import Workload
from core.estimate.results import Basis, Range, Trust
from core.estimate.shape import shape_of
from core.frozen import learn
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.serving import Regime, ServingConstants
from core.reference.tables import read_table
from core.units import GB, Precision

Use = Regime | Literal["overloaded"]
"""How a server is loaded; overloaded: requests come faster than it answers."""
_ALL = "all"
"""The factor of a use of which not even the first word is known."""


class RangeTable(Struct, frozen=True):
    """What ranges.toml holds: half the width of ranges, in logarithms, and factors."""

    weight: tuple[float, ...]
    deviation: tuple[float, ...]
    """Where the grid has its lines; between them it is linear."""
    alone: float
    """Without any evidence."""
    grid: tuple[tuple[float, ...], ...]
    """By weight, from its second line on, and deviation."""
    far: dict[str, float]
    near: dict[str, float]
    own: dict[str, float]
    """Factor of a use, "closed_loop/vllm": without evidence; from `enough` on, of other
    models or GPUs; and where all of it is of this model on this GPU."""
    enough: float
    unknown: float
    """Factor where nobody measured the whole use, and a shorter one stands for it."""

    def evidence_half(self, trust: Trust) -> float:
        """Return half a range's width by the evidence, whatever the use."""
        if trust.weight <= 0.0:
            return self.alone
        row, down = _between(self.weight, trust.weight)
        column, right = _between(self.deviation, trust.deviation)
        after = self._on_line(row + 1, column, right)
        before = self._on_line(row, column, right) if row else self.alone
        return before + (after - before) * down

    def _on_line(self, row: int, column: int, right: float) -> float:
        line = self.grid[row - 1]
        return line[column] + (line[column + 1] - line[column]) * right

    def half(self, basis: Basis) -> float:
        """Return half a range's width, in logarithms."""
        factor = 0.0
        for end, share in shares(basis.trust, self.enough).items():
            found, whole = _nearest(getattr(self, end), basis.words)
            factor += share * (found if whole else found * self.unknown)
        return self.evidence_half(basis.trust) * factor


def shares(trust: Trust, enough: float) -> dict[str, float]:
    """Return how much each of a use's factors counts at some evidence."""
    near = min(trust.weight / enough, 1.0)
    own = near * trust.own
    return {"far": 1.0 - near, "near": near - own, "own": own}


def _between(lines: tuple[float, ...], where: float) -> tuple[int, float]:
    """Return the line before, and the share of the way to the next."""
    where = min(max(where, lines[0]), lines[-1])
    at = min(bisect_right(lines, where), len(lines) - 1) - 1
    return at, (where - lines[at]) / (lines[at + 1] - lines[at])


def _nearest(known: dict[str, float], words: tuple[str, ...]) -> tuple[float, bool]:
    """Return the value of the most words that are known, and whether all are."""
    for count in range(len(words), 0, -1):
        found = known.get("/".join(words[:count]))
        if found is not None:
            return found, count == len(words)
    return known[_ALL], False


@cache
def range_table() -> RangeTable:
    """Return the ranges that ship with the program."""
    learn(RangeTable)
    return convert(read_table("core.reference", "ranges.toml"), RangeTable)


def basis_of(
    use: Use,
    engine: str,
    model: ModelSpec,
    weights: Precision,
    gpu: GpuSpec,
    known: ServingConstants,
    trust: Trust,
) -> Basis:
    """Return what the range of an estimate is worked out from."""
    return Basis((use, engine, model.kind, weights, known.family_name(gpu)), trust)


def most_per_second(
    model: ModelSpec, gpu: GpuSpec, layout: Layout, weights: Precision, kv: Precision,
    load: Workload, batch: float,
) -> float:  # fmt: skip
    """Return the requests per second at a GPU's peak FLOPS or bandwidth (the roofline:
    Williams, Waterman and Patterson 2009): no engine answers more on one replica.

    FLOPs of all tokens in all matrices, and of prompts in attention; or for each token
    of an answer the read of its cache, and its share of what a batch reads of weights.
    """
    shape, answer = shape_of(model), load.output_tokens
    active = shape.dense + shape.routed * shape.routed_share
    seen = shape.full_layers * shape.prefill_attention_flops * load.prompt / 2
    flops = load.prompt * (2 * active + seen) + answer * 2 * (active + shape.head)
    read = shape.dense * shape.dense_bytes(weights) + shape.head * SIXTEEN_BIT
    read += shape.routed * shape.routed_share * BYTES[weights]
    heads = 1 if shape.latent else shape.kv_heads
    cache = shape.cached_tokens(load.context) * heads * shape.kv_width * BYTES[kv]
    steps = answer / (load.speculation.draft_tokens + 1 if load.speculation else 1)
    seconds = steps * (read / batch + cache) / (gpu.bandwidth_gb_s * GB)
    seconds = max(seconds, flops / (compute_rate(gpu, weights)[0] * 1e12))
    return layout.gpus / seconds


def ranged(likely: float, basis: Basis, most: float) -> Range:
    """Return a figure with its range: wide far from measurements, narrow near; never
    above the `most` that the hardware allows.
    """
    apart = math.exp(range_table().half(basis))
    return Range(likely / apart, likely, max(min(likely * apart, most), likely))
