"""What advice rests on: published rules of thumb, and models that think at length."""

import tomllib
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

from core.frozen import Frozen
from core.llm import ModelSpec


class RuleOfThumb(Frozen):
    """A published rate per GPU for dense models of a size, and a price it goes with."""

    id: str
    params_b_low: float
    params_b_high: float
    gpu: str
    """A `GpuSpec.id`."""
    tokens_per_second_low: int
    tokens_per_second_high: int
    """Output tokens per second and GPU."""
    usd_per_gpu_hour: Decimal
    provider: str
    said: str
    """The month of the price."""
    source: str
    checked: str

    def covers(self, model: ModelSpec) -> bool:
        """Whether the rule speaks of models of this size."""
        sized = self.params_b_low <= model.params_b <= self.params_b_high
        return sized and not model.is_moe


class Thinking(Frozen):
    """Models that write their thinking before the answer, by pattern of id."""

    models: tuple[str, ...]
    source: str
    checked: str

    def names(self, model: ModelSpec) -> bool:
        """Whether a model is among them."""
        return any(fnmatchcase(model.id, pattern) for pattern in self.models)


@dataclass(frozen=True)
class AdviceReference:
    """Everything that notes are made from."""

    rules_of_thumb: tuple[RuleOfThumb, ...]
    thinking: tuple[Thinking, ...]

    def rule_of_thumb(self, model: ModelSpec) -> RuleOfThumb | None:
        """The published rate for models of this size; None: there is none."""
        return next((rule for rule in self.rules_of_thumb if rule.covers(model)), None)

    def thinks(self, model: ModelSpec) -> bool:
        """Whether a model writes its thinking out unless it is told not to."""
        return any(entry.names(model) for entry in self.thinking)


@cache
def advice_reference() -> AdviceReference:
    """Read the packaged file, once."""
    text = (files("core.reference") / "advice.toml").read_text("utf-8")
    table = tomllib.loads(text, parse_float=Decimal)
    rules = (RuleOfThumb(**_sourced(row, table)) for row in table["rule_of_thumb"])
    thinking = (Thinking(**_sourced(row, table)) for row in table["thinking"])
    return AdviceReference(tuple(rules), tuple(thinking))


def _sourced(row: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """The same row with its source's address in place of the key."""
    source = table["sources"][row["source"]]
    return row | {"source": source, "checked": table["checked"]}
