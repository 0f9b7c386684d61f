"""When a digest is due: a local time, whatever summer time does."""

from datetime import UTC, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from core.frozen import Frozen

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Cadence(Frozen, frozen=True):
    """Daily, on weekdays, or weekly on one day, at a local time."""

    every: Literal["day", "weekday", "week"]
    weekday: int = 0
    """For weekly ones; Monday is 0."""
    hour: int = 9
    minute: int = 0
    zone: str = "UTC"
    """An IANA name."""

    def __post_init__(self) -> None:
        """Refuse a time that no clock shows, and a zone that nobody knows."""
        time(self.hour, self.minute, tzinfo=ZoneInfo(self.zone))
        if self.weekday not in range(len(DAYS)):
            raise ValueError(f"a week has no day {self.weekday}")

    def next_after(self, instant: datetime) -> datetime:
        """Return the first due instant after another one, in UTC.

        A time that the clocks skip is due as much later; one that they repeat is due
        the first time.
        """
        zone = ZoneInfo(self.zone)
        day = instant.astimezone(zone).date()
        for ahead in range(9):
            date = day + timedelta(days=ahead)
            local = datetime(
                date.year, date.month, date.day, self.hour, self.minute, tzinfo=zone
            )
            due = local.astimezone(UTC)
            if due > instant and self._falls_on(date.weekday()):
                return due
        raise AssertionError("every cadence is due within nine days")

    def period_before(self, due: datetime) -> timedelta:
        """Return how far back the digest of a due instant looks."""
        return timedelta(days=7 if self.every == "week" else 1)

    def _falls_on(self, weekday: int) -> bool:
        if self.every == "weekday":
            return weekday < 5
        return self.every == "day" or weekday == self.weekday
