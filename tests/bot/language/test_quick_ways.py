"""What is passed over because it can come to nothing would come to nothing."""

from collections.abc import Iterator

import pytest

from bot.language import days
from bot.language import parse as parsing
from bot.language.catalogue import catalogue
from bot.language.choice import _index, patterns
from bot.language.grammar import CONCEPTS, Index, concepts
from bot.language.normalise import normalise
from bot.language.parse import RULES, parse, read_message
from bot.language.reader import _names_nothing
from bot.language.reading import Reading
from bot.language.row import Row
from bot.language.rules import day
from bot.language.segments import _MAYBE, _PLAIN
from bot.language.strangers import _count
from tests.bot.language.labelled import BLIND, OWN, read_labels

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
        assert _index().possible(reading.seen) == list(_by_hand(reading)), text


def _by_hand(reading: Reading) -> Iterator[object]:
    there = reading.seen
    for pattern in patterns():
        every = there.issuperset(concepts(pattern.needs))
        sets = [set(concepts(bits)) for bits in pattern.one_of]
        if every and not any(there.isdisjoint(one) for one in sets):
            yield pattern


def test_a_rule_that_is_not_called_would_have_found_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blind = (BLIND / f"blind-{number}.jsonl" for number in range(22, 28))
    rows = (row for path in blind for row in read_labels(path))
    texts = [*TEXTS[::4], *(row["text"] for row in rows)]
    quick = [parse(text) for text in texts]
    first = len(parsing.NUMBERS.possible(CONCEPTS))
    every = [(one, list[int]()) for one in enumerate(RULES)]
    monkeypatch.setattr(parsing, "NUMBERS", Index(every[:first]))
    monkeypatch.setattr(parsing, "OTHERS", Index(every[first:]))
    assert quick == [parse(text) for text in texts]


TIMES = ("8", "8:30", "6 p.m.", "20 uhr", "noon", "midnight", "오후 6시", "9h30",
         "mediodia", "9 in the evening", "18'den")  # fmt: skip


@pytest.mark.parametrize("joint", ["-", " to ", " bis ", "a", "から", " t/m "])
def test_two_times_of_day_are_looked_for_where_one_is_joined(joint: str) -> None:
    told = [one + joint + other for one in TIMES for other in TIMES]
    found = [text for text in told if day._FROM.search(text)]
    assert found
    assert all(day._JOINED.search(text) or day._NAMED.search(text) for text in found)


def test_two_days_are_looked_for_where_words_name_them() -> None:
    for text in (*TEXTS, "周一到周五", "mon-fri", "9mon to_fri", "ma-vr", "do 9b so"):
        plain = normalise(text).plain
        first = days._DAY.search(plain)
        both = first is not None and days._DAY.search(plain, first.end()) is not None
        assert days.named(plain) == both, text


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
