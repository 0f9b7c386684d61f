"""What sellers commit to in writing: the uptime of one machine, and of several."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct

from core.answers.answer import Answer
from core.hardware import GpuSpec
from core.market.uptime import Uptime, commitment
from core.reference.service_levels import service_levels
from core.units import HOURS_PER_MONTH

MACHINES = 2
"""So many are priced as one service: what spreading them adds is shown."""


class Promise(Struct, frozen=True):
    """One seller's published commitment to GPU machines, or what is known of it."""

    provider: str
    uptime: Uptime

    @property
    def source(self) -> str:
        """The document that says so; empty: none was found."""
        return self.uptime.level.source if self.uptime.level else ""

    def keeps(self, wanted: float) -> bool:
        """Whether one machine alone is promised at least so many per cent."""
        return (self.uptime.percent or 0) >= wanted


class Promises(Answer, frozen=True):
    """The sellers in the order of the question, or all that publish a level."""

    promises: tuple[Promise, ...]
    gpu: GpuSpec | None
    wanted: float | None
    """The uptime that is asked for, in per cent; None: none is."""
    copies: int = 1
    """So many machines do the same work, each by itself."""

    applies: ClassVar = frozenset(("sla", "provider", "gpu", "count", "pricing"))
    subject: ClassVar = frozenset(
        ("sla", "pricing", "term_months", "least_replicas", "one_machine")
    )

    @property
    def status(self) -> str:
        """Nothing is priced: what is published is the answer."""
        return "ok"

    def details(self) -> Mapping[str, object]:
        """Each seller's levels with their documents."""
        return {
            "recommendation": None,
            "alternatives": [
                {
                    "provider": one.provider,
                    "sla_percent": one.uptime.percent,
                    "spread": one.uptime.spread,
                    "level": one.uptime.level,
                }
                for one in self.promises
            ],
        }


def together(percent: float, copies: int) -> float:
    """Per cent of the time in which one of so many is up, if they fail independently.

    The redundancy formula: 1 − (1 − a) ^ n.
    """
    return 100 * (1 - (1 - percent / 100) ** copies)


def minutes_down(percent: float) -> float:
    """Minutes of a month that such an uptime leaves."""
    return (100 - percent) / 100 * HOURS_PER_MONTH * 60


def answer_promises(
    providers: Sequence[str],
    gpu: GpuSpec | None,
    wanted: float | None,
    copies: int = 1,
) -> Promises:
    """What each seller commits to; where none is named, all that publish a figure."""
    named = providers or tuple(service_levels())
    family = gpu.family if gpu else ""
    each = [Promise(one, commitment(one, family, "machine", MACHINES)) for one in named]
    if not providers:
        known = [one for one in each if one.uptime.percent]
        met = [one for one in known if wanted is None or one.keeps(wanted)]
        each = sorted(met or known, key=lambda one: -(one.uptime.percent or 0))
    return Promises(tuple(each), gpu, wanted, copies)
