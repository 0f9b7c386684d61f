"""What the doctor finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing that was looked at."""

    good: bool
    what: str
    mend: str = ""
    fatal: bool = True
    """Whether questions cannot be answered while this stands."""
