"""The families of models: their spellings, versions and sizes, from the vocabulary."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct, field

from bot.language.vocabulary import read_toml, spellings
from core.patterns import regex

_LONE = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_PIECES = regex(rf"[a-z][a-z0-9]*|\d+|[^\w\s]|{_LONE}|[^\W\d_a-z]+")

_MIXTURE = regex(r"\d+x\d+(?:\.\d+)?b")
_OTHER = regex(r"^\D|x")
"""What is listed beside sizes: variants by name, and mixtures."""
_OF_SIZE = frozenset(
    "nano mini micro tiny small medium large ultra pro plus max lite".split()
)
"""Words by which makers tell one size of a version from another."""


class Family(Struct, frozen=True):
    """One family of models, and the releases that exist."""

    name: str
    join: str
    needs: bool
    modality: str | None
    known: Mapping[str, frozenset[str]]

    def versions(self, version: str) -> frozenset[str] | None:
        """The sizes and variants of a version; None when there is no such version."""
        return self.known.get(version.lstrip("v"), self.known.get(version))

    def sizes(self, version: str) -> frozenset[str]:
        """The sizes of a version in billions; of all versions where none is named."""
        listed = (
            self.versions(version)
            if version
            else frozenset().union(*self.known.values())
        )
        return frozenset(size for size in listed or () if not _OTHER.search(size))


class Named(Struct):
    """A model as it was named so far."""

    family: Family
    version: str = ""
    parts: list[str] = field(default_factory=list)
    params_b: float | None = None
    active_b: float | None = None
    end: int = 0
    open: bool = False
    """Whether no family is known by it: a word right before a size."""
    shortened: bool = False
    """Whether a word was left out that may make it another model."""

    @property
    def slug(self) -> str:
        """The name in the form of the catalogue: llama-3.3-70b, qwen2.5-32b."""
        head = self.family.name
        if self.version:
            lettered = self.version[0].isalpha()
            head += ("-" if lettered else self.family.join) + self.version
        return "-".join([head, *self.parts])

    @property
    def sized(self) -> bool:
        """Whether the name itself settles the size."""
        return self.params_b is not None or any(p[0].isdigit() for p in self.parts)

    @property
    def _too_large(self) -> bool:
        """Whether the size is far beyond anything the family ever had."""
        sizes = [float(size) for size in self.family.sizes("")]
        return bool(sizes) and (self.params_b or 0) > 1.5 * max(sizes)

    @property
    def _is_strange_mixture(self) -> bool:
        """Whether "12x30b" is none of the mixtures that the family has."""
        mixtures = {one for one in self.family.versions("*") or () if "x" in one}
        written = {part for part in self.parts if _MIXTURE.fullmatch(part)}
        return bool(mixtures and written) and not mixtures & written

    @property
    def _is_strange_variant(self) -> bool:
        """Whether "nano" of "llama 4 nano 3b" is a word of size that none has."""
        known = self.family.versions(self.version) or ()
        return self.parts[0] in _OF_SIZE and self.parts[0] not in known

    @property
    def released(self) -> bool:
        """Whether the makers published this version, and this size of it."""
        if self.family.modality is not None:
            return True
        if not self.version:
            return not (self._too_large or self._is_strange_mixture)
        if self.family.versions(self.version) is None:
            return False
        sizes = self.family.sizes(self.version)
        plain = len(self.parts) <= 1 or self._is_strange_variant
        known = self.params_b is None or f"{self.params_b:g}" in sizes
        return not plain or not sizes or known


class Families(Struct, frozen=True):
    """Families by spelling, and the words that may follow one."""

    by_spelling: Mapping[str, Family]
    starts: Mapping[str, tuple[tuple[str, ...], ...]]
    kept: frozenset[str]
    glued: frozenset[str]
    dropped: frozenset[str]
    english: frozenset[str]
    short: frozenset[str]
    describing: frozenset[str]
    mixed: frozenset[str]
    """Spellings of families whose sizes are experts times the size of one."""
    rare: frozenset[str]
    """Words that begin a name, and that no misspelt word is taken for."""


@cache
def families() -> Families:
    """Return the families of the vocabulary."""
    table = read_toml("models")
    by_spelling: dict[str, Family] = {}
    starts: dict[str, list[tuple[str, ...]]] = {}
    rare = {
        name: {"names": names, "modality": kind, "known": "*:"}
        for kind, row in table["rare"].items()
        for name, names in row.items()
    }
    common: set[str] = set()
    for name, row in (*rare.items(), *table["family"].items()):
        family = _family(name, row)
        for spelling in spellings(row["names"]):
            words = tuple(_PIECES.findall(spelling))
            by_spelling["".join(words)] = family
            starts.setdefault(words[0], []).append(words)
            common |= set() if name in rare else {words[0]}
    return Families(
        by_spelling=by_spelling,
        starts={
            word: tuple(sorted(ways, key=len, reverse=True))
            for word, ways in starts.items()
        },
        kept=frozenset(table["parts"]["kept"].split()),
        glued=frozenset(table["parts"]["glued"].split()),
        dropped=frozenset(table["parts"]["dropped"].split()),
        short=frozenset(table["parts"]["short"].split()),
        describing=frozenset(table["parts"]["describing"].split()),
        mixed=frozenset(
            spelling
            for spelling, family in by_spelling.items()
            if any(
                _MIXTURE.fullmatch(one)
                for said in family.known.values()
                for one in said
            )
        ),
        rare=frozenset(starts) - common,
        english=frozenset(table["parts"]["english"].split()),
    )


def _family(name: str, row: Mapping[str, str]) -> Family:
    known = {}
    for entry in row["known"].split(";"):
        version, _, sizes = entry.partition(":")
        known[version.strip()] = frozenset(sizes.split())
    return Family(
        name=name,
        join=row.get("join", "-"),
        needs=bool(row.get("needs")),
        modality=None if row.get("modality") == "text" else row.get("modality"),
        known=known,
    )
