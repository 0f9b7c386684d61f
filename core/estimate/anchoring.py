"""Estimates corrected by the measurements near them.

The physics of a configuration is multiplied by what its neighbours measured over their
own physics: a mean in logarithms whose weights fall with distance, drawn to one by a
weight of its own. Far from every measurement the estimate is the physics.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp

SHARPNESS = 2.0
"""A neighbour at distance 1 weighs e^−2."""
PHYSICS_WEIGHT = 0.5
"""Weight of the physics itself, in measurements of the very configuration."""
COUNTED_WITHIN = 1.0
"""Distance within which a neighbour is counted as an anchor."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One measurement: how far it is, and ln(measured ÷ physics) there."""

    id: str
    source: str
    date: str
    distance: float
    residual: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an estimate is anchored on."""

    anchors: int = 0
    nearest: str | None = None
    distance: float | None = None
    source: str = ""
    date: str = ""

    def __str__(self) -> str:
        """One clause for a reader."""
        if not self.anchors:
            return "physics only"
        measured = "measurement" if self.anchors == 1 else "measurements"
        return f"anchored on {self.anchors} {measured} ({self.source}, {self.date})"


@dataclass(frozen=True, slots=True)
class Correction:
    """A factor in logarithms, and the share of it that measurements decide, 0 to 1."""

    log_factor: float
    share: float
    evidence: Evidence


NONE = Correction(0.0, 0.0, Evidence())


def corrected(neighbours: Iterable[Neighbour]) -> Correction:
    """Return what the neighbours say about the physics, by their distance."""
    total, moment, anchors = 0.0, 0.0, 0
    nearest: Neighbour | None = None
    for one in neighbours:
        weight = exp(-SHARPNESS * one.distance)
        total += weight
        moment += weight * one.residual
        anchors += one.distance <= COUNTED_WITHIN
        if nearest is None or one.distance < nearest.distance:
            nearest = one
    if nearest is None:
        return NONE
    whole = total + PHYSICS_WEIGHT
    evidence = Evidence(
        anchors, nearest.id, nearest.distance, nearest.source, nearest.date
    )
    return Correction(moment / whole, total / whole, evidence)
