"""Turn the tokens of a question into the row of meanings that the rules read."""

import re
from dataclasses import replace

from bot.language.catalogue import Catalogue, Found
from bot.language.families import Family, Named
from bot.language.grammar import CODES
from bot.language.items import Item
from bot.language.lexer import Token, tokens_of, value_of
from bot.language.models import ModelReader
from bot.language.names import Names, looks_like_gpu, names
from bot.language.normalise import Clean
from bot.language.numbers import SCALES, NumberReader
from bot.language.typos import Typos
from bot.language.vocabulary import Sense, Vocabulary, vocabulary

_DROPPED = frozenset(("FILL", "ON"))
_SIZE = re.compile(r"(?<![\dax.])(\d+(?:\.\d+)?)([bm])\b")
_ACTIVE_SIZE = re.compile(r"\ba(\d+(?:\.\d+)?)b\b")
_CLOCK = re.compile(r"(\d{1,2})(?::([0-5]\d))?(?:\s?(am|pm)|(?![\d.:]))(?![a-z])")
_TIMES = re.compile(r"x(\d{1,5})")
_RANKED = re.compile(r"r(\d{1,4})")
_COUNTED_GPU = re.compile(r"([a-z]+\d+[a-z]*?)x(\d{1,5})")
_SIGNS = {"/": "SLASH", "=": "EQ", ":": "EQ", "%": "PCT", "x": "TIMES", "*": "TIMES"}
_ONE_LETTER = {"p": "=", "g": "=", "r": "="}
_BEFORE_WEAK = frozenset(
    "on at from via vs or and in with , / = : bei sur en em chez auf na no not".split()
)
_BESIDE_WEAK = frozenset(
    ("PROVIDER", "GPU", "PRICE", "PRICING", "CHEAP", "COST", "SPEND")
)
_CARD_MAKES = frozenset(("rtx", "gtx", "geforce", "radeon", "instinct", "rx"))
_UNITS_AFTER_BARE = frozenset(
    "REQ TOK USER TIME PCT SAMPLE DOC CONC EPOCH STEP CUR MUL PER".split()
)
_PRECISION_BITS = {2: "int4", 3: "int4", 4: "int4", 8: "int8"}


class Reader:
    """Walks over the tokens once; every token ends up in one item or none."""

    def __init__(self, clean: Clean, text: str, catalogue: Catalogue) -> None:
        self.clean = clean
        self.original = text
        self.catalogue = catalogue
        self.tokens = tokens_of(clean.text)
        self.words: Vocabulary = vocabulary()
        self.names: Names = names()
        self.models = ModelReader(self.tokens, self.words)
        self.numbers = NumberReader(self.tokens, self.words)
        self.typos = Typos()
        self.items: list[Item] = []
        self.flagged = False
        """Whether the next word is the name of a flag such as --rps."""

    def read(self) -> list[Item]:
        """Return every meaning of the question, in order."""
        at = 2 if self._commanded() else 0
        while at < len(self.tokens):
            at = self._step(at)
        return self.items

    def _commanded(self) -> bool:
        """Whether the text begins with the command itself."""
        return [token.text for token in self.tokens[:2]] == ["/", "gpucost"]

    def _step(self, at: int) -> int:
        token = self.tokens[at]
        match token.kind:
            case "instance":
                return self._add("INSTANCE", self._as_written(token), at, at + 1)
            case "gguf":
                return self._gguf(token, at)
            case "sign":
                return self._sign(token, at)
            case "number" | "experts":
                return self._number(token, at)
            case _:
                flagged = self.flagged
                end = self._word(token, at)
                if flagged:
                    self._flag(end)
                return end

    def _as_written(self, token: Token) -> str:
        return self.original[
            self.clean.place(token.start) : self.clean.place(token.end)
        ]

    def _add(self, concept: str, value: object, at: int, end: int) -> int:
        """Append an item that spans tokens; say where reading goes on."""
        start, stop = self.tokens[at].start, self.tokens[end - 1].end
        self.items.append(Item(concept, value, start, stop))
        return end

    def _gguf(self, token: Token, at: int) -> int:
        """Read q4_K_M: four bits, and the name of the scheme where it is whole."""
        bits = int(token.text.lstrip("iq")[0])
        if bits in _PRECISION_BITS:
            self._add("PREC", _PRECISION_BITS[bits], at, at + 1)
        if "_" in token.text:
            self._add("QUANT", f"gguf-{token.text}", at, at + 1)
        return at + 1

    def _sign(self, token: Token, at: int) -> int:
        if token.text == "#":
            return self._channel(at)
        end, senses = self.words.longest(self.tokens, at)
        if senses:
            return self._mean(senses, at, end)
        if token.text == "-":
            return self._dash(at)
        concept = _SIGNS.get(token.text)
        if concept is not None:
            self._add(concept, None, at, at + 1)
        return at + 1

    def _dash(self, at: int) -> int:
        """Read a dash between numbers, or the one or two that begin a flag."""
        around = self.tokens[max(0, at - 1) : at + 2]
        if len(around) == 3 and around[0].kind == around[2].kind == "number":
            return self._add("DASH", None, at, at + 1)
        after = (
            at + 2
            if self.tokens[at + 1 : at + 2] and self.tokens[at + 1].text == "-"
            else at + 1
        )
        if after < len(self.tokens) and not self.tokens[at].glued:
            word = self.tokens[after]
            self.flagged = word.glued and word.kind == "word"
        return after

    def _flag(self, end: int) -> None:
        """Put the "=" behind a flag that was written with a blank."""
        self.flagged = False
        if end < len(self.tokens) and self.tokens[end].text not in ("=", ":"):
            self._add("EQ", None, end - 1, end)

    def _channel(self, at: int) -> int:
        end = at + 1
        while end < len(self.tokens) and self.tokens[end].glued:
            if self.tokens[end].kind == "sign" and self.tokens[end].text not in "-_":
                break
            end += 1
        name = "".join(token.text for token in self.tokens[at + 1 : end])
        return self._add("CHANNEL", name, at, end) if name else at + 1

    def _number(self, token: Token, at: int) -> int:
        end, senses = self.words.longest(self.tokens, at)
        named_end, name = self.names.longest(self.tokens, at)
        if name and named_end > end and not self._counts_instead(token, named_end):
            return self._name(name, at, named_end)
        listed_end, listed = self.catalogue.longest(self.tokens, at)
        if listed and listed_end > max(end, at + 1):
            return self._listed(listed, at, listed_end)
        if senses:
            return self._mean(senses, at, end)
        if token.kind == "experts":
            return self._add("EXPERTS", token.text, at, at + 1)
        return self._amount(at)

    def _counts_instead(self, token: Token, end: int) -> bool:
        """Whether "4090" counts what follows it instead of naming a card."""
        if token.text not in self.names.bare or end >= len(self.tokens):
            return False
        if self.items and self.items[-1].concept == "CUR":
            return True
        _, senses = self.words.longest(self.tokens, end)
        return senses is not None and senses[0][0] in _UNITS_AFTER_BARE

    def _clock(self, at: int) -> int:
        """Read a time of day: "9am", "8:30"."""
        found = _CLOCK.match(self.clean.text, self.tokens[at].start)
        if found is None or int(found[1]) > 23 or not (found[2] or found[3]):
            return at
        hour = (
            int(found[1]) % 12 + 12 * (found[3] == "pm") if found[3] else int(found[1])
        )
        end = at + 1
        while end < len(self.tokens) and self.tokens[end].end <= found.end():
            end += 1
        return self._add("CLOCK", f"{hour:02}:{found[2] or '00'}", at, end)

    def _amount(self, at: int) -> int:
        if (end := self._clock(at)) > at:
            return end
        found = self.numbers.read(at)
        if found is None:
            return self._add("W", None, at, at + 1)
        item, end = found
        self.items.append(item)
        if end < len(self.tokens):
            self._split_tail(item, end)
        return end

    def _split_tail(self, item: Item, at: int) -> None:
        """Split "krps" behind a number into the scale and the unit."""
        tail = self.tokens[at]
        if not tail.glued or tail.kind != "word" or len(tail.text) < 3:
            return
        scale, unit = SCALES.get(tail.text[0]), tail.text[1:]
        known = self.words.root.after
        if scale and tail.text not in known and unit in known and not item.suffix:
            item.value *= scale
            item.suffix = tail.text[0]
            self.tokens[at] = replace(tail, text=unit)

    def _word(self, token: Token, at: int) -> int:
        end, senses = self.words.longest(self.tokens, at)
        named_end, name = self.names.longest(self.tokens, at)
        model = self.models.read(at)
        listed_end, listed = self.catalogue.longest(self.tokens, at)
        longest = max(end, named_end, model.end if model else 0)
        exact = model is not None and model.shortened and listed_end == longest
        if listed and (listed_end > longest or exact):
            return self._listed(listed, at, listed_end)
        if model and model.end >= max(end, named_end):
            return self._model(model, at)
        if name and named_end >= end:
            return self._name(name, at, named_end)
        if senses and self._plausible(token, at, end):
            return self._mean(senses, at, end)
        return self._other(token, at)

    def _other(self, token: Token, at: int) -> int:
        """A word that is no phrase and no name as it stands."""
        text = token.text
        if text in self.names.weak and self._after_preposition(at):
            return self._add("PROVIDER", self.names.weak[text], at, at + 1)
        if (found := _TIMES.fullmatch(text)) is not None:
            return self._add("XCOUNT", float(found[1]), at, at + 1)
        if (found := _RANKED.fullmatch(text)) is not None:
            self._add("RANK", None, at, at + 1)
            return self._add("NUM", float(found[1]), at, at + 1)
        if (found := _COUNTED_GPU.fullmatch(text)) and found[1] in self.names.senses:
            self._add("XCOUNT", float(found[2]), at, at + 1)
            return self._name(self.names.senses[found[1]], at, at + 1)
        if text in self.words.numbers:
            return self._amount(at)
        if (unknown := self._unknown(token, at)) > at:
            return unknown
        return self._mistyped(token, at)

    def _mistyped(self, token: Token, at: int) -> int:
        meant = self.typos.meant(token.text)
        if meant is None:
            return self._add("W", None, at, at + 1)
        self.tokens[at] = replace(token, text=meant)
        return self._word(self.tokens[at], at)

    def _after_preposition(self, at: int) -> bool:
        return at > 0 and (
            self.tokens[at - 1].text in _BEFORE_WEAK
            or bool(self.items and self.items[-1].concept in _BESIDE_WEAK)
        )

    def _plausible(self, token: Token, at: int, end: int) -> bool:
        """Whether a lone letter is meant as the unit or key that it may be."""
        if end > at + 1 or len(token.text) > 1 or not token.text.isascii():
            return True
        if token.text in _ONE_LETTER:
            return end < len(self.tokens) and self.tokens[end].text in ("=", ":")
        if token.text in "shdyu":
            before = self.tokens[at - 1] if at else None
            last = self.items[-1].concept if self.items else ""
            return before is not None and (
                (before.kind == "number" and token.glued)
                or last in ("NUM", "SLASH", "PER")
            )
        return True

    def _unknown(self, token: Token, at: int) -> int:
        """Take what has the shape of a GPU or model but is none that we know."""
        text = token.text
        if looks_like_gpu(text):
            return self._unknown_gpu(text.rstrip("s"), at, at + 1)
        after = self.tokens[at + 1 : at + 2]
        if text in _CARD_MAKES and after and after[0].kind == "number":
            return self._unknown_gpu(text + after[0].text, at, at + 2)
        return self._unknown_model(at)

    def _unknown_model(self, at: int) -> int:
        """Read "foobar-13b": hyphened words that end in a size, but no known model."""
        end = at + 1
        while self._joined(end) and self.tokens[end + 1].kind == "word":
            end += 2
        if not (self._joined(end) and self.tokens[end + 1].kind == "number"):
            return at
        size, unit = self.tokens[end + 1], self.tokens[end + 2 : end + 3]
        if not (unit and unit[0].glued and unit[0].text == "b"):
            return at
        start, end = self.tokens[at].start, end + 3
        self._add("UNKNOWN", ("model", self.clean.text[start : unit[0].end]), at, end)
        billions = value_of(size.text)
        self.items.append(
            Item("NUMB", billions * 1e9, size.start, unit[0].end, "b", billions)
        )
        return end

    def _joined(self, at: int) -> bool:
        """Whether a hyphen stands at a token and joins it to the next."""
        pair = self.tokens[at : at + 2]
        return len(pair) == 2 and pair[0].text == "-" and all(t.glued for t in pair)

    def _unknown_gpu(self, name: str, at: int, end: int) -> int:
        """Keep what was said, and that nobody knows such a card."""
        self._add("UNKNOWN", ("gpu", name), at, end)
        return self._add("GPU", name, at, end)

    def _listed(self, found: Found, at: int, end: int) -> int:
        """Take a name that only the catalogue knows."""
        kind, identity = found
        if kind != "model":
            return self._add(kind.upper(), identity, at, end)
        named = Named(Family(identity, "-", False, None, {}), end=end)
        written = self.clean.text[self.tokens[at].start : self.tokens[end - 1].end]
        if size := _SIZE.search(written):
            named.params_b = float(size[1]) / (1 if size[2] == "b" else 1000)
        if active := _ACTIVE_SIZE.search(written):
            named.active_b = float(active[1])
        return self._add("MODELNAME", named, at, end)

    def _model(self, named: Named, at: int) -> int:
        return self._add("MODELNAME", named, at, named.end)

    def _name(self, sense: Sense, at: int, end: int) -> int:
        return self._add(sense[0], sense[1], at, end)

    def _mean(self, senses: tuple[Sense, ...], at: int, end: int) -> int:
        for concept, value in senses:
            if concept not in _DROPPED:
                self._add(concept, value or None, at, end)
        return end


def line_of(items: list[Item]) -> str:
    """Write the concepts of items as the string that patterns match."""
    return "".join(CODES[item.concept] for item in items)
