"""Which sources of prices went silent, told once each time."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from core.checked import Checked


class SilenceTold(Checked):
    """The sources of which it was told that they are stale."""

    sources: tuple[str, ...] = ()


class SilenceChange(Checked):
    """What there is to tell now, and what has been told then."""

    stale: tuple[str, ...]
    recovered: tuple[str, ...]
    told: SilenceTold


def silence(
    last_success: Mapping[str, datetime],
    told: SilenceTold,
    now: datetime,
    limit: timedelta,
) -> SilenceChange:
    """Compare the sources' last success with a limit; a source is told once.

    One that lies as far ahead is of a wrong clock, and nothing was polled since.
    """
    silent = sorted(name for name, at in last_success.items() if abs(now - at) > limit)
    known = set(told.sources)
    return SilenceChange(
        stale=tuple(name for name in silent if name not in known),
        recovered=tuple(sorted(known - set(silent))),
        told=SilenceTold(sources=tuple(silent)),
    )
