"""Spot: the discount, what interruptions take back of it, and where it ends."""

from decimal import Decimal
from functools import lru_cache

from msgspec import Struct

from core.money.costs import Number, exact, positive

NEVER_ENDS = 7
"""An interval this many MTBFs long survives once in e⁷ = 1,097 times."""


def discount(price: Number, list_price: Number) -> Decimal:
    """Return the share off a list price, 0–1; negative where it costs more."""
    return 1 - exact(price) / positive(list_price, "the list price")


class Interruptions(Struct, frozen=True):
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
        return _time_factor(self)


@lru_cache(maxsize=1024)
def _time_factor(stops: Interruptions) -> Decimal | None:
    """Kept: a job's plans are interrupted as often at every offer."""
    every, mtbf = stops.checkpoint_every_hours, stops.mtbf_hours
    if stops.restart_hours + every + stops.write_hours > NEVER_ENDS * mtbf:
        return None
    segment = ((every + stops.write_hours) / mtbf).exp() - 1
    return mtbf * (stops.restart_hours / mtbf).exp() * segment / every


def job_mtbf(instance_mtbf_hours: Number, instances: int) -> Decimal:
    """Return the MTBF of a job that stops when any of its instances is lost."""
    return exact(instance_mtbf_hours) / positive(instances, "instances")


def best_checkpoint_interval(mtbf_hours: Number, write_hours: Number) -> Decimal:
    """Return √(2·W·M) hours: Young 1974, doi.org/10.1145/361147.361115."""
    write = positive(write_hours, "the time to write a checkpoint")
    return (2 * write * positive(mtbf_hours, "MTBF")).sqrt()
