"""Published figures that a question is often answered with, and why ours differ."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from core.query import Query
from core.reference.tables import read_table

if TYPE_CHECKING:
    from core.answers.glossary import Correction


@cache
def _claims() -> tuple[Mapping[str, Any], ...]:
    return tuple(read_table("core.reference", "often_said.toml")["claim"])


class OftenSaid(Struct, frozen=True):
    """A quoted figure that belongs to a question, and what holds."""

    claim: "Correction"
    asked: bool
    """The question is about it, and not only of its kind."""


def often_said(query: Query) -> OftenSaid | None:
    """The first claim that a question may be held against; None: none is known."""
    for row in _claims():
        if all(_fits(query, name, wanted) for name, wanted in row.items()):
            asked = bool({"words", "techniques"} & row.keys())
            return OftenSaid(_correction(row["id"]), asked)
    return None


def _fits(query: Query, name: str, wanted: Any) -> bool:
    """Whether a question states what one key of a row asks for."""
    if name == "id":
        return True
    if name == "words":
        plain = query.text.lower()
        return any(word in plain for word in wanted)
    if name == "both":
        return set(wanted) <= _families(query.gpu or ())
    stated = getattr(query, name)
    if wanted is True or stated is None:
        return bool(stated) and wanted is True
    if isinstance(stated, float | int):
        least, most = wanted
        return bool(least <= stated <= most)
    named = {stated} if isinstance(stated, str) else set(stated)
    return bool(set(wanted) & (_families(named) if name == "gpu" else named))


def _families(named: Iterable[str]) -> set[str]:
    """GPUs by the name before their memory or form: "a100-80gb" is an A100."""
    return {name.partition("-")[0] for name in named}


def _correction(name: str) -> "Correction":
    """The words of a claim: as the glossary puts it right, else as it is listed."""
    from core.answers.glossary import Correction, glossary  # few questions need it
    from core.reference.coverage import coverage

    written = glossary().corrections.get(name)
    if written is not None:
        return written
    line = coverage().statements[name]
    return Correction(id=name, about=(), said=line.what, holds=line.says)
