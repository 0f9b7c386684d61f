"""What the doctor finds."""

from msgspec import Struct


class CheckResult(Struct, frozen=True):
    """One thing that was looked at."""

    good: bool
    what: str
    mend: str = ""
    fatal: bool = True
    """Whether questions cannot be answered while this stands."""
