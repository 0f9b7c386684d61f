"""A second look at the intent, where the rules take a word for another question."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("run gpt-4o on our own h200s, 12 rps, what would that cost", "cost"),
        ("run llama 70b on our own h200s, 12 rps, what would that cost", "cost"),
        ("gpt-4o api or llama 70b on h100 at 20 rps", "breakeven"),
        ("no capex, rent only. 405b fp8 32 conc 8k/1k", "size"),
        ("capex of 8 h100", "cost"),
        ("how many h100 at 9k tps of a 70b", "size"),
        ("price of an h100", "price"),
        ("cheapest gpu with 2 tb of memory", "price"),
        ("is h200 worth it over h100 for training", "compare"),
        ("zelf hosten of API, 20.000 berichten per dag?", "breakeven"),
    ],
)
def test_an_unlikely_intent_is_looked_at_again(text: str, intent: str) -> None:
    """And a likely one is kept."""
    assert parse(text).intent == intent
