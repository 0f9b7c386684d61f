"""The operator's page tells the truth."""

import re
from pathlib import Path

import pytest

from bot.commands.cli import COMMANDS
from bot.config.settings import VARIABLES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "deploy" / "upkeep.md").read_text("utf-8")
WORDS = "\n".join(
    words.read_text("utf-8") for words in (ROOT / "templates/words").glob("*.toml")
)
FAULTS = (Path(__file__).parent / "README.md").read_text("utf-8")


@pytest.mark.parametrize("command", sorted(set(re.findall(r"gpucost (\w+)", PAGE))))
def test_every_command_of_the_page_exists(command: str) -> None:
    """Nobody is told to type what is not there."""
    assert command in COMMANDS


@pytest.mark.parametrize("said", sorted(set(re.findall(r"“([^”:]+)", PAGE))))
def test_people_see_the_words_that_the_page_quotes(said: str) -> None:
    """Whoever looks one up in a message finds it."""
    assert said in WORDS


@pytest.mark.parametrize("name", sorted(set(re.findall(r"GPUCOST_\w+", PAGE))))
def test_every_setting_of_the_page_exists(name: str) -> None:
    """So with settings."""
    assert name in VARIABLES.values()


@pytest.mark.parametrize("file", sorted(set(re.findall(r"`([\w/]+\.py)`", FAULTS))))
def test_every_fault_is_tested_where_it_says(file: str) -> None:
    """The list of faults names files that are there."""
    folder = ROOT if "/" in file else Path(__file__).parent

    assert (folder / file).is_file()
