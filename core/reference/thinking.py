"""What notes rest on: models that write their thinking out before they answer."""

from fnmatch import fnmatchcase
from functools import cache

from core.frozen import Frozen
from core.llm import ModelSpec
from core.reference.tables import read_table


class Thinking(Frozen, frozen=True):
    """Models that think unless they are told not to, by pattern of id."""

    models: tuple[str, ...]
    source: str
    checked: str

    def names(self, model: ModelSpec) -> bool:
        """Whether a model is among them."""
        return any(fnmatchcase(model.id, pattern) for pattern in self.models)


@cache
def thinking_models() -> tuple[Thinking, ...]:
    """Read the packaged list, once."""
    table = read_table("core.reference", "thinking.toml")
    return tuple(
        Thinking(
            models=tuple(row["models"]),
            source=table["sources"][row["source"]],
            checked=table["checked"],
        )
        for row in table["thinking"]
    )


def thinks(model: ModelSpec) -> bool:
    """Whether a model writes its thinking out unless it is told not to."""
    return any(entry.names(model) for entry in thinking_models())
