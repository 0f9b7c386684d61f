"""The row of meanings under way, with all that a reader looks things up in."""

from itertools import pairwise

from bot.language.catalogue import Catalogue, Found
from bot.language.families import Family, Named, families
from bot.language.items import Item
from bot.language.lexer import Token, TokenKind, tokens_of
from bot.language.models import ModelReader
from bot.language.names import looks_like_gpu, names, squeeze
from bot.language.normalise import Clean
from bot.language.numbers import WRITTEN, NumberReader
from bot.language.typos import Typos
from bot.language.vocabulary import Sense, vocabulary
from core.patterns import regex
from core.reference.places import place

_DROPPED = frozenset(("FILL", "ON"))
_PARTS = frozenset(",;|/")
_JOINTS = frozenset((",", "/", "&", "or", "and"))
_PLACES = frozenset("region regions location loc zone geo area country".split())
_COUNTRIES = {
    "at": "austria", "be": "belgium", "ch": "switzerland", "de": "germany",
    "dk": "denmark", "es": "spain", "fi": "finland", "fr": "france", "ie": "ireland",
    "it": "italy", "nl": "netherlands", "no": "norway", "pl": "poland",
    "pt": "portugal", "se": "sweden",
}  # fmt: skip
_THERE = frozenset("in from aus en dans uit across within".split())
_WHOSE = frozenset(
    "user users customer customers client clients people employees staff offices shops "
    "stores host hosted hosting located based data datacenter dc deployed stay stays "
    "kunden nutzer mitarbeiter gehostet clientes usuarios utilisateurs heberge klanten "
    "gebruikers clienti utenti".split()
)
"""Before "in NL" one of these tells of a place: else it may be a language."""
_SIGNED = frozenset("=:")
"""Between a key and its value."""
_GROUP, _HEAD = regex(r"\d{3}"), regex(r"\d{1,3}")
_GROUPED = frozenset("TOK IN OUT CTX REQ USER DOC SAMPLE CUR".split())
"""What a number of thousands may count."""
_APART = frozenset(",;|(/-–—\n")
"""Behind one of these a number is no word's before it."""
_PREFIXES = frozenset("mi rtx gtx h a b l gb v".split())
"""What stands before the number of a GPU's name."""
_BY = frozenset("x ex by times mal fois por per keer razy raza".split())
"""What stands between the experts of a mixture and the size of each."""
_LETTERS = frozenset("vrkm")
"""Letters of versions that are spoken apart: "deepseek r one", "kimi k two"."""
_SIZE = regex(r"(?<![\dax.])(\d+(?:\.\d+)?) ?([bm])\b")
_LAST_SIZE = regex(r"-\d+(?:\.\d+)?b$")
_ACTIVE_SIZE = regex(r"\ba(\d+(?:\.\d+)?)b\b")


_NAME_AND_SIZE = regex(r"([a-z]{3,})(\d{1,3})(b)|([a-z]{3,})(\d{1,2}x\d{1,3}b)")
_KEY_AND_NUMBER = regex(
    r"(in|out|input|output|prompt|completion|ctx|context|cache|peak|rps|qps)"
    r"(\d+(?:\.\d+)?)([km]?)"
)


_TYPED = {
    "mny": "many", "wen": "when", "wich": "which", "wht": "what", "shld": "should",
    "bcs": "because", "abt": "about", "serv": "serve",
}  # fmt: skip
"""Words as they are typed on a phone."""
_HINDI = {"do": "2", "char": "4", "chaar": "4", "chhah": "6", "das": "10"}
_HINDI_TIMES = frozenset(
    "din dino dinon hafta hafte hafton mahina mahine mahino mahinon saal ghanta ghante "
    "ghanton".split()
)
"""Numbers that are words of other languages, and what they count here."""
_RESPELLED = frozenset(("4", *_TYPED, *_HINDI))
_DETERMINERS = frozenset("a an my our the this me us dis".split())


def _unglued(tokens: list[Token]) -> list[Token]:
    """Cut a size off its name, a number off its key: "llama70b", "in2k"."""
    odd = [
        at
        for at, token in enumerate(tokens)
        if token.text in _RESPELLED
        or (token.kind == "word" and not token.text.isalpha())
    ]
    for at in reversed(odd):
        token = tokens[at]
        behind = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.text in _TYPED and token.kind == "word" and not token.glued:
            tokens[at] = token._replace(text=_TYPED[token.text])
        if token.text in _HINDI and behind in _HINDI_TIMES:
            tokens[at] = token._replace(kind="number", text=_HINDI[token.text])
        if token.text == "4" and not token.glued and behind in _DETERMINERS:
            tokens[at] = token._replace(kind="word", text="for")  # "4 a 9b"
        if token.kind != "word" or token.text.isalpha():
            continue
        found = _NAME_AND_SIZE.fullmatch(token.text)
        if found is None or (found[1] or found[4]) not in families().by_spelling:
            found = _KEY_AND_NUMBER.fullmatch(token.text)
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
        self._name_mixtures()
        at = 1
        if "hundred" in self.clean.text:
            self._name_hundreds()
        if self.words.numbers.keys().isdisjoint([one.text for one in self.tokens]):
            return
        while at < len(self.tokens):
            before = self.tokens[at - 1].text
            # 百 of 三百五十 is not that of 百川
            if (
                self.tokens[at].text in self.words.numbers
                and before not in WRITTEN
                and not self.means(at, "WHEN")  # "with a 14b once, L4 or L40S"
                and (
                    before in self.models.known.starts
                    or before in _PREFIXES
                    or self._ends_in_letter(at - 1)
                )
            ):
                amount = self._version(at) or self.numbers.read(at)
                if amount is not None and amount[0].suffix == "":
                    item, end = amount
                    first, last = self.tokens[at], self.tokens[end - 1]
                    card = before != "a" and looks_like_gpu(f"{before}{item.value:g}")
                    digits = Token(
                        "number", f"{item.value:g}", first.start, last.end, card
                    )
                    self.tokens[at:end] = [digits]
                    if before in _LETTERS:  # "deep seek v three point two"
                        version = digits._replace(
                            kind="word", text=f"{before}{digits.text}",
                            start=self.tokens[at - 1].start, glued=False,
                        )  # fmt: skip
                        self.tokens[at - 1 : at + 1] = [version]
            at += 1

    def _name_mixtures(self) -> None:
        """Write "mixtral eight times seven b" as the experts and the size of each."""
        mixed = families().mixed
        for at, token in enumerate(self.tokens[:-3]):
            experts = self.numbers.read(at + 1) if token.text in mixed else None
            if experts is None or self.text(experts[1]) not in _BY:
                continue
            size = self.numbers.read(experts[1] + 1)
            if size and size[0].suffix == "b":
                text = f"{experts[0].value:g}x{size[0].base:g}b"
                first, last = self.tokens[at + 1], self.tokens[size[1] - 1]
                both = Token("experts", text, first.start, last.end, False)
                self.tokens[at + 1 : size[1]] = [both]
                return

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

    def _ends_in_letter(self, at: int) -> bool:
        """Whether a letter behind a name is the start of a version: "deepseek r"."""
        led = at > 0 and self.tokens[at - 1].text in self.models.known.starts
        return led and self.tokens[at].text in _LETTERS

    def _version(self, at: int) -> tuple[Item, int] | None:
        """The three of "qwen three thirty two b": a version, and a size behind it."""
        digit = self.words.numbers.get(self.tokens[at].text, 0)
        behind = self.words.numbers.get(self.text(at + 1), 0)
        family = self.models.known.by_spelling.get(self.tokens[at - 1].text)
        point = self.text(at + 1) == "point"
        part = self.words.numbers.get(self.text(at + 2), 0)
        if family and point and self.text(at + 3) in self.words.numbers:
            version = digit + part / 10  # "three point one eight b"
            if part < 10 and family.versions(f"{version:g}") is not None:
                start, last = self.tokens[at].start, self.tokens[at + 2].end
                return Item("NUM", version, start, last, base=version), at + 3
        if family is None or not 0 < digit < 10 or not 0 < behind < 100:
            return None
        if family.versions(f"{digit:g}") is None:
            return None
        token = self.tokens[at]
        return Item("NUM", digit, token.start, token.end, base=digit), at + 1

    def _name_hundreds(self) -> None:
        """ "eight b two hundreds" are so many B200: only names have such a plural."""
        for at in reversed(range(len(self.tokens) - 2)):
            if self.text(at + 2) not in ("hundred", "hundreds"):
                continue
            letter, number, plural = self.tokens[at : at + 3]
            hundreds = self.words.numbers.get(number.text, 0) * 100
            name = f"{letter.text}{hundreds:g}"
            whole = plural.text == "hundreds" or letter.text != "a"
            known = name in self.names.senses and not self._sizes(at)
            if whole and known and letter.text in _PREFIXES:
                both = letter._replace(text=name, end=plural.end, kind="word")
                self.tokens[at : at + 3] = [both]

    def _sizes(self, at: int) -> bool:
        """Whether the b of "seven b three hundred users" is one of billions."""
        behind = (at + 3, at + 4)
        counted = any(self.means(i, one) for i in behind for one in _GROUPED)
        return at > 0 and self.text(at) == "b" and counted

    def group_thousands(self) -> None:
        """Read "1 200 jetons", "2 500 in" as one number.

        In plain English two numbers may stand side by side: it takes what they count.
        """
        numbers = [at for at, one in enumerate(self.tokens) if one.kind == "number"]
        if all(behind > at + 1 for at, behind in pairwise(numbers)):
            return
        at, free = 1, not self.original.isascii()
        while at < len(self.tokens):
            first, second = self.tokens[at - 1], self.tokens[at]
            split = first.kind == second.kind == "number" and _GROUP.fullmatch(
                second.text
            )
            near = split and second.start == first.end + 1
            whole = near and _HEAD.fullmatch(first.text)
            if whole and (free or self._counts_both(at)):
                digits = first.text + second.text
                both = first._replace(text=digits, end=second.end)
                self.tokens[at - 1 : at + 1] = [both]
            else:
                at += 1

    def _counts_both(self, at: int) -> bool:
        """Whether two numbers side by side count one thing: "| 1 500 in |".

        Behind a word the first may be the word's own: "rps 20 800 in".
        """
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        before = self.tokens[at - 2].text if at > 1 else ""
        leads = at > 1 and any(self.means(at - 2, one) for one in ("IN", "OUT", "CTX"))
        money = after is not None and self.means(at + 1, "CUR")
        if before and before not in _APART and not leads and not money:
            return False
        counted = after is not None and any(self.means(at + 1, one) for one in _GROUPED)
        return counted or (leads and (after is None or not after.text.isalnum()))

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
        written = self.clean.text[self.tokens[at].start : self.tokens[end - 1].end]
        stem = _LAST_SIZE.sub("", identity)
        if squeeze(stem) == squeeze(written):
            identity = stem  # "command-a": its size is looked up, not stated
        named = Named(Family(identity, "-", False, None, {}), end=end)
        if size := _SIZE.search(written):
            named.params_b = float(size[1]) / (1 if size[2] == "b" else 1000)
        if active := _ACTIVE_SIZE.search(written):
            named.active_b = float(active[1])
        return self.add("MODELNAME", named, at, end)

    def country(self, at: int) -> str | None:
        """The country that a code in capitals stands for: "customers in NL and BE"."""
        named = _COUNTRIES.get(self.text(at))
        if named is None or at < 1 or self.original.isupper():
            return None
        if not self.written(at).isupper():
            return None
        before = self.text(at - 1)
        if before in _JOINTS:
            behind = self.text(at - 2) if at > 1 else ""
            known = self.last == "REGION" or (
                len(self.items) > 1 and self.items[-2].concept == "REGION"
            )
            return named if known and (behind in _COUNTRIES or behind == "us") else None
        housed = at > 1 and before in _THERE and self.text(at - 2) in _WHOSE
        return named if housed else None

    def _is_country(self, at: int) -> bool:
        """Whether "us" is a place: in capitals, or in one breath with another.

        A word of places before it tells as well: "--region us", "location: us".
        """
        if self.written(at).isupper() and not self.original.isupper():
            return True
        signed = at > 1 and self.text(at - 1) in _SIGNED
        key = at - 1 - signed
        determined = key > 0 and self.text(key - 1) in _DETERMINERS
        if at and self.text(key) in _PLACES and (signed or not determined):
            return True
        if self.text(at + 1) == "-" and self.text(at + 2) in _PLACES:
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
