"""Regexes that cost nothing until a text asks for them, and little then.

Python compiles every regex anew in each process: all that one short question asks for
take as long as planning its fleets. So what came out is kept, as bytecode is: beside
this module's own, by the same rules. A pattern is found there by its very text; what is
missing, damaged or of another Python is simply compiled.
"""

import marshal
import re
import sys
from array import array
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Any, cast

from core.needed import Text, needed

_USES = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
_MOST = 4000
"""Regexes that are kept; a program that changes all the time begins anew."""

_Text = tuple[str, int]
"""A pattern and its flags."""
_Pieces = frozenset[str] | None
"""Letters of which a text must hold some for a regex to match, as far as is known."""
_Made = tuple[int, bytes, int, dict[str, int], _Pieces]
"""All flags, the code, the number of groups, those that have names, what it needs."""
_new: dict[_Text, re.Pattern[str]] = {}


class _Regex:
    """A regex compiled at its first use; from then on it has the methods of that."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if (made := vars(self).get("made")) is None:
            self.made = compiled(self.pattern, self.flags)
            return getattr(self.made, name)  # one question uses most of them once
        vars(self).update((use, getattr(made, use)) for use in _USES)
        if pieces := _needed(self.pattern, self.flags):
            self._ask_first(made, pieces)
        return vars(self)[name] if name in _USES else getattr(made, name)

    def _ask_first(self, made: re.Pattern[str], pieces: frozenset[str]) -> None:
        """Try it only on texts that hold what it needs, as far as they know it."""
        look, find, lacks = made.search, made.finditer, pieces.isdisjoint
        whole = sys.maxsize

        def search(text: str, start: int = 0, end: int = whole) -> re.Match[str] | None:
            known = type(text) is Text and lacks(text.pieces)
            if known and (end is whole or not _cuts(text, end)):
                return None
            return look(text, start, end)

        def finditer(
            text: str, start: int = 0, end: int = whole
        ) -> Iterator[re.Match[str]]:
            known = type(text) is Text and lacks(text.pieces)
            if known and (end is whole or not _cuts(text, end)):
                return iter(())
            return find(text, start, end)

        vars(self).update(search=search, finditer=finditer)


def _cuts(text: str, end: int) -> bool:
    """Whether a word is looked at only up to its middle: its part is no word of it."""
    return end < len(text) and _INSIDE.match(text, max(0, end - 1)) is not None


_INSIDE = re.compile(r"\w\w")


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used: most texts need few."""
    return cast(re.Pattern[str], _Regex(pattern, flags))


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern of the program's own, unless that was done before."""
    text = (pattern, int(flags))
    if (kept := _kept().get(text)) is not None:
        with suppress(RuntimeError, TypeError, ValueError, OverflowError):
            return _restored(pattern, kept)
    made = _new[text] = re.compile(pattern, flags)
    return made


def _needed(pattern: str, flags: int) -> _Pieces:
    """What a regex needs, as it is kept or as its text says."""
    if (kept := _kept().get((pattern, int(flags)))) is not None:
        with suppress(ValueError):
            *_, pieces = kept
            return pieces
    return needed(_parsed(pattern, flags))


def _parsed(pattern: str, flags: int) -> Any:
    from re import _parser  # type: ignore[attr-defined]

    return _parser.parse(pattern, flags)


def keep() -> None:
    """Keep what had to be compiled for the processes to come."""
    if not _new or sys.dont_write_bytecode:
        return
    with suppress(ImportError, AttributeError, ValueError):
        made = {text: _code(one) for text, one in _new.items()}
        before = _kept() if len(_kept()) < _MOST else {}
        written = marshal.dumps((_state(), before | made))
        SourceFileLoader(__name__, __file__).set_data(str(_file()), written)
        _new.clear()


def _code(made: re.Pattern[str]) -> _Made:
    from re import _compiler  # type: ignore[attr-defined]

    parsed = _parsed(made.pattern, made.flags)
    code = array("I", _compiler._code(parsed, made.flags))
    named = dict(made.groupindex)
    return made.flags, code.tobytes(), made.groups, named, needed(parsed)


def _restored(pattern: str, kept: _Made) -> re.Pattern[str]:
    """What `re.compile` would return; Python checks the code once more."""
    from _sre import compile as ready  # type: ignore[import-not-found]

    flags, code, groups, named, _ = kept
    names: list[str | None] = [None] * (groups + 1)
    for name, group in named.items():
        names[group] = name
    numbers = array("I", code).tolist()
    made: re.Pattern[str] = ready(pattern, flags, numbers, groups, named, tuple(names))
    return made


@cache
def _kept() -> dict[_Text, _Made]:
    with suppress(OSError, ValueError, EOFError, TypeError, ImportError):
        # As trusted as a module is.
        state, made = marshal.loads(_file().read_bytes())  # noqa: S302 # nosec B302
        if state == _state():
            return cast(dict[_Text, _Made], made)
    return {}


LAYOUT = 3
"""Of what is kept: to be raised whenever it is written otherwise."""


def _state() -> tuple[bytes, int, int]:
    from _sre import MAGIC

    return MAGIC_NUMBER, MAGIC, LAYOUT


def _file() -> Path:
    return Path(cache_from_source(__file__)).with_name("patterns.kept.pyc")
