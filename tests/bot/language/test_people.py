"""People who run the GPUs, told from people who use them."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("tco of 70b at 20 rps with half an engineer", 80),
        ("tco of 70b at 20 rps with an engineer", 160),
        ("tco of 70b 20 rps, two engineers", 320),
        ("70b 20 rps with 0.5 FTE", 80),
        ("70b 20 rps with 1/2 fte", 80),
        ("70b 20 rps plus ½ FTE", 80),
        ("70b 20 rps plus 20% of an engineer", 32),
        ("70b 20 rps all in incl. a quarter of an engineer", 40),
        ("70b 20 rps plus one SRE", 160),
        ("tco of 70b 20 rps, an engineer 3 days a week", 104),
        ("70b 20 rps, 40 engineer hours, budget $5000 a month", 40),
        ("70b 20 rps and 3 hours a week of an engineer", 13),
        ("70b 20 rps if it needs two devops engineers", 320),
    ],
)
def test_those_who_run_it_are_hours_a_month(text: str, hours: float) -> None:
    """A whole person works 160 hours a month; none of them is a user."""
    query = parse(text)

    assert query.beside is not None
    assert hours == round(query.beside.engineering_hours or 0, 6)
    assert (None, None) == (query.users, query.days_per_week)


@pytest.mark.parametrize(
    ("text", "users"),
    [
        ("8b assistant for 500 engineers", 500),
        ("tco of copilot 8b for 200 engineers", 200),
        ("8b code completion for two engineers", 2),
        ("copilot with 20 engineers 8b", 20),
        ("8b chat for 3 SREs", 3),
    ],
)
def test_those_who_use_it_are_users(text: str, users: float) -> None:
    """Whom it is for, and larger crowds, do not run it."""
    query = parse(text)

    assert users == query.users
    assert query.beside is None


@pytest.mark.parametrize(
    ("text", "hourly"),
    [
        ("70b 20 rps including two engineers at $192k a year", 100),
        ("70b 20 rps plus one SRE at $90/h", 90),
        ("tco of 70b 20 rps, an engineer 2 days a week at $192k a year", 100),
        ("70b 20 rps tco with a full-time engineer on $192k", 100),
        ("70b 20 rps tco with two engineers at $16k a month each", 100),
        ("70b 20 rps, 40 engineer hours at $120 an hour", 120),
        ("70b 20 rps, 40 engineer hours, budget $5000 a month", None),
        ("70b 20 rps, 40 engineer hours", None),
    ],
)
def test_pay_becomes_dollars_an_hour(text: str, hourly: float | None) -> None:
    """A salary is spread over 160 hours a month."""
    beside = parse(text).beside

    assert beside is not None
    assert hourly == beside.engineering_usd_per_hour
