"""The rules by id, with their reasons; the predicates stand where they are used."""

from functools import cache
from importlib.resources import files
from tomllib import loads
from typing import Literal

from core.frozen import Frozen


class Rule(Frozen):
    """One rule of the recommendation."""

    id: str
    stage: Literal["reject", "rank", "advise"]
    title: str
    rationale: str
    sources: tuple[str, ...]


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its id, in the order of the file."""
    text = (files("core.reference") / "rules.toml").read_text("utf-8")
    found = [Rule.model_validate(entry) for entry in loads(text)["rule"]]
    return {rule.id: rule for rule in found}
