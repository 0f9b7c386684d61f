"""GPUs in hand, or bought, against others."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("we have 16 a100 at 40% utilisation, upgrade to h100?", "compare"),
        ("we have 16 a100 at 40% utilisation, switch to b200 or h200?", "compare"),
        ("we have 16 a100 at 40% utilisation", "idle"),
        ("got 8 h100 at 30% util", "idle"),
    ],
)
def test_newer_gpus_beside_a_fleet_are_weighed(text: str, intent: str) -> None:
    """One GPU in hand asks what idles; a second one asks whether it is better."""
    assert intent == parse(text).intent


@pytest.mark.parametrize(
    "text",
    [
        "8 h100 own vs rent, power $0.12/kWh",
        "owning vs renting 8 h100",
        "lease or buy 8 h100",
        "rent versus own 16 b200 for 3 years",
        "own 16 h100 vs rent for 3 years",
        "when does buying 8 b200 beat renting",
        "we own 16 h100, is it cheaper than renting",
    ],
)
def test_owning_is_buying(text: str) -> None:
    """Whoever owns has bought."""
    assert "buy_or_rent" == parse(text).wanted


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("buy 8 h100 at 30k each with colo at 0.15 per kwh, 80% utilisation", 30_000),
        ("buy 8 h100 for $280k", 35_000),
        ("purchase 4 b200 at $45k each", 45_000),
        ("buy 1 year reserved of 8 h100", None),
        ("what does it cost to buy 8 h100 hours", None),
        ("buy 8 h100 at $2 an hour", None),
    ],
)
def test_a_gpu_at_its_price_is_bought(text: str, each: float | None) -> None:
    """Beside what a GPU is sold for renting need not be named; a term is rented."""
    query = parse(text)

    assert each == (query.beside.purchase_usd if query.beside else None)
    assert ("buy_or_rent" == query.wanted) == (each is not None)
