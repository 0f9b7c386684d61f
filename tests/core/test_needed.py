"""What a regex cannot do without: a text that lacks it is not even tried."""

import re
from collections.abc import Iterator
from itertools import islice
from re import _parser  # type: ignore[attr-defined]

import pytest

from bot.language.normalise import normalise
from core.needed import Text, needed
from core.patterns import _Regex, regex
from tests.bot.language.labelled import BLIND, OWN, read_labels
from tests.bot.test_patterns import every_regex


def pieces_of(pattern: str, flags: int = 0) -> frozenset[str] | None:
    return needed(_parser.parse(pattern, flags))


@pytest.mark.parametrize(
    ("pattern", "pieces"),
    [
        (r"\bevict(?:ed|ion)s?", {"vic"}),
        (r"\b(?:evict|bumped?)ly", {"vic", "bum"}),
        (r"\b(?:go|or)\s+\d", {"\0go", "\0or"}),
        (r"\bgot\b|原", {"\0got", "原"}),
        (r"gr[oe]w", {"row", "rew"}),
        (r"(?:quux){2,}", {"quu"}),
        (r"(?=.*quux)\d", {"quu"}),
        (r"\d+ (?:qu|kk)x", {"qux", "kkx"}),
    ],
)
def test_one_of_the_pieces_stands_in_whatever_matches(
    pattern: str, pieces: set[str]
) -> None:
    assert pieces == pieces_of(pattern)


@pytest.mark.parametrize(
    "pattern",
    [r"\d+", r"(?:evict)?", r"evict|\d", r"(?i:evict)", r"(?!evict)\w", r"evict|in",
     r"(?:evict)*x", r"[^evict]{3}", r"(evict|\d)\1"],
)  # fmt: skip
def test_what_may_match_anything_needs_nothing(pattern: str) -> None:
    assert pieces_of(pattern) is None
    assert pieces_of("evict", re.IGNORECASE) is None


def texts() -> Iterator[str]:
    blind = (BLIND / f"blind-{number}.jsonl" for number in (38, 39))
    for path in (OWN, *blind):
        for label in read_labels(path):
            yield normalise(label["text"]).text


LOOKED_AT = 20
"""Of the texts that a regex is tried on, where it is the same with a guard: the proof
is in those that are passed over, and these are all looked at."""


def test_no_match_is_lost_in_any_labelled_question() -> None:
    every = {(one.pattern, one.flags) for one in every_regex()}
    asking = {one: pieces for one in every if (pieces := pieces_of(*one))}
    assert len(asking) > 150
    asked = [(Text(text), text) for text in texts()]
    skipped = 0
    for (pattern, flags), pieces in asking.items():
        plain, guarded = re.compile(pattern, flags), _Regex(pattern, flags)
        guarded._ask_first(plain, pieces)
        passed = [one for one in asked if pieces.isdisjoint(one[0].pieces)]
        skipped += len(passed)
        for text, same in passed:
            assert plain.search(same) is None
            assert guarded.search(text) is None
        others = (one for one in asked if not pieces.isdisjoint(one[0].pieces))
        for text, same in islice(others, LOOKED_AT):
            found = [match.span() for match in plain.finditer(same)]
            assert found == [match.span() for match in guarded.finditer(text)]
            assert bool(found) == (guarded.search(text) is not None)
    assert skipped > len(asking) * len(asked) / 2


def test_the_part_of_a_word_up_to_which_is_looked() -> None:
    was, text = regex(r"\bwas\b"), Text("a wasteful text")
    assert [was.search(text), was.search(text)] == [None, None]
    assert was.search(text, 0, 5) is not None


def test_the_words_of_a_text() -> None:
    assert [("70b", 0), ("on", 4), ("h100", 7)] == Text("70b on h100").words
