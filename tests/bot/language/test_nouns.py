"""Nouns of no word file are read by the part that they play."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "1,300 adjusters, each of them opens 12 claims a day, 8b",
            {"users": 1300, "requests_per_user_per_day": 12},
        ),
        (
            "each of our 60 depots sends about 300 waybills a day to a 4b",
            {"requests_per_day": 18_000},
        ),
        (
            "8b, 20k postcards a day, a postcard is 90 tokens",
            {"requests_per_day": 20_000, "input_tokens": 90, "users": None},
        ),
        ("room for 2 racks, 40 kW each. 16 rps on an 8b", {"users": None, "rps": 16}),
        ("8b, each waits 5 seconds at most, 10 rps", {"users": None, "rps": 10}),
    ],
)
def test_open_nouns(text: str, stated: dict[str, float | None]) -> None:
    """What is counted by the time is asked for; people are whose share is told."""
    query = parse(text)
    assert {field: getattr(query, field) for field in stated} == stated


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("we are at 7 rps today, so size for 28. 8b", 28),
        ("we run an 8b and see 18 rps. need 50.", 50),
        ("we run an 8b at 18 rps today, need the cheapest gpu", 18),
    ],
)
def test_the_rate_of_today_gives_way(text: str, rate: float) -> None:
    """A rate without a unit that is wanted stands in place of that of today."""
    assert parse(text).rps == rate


@pytest.mark.parametrize(
    "text",
    [
        "8b, 60 requests at once, we shut the machines down overnight",
        "8b for 80 users, scale to zero at night",
    ],
)
def test_nights_off_are_no_batch(text: str) -> None:
    """Machines that are off at night serve by day."""
    query = parse(text)
    assert (query.kind, query.latency_class) == ("inference", None)
