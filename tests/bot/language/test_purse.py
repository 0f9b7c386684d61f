"""Money alone: what it buys here are GPUs, and the model is asked for."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    "text",
    [
        "what can I get for $5k a month",
        "what does $5k/month buy me",
        "best we can do with 20k usd a month",
        "what can i buy for $5000",
        "what would 3000 eur per month get us",
        "wie viel bekomme ich für 5000 euro im monat",
        "what's the most i can do with 10k/month",
        "what kind of setup can we afford with $8k monthly",
        "what can we rent for $12k a month",
    ],
)
def test_what_money_buys_asks_for_the_model(text: str) -> None:
    """A sum without goods beside it is a budget for GPUs."""
    query = parse(text)

    assert query.intent != "out_of_scope"
    assert query.budget_amount is not None
    assert query.clarify is not None
    assert query.clarify.about == ("model",)


@pytest.mark.parametrize(
    "text",
    [
        "rent me a boat for $500",
        "can i buy a yacht for $2m",
        "how much pizza for $20",
        "what can i cook for $5",
        "what flat can i get for $2000 a month",
    ],
)
def test_other_goods_are_none_of_its_business(text: str) -> None:
    """Whoever names goods that are no GPUs asks for those."""
    assert parse(text).intent == "out_of_scope"
