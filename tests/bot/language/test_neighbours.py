"""Neighbours of questions that were misread: other models, numbers, words, languages.

A line holds the fields that its class is about; null: the words do not state it.
"clarify" stands among them where it matters whether the bot asks back.
"""

from pathlib import Path
from typing import Any

from tests.bot.language.labelled import read, read_labels, same
from tests.each import each

NEIGHBOURS = read_labels(Path(__file__).with_name("neighbours.jsonl"))


@each(NEIGHBOURS)
def test_neighbours(label: dict[str, Any]) -> None:
    """What a class of questions states is read, and nothing is invented for it."""
    got = read(label["text"])
    spec = {**got["spec"], "clarify": got["clarify"]}
    wrong = {
        field: (spec.get(field), value)
        for field, value in label["spec"].items()
        if not same(spec.get(field), value)
    }
    assert not wrong
