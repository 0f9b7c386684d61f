"""The published speeds nearest to a training run, and how far they are from it.

Distances were chosen on rows left out in turn (`tests.bench.training_accuracy`): 1 is
about as far as another model of another size on the same card.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from math import log
from operator import attrgetter

from msgspec import Struct

from core.estimate.anchoring import Correction, Neighbour, corrected
from core.estimate.training_layout import Layout, read_layout
from core.estimate.training_physics import speed
from core.estimate.training_request import TrainingRequest, read_request, usual_stack
from core.reference.load import reference
from core.reference.training import training_constants
from core.reference.training_measurements import (
    TrainingMeasurement,
    training_measurements,
)

Apart = Callable[[TrainingMeasurement], bool]

OTHER_GPU = 1.2
"""Another card of the same architecture; one of another is no neighbour."""
OTHER_PRECISION = 1.2
OTHER_TUNING = 1.2
OTHER_TASK = 0.8
OTHER_STACK = 0.8
OTHER_FRAMEWORK = 0.6
OTHER_MODEL = 0.5
OTHER_SHARDING = 0.4
OTHER_CHECKPOINTING = 0.3
OTHER_SPAN = 0.2
"""A whole run with its evaluation and start-up, against steps alone."""
UNSTATED = 0.2
"""One of the two does not state its batch, or how it is spread."""
PER_LOG_SIZE, PER_LOG_SPARSITY, PER_LOG_SEQUENCE, PER_LOG_GPUS = 0.5, 0.5, 0.7, 0.5
PER_LOG_TENSOR, PER_LOG_PIPELINE, PER_LOG_EXPERT = 0.3, 0.15, 0.25
PER_LOG_BATCH, PER_LOG_MICRO = 0.25, 0.5
"""Per factor e of each: parameters that are active, all ÷ active, tokens per sequence,
GPUs, degrees of parallelism, tokens per GPU and optimiser step, per micro-batch."""
SAME_SIZE = 0.02
FAR = 2.5
"""Beyond this a neighbour weighs less than a hundredth."""


class Place(Struct, frozen=True):
    """Where a run lies among others: what distances are taken over, in logarithms."""

    gpu: str
    kind: tuple[str | bool | None, ...]
    """What is alike or is not, in the order of `KIND_COSTS`."""
    model: str
    framework: str
    size: float
    sparsity: float
    sequence: float
    gpus: float
    layout: tuple[float, float, float] | None
    """Tensor, pipeline and expert parallelism, where stated."""
    batch: float | None
    micro: float | None


KIND_COSTS = (
    OTHER_PRECISION, OTHER_TUNING, OTHER_TASK, OTHER_STACK, OTHER_SHARDING,
    OTHER_CHECKPOINTING, OTHER_SPAN,
)  # fmt: skip


class Anchor(Struct, frozen=True):
    """A measurement, its place, and ln(measured ÷ physics)."""

    measured: TrainingMeasurement
    place: Place
    residual: float


class Group(Struct, frozen=True):
    """Measurements of one kind on one card, by size."""

    gpu: str
    kind: tuple[str | bool | None, ...]
    anchors: tuple[Anchor, ...]
    sizes: tuple[float, ...]


def correction(request: TrainingRequest, apart: Apart | None = None) -> Correction:
    """Return what the measurements near a run say about its physics."""
    return corrected(neighbours(request, apart))


def neighbours(
    request: TrainingRequest, apart: Apart | None = None
) -> Iterator[Neighbour]:
    """Return the measurements near a run, but for those set apart."""
    place = place_of(request)
    for group in _groups(request.gpu.architecture):
        base = _between_kinds(place, group)
        reach = (FAR - base) / PER_LOG_SIZE
        if reach < 0:
            continue
        if reach > SAME_SIZE:
            # A model of another size is another model, which costs as well.
            reach = max(reach - OTHER_MODEL / PER_LOG_SIZE, SAME_SIZE)
        first = bisect_left(group.sizes, place.size - reach)
        last = bisect_left(group.sizes, place.size + reach)
        for anchor in group.anchors[first:last]:
            distance = base + _between(place, anchor.place, FAR - base)
            if distance > FAR or (apart is not None and apart(anchor.measured)):
                continue
            yield _neighbour(anchor, distance)


def _neighbour(anchor: Anchor, distance: float) -> Neighbour:
    measured = anchor.measured
    return Neighbour(
        measured.id, measured.source, measured.date, distance, anchor.residual
    )


@cache
def _groups(architecture: str) -> tuple[Group, ...]:
    """Every measurement on cards of an architecture that the physics can follow."""
    by_kind = defaultdict(list)
    for measured, request in _by_architecture().get(architecture, ()):
        step, rate = speed(request, training_constants())
        if step.fit.fits:
            place = place_of(request, measured.source)
            residual = log(measured.tokens_per_second / rate)
            by_kind[place.gpu, place.kind].append(Anchor(measured, place, residual))
    return tuple(_group(*kind, anchors) for kind, anchors in by_kind.items())


@cache
def _by_architecture() -> dict[str, list[tuple[TrainingMeasurement, TrainingRequest]]]:
    known, found = reference(), defaultdict(list)
    for measured in training_measurements():
        request = read_request(measured.request, known)
        found[request.gpu.architecture].append((measured, request))
    return found


def _group(
    gpu: str, kind: tuple[str | bool | None, ...], anchors: list[Anchor]
) -> Group:
    ordered = tuple(sorted(anchors, key=attrgetter("place.size")))
    return Group(gpu, kind, ordered, tuple(one.place.size for one in ordered))


def place_of(request: TrainingRequest, framework: str = "") -> Place:
    """Return where a run lies; a measurement's framework is its publisher's."""
    layout = read_layout(request.parallelism, request.framework, usual_stack(request))
    model, step = request.model, request.global_batch
    micro = request.micro_batch
    return Place(
        gpu=request.gpu.id,
        kind=(
            request.precision, request.tuning, request.task, layout.stack,
            layout.sharding, request.checkpointing, request.tokens is not None,
        ),
        model=model.id,
        framework=(framework or request.framework).lower(),
        size=log(model.active_params_b),
        sparsity=log(model.params_b / model.active_params_b),
        sequence=log(request.sequence),
        gpus=log(request.gpus),
        layout=_degrees(layout) if layout.stated else None,
        batch=log(step * request.sequence / request.gpus) if step else None,
        micro=log(micro * request.sequence) if micro else None,
    )  # fmt: skip


def _degrees(layout: Layout) -> tuple[float, float, float]:
    return log(layout.tensor), log(layout.pipeline), log(layout.expert)


def _layouts_apart(
    one: tuple[float, float, float] | None, other: tuple[float, float, float] | None
) -> float:
    if one is None or other is None:
        return 0.0 if one is other else UNSTATED
    return (
        PER_LOG_TENSOR * abs(one[0] - other[0])
        + PER_LOG_PIPELINE * abs(one[1] - other[1])
        + PER_LOG_EXPERT * abs(one[2] - other[2])
    )


def _between_kinds(place: Place, group: Group) -> float:
    """The part of the distance that all measurements of a group share."""
    distance = 0.0 if place.gpu == group.gpu else OTHER_GPU
    for one, other, cost in zip(place.kind, group.kind, KIND_COSTS, strict=True):
        if one != other:
            distance += cost
    return distance


def _between(one: Place, other: Place, left: float) -> float:
    """The rest of the distance; cut short where more is spent than what is left."""
    size = abs(one.size - other.size)
    sparsity = abs(one.sparsity - other.sparsity)
    distance = (
        PER_LOG_SIZE * size
        + PER_LOG_SPARSITY * sparsity
        + PER_LOG_SEQUENCE * abs(one.sequence - other.sequence)
        + PER_LOG_GPUS * abs(one.gpus - other.gpus)
    )
    if one.model != other.model and (size > SAME_SIZE or sparsity > SAME_SIZE):
        distance += OTHER_MODEL
    if distance > left:
        return distance
    distance += _layouts_apart(one.layout, other.layout)
    if one.framework and not _same_software(one, other):
        distance += OTHER_FRAMEWORK
    distance += _apart(one.batch, other.batch, PER_LOG_BATCH)
    return distance + _apart(one.micro, other.micro, PER_LOG_MICRO)


def _same_software(one: Place, other: Place) -> bool:
    return one.framework in other.framework or other.framework in one.framework


def _apart(one: float | None, other: float | None, cost: float) -> float:
    if one is None or other is None:
        return 0.0 if one is other else UNSTATED
    return cost * abs(one - other)
