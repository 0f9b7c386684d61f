"""Published measurements of serving: what estimates are anchored on, and cited beside.

They ship in core/reference/measurements.csv: one line is one configuration at one pair
of lengths, its points the loads it was run at. `tests/bench/build_measurements.py`
writes the file from published tables, with how far the physics is from each point.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec import Struct

from core.llm import ModelSpec
from core.reference.packaged import files
from core.reference.tables import read_table

_LENGTHS_WITHIN = 1.6
_LOAD_WITHIN = 1.5
_OFFLINE_BATCH = 512.0
"""What an engine keeps in flight when every request is queued at once, about."""


class Point(NamedTuple):
    """One measured load: requests in flight, a rate, or 0 for everything queued."""

    load: float
    tokens_per_second: float | None
    ttft_ms: float | None
    tpot_ms: float | None
    ttft: float | None
    """ln(measured / estimated by the physics alone) of TTFT."""
    tpot: float | None
    """The same of TPOT; of the time per request, where only a rate was published."""


class Series(Struct, frozen=True):
    """One configuration at one pair of lengths; 0: not stated by the source."""

    model: str
    gpu: str
    weights: str
    kv: str
    engine: str
    version: str
    gpus: int
    tp: int
    pp: int
    dp: int
    ep: int
    regime: str
    """closed_loop, open_loop, saturated or static, as a request for it would be."""
    input_tokens: float
    output_tokens: float
    source: str
    date: str
    """Month of the measurement or its publication; empty: not known."""
    points: tuple[Point, ...]

    def id(self, point: Point) -> str:
        """Name one point: source, configuration, lengths and load."""
        lengths = f"{self.input_tokens:g}/{self.output_tokens:g}"
        load = {"open_loop": f"{point.load:g}rps", "saturated": "max"}.get(
            self.regime, f"c{point.load:g}"
        )
        spread = f"{self.gpus}x{self.gpu}-tp{self.tp or '?'}"
        engine = f"{self.engine} {self.version}".strip().replace(" ", "-")
        return (
            f"{self.source}:{self.model}:{self.weights}:{spread}:{engine}:"
            f"{lengths}:{load}"
        )


FIELDS = Series.__struct_fields__
_COUNTS = ("gpus", "tp", "pp", "dp", "ep")
_LENGTHS = ("input_tokens", "output_tokens")
_THOUSANDTHS = 1000


def written(series: Series) -> str:
    """Return a series as its line of the file."""
    values = [getattr(series, name) for name in FIELDS[:-1]]
    cells = [f"{v:g}" if isinstance(v, float) else str(v or "") for v in values]
    return ",".join([*cells, " ".join(map(_point_text, series.points))])


def _point_text(point: Point) -> str:
    facts = ("" if v is None else f"{v:.5g}" for v in point[:4])
    logs = ("" if v is None else f"{v * _THOUSANDTHS:.0f}" for v in point[4:])
    return "/".join([*facts, *logs])


def read(line: str) -> Series:
    """Read one line of the file."""
    *cells, points = line.split(",")
    # Thousands of lines name the same few models, engines and sources.
    named = map(sys.intern, cells)
    found: dict[str, str | int | float] = dict(zip(FIELDS, named, strict=False))
    found |= {name: int(found[name] or 0) for name in _COUNTS}
    found |= {name: float(found[name]) for name in _LENGTHS}
    return Series(**found, points=tuple(map(_point, points.split(" "))))  # type: ignore[arg-type]


def _point(text: str) -> Point:
    load, *figures, ttft, tpot = text.split("/")
    rate, first, each = (float(v) if v else None for v in figures)
    logs = (float(v) / _THOUSANDTHS if v else None for v in (ttft, tpot))
    return Point(float(load), rate, first, each, *logs)


Group = tuple[str, str, str]
"""Model, GPU and weight format."""


@cache
def _lines() -> dict[Group, list[str]]:
    """Return the file's lines by group; they are read where they are needed."""
    text = files("core.reference").joinpath("measurements.csv").read_text("utf-8")
    found: dict[Group, list[str]] = {}
    for line in text.splitlines()[1:]:
        model, gpu, weights, _ = line.split(",", 3)
        found.setdefault((model, gpu, weights), []).append(line)
    return found


def groups() -> Iterable[Group]:
    """Return every model, GPU and format that anybody measured."""
    return _lines().keys()


@cache
def series_of(group: Group) -> tuple[Series, ...]:
    """Return what was measured of one model on one GPU in one format."""
    return tuple(map(read, _lines().get(group, ())))


def shipped() -> Iterator[Series]:
    """Yield every series that ships with the program."""
    for group in groups():
        yield from series_of(group)


@cache
def sources() -> dict[str, dict[str, str]]:
    """Return the name and the address of every source by its key."""
    table = read_table("core.reference", "measurement_sources.toml")
    found: dict[str, dict[str, str]] = table["source"]
    return found


class Measurement(Struct, frozen=True):
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
def _measurements(group: Group) -> tuple[Measurement, ...]:
    """What a serving fleet can be held against: no static batches, no rates."""
    return tuple(_serving_points(group))


def _serving_points(group: Group) -> Iterator[Measurement]:
    for series in series_of(group):
        if series.regime not in ("closed_loop", "saturated"):
            continue
        source = sources()[series.source]
        for point in series.points:
            if point.tokens_per_second is None:
                continue
            yield Measurement(
                series.model, series.gpu, series.gpus, series.tp or series.gpus,
                series.weights, series.input_tokens, series.output_tokens,
                point.load or None, point.tokens_per_second, point.ttft_ms,
                point.tpot_ms, f"{series.engine} {series.version}".strip(),
                source["name"], source["url"], series.date,
            )  # fmt: skip


def measurements() -> tuple[Measurement, ...]:
    """Return the published measurements of serving that ship with the program."""
    return tuple(found for group in groups() for found in _measurements(group))


@lru_cache(maxsize=256)
def matching(
    model: ModelSpec,
    gpu: str,
    gpus: int,
    weights: str,
    input_tokens: float,
    output_tokens: float,
    concurrency: float | None = None,
) -> Measurement | None:
    """Return the nearest measurement of the same configuration, None without one.

    Same model, GPU, count and format; lengths within a factor of 1.6, and the
    concurrency, where one is asked for, within 1.5.
    """

    def distance(found: Measurement) -> float:
        if found.gpus != gpus or (found.concurrency is None) != (concurrency is None):
            return math.inf
        lengths = max(
            _apart(found.input_tokens, input_tokens),
            _apart(found.output_tokens, output_tokens),
        )
        load = _apart(found.concurrency or 1.0, concurrency or 1.0)
        near = lengths <= math.log(_LENGTHS_WITHIN) and load <= math.log(_LOAD_WITHIN)
        return lengths + load if near else math.inf

    return _closest((model.id, gpu, weights), distance)


@lru_cache(maxsize=256)
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

    return _closest((model.id, gpu, weights), distance)


def _closest(
    group: Group, distance: Callable[[Measurement], float]
) -> Measurement | None:
    """Return the measurement of the least distance; the latest of equal ones."""
    best: tuple[float, Measurement] | None = None
    for found in _measurements(group):
        away = distance(found)
        if away == math.inf or (best is not None and away > best[0]):
            continue
        if best is None or away < best[0] or found.date > best[1].date:
            best = (away, found)
    return best[1] if best else None


def _apart(one: float, other: float) -> float:
    """Return the distance of two positive numbers as a logarithm."""
    return abs(math.log(one / other))
