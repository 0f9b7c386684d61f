"""Recognise GPUs, providers, hosted APIs and cloud machines, however written."""

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from bot.language.lexer import Token
from bot.language.vocabulary import Sense, read_toml, spellings
from core.patterns import regex

_JOINTS = frozenset("-_/.()'")
_LONGEST = 9
_KEPT = regex(r"[^\W_]|(?<=\d)\.(?=\d)")
_GPU_LIKE = regex(
    r"(?:[abhv]\d{3,4}[a-z]?|[al]\d{2}s?|gb\d{3}|mi\d{3}[a-z]?|rtx[a-z]?\d{3,4}|gtx\d{3,4}"
    r"|gaudi\d|tpuv\d[a-z]?)s?"
)


class Machine(Struct, frozen=True):
    """What a cloud's machine type holds."""

    gpu: str
    count: int
    provider: str


class Names(Struct, frozen=True):
    """Proper names by their letters and digits alone, and every beginning of one."""

    senses: Mapping[str, Sense]
    weak: Mapping[str, str]
    bare: frozenset[str]
    token_apis: frozenset[str]
    machines: Mapping[str, Machine]
    families: Mapping[str, str]
    """The machine that is meant by the name of its family."""
    beginnings: frozenset[str]
    letters: frozenset[str]

    def begins(self, word: str) -> bool:
        """Whether a name, or its plural, may begin with a word of letters."""
        return word in self.beginnings or (word[-1] == "s" and word[:-1] in self.senses)

    def longest(self, tokens: list[Token], at: int) -> tuple[int, Sense | None]:
        """Return where the longest name from a token ends, and what it names."""
        end, found, squeezed, index = at, None, "", at
        if tokens[at].text[0] not in self.letters:
            return at, None
        while index < min(len(tokens), at + _LONGEST):
            token = tokens[index]
            if token.kind == "sign":
                if token.text not in _JOINTS or index == at:
                    break
                if _between_numbers(tokens, index):
                    break  # a range of numbers names no card
            else:
                if _spaced_letter(tokens, at, index) or _two_numbers(tokens, at, index):
                    break
                squeezed += squeeze(token.text)
                if (sense := self._sense(squeezed)) is not None:
                    end, found = index + 1, sense
                elif squeezed not in self.beginnings:
                    break
            index += 1
        return end, found

    def _sense(self, squeezed: str) -> Sense | None:
        found = self.senses.get(squeezed)
        if found is None and squeezed.endswith("s"):
            found = self.senses.get(squeezed[:-1])
            if found is not None and found[0] != "GPU":
                return None
        return found


def _between_numbers(tokens: list[Token], index: int) -> bool:
    """Whether a sign joins two numbers: "50-80"."""
    after = tokens[index + 1 : index + 2]
    return (
        tokens[index - 1].kind == "number" and bool(after) and after[0].kind == "number"
    )


def _spaced_letter(tokens: list[Token], at: int, index: int) -> bool:
    """Whether this number only follows a lone letter, or another number.

    "a 100 rps" is no A100, "users=40 60 requests" no RTX 4060.
    """
    if index != at + 1 or tokens[index].glued:
        return False
    numbers = tokens[at].kind == tokens[index].kind == "number"
    return numbers or len(tokens[at].text) == 1


def _two_numbers(tokens: list[Token], at: int, index: int) -> bool:
    """Whether digits follow others apart: "users 40 60 requests"; not "a 40 90"."""
    if index != at + 1 or tokens[index].glued:
        return False
    pair = tokens[at].kind == tokens[index].kind == "number"
    return pair and (at == 0 or tokens[at - 1].text not in _SPOKEN_AFTER)


_SPOKEN_AFTER = frozenset("a an my our single ein eine einer un una une".split())
"""Words that one card's name follows."""


def looks_like_gpu(word: str) -> bool:
    """Whether a word has the shape of a GPU's name."""
    return _GPU_LIKE.fullmatch(word) is not None


@cache
def names() -> Names:
    """Return the proper names of the vocabulary."""
    table = read_toml("names")
    senses = dict(_senses(table))
    beginnings = {name[:size] for name in senses for size in range(1, len(name) + 1)}
    weak = {squeeze(text): key for key, text in table["weak_provider"].items()}
    return Names(
        senses=senses,
        weak=weak,
        bare=frozenset(table["bare"]["gpu"].split()),
        token_apis=frozenset(table["token_api"]["provider"].split()),
        machines=dict(_machines(table["instance"])),
        families=dict(one.split() for one in spellings(table["family"]["meant"])),
        beginnings=frozenset(beginnings),
        letters=frozenset(name[0] for name in senses),
    )


def squeeze(text: str) -> str:
    """Keep the letters, digits and decimal points of a name: "2.5" is not "25"."""
    if text.isalnum():
        return text
    return "".join(_KEPT.findall(text))


def _senses(table: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, Sense]]:
    for group, concept in (
        ("gpu", "GPU"),
        ("provider", "PROVIDER"),
        ("api", "APINAME"),
    ):
        for slug, text in table[group].items():
            for spelling in spellings(text):
                yield squeeze(spelling), (concept, slug)


def _machines(table: Mapping[str, str]) -> Iterator[tuple[str, Machine]]:
    for provider, text in table.items():
        for entry in spellings(text):
            name, gpu, count = entry.split()
            yield name, Machine(gpu, int(count), provider)
