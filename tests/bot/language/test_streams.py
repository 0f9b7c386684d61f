"""So many streams of so many tokens a second are there at once."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "at_once", "users"),
    [
        ("llama 70b 100 users at 30 tokens per second each", 100, None),
        ("8b, 40 people, each 20 tok/s", 40, None),
        ("100 tokens/sec/user on 8b, 20 users", None, 20),
        ("70b 300 users, 20 tok/s per user", None, 300),
        ("70b 300 users with 10 requests a day each, 20 tok/s per user", None, 300),
        ("200 concurrent users, each wants 25 tok/s, 70b", 200, None),
    ],
)
def test_a_pace_of_each_is_of_streams(
    text: str, at_once: float | None, users: float | None
) -> None:
    """A pace per user is how fast they read; so much each is what flows at once."""
    query = parse(text)

    assert (at_once, users) == (query.concurrency, query.users)
    assert query.tok_s_per_user is not None
