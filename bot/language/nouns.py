"""Give nouns that no word file knows the part that they play in their message.

"4,000 runs a week", "each run burns 150k tokens": what is counted by the time, or comes
with tokens of its own, is what requests are made of; of whom each does so much are
people. A noun is found once, by the sentence that tells, and then means the same
everywhere in the message.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

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
_SO_LONG = compiled("AMT W{0,2} <x>W AMT TOK (?!PER|A|SLASH)")
_OF_A_LENGTH = regex(
    r"s (?:of|with|at|averaging) (?:about |around |roughly |up to |~)?"
)
"""What is read: "500k patents of 500 tokens"."""
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
    for item in items if {"ALL", "USER"} <= concepts else ():
        if item.concept == "ALL" and plain[item.start : item.end] == "everyone":
            item.concept = "EACHTOK"
    if "NUM" in concepts and concepts & {"PER", "SLASH", "USER"}:
        _kinds_of_load(items, plain)
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


_LOADS = frozenset("REQ DOC RUN IN OUT FORM INFER TOPIC WORK W USER".split())
_BEFORE_A_NUMBER = frozenset("EACHTOK TIMES W HAVE NEED".split())
_AS_REQUESTS = frozenset(("IN", "OUT", "TOPIC"))
_OF_A_KIND = frozenset(
    "INFER SERVE BATCH OFFLINE REALTIME INTERNAL EXTERNAL AUDIO WEEKDAYS OFFICEHOURS "
    "API APINAME PROVIDER REGION UNKNOWN".split()
)
"""What tells more of the message than of what kind the requests are."""
_OF_NO_KIND = frozenset(
    "MODEL OUT IN CTX GPUWORD CACHE SPEND PRICE DEADLINE DATA WORK FAST TOPIC LABEL "
    "REQ DOC USER".split()
)
"""What tells nothing else beside requests: "reasoning queries", "LLM calls"."""
_BEHIND = _OF_A_KIND | {"MODEL", "USER", "W"}
"""Kinds that stand behind: "requêtes de chat par jour", "tickets de clientes"."""
_OF_PEOPLE = _OF_A_KIND - {"AUDIO"} | {"W"}
_BESIDE = _OF_A_KIND | _OF_NO_KIND | {"W", "MODELNAME"}
_COMES = frozenset(("PER", "SLASH", "EACHTOK"))
_MOST_KINDS = 3
_ONE_BREATH = regex(r"-|[\w' ]*")
_WHOLE = frozenset(("REQ", "DOC", "USER"))
_LONG_ENOUGH = 4
_PLURALS = ("s", "en", "che")
"""Of English, French, Spanish and German: "Zusammenfassungen", "Gespräche"."""


def _kinds_of_load(row: list[Item], plain: str) -> None:
    """Bring a number to what it counts: "20k chat requests a day", "3M LLM calls/day".

    What stands between them tells of what kind they are, and moves before the number.
    """
    for at, item in enumerate(row):
        if item.concept not in _LOADS or not _is_counted(row, at, plain):
            continue
        first, number, last = _reach(row, at, plain)
        if number < 0 or row[number].concept not in ("NUM", "NUMB"):
            continue
        kinds = row[first:at] + row[at + 1 : last + 1]
        if item.concept in ("INFER", "WORK"):  # "2,000 code completions a day"
            kinds, item = [*kinds, item], replace(item, concept="REQ", value=None)
        elif item.concept in _AS_REQUESTS or item.value == "prompt":
            item.concept, item.value = "REQ", None
        elif item.concept in ("DOC", "W") and {kind.concept for kind in kinds} <= {"W"}:
            continue
        for kind in kinds:
            if kind.concept in _OF_NO_KIND:
                kind.concept, kind.value = "W", None
        start = number
        while start and row[start - 1].concept in _BEFORE_A_NUMBER:
            start -= 1
        row[start : last + 1] = *kinds, *row[start:first], item


def _reach(row: list[Item], at: int, plain: str) -> tuple[int, int, int]:
    """The first kind of a noun, its number (-1: it has none), and its last kind."""
    joint = at + 1 < len(row) and row[at + 1].end == row[at].end
    rate = joint and row[at].concept == "REQ"  # "40 chat rps"
    people = row[at].concept == "USER"
    told = _OF_PEOPLE if people else _OF_A_KIND if rate else _BESIDE
    first = _kinds(row, at, -1, plain, told)
    before = [one.concept for one in row[max(0, first - 2) : first]]
    timed = before == ["PER", "TIME"] and row[at].concept in ("REQ", "DOC")
    if timed and _ONE_BREATH.fullmatch(plain, row[first - 1].end, row[first].start):
        return first, first - 3, at  # "100k monthly LLM calls"
    if people:
        return first, first - 1, at + (joint and row[at + 1].concept in _OF_A_KIND)
    last = _kinds(row, at, 1, plain, _BEHIND)
    behind = [one.concept for one in row[last + 1 : last + 3]]
    comes = behind[:1] and (behind[0] in _COMES or behind == ["A", "TIME"])
    if comes and plain[row[first - 1].start - 1 : row[first - 1].start] == "=":
        comes = False  # "in=650 ministral 8b qps=55"
    return first, first - 1 if comes else -1, last


def _is_counted(row: list[Item], at: int, plain: str) -> bool:
    """Whether a noun may be what a number counts; open ones where there are several."""
    words = plain[row[at].start : row[at].end].split()
    many = any(w.endswith(_PLURALS) and len(w) >= _LONG_ENOUGH for w in words)
    return row[at].concept in ("REQ", "DOC") or many


def _kinds(
    row: list[Item], at: int, step: int, plain: str, kinds: frozenset[str]
) -> int:
    """The last item on one side that tells of what kind a noun is, in one breath."""
    end = at
    while abs(end - at) < _MOST_KINDS and 0 < end + step < len(row) - 1:
        item, near = row[end + step], row[end]
        left, right = (item, near) if step < 0 else (near, item)
        whole = step < 0 and item.concept in _WHOLE and plain[item.end - 1] == "s"
        if item.concept not in kinds or whole:
            break
        if not _ONE_BREATH.fullmatch(plain, left.end, right.start):
            break
        end += step
    return end


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
    yield from (("DOC", at) for at in _handed_in(line, items, plain))
    if "PER" not in {item.concept for item in items} and CODES["EACHTOK"] not in line:
        return
    for shape in (_COUNTED, _LONG, _TOKENS_OF):
        for match in shape.finditer(line):
            plural = items[match.end("x") - 1].end
            size = items[match.start()].concept == "NUMB" and plain[plural - 1] != "s"
            if not size and not _is_apart(match, items, plain):
                yield "DOC", match.start("x")


def _handed_in(line: str, items: list[Item], plain: str) -> Iterator[int]:
    """Where nouns stand of things that are given to be read."""
    for match in _HANDED_IN.finditer(line):
        if plain[items[match.start("x")].end - 1] == "s":
            yield match.start("x")
    for at in (match.start("x") for match in _SO_LONG.finditer(line)):
        if _OF_A_LENGTH.fullmatch(plain, items[at].end - 1, items[at + 1].start):
            yield at


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
