"""Whether spot pays is a question about two ways to pay."""

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
