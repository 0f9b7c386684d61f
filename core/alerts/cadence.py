"""When a digest is due: a local time, whatever summer time does."""

from datetime import UTC, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator

from core.frozen import Frozen

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Cadence(Frozen):
    """Daily, on weekdays, or weekly on one day, at a local time."""

    every: Literal["day", "weekday", "week"]
    weekday: int = Field(default=0, ge=0, le=6)
    """For weekly ones; Monday is 0."""
    hour: int = Field(default=9, ge=0, le=23)
    minute: int = Field(default=0, ge=0, le=59)
    zone: str = "UTC"
    """An IANA name."""

    @field_validator("zone")
    @classmethod
    def _known(cls, zone: str) -> str:
        ZoneInfo(zone)
        return zone

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
