"""Recognise the names of models: family, version, variant, size, active size."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from bot.language.lexer import Token, value_of
from bot.language.vocabulary import Vocabulary, read_toml, spellings

_VERSIONED = re.compile(r"([a-z]{2,}?(?:-[a-z]+)?)(v?\d+(?:\.\d+)?[a-z]?)")
_VERSION = re.compile(r"(?:[vkmr]?\d(?:\.\d{1,2})?n?|4o)")
_ACTIVE = re.compile(r"a(\d+(?:\.\d+)?)b")
_EDITION = re.compile(r"v0\.\d|[en]?\d{4}|e\db|\d{1,3}e")
_JOINTS = frozenset("-_:/.")
_COUNTED = frozenset(
    "REQ TOK USER TIME PCT GPUWORD CONC SAMPLE EPOCH DOC GB IN OUT CTX COUNTER MUL TIMES".split()
)


@dataclass(frozen=True, slots=True)
class Family:
    """One family of models, and the releases that exist."""

    name: str
    join: str
    needs: bool
    modality: str | None
    known: Mapping[str, frozenset[str]]

    def exists(self, version: str, words: frozenset[str]) -> bool:
        """Whether a release with this version, and one of these sizes, was published."""
        if not version:
            return True
        sizes = self.known.get(version.lstrip("v"), self.known.get(version))
        if sizes is None:
            return False
        stated = {word for word in words if word[0].isdigit()}
        listed = {size for size in sizes if size[0].isdigit()}
        return not stated or not listed or bool(stated & listed)

    def sizes(self, version: str) -> frozenset[str]:
        """The sizes of a version in billions; of every version where none is named."""
        if version:
            key = version.lstrip("v")
            return self.known.get(key, self.known.get(version, frozenset()))
        return frozenset().union(*self.known.values())


@dataclass(slots=True)
class Named:
    """A model as it was named so far."""

    family: Family
    version: str = ""
    parts: list[str] = field(default_factory=list)
    params_b: float | None = None
    active_b: float | None = None
    end: int = 0

    @property
    def slug(self) -> str:
        """The name in the form of the catalogue: llama-3.3-70b, qwen2.5-32b."""
        head = self.family.name
        if self.version:
            lettered = self.version[0].isalpha()
            head += ("-" if lettered else self.family.join) + self.version
        return "-".join([head, *self.parts])

    @property
    def released(self) -> bool:
        """Whether the makers published this version in this size."""
        sizes = frozenset() if self.params_b is None else {f"{self.params_b:g}"}
        return self.family.exists(self.version, frozenset(sizes))


@dataclass(frozen=True, slots=True)
class Models:
    """The families by spelling, and the words that may follow one."""

    families: Mapping[str, Family]
    kept: frozenset[str]
    dropped: frozenset[str]
    starts: Mapping[str, tuple[tuple[str, ...], ...]]

    def read(self, tokens: list[Token], at: int, words: Vocabulary) -> Named | None:
        """Read the model that starts at a token, if one does."""
        found = self._family(tokens, at)
        if found is None:
            return None
        slash = found.end
        if self.tokens_slash(tokens, slash) and (inner := self._family(tokens, slash + 1)):
            found = inner
        named, needs = found, found.family.needs and not found.version
        while (after := self._step(tokens, named, words)) > named.end:
            named.end = after
        if needs and not (named.version or named.parts):
            return None
        return named

    @staticmethod
    def tokens_slash(tokens: list[Token], at: int) -> bool:
        """Whether an organisation ends here, as in Qwen/Qwen2.5-7B."""
        return at + 1 < len(tokens) and tokens[at].text == "/" and tokens[at].glued

    def _family(self, tokens: list[Token], at: int) -> Named | None:
        word = tokens[at].text
        for spelling in self.starts.get(word, ()):
            end = at + len(spelling)
            if tuple(token.text for token in tokens[at:end]) == spelling:
                return Named(self.families["".join(spelling)], end=end)
        split = _VERSIONED.fullmatch(word)
        if split and (family := self.families.get(split[1])):
            return Named(family, split[2], end=at + 1)
        return None

    def _step(self, tokens: list[Token], named: Named, words: Vocabulary) -> int:
        """Take one more part of the name; return the new end."""
        at = named.end
        joined = at < len(tokens) and tokens[at].text in _JOINTS and tokens[at].glued
        if joined:
            at += 1
        if at >= len(tokens) or (joined and not tokens[at].glued):
            return named.end
        token = tokens[at]
        glued = joined or token.glued
        match token.kind:
            case "experts":
                named.parts.append(token.text)
                return at + 1
            case "number":
                return self._number(tokens, at, named, words, glued)
            case "word":
                return self._word(token, at, named, glued)
            case _:
                return self._plus(tokens, at, named)

    def _plus(self, tokens: list[Token], at: int, named: Named) -> int:
        if tokens[at].text == "+" and tokens[at].glued and named.parts:
            named.parts.append("plus")
            return at + 1
        return named.end

    def _number(
        self, tokens: list[Token], at: int, named: Named, words: Vocabulary, glued: bool
    ) -> int:
        number, tail = tokens[at].text.lstrip("."), tokens[at + 1] if at + 1 < len(tokens) else None
        unit = tail.text if tail is not None and tail.kind == "word" else ""
        if unit in ("b", "m") and tail is not None and tail.glued:
            return self._size(tokens, at, named, unit, glued)
        if named.params_b is not None:
            if glued and _EDITION.fullmatch(number):
                named.parts.append(number)
                return at + 1
            return named.end
        if tail is not None and tail.glued and tail.kind == "word" and unit != "n":
            return self._odd_part(number + unit, at, named, glued)
        if not named.version and self._is_version(tokens, at, named, words, glued):
            return self._version(number, at, named)
        if glued and _EDITION.fullmatch(number):
            named.parts.append(number)
            return at + 1
        if glued and named.parts and re.fullmatch(r"\d(?:\.\d{1,2})?", number):
            named.parts.append(number)
            return at + 1
        return named.end

    def _odd_part(self, text: str, at: int, named: Named, glued: bool) -> int:
        """A part such as 128k or 16e, which says nothing about the shape."""
        return at + 2 if glued and re.fullmatch(r"\d{1,4}[kme]", text) else named.end

    def _version(self, number: str, at: int, named: Named) -> int:
        if named.parts:
            named.parts.append(number)
        else:
            named.version = number
        return at + 1

    def _is_version(
        self, tokens: list[Token], at: int, named: Named, words: Vocabulary, glued: bool
    ) -> bool:
        """Whether a number continues the name rather than counting what follows."""
        if not re.fullmatch(r"\d{1,2}(?:\.\d{1,2})?", tokens[at].text):
            return False
        if glued:
            return True
        if at + 1 < len(tokens):
            after = tokens[at + 1]
            _, senses = words.longest(tokens, at + 1)
            if (senses and senses[0][0] in _COUNTED) or after.text in ("x", "%", "-"):
                return False
        return tokens[at].text in named.family.known or "." in tokens[at].text

    def _size(
        self, tokens: list[Token], at: int, named: Named, unit: str, glued: bool
    ) -> int:
        if named.params_b is not None or (named.family.modality and not glued):
            return named.end
        value = value_of(tokens[at].text) / (1 if unit == "b" else 1000)
        small = value < 0.02 or (unit == "m" and not glued)
        if small or f"{tokens[at].text}{unit}" in self.dropped:
            return at + 2 if not small else named.end
        if at + 2 < len(tokens) and tokens[at + 2].text in ("tok", "tokens", "token"):
            return named.end
        named.params_b = value
        named.parts.append(f"{tokens[at].text.replace(',', '.')}{unit}")
        return at + 2

    def _word(self, token: Token, at: int, named: Named, glued: bool) -> int:
        text = token.text
        if active := _ACTIVE.fullmatch(text):
            named.active_b = float(active[1])
            named.parts.append(text)
        elif not named.version and not named.parts and _VERSION.fullmatch(text):
            named.version = text
        elif text in self.kept or (glued and _EDITION.fullmatch(text)):
            named.parts.append(text)
        elif text not in self.dropped:
            return named.end
        return at + 1


@cache
def models() -> Models:
    """Return the families of the vocabulary."""
    table = read_toml("models")
    families: dict[str, Family] = {}
    starts: dict[str, list[tuple[str, ...]]] = {}
    for name, row in table["family"].items():
        family = _family_of(name, row)
        for spelling in spellings(row["names"]):
            words = tuple(_pieces(spelling))
            families["".join(words)] = family
            starts.setdefault(words[0], []).append(words)
    return Models(
        families=families,
        kept=frozenset(table["parts"]["kept"].split()),
        dropped=frozenset(table["parts"]["dropped"].split()),
        starts={
            word: tuple(sorted(ways, key=len, reverse=True))
            for word, ways in starts.items()
        },
    )


def _pieces(spelling: str) -> list[str]:
    """Cut a spelling as the lexer would: words, digits, signs and Chinese letters."""
    return re.findall(r"[a-z][a-z0-9]*|\d+|[^\w\s]|[\u3400-\u9fff]", spelling)


def _family_of(name: str, row: Mapping[str, str]) -> Family:
    known = {}
    for entry in row["known"].split(";"):
        version, _, sizes = entry.partition(":")
        known[version.strip()] = frozenset(sizes.split())
    return Family(
        name=name,
        join=row.get("join", "-"),
        needs=bool(row.get("needs")),
        modality=row.get("modality"),
        known=known,
    )
