"""When serving passes training, where both are sums of money: no model is needed."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "trained", "million", "day"),
    [
        ("train once for $78M, serve 250B input tokens a day at $2.50 per 1M, when "
         "does serving pass training", 78e6, 2.5, None),
        ("gpt-4 cost $78M to train, when does serving at 250B tokens a day for $2.50 "
         "per million tokens cost more", 78e6, 2.5, None),
        ("training cost $78M and serving costs $500M a year, when does serving "
         "overtake training", 78e6, None, 500e6 / 365),
        ("how long until inference at $40k a month exceeds the $300k training run",
         300e3, None, 40e3 / 30),
    ],
)  # fmt: skip
def test_both_sums_are_read_and_nothing_is_asked(
    text: str, trained: float, million: float | None, day: float | None
) -> None:
    """What training cost, and a token or a day of serving; neither is a budget."""
    query = parse(text)

    assert query.life is not None
    assert trained == query.life.trained_for
    assert million == query.life.serve_usd_per_million
    assert pytest.approx(day) == query.life.serve_usd_per_day
    assert ("lifecycle", None, None) == (
        query.intent, query.budget_amount, query.clarify,
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "train 7b on 20B tokens for $5000, then serve 10 rps, when will serving pass",
        "70b 20 rps, when does self hosting pass the api at $2.50 per 1M tokens",
        "train 13b on 200B tokens, budget 150k, when is it done",
    ],
)
def test_a_limit_stays_a_limit(text: str) -> None:
    """A sum for a run that is planned is what it may cost."""
    query = parse(text)

    assert query.life is None or query.life.trained_for is None
