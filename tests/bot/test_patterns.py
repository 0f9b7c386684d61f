"""Regexes that are compiled at their first use, and kept for the next process."""

import marshal
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import bot
import core
from bot.language.parse import parse
from core import patterns
from core.patterns import _Regex, compiled, keep, regex
from core.reference.load import reference


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of its own, in which nothing is kept yet."""
    file = tmp_path / "patterns.kept.pyc"
    monkeypatch.setattr(patterns, "_file", lambda: file)
    monkeypatch.setattr(patterns, "_new", {})
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    patterns._kept.cache_clear()
    yield file
    patterns._kept.cache_clear()


def next_process() -> None:
    """Forget what was compiled, and read what is kept."""
    patterns._new.clear()
    patterns._kept.cache_clear()


def every_regex() -> Iterator[_Regex]:
    """What any module of the program looks for."""
    for package in (bot, core):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for each in vars(import_module(found.name)).values():
                if isinstance(each, _Regex):
                    yield each


def test_a_regex_is_compiled_once_and_when_it_is_first_used(
    monkeypatch: pytest.MonkeyPatch, kept: Path
) -> None:
    made: list[str] = []
    usual = re.compile
    monkeypatch.setattr(re, "compile", lambda *a: made.append(a[0]) or usual(*a))

    digits = regex(r"\d+x", re.IGNORECASE)
    assert r"\d+x" == digits.pattern
    assert [] == made

    assert "12X" == digits.findall("a 12X 7")[0]
    assert digits.search("3x")
    assert digits.fullmatch("3y") is None
    assert [r"\d+x"] == made


def test_every_regex_is_the_same_from_what_is_kept(kept: Path) -> None:
    every = {(one.pattern, one.flags) for one in every_regex()}
    assert len(every) > 300
    for text in every:
        compiled(*text)
    keep()
    next_process()

    for text in every:
        assert re.compile(*text) == compiled(*text)
        assert re.compile(*text).groupindex == compiled(*text).groupindex
    assert {} == patterns._new


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda written: written[: len(written) // 2],
        lambda _: marshal.dumps(((b"another Python", 1), {("a+b", 0): None})),
        lambda _: marshal.dumps((patterns._state(), {("a+b", 0): (32, b"", 0, {})})),
    ],
)
def test_what_is_damaged_is_compiled(kept: Path, damage) -> None:
    compiled("a+b")
    keep()
    kept.write_bytes(damage(kept.read_bytes()))
    next_process()

    assert compiled("a+b").fullmatch("aab")
    assert {("a+b", 0)} == patterns._new.keys()


def test_nothing_that_people_write_is_kept(kept: Path) -> None:
    """Else the file would grow with every question, and hold what was asked."""
    parse("70b quagga inference 50rps, not quagga, on 4x quagga", reference())

    assert [] == [text for text, _ in patterns._new if "quagga" in text]
