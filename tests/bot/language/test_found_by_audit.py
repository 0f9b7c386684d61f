"""Readings that an audit of whole answers found wrong."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "average", "peak"),
    [
        ("llama 70b 20 rps on h100 at lambda, average 12 rps", 12, 20),
        ("how many h100 should we reserve for 70b 50rps, average 20rps", 20, 50),
        ("70b average 12 rps, peak 40", 12, 40),
        ("70b 20 rps averaging 500 tokens", 20, None),
    ],
)
def test_an_average_beside_another_rate_makes_that_the_peak(
    text: str, average: float, peak: float | None
) -> None:
    """Two rates and one word: the load is sized, not the GPUs judged."""
    query = parse(text)
    assert ("size", average, peak) == (query.intent, query.rps, query.peak_rps)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("70b at 20 rps peak and 6 rps on average, should we reserve?", True),
        ("reserve base load for 70b 50rps peak 12rps average", True),
        ("70b 50rps, is it worth reserving", True),
        ("70b 50rps, does a reservation make sense", True),
        ("70b 50rps reserved 1 year", None),
        ("reserve 8 h100 for a year", None),
    ],
)
def test_whether_to_reserve_is_no_order_to_reserve_all(
    text: str, part: bool | None
) -> None:
    """Who asks whether, or for the base alone, is not put on terms altogether."""
    query = parse(text)
    assert (("reserved",), part) == (query.pricing, query.part_reserved)


@pytest.mark.parametrize(
    ("text", "months", "daily"),
    [
        ("8 h100 reserved for a year, 8 hours a day", 12, 8),
        ("8 h100 reserved for 3 years", 36, None),
        ("a year reserved, 8 h100", 12, None),
    ],
)
def test_a_year_is_a_term(text: str, months: float, daily: float | None) -> None:
    """ "For a year" holds without a number."""
    query = parse(text)
    assert (months, daily) == (query.term_months, query.hours_per_day)


@pytest.mark.parametrize(
    ("text", "daily", "monthly"),
    [
        ("70b 20rps 240 hours a month", 8, None),
        ("8 h100 300 hours a month", 10, None),
        ("8 h100 300 h/month", 10, None),
        ("8 h100 720 hours/month", None, 720),
        ("8 h100, 730 hour month", None, 730),
    ],
)
def test_some_hours_a_month_are_use(
    text: str, daily: float | None, monthly: float | None
) -> None:
    """About 730 hours say how long a month is; fewer say how much of it is used."""
    query = parse(text)
    assert (daily, monthly) == (query.hours_per_day, query.hours_per_month)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("70b at 30 rps, 40% of prompts cached, 1500 in 300 out", 0.4),
        ("70b 10 rps cache hit rate 60%", 0.6),
        ("70b 10rps 0.5 cache hit", 0.5),
        ("70b cached 80%, 5 rps", 0.8),
        ("70b 5rps, half the prompts cached", 0.5),
        ("70b 5rps cached, 1500 in 300 out", None),
        ("70b 5rps cache hit rate 1500%", None),
    ],
)
def test_a_cache_hits_no_more_than_all(text: str, share: float | None) -> None:
    """A length beside the word is no share, and no share is above one."""
    query = parse(text)
    assert share == query.cache_hit_rate
    if "1500 in" in text:
        assert (1500, 300) == (query.input_tokens, query.output_tokens)


@pytest.mark.parametrize(
    ("said", "share", "asked"),
    [
        ("no prompt caching", 0, False),
        ("without prefix caching", 0, False),
        ("ohne prompt caching", 0, False),
        ("caching is off", 0, False),
        ("prefix cache disabled", 0, False),
        ("we can't use prompt caching", 0, False),
        ("prompts are not cached", 0, False),
        ("nothing is shared", 0, False),
        ("no prefix caching today, would it help?", None, True),
        ("with and without prefix caching", None, True),
        ("no kv cache quantization", None, False),
        ("80% of the prompt is cached", 0.8, False),
    ],
)
def test_a_cache_that_is_ruled_out_is_none(
    said: str, share: float | None, asked: bool
) -> None:
    """Nobody is told that it would save, nor billed as if it did."""
    query = parse(f"code agents 32b 2 rps, {said}")

    assert (share, asked) == (query.cache_hit_rate, bool(query.techniques))


@pytest.mark.parametrize(
    ("text", "cadence"),
    [
        ("fine-tune llama 8b on 50k samples every week and serve 3 rps for a year",
         "weekly"),
        ("fine-tune llama 8b on 50k samples weekly, serve 3 rps for a year", "weekly"),
        ("fine-tune llama 8b on 50k samples and serve 3 rps for a year", None),
    ],
)  # fmt: skip
def test_data_between_a_training_and_its_cadence_hides_none(
    text: str, cadence: str | None
) -> None:
    """ "On 50k samples" stands between the work and how often it is done."""
    query = parse(text)
    assert ("lifecycle", cadence) == (query.intent, query.cadence)


@pytest.mark.parametrize(
    "text",
    [
        "route simple requests to an 8b and hard ones to a 70b at 50 rps",
        "cascade 8b then 70b 20 rps",
    ],
)
def test_two_models_of_a_route_are_asked_apart(text: str) -> None:
    """None of the two is dropped without a word."""
    doubt = parse(text).clarify
    assert doubt is not None
    assert "8b" in doubt.question
    assert "70b" in doubt.question


def test_streams_of_their_own_speed_run_at_once() -> None:
    """ "100 users at 30 tok/s each" are a hundred answers written at a time."""
    query = parse("llama 70b 100 users at 30 tokens per second each")
    assert (100, None, 30) == (query.concurrency, query.users, query.tok_s_per_user)


@pytest.mark.parametrize(
    "text",
    [
        "idle cost of 6 h100 at coreweave at 30%",
        "idle cost of 8 h100 at 30% in the eu",
        "idle cost of 8 h100 in the eu at 30%",
    ],
)
def test_use_is_read_behind_a_seller_or_a_place(text: str) -> None:
    """What stands between the GPUs and their use takes nothing from it."""
    assert 0.3 == parse(text).utilization


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("buy 8 h100 for $280k or rent", 35_000),
        ("buy 8 h100 at $28k or rent", 28_000),
        ("buy 8 h100 for $28k each or rent", 28_000),
        ("buy or rent 8 h100, $30k per gpu", 30_000),
    ],
)
def test_a_sum_for_so_many_gpus_is_shared(text: str, each: float) -> None:
    """A sum beside a count is for all, unless it says each."""
    beside = parse(text).beside
    assert beside is not None
    assert each == beside.purchase_usd


@pytest.mark.parametrize(
    ("text", "egress", "storage"),
    [
        ("tco of 70b at 10 rps incl. storage 500GB, egress 5TB", 5000, 500),
        ("tco of 70b at 10 rps with 2TB egress and 500GB storage", 2000, 500),
        ("tco 70b 10 rps egress 5TB", 5000, None),
    ],
)
def test_volumes_stand_beside_their_words(
    text: str, egress: float, storage: float | None
) -> None:
    """Where a word leads, each amount is of the word before it."""
    beside = parse(text).beside
    assert beside is not None
    assert (egress, storage) == (beside.egress_gb, beside.storage_gb)
