"""The words that the README of this room lists are read."""

import re
from pathlib import Path

import pytest

from bot.language.parse import parse

README = Path(__file__).parents[3] / "bot" / "README.md"
START = "What a question may say beside its load:"
SHORT = 40
"""A phrase of the table's first column is no longer."""


def phrases() -> list[str]:
    """What the table's first column quotes."""
    table = README.read_text("utf-8").partition(START)[2].split("\n\n")[1]
    rows = [row.split("|")[1] for row in table.splitlines()[2:]]
    return [phrase for row in rows for phrase in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("phrase", phrases())
def test_a_phrase_of_the_readme_changes_what_is_asked(phrase: str) -> None:
    """Beside a load, each says something that no other word says."""
    plain = parse("llama 70b 20 rps").model_dump()
    asked = parse(f"llama 70b 20 rps, {phrase}")
    told = asked.model_dump()
    changed = {name for name, value in told.items() if value != plain[name]}
    changed -= {"text", "spans", "clarify"}
    assert len(phrase) <= SHORT
    assert changed - {"intent", "kind"}
    assert asked.clarify is None


def test_the_table_is_found() -> None:
    """A table that moved away would be tested by nobody."""
    assert len(phrases()) >= 18
