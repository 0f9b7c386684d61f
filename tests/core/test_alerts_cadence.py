"""Digests at a local time, whatever the clocks do."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError

from core.alerts.cadence import Cadence

CHANGES = {
    "Europe/London": [(2026, 3, 29, 0, 1), (2026, 10, 25, 1, 0)],
    "America/New_York": [(2026, 3, 8, -5, -4), (2026, 11, 1, -4, -5)],
    "Australia/Sydney": [(2026, 4, 5, 11, 10), (2026, 10, 4, 10, 11)],
    "America/Sao_Paulo": [
        (2018, 2, 18, -2, -3),
        (2018, 11, 4, -3, -2),
        (2026, 3, 8, -3, -3),
        (2026, 10, 18, -3, -3),
    ],
    "Asia/Kolkata": [(2026, 3, 29, 5.5, 5.5), (2026, 10, 25, 5.5, 5.5)],
}
"""Days on which clocks change, with the hours ahead of UTC before and after; São Paulo
gave summer time up in 2019, Kolkata has none: theirs are days of other cities."""


@pytest.mark.parametrize("zone", CHANGES)
def test_nine_o_clock_is_nine_o_clock_through_both_changes(zone: str) -> None:
    """For a week around each change the digest comes at 09:00 local, once a day."""
    cadence = Cadence(every="day", hour=9, zone=zone)
    for year, month, day, before, after in CHANGES[zone]:
        changed = date(year, month, day)
        first = changed - timedelta(days=3)
        at = datetime(first.year, first.month, first.day, tzinfo=ZoneInfo(zone))
        for number in range(7):
            at = cadence.next_after(at)
            local = first + timedelta(days=number)
            ahead = before if local < changed else after
            nine = datetime(local.year, local.month, local.day, 9, tzinfo=UTC)

            assert nine - timedelta(hours=ahead) == at


def test_a_time_that_the_clocks_skip_comes_as_much_later() -> None:
    """02:30 in New York does not exist on 8 March 2026: it comes at 03:30."""
    cadence = Cadence(every="day", hour=2, minute=30, zone="America/New_York")

    due = cadence.next_after(datetime(2026, 3, 8, 5, 30, tzinfo=UTC))

    assert datetime(2026, 3, 8, 7, 30, tzinfo=UTC) == due


def test_a_time_that_the_clocks_repeat_comes_once() -> None:
    """01:30 in London happens twice on 25 October 2026: the first counts."""
    cadence = Cadence(every="day", hour=1, minute=30, zone="Europe/London")

    first = cadence.next_after(datetime(2026, 10, 24, 12, tzinfo=UTC))
    second = cadence.next_after(first)

    assert datetime(2026, 10, 25, 0, 30, tzinfo=UTC) == first
    assert datetime(2026, 10, 26, 1, 30, tzinfo=UTC) == second


@pytest.mark.parametrize(
    ("cadence", "expected"),
    [
        (Cadence(every="week", weekday=0, hour=8, minute=30), "2026-05-04T08:30"),
        (Cadence(every="week", weekday=4, hour=11), "2026-05-08T11:00"),
        (Cadence(every="week", weekday=4, hour=13), "2026-05-01T13:00"),
        (Cadence(every="weekday", hour=9), "2026-05-04T09:00"),
        (Cadence(every="day", hour=12), "2026-05-02T12:00"),
    ],
)
def test_the_next_one_falls_on_its_day(cadence: Cadence, expected: str) -> None:
    """After Friday noon come the days that each cadence names; now itself is past."""
    friday = datetime(2026, 5, 1, 12, tzinfo=UTC)

    assert datetime.fromisoformat(expected + "+00:00") == cadence.next_after(friday)


@given(
    st.integers(1_700_000_000, 1_900_000_000),
    st.sampled_from([*CHANGES, "UTC", "Pacific/Chatham", "Africa/Casablanca"]),
    st.sampled_from(["day", "weekday", "week"]),
    st.integers(0, 6),
    st.integers(0, 23),
    st.integers(0, 59),
)
def test_every_digest_comes_after_and_soon(
    seconds: int, zone: str, every: str, weekday: int, hour: int, minute: int
) -> None:
    """The next one is in the future, and no further away than its rhythm."""
    cadence = Cadence.model_validate(
        {
            "every": every,
            "weekday": weekday,
            "hour": hour,
            "minute": minute,
            "zone": zone,
        }
    )
    at = datetime.fromtimestamp(seconds, UTC)
    longest = {"day": 1, "weekday": 3, "week": 7}[every]

    due = cadence.next_after(at)

    assert at < due <= at + timedelta(days=longest, hours=2)


def test_an_unknown_place_is_refused() -> None:
    """A zone that the database does not know never becomes a subscription."""
    with pytest.raises((ValidationError, KeyError, ValueError)):
        Cadence(every="day", zone="Mars/Olympus")
