"""At night a service rests, and a pile is worked through."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("llama 8b 100 rps, 20% of the time idle at night", "inference"),
        ("8b 50 rps by day, quiet at night", "inference"),
        ("70b 20 rps, at night nothing", "inference"),
        ("8b 30 concurrent users, less by night", "inference"),
        ("summarise 1M docs at night with 8b", "batch"),
        ("70b batch at night 5 rps", "batch"),
        ("8b 50 rps by day and 2M docs at night", "mixed"),
        ("8b 50 rps by day and 2M requests at night", "mixed"),
        ("8b overnight 2M requests", "batch"),
    ],
)
def test_a_quiet_night_makes_no_batch(text: str, kind: str) -> None:
    """Only what is worked through then is done without anybody waiting."""
    query = parse(text)

    assert kind == query.kind
    assert (kind == "inference") == (query.latency_class is None)


def test_the_idle_part_is_the_load_that_is_not_there() -> None:
    """A fifth of the time idle is four fifths of the load on average."""
    query = parse("llama 8b 100 rps, 20% of the time idle at night")

    assert (100, 0.8) == (query.rps, query.utilization)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("SDXL, 25,000 images per day, can run overnight from 22 to 6", 8),
        ("flux 5000 Bilder pro Tag, nachts von 23 bis 5 Uhr", 6),
        ("llama 8b, 500k requests a day, batch overnight from 22 to 6", 8),
        ("embed 2M docs every night, window 22 to 4, bge-m3", 6),
        ("SDXL 5000 images overnight, 20 to 30 steps", None),
    ],
)
def test_a_nights_window_is_the_deadline(text: str, hours: float | None) -> None:
    """A nightly pile must be done between the two hours that are named."""
    query = parse(text)

    assert (hours, None) == (query.deadline_hours, query.hours_per_day)
