"""What interruptions take back of the spot discount."""

import math
import random
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.money.spot import (
    Interruptions,
    best_checkpoint_interval,
)

HOURS = st.floats(min_value=0.05, max_value=50)


def simulated(stops: Interruptions, work: int, runs: int) -> float:
    """Return the mean wall hours per hour of work over random interruptions."""
    chance = random.Random(7)  # noqa: S311 - a repeatable simulation, no secret
    mtbf, restart = float(stops.mtbf_hours), float(stops.restart_hours)
    segment = float(stops.checkpoint_every_hours + stops.write_hours)
    clock = 0.0
    for _ in range(runs * round(work / float(stops.checkpoint_every_hours))):
        need = segment
        while (alive := chance.expovariate(1 / mtbf)) < need:
            clock += alive
            need = segment + restart
        clock += need
    return clock / (runs * work)


@pytest.mark.parametrize("mtbf", [4, 20, 100])
def test_the_formula_agrees_with_a_simulation(mtbf: int) -> None:
    """Daly's expectation is within 3 % of 400 simulated runs of 100 hours."""
    stops = Interruptions.of(mtbf, 1, 0.05, 0.25)

    assert stops.time_factor is not None
    found = float(stops.time_factor)
    assert math.isclose(found, simulated(stops, 100, 400), rel_tol=0.03)


@given(HOURS, HOURS, st.floats(min_value=0, max_value=2), st.floats(0, 2))
def test_interruptions_only_cost(
    mtbf: float, every: float, write: float, restart: float
) -> None:
    """Wall time is never under the work, and rarer interruptions never cost more."""
    factor = Interruptions.of(mtbf, every, write, restart).time_factor
    rarer = Interruptions.of(2 * mtbf, every, write, restart).time_factor

    assert factor is None or factor > 1
    assert rarer is None or factor is None or rarer <= factor


def test_the_best_interval_is_youngs() -> None:
    """3 minutes to write and 20 hours between stops: checkpoint every 85 minutes."""
    best = best_checkpoint_interval(20, 0.05)

    assert Decimal("1.414") == round(best, 3)
    around = [
        Interruptions.of(20, best * factor, 0.05).time_factor or Decimal("Infinity")
        for factor in (Decimal("0.5"), Decimal(1), Decimal(2))
    ]
    assert around[1] == min(around)
