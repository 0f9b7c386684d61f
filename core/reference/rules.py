"""The rules by id, with their reasons; the predicates stand where they are used."""

from functools import cache
from typing import Literal

from core.frozen import Frozen
from core.reference.tables import read_table


class Rule(Frozen, frozen=True):
    """One rule of the recommendation."""

    id: str
    stage: Literal["reject", "rank", "advise"]
    title: str
    rationale: str
    sources: tuple[str, ...]


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its id, in the order of the file."""
    table = read_table("core.reference", "rules.toml")
    found = [Rule.model_validate(entry) for entry in table["rule"]]
    return {rule.id: rule for rule in found}
