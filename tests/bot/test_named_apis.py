"""APIs that are named, whether a price of theirs is known or not."""

from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.service.answering import Answering
from tests.bot.conftest import NOW

CONTEXT = AskContext(surface="command", team_id="T1")
UNKNOWN = "We know no price of Cerebras for this"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Answering:
    """The whole program on the shipped prices."""
    home: Path = tmp_path_factory.mktemp("home")
    return compose(Settings(home=home), lambda: NOW)


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
    desk: Answering, text: str, unknown: bool
) -> None:
    """Another price stands in and says so; where a named one is known it is that."""
    view = desk.ask(text, context=CONTEXT)

    assert unknown == any(UNKNOWN in note for note in view.notes)
