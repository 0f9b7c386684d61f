"""What is passed over because it can come to nothing would come to nothing."""

from collections.abc import Iterator

import pytest

from bot.language.catalogue import catalogue
from bot.language.choice import _possible, patterns
from bot.language.grammar import concepts
from bot.language.normalise import normalise
from bot.language.parse import read_message
from bot.language.reader import _names_nothing
from bot.language.reading import Reading
from bot.language.row import Row
from bot.language.segments import _MAYBE, _PLAIN
from bot.language.strangers import _count
from tests.bot.language.labelled import OWN, read_labels

TEXTS = [row["text"] for row in read_labels(OWN)]


def _rows() -> Iterator[tuple[Row, int]]:
    for text in TEXTS:
        row = Row(normalise(text), text, catalogue())
        for at, token in enumerate(row.tokens):
            if token.kind == "word" and token.text.isascii():
                yield row, at


def test_a_word_that_names_nothing_begins_no_name() -> None:
    passed = 0
    for row, at in _rows():
        if _names_nothing(row, row.text(at)):
            passed += 1
            assert row.names.longest(row.tokens, at) == (at, None)
            assert row.catalogue.longest(row.tokens, at) == (at, None)
            assert row.models.read(at) is None
    assert passed > len(TEXTS)


def test_a_word_of_letters_counts_nothing() -> None:
    for row, at in _rows():
        if row.text(at).isalpha():
            assert _count(row, row.text(at), at) == at


def test_a_pattern_is_tried_where_all_it_needs_stands() -> None:
    for text in TEXTS:
        _, reading = read_message(text, catalogue())
        assert _possible(reading) == list(_by_hand(reading)), text


def _by_hand(reading: Reading) -> Iterator[object]:
    there = reading.seen
    for pattern in patterns():
        every = there.issuperset(concepts(pattern.needs))
        sets = [set(concepts(bits)) for bits in pattern.one_of]
        if every and not any(there.isdisjoint(one) for one in sets):
            yield pattern


@pytest.mark.parametrize(
    ("text", "command", "prose"),
    [
        ("--tp 8", True, False),
        ("run vllm -tp 8", True, False),
        ("set MAX=8", True, False),
        ("a '--tp 8'", True, True),
        ("—tp 8", True, False),
        ("pre-tp 8", False, True),
        ("a—b", False, True),
        ("= 8", False, False),
        ("a -- b", False, True),
        ("a 5-10b", False, True),
        ("a---b", False, True),
        ("two\nlines", False, False),
    ],
)
def test_what_may_be_a_command_has_a_flag_or_an_assignment(
    text: str, command: bool, prose: bool
) -> None:
    assert (_MAYBE.search(text) is not None) is command
    assert (_PLAIN.search(text) is None) is prose
