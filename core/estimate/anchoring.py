"""Estimates corrected by the measurements near them.

The physics of a configuration is multiplied by what its neighbours measured over their
own physics: a mean in logarithms whose weights fall with distance, drawn to one by a
weight of its own. Far from every measurement the estimate is the physics.
"""

from collections.abc import Iterable
from math import exp
from operator import attrgetter

from msgspec import Struct

from core.estimate.results import PHYSICS_ONLY, Evidence

SHARPNESS = 2.0
"""A neighbour at distance 1 weighs e^−2."""
PHYSICS_WEIGHT = 0.5
"""Weight of the physics itself, in measurements of the very configuration."""
COUNTED_WITHIN = 1.5
"""Distance within which a neighbour is counted as an anchor."""


class Neighbour(Struct, frozen=True):
    """One measurement: how far it is, and ln(measured ÷ physics) there."""

    id: str
    source: str
    date: str
    distance: float
    residual: float


class Correction(Struct, frozen=True):
    """A factor in logarithms, and the share of it that measurements decide, 0 to 1."""

    log_factor: float
    share: float
    evidence: Evidence


NONE = Correction(0.0, 0.0, PHYSICS_ONLY)


def corrected(neighbours: Iterable[Neighbour]) -> Correction:
    """Return what the neighbours say about the physics, by their distance."""
    known = sorted(neighbours, key=attrgetter("distance"))
    if not known:
        return NONE
    total, moment = 0.0, 0.0
    for one in known:
        weight = exp(-SHARPNESS * one.distance)
        total += weight
        moment += weight * one.residual
    whole = total + PHYSICS_WEIGHT
    return Correction(moment / whole, total / whole, _evidence(known))


def _evidence(known: list[Neighbour]) -> Evidence:
    """What is near enough to be named, the nearest first."""
    anchors = [one for one in known if one.distance <= COUNTED_WITHIN]
    return Evidence(
        anchors=len(anchors),
        nearest=known[0].id,
        distance=known[0].distance,
        sources=tuple(dict.fromkeys(one.source for one in anchors)),
        date=max((one.date for one in anchors), default=""),
    )
