"""Spot: the discount, what interruptions take back of it, and where it ends."""

from dataclasses import dataclass
from decimal import Decimal

from core.money.costs import Number, exact, positive
from core.units import HOURS_PER_MONTH

NEVER_ENDS = 7
"""An interval this many MTBFs long survives once in e⁷ = 1,097 times."""


def discount(price: Number, list_price: Number) -> Decimal:
    """Return the share off a list price, 0–1; negative where it costs more."""
    return 1 - exact(price) / positive(list_price, "the list price")


@dataclass(frozen=True, slots=True)
class Interruptions:
    """How often spot capacity is taken away, and what a job does about it, in hours."""

    mtbf_hours: Decimal
    """Mean time between interruptions of the whole job: one GPU lost stops it."""
    checkpoint_every_hours: Decimal
    write_hours: Decimal
    """To write one checkpoint, with training at a stand."""
    restart_hours: Decimal
    """To get capacity again, load the checkpoint and warm up."""

    @classmethod
    def of(
        cls,
        mtbf_hours: Number,
        checkpoint_every_hours: Number,
        write_hours: Number = 0,
        restart_hours: Number = 0,
    ) -> "Interruptions":
        """Return the figures as decimals, refusing intervals of nothing."""
        return cls(
            positive(mtbf_hours, "MTBF"),
            positive(checkpoint_every_hours, "checkpoint interval"),
            exact(write_hours),
            exact(restart_hours),
        )

    @property
    def time_factor(self) -> Decimal | None:
        """Expected wall hours per hour of work; None: it would never end.

        M·e^(R/M)·(e^((C+W)/M) − 1)/C for interruptions without memory: Daly 2006,
        doi.org/10.1016/j.future.2004.11.016.
        """
        every, mtbf = self.checkpoint_every_hours, self.mtbf_hours
        if self.restart_hours + every + self.write_hours > NEVER_ENDS * mtbf:
            return None
        segment = ((every + self.write_hours) / mtbf).exp() - 1
        return mtbf * (self.restart_hours / mtbf).exp() * segment / every


def mtbf_from_monthly_rate(
    interrupted: Number, hours: Number = HOURS_PER_MONTH
) -> Decimal:
    """Return MTBF in hours from the share of instances interrupted within a month.

    AWS publishes this share per type in bands: aws.amazon.com/ec2/spot/instance-advisor
    """
    rate = exact(interrupted)
    if not 0 < rate < 1:
        raise ValueError(f"a monthly rate lies between 0 and 1, not {interrupted}")
    return exact(hours) / -(1 - rate).ln()


def job_mtbf(instance_mtbf_hours: Number, instances: int) -> Decimal:
    """Return the MTBF of a job that stops when any of its instances is lost."""
    return exact(instance_mtbf_hours) / positive(instances, "instances")


def best_checkpoint_interval(mtbf_hours: Number, write_hours: Number) -> Decimal:
    """Return √(2·W·M) hours: Young 1974, doi.org/10.1145/361147.361115."""
    write = positive(write_hours, "the time to write a checkpoint")
    return (2 * write * positive(mtbf_hours, "MTBF")).sqrt()


@dataclass(frozen=True, slots=True)
class SpotRun:
    """One run on spot beside the same run on demand; None: it would never end."""

    hours: Decimal | None
    usd: Decimal | None
    usd_on_demand: Decimal
    overhead: Decimal | None
    """Extra hours over the hours of work."""
    discount: Decimal
    """Off the hourly price, 0–1."""
    break_even_usd_per_hour: Decimal | None
    """The spot price for all GPUs at which on-demand costs the same."""

    @property
    def saves(self) -> Decimal | None:
        """Dollars saved by spot; negative where interruptions eat the discount."""
        return None if self.usd is None else self.usd_on_demand - self.usd

    @property
    def wins(self) -> bool:
        """Whether spot is the cheaper after what interruptions cost."""
        return self.saves is not None and self.saves > 0


def spot_run(
    work_hours: Number, spot: Number, on_demand: Number, stops: Interruptions
) -> SpotRun:
    """Return the expected hours and dollars of a run; prices per hour, all GPUs."""
    work, paid, full = exact(work_hours), exact(spot), exact(on_demand)
    factor = stops.time_factor
    return SpotRun(
        hours=None if factor is None else work * factor,
        usd=None if factor is None else work * factor * paid,
        usd_on_demand=work * full,
        overhead=None if factor is None else factor - 1,
        discount=discount(paid, full),
        break_even_usd_per_hour=None if factor is None else full / factor,
    )


def crossover_mtbf(spot: Number, on_demand: Number, stops: Interruptions) -> (
    Decimal | None
):  # fmt: skip
    """Return the MTBF in hours below which on-demand is cheaper; None: always.

    `stops.mtbf_hours` is ignored. Without interruptions spot still pays for writing
    checkpoints; where that alone eats the discount there is no crossover.
    """
    allowed = positive(on_demand, "the on-demand price") / positive(spot, "spot")
    every, write = stops.checkpoint_every_hours, stops.write_hours
    if 1 + write / every >= allowed:
        return None
    low, high = Decimal("1e-6"), Decimal("1e9")
    for _ in range(120):
        middle = (low * high).sqrt()
        trial = Interruptions(middle, every, write, stops.restart_hours)
        factor = trial.time_factor
        if factor is None or factor > allowed:
            low = middle
        else:
            high = middle
    return high
