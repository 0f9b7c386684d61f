"""Give nouns that no word file knows the part that they play in their message.

"4,000 runs a week", "each run burns 150k tokens": what is counted by the time, or comes
with tokens of its own, is what requests are made of; of whom each does so much are
people. A noun is found once, by the sentence that tells, and then means the same
everywhere in the message.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from bot.language.grammar import CODES, compiled
from bot.language.items import Item
from bot.language.vocabulary import vocabulary
from core.patterns import regex

_OPEN = frozenset(("W", "RUN", "GREET"))
"""Concepts of words that may be such a noun."""
_SHORTEST = 3
_APART = regex(r"[;|\n?!()\[\]]|\.(?=\s)")
_COUNTED = compiled("AMT W{0,3} <x>[W RUN] (?:PER|A|SLASH) NUM? TIME")
"""What comes by the time."""
_LONG = compiled(
    "<d>[A EACHTOK PER] W? <x>[W RUN] [W EQ NEED HAVE OVER UNDER]{0,4} AMT TOK "
    "(?!PER|A|SLASH)"
)
_TOKENS_OF = compiled("AMT [IN OUT]? TOK (?:A|PER|EACHTOK) W? <x>[W RUN]")
"""What has a length of its own: it is counted somewhere as well, or each has it."""
_HANDED_IN = compiled("USER [W NEED WORK IN A]{1,5} AMT TOK <x>W")
"""What people give to be read: "analysts who paste 100k token filings"."""
_WHO = regex(
    r",?\s(?:of whom|whom?)\b|"
    r"\s(?:(?:will |would )?us(?:e|ing)|(?:work|chat|talk)(?:ing)? (?:with|on|to))\s"
    r"(?:it|this|that|the (?:bot|assistant|model|tool|system))\b|"
    r"\son (?:it|this) (?:all|through|throughout|during|daily|every|at once)\b"
)
_PEOPLE = compiled(
    "AMT W{0,2} <x>W AND? EACHTOK [W A HAVE NEED RUN REQ WORK OFTHEM INFER]{0,5} AMT "
    "W{0,2} (?:[REQ DOC] (?!TOK)|[W OUT DATA]{1,2} (?:PER|A|SLASH) TIME)"
)
_CROWD = compiled("AMT W{0,2} <x>W AMT W{0,2} [REQ DOC W] (?:PER|A|SLASH) TIME EACHTOK")
_EACH_OF = compiled(
    "EACHTOK AMT W{0,2} <x>W W{0,2} AMT [W REQ DOC IN]{1,3} (?:PER|A|SLASH) TIME"
)
_DOERS = compiled("EACHTOK <x>W W{0,3} AMT W{0,2} [REQ DOC W] (?:PER|A|SLASH) TIME")
_DAILY = compiled("[EACHTOK PER] <x>W PER TIME AMT W{0,2} [REQ DOC]")
"""Whose share is told."""


def named(items: list[Item], plain: str) -> None:
    """Read unknown nouns as what is asked for, or as people, wherever they stand."""
    concepts = {item.concept for item in items}
    if not concepts & _OPEN or "NUM" not in concepts:
        return
    line = "".join(CODES[item.concept] for item in items)
    stems: dict[str, str] = {}
    for concept, index in _told(line, items, plain):
        stem = _stem(items[index], plain)
        if stem is not None:
            stems.setdefault(stem, concept)
    if not stems:
        return
    for item in items:
        if item.concept in _OPEN and (role := stems.get(_stem(item, plain) or "")):
            item.concept, item.value = role, None


def _told(line: str, items: list[Item], plain: str) -> Iterator[tuple[str, int]]:
    """The nouns whose sentence tells what they are."""
    for shape in (_PEOPLE, _DOERS, _DAILY, _CROWD, _EACH_OF):
        for match in shape.finditer(line):
            alone = items[match.start()].value == 1  # "one base, 2 rps each"
            if not alone and not _is_apart(match, items, plain):
                yield "USER", match.start("x")
    for at in _people(items, plain):
        yield "USER", at
        line = line[:at] + CODES["USER"] + line[at + 1 :]
    handed = (match.start("x") for match in _HANDED_IN.finditer(line))
    yield from (("DOC", at) for at in handed if plain[items[at].end - 1] == "s")
    if "PER" not in {item.concept for item in items} and CODES["EACHTOK"] not in line:
        return
    for shape in (_COUNTED, _LONG, _TOKENS_OF):
        for match in shape.finditer(line):
            plural = items[match.end("x") - 1].end
            size = items[match.start()].concept == "NUMB" and plain[plural - 1] != "s"
            if not size and not _is_apart(match, items, plain):
                yield "DOC", match.start("x")


def _people(items: list[Item], plain: str) -> Iterator[int]:
    """Whom a number counts and "who" follows."""
    for at, (number, noun) in enumerate(pairwise(items), 1):
        counted = number.concept == "NUM" and noun.concept == "W"
        if counted and _WHO.match(plain, noun.end):
            yield at


def _is_apart(match: re.Match[str], items: list[Item], plain: str) -> bool:
    first, last = items[match.start()], items[match.end() - 1]
    return _APART.search(plain, first.end, last.start) is not None


def _stem(item: Item, plain: str) -> str | None:
    """A noun without its plural; nothing of a word that is none."""
    word = plain[item.start : item.end]
    if len(word) < _SHORTEST or not word.isalpha() or word in vocabulary().ordinary:
        return None
    return word.removesuffix("s") if len(word) > _SHORTEST else word
