"""Estimates corrected by the nearest published measurements.

An estimate is the physics times what measurements of like configurations make of it:
the mean of their logarithms of measured over estimated, weighted by e^-distance and
drawn towards 0, the physics alone, where all are far (kernel regression with a prior:
Nadaraya and Watson 1964). Distance adds up what differs: model, GPU, format, engine,
layout, lengths and load, most of them as logarithms of their ratio; [anchor] of
serving.toml has the scales.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.estimate.evidence import Group, Point, Series, groups, series_of, sources
from core.estimate.parallel import Layout, stated_layout
from core.estimate.replica import Correction
from core.estimate.results import NO_TRUST, PHYSICS_ONLY, Evidence, Trust
from core.estimate.shape import Shape, shape_of
from core.hardware import GpuSpec
from core.llm import ModelSpec
from core.reference.load import reference
from core.reference.serving import AnchorScale, serving_constants
from core.units import BITS, Precision

Kind = Literal["flow", "saturated", "static"]
"""Requests that come and go; all of them queued at once; one batch run to its end."""
KINDS: dict[str, Kind] = {
    "closed_loop": "flow",
    "open_loop": "flow",
    "saturated": "saturated",
    "static": "static",
}
_SERIES = 16
"""Series that a correction is made of: the nearest."""
_NEGLIGIBLE = 3.0
"""Distance beyond the nearest at which a series hardly weighs."""
_COUNTED = 0.1
"""Weight of a measurement, its lengths held, from which it counts as an anchor."""
_MONTHS = 12


class Target(Struct, frozen=True):
    """The configuration that an estimate is for; lengths in tokens."""

    model: ModelSpec
    gpu: GpuSpec
    weights: Precision
    kv: Precision | None
    """As stated; None: left to the engine."""
    framework: str | None
    layout: Layout
    replicas: int
    input_tokens: float
    output_tokens: float
    kind: Kind
    arrivals: bool = False
    """Requests come at a rate, instead of from clients that wait for answers."""


class _Line(Struct):
    """One series with its logarithms: lengths, loads per replica, and residuals."""

    series: Series
    prompt: float
    answer: float
    age: float
    """Years before the newest."""
    loads: list[float]
    ttft: list[float | None]
    tpot: list[float]
    at_rate: bool


class _Setup(Struct):
    """How series of one group were run: what they share beside their lengths."""

    kind: Kind
    engine: str
    kv: str
    layout: Layout
    replicas: int
    gpus: float
    tensor: float
    copies: float
    """Logarithms of GPUs, tensor parallelism and replicas."""
    lines: list[_Line]


class _Near(Struct, gc=False):
    """One series near a target, ready to be weighed at any load."""

    weight: float
    """e^-distance, without the parts of the load and of the prompt."""
    alike: float
    """The prompt's part of the weight, where all of a time grows with the prompt."""
    longer: float
    """How much longer its prompts are, as a share of the target's; below 0: shorter."""
    distance: float
    ttft_share: float
    held: float
    """What makes up for the answers' part where trust is weighed: how fast a
    configuration is says much of it at other lengths."""
    own: bool
    """Whether it is of the same model on the same GPU."""
    line: _Line


class Anchors:
    """The measurements near one configuration."""

    __slots__ = ("_full", "_near", "_rows", "_scale")

    def __init__(self, near: list[_Near], scale: AnchorScale, full: bool) -> None:
        self._near = near
        self._scale = scale
        self._full = full
        self._rows = [
            (
                one.weight, one.longer, one.held, one.ttft_share,
                one.line.loads, one.line.ttft, one.line.tpot,
            )
            for one in near
        ]  # fmt: skip

    @property
    def correction(self) -> Correction | None:
        """Return `at`; None where nothing near was measured."""
        return self.at if self._near else None

    def at(
        self, load: float, ttft_of_prompt: float, tpot_of_prompt: float
    ) -> tuple[float, float]:
        """Return ln(measured / estimated) of TTFT and TPOT at a load of one replica.

        `load`: requests in flight. Along a series they are drawn linearly over the
        logarithm of the load; beyond its ends, and between its points, trust fades.
        Prompts are as far apart as the physics tells them apart: where only a share of
        a time grows with them, by that share. So the correction never changes faster
        than what it corrects, and longer prompts are not quicker.
        """
        where, scale = self._where(load), self._scale
        steep, left, fade = scale.input_tokens, 1.0 - scale.held, -scale.load
        exp = math.exp
        ttft = tpot = first = each = first_held = each_held = 0.0
        # Asked several times for each estimate, of a dozen series each: kept lean.
        for weight, longer, held, ttft_share, loads, begins, steps in self._rows:
            if where <= loads[0]:
                gap, begun, value = loads[0] - where, begins[0], steps[0]
            elif where >= loads[-1]:
                gap, begun, value = where - loads[-1], begins[-1], steps[-1]
            else:
                gap, low, part = _between(loads, where)
                begun, value = begins[low], steps[low]
                value += (steps[low + 1] - value) * part
                after = begins[low + 1]
                if begun is not None and after is not None:
                    begun += (after - begun) * part
            loaded = weight * exp(fade * gap)
            if longer:
                ratio = 1.0 + tpot_of_prompt * longer
                alike = (1.0 / ratio if ratio > 1.0 else ratio) ** steep
                like = loaded * alike
                each_held += loaded * alike**left * held
            else:
                like = loaded
                each_held += loaded * held
            tpot += like * value
            each += like
            if begun is not None:
                loaded *= ttft_share
                if longer:
                    ratio = 1.0 + ttft_of_prompt * longer
                    alike = (1.0 / ratio if ratio > 1.0 else ratio) ** steep
                    like = loaded * alike
                    first_held += loaded * alike**left * held
                else:
                    like = loaded
                    first_held += loaded * held
                ttft += like * begun
                first += like
        shrink = scale.shrink
        return (
            ttft / first * first_held / (first_held + shrink) if first else 0.0,
            tpot / each * each_held / (each_held + shrink) if each else 0.0,
        )

    def _where(self, load: float) -> float:
        """Return the logarithm of a load: all full batches are alike, whatever fits."""
        return math.log(_FULL if self._full else max(load, 1e-3))

    def trust(self, load: float) -> Trust:
        """Return the weight of all the evidence, and its standard deviation."""
        where = self._where(load)
        total = mean = square = own = 0.0
        for near in self._near:
            line = near.line
            gap, low, part = _between(line.loads, where)
            weight = near.weight * near.alike * math.exp(-self._scale.load * gap)
            value = line.tpot[low]
            if part:
                value += (line.tpot[low + 1] - value) * part
            total += weight
            mean += weight * value
            square += weight * value * value
            if near.own:
                own += weight
        if not total:
            return NO_TRUST
        apart = square / total - (mean / total) ** 2
        return Trust(total, math.sqrt(max(apart, 0.0)), own / total)

    def evidence(self, load: float) -> Evidence:
        """Return which measurements an estimate at a load rests on."""
        where, scale = self._where(load), self._scale
        best: tuple[float, Series, int] | None = None
        counted: list[Series] = []
        anchors = 0
        for near in self._near:
            loads = near.line.loads
            weight = near.weight * near.alike ** (1.0 - scale.held) * near.held
            if weight < _COUNTED:
                continue
            reach = math.log(weight / _COUNTED) / scale.load
            first = bisect_left(loads, where - reach)
            last = bisect_right(loads, where + reach)
            if first == last:
                continue
            anchors += last - first
            counted.append(near.line.series)
            after = min(bisect_left(loads, where, first, last), last - 1)
            before = max(after - 1, first)
            nearer = where - loads[before] <= loads[after] - where
            index = before if nearer else after
            away = near.distance + scale.load * abs(loads[index] - where)
            if best is None or away < best[0]:
                best = away, near.line.series, index
        if best is None:
            return PHYSICS_ONLY
        return Evidence(
            anchors=anchors,
            nearest=best[1].id(best[1].points[best[2]]),
            distance=best[0],
            sources=tuple(
                dict.fromkeys(sources()[series.source]["name"] for series in counted)
            ),
            date=max(series.date for series in counted),
        )


def _between(loads: list[float], where: float) -> tuple[float, int, float]:
    """Return the gap to the nearest points of a series, and which it lies between."""
    if where <= loads[0]:
        return loads[0] - where, 0, 0.0
    if where >= loads[-1]:
        return where - loads[-1], len(loads) - 1, 0.0
    low = bisect_left(loads, where) - 1
    before, after = where - loads[low], loads[low + 1] - where
    whole = before + after
    return before * after / whole, low, before / whole


Filter = Callable[[Series], Series | None]
"""What of a series may be used: all, fewer points, or nothing (None)."""


def anchors_of(target: Target, allowed: Filter | None = None) -> Anchors:
    """Return the measurements near a configuration.

    `allowed` leaves measurements out, to see how well the rest foretell them.
    """
    scale = serving_constants().anchor
    prompt, answer = math.log(target.input_tokens), math.log(target.output_tokens)
    aging = scale.age if target.framework else scale.age_of_default
    found: list[tuple[float, float, float, float, _Line]] = []
    worst = scale.farthest
    for base, apart, setup in _setups_near(target, scale):
        if base > worst:
            break
        for line in setup.lines:
            answers = scale.output_tokens * abs(line.answer - answer)
            distance = base + answers + aging * line.age
            if distance > worst:
                continue
            kept = line if allowed is None else _allowed(line, allowed)
            if kept is not None:
                prompts = abs(line.prompt - prompt)
                found.append((distance, prompts, apart, answers, kept))
        if len(found) > _SERIES:
            found.sort(key=_nearness)
            del found[_SERIES:]
            worst = found[-1][0]
    # Weights fall to nothing where the look ends, so that no estimate jumps there.
    nearest = min(found, key=_nearness, default=None)
    ends = min(scale.farthest, nearest[0] + _NEGLIGIBLE) if nearest else 0.0
    near = [
        _Near(
            weight=math.exp(-distance) - math.exp(-ends),
            alike=math.exp(-prompts),
            longer=math.exp(line.prompt - prompt) - 1.0,
            distance=distance + prompts,
            ttft_share=(
                math.exp(-scale.arrivals)
                if not apart and target.arrivals != line.at_rate
                else 1.0
            ),
            held=math.exp(scale.held * answers),
            own=_is_own(line.series, target),
            line=line,
        )
        for distance, prompts, apart, answers, line in found
        if distance < ends
    ]
    return Anchors(near, scale, target.kind == "saturated")


def _is_own(series: Series, target: Target) -> bool:
    """Return whether a series is of a model of the same shape on the same GPU."""
    if series.gpu != target.gpu.id:
        return False
    shape = shape_of(target.model)
    return shape_of(reference().models[series.model]) == shape


def _nearness(entry: tuple[float, float, float, float, _Line]) -> tuple[float, float]:
    """The distance without the prompts' part, which the load decides; then that."""
    return entry[0], entry[1]


Setups = tuple[tuple[float, float, _Setup], ...]
_RECENT = 256
_recent: dict[tuple[object, ...], Setups] = {}
"""Setups sought lately: a question asks for the same ones at other lengths again."""


def _setups_near(target: Target, scale: AnchorScale) -> Setups:
    """Return what was measured in every way of running it, the nearest first.

    Beside each the whole distance but for lengths and load, and its part for another
    way of loading the server.
    """
    key = (
        target.model.id, target.gpu.id, target.gpu.bandwidth_gb_s, target.weights,
        target.kv, target.framework, target.layout, target.replicas, target.kind,
    )  # fmt: skip
    found = _recent.get(key)
    if found is None:
        if len(_recent) >= _RECENT:
            _recent.clear()
        found = _recent[key] = _setups_sought(target, scale)
    return found


def _setups_sought(target: Target, scale: AnchorScale) -> Setups:
    engine, here = engine_name(target.framework, target.gpu), target.layout
    size, tensor = math.log(here.gpus), math.log(here.tp)
    copies = math.log(target.replicas)
    another = scale.engine if target.framework else scale.engine_of_default
    between = {
        kind: scale.regimes.get(f"{target.kind}/{kind}") for kind in set(KINDS.values())
    }
    found = []
    for base, setups in _groups_near(
        shape_of(target.model), target.gpu.id, target.gpu.bandwidth_gb_s,
        target.gpu.architecture, target.weights,
    ):  # fmt: skip
        for setup in setups:
            apart = between[setup.kind]
            if apart is None:
                continue
            distance = (
                base + apart
                + scale.gpus * abs(setup.gpus - size)
                + scale.tensor * abs(setup.tensor - tensor)
                + scale.replicas * abs(setup.copies - copies)
            )  # fmt: skip
            if setup.engine != engine:
                distance += another
            if distance <= scale.farthest:
                distance += _layout_apart(here, setup.layout, scale)
                if target.kv and setup.kv and setup.kv != target.kv:
                    distance += scale.kv
                if distance <= scale.farthest:
                    found.append((distance, apart, setup))
    return tuple(sorted(found, key=_nearest))


def _nearest(entry: tuple[float, float, _Setup]) -> float:
    return entry[0]


def _layout_apart(here: Layout, there: Layout, scale: AnchorScale) -> float:
    """Return the distance of two layouts beside their number of GPUs."""
    if here == there:
        return 0.0
    distance = scale.pipeline * abs(there.pp - here.pp)
    if (there.attention_dp > 1) != (here.attention_dp > 1):
        distance += scale.attention_dp
    if there.expert_parallel != here.expert_parallel:
        distance += scale.expert_parallel
    return distance


def _allowed(line: _Line, allowed: Filter) -> _Line | None:
    left = allowed(line.series)
    if left is None or left is line.series:
        return None if left is None else line
    first = line.series.points[0]
    replicas = _in_flight(line.series, first, 1.0) / math.exp(line.loads[0])
    return _line(left, replicas) if left.points else None


_FULL = 256.0
"""Requests in flight that stand for a full batch where none were counted."""


def _in_flight(series: Series, point: Point, replicas: float) -> float:
    """Return the requests in flight of one replica."""
    if series.regime == "saturated":
        return _FULL
    if series.regime == "open_loop" and point.tpot_ms:
        each = (point.ttft_ms or 0.0) + point.tpot_ms * (series.output_tokens - 1)
        return max(point.load * each / 1e3, 0.1) / replicas
    return max(point.load, 0.1) / replicas


def engine_name(framework: str | None, gpu: GpuSpec) -> str:
    """Return the engine of any version that a framework's name stands for."""
    key = serving_constants().engine_key(framework, "closed_loop", gpu)
    return key.split("-")[0]


@lru_cache(maxsize=2048)
def _groups_near(
    shape: Shape, gpu: str, bandwidth: float, architecture: str, weights: Precision
) -> tuple[tuple[float, tuple[_Setup, ...]], ...]:
    """Return groups of measurements by their distance in model, GPU and format."""
    scale, known = serving_constants().anchor, _groups()
    found = [
        (
            apart
            + _gpu_apart(gpu, bandwidth, architecture, known[group][1], scale)
            + _format_apart(weights, known[group][2], scale),
            group,
        )
        for apart, group in _models_near(shape)
    ]
    return tuple(
        (distance, _setups(group))
        for distance, group in found
        if distance <= scale.farthest
    )


@lru_cache(maxsize=64)
def _models_near(shape: Shape) -> tuple[tuple[float, Group], ...]:
    """Return the groups whose model alone is near enough, by its distance."""
    scale = serving_constants().anchor
    found = (
        (_model_apart(shape, shape_of(known[0]), scale), group)
        for group, known in _groups().items()
    )
    return tuple(one for one in found if one[0] <= scale.farthest)


def _model_apart(one: Shape, other: Shape, scale: AnchorScale) -> float:
    if one == other:
        return 0.0
    active = (one.dense + one.routed * one.routed_share) / (
        other.dense + other.routed * other.routed_share
    )
    total = (one.dense + one.routed) / (other.dense + other.routed)
    kinds = (one.latent != other.latent) + (bool(one.routed) != bool(other.routed))
    return (
        scale.model
        + scale.active_parameters * abs(math.log(active))
        + scale.parameters * abs(math.log(total))
        + scale.architecture * kinds
    )


def _gpu_apart(
    gpu: str, bandwidth: float, architecture: str, other: GpuSpec, scale: AnchorScale
) -> float:
    gap = abs(math.log(bandwidth / other.bandwidth_gb_s))
    apart = scale.bandwidth * gap
    if gpu == other.id:
        return apart
    if architecture != other.architecture:
        return apart + scale.gpu + scale.generation
    # Cards of one die and as fast a memory are nearly one card.
    return apart + min(scale.gpu, scale.sibling + scale.unlike * gap)


def _format_apart(one: Precision, other: Precision, scale: AnchorScale) -> float:
    if one == other:
        return 0.0
    same_width = BITS[one] == BITS[other]
    return scale.spelling if same_width else scale.weights


@cache
def _groups() -> dict[Group, tuple[ModelSpec, GpuSpec, Precision]]:
    known = reference()
    return {
        group: (known.models[group[0]], known.gpus[group[1]], _precision(group[2]))
        for group in groups()
        if group[0] in known.models and group[1] in known.gpus
    }


def _precision(text: str) -> Precision:
    found: Precision = text  # type: ignore[assignment]
    return found


@cache
def _setups(group: Group) -> tuple[_Setup, ...]:
    """Return the series of a group by how they were run."""
    model, gpu, _ = _groups()[group]
    found: dict[tuple[Kind, str, str, Layout, int], _Setup] = {}
    for series in series_of(group):
        layout, replicas = stated_layout(
            model, series.gpus, series.tp or None, series.pp or None,
            series.dp or None, series.ep or None,
        )  # fmt: skip
        line = _line(series, replicas)
        if not line.loads:
            continue
        kind, engine = KINDS[series.regime], engine_name(series.engine, gpu)
        key = (kind, engine, series.kv, layout, replicas)
        if key not in found:
            size, tensor = math.log(layout.gpus), math.log(layout.tp)
            found[key] = _Setup(*key, size, tensor, math.log(replicas), [])
        found[key].lines.append(line)
    return tuple(found.values())


def _line(series: Series, replicas: float) -> _Line:
    usable = tuple(point for point in series.points if point.tpot is not None)
    if usable != series.points:
        series = replace(series, points=usable)
    return _Line(
        series=series,
        prompt=math.log(series.input_tokens),
        answer=math.log(series.output_tokens),
        age=_age(series.date),
        loads=[math.log(_in_flight(series, p, replicas)) for p in usable],
        ttft=[point.ttft for point in usable],
        tpot=[point.tpot or 0.0 for point in usable],
        at_rate=series.regime == "open_loop",
    )


def _age(date: str) -> float:
    """Return years before the newest measurements; unknown dates as half of all."""
    newest = serving_constants().anchor.newest
    if not date:
        return 1.0
    months = [int(part) for part in f"{date}-06".split("-")[:2]]
    until = [int(part) for part in newest.split("-")[:2]]
    return max((until[0] - months[0]) + (until[1] - months[1]) / _MONTHS, 0.0)
