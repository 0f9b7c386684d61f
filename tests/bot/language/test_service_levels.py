"""Uptimes and percentiles in the words that people use for them."""

from typing import Any

import pytest

from bot.language.parse import parse
from core.reference.load import reference


def read(text: str, *fields: str) -> tuple[Any, ...]:
    """The fields that a question is read as."""
    query = parse(text, reference())
    return tuple(getattr(query, field) for field in fields)


@pytest.mark.parametrize(
    ("text", "sla"),
    [
        ("8b 40 rps need 99.9", 99.9),
        ("8b 40 rps with 99.5 sla", 99.5),
        ("8b 10rps 99.99 availability", 99.99),
        ("8b 10rps uptime of 99.9", 99.9),
        ("8b 10rps sla 99.95 or better", 99.95),
        ("8b 10rps 99.9% uptime", 99.9),
        ("8b 10rps three nines", 99.9),
        ("8b 10 rps four-nines uptime", 99.99),
        ("8b 10rps with an sla", True),
        ("8b 10rps $99.9/h", None),
        ("8b 99.9 rps", None),
        ("8b 10rps under 99.5 dollars a day", None),
        ("8b p99.9 latency 300ms 10rps", None),
    ],
)
def test_nines_are_an_uptime(text: str, sla: float | bool | None) -> None:
    """With or without a sign, unless they count something else."""
    assert (sla,) == read(text, "sla")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8b 10rps 95% of requests within 2s", ("p95", None, 2000)),
        ("8b 10 rps 90% of answers within 3 seconds", ("p90", None, 3000)),
        ("8b 10rps 99% of requests under 300ms ttft", ("p99", 300, None)),
        ("8b 10rps ttft under 300ms for 99% of users", ("p99", 300, None)),
        ("8b 5rps 99% of requests", (None, None, None)),
        ("8b 90% of requests are cached, 10rps", (None, None, None)),
        ("8b 1000 users, 10% of users active", (None, None, None)),
    ],
)
def test_a_share_of_requests_is_a_percentile(
    text: str, expected: tuple[str | None, float | None, float | None]
) -> None:
    """Where a time stands beside it; without another word it is the whole answer's."""
    assert expected == read(text, "percentile", "ttft_ms", "e2e_ms")


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("8b 10 rps, latency not super critical but under 5 seconds total", 5000),
        ("8b 10 rps, latency is not so important, below 5 s total is fine", 5000),
        ("8b 10 rps, under 2 seconds total latency", 2000),
        ("8b 10 rps, unter 5 Sekunden insgesamt", 5000),
        ("whisper 3000 hours, 20 seconds total per file", None),
    ],
)
def test_limits_in_total(text: str, limit: float | None) -> None:
    """A time in total is that of a whole answer, however little it matters."""
    query = parse(text)

    assert limit == query.e2e_ms
    assert limit is None or not query.not_used
