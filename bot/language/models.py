"""Read the names of models: family, version, variant, size, active size."""

import re
from collections.abc import Sequence

from bot.language.families import Family, Named, families
from bot.language.lexer import Token, value_of
from bot.language.vocabulary import Vocabulary
from core.patterns import regex

_VERSIONED = regex(r"([a-z]{2,}?)(v?\d+(?:\.\d+)?[a-z]?)")
_LONE = regex(r"[vrkm]\d(?:\.\d)?")
"""A version that may stand apart from the name of its family."""
_VERSION = regex(r"[vkmr]?\d(?:\.\d{1,2})?n?")
_NUMBER = regex(r"\d{1,2}(?:\.\d{1,2})?")
_ACTIVE = regex(r"a(\d+(?:\.\d+)?)b")
_EDITION = regex(r"v0\.\d|[en]?\d{4}|e\db|\d{1,3}e")
_ODD = regex(r"\d{1,4}[kme]")
_DESCRIBES = regex(r"(?:ed|ing|like)$|^.$")
"""What says how a model is, or what is done with it, and goes on no name."""
_JOINTS = frozenset("-_:/.")
_EDITIONS = frozenset("pro plus max lite next ultra".split())
_COUNTED = frozenset(
    "REQ TOK USER TIME PCT GPUWORD CONC SAMPLE EPOCH DOC GB IN OUT CTX COUNTER MUL "
    "NODE STEP BIT".split()
)


def _dotted(family: Family, version: str) -> str:
    """Read llama31, qwen25: a version that lost its dot in the name of a file."""
    dotted = f"{version[:-1]}.{version[-1]}"
    lost = version.isdecimal() and family.versions(version) is None
    return dotted if lost and family.versions(dotted) is not None else version


class ModelReader:
    """Reads the model name that starts at a token, if one does."""

    def __init__(self, tokens: Sequence[Token], words: Vocabulary) -> None:
        self.tokens = tokens
        self.words = words
        self.known = families()
        self.glued = False
        """Whether the part under way is joined to the name by a sign or by nothing."""

    def read(self, at: int) -> Named | None:
        """Return the model, or None where the words only look like a family."""
        named = self._family(at)
        if named is None:
            return None
        if self._text(named.end) == "/" and self.tokens[named.end].glued:
            behind = self._family(named.end + 1) or named
            if behind.family.modality != named.family.modality:
                return named  # "whisper/llama": two models
            named = behind
        needs = named.family.needs and not named.version
        while (after := self._step(named)) > named.end:
            named.end = after
        if needs and not named.parts and named.family.versions(named.version) is None:
            return None  # "step 4 of 9"
        return named

    def _text(self, at: int) -> str:
        return self.tokens[at].text if at < len(self.tokens) else ""

    def _family(self, at: int) -> Named | None:
        word = self._text(at)
        for spelling in self.known.starts.get(word, ()):
            end = at + len(spelling)
            if tuple(token.text for token in self.tokens[at:end]) == spelling:
                return Named(self.known.by_spelling["".join(spelling)], end=end)
        if word.isalpha():
            return None
        split = _VERSIONED.fullmatch(word)
        if split and (family := self.known.by_spelling.get(split[1])):
            return Named(family, _dotted(family, split[2]), end=at + 1)
        return self._named_before(at) if _LONE.fullmatch(word) else None

    def _named_before(self, at: int) -> Named | None:
        """Read "the DeepSeek API or host V3": a version of a family named before."""
        for token in reversed(self.tokens[:at]):
            family = self.known.by_spelling.get(token.text)
            if family and family.versions(self._text(at)) is not None:
                return Named(family, self._text(at), end=at + 1)
        return None

    def _step(self, named: Named) -> int:
        """Take one more part of the name; return the new end."""
        at = named.end
        joined = (
            self._text(at) in _JOINTS
            and at < len(self.tokens)
            and self.tokens[at].glued
        )
        if joined:
            at += 1
        if at >= len(self.tokens) or (joined and not self.tokens[at].glued):
            return named.end
        token = self.tokens[at]
        self.glued = joined or token.glued
        match token.kind:
            case "experts":
                named.parts.append(token.text)
                return at + 1
            case "number":
                return self._number(at, named)
            case "word":
                return self._word(at, named)
        if token.text == "+" and token.glued and named.parts:
            named.parts.append("plus")
            return at + 1
        return named.end

    def _number(self, at: int, named: Named) -> int:
        number, unit = self._text(at).lstrip("."), self._unit(at + 1)
        if self._goes_on(at, number, named):
            named.version += f".{number}"
            return at + 1
        if self._text(at - 1) == "_" and named.parts[-1:] == [self._text(at - 2)]:
            named.parts.pop()  # "49b-v1_5": an edition of the same size
            named.shortened = True
            return at + 1
        if unit in ("b", "m"):
            return self._size(at, named, unit)
        if unit and unit != "n":
            if not (self.glued and _ODD.fullmatch(number + unit)):
                return named.end
            named.shortened = True
            return at + 2
        if (
            named.params_b is None
            and not named.version
            and self._is_version(at, number, named)
        ):
            if named.parts:
                named.parts.append(number)
            else:
                named.version = number
            return at + 1
        if (
            self.glued
            and named.parts
            and (_EDITION.fullmatch(number) or _NUMBER.fullmatch(number))
        ):
            named.parts.append(number)
            return at + 1
        return named.end

    def _goes_on(self, at: int, number: str, named: Named) -> bool:
        """Whether an underscore stands for the dot of a version: qwen2_5_32b."""
        return (
            self._text(at - 1) == "_"
            and bool(named.version)
            and not named.parts
            and named.family.versions(f"{named.version}.{number}") is not None
        )

    def _unit(self, at: int) -> str:
        """The letters right behind a number."""
        if (
            at < len(self.tokens)
            and self.tokens[at].glued
            and self.tokens[at].kind == "word"
        ):
            return self.tokens[at].text
        return ""

    def _is_version(self, at: int, number: str, named: Named) -> bool:
        """Whether a number continues the name rather than counting what follows."""
        if not _NUMBER.fullmatch(number):
            return False
        if self.glued:
            return True
        if at + 1 < len(self.tokens):
            _, senses = self.words.longest(self.tokens, at + 1)
            if senses and senses[0][0] in _COUNTED:
                return False
            if self._text(at + 1) in ("x", "%", "-", "b"):
                return False
            if self.tokens[at + 1].kind == "number":
                return self._in_billions(at + 2)
        released = number in named.family.known
        return released or (len(number) == 1 and not named.family.modality)

    def _in_billions(self, at: int) -> bool:
        """Whether a token scales the number before it: "8b", "8 billion"."""
        if self._text(at) == "b" or at >= len(self.tokens):
            return at < len(self.tokens)
        _, senses = self.words.longest(self.tokens, at)
        return senses is not None and senses[0] == ("MUL", "1000000000")

    def _size(self, at: int, named: Named, unit: str) -> int:
        """Read 70b, 135m; "17b" of Llama 4 Scout says nothing about the whole."""
        text = self._text(at)
        if named.params_b is not None or (named.family.modality and not self.glued):
            return named.end
        if text + unit in self.known.dropped:
            named.shortened = True
            return at + 2
        if (unit == "m" and not self.glued) or self._text(at + 2) in (
            "tok",
            "tokens",
            "token",
        ):
            return named.end
        named.params_b = value_of(text) / (1 if unit == "b" else 1000)
        named.parts.append(f"{text.replace(',', '.')}{unit}")
        return at + 2

    def _word(self, at: int, named: Named) -> int:
        text = self._text(at)
        if text == "r" and (named.params_b or self._text(at + 1) in ("=", ":")):
            return named.end  # "8b r=16": a rank
        edition = self.glued and (text in self.known.glued or _EDITION.fullmatch(text))
        released = text in (named.family.versions(named.version or "*") or ())
        if active := _ACTIVE.fullmatch(text):
            named.active_b = float(active[1])
            named.parts.append(text)
        elif _VERSION.fullmatch(text) and not named.version and not named.parts:
            named.version = text
        elif (
            text in self.known.kept
            or edition
            or released
            or re.fullmatch(r"v\d(?:\.\d)?", text)
        ):
            named.parts.append(text)
        elif text in self.known.dropped:
            named.shortened = True
        elif self._is_part(at, named) or self._is_edition(at, named):
            named.parts.append(text)
        else:
            return named.end
        return at + 1

    def _is_edition(self, at: int, named: Named) -> bool:
        """Whether "pro" of "solar pro 2 31b" goes on: a size stands behind it."""
        if named.params_b is not None or self._text(at) not in _EDITIONS:
            return False
        numbered = _NUMBER.fullmatch(self._text(at + 1)) and not self._unit(at + 2)
        at += 1 if numbered else 0
        sized = at + 2 < len(self.tokens) and self.tokens[at + 1].kind == "number"
        return sized and self._unit(at + 2) == "b"

    def _is_part(self, at: int, named: Named) -> bool:
        """Whether an unknown word goes on: "llava-onevision", "parakeet tdt 0.6b"."""
        text = self._text(at)
        if named.params_b is not None or _DESCRIBES.search(text):
            return False
        if (
            text in self.known.describing
            or not text.isascii()
            or self.words.longest(self.tokens, at)[1]
        ):
            return False
        if self._text(at - 1) == "-" and self.glued:
            return True
        sized = self._unit(at + 2) == "b" and self.tokens[at + 1].kind == "number"
        return sized and not self.glued and text not in self.words.ordinary
