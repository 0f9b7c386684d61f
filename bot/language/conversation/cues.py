"""The words of a conversation: what a turn asks about an answer, and how it edits.

The phrases are data (words/turns.toml); `*` stands for a few words.
"""

import re
from collections.abc import Container, Mapping
from functools import cache
from typing import NamedTuple

from bot.language.families import families
from bot.language.names import names
from bot.language.normalise import Clean, normalise
from bot.language.vocabulary import LANGUAGES, read_toml, spellings, vocabulary
from core.patterns import compiled, regex

_LEAD = (
    r"^\W*(?:(?:ok|okay|and|so|but|hmm+|hey|well|oh|ah|also|then|please|und|et|y|e|en|"
    r"aber|mais|pero|ma|maar|a|ale|ve|peki|que)\b\W*)*?"
)
_FEW = r".{0,30}?"
_TIMES = (
    r"(?:(?<![\w.,])(?P<n>\d+(?:[.,]\d+)?)\s?(?:x|×|-?fold\b|times\b|mal\b|fois\b|"
    r"veces\b|vezes\b|volte\b|keer\b|razy\b|kat\w*|배|倍)|\bx\s?(?P<m>\d+(?:[.,]\d+)?)|"
    r"\b(?:times|mal|fois)\s(?P<k>\d+(?:[.,]\d+)?))"
    r"(?!\w)(?!\s?(?:[a-z]{1,4}-?\d|\d|gpus?\b|cards?\b))"
)
_MORE = regex(
    r"(?<![\w.,])(?P<n>\d+)\s(?:more|extra|additional|weitere|mehr|de plus|mas|mais|"
    r"in piu|meer|extra|wiecej|tane daha|개 더|더)"
    r"(?!\s(?:than|or less|years?|months?|weeks?|days?))\b"
    r"|\badd\s(?:another\s)?(?P<m>\d+)\s?"
    r"(?=(?:more|gpus?|cards?|users?|people|nodes?)\b|\W*$)"
)
_ONE_MORE = regex(
    r"\b(?:one more|another|ein\w* weitere\w*|un\w? (?:de plus|mas|mais)|nog een|"
    r"jeszcze jed\w+|bir tane daha)(?=\s(?:gpus?|cards?|nodes?|epochs?|users?|karten?|"
    r"epoche|epoque|epoca)\b)"
)
_FEWER = regex(
    r"(?<![\w.,])(?P<n>\d+)\s(?:fewer|less|weniger|de moins|menos|in meno|"
    r"minder|mniej)\b"
)
_SLIP = regex(
    r"(?<![\w.,])\d[\d.,]*(?P<noun>[a-z]?(?:\s?[a-z][\w-]*){0,2}?)[\s,.;–-]*"
    r"\b(?:no|nope|oops|sorry|wait|hang on|i mean|i meant|make that|correction|err|"
    r"nein|quatsch|pardon|non|perdon|digo|scusa|nee)\b[\s,]*"
    r"(?:(?:no|wait|sorry|i mean|i meant|make that|rather|actually)\b[\s,]*)*"
    r"(?P<new>\d[\d.,]*[kmb]?)(?![\w.])(?=\W*$|[,;.!?\s])"
)
_DROPPED = regex(
    r"^.*\.{2,}\s*(?:no|nope|nah|wait|nein|quatsch|ne|non|nee|nie|hayir|actually|"
    r"scratch that|forget that|vergiss das)\b[\s,]*(?=\S)"
)
"""What is taken back in mid-sentence: "try a... no, b"."""
_RAISED = regex(
    r"(?:another|plus|add|an? (?:additional|extra)|additional|weitere|zusatzlich\w*|"
    r"noch|encore|otr[oa]s|mais|altr[ie]|nog|jeszcze)\s[$€£]?$"
)
_HIGHER = regex(
    r"\s?(?:[^\W\d]+\s){0,2}?(?:more|higher|extra|additional|on top|mehr|hoher|"
    r"zusatzlich|de plus|en plus|mas|mais|a mais|in piu|meer|hoger|wiecej|daha|더|追加)"
    r"(?!\s(?:than|or|of|like|each|per))(?!\w)"
)
_LOWER = regex(
    r"\s?(?:[^\W\d]+\s){0,2}?(?:fewer|less|lower|weniger|niedriger|de moins|en moins|"
    r"menos|in meno|minder|lager|mniej)(?!\s(?:than|or|of))(?!\w)"
)
_FEWER_LED = regex(r"(?:minus|less by|weniger|moins)\s[$€£]?$")


def way_of(plain: str, start: int, end: int, last: int) -> int:
    """Whether an amount is added (1) or taken away (-1): "plus 10 rps", "2 fewer".

    `last`: where what it counts ends.
    """
    before = plain[max(0, start - 16) : start]
    if _RAISED.search(before) or any(_HIGHER.match(plain, at) for at in (end, last)):
        return 1
    lower = any(_LOWER.match(plain, at) for at in (end, last))
    return -1 if lower or _FEWER_LED.search(before) else 0


_PERCENT = regex(
    r"(?P<before>[^\W\d]+\s(?:by\s|of\s|um\s|de\s|del\s)?(?:about\s)?)?"
    r"(?P<n>\d+(?:[.,]\d+)?)\s?(?:%|percent|prozent|pour cent|por ciento|por cento|"
    r"per cento|procent|yuzde)\s?(?P<after>[^\W\d]+(?:\s[^\W\d]+){0,3})?"
)


class Thing(NamedTuple):
    """What an edit is about: the fields that hold it, and where it is named."""

    fields: tuple[str, ...]
    start: int
    end: int


class Factor(NamedTuple):
    """By what to multiply, and the characters that say so."""

    times: float
    start: int
    end: int


def plain_of(text: str) -> str:
    """The text as the phrases are written: lower-case, without accents."""
    return re.sub(r"^\s*(?:/gpucost\b|@\w+)\s*", "", cleaned(text).text).strip()


def cleaned(text: str) -> Clean:
    """The text of a turn with misspelt words of an edit mended: "dorp" is "drop"."""
    clean = normalise(text)
    for found in reversed(list(_LONG_WORD.finditer(clean.text))):
        if meant := _meant(found[0]):
            clean = _written(clean, *found.span(), meant)
    return clean


def _written(clean: Clean, start: int, end: int, word: str) -> Clean:
    places = clean.origin or tuple(range(len(clean.text) + 1))
    inner = (places[start + min(at, end - start - 1)] for at in range(len(word)))
    return Clean(
        clean.text[:start] + word + clean.text[end:],
        (*places[:start], *inner, *places[end:]),
    )


_LONG_WORD = regex(r"(?<![\w#@.<-])[a-z]{4,20}(?![\w.-])")
_FUZZY = 7
"""Letters from which a word may lack one, or have one too many."""


@cache
def _meant(word: str) -> str | None:
    """The word of an edit that an unknown one was meant to be."""
    known = vocabulary()
    if word in _known_words() or word in known.phrases or word in known.ordinary:
        return None
    if word in names().weak or word in names().senses or word in families().starts:
        return None
    for one in _edit_words():
        if one[0] == word[0] and len(one) == len(word) and _swapped(one, word):
            return one
    if len(word) < _FUZZY:
        return None
    from rapidfuzz.distance import OSA  # only where a word is unknown

    listed = (w for w in _edit_words() if w[0] == word[0] and len(w) >= _FUZZY)
    near = (
        w
        for w in listed
        if not (w.startswith(word) or word.startswith(w))  # only another ending
        and OSA.distance(word, w, score_cutoff=1) <= 1
    )
    return next(near, None)


def _swapped(one: str, other: str) -> bool:
    """Whether two neighbouring letters are all that differs: "dorp", "drop"."""
    off = [at for at in range(len(one)) if one[at] != other[at]]
    return len(off) == 2 and off[1] == off[0] + 1 and sorted(one) == sorted(other)


@cache
def _known_words() -> frozenset[str]:
    """Every word that is written in a phrase of a turn, or of what is no amount."""
    tables = [*read_toml("turns").values()]
    tables += [read_toml(language).get("account", {}) for language in LANGUAGES]
    texts = (text for table in tables for text in table.values())
    return frozenset(word for text in texts for word in re.findall("[a-z]+", text))


@cache
def _edit_words() -> tuple[str, ...]:
    """The plain English and other Latin words that edits are said with."""
    sections = (read_toml("turns")[name].values() for name in _MENDED)
    return tuple(
        dict.fromkeys(
            word
            for texts in sections
            for text in texts
            for phrase in spellings(text)
            if phrase.replace(" ", "").isalpha() and phrase.isascii()
            for word in phrase.split()
            if len(word) > _SHORT or word in _PLAIN
        )
    )


_SHORT = 4
_PLAIN = frozenset("drop only both half more less make with same than from".split())
"""Short words that are mended: most others are near a word of another language."""
_MENDED = ("edit", "factor", "share", "unset", "thing")


def asked_about(plain: str, skip: tuple[str, ...] = ()) -> str | None:
    """The kind of question about an answer that a turn is, the first that holds."""
    for kind in _anchored("about"):
        if kind not in skip and is_about(plain, kind):
            return kind
    return None


def told_about(plain: str) -> str | None:
    """The same, by the senses that stand together in a turn, in whatever order."""
    senses = _section("sense")
    for kind, shapes in read_toml("turns")["told"].items():
        for shape in spellings(shapes):
            if all(
                (senses[name.lstrip("!")].search(plain) is None) == name.startswith("!")
                for name in shape.split()
            ):
                return str(kind)
    return None


def objects(plain: str) -> bool:
    """Whether a turn asks what speaks against something."""
    senses = _section("sense")
    blames = "?" in plain or senses["accuse"].search(plain)
    return bool(blames and senses["against"].search(plain))


def is_about(plain: str, kind: str) -> bool:
    """Whether a turn asks this kind of question about an answer."""
    for anchors, phrase in _anchored("about")[kind]:
        for anchor in anchors:
            if anchor in plain:
                if _shape(phrase).search(plain) is not None:
                    return True
                break
    return False


def says(plain: str, cue: str) -> bool:
    """Whether a cue of an edit stands in a turn: add, only, original …"""
    return _section("edit")[cue].search(plain) is not None


def cues(plain: str, cue: str) -> list[tuple[int, int]]:
    """Where the cues of an edit stand."""
    return [found.span() for found in _section("edit")[cue].finditer(plain)]


def things(plain: str) -> list[Thing]:
    """Everything that an edit may be about, in order."""
    found = [
        Thing(tuple(fields.split()), *match.span())
        for fields, pattern in _section("thing").items()
        for match in pattern.finditer(plain)
    ]
    return sorted(found, key=lambda thing: (thing.start, thing.start - thing.end))


def fields_beside(names: tuple[str, ...]) -> set[str]:
    """Fields, and those that are told of with them: a limit and its percentile."""
    groups = (set(fields.split()) for fields in _section("thing"))
    return set(names).union(*(group for group in groups if group & set(names)))


def defines(plain: str) -> bool:
    """Whether a turn asks what a word means."""
    return _section("define")["define"].search(plain) is not None


def settings(plain: str) -> list[tuple[str, float, int, int]]:
    """Fields that a phrase sets by itself: "weekends too"."""
    return [
        (key.partition("=")[0], float(key.partition("=")[2]), *found.span())
        for key, pattern in _section("set").items()
        if (found := pattern.search(plain)) is not None
    ]


class Delta(NamedTuple):
    """By how much a number changes, and the characters that say so."""

    amount: float
    start: int
    end: int


def delta_of(plain: str) -> Delta | None:
    """What is added or taken away: "4 more", "add 2 gpus", "3 fewer"."""
    for found in _MORE.finditer(plain):
        return Delta(float(found["n"] or found["m"]), *found.span())
    if one := _ONE_MORE.search(plain):
        return Delta(1.0, *one.span())
    for found in _FEWER.finditer(plain):
        return Delta(-float(found["n"]), *found.span())
    return None


def corrected(plain: str, stands: Container[float] = ()) -> str:
    """Put the number that holds in the place of the one taken back: "4, no wait, 3".

    A number that stands in the thread is no new one: "900 hours, no 9000".
    """

    def mended(found: re.Match[str]) -> str:
        new = found["new"].rstrip("kmb.,").replace(",", "")
        if new.count(".") < 2 and float(new) in stands:
            return found[0]
        return (found["new"] + found["noun"]).ljust(len(found[0]))

    plain = _DROPPED.sub(lambda found: " " * len(found[0]), plain)
    return _SLIP.sub(mended, plain)


def unset(plain: str) -> list[Thing]:
    """What a turn takes away without naming it: "anywhere", "money is no object"."""
    return [
        Thing(tuple(fields.split()), *found.span())
        for fields, pattern in _section("unset").items()
        if (found := pattern.search(plain)) is not None
    ]


def factor_of(plain: str) -> Factor | None:
    """The factor of a relative edit: "double", "x3", "3x that", "10% more"."""
    for found in re.finditer(_TIMES, plain):
        times = float((found["n"] or found["m"] or found["k"]).replace(",", "."))
        return Factor(times, *found.span()) if times > 0 else None
    for found in _PERCENT.finditer(plain):
        words = f"{found['before'] or ''} {found['after'] or ''}"
        share = float(found["n"].replace(",", ".")) / 100
        way = _section("share")
        if way["less"].search(words) and share < 1:
            return Factor(1 - share, *found.span())
        if way["more"].search(words):
            return Factor(1 + share, *found.span())
    for amount, pattern in _section("factor").items():
        if said := pattern.search(plain):
            return Factor(_grown(plain, float(amount), said.start()), *said.span())
    return None


_BY = regex(r"\b(?:by|um|de|del|di|met|o)\s+(?:about |roughly |another )?$")


def _grown(plain: str, share: float, at: int) -> float:
    """ "up by a quarter" is 1.25 times as much, "down by a third" two thirds of it."""
    way, before = _section("share"), plain[:at]
    if share >= 1 or not _BY.search(before):
        return share
    if way["less"].search(before):
        return 1 - share
    return 1 + share if way["more"].search(before) else share


@cache
def _anchored(name: str) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """The phrases of a section, each behind letters of which it needs some.

    Most are never said: their regexes are made when their letters are.
    """
    return {
        key: tuple((_anchors(phrase), phrase) for phrase in spellings(text))
        for key, text in read_toml("turns")[name].items()
    }


def _anchors(phrase: str) -> tuple[str, ...]:
    """The longest run of letters that a phrase cannot do without, or one of a choice.

    Where neither is found, empty: it stands in any text.
    """
    whole = body = phrase if phrase.isascii() else normalise(phrase).text
    while body != (less := _GROUP.sub("\0", body)):
        body = less
    run = max(re.split(r"[^\w ']+", _OPTIONAL.sub("\0", body)), key=len).strip()
    choice = None if run else _CHOICE.match(whole)
    return tuple(choice[1].split("|")) if choice else (run,)


_CHOICE = regex(r"\^?\(([\w '|-]+)\)(?![?{])")
"""The words that a phrase may begin with."""
_GROUP = regex(r"\([^()]*\)|\[[^\]]*\]|\\.")
"""What stands in brackets, or is written for something else than itself."""
_OPTIONAL = regex(r".[?+{]")


@cache
def _shape(phrase: str) -> re.Pattern[str]:
    return compiled(_phrase(phrase))


@cache
def _section(name: str) -> Mapping[str, re.Pattern[str]]:
    return {key: _compiled(text) for key, text in read_toml("turns")[name].items()}


def _compiled(text: str) -> re.Pattern[str]:
    return regex("|".join(_phrase(phrase) for phrase in spellings(text)))


def _phrase(phrase: str) -> str:
    body = normalise(phrase).text if not phrase.isascii() else phrase
    start, end = body.startswith("^"), body.endswith("$")
    body = body.strip("^$").strip()
    open_start, open_end = body.startswith("*"), body.endswith("*")
    body = _FEW.join(part.strip() if len(part.strip()) else part
                     for part in body.strip("*").split("*"))  # fmt: skip
    before = _LEAD + (_FEW if open_start else "") if start else _edge(body, 0)
    if open_start and not start:
        before = ""
    after = r"[\w\s,.!']{0,30}\W*$" if end and open_end else r"\W*$" if end else ""
    if not end and not open_end:
        after = _edge(body, -1)
    return f"(?:{before}(?:{body}){after})"


def _edge(body: str, at: int) -> str:
    """A word ends where a letter of our own script does; ideographs run on."""
    if not body[at].isascii() or not (body[at].isalnum() or body[at] in "()"):
        return ""
    return r"(?<!\w)" if at == 0 else r"(?!\w)"
