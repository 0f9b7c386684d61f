"""Reserved base and on-demand peak: how many GPUs to commit to."""

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache

from msgspec import Struct

from core.money.costs import Number, exact, positive
from core.units import HOURS_PER_MONTH

HOURS_PER_DAY = 24
PEAK_HOUR = 14


def gpus_for(load: Number, replica_carries: Number, gpus_per_replica: int = 1) -> int:
    """Return the GPUs for a load, in whole replicas; both loads in one unit."""
    replicas = exact(load) / positive(replica_carries, "what a replica carries")
    return int(replicas.to_integral_value(ROUND_CEILING)) * gpus_per_replica


def day_profile(average: Number, peak: Number) -> tuple[Decimal, ...]:
    """Return 24 hourly loads with this average and peak: one smooth hump a day.

    peak × e^(−b·(1 − cos)), a von Mises curve with b such that the mean is right. A
    day spikier than one hour at the peak and none beside it is given as just that.
    """
    high = positive(peak, "the peak load")
    if exact(average) > high:
        raise ValueError(f"the average load {average} is above the peak {peak}")
    sharpness = _sharpness_for(float(exact(average) / high))
    return tuple(high * exact(round(part, 9)) for part in _hump(sharpness))


def _hump(sharpness: float) -> list[float]:
    angles = (2 * math.pi * (hour - PEAK_HOUR) / HOURS_PER_DAY for hour in range(24))
    return [math.exp(-sharpness * (1 - math.cos(angle))) for angle in angles]


@lru_cache(maxsize=64)
def _sharpness_for(mean: float) -> float:
    """Return the b whose hump has this mean; the mean falls as b grows."""
    low, high = 0.0, 1e4
    for _ in range(60):
        middle = (low + high) / 2
        if sum(_hump(middle)) / HOURS_PER_DAY > mean:
            low = middle
        else:
            high = middle
    return low


def fleet_by_hour(
    loads: Iterable[Number], replica_carries: Number, gpus_per_replica: int = 1
) -> tuple[int, ...]:
    """Return the GPUs that each hour's load needs."""
    return tuple(gpus_for(load, replica_carries, gpus_per_replica) for load in loads)


class ReservePlan(Struct, frozen=True):
    """A base that is paid for every hour and a peak that is rented by the hour."""

    reserved: int
    peak: int
    on_demand_gpu_hours: Decimal
    """Per month, beyond the base."""
    usd_per_month: Decimal
    usd_on_demand_scaled: Decimal
    """Per month, all on demand, scaled to each hour's need."""
    usd_on_demand_flat: Decimal
    """Per month, the peak's GPUs on demand around the clock."""

    @property
    def saves(self) -> Decimal:
        """Dollars a month against on-demand that already scales with the load."""
        return self.usd_on_demand_scaled - self.usd_per_month


def plan_reserve(
    gpus_by_hour: Sequence[int],
    on_demand: Decimal,
    reserved: Decimal,
    hours: Number = HOURS_PER_MONTH,
    machine: int = 1,
    reserved_hours: Number | None = None,
) -> ReservePlan:
    """Return the cheapest base for a day (or any cycle) of GPU needs.

    The n-th GPU is worth reserving exactly when it is needed in a larger share of the
    hours than the reserved price is of the on-demand price, and no GPU is needed
    oftener than the one before it: the choice per GPU is the optimum. So is that per
    `machine` of so many GPUs, where a term is sold in whole ones. A term is paid for
    its `reserved_hours` a month, where those are more than the `hours` of the cycle.
    """
    month = positive(hours, "hours")
    weight = month / positive(len(gpus_by_hour), "hours in the profile")
    peak = max(gpus_by_hour)
    used = [weight * sum(need > gpu for need in gpus_by_hour) for gpu in range(peak)]
    machines = [used[start : start + machine] for start in range(0, peak, machine)]
    committed = positive(reserved_hours or hours, "reserved hours")
    term = reserved * committed * machine
    base = machine * sum(on_demand * sum(busy) > term for busy in machines)
    beyond = sum(used[base:], Decimal(0))
    return ReservePlan(
        reserved=base,
        peak=peak,
        on_demand_gpu_hours=beyond,
        usd_per_month=reserved * base * committed + on_demand * beyond,
        usd_on_demand_scaled=on_demand * sum(used, Decimal(0)),
        usd_on_demand_flat=on_demand * peak * month,
    )


class TermBreakEven(Struct, frozen=True):
    """When a commitment pays, per GPU; None: never, it costs no less by the hour."""

    term_months: int
    saving: Decimal
    """Off the on-demand price, 0–1; zero or less: no saving."""
    commitment_usd: Decimal
    hours_per_month: Decimal | None
    """Use above this in every month of the term makes reserving the cheaper."""
    months_of_full_use: Decimal | None
    """Full-time on-demand use that costs as much as the whole term."""


def term_break_even(
    on_demand: Decimal,
    reserved: Decimal,
    term_months: int,
    hours: Number = HOURS_PER_MONTH,
) -> TermBreakEven:
    """Return from how much use on a 1- or 3-year term costs less than on-demand."""
    ratio = reserved / positive(on_demand, "the on-demand price")
    pays = ratio < 1
    return TermBreakEven(
        term_months=term_months,
        saving=1 - ratio,
        commitment_usd=reserved * exact(hours) * term_months,
        hours_per_month=exact(hours) * ratio if pays else None,
        months_of_full_use=term_months * ratio if pays else None,
    )
