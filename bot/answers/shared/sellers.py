"""The sellers that no table knows: those of the owner's own prices, and new ones."""

from functools import lru_cache

from core.reference.catalogue import Reference


class _Same:
    """Reference data compared by identity: its tables cannot be hashed."""

    def __init__(self, known: Reference) -> None:
        self.known = known

    def __hash__(self) -> int:
        return id(self.known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.known is self.known


def with_sellers(known: Reference, providers: frozenset[str]) -> Reference:
    """Return reference data in which everybody who sells can be named."""
    return _with_sellers(_Same(known), providers)


@lru_cache(maxsize=16)
def _with_sellers(same: _Same, providers: frozenset[str]) -> Reference:
    strange = frozenset(n for n in providers if same.known.provider(n) is None)
    return _extended(same, strange)


@lru_cache(maxsize=16)
def _extended(same: _Same, strange: frozenset[str]) -> Reference:
    """One object for the same sellers: the parser's index belongs to it."""
    return same.known.with_sellers(strange)
