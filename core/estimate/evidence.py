"""The published measurement nearest to a configuration, beside the estimate."""

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from core.llm import ModelSpec

_LENGTHS_WITHIN = 1.6
_LOAD_WITHIN = 1.5
_OFFLINE_BATCH = 512.0
"""What an engine keeps in flight when every request is queued at once, about."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One published figure: tokens/s are output tokens of all GPUs together."""

    model: str
    gpu: str
    gpus: int
    tp: int
    weights: str
    input_tokens: float
    output_tokens: float
    concurrency: float | None
    """None: every request queued at once (offline)."""
    tokens_per_second: float
    ttft_ms: float | None
    tpot_ms: float | None
    engine: str
    source: str
    url: str
    date: str

    @property
    def tokens_per_second_per_gpu(self) -> float:
        """Output tokens per second and GPU."""
        return self.tokens_per_second / self.gpus


@cache
def measurements() -> tuple[Measurement, ...]:
    """Return the published measurements that ship with the program."""
    text = files("core.reference").joinpath("measurements.csv").read_text("utf-8")
    return tuple(_read(row) for row in csv.DictReader(text.splitlines()))


def matching(
    model: ModelSpec,
    gpu: str,
    gpus: int,
    weights: str,
    input_tokens: float,
    output_tokens: float,
    concurrency: float | None = None,
    same_shape: Iterable[str] = (),
) -> Measurement | None:
    """Return the nearest measurement of the same configuration, None without one.

    Same model (or an id in `same_shape`), GPU, count and format; lengths within a
    factor of 1.6, and the concurrency, where one is asked for, within 1.5.
    """
    names = {model.id, *same_shape}
    near: list[tuple[float, Measurement]] = []
    for found in measurements():
        if found.model not in names or (found.gpu, found.weights) != (gpu, weights):
            continue
        if found.gpus != gpus or (found.concurrency is None) != (concurrency is None):
            continue
        lengths = max(
            _apart(found.input_tokens, input_tokens),
            _apart(found.output_tokens, output_tokens),
        )
        load = _apart(found.concurrency or 1.0, concurrency or 1.0)
        if lengths <= math.log(_LENGTHS_WITHIN) and load <= math.log(_LOAD_WITHIN):
            near.append((lengths + load, found))
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _apart(one: float, other: float) -> float:
    """Return the distance of two positive numbers as a logarithm."""
    return abs(math.log(one / other))


def _read(row: dict[str, str]) -> Measurement:
    def number(name: str) -> float | None:
        return float(row[name]) if row[name] else None

    return Measurement(
        model=row["model"],
        gpu=row["gpu"],
        gpus=int(row["gpus"]),
        tp=int(row["tp"]),
        weights=row["weights"],
        input_tokens=float(row["input_tokens"]),
        output_tokens=float(row["output_tokens"]),
        concurrency=number("concurrency"),
        tokens_per_second=float(row["tokens_per_second"]),
        ttft_ms=number("ttft_ms"),
        tpot_ms=number("tpot_ms"),
        engine=row["engine"],
        source=row["source"],
        url=row["url"],
        date=row["date"],
    )


def nearest(
    model: ModelSpec,
    gpu: str,
    weights: str,
    input_tokens: float,
    output_tokens: float,
    batch: float,
) -> Measurement | None:
    """Return the measurement of this model, GPU and format with the nearest load.

    Its lengths, requests in flight and count may be others: whoever cites it says
    which. `batch`: requests in flight that the estimate is for.
    """

    def distance(found: Measurement) -> float:
        return (
            _apart(found.input_tokens, input_tokens)
            + _apart(found.output_tokens, output_tokens)
            + _apart(found.concurrency or _OFFLINE_BATCH, batch)
        )

    same = (
        found
        for found in measurements()
        if (found.model, found.gpu, found.weights) == (model.id, gpu, weights)
    )
    return min(same, key=distance, default=None)
