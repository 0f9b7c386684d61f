"""The models that stand for a bare size of a kind: a vision model, a coder."""

import re
from collections.abc import Mapping
from functools import cache
from math import log

from core.llm import ModelSpec
from core.reference.tables import read_table

_SIZE = re.compile(r"-(\d+(?:\.\d+)?)b(?![a-z0-9])")
_ALIKE = 1.15
"""Times by which a model of a kind may miss the size that stands for it."""


@cache
def model_classes() -> Mapping[str, tuple[str, ...]]:
    """Return the ids of every kind."""
    told = read_table("core.reference", "model_classes.toml")
    return {kind: tuple(ids) for kind, ids in told.items()}


def usual_of_class(
    models: Mapping[str, ModelSpec], kind: str, params_b: float
) -> ModelSpec | None:
    """The model of a kind whose name or weights have that size; None: none does."""
    sizes = {name: _named_size(name) for name in model_classes().get(kind, ())}
    if not sizes:
        return None
    name = min(sizes, key=lambda one: abs(log(sizes[one] / params_b)))
    near = max(sizes[name] / params_b, params_b / sizes[name]) <= _ALIKE
    return models.get(name) if near else None


def usual_of_family(models: Mapping[str, ModelSpec], name: str) -> ModelSpec | None:
    """The model that a bare name stands for: "llama", "qwen2.5"; None: no such name."""
    for usual in (models[one] for one in model_classes()["family"]):
        if usual.family == name:
            return usual
        if name.startswith(usual.family):
            kin = [one for one in models.values() if one.family == usual.family]
            kin = [one for one in kin if one.id.startswith(f"{name}-")]
            plain = [one for one in kin if _SIZE.fullmatch(one.id[len(name) :])] or kin
            far = {one.id: abs(log(one.params_b / usual.params_b)) for one in plain}
            return min(plain, key=lambda one: far[one.id], default=None)
    return None


def _named_size(name: str) -> float:
    """Billions of parameters, as the name tells them."""
    found = _SIZE.search(name)
    return float(found[1]) if found else 0.0
