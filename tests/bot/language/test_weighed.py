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
    ],
)
def test_owning_is_buying(text: str) -> None:
    """Whoever owns has bought."""
    assert "buy_or_rent" == parse(text).wanted
