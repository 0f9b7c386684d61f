"""So many in so long: a rate, or a pile with a deadline."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "pile", "hours", "rps"),
    [
        ("70b batch 1M requests within 1 hour on 2 h100", 1e6, 1, None),
        ("8b offline 20k requests in 30 minutes", 20_000, 0.5, None),
        ("summarize 5000 docs in 10 minutes with 8b", 5000, 1 / 6, None),
        ("process 3000 tickets in 1 hour with 70b", 3000, 1, None),
        ("summarise 1M documents with 8b overnight", 1e6, 12, None),
        ("summarise 1M documents with 8b, overnight is fine", 1e6, None, None),
        ("8b chat 6000 requests in 10 minutes", None, None, 10),
        ("8b 600 requests in 1 minute, batch size 8", None, None, 10),
    ],
)
def test_a_pile_has_a_deadline_where_nobody_waits(
    text: str, pile: float | None, hours: float | None, rps: float | None
) -> None:
    """Batches and documents that are worked through are done by then; chats come."""
    query = parse(text)
    found = query.requests_total, query.deadline_hours, query.rps

    assert (pile, pytest.approx(hours), rps) == found
