"""Neighbours of questions that were misread: other models, numbers, words, languages.

A line holds the fields that its class is about; null: the words do not state it.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.bot.language.labelled import plain, read, read_labels

NEIGHBOURS = read_labels(Path(__file__).with_name("neighbours.jsonl"))


@pytest.mark.parametrize("label", NEIGHBOURS, ids=lambda label: label["text"][:40])
def test_neighbours(label: dict[str, Any]) -> None:
    """What a class of questions states is read, and nothing is invented for it."""
    spec = read(label["text"])["spec"]
    got = {field: plain(spec.get(field)) for field in label["spec"]}
    want = {field: plain(value) for field, value in label["spec"].items()}
    assert got == pytest.approx(want) if _numeric(want) else got == want


def _numeric(want: dict[str, Any]) -> bool:
    return all(isinstance(value, float) for value in want.values())
