"""Whether spot or a term pays is a question about two ways to pay."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(
    ("text", "pricing"),
    [
        ("when does spot stop paying for a 13b 100B token run", ("spot", "on_demand")),
        ("is spot worth it for training 7b on 20B tokens", ("spot", "on_demand")),
        ("does spot save money for a batch of 1M requests on 8b",
         ("spot", "on_demand")),
        ("train 7b on 20B tokens on spot", ("spot",)),
        ("train 7b on 20B tokens, spot only, worth 10k", ("spot",)),
        ("70b 20rps is spot worth it", ("spot",)),
    ],
)  # fmt: skip
def test_spot_that_is_doubted_is_held_against_the_rest(
    text: str, pricing: tuple[str, ...]
) -> None:
    """Of work that ends; a run that is to be on spot stays there."""
    assert pricing == parse(text).pricing


@pytest.mark.parametrize("what", ["8 h100", "16x b200", "4 l40s"])
@pytest.mark.parametrize(
    "asked",
    [
        "{} hourly or a one year reservation?", "reserved vs hourly for {}",
        "commit for a year or pay by the hour, {}", "reserve {} or rent them per hour?",
        "reservieren oder stundenweise mieten, {}",
        "réserver {} un an ou payer à l'heure ?",
        "reservar {} por un año o pagar por hora",
    ],
)  # fmt: skip
def test_renting_by_the_hour_is_held_against_a_term(asked: str, what: str) -> None:
    """The hour is a way to pay where it stands against a commitment."""
    query = parse(asked.format(what))
    assert set(query.pricing or ()) == {"reserved", "on_demand"}
    assert query.intent == "compare"


@pytest.mark.parametrize(
    "text", ["reserve 8 h100 at 2.50 per hour or not", "8 h100 reserved, cost per hour"]
)
def test_a_unit_is_no_way_to_pay(text: str) -> None:
    """Dollars by the hour may be those of a term."""
    assert parse(text).pricing == ("reserved",)
