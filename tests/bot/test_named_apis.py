"""APIs that are named, whether a price of theirs is known or not."""

import pytest

from bot.language.parse import parse
from bot.service.answering import Answering
from tests.conftest import COMMAND

UNKNOWN = "We know no price of Cerebras for this"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("cerebras for llama 70b", ("cerebras",)),
        ("llama 70b 5 rps on sambanova", ("sambanova",)),
        ("llama 70b 5 rps, groq or samba nova", ("groq", "sambanova")),
    ],
)
def test_makers_of_other_chips_sell_tokens(text: str, named: tuple[str, ...]) -> None:
    """Their machines are not rented: what they sell is an API."""
    assert named == parse(text).compare_api


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("llama 70b 5 rps on cerebras vs own gpus", True),
        ("llama 70b 5 rps on sambanova vs own gpus", False),
        ("llama 70b 5 rps, cerebras or groq", False),
        ("llama 70b 5 rps api vs own gpus", False),
    ],
)
def test_an_api_without_a_price_is_not_passed_over_in_silence(
    answering: Answering, text: str, unknown: bool
) -> None:
    """Another price stands in and says so; where a named one is known it is that."""
    view = answering.ask(text, context=COMMAND)

    assert unknown == any(UNKNOWN in note for note in view.notes)
