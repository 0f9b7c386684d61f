"""The reference data as the parser asks it: is this name known, and what is near."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import cast

from msgspec import Struct

from bot.language.families import families
from bot.language.lexer import Token
from bot.language.names import names, squeeze
from bot.language.vocabulary import vocabulary
from core.patterns import regex
from core.provider import ProviderSpec
from core.reference.catalogue import EntryKind, Reference
from core.reference.load import reference

_JOINTS = frozenset("-_/.():")
_PLAIN = regex(r"[a-z]+|\d+[a-z]?|[a-z]\d|\d+x\d+b")
_TELLING = 4
"""Letters from which a single word is taken for a name."""
_SPLIT = regex(r"[\s\-_/]+")

Found = tuple[str, str]
"""The kind of a name (model, gpu, provider) and its id."""


class Catalogue(Struct, frozen=True, eq=False, dict=True):
    """Every published name of the reference data, by its letters and digits."""

    known: Reference

    def knows_model(self, name: str) -> bool:
        """Whether a model of this name is in the catalogue."""
        return self.known.model(name) is not None

    def nearest(self, kind: str, name: str) -> tuple[str, ...]:
        """The names closest in spelling."""
        if kind not in ("gpu", "model", "provider"):
            return ()
        return self.known.nearest(cast(EntryKind, kind), name)

    def begins(self, word: str) -> bool:
        """Whether a published name begins with a word of letters."""
        return word in self._index[1]

    def longest(self, tokens: Sequence[Token], at: int) -> tuple[int, Found | None]:
        """Return where the longest published name from a token ends, and its id."""
        ids, starts = self._index
        limit = starts.get(squeeze(tokens[at].text))
        if limit is None:
            return at, None
        end, found, squeezed, index = at, None, "", at
        while index < len(tokens) and len(squeezed) < limit:
            token = tokens[index]
            if token.kind == "sign" and token.text not in _JOINTS:
                break
            squeezed += squeeze(token.text)
            index += 1
            if token.kind != "sign" and squeezed in ids:
                end, found = index, ids[squeezed]
        return end, found

    def meant(self, word: str) -> str | None:
        """Return the seller of no table whose name was probably misspelt."""
        from rapidfuzz.distance import OSA  # 30 ms that most questions do not need

        slips = 1 if len(word) <= 7 else 2
        for name, identity in self.strong.items():
            near = name[0] == word[0] and len(word) >= _TELLING
            if near and OSA.distance(name, word, score_cutoff=slips) <= slips:
                return identity
        return None

    @cached_property
    def strong(self) -> dict[str, str]:
        """Sellers of no table whose name is none but theirs, by its letters."""
        sellers = ((p.id, p.name.lower()) for p in self._strange())
        return {squeeze(name): key for key, name in sellers if not _faint(name)}

    @cached_property
    def weak(self) -> dict[str, str]:
        """Sellers of no table whose name alone is an ordinary word, by that word."""
        return {
            word: provider.id
            for provider in self._strange()
            if _faint(word := provider.name.lower()) and word.isalpha()
        }

    @cached_property
    def _index(self) -> tuple[dict[str, Found], dict[str, int]]:
        """Names by their letters; first words, each with its longest name's length."""
        ids: dict[str, Found] = {}
        starts: dict[str, int] = {}
        for kind, identity, name in self._names():
            written = name.lower()
            squeezed = squeeze(written)
            first = squeeze(_SPLIT.split(written, maxsplit=1)[0])
            ids.setdefault(squeezed, (kind, identity))
            starts[first] = max(starts.get(first, 0), len(squeezed))
        return ids, starts

    def _names(self) -> Iterator[tuple[str, str, str]]:
        for gpu in self.known.gpus.values():
            yield from _spelled("gpu", gpu.id, (gpu.id, gpu.name, *gpu.aliases))
        for provider in self.known.providers.values():
            spellings = (provider.id, provider.name, *provider.aliases)
            if provider.kind != "unknown":
                yield from _spelled("provider", provider.id, spellings)
        for provider in self._strange():
            if not _faint(provider.name.lower()):
                yield "provider", provider.id, provider.name
                yield "provider", provider.id, f"{provider.name}s"  # acme's
        for model in self.known.models.values():
            repository = model.repository or ""
            last = repository.rpartition("/")[2]
            spellings = (model.id, model.name, *model.aliases, repository, last)
            yield from _spelled("model", model.id, spellings)

    def _strange(self) -> Iterator[ProviderSpec]:
        return (p for p in self.known.providers.values() if p.kind == "unknown")


def _spelled(
    kind: str, identity: str, spellings: Iterable[str]
) -> Iterator[tuple[str, str, str]]:
    """Names that cannot be an ordinary word or a bare number."""
    for name in spellings:
        word = name.lower()
        weak = word in names().weak if kind == "provider" else _ordinary(word)
        if name and not weak:
            yield kind, identity, name


def _faint(name: str) -> bool:
    """Whether a seller's name tells nobody that it is one: "42", "dc", "basement"."""
    if _PLAIN.fullmatch(name) is None:
        return False
    short = not name.isalpha() or len(name) < _TELLING
    return short or name in vocabulary().ordinary or name in families().english


def _ordinary(name: str) -> bool:
    """Whether a name alone is an English word, a number or too short to tell."""
    if _PLAIN.fullmatch(name) is None or name in families().short:
        return False
    return not name.isalpha() or len(name) < 5 or name in families().english


class _Same(Struct, frozen=True):
    """A reference compared by identity: its tables cannot be hashed."""

    known: Reference

    def __hash__(self) -> int:
        return id(self.known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.known is self.known


@lru_cache(maxsize=4)
def _catalogue(same: _Same) -> Catalogue:
    return Catalogue(same.known)


def catalogue(known: Reference | None = None) -> Catalogue:
    """Return the catalogue of some reference data; None: the packaged data."""
    return _catalogue(_Same(known if known is not None else reference()))
