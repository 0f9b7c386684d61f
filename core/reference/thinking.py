"""What notes rest on: models that write their thinking out before they answer."""

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files

from core.frozen import Frozen
from core.llm import ModelSpec


class Thinking(Frozen):
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
    text = (files("core.reference") / "thinking.toml").read_text("utf-8")
    table = tomllib.loads(text)
    return tuple(
        Thinking(
            models=row["models"],
            source=table["sources"][row["source"]],
            checked=table["checked"],
        )
        for row in table["thinking"]
    )


def thinks(model: ModelSpec) -> bool:
    """Whether a model writes its thinking out unless it is told not to."""
    return any(entry.names(model) for entry in thinking_models())
