"""Regexes that are compiled at their first use."""

import pkgutil
import re
from importlib import import_module

import pytest

import bot
import core
from core.patterns import _Regex, regex


def test_a_regex_is_compiled_once_and_when_it_is_first_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    compiled = re.compile
    monkeypatch.setattr(re, "compile", lambda *a: made.append(a[0]) or compiled(*a))

    digits = regex(r"\d+x", re.IGNORECASE)
    assert r"\d+x" == digits.pattern
    assert [] == made

    assert "12X" == digits.findall("a 12X 7")[0]
    assert digits.search("3x")
    assert digits.fullmatch("3y") is None
    assert [r"\d+x"] == made


def test_every_regex_of_a_module_can_be_compiled() -> None:
    for package in (bot, core):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for each in vars(import_module(found.name)).values():
                if isinstance(each, _Regex):
                    re.compile(each.pattern, each.flags)
