"""One day, one week: a span where work ends, a rate where it goes on."""

import pytest

from bot.language.parse import parse
from core.query import Query


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("train 3b on 100B tokens in a week", "deadline_hours", 168),
        ("pretrain 3b on 300bn tokens in under a fortnight", "deadline_hours", 336),
        ("train 3b on 100B tokens within a month", "deadline_hours", 720),
        ("summarise 2M docs in a day with 8b", "deadline_hours", 24),
        ("1M requests in a day 8b", "requests_per_day", 1e6),
        ("8 h100 for a week", "duration_hours", 168),
        ("8 h100 for a fortnight", "duration_hours", 336),
        ("32b for forty analysts, 30 questions each per working day",
         "requests_per_user_per_day", 30),
    ],
)  # fmt: skip
def test_one_of_a_span_is_read(text: str, field: str, value: float) -> None:
    """ "in a week" is a week, and no rate a week."""
    query: Query = parse(text)

    assert value == getattr(query, field)
    assert query.tokens_per_day is None
    assert query.clarify is None


@pytest.mark.parametrize(
    ("text", "sla"),
    [
        ("need 99.9% and soc2 for 70b 10 rps", 99.9),
        ("70b 10 rps with 99% cache hits", None),
        ("99% of requests under 2s, 8b 10 rps", None),
        ("70b at 99% utilization 10 rps", None),
    ],
)
def test_nines_that_are_needed_are_an_uptime(text: str, sla: float | None) -> None:
    """Of requests, of a cache or of use they are none."""
    assert sla == parse(text).sla


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("qlora 70b on a single 48gb card, feasible?", 1),
        ("does 13b fit on a 24gb card", 1),
        ("does 70b int4 fit on two 24gb cards", 2),
        ("cheapest 24gb card", None),
    ],
)
def test_cards_are_counted_before_their_size(text: str, count: int | None) -> None:
    """A question about one card is not answered with four."""
    assert count == parse(text).count


def test_buying_against_renting_is_weighed_too() -> None:
    """ "vs" is as good as "or"."""
    query = parse("payback period of buying 16 h100 at $27k vs renting them")

    assert "buy_or_rent" == query.wanted
    assert query.beside is not None
    assert 27_000 == query.beside.purchase_usd


def test_a_salary_needs_no_sign() -> None:
    """ "two FTEs at 150k each" are paid 150,000 a year."""
    beside = parse("3 nodes of 8 h200 incl. two FTEs at 192k each").beside

    assert beside is not None
    assert 100 == beside.engineering_usd_per_hour


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("price of h100 last 3 months", "term_months", None),
        ("reserve 8 h100 for a year vs on demand", "term_months", 12),
        ("reserve 8 h100 for a year vs on demand at 60% use", "utilization", 0.6),
        ("p95 ttft below 300 ms for 8k prompts on 70b, 5 rps", "input_tokens", 8000),
        ("8k prompts a day on 70b ttft 500ms", "requests_per_day", 8000),
        ("batch of 8k prompts on 70b", "requests_total", 8000),
        ("if we move 30% of our gpt-4o traffic ($20k/mo) to our own 70b",
         "api_share", 0.3),
        ("we pay openai $20k a month, self host 70b?", "api_share", None),
        ("95% of requests under 2s 8b 10 rps", "api_share", None),
    ],
)  # fmt: skip
def test_what_stands_beside_a_number_says_what_it_is(
    text: str, field: str, value: float | None
) -> None:
    """Spans looked back on, shares of a bill, lengths of prompts."""
    assert value == getattr(parse(text), field)
