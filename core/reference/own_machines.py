"""Machines that nobody rents out by the GPU, and what is published of models there."""

from functools import cache

from core.frozen import Frozen
from core.reference.tables import read_table


class Speed(Frozen, frozen=True, kw_only=True):
    """What a source says of models of a size, or of those named."""

    least: float = 0
    most: float = 0
    """Billions of parameters, from and to."""
    models: tuple[str, ...] = ()
    modality: str = "text"
    on: str = ""
    """Another machine of the kind, if it was timed there."""
    text: str
    source: str


class OwnMachine(Frozen, frozen=True, kw_only=True):
    """A Mac, or a server without GPUs."""

    words: tuple[str, ...]
    also: tuple[str, ...] = ()
    name: str
    bandwidth_gb_s: float
    memory_gb: float
    source: str
    speed: tuple[Speed, ...] = ()

    def speed_of(self, params_b: float | None, model: str | None) -> Speed | None:
        """What is published of a model here; None: nothing."""
        for one in self.speed:
            named = model is not None and any(name in model for name in one.models)
            if named or (params_b and one.least <= params_b <= one.most):
                return one
        return None

    def most_tokens(self, active_b: float) -> float:
        """Tokens a second that one reader can get in 4 bits: memory read once each."""
        return self.bandwidth_gb_s / (active_b / 2)


@cache
def own_machines() -> tuple[OwnMachine, ...]:
    """Return the machines, read once."""
    rows = read_table("core.reference", "own_machines.toml")["machine"]
    return tuple(OwnMachine.model_validate(row) for row in rows)
