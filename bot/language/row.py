"""The row of meanings under way, with all that a reader looks things up in."""

from bot.language.catalogue import Catalogue, Found
from bot.language.families import Family, Named, families
from bot.language.items import Item
from bot.language.lexer import Token, TokenKind, tokens_of
from bot.language.models import ModelReader
from bot.language.names import looks_like_gpu, names
from bot.language.normalise import Clean
from bot.language.numbers import WRITTEN, NumberReader
from bot.language.typos import Typos
from bot.language.vocabulary import Sense, vocabulary
from core.patterns import regex
from core.reference.places import place

_DROPPED = frozenset(("FILL", "ON"))
_PARTS = frozenset(",;|/")
_JOINTS = frozenset((",", "/", "&", "or", "and"))
_GROUP, _HEAD = regex(r"\d{3}"), regex(r"\d{1,3}")
_PREFIXES = frozenset("mi rtx gtx h a b l gb v".split())
"""What stands before the number of a GPU's name."""
_CARDS = frozenset("mi a b h gb v".split())
"""Of these, those of which a number is in the hundreds."""
_LETTERS = frozenset("rkm")
"""Letters of versions that are spoken apart: "deepseek r one", "kimi k two"."""
_SIZE = regex(r"(?<![\dax.])(\d+(?:\.\d+)?)([bm])\b")
_ACTIVE_SIZE = regex(r"\ba(\d+(?:\.\d+)?)b\b")


_NAME_AND_SIZE = regex(r"([a-z]{3,})(\d{1,3})(b)|([a-z]{3,})(\d{1,2}x\d{1,3}b)")
_KEY_AND_NUMBER = regex(
    r"(in|out|input|output|prompt|completion|ctx|context|cache|peak|rps|qps)"
    r"(\d+(?:\.\d+)?)([km]?)"
)


_DETERMINERS = frozenset("a an my our the this me us dis".split())


def _unglued(tokens: list[Token]) -> list[Token]:
    """Cut a size off its name, a number off its key: "llama70b", "in2k"."""
    for at in range(len(tokens) - 1, -1, -1):
        token = tokens[at]
        behind = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.text == "4" and not token.glued and behind in _DETERMINERS:
            tokens[at] = token._replace(kind="word", text="for")  # "4 a 9b"
        found = _NAME_AND_SIZE.fullmatch(token.text) if token.kind == "word" else None
        if found is None or (found[1] or found[4]) not in families().by_spelling:
            found = (
                _KEY_AND_NUMBER.fullmatch(token.text) if token.kind == "word" else None
            )
        if found is None:
            continue
        kinds: tuple[TokenKind, ...] = ("word", "number", "word")
        parts = [part for part in found.groups() if part]
        kinds = kinds if "x" not in parts[-1][1:-1] else ("word", "experts")
        cut: list[Token] = []
        start = token.start
        for kind, part in zip(kinds, parts, strict=False):
            glued = bool(cut) or token.glued
            cut.append(Token(kind, part, start, start + len(part), glued))
            start += len(part)
        tokens[at : at + 1] = cut
    return tokens


class Row:
    """Tokens on one side, the items that they mean on the other."""

    def __init__(self, clean: Clean, text: str, catalogue: Catalogue) -> None:
        self.clean = clean
        self.original = text
        self.catalogue = catalogue
        self.tokens = _unglued(tokens_of(clean.text))
        self.words = vocabulary()
        self.names = names()
        self.models = ModelReader(self.tokens, self.words)
        self.numbers = NumberReader(self.tokens, self.words)
        self.typos = Typos()
        self.parting_slashes = clean.text.count(" / ") > 1
        """Whether " / " parts clauses, rather than a prompt from its answer."""
        self.items: list[Item] = []
        self.flagged = False
        """Whether the next word is the name of a flag such as --rps."""

    def spell_out(self) -> None:
        """Write number words of a name as digits: "llama four", "mi three hundred"."""
        at = 1
        while at < len(self.tokens):
            before = self.tokens[at - 1].text
            plural = self._in_the_singular(at)
            if self._version_apart(at):
                at += 1
                continue
            named = before in self.models.known.starts or before in _PREFIXES
            named = (
                named and before not in WRITTEN
            )  # 百 of 三百五十 is not that of 百川
            if named and self.tokens[at].text in self.words.numbers:
                amount = self.numbers.read(at)
                if amount is not None and amount[0].suffix == "":
                    item, end = amount
                    first, last = self.tokens[at], self.tokens[end - 1]
                    card = looks_like_gpu(f"{before}{item.value:g}")
                    card = card and (before != "a" or plural)
                    digits = Token(
                        "number", f"{item.value:g}", first.start, last.end, card
                    )
                    self.tokens[at:end] = [digits]
            at += 1

    def _version_apart(self, at: int) -> bool:
        """Write the version alone of "qwen three thirty two b", and "r one" as r1."""
        first, before = self.tokens[at], self.tokens[at - 1]
        if first.text not in self.words.numbers:
            return False
        led = at > 1 and self.tokens[at - 2].text in self.models.known.starts
        if led and before.text in _LETTERS and (said := self.numbers.read(at)):
            item, end = said
            word = f"{before.text}{item.value:g}"
            last = self.tokens[end - 1].end
            joined = Token("word", word, before.start, last, before.glued)
            self.tokens[at - 1 : end] = [joined]
            return True
        family = self.models.known.by_spelling.get(before.text)
        version = f"{self.words.numbers[first.text]:g}"
        size = (
            self.numbers.read(at + 1) if family and at + 1 < len(self.tokens) else None
        )
        known = family is not None and family.versions(version) is not None
        if size is None or size[0].suffix != "b" or not known:
            return False
        self.tokens[at] = first._replace(kind="number", text=version)
        return True

    def _in_the_singular(self, at: int) -> bool:
        """Write "h two hundreds" as one of them, to be read as a number."""
        plural = self.text(at + 1) == "hundreds" and self.tokens[at - 1].text in _CARDS
        if plural:
            self.tokens[at + 1] = self.tokens[at + 1]._replace(text="hundred")
        return plural

    def share_out(self) -> None:
        """Write German "je 60 Anfragen" as "jeweils": alone, "je" is French for "I"."""
        for at, token in enumerate(self.tokens[:-1]):
            if token.text == "je" and self.tokens[at + 1].kind == "number":
                self.tokens[at] = token._replace(text="jeweils")

    def count_stressed(self) -> None:
        """Read Dutch "één" as a number; without its accents it is an article."""
        if self.original.isascii():
            return
        for at, token in enumerate(self.tokens):
            if token.text == "een" and not self.written(at).isascii():
                self.tokens[at] = token._replace(kind="number", text="1")

    def group_thousands(self) -> None:
        """Read "1 200 jetons" as one number, in texts that are not plain English."""
        at = 1
        while at < len(self.tokens) and not self.original.isascii():
            first, second = self.tokens[at - 1], self.tokens[at]
            split = first.kind == second.kind == "number" and _GROUP.fullmatch(
                second.text
            )
            if split and second.start == first.end + 1 and _HEAD.fullmatch(first.text):
                digits = first.text + second.text
                both = first._replace(text=digits, end=second.end)
                self.tokens[at - 1 : at + 1] = [both]
            else:
                at += 1

    @property
    def last(self) -> str:
        """The concept read last, or nothing at the start."""
        return self.items[-1].concept if self.items else ""

    def text(self, at: int) -> str:
        """The word at a place, or nothing behind the end."""
        return self.tokens[at].text if at < len(self.tokens) else ""

    def means(self, at: int, concept: str) -> bool:
        """Whether the word at a place is one of a concept."""
        senses = self.words.longest(self.tokens, at)[1] if self.text(at) else None
        return senses is not None and senses[-1][0] == concept

    def around(self, at: int) -> list[Token]:
        """A token between its two neighbours; fewer than three at the ends."""
        return self.tokens[max(0, at - 1) : at + 2]

    def written(self, at: int) -> str:
        """The word at a place as it was written."""
        start, end = self.tokens[at].start, self.tokens[at].end
        return self.original[self.clean.place(start) : self.clean.place(end)]

    def add(self, concept: str, value: object, at: int, end: int) -> int:
        """Append an item that spans tokens; say where reading goes on."""
        start, stop = self.tokens[at].start, self.tokens[end - 1].end
        self.items.append(Item(concept, value, start, stop))
        return end

    def mean(self, senses: tuple[Sense, ...], at: int, end: int) -> int:
        """Append what a phrase means; words that carry nothing leave no item."""
        if end == at + 1 and self.text(at) == "us" and self._is_country(at):
            return self.add("REGION", "us", at, end)
        for concept, value in senses:
            if concept not in _DROPPED:
                self.add(concept, value or None, at, end)
        return end

    def listed(self, found: Found, at: int, end: int) -> int:
        """Append a name that only the catalogue knows."""
        kind, identity = found
        if kind != "model":
            return self.add(kind.upper(), identity, at, end)
        named = Named(Family(identity, "-", False, None, {}), end=end)
        written = self.clean.text[self.tokens[at].start : self.tokens[end - 1].end]
        if size := _SIZE.search(written):
            named.params_b = float(size[1]) / (1 if size[2] == "b" else 1000)
        if active := _ACTIVE_SIZE.search(written):
            named.active_b = float(active[1])
        return self.add("MODELNAME", named, at, end)

    def _is_country(self, at: int) -> bool:
        """Whether "us" is a place: in capitals, or in one breath with another."""
        if self.written(at).isupper() and not self.original.isupper():
            return True
        last = at + 1 == len(self.tokens) or self.text(at + 1) in _PARTS
        if last and at and self.text(at - 1) in _PARTS and self.last != "NOT":
            return True
        if self.text(at - 1) in _JOINTS if at else False:
            return self.last == "REGION" or (
                len(self.items) > 1 and self.items[-2].concept == "REGION"
            )
        after = [self.text(i) for i in range(at + 1, at + 5)]
        named = next((word for word in after[1:] if word not in ("in", "the")), "")
        return after[0] in _JOINTS and (named == "europe" or place(named) is not None)
