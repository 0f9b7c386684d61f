"""Neighbours of questions that were misread: other models, numbers, words, languages.

A line holds the fields that its class is about; null: the words do not state it.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.bot.language.labelled import read, read_labels, same

NEIGHBOURS = read_labels(Path(__file__).with_name("neighbours.jsonl"))


@pytest.mark.parametrize("label", NEIGHBOURS, ids=lambda label: label["text"][:40])
def test_neighbours(label: dict[str, Any]) -> None:
    """What a class of questions states is read, and nothing is invented for it."""
    spec = read(label["text"])["spec"]
    wrong = {
        field: (spec.get(field), value)
        for field, value in label["spec"].items()
        if not same(spec.get(field), value)
    }
    assert not wrong
