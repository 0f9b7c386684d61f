"""What notes rest on: models that write their thinking out before they answer."""

from fnmatch import fnmatchcase
from functools import cache
from typing import Literal

from core.frozen import Frozen
from core.llm import ModelSpec
from core.reference.tables import read_table


class Thinking(Frozen, frozen=True):
    """Models that think unless they are told not to, by pattern of id."""

    models: tuple[str, ...]
    source: str
    checked: str
    always: bool = False
    """They cannot be told not to."""

    def names(self, model: ModelSpec | str) -> bool:
        """Whether a model is among them."""
        name = model if isinstance(model, str) else model.id
        return any(fnmatchcase(name, pattern) for pattern in self.models)


@cache
def thinking_models(
    kind: Literal["thinking", "by_token"] = "thinking",
) -> tuple[Thinking, ...]:
    """Read the packaged list, once: of open weights, or of those sold by the token."""
    table = read_table("core.reference", "thinking.toml")
    return tuple(
        Thinking(
            models=tuple(row["models"]),
            source=table["sources"][row["source"]],
            checked=table["checked"],
            always=row.get("always", False),
        )
        for row in table[kind]
    )


def thinks(model: ModelSpec) -> bool:
    """Whether a model writes its thinking out unless it is told not to."""
    return any(entry.names(model) for entry in thinking_models())


def always_thinks(model: ModelSpec) -> bool:
    """Whether a model cannot be told not to think."""
    return any(entry.always and entry.names(model) for entry in thinking_models())


def sold_thinking(name: str) -> bool:
    """Whether what an API sells thinks: "openai/o4-mini", "deepseek-ai/DeepSeek-R1"."""
    bare = name.rsplit("/", 1)[-1].lower()
    known = (*thinking_models(), *thinking_models("by_token"))
    return any(entry.names(bare) for entry in known)
